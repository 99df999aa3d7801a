"""Rows that are released without their text: which columns are then empty, and how such a row is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ncimp.schemas.files import Row

WITHHELD: Mapping[str, tuple[str, ...]] = {"item": ("sentence", "tokens"), "pair": ("sentence1", "sentence2")}
"""By table, the columns that hold the text of a sentence."""

STANDOFF = "standoff"
"""The table, and the config, that says where withheld text stands."""


def without_text(table: str, row: Mapping[str, Any]) -> Row:
    """Return *row* of *table* with its text taken out."""
    return {**row, **dict.fromkeys(WITHHELD[table])}


def is_withheld(table: str, row: Mapping[str, Any]) -> bool:
    """Tell whether *row* of *table* is without its text."""
    return any(row.get(name) is None for name in WITHHELD.get(table, ()))
