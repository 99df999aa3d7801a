"""Records of the sources that are known, and of those that a user has added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SourceKind = Literal["wordnet", "thesaurus", "morphology", "treebank", "frequencies", "pipeline"]
SourceReader = Literal["wn-lmf", "wndb", "mythes", "forms", "package"]


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file of a source whose hash somebody has computed."""

    file: str
    sha256: str
    note: str


@dataclass(frozen=True, slots=True)
class KnownSource:
    """One entry of the registry (`known_source`)."""

    name: str
    kind: SourceKind
    lang: str | None
    reader: SourceReader
    version: str
    licence: str
    citation: str
    address: str
    download: str | None
    instructions: str
    requires: str | None
    embedded: str | None
    files: tuple[KnownFile, ...]


@dataclass(frozen=True, slots=True)
class AddedSource:
    """A source that a user has added (`added_source`)."""

    name: str
    kind: SourceKind
    reader: SourceReader
    version: str
    licence: str
    citation: str
    address: str | None
    sha256: str
    files: tuple[str, ...]
    requires: str | None
