"""Rows of tables to frozen records and back.

A record is a frozen dataclass whose fields are the columns of one table. `msgspec` checks a row against their types;
an error names file, line and column, and quotes the description of the column.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.files import Row, read_jsonl, read_tsv
from ncimp.schemas.tables import Schema, columns, load_schema

Record = TypeVar("Record")

MISSING = re.compile(r"missing required field `(\w+)`")
STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
"""A key or an index in a path such as `.edits[0].start`."""

NUMBERS: tuple[tuple[str, re.Pattern[str], Callable[[str], float]], ...] = (
    ("integer", re.compile(r"-?[0-9]+"), int),
    ("number", re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"), float),
)
"""Form of a number in a cell: as in JSON, so without `1_000`, `inf` or digits of other scripts."""


def to_row(record: object) -> Row:
    """Return *record* as plain values: tuples become lists, nested records become dicts."""
    row: Row = msgspec.json.decode(msgspec.json.encode(record))
    return row


def from_row(kind: type[Record], row: Row, *, table: str, place: Place) -> Record:
    """Return *row* of *table* as a record of *kind*, or raise `SchemaError` that names and describes the column."""
    try:
        record = msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise _explained(str(error), row, table, place) from None
    _refuse_unknown(kind, row, place)
    return record


def _refuse_unknown(kind: type, row: Row, place: Place, path: str = "") -> None:
    """Raise `SchemaError` for a key that is no field; in dataclasses msgspec ignores them."""
    names, nested = _fields(kind)
    if not row.keys() <= names.keys():
        name = next(name for name in row if name not in names)
        column = path.split("/")[0] or name
        what = f"unknown key {f'{path}{name}'!r}"
        raise SchemaError(what, fix=f"use {', '.join(names)}", place=Place(place.file, place.line, column))
    for name, part in nested.items():
        value = row.get(name)
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                _refuse_unknown(part, inner, place, f"{path}{name}/")


@cache
def _fields(kind: type) -> tuple[dict[str, None], dict[str, type]]:
    """Return the fields of the dataclass *kind*, and the records inside them."""
    hints = get_type_hints(kind)
    names = {field.name: None for field in fields(kind)}
    parts = {name: _record_in(hints[name]) for name in names}
    return names, {name: part for name, part in parts.items() if part is not None}


def _record_in(hint: Any) -> type | None:
    """Return the record that *hint* is, or is a list of, if any."""
    if isinstance(hint, type) and is_dataclass(hint):
        return hint
    return next((kind for part in get_args(hint) if (kind := _record_in(part)) is not None), None)


def _explained(message: str, row: Row, table: str, place: Place) -> SchemaError:
    """Return the error for a *message* of msgspec, such as ``Expected `int`, got `str` - at `$.edits[0].start` ``."""
    reason, _, path = message.partition(" - at `$")
    steps: list[str | int] = [int(index) if index else name for name, index in STEP.findall(path)]
    value: Any = row
    schema: Schema = load_schema(table)
    for step in steps:
        value = value[step]
        schema = schema.get("properties", {}).get(step) or schema.get("items") or {}
    if "const" in schema:
        what = f"{value!r} is not {schema['const']!r}"
    elif "enum" in schema:
        what = f"{value!r} is not one of {schema['enum']}"
    elif "regex" in reason:
        what = f"{value!r} does not match {schema.get('pattern')!r}"
    elif missing := MISSING.search(reason):
        what = f"{missing[1]!r} is missing"
    else:
        what = f"{value!r} does not fit ({reason})"
    column = str(steps[0]) if steps else None
    where = f" in {'/'.join(map(str, steps))!r}" if len(steps) > 1 else ""
    description = load_schema(table)["properties"].get(column, {}).get("description")
    fix = f"{column}: {description}" if description else f"see {table}.schema.json"
    return SchemaError(what + where, fix=fix, place=Place(place.file, place.line, column))


def read_records(path: Path, kind: type[Record], table: str) -> Iterator[tuple[int, Record]]:
    """Yield (line number, record) for each row of a `.tsv` or `.jsonl` file of the table *table*."""
    rows = _typed_tsv(path, table) if path.suffix == ".tsv" else read_jsonl(path)
    for number, row in rows:
        yield number, from_row(kind, row, table=table, place=Place(str(path), number))


def _typed_tsv(path: Path, table: str) -> Iterator[tuple[int, Row]]:
    types = {name: column.get("type") for name, column in load_schema(table)["properties"].items()}
    for number, row in read_tsv(path, columns(table)):
        yield number, {name: _typed(cell, types[name]) for name, cell in row.items()}


def _typed(cell: Any, kind: str | list[str] | None) -> Any:
    """Return a TSV cell as the type its schema names; what does not parse stays a string for the schema to refuse."""
    kinds = kind if isinstance(kind, list) else [kind]
    if not isinstance(cell, str):
        return cell
    if "boolean" in kinds:
        return {"true": True, "yes": True, "false": False, "no": False}.get(cell, cell)
    for name, shape, parse in NUMBERS:
        if name in kinds and shape.fullmatch(cell):
            return parse(cell)
    return cell
