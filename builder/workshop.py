"""One language of a build: its pack and its sources, each read when it is first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import LanguagePack, Source
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.builder.sources.morphology import PackMorphology
from ncimp.builder.sources.packs import hash_pack, read_pack
from ncimp.builder.sources.wordnets import WnSource
from ncimp.schemas.hashing import value_hash


@dataclass(frozen=True, slots=True)
class Build:
    """What a build is asked to do."""

    langs: tuple[str, ...]
    packs: Path
    out: Path
    work: Path
    options: BuildOptions


class Workshop:
    """The pack and the sources of one language."""

    def __init__(self, lang: str, build: Build) -> None:
        self.lang = lang
        self.build = build

    @property
    def folder(self) -> Path:
        """The folder of the pack."""
        return self.build.packs / self.lang

    @cached_property
    def pack(self) -> LanguagePack:
        """The pack, checked."""
        return read_pack(self.folder)

    @cached_property
    def morphology(self) -> PackMorphology:
        """The forms of the pack."""
        return PackMorphology(self.pack.forms, self.pack.language)

    @cached_property
    def frequencies(self) -> WordfreqTable:
        """The word frequencies of the language."""
        return WordfreqTable(self.lang)

    @cached_property
    def resources(self) -> Resources:
        """What selection asks for; the lexicon is added to the project's own `wn` data when it is new."""
        lexicon = WnSource(self.folder / "lexicon.xml", self.pack.language.lexicon, work=self.build.work)
        return Resources(self.pack, lexicon, self.morphology, self.frequencies)

    @cached_property
    def hashes(self) -> dict[str, str]:
        """The hash of every file of the pack."""
        return hash_pack(self.folder)

    def sources(self) -> list[Source]:
        """Return the inputs of this language as the manifest lists them."""
        language = self.pack.language
        own = Source(
            name=f"pack/{self.lang}",
            kind="pack",
            version=language.version,
            licence=language.licence,
            citation=f"{language.author}. {language.name} language pack, version {language.version}.",
            address=None,
            sha256=value_hash(self.hashes),
        )
        return [own, self.frequencies.source()]
