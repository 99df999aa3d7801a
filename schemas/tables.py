"""The tables of the project: one generated JSON schema each, in `tables/`.

The records are the source of every column: `python -P scripts/generate.py` writes the schemas. From them follow the
headers of TSV files, the Arrow schemas and the features of the card.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

SUFFIX = ".schema.json"

Schema = dict[str, Any]
"""A JSON Schema."""


@cache
def schema_names() -> tuple[str, ...]:
    """Return the names of all tables, sorted."""
    entries = (entry.name for entry in (files("ncimp.schemas") / "tables").iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in entries if name.endswith(SUFFIX)))


@cache
def load_schema(name: str) -> Schema:
    """Return the JSON Schema of the table *name*."""
    schema: Schema = json.loads((files("ncimp.schemas") / "tables" / f"{name}{SUFFIX}").read_text(encoding="utf-8"))
    return schema


@cache
def columns(name: str) -> tuple[str, ...]:
    """Return the columns of the table *name*, in their fixed order."""
    return tuple(load_schema(name)["properties"])


def kind_of(column: Schema) -> str:
    """Return the JSON type of *column*, the one beside null where it may be empty."""
    kind: str | list[str] = column["type"]
    return kind if isinstance(kind, str) else next(name for name in kind if name != "null")
