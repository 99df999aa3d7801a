"""The manifest of a release: the files with their hashes, and the inputs, options and counts of the build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ncimp.schemas.withheld import STANDOFF

MANIFEST = "manifest.json"
"""Name of the manifest inside a release."""

CONFIG_TABLES = {
    "sentences": "item",
    "literal": "item",
    "compounds": "compound",
    "annotations": "released_annotation",
    STANDOFF: STANDOFF,
}
"""Table of each folder of data files; every other folder holds pairs."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input of a build (`source`)."""

    name: str
    kind: str
    version: str
    licence: str
    citation: str
    address: str | None
    sha256: str | None


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """One file of a release, as its manifest lists it."""

    path: str
    bytes: int
    sha256: str
    rows: int | None
    logical_sha256: str | None

    @property
    def config(self) -> str:
        """The folder of the file, which is a config of the release where the file is a data file."""
        return self.path.split("/", 1)[0]

    @property
    def table(self) -> str | None:
        """The table of a data file, None for another file."""
        return None if self.rows is None else CONFIG_TABLES.get(self.config, "pair")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a release is, file by file, and what it was made from (`manifest`)."""

    format: Literal[1]
    name: Literal["ncimp"]
    release: str
    code_version: str
    edition: str
    languages: tuple[str, ...]
    options: Mapping[str, object]
    inputs: tuple[Source, ...]
    files: tuple[ReleaseFile, ...]
    logical_sha256: str
    counts: Mapping[str, object]
    matching: Mapping[str, object] = field(default_factory=dict)

    def count(self, name: str) -> int:
        """Return the total *name* of the counts, 0 where there is none."""
        return int(str(self.counts.get(name, 0)))

    def data_files(self, config: str | None = None) -> list[ReleaseFile]:
        """Return the data files, of *config* only when it is given."""
        return [entry for entry in self.files if entry.rows is not None and config in (None, entry.config)]
