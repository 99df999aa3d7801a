"""A release folder by itself, without the packs it was made from: files, rows, versions, figures and card."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ncimp.builder.records import Incident, Manifest
from ncimp.builder.validation.folder.card import check_card
from ncimp.builder.validation.folder.files import (
    check_figures,
    check_folder,
    check_identity,
    check_versions,
    check_withheld,
    read_files,
    read_manifest,
    read_tables,
)
from ncimp.builder.validation.validate import Tables


@dataclass(frozen=True, slots=True)
class Verified:
    """What a release folder holds, and what is wrong with it."""

    manifest: Manifest
    tables: Tables
    incidents: tuple[Incident, ...]

    @property
    def withheld(self) -> int:
        """Sentences that are without their text, by the manifest; the tables lack them."""
        return int(str(self.manifest.counts.get("withheld", 0)))


def verify(folder: Path) -> Verified:
    """Return the manifest and tables of the release in *folder*, and every M9xx and D1xx incident.

    Where sentences are withheld, figures of tables are passed over: rows without text are not in *tables*.
    Raises `ReleaseError` or `SchemaError` where there is no manifest to go by.
    """
    manifest = read_manifest(folder)
    files = read_files(folder, manifest)
    tables = read_tables(folder, manifest, files)
    found = list(check_folder(folder, manifest, files))
    figures = list(check_withheld(files, manifest))
    if manifest.counts.get("withheld"):
        figures += check_identity(manifest)
    elif not found and not figures:  # they cannot fit where files are damaged, or rows without text left out
        figures += check_figures(tables, manifest)
    found += [*figures, *check_versions(tables, manifest)]
    if not figures:  # a card cannot fit a manifest that is false
        found += check_card(folder, manifest)
    return Verified(manifest, tables, tuple(found))
