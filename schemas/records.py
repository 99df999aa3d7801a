"""Records and their tables: the columns as JSON schemas, and rows to frozen records and back.

A record is a frozen dataclass whose fields are the columns of one table. The records are the source of every column:
`python -P scripts/generate.py` writes a JSON schema of each to `tables/`; from them follow the headers of TSV files,
the Arrow schemas and the features of the card. `msgspec` checks a row against the types of its record.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import cache, reduce
from importlib.resources import files
from operator import getitem
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.files import Row, read_jsonl, read_tsv, write_text

SUFFIX = ".schema.json"
Schema = dict[str, Any]  # a JSON Schema


@cache
def load_schema(name: str) -> Schema:
    """Return the JSON Schema of the table *name*."""
    schema: Schema = json.loads((files("ncimp.schemas") / "tables" / f"{name}{SUFFIX}").read_text(encoding="utf-8"))
    return schema


@cache
def columns(name: str) -> tuple[str, ...]:
    """Return the columns of the table *name*, in their fixed order."""
    return tuple(load_schema(name)["properties"])


def is_header(cells: Sequence[str], table: str) -> bool:
    """Tell whether *cells* name the columns of *table*, of which the last may be missing where they are optional."""
    least = len(load_schema(table)["required"])
    return len(cells) >= least and tuple(cells) == columns(table)[: len(cells)]


def kind_of(column: Schema) -> str:
    """Return the JSON type of *column*, the one beside null where it may be empty."""
    kind: str | list[str] = column["type"]
    return kind if isinstance(kind, str) else next(name for name in kind if name != "null")


LINE_END = r"(?!\n)"  # stops `$` from matching before a final line end in Python; left out of the JSON schemas


def matching(pattern: str) -> Meta:
    """Return the constraint that a text has the form *pattern*, from begin to end."""
    return Meta(pattern=f"^{pattern}${LINE_END}")


def one_of(words: Iterable[str]) -> Meta:
    """Return the constraint that a text is one of *words*, for closed sets that code computes with as `str`."""
    return Meta(pattern=f"^(?:{'|'.join(words)})${LINE_END}", extra_json_schema={"enum": list(words)})


LANG = "[a-z]{2,3}(-[A-Za-z0-9]{2,8})*"
COMPOUND = rf"{LANG}/[^/\s]+"

SEPARATORS = re.compile(r"[\s_\-\u2010\u2011]+")  # between components, which benchmarks do not write alike


def compound_key(text: str) -> str:
    """Return the key of a compound: lower case, hyphens as spaces.

    >>> compound_key("Pé-Frio") == compound_key("pé  frio")
    True
    """
    return SEPARATORS.sub(" ", unicodedata.normalize("NFC", text).strip()).casefold()


def compound_pattern(text: str) -> str:
    """Return an expression for the words of *text*, a compound, with spaces or hyphens between them, ignoring case."""
    return r"[\s-]+".join(re.escape(word).replace("ss", "(?:ss|ß)") for word in compound_key(text).split())


Lang = Annotated[str, matching(LANG)]
CompoundId = Annotated[str, matching(COMPOUND)]  # `lang/compound`
ItemId = Annotated[str, matching(rf"{COMPOUND}/[a-z0-9_]+/[a-z0-9]+")]  # `lang/compound/context/variant`
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
Span = tuple[Count, Count]  # half-open [start, end)

STANDOFF = "standoff"  # the table, and the config, that says where withheld text stands
WITHHELD: Mapping[str, tuple[str, ...]] = {"item": ("sentence", "tokens"), "pair": ("sentence1", "sentence2")}
"""By table, the columns that hold the text of a sentence."""


def without_text(table: str, row: Mapping[str, Any]) -> Row:
    """Return *row* of *table* with its text taken out, and what it was mended of."""
    return {**row, **dict.fromkeys((*WITHHELD[table], *(("published",) if table == "item" else ())))}


def is_withheld(table: str, row: Mapping[str, Any]) -> bool:
    """Tell whether *row* of *table* is without its text."""
    return any(row.get(name) is None for name in WITHHELD.get(table, ()))


Record = TypeVar("Record")

STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")  # a key, an index or any name in a path such as `.edits[0].start`
SOME = "..."  # how msgspec names any entry of a mapping
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
        raise _explained(str(error), kind, row, table, place) from None
    _refuse_unknown(kind, row, place)
    return record


def _refuse_unknown(kind: type, row: Row, place: Place, path: str = "") -> None:
    """Raise `SchemaError` for a key that is no field; in dataclasses msgspec ignores them."""
    parts = _fields(kind)
    if not row.keys() <= parts.keys():
        name = next(name for name in row if name not in parts)
        column = path.split("/")[0] or name
        what = f"unknown key {f'{path}{name}'!r}"
        raise SchemaError(what, fix=f"use {', '.join(parts)}", place=Place(place.file, place.line, column))
    for name, (part, is_named) in parts.items():
        value = row.get(name) if part else None
        if is_named and isinstance(value, dict):
            value = list(value.values())
        for inner in value if isinstance(value, list) else [value]:
            if part and isinstance(inner, dict):
                _refuse_unknown(part, inner, place, f"{path}{name}/")


@cache
def _fields(kind: type) -> dict[str, tuple[type | None, bool]]:
    """Return the fields of the dataclass *kind*, each with the record inside it, if any, and whether by names."""
    hints = get_type_hints(kind)
    return {
        field.name: (_record_in(hints[field.name]), get_origin(hints[field.name]) is Mapping) for field in fields(kind)
    }


def _record_in(hint: Any) -> type | None:
    """Return the record that *hint* is, or is a list of, if any."""
    if isinstance(hint, type) and is_dataclass(hint):
        return hint
    return next((kind for part in get_args(hint) if (kind := _record_in(part)) is not None), None)


def _steps(message: str, kind: type, row: Row) -> list[str | int]:
    """Return the keys and indices to the value of *row* that a *message* of msgspec is about."""
    steps: list[str | int] = []
    for name, index in STEP.findall(message.partition(" - at `$")[2]):
        if index == SOME:
            steps.append(_wrong_name(message, kind, row, steps))
        else:
            steps.append(int(index) if index else name)
    return steps


def _wrong_name(message: str, kind: type, row: Row, steps: Iterable[str | int]) -> str:
    """Return the name in the mapping at *steps* that *message* is about: the one that alone leads to it."""
    names: Row = reduce(getitem, steps, row)  # type: ignore[arg-type]
    for name, value in names.items():
        tried = deepcopy(row)
        mapping: Row = reduce(getitem, steps, tried)  # type: ignore[arg-type]
        mapping.clear()
        mapping[name] = value
        try:
            msgspec.convert(tried, kind)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return name
    raise AssertionError(f"no single name leads to {message!r}")


def _explained(message: str, kind: type, row: Row, table: str, place: Place) -> SchemaError:
    """Return the error for a *message* of msgspec, such as ``Expected `int`, got `str` - at `$.edits[0].start` ``."""
    reason, steps = message.partition(" - at `$")[0], _steps(message, kind, row)
    value: Any = row
    schema: Schema = load_schema(table)
    for step in steps:
        value = value[step]
        others = schema.get("items") or schema.get("additionalProperties")
        schema = schema.get("properties", {}).get(step) or others or {}
    if "const" in schema:
        what = f"{value!r} is not {schema['const']!r}"
    elif "enum" in schema:
        what = f"{value!r} is not one of {schema['enum']}"
    elif "regex" in reason:
        what = f"{value!r} does not match {schema.get('pattern')!r}"
    elif "missing required field" in reason:
        missing = [repr(name) for name in schema["required"] if name not in value]
        what = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    else:
        what = f"{value!r} does not fit ({reason})"
    column = str(steps[0]) if steps else None
    where = f" in {'/'.join(map(str, steps))!r}" if len(steps) > 1 else ""
    description = load_schema(table)["properties"].get(column, {}).get("description")
    fix = f"{column}: {description}" if description else f"see {table}.schema.json"
    return SchemaError(what + where, fix=fix, place=Place(place.file, place.line, column))


def write_rows(path: Path, rows: Iterable[object]) -> None:
    """Write the records *rows* to *path*, one JSON object a line."""
    encode = msgspec.json.Encoder().encode
    write_text(path, b"".join(encode(row) + b"\n" for row in rows).decode("utf-8"))


def read_rows(path: Path, kind: type[Record]) -> list[Record]:
    """Return the records of the type *kind* that `write_rows` has written to *path*, unchecked."""
    return msgspec.json.Decoder(kind).decode_lines(path.read_bytes())


def read_records(path: Path, kind: type[Record], table: str) -> Iterator[tuple[int, Record]]:
    """Yield (line number, record) for each row of a `.tsv` or `.jsonl` file of the table *table*."""
    is_tsv, properties = path.suffix == ".tsv", load_schema(table)["properties"]
    optional = len(properties) - len(load_schema(table)["required"])  # the last columns
    for number, row in read_tsv(path, columns(table), optional) if is_tsv else read_jsonl(path):
        cells = {name: _typed(cell, properties[name].get("type")) for name, cell in row.items()} if is_tsv else row
        yield number, from_row(kind, cells, table=table, place=Place(str(path), number))


def _typed(cell: Any, kind: str | list[str] | None) -> Any:
    """Return a TSV cell as the type its schema names; what does not parse stays a string for the schema to refuse."""
    kinds = kind if isinstance(kind, list) else [kind]
    if cell is None or "boolean" in kinds:
        return {"true": True, "yes": True, "false": False, "no": False}.get(cell, cell)
    for name, shape, parse in NUMBERS:
        if name in kinds and shape.fullmatch(cell):
            return parse(cell)
    return cell
