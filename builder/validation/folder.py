"""M9xx: a release folder by itself, without the packs it was made from: files, rows, versions and figures."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from typing import Any

from ncimp.builder import records
from ncimp.builder.validation.card import check_card
from ncimp.builder.validation.scope import Found, Tables, reports
from ncimp.schemas import Place, ReleaseError, Row, SchemaError, logical_hash, value_hash
from ncimp.schemas.arrow import read_table
from ncimp.schemas.records import STANDOFF, columns, from_row, is_withheld
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import CompositionItem, ConsistencyPair, ReleasedSense, SenseExample

RECORDS: dict[str, type] = {
    "item": records.Item,
    "attested_item": records.AttestedItem,
    "pair": records.Pair,
    "compound": records.ReleasedCompound,
    "released_annotation": records.ReleasedAnnotation,
    "released_sense": ReleasedSense,
    "sense_example": SenseExample,
    "consistency_pair": ConsistencyPair,
    "composition_item": CompositionItem,
    STANDOFF: records.Standoff,
}  # by table of a release
OF_SUITES = ("released_sense", "sense_example", "consistency_pair", "composition_item")
AGAIN = "build or download the release again"


@dataclass
class FolderContent:
    """A release folder's manifest and records, read once, and its M9xx and D1xx incidents."""

    manifest: records.Manifest
    rows: dict[str, list[Any]] = field(default_factory=lambda: {table: [] for table in RECORDS})
    """By table; rows that are damaged or withheld are left out."""
    withheld: set[str] = field(default_factory=set)  # ids of the items that have no text
    incidents: list[records.Incident] = field(default_factory=list)

    @cached_property
    def tables(self) -> Tables:
        """The tables that the checks of sentences read."""
        items: list[records.Item] = self.rows["item"]
        return Tables(
            [row for row in items if row.context != records.LITERAL],
            self.rows["pair"],
            self.rows["compound"],
            [row for row in items if row.context == records.LITERAL],
            self.rows["attested_item"],
            *(self.rows[table] for table in OF_SUITES),
        )

    @property
    def standoff(self) -> list[records.Standoff]:
        """The rows of the withheld items in the table `standoff`."""
        rows: list[records.Standoff] = self.rows[STANDOFF]
        return [row for row in rows if row.id in self.withheld]


def verify(path: Path) -> FolderContent:
    """Return the content of the release in *path* with every M9xx and D1xx incident.

    Where sentences are withheld, the figures of tables are not checked: rows without text are not in the tables.
    Raises `ReleaseError` or `SchemaError` for a folder without a readable manifest.
    """
    folder = ReleaseFolder(path)
    content = read_content(folder)
    manifest, tables = content.manifest, content.tables
    content.incidents[:0] = check_files(folder)
    figures = list(_check_withheld(content))
    if manifest.count("withheld"):
        figures += _check_identity(manifest)
    elif not content.incidents and not figures:  # the figures of damaged files cannot fit
        figures += [*_check_figures(tables, manifest), *_check_identity(manifest)]
    content.incidents += [*figures, *check_versions(folder)]
    if not figures:  # a card cannot fit a manifest that is false
        content.incidents += check_card(path, manifest)
    return content


@reports(M901="a file of the release is missing, changed or not listed")
def check_files(folder: ReleaseFolder) -> list[records.Incident]:
    """Return the files of *folder* that are not as its manifest has them."""
    return [records.Incident("M901", *fault) for fault in folder.faults()]


@reports(M902="the rows of a table are not those of the manifest")
def read_content(folder: ReleaseFolder) -> FolderContent:
    """Return the records of every data file of *folder* that is there, and what is wrong with their rows."""
    content = FolderContent(folder.manifest)
    for entry in folder.manifest.data_files():
        if (folder.path / entry.path).is_file():  # M901 reports a missing file
            faults = _read_file(folder, entry, content)
            content.incidents += [records.Incident("M902", place, message) for place, message in faults]
    return content


def _read_file(folder: ReleaseFolder, entry: records.ReleaseFile, content: FolderContent) -> Found:
    table = str(entry.table)
    try:
        rows = list(folder.read(entry))
    except ReleaseError as error:
        yield entry.path, error.what
        return
    if len(rows) != entry.rows:
        yield entry.path, f"{len(rows)} rows where the manifest has {entry.rows}"
    elif not _has_hash(rows, table, entry.logical_sha256):
        yield entry.path, f"a value differs; {AGAIN}"
    for number, row in enumerate(rows, start=1):
        place = f"{entry.path}:{number}"
        if any(isinstance(value, float) and not isfinite(value) for value in row.values()):
            yield place, f"a number is not finite; {AGAIN}"
        elif not is_withheld(table, row):
            try:
                content.rows[table].append(from_row(RECORDS[table], row, table=table, place=Place(place)))
            except SchemaError as error:
                yield place, f"{error.what}; {AGAIN}"
        elif table == "item":  # M904 checks how many there may be
            content.withheld.add(row["id"])


def _has_hash(rows: list[Row], table: str, sha256: str | None) -> bool:
    try:
        return logical_hash({name: row[name] for name in columns(table)} for row in rows) == sha256
    except ValueError:  # a row holds NaN
        return False


def _check_withheld(content: FolderContent) -> Iterator[records.Incident]:
    """M904 unless as many items lack their text as the manifest says, each with a row in `standoff`."""
    stated = content.manifest.count("withheld")
    if len(content.withheld) != stated:
        yield records.Incident(
            "M904", records.MANIFEST, f"{stated} sentences withheld where {len(content.withheld)} have no text"
        )
    for name in sorted(content.withheld - {row.id for row in content.standoff}):
        yield records.Incident("M904", name, "without its text, and not in the table standoff")


def _check_identity(manifest: records.Manifest) -> Iterator[records.Incident]:
    hashes = {entry.path: entry.logical_sha256 for entry in manifest.data_files()}
    if value_hash(hashes) != manifest.logical_sha256:
        yield records.Incident(
            "M904", records.MANIFEST, "the logical hash is not that of its files; build the release again"
        )


@reports(M904="a figure of the manifest is not that of the tables")
def _check_figures(tables: Tables, manifest: records.Manifest) -> Iterator[records.Incident]:
    for name, total in {
        **_totals(tables),
        records.SENSE_SENTENCES: len(tables.literal),
        "attested": len(tables.attested),
    }.items():
        if manifest.counts.get(name) != total:
            yield records.Incident(
                "M904", records.MANIFEST, f"{manifest.counts.get(name)} {name} where there are {total}"
            )
    stated: Any = manifest.counts.get("languages", {})
    for lang in sorted({row.lang for row in tables.compounds} | set(stated)):
        rows = tables.of(lang)
        counted = {
            **_totals(rows),
            "classes": Counter(row.compound_class for row in rows.compounds),
            "splits": Counter(row.split for row in rows.compounds),
            "cells": Counter(f"{row.context_kind}/{row.probe}" for row in rows.items),
        }
        for name, value in counted.items():
            figure = stated.get(lang, {}).get(name)
            if isinstance(value, Counter) and isinstance(figure, dict):
                figure = Counter(figure)  # in which what has none is 0
            if figure != value:
                shown = dict(sorted(value.items())) if isinstance(value, Counter) else value
                yield records.Incident("M904", records.MANIFEST, f"{name} of {lang}: {figure} where there are {shown}")


def _totals(tables: Tables) -> dict[str, int]:
    return {"compounds": len(tables.compounds), "sentences": len(tables.items), "pairs": len(tables.pairs)}


@reports(M903="the release version differs between manifest and rows")
def check_versions(folder: ReleaseFolder) -> Iterator[records.Incident]:
    """Yield the data files with rows of another release than that of the manifest."""
    # a cache can silently serve the file of another release
    for entry in folder.manifest.data_files():
        with suppress(ReleaseError):  # M901 and M902 report a file that cannot be read
            versions = read_table(folder.path / entry.path, entry.table)["release"].unique().to_pylist()
            others = ", ".join(map(str, sorted(set(versions) - {folder.manifest.release})))
            if others:
                message = f"rows of release {others}, not {folder.manifest.release}; load it again"
                yield records.Incident("M903", entry.path, message)


@reports(M905="a file is not what this version of ncimp makes of the tables and the manifest")
def check_texts(folder: Path, manifest: records.Manifest, texts: Mapping[str, str]) -> Iterator[records.Incident]:
    """Yield the files of *folder* that are no tables and not the *texts*, which were made again, by path."""
    listed = {entry.path for entry in manifest.files if entry.table is None}
    for path in sorted(listed ^ texts.keys()):
        yield records.Incident("M905", path, f"{'not to be there' if path in listed else 'missing'}; {AGAIN}")
    for path in sorted(listed & texts.keys()):
        lines = (folder / path).read_bytes().decode("utf-8", "replace").split("\n")
        same = [line == expected for line, expected in zip_longest(lines, texts[path].split("\n"))]
        if not all(same):
            yield records.Incident("M905", path, f"it differs from line {same.index(False) + 1} on; {AGAIN}")
