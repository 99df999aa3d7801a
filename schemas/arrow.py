"""Arrow schemas, parquet files and dataset-card features of the tables, derived from their JSON Schemas.

Parquet is written with an explicit schema and without the metadata that some versions of `datasets`
embed and others cannot read; the types are in the card instead.
"""

import contextlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.files import Row, atomic_path
from ncimp.schemas.records import WITHHELD, Schema, is_withheld, kind_of, load_schema

# by scalar JSON type: the Arrow type, which the `datasets` dtype is named after
ARROW_TYPES = {"string": pa.string(), "integer": pa.int32(), "number": pa.float64(), "boolean": pa.bool_()}
FEATURE_TYPES = {"string": "string", "integer": "int32", "number": "float64", "boolean": "bool"}

AT_A_TIME = 1_000  # rows that are objects of Python at a time: they take twenty times the memory of their columns


def arrow_schema(table: str, absent: Container[str] = ()) -> pa.Schema:
    """Return the Arrow schema of *table*; a column is nullable where its JSON type is, or where it may be *absent*."""
    properties = load_schema(table)["properties"].items()
    nullable = {name for name, column in properties if name in absent or "null" in column["type"]}
    return pa.schema([pa.field(name, _arrow_type(column), nullable=name in nullable) for name, column in properties])


def card_features(table: str) -> list[Row]:
    """Return the columns of *table* as the `features` list of a dataset card's YAML."""
    return [_feature(name, column) for name, column in load_schema(table)["properties"].items()]


def write_parquet(path: Path, rows: Iterable[Mapping[str, Any]], table: str) -> int:
    """Write *rows* to the parquet file *path* with exactly the columns of *table*; return their bytes in memory.

    The columns of text are nullable where a row is withheld.
    """
    plain = [dict(row) for row in rows]
    absent = WITHHELD[table] if any(is_withheld(table, row) for row in plain) else ()
    return _write(path, pa.Table.from_pylist(plain, schema=arrow_schema(table, absent)), table)


def write_columns(path: Path, columns: Mapping[str, Sequence[Any]], table: str) -> int:
    """Write *columns* to the parquet file *path* with exactly those of *table*; return their bytes in memory.

    For long tables: it takes a tenth of the time of `write_parquet`.
    """
    return _write(path, pa.Table.from_pydict(dict(columns), schema=arrow_schema(table)), table)


def _write(path: Path, data: pa.Table, table: str) -> int:
    for column in data.schema:  # old versions of pyarrow write what the schema forbids
        if not column.nullable and data.column(column.name).null_count:
            raise pa.ArrowInvalid(f"{table}: the column {column.name!r} may not be empty")
    with atomic_path(path) as aside:
        pq.write_table(data, aside, compression="zstd")
    return int(data.nbytes)


def read_parquet(path: Path, table: str | None = None) -> list[Row]:
    """Return the rows of the parquet file *path*; when *table* is given, its columns must be exactly those."""
    return list(rows_of(read_table(path, table), path))


def read_table(path: Path, table: str | None = None) -> pa.Table:
    """Return the columns of the parquet file *path*; when *table* is given, they must be exactly those of it."""
    with _readable(path):
        data = pq.ParquetFile(path).read()
    schema = data.schema.remove_metadata()
    if table is not None and not any(schema.equals(arrow_schema(table, may)) for may in ((), WITHHELD.get(table, ()))):
        fix = f"it should have those of {table}.schema.json; build the release again"
        raise ReleaseError("the columns are not the table's", fix=fix, place=Place(str(path)))
    return data


def rows_of(data: pa.Table, path: Path) -> Iterator[Row]:
    """Yield the rows of *data*, which was read from *path*, without making objects of all of them at once."""
    with _readable(path):
        for start in range(0, data.num_rows, AT_A_TIME):
            yield from data.slice(start, AT_A_TIME).to_pylist()


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        what = f"not a readable parquet file ({(str(error) or type(error).__name__).splitlines()[0]})"
        raise ReleaseError(what, fix="build or download the release again", place=Place(str(path))) from None


def _arrow_type(column: Schema) -> pa.DataType:
    kind = kind_of(column)
    if kind == "array":
        return pa.list_(_arrow_type(column["items"]))
    if kind == "object":
        return pa.struct([pa.field(name, _arrow_type(part)) for name, part in column["properties"].items()])
    return ARROW_TYPES[kind]


def _feature(name: str, column: Schema) -> Row:
    kind, items = kind_of(column), column.get("items", {})
    if kind != "array":
        return {"name": name, "dtype": FEATURE_TYPES[kind]}
    if kind_of(items) != "object":
        return {"name": name, "list": FEATURE_TYPES[kind_of(items)]}
    return {"name": name, "list": [_feature(*part) for part in items["properties"].items()]}
