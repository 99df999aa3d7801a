"""Rows of tables to frozen records and back.

A record is a frozen dataclass whose fields are the properties of one JSON Schema. Rows are checked
against the schema first, because its messages name the column and say what belongs there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ncimp.schemas.errors import Place
from ncimp.schemas.files import Row, read_jsonl, read_tsv
from ncimp.schemas.tables import check_row, columns, load_schema

Record = TypeVar("Record")

NUMBERS: tuple[tuple[str, re.Pattern[str], Callable[[str], float]], ...] = (
    ("integer", re.compile(r"-?[0-9]+"), int),
    ("number", re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"), float),
)
"""How a number is written in a cell: as in JSON, so without `1_000`, `inf` or other scripts' digits."""


def to_row(record: object) -> Row:
    """Return *record* as plain values: tuples become lists, nested records become dicts."""
    row: Row = _plain(msgspec.to_builtins(record))
    return row


def _plain(value: Any) -> Any:
    """Return *value* as JSON would give it back: its tuples as lists."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def from_row(kind: type[Record], row: Row, *, table: str, place: Place) -> Record:
    """Return *row* as a record of *kind*, after checking it against the schema *table*."""
    check_row(table, row, place)
    # not strict: JSON has one kind of number, and 1.0 is as good an integer as 1
    return msgspec.convert(row, kind, strict=False)


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
