"""Rows against the committed JSON schemas, by a validator that knows nothing of the records."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema.validators import Draft202012Validator

from ncimp.schemas.records import load_schema


@cache
def validator(table: str) -> Draft202012Validator:
    return Draft202012Validator(load_schema(table))


def check_row(table: str, row: Mapping[str, Any]) -> None:
    """Raise where *row* does not fit the JSON schema of *table*."""
    validator(table).validate(dict(row))
