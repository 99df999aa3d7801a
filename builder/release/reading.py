"""A release back from its folder, as records: what the statistics are taken from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ncimp.builder.records import LITERAL, Item, ReleasedCompound
from ncimp.schemas.errors import Place
from ncimp.schemas.files import Row
from ncimp.schemas.records import from_row
from ncimp.schemas.release_folder import checked_manifest, has_config, table_rows

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class ReleaseTables:
    """The tables of a release but the pairs, which repeat its sentences, and what its manifest says of it."""

    release: str
    edition: str
    logical_sha256: str
    languages: tuple[str, ...]
    items: tuple[Item, ...]
    literal: tuple[Item, ...]
    compounds: tuple[ReleasedCompound, ...]


def read_release(folder: Path) -> ReleaseTables:
    """Return the release in *folder*; one that is incomplete or damaged raises `ReleaseError` or `SchemaError`."""
    manifest = checked_manifest(folder)
    literal = _records(folder, manifest, LITERAL, Item, "item") if has_config(manifest, LITERAL) else ()
    return ReleaseTables(
        release=manifest["release"],
        edition=manifest["edition"],
        logical_sha256=manifest["logical_sha256"],
        languages=tuple(manifest["languages"]),
        items=tuple(_records(folder, manifest, "sentences", Item, "item")),
        literal=tuple(literal),
        compounds=tuple(_records(folder, manifest, "compounds", ReleasedCompound, "compound")),
    )


def _records(folder: Path, manifest: Row, config: str, kind: type[Record], table: str) -> Iterator[Record]:
    for row in table_rows(folder, manifest, config, table):
        yield from_row(kind, row, table=table, place=Place(f"{folder / config}: {row['id']}"))
