"""Records of the sources that are known, and of those that a user has added."""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.schemas.records import Sha256, SourceName

SourceKind = Literal["wordnet", "thesaurus", "morphology", "treebank", "frequencies", "pipeline"]
SourceReader = Literal["wn-lmf", "wndb", "mythes", "forms", "package"]


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file of a source whose hash somebody has computed."""

    file: Annotated[str, "Name of the file that was hashed."]
    sha256: Annotated[Sha256, "Hash (sha256) of the file as stored."]
    note: Annotated[str, "Which file that is, and where it was had from."]


@dataclass(frozen=True, slots=True)
class KnownSource:
    """One entry of the registry (`known_source`)."""

    name: Annotated[SourceName, "Short name, with the version after a colon where versions differ."]
    kind: Annotated[SourceKind, "What it gives."]
    lang: Annotated[str | None, "Language id; empty where it serves several."]
    reader: SourceReader
    """What reads it. Wndb is Princeton WordNet's own format; package means that an installed Python package does."""
    version: Annotated[str, "Version."]
    licence: Annotated[str, "SPDX id, or the licence's name."]
    citation: Annotated[str, "How to cite it."]
    address: Annotated[str, "Where it is described and kept."]
    download: Annotated[str | None, "Address of the one file that `--download` fetches; empty where there is none."]
    instructions: Annotated[str, "How a user gets it."]
    requires: Annotated[str | None, "Name of the source whose relations it takes over; empty where it stands alone."]
    embedded: Annotated[str | None, "Path inside the builder, for a source that is part of the project."]
    files: Annotated[tuple[KnownFile, ...], "Files whose hash is known."]


@dataclass(frozen=True, slots=True)
class AddedSource:
    """A source that a user has added (`added_source`)."""

    name: Annotated[SourceName, "Short name, with the version after a colon where versions differ."]
    kind: Annotated[SourceKind, "What it gives."]
    reader: SourceReader
    """What reads it. Wndb is Princeton WordNet's own format; package means that an installed Python package does."""
    version: Annotated[str, "Version."]
    licence: Annotated[str, "SPDX id, or the licence's name, or that none was stated."]
    citation: Annotated[str, "How to cite it, or that nothing was stated."]
    address: Annotated[str | None, "Where it comes from; empty where nobody has said."]
    sha256: Annotated[Sha256, "Hash of the file, or for a folder of the hashes of its files."]
    files: Annotated[tuple[str, ...], Meta(min_length=1), "Its files, by their paths in the folder of the source."]
    requires: Annotated[str | None, "Name of the source whose relations it takes over; empty where it stands alone."]
