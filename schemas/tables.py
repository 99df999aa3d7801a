"""The tables of the project: one generated JSON schema each, in `tables/`.

The records are the source of every column: `python -P scripts/generate.py` writes the schemas. From them follow the
headers of TSV files, the Arrow schemas and the features of the card.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from msgspec import Meta

from ncimp.schemas.files import Row

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


LINE_END = r"(?!\n)"
"""Suffix that stops `$` from matching before a final line end in Python; left out of the JSON schemas."""


def matching(pattern: str) -> Meta:
    """Return the constraint that a text has the form *pattern*, from begin to end."""
    return Meta(pattern=f"^{pattern}${LINE_END}")


def one_of(words: Iterable[str]) -> Meta:
    """Return the constraint that a text is one of *words*, for closed sets that code computes with as `str`."""
    return Meta(pattern=f"^(?:{'|'.join(words)})${LINE_END}", extra_json_schema={"enum": list(words)})


LANG = "[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"
COMPOUND = rf"{LANG}/[^/\s]+"

Lang = Annotated[str, matching(LANG)]
CompoundId = Annotated[str, matching(COMPOUND)]
"""`lang/compound`."""
ItemId = Annotated[str, matching(rf"{COMPOUND}/[a-z0-9_]+/[a-z0-9]+")]
"""`lang/compound/context/variant`."""
Version = Annotated[str, matching(r"[0-9]+\.[0-9]+\.[0-9]+")]
Day = Annotated[str, matching(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")]
IncidentCode = Annotated[str, matching(r"[A-Z][0-9]{3}")]
Sha256 = Annotated[str, matching("[0-9a-f]{64}")]
ShortHash = Annotated[str, matching("[0-9a-f]{16}")]
SourceName = Annotated[str, matching("[A-Za-z0-9][A-Za-z0-9_.:+-]*")]
Money = Annotated[str, matching(r"[0-9]+(\.[0-9]+)?")]
Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0)]
Ordinal = Annotated[int, Meta(ge=1)]
HeadIndex = Annotated[int, Meta(ge=0, le=1)]
Rating = Annotated[int, Meta(ge=0, le=5)]
MeanRating = Annotated[float, Meta(ge=0, le=5)]
Span = tuple[Count, Count]
"""Half-open [start, end)."""


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
