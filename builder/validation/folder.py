"""M9xx: a release folder by itself, without the packs it was made from: files, rows, versions and figures."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from ncimp.builder.records import (
    LITERAL,
    MANIFEST,
    Incident,
    Item,
    Manifest,
    Pair,
    ReleasedAnnotation,
    ReleasedCompound,
    ReleaseFile,
    Standoff,
)
from ncimp.builder.validation.card import check_card
from ncimp.builder.validation.registry import reports
from ncimp.builder.validation.scope import Tables
from ncimp.schemas import Place, ReleaseError, Row, SchemaError, logical_hash, value_hash
from ncimp.schemas.records import STANDOFF, columns, from_row, is_withheld
from ncimp.schemas.release_folder import ReleaseFolder

RECORDS: dict[str, type] = {
    "item": Item,
    "pair": Pair,
    "compound": ReleasedCompound,
    "released_annotation": ReleasedAnnotation,
    STANDOFF: Standoff,
}
"""Record of each table of a release."""

AGAIN = "build or download the release again"


@dataclass(slots=True)
class FolderContent:
    """The records of a release folder, read once, and the M902 incidents of its data files."""

    records: dict[str, list[Any]] = field(default_factory=lambda: {table: [] for table in RECORDS})
    """By table; rows that are damaged or withheld are left out."""
    withheld: set[str] = field(default_factory=set)
    """Ids of the items that have no text."""
    incidents: list[Incident] = field(default_factory=list)

    @property
    def tables(self) -> Tables:
        """The tables that the checks of sentences read."""
        items: list[Item] = self.records["item"]
        return Tables(
            [row for row in items if row.context != LITERAL],
            self.records["pair"],
            self.records["compound"],
            [row for row in items if row.context == LITERAL],
        )

    @property
    def standoff(self) -> list[Standoff]:
        """The rows of the withheld items in the table `standoff`."""
        rows: list[Standoff] = self.records[STANDOFF]
        return [row for row in rows if row.id in self.withheld]


@dataclass(frozen=True, slots=True)
class Verified:
    """A release folder's manifest and tables, and every M9xx and D1xx incident."""

    manifest: Manifest
    tables: Tables
    incidents: tuple[Incident, ...]


@reports(M901="a file of the release is missing, changed or not listed")
def verify(path: Path) -> Verified:
    """Return the manifest, tables and incidents of the release in *path*.

    Where sentences are withheld, the figures of tables are not checked: rows without text are not in the tables.
    Raises `ReleaseError` or `SchemaError` for a folder without a readable manifest.
    """
    folder = ReleaseFolder(path)
    manifest, content = folder.manifest, read_content(folder)
    tables = content.tables
    incidents = [*(Incident("M901", *fault) for fault in folder.faults()), *content.incidents]
    figures = list(_check_withheld(content, manifest))
    if manifest.count("withheld"):
        figures += _check_identity(manifest)
    elif not incidents and not figures:  # the figures of damaged files cannot fit
        figures += [*_check_figures(tables, manifest), *_check_identity(manifest)]
    incidents += [*figures, *_check_versions(tables, manifest)]
    if not figures:  # a card cannot fit a manifest that is false
        incidents += check_card(path, manifest)
    return Verified(manifest, tables, tuple(incidents))


@reports(M902="the rows of a table are not those of the manifest")
def read_content(folder: ReleaseFolder) -> FolderContent:
    """Return the records of every data file of *folder* that is there, and what is wrong with their rows."""
    content = FolderContent()
    for entry in folder.manifest.data_files():
        if (folder.path / entry.path).is_file():  # M901 reports a missing file
            _read_file(folder, entry, content)
    return content


def _read_file(folder: ReleaseFolder, entry: ReleaseFile, content: FolderContent) -> None:
    table = str(entry.table)
    try:
        rows = list(folder.read(entry))
    except ReleaseError as error:
        content.incidents.append(Incident("M902", entry.path, error.what))
        return
    if len(rows) != entry.rows:
        message = f"{len(rows)} rows where the manifest has {entry.rows}"
        content.incidents.append(Incident("M902", entry.path, message))
    elif not _has_hash(rows, table, entry.logical_sha256):
        content.incidents.append(Incident("M902", entry.path, f"a value differs; {AGAIN}"))
    for number, row in enumerate(rows, start=1):
        if any(isinstance(value, float) and not isfinite(value) for value in row.values()):
            content.incidents.append(Incident("M902", f"{entry.path}:{number}", f"a number is not finite; {AGAIN}"))
            continue
        if is_withheld(table, row):  # M904 checks how many there may be
            content.withheld |= {row["id"]} if table == "item" else set()
            continue
        try:
            content.records[table].append(from_row(RECORDS[table], row, table=table, place=Place(entry.path, number)))
        except SchemaError as error:
            content.incidents.append(Incident("M902", f"{entry.path}:{number}", f"{error.what}; {AGAIN}"))


def _has_hash(rows: list[Row], table: str, sha256: str | None) -> bool:
    try:
        return logical_hash({name: row[name] for name in columns(table)} for row in rows) == sha256
    except ValueError:  # a row holds NaN
        return False


def _check_withheld(content: FolderContent, manifest: Manifest) -> Iterator[Incident]:
    """M904 unless as many items lack their text as the manifest says, each with a row in `standoff`."""
    stated = manifest.count("withheld")
    if len(content.withheld) != stated:
        yield Incident("M904", MANIFEST, f"{stated} sentences withheld where {len(content.withheld)} have no text")
    for name in sorted(content.withheld - {row.id for row in content.standoff}):
        yield Incident("M904", name, "without its text, and not in the table standoff")


def _check_identity(manifest: Manifest) -> Iterator[Incident]:
    hashes = {entry.path: entry.logical_sha256 for entry in manifest.data_files()}
    if value_hash(hashes) != manifest.logical_sha256:
        yield Incident("M904", MANIFEST, "the logical hash is not that of its files; build the release again")


@reports(M904="a figure of the manifest is not that of the tables")
def _check_figures(tables: Tables, manifest: Manifest) -> Iterator[Incident]:
    totals = {"compounds": len(tables.compounds), "sentences": len(tables.items), "pairs": len(tables.pairs)}
    totals["literal"] = len(tables.literal)
    for name, total in totals.items():
        if manifest.counts.get(name) != total:
            yield Incident("M904", MANIFEST, f"{manifest.counts.get(name)} {name} where there are {total}")
    stated: Any = manifest.counts.get("languages", {})
    for lang in sorted({row.lang for row in tables.compounds} | set(stated)):
        rows = tables.of(lang)
        counted = {
            "compounds": len(rows.compounds),
            "sentences": len(rows.items),
            "pairs": len(rows.pairs),
            "classes": Counter(row.compound_class for row in rows.compounds),
            "splits": Counter(row.split for row in rows.compounds),
            "cells": Counter(f"{row.context_kind}/{row.probe}" for row in rows.items),
        }
        for name, value in counted.items():
            figure = stated.get(lang, {}).get(name)
            if figure != value:
                shown = dict(sorted(value.items())) if isinstance(value, Counter) else value
                yield Incident("M904", MANIFEST, f"{name} of {lang}: {figure} where there are {shown}")


@reports(M903="the release version differs between manifest and rows")
def _check_versions(tables: Tables, manifest: Manifest) -> Iterator[Incident]:
    # a cache can silently serve a row of another release
    for rows in (tables.items, tables.literal, tables.pairs, tables.compounds):
        for row in rows:
            if row.release != manifest.release:
                message = f"of release {row.release}, not {manifest.release}; load it again"
                yield Incident("M903", row.id, message)
