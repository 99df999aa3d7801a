"""One language of a build: its pack and its sources, each read when it is first needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import Compound, LanguagePack, Source
from ncimp.builder.selection.attested import counted_words
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.sources.figures.benchmarks import Benchmark, read_benchmark
from ncimp.builder.sources.figures.counted import CountedTable
from ncimp.builder.sources.figures.scores import HumanScores
from ncimp.builder.sources.figures.wordfreq import WordfreqTable
from ncimp.builder.sources.lexicons.pack_forms import PackMorphology
from ncimp.builder.sources.packs.packs import hash_pack, read_pack
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.schemas.hashing import value_hash
from ncimp.schemas.records import to_row


@dataclass(frozen=True)
class Build:
    """What a build is asked to do."""

    langs: tuple[str, ...]
    packs: Path
    out: Path
    work: Path
    options: BuildOptions
    stores: Mapping[str, Path] = field(default_factory=dict)
    """Statistics store by language; the frequencies of a language without one are those of `wordfreq`."""
    counts_only: bool = False
    """Whether the stores fill the counts of compounds only, and frequencies are those of `wordfreq`."""
    benchmarks: tuple[Benchmark, ...] = ()
    """Other benchmarks, whose compounds are marked as theirs."""
    workers: int = 1
    """How many languages are worked on at a time; the release does not depend on it."""

    human: HumanScores = field(default_factory=HumanScores)
    """Human scores and judgements."""

    @property
    def benchmark_hashes(self) -> dict[str, str]:
        """What the marks depend on, by benchmark."""
        return {f"benchmark/{benchmark.name}": benchmark.digest for benchmark in self.benchmarks}

    @cached_property
    def memberships(self) -> Mapping[str, frozenset[str]]:
        """The compounds of each benchmark, as keys, by its name."""
        return {benchmark.name: read_benchmark(benchmark) for benchmark in self.benchmarks}


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
    def frequencies(self) -> WordfreqTable | CountedTable:
        """The word frequencies of the language: of its statistics store, or else of `wordfreq`."""
        return self.counted or WordfreqTable(self.lang)

    @cached_property
    def counted(self) -> CountedTable | None:
        """The statistics store that frequencies come from, when the build has one."""
        return None if self.build.counts_only else self.measured

    @cached_property
    def measured(self) -> CountedTable | None:
        """The statistics store that counts of compounds come from, when the build has one."""
        path = self.build.stores.get(self.lang)
        return None if path is None else CountedTable(path)

    def close(self) -> None:
        """Close the statistics store, if one is open."""
        counted: CountedTable | None = vars(self).get("measured")  # not asked for by name: that would open it
        if counted is not None:
            counted.close()

    @cached_property
    def resources(self) -> Resources:
        """What selection asks for; the lexicon is added to the project's own `wn` data when it is new."""
        lexicon = WnSource(self.folder / "lexicon.xml", self.pack.language.lexicon, work=self.build.work)
        return Resources(self.pack, lexicon, self.morphology, self.frequencies, self.counted)

    @cached_property
    def hashes(self) -> dict[str, str]:
        """The hash of every file of the pack."""
        return hash_pack(self.folder)

    def counted_words(self, compound: Compound) -> Sequence[str]:
        """Return the one or two words as which the store counts *compound*, none when it has more."""
        pattern = self.pack.language.patterns[compound.pattern]
        return counted_words(compound, pattern, lemmas=self.measured is not None and self.measured.lemmas)

    @property
    def frequency_hashes(self) -> dict[str, str]:
        """What frequencies and their names depend on: counts and corpora of the store, or the version of `wordfreq`."""
        found = {} if self.counted is not None else {"wordfreq": version("wordfreq")}
        if self.measured is not None:
            found[f"store/{self.lang}"] = value_hash(to_row(self.measured.source()))
        return found

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
        counts = [self.measured.source()] if self.measured is not None and self.counted is None else []
        return [own, self.frequencies.source(), *counts]
