"""M9xx: is a release folder what its manifest says? And the tables of a folder, for the other checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from ncimp.builder.records import (
    LITERAL,
    MANIFEST,
    Incident,
    Item,
    Manifest,
    Pair,
    ReleasedCompound,
    ReleaseFile,
    Standoff,
)
from ncimp.builder.validation.validate import Tables
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.errors import Place, ReleaseError, SchemaError
from ncimp.schemas.files import Row, read_json
from ncimp.schemas.hashing import logical_hash, value_hash
from ncimp.schemas.records import from_row
from ncimp.schemas.release_folder import REBUILD, file_fault, held_files
from ncimp.schemas.tables import check_row, columns
from ncimp.schemas.withheld import STANDOFF, is_withheld

Record = TypeVar("Record")

Files: TypeAlias = Mapping[str, list[Row] | ReleaseError]
"""The rows of every data file of a release by its path, or why there are none."""

TABLE_OF = {
    "sentences": "item",
    "literal": "item",
    "compounds": "compound",
    "annotations": "released_annotation",
    STANDOFF: STANDOFF,
}
"""Table of a folder of data files; every other folder holds pairs."""


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of the release in *folder*, or raise `ReleaseError` or `SchemaError`."""
    path = folder / MANIFEST
    if not path.is_file():
        raise ReleaseError(f"no {MANIFEST}", fix="give a folder that `ncimp build` made", place=Place(str(folder)))
    row = read_json(path)
    if not isinstance(row, dict):
        raise ReleaseError("not a manifest", fix="build the release again", place=Place(str(path)))
    return from_row(Manifest, row, table="manifest", place=Place(str(path)))


def read_files(folder: Path, manifest: Manifest) -> Files:
    """Return the rows of every data file of *manifest*, each read once, or the error that reading it ended in."""
    return {entry.path: _read(folder, entry.path) for entry in manifest.files if entry.rows is not None}


def _read(folder: Path, path: str) -> list[Row] | ReleaseError:
    try:
        return read_parquet(folder / path, table_of(path))
    except ReleaseError as error:
        return error


def check_folder(folder: Path, manifest: Manifest, files: Files | None = None) -> Iterator[Incident]:
    """Yield M901 for every file that is missing, changed or not listed, and M902 for changed rows.

    *files* is what `read_files` gave, when it has been read already.
    """
    files = read_files(folder, manifest) if files is None else files
    held = held_files(folder)
    for path in sorted(held - {entry.path for entry in manifest.files}):
        yield Incident("M901", path, "not in the manifest; take it out or build the release again")
    for entry in manifest.files:
        fault = file_fault(folder / entry.path, entry.sha256, entry.bytes)
        if fault is not None:
            yield Incident("M901", entry.path, f"{fault}; {REBUILD}")
        if entry.path in held and entry.rows is not None:
            yield from _check_rows(entry, files[entry.path])


def _check_rows(entry: ReleaseFile, rows: list[Row] | ReleaseError) -> Iterator[Incident]:
    table = table_of(entry.path)
    if isinstance(rows, ReleaseError):
        yield Incident("M902", entry.path, rows.what)
        return
    if len(rows) != entry.rows:
        yield Incident("M902", entry.path, f"{len(rows)} rows where the manifest has {entry.rows}")
    elif _hash_rows(rows, table) != entry.logical_sha256:
        yield Incident("M902", entry.path, "a value differs; build or download the release again")
    for number, row in enumerate(rows, start=1):
        if is_withheld(table, row):
            continue  # its columns of text are empty; M904 knows how many there may be
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


def read_tables(folder: Path, manifest: Manifest, files: Files | None = None) -> Tables:
    """Return the tables of the release in *folder*; what cannot be read is left out (M902 names it).

    *files* is what `read_files` gave, when it has been read already.
    """
    files = read_files(folder, manifest) if files is None else files
    items = list(_records(files, Item, "item"))
    return Tables(
        [row for row in items if row.context != LITERAL],
        list(_records(files, Pair, "pair")),
        list(_records(files, ReleasedCompound, "compound")),
        [row for row in items if row.context == LITERAL],
    )


def check_figures(tables: Tables, manifest: Manifest) -> Iterator[Incident]:
    """Yield M904 for totals and the logical hash of the manifest that are not those of its own files and rows."""
    totals = {"compounds": len(tables.compounds), "sentences": len(tables.items), "pairs": len(tables.pairs)}
    totals["literal"] = len(tables.literal)
    for name, total in totals.items():
        if manifest.counts.get(name) != total:
            yield Incident("M904", MANIFEST, f"{manifest.counts.get(name)} {name} where there are {total}")
    yield from _check_languages(tables, manifest)
    yield from check_identity(manifest)


def check_identity(manifest: Manifest) -> Iterator[Incident]:
    """Yield M904 unless the logical hash of the manifest is that of its own data files."""
    hashes = {entry.path: entry.logical_sha256 for entry in manifest.files if entry.rows is not None}
    if value_hash(hashes) != manifest.logical_sha256:
        yield Incident("M904", MANIFEST, "the logical hash is not that of its files; build the release again")


def read_withheld(folder: Path, manifest: Manifest, shown: Container[str]) -> list[Standoff]:
    """Return what the release says of every item that has no text, which are those whose id is not among *shown*."""
    paths = [entry.path for entry in manifest.files if entry.rows is not None and table_of(entry.path) == STANDOFF]
    rows = (row for path in paths for row in read_parquet(folder / path, STANDOFF) if row["id"] not in shown)
    return [from_row(Standoff, row, table=STANDOFF, place=Place(f"{folder}: {row['id']}")) for row in rows]


def check_withheld(files: Files, manifest: Manifest) -> Iterator[Incident]:
    """Yield M904 unless as many items lack their text as the manifest says, each with a row in `standoff`."""
    bare, described = set(), set()
    for path, rows in files.items():
        if not isinstance(rows, ReleaseError):
            bare |= {row["id"] for row in rows if table_of(path) == "item" and is_withheld("item", row)}
            described |= {row["id"] for row in rows if table_of(path) == STANDOFF}
    stated = manifest.counts.get("withheld", 0)
    if len(bare) != stated:
        yield Incident("M904", MANIFEST, f"{stated} sentences withheld where {len(bare)} have no text")
    for name in sorted(bare - described):
        yield Incident("M904", name, "without its text, and not in the table standoff")


def _check_languages(tables: Tables, manifest: Manifest) -> Iterator[Incident]:
    """M904 for the counts of a language: compounds by split, sentences by cell (kind of context and of variant)."""
    told: Any = manifest.counts.get("languages", {})
    for lang in sorted({row.lang for row in tables.compounds} | set(told)):
        own = tables.of(lang)
        counted = {
            "compounds": len(own.compounds),
            "sentences": len(own.items),
            "pairs": len(own.pairs),
            "classes": Counter(row.compound_class for row in own.compounds),
            "splits": Counter(row.split for row in own.compounds),
            "cells": Counter(f"{row.context_kind}/{row.probe}" for row in own.items),
        }
        for name, value in counted.items():
            figure = told.get(lang, {}).get(name)
            if figure != value:
                shown = dict(sorted(value.items())) if isinstance(value, Counter) else value
                yield Incident("M904", MANIFEST, f"{name} of {lang}: {figure} where there are {shown}")


def _records(files: Files, kind: type[Record], table: str) -> Iterator[Record]:
    for path, rows in files.items():
        if table_of(path) == table and not isinstance(rows, ReleaseError):  # M902 names what cannot be read
            for number, row in enumerate(rows, start=1):
                if is_withheld(table, row):
                    continue
                with suppress(SchemaError):  # and this row, too
                    yield from_row(kind, row, table=table, place=Place(path, number))


def check_versions(tables: Tables, manifest: Manifest) -> Iterator[Incident]:
    """Yield M903 for every row of another release than the manifest's: a cache can silently serve one."""
    for rows in (tables.items, tables.literal, tables.pairs, tables.compounds):
        for row in rows:
            if row.release != manifest.release:
                yield Incident("M903", row.id, f"of release {row.release}, not {manifest.release}; load it again")
