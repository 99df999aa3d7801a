"""The tables of the project as JSON Schemas, and what other formats call the same columns.

One file `<name>.schema.json` per table is the single place where a column is named, typed and
described; the TSV header, the Arrow schema, the card's features and the records follow from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema
import jsonschema_rs
from jsonschema.validators import Draft202012Validator
from referencing import Registry, Resource

from ncimp.schemas.errors import Place, SchemaError

SUFFIX = ".schema.json"

Schema = dict[str, Any]
"""A JSON Schema."""


@cache
def schema_names() -> tuple[str, ...]:
    """Return the names of all tables, sorted."""
    entries = (entry.name for entry in files("ncimp.schemas").iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in entries if name.endswith(SUFFIX)))


@cache
def load_schema(name: str) -> Schema:
    """Return the JSON Schema of the table *name*."""
    schema: Schema = json.loads((files("ncimp.schemas") / f"{name}{SUFFIX}").read_text(encoding="utf-8"))
    return schema


@cache
def columns(name: str) -> tuple[str, ...]:
    """Return the columns of the table *name*, in their fixed order."""
    return tuple(load_schema(name)["properties"])


def kind_of(column: Schema) -> str:
    """Return the JSON type of *column*, the one beside null where it may be empty."""
    kind: str | list[str] = column["type"]
    return kind if isinstance(kind, str) else next(name for name in kind if name != "null")


@cache
def _compiled(name: str) -> jsonschema_rs.Draft202012Validator:
    """Return the compiled validator of *name*: it says yes or no, two hundred times faster than the explaining one."""
    resources = [(load_schema(other)["$id"], load_schema(other)) for other in schema_names()]
    return jsonschema_rs.Draft202012Validator(load_schema(name), registry=jsonschema_rs.Registry(resources))


@cache
def _explaining(name: str) -> Draft202012Validator:
    resources = [(load_schema(other)["$id"], Resource.from_contents(load_schema(other))) for other in schema_names()]
    registry: Registry[Any] = Registry().with_resources(resources)
    return Draft202012Validator(load_schema(name), registry=registry)


def check_row(name: str, row: Mapping[str, Any], place: Place) -> None:
    """Raise `SchemaError` at the offending column when *row* does not fit the table *name*.

    A number that is none (NaN) passes here, as JSON Schema has no word for it; hashing refuses it.
    """
    plain, comparable = dict(row), True
    try:
        if _compiled(name).is_valid(plain):
            return
    except ValueError:
        comparable = False  # a value that JSON has no word for: a date of TOML, or NaN
    error = jsonschema.exceptions.best_match(_explaining(name).iter_errors(plain))
    if error is None:
        if not comparable:
            return
        raise SchemaError(f"does not fit {name}{SUFFIX}", fix="compare it with the schema", place=place)
    column = str(error.absolute_path[0]) if error.absolute_path else None
    path = "/".join(str(step) for step in error.absolute_path)
    where = f" in {path!r}" if len(error.absolute_path) > 1 else ""
    known = load_schema(name)["properties"].get(column, {}).get("description")
    fix = f"{column}: {known}" if known else f"see {name}{SUFFIX}"
    raise SchemaError(error.message + where, fix=fix, place=Place(place.file, place.line, column))
