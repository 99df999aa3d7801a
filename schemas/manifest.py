"""The manifest of a release: the files with their hashes, and the inputs, options and counts of the build."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.schemas.records import STANDOFF, Lang, Sha256, Version, one_of
from ncimp.schemas.suites import SUITE_TABLES

MANIFEST = "manifest.json"  # its name inside a release
SENSE_SENTENCES = "sense_sentences"  # the config of items in literal contexts; their ids begin with those of senses

CONFIG_TABLES = {
    "sentences": "item",
    SENSE_SENTENCES: "item",
    "attested": "attested_item",
    "compounds": "compound",
    "annotations": "released_annotation",
    STANDOFF: STANDOFF,
    **SUITE_TABLES,
}
"""Table of each folder of data files; every other folder holds pairs."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input of a build (`source`)."""

    name: Annotated[str, "Short name."]
    kind: Annotated[str, one_of(("pack", "lexicon", "frequencies", "corpus", "scores", "wordnet", "benchmark"))]
    """What it gives."""
    version: Annotated[str, "Version."]
    licence: Annotated[str, "SPDX id, or the licence's name."]
    citation: Annotated[str, "How to cite it."]
    address: Annotated[str | None, "Where it comes from; empty for what is part of the project."]
    sha256: Annotated[Sha256 | None, "Hash of the file or of its canonical content; empty for an installed library."]


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """One file of a release, as its manifest lists it."""

    path: Annotated[str, "Path inside the release."]
    bytes: Annotated[int, "Size."]
    sha256: Annotated[Sha256, "Hash of the bytes."]
    rows: Annotated[int | None, "Rows, for tables."]
    logical_sha256: Sha256 | None
    """Hash of the rows, for tables; independent of the library that wrote the file."""

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
    """A release: its files, and the inputs it was built from."""

    format: Annotated[Literal[1], "Version of this file format."]
    name: Annotated[Literal["ncimp"], "Name of the dataset."]
    release: Annotated[Version, "Version of the data."]
    code_version: Annotated[str, "Version of the code that made it."]
    edition: Annotated[str, "Edition."]
    languages: Annotated[tuple[Lang, ...], Meta(min_length=1), "Languages in the release."]
    options: Annotated[Mapping[str, object], "Options of the build that change its content."]
    inputs: Annotated[tuple[Source, ...], "Inputs with version, licence and hash."]
    files: Annotated[tuple[ReleaseFile, ...], "Every file but this one."]
    logical_sha256: Annotated[Sha256, "Hash over the logical hashes of all tables: the identity of the data."]
    counts: Mapping[str, object]
    """Compounds, sentences and pairs; and sentences per language, class, context and variant."""
    matching: Mapping[str, object] = field(default_factory=dict)
    """Per language: how well the random compounds match in frequency (median and 90th percentile of absolute
    differences of log10 frequency)."""

    def count(self, name: str) -> int:
        """Return the total *name* of the counts, 0 where there is none."""
        return int(str(self.counts.get(name, 0)))

    def data_files(self, config: str | None = None) -> list[ReleaseFile]:
        """Return the data files, of *config* only when it is given."""
        return [entry for entry in self.files if entry.rows is not None and config in (None, entry.config)]
