"""M9xx: is a release folder what its manifest says? And the tables of a folder, for the other checks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from ncimp.builder.records import LITERAL, Incident, Item, Manifest, Pair, ReleasedCompound, ReleaseFile
from ncimp.builder.validation.validate import Tables
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.errors import Place, ReleaseError, SchemaError
from ncimp.schemas.files import Row, read_json
from ncimp.schemas.hashing import file_hash, logical_hash, value_hash
from ncimp.schemas.records import from_row
from ncimp.schemas.tables import check_row, columns

Record = TypeVar("Record")

TABLE_OF = {"sentences": "item", "literal": "item", "compounds": "compound"}
"""Table of a folder of data files; every other folder holds pairs."""


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of the release in *folder*, or raise `ReleaseError` or `SchemaError`."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise ReleaseError("no manifest.json", fix="give a folder that `ncimp build` made", place=Place(str(folder)))
    row = read_json(path)
    if not isinstance(row, dict):
        raise ReleaseError("not a manifest", fix="build the release again", place=Place(str(path)))
    return from_row(Manifest, row, table="manifest", place=Place(str(path)))


def check_folder(folder: Path, manifest: Manifest) -> Iterator[Incident]:
    """Yield M901 for every file that is missing, changed or not listed, and M902 for changed rows."""
    listed = {entry.path: entry for entry in manifest.files}
    held = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    for path in sorted(held - set(listed) - {"manifest.json"}):
        if "__pycache__" in path:
            continue  # a reader's, who imported the loading script
        yield Incident("M901", path, "not in the manifest; take it out or build the release again")
    for path, entry in listed.items():
        if path not in held:
            yield Incident("M901", path, "missing; build or download the release again")
        elif file_hash(folder / path) != entry.sha256:
            yield Incident("M901", path, "its bytes are not those of the manifest; build or download it again")
        if path in held and entry.rows is not None:
            yield from _check_rows(folder, entry)


def _check_rows(folder: Path, entry: ReleaseFile) -> Iterator[Incident]:
    table = table_of(entry.path)
    try:
        rows = read_parquet(folder / entry.path, table)
    except ReleaseError as error:
        yield Incident("M902", entry.path, error.what)
        return
    if len(rows) != entry.rows:
        yield Incident("M902", entry.path, f"{len(rows)} rows where the manifest has {entry.rows}")
    elif _hash_rows(rows, table) != entry.logical_sha256:
        yield Incident("M902", entry.path, "a value differs; build or download the release again")
    for number, row in enumerate(rows, start=1):
        try:
            check_row(table, row, Place(entry.path, number))
        except SchemaError as error:
            yield Incident("M902", f"{entry.path}:{number}", f"{error.what}; build or download the release again")


def _hash_rows(rows: list[Row], table: str) -> str | None:
    """Return the logical hash of *rows*, or None where one holds a number that is none."""
    try:
        return logical_hash({name: row[name] for name in columns(table)} for row in rows)
    except ValueError:
        return None


def table_of(path: str) -> str:
    """Return the table that the data file *path* of a release holds."""
    return TABLE_OF.get(path.split("/", 1)[0], "pair")


def read_tables(folder: Path, manifest: Manifest) -> Tables:
    """Return the tables of the release in *folder*; what cannot be read is left out (M902 names it)."""
    items = list(_records(folder, manifest, Item, "item"))
    return Tables(
        [row for row in items if row.context != LITERAL],
        list(_records(folder, manifest, Pair, "pair")),
        list(_records(folder, manifest, ReleasedCompound, "compound")),
        [row for row in items if row.context == LITERAL],
    )


def check_figures(tables: Tables, manifest: Manifest) -> Iterator[Incident]:
    """Yield M904 for totals and the logical hash of the manifest that are not those of its own files and rows."""
    totals = {"compounds": len(tables.compounds), "sentences": len(tables.items), "pairs": len(tables.pairs)}
    totals["literal"] = len(tables.literal)
    for name, total in totals.items():
        if manifest.counts.get(name) != total:
            yield Incident("M904", "manifest.json", f"{manifest.counts.get(name)} {name} where there are {total}")
    hashes = {entry.path: entry.logical_sha256 for entry in manifest.files if entry.rows is not None}
    if value_hash(hashes) != manifest.logical_sha256:
        yield Incident("M904", "manifest.json", "the logical hash is not that of its files; build the release again")


def _records(folder: Path, manifest: Manifest, kind: type[Record], table: str) -> Iterator[Record]:
    for entry in manifest.files:
        if entry.rows is not None and table_of(entry.path) == table:
            yield from _readable(folder / entry.path, kind, table)


def _readable(path: Path, kind: type[Record], table: str) -> Iterator[Record]:
    try:
        rows = read_parquet(path, table)
    except ReleaseError:
        return  # M902 says so
    for number, row in enumerate(rows, start=1):
        try:
            yield from_row(kind, row, table=table, place=Place(str(path), number))
        except SchemaError:
            continue  # and of this row, too


def check_versions(tables: Tables, manifest: Manifest) -> Iterator[Incident]:
    """Yield M903 for every row of another release than the manifest's: a cache can silently serve one."""
    for rows in (tables.items, tables.literal, tables.pairs, tables.compounds):
        for row in rows:
            if row.release != manifest.release:
                yield Incident("M903", row.id, f"of release {row.release}, not {manifest.release}; load it again")
