"""Resources of one language, each read when it is first needed: its pack, the sources behind it, and a parser."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ncimp.builder.grammar import HYPHEN, SPACE, PhraseForms
from ncimp.builder.ports import Arc, FrequencyTable
from ncimp.builder.records import Compound, LanguagePack, Source
from ncimp.builder.selection.pools import counted_words
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.sources.frequencies import CountedTable, PackTable, WordfreqTable, counted_figures, open_frequencies
from ncimp.builder.sources.inflection import RuleMorphology
from ncimp.builder.sources.lexicons.files import is_lexicon
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.lexicons.store import FormStore, open_lexicon
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import hash_pack, packs_folder, read_pack
from ncimp.builder.sources.registry import data_folder
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.corpus_stats.readers.text import open_pipeline
from ncimp.schemas import SourceError, value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import SHOTS, ReleasedSense, SenseExample

MORPHOLOGY = "morphology"  # the folder of a pack with the lexicons that its tasks use without being told
NEEDLESS = frozenset({"attribute_ruler", "lemmatizer", "morphologizer", "ner", "senter", "tagger"})  # by no parser
CACHED = 1 << 10  # sentences in memory: the variants of one sentence follow each other


def compound_forms(folder: ReleaseFolder) -> dict[str, set[str]]:
    """Return the compounds of a suite in *folder*, each with its forms: in its sentences, in singular and plural."""
    forms: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for sense in folder.records("senses", ReleasedSense):
        forms[sense.lang, sense.compound].add(sense.compound)
    for name in SHOTS.values():
        for row in folder.records(name, SenseExample):
            forms[row.lang, row.compound].add(row.sentence[slice(*row.span)] if row.span else row.compound)
    for lang in {lang for lang, _ in forms}:
        with closing(LanguageResources(lang, packs_folder(), data_folder())) as resources:
            phrases = PhraseForms(resources.pack.language, resources.inflector)
            for compound in [compound for other, compound in forms if other == lang]:
                join = SPACE if SPACE in compound else HYPHEN
                numbers = (phrases.in_number(compound, "sg", join=join), phrases.in_number(compound, "pl", join=join))
                forms[lang, compound] |= set(filter(None, numbers))
    compounds: defaultdict[str, set[str]] = defaultdict(set)
    for (_, compound), some in forms.items():
        compounds[compound] |= some
    return compounds


@dataclass(frozen=True)
class LanguageResources:
    """The pack, lexicons, frequencies and counts of one language; close it after use."""

    lang: str
    packs: Path  # the folder that holds the pack
    data: Path  # the folder of the databases that are made of lexicons
    store: Path | None = None  # the statistics store of the language
    counts_only: bool = False
    """Whether the store fills the counts of compounds only, and frequencies are those of `wordfreq`."""
    lexicons: Sequence[Path] = ()  # full-form lexicons and treebanks, most trusted first; the pack's own come after

    @property
    def folder(self) -> Path:
        """The folder of the pack."""
        return self.packs / self.lang

    @cached_property
    def pack(self) -> LanguagePack:
        """The pack, checked."""
        return read_pack(self.folder)

    @cached_property
    def hashes(self) -> dict[str, str]:
        """The hash of every file of the pack."""
        return hash_pack(self.folder)

    @cached_property
    def morphology(self) -> PackMorphology:
        """The forms of the pack."""
        return PackMorphology(self.pack.forms, self.pack.language)

    @cached_property
    def analyser(self) -> LayeredMorphology:
        """The forms of the pack, then of the lexicons, then the rules of the pack."""
        return self._layered(widely=False)

    @cached_property
    def inflector(self) -> LayeredMorphology:
        """The analyser for phrases without a sentence: a form that only the pack lists may have other readings."""
        return self._layered(widely=True)

    @cached_property
    def _stores(self) -> list[FormStore]:
        """The lexicons that were named, then those of the pack."""
        paths = sorted(filter(is_lexicon, (self.folder / MORPHOLOGY).glob("*")))
        return [open_lexicon(path, data=self.data) for path in (*self.lexicons, *paths)]

    def _layered(self, *, widely: bool) -> LayeredMorphology:
        try:
            frequencies: FrequencyTable | None = self.frequencies
        except SourceError:  # there is no list for this language
            frequencies = None
        rules = RuleMorphology(self.pack.language, frequencies)
        return LayeredMorphology(self.morphology, self._stores, rules=rules, widely=widely)

    @cached_property
    def wordnet(self) -> WnSource:
        """The synonyms of the pack's own lexicon, which is added to the folder `data` when it is new."""
        return WnSource(self.folder / "lexicon.xml", self.pack.language.lexicon, work=self.data)

    @cached_property
    def counts(self) -> CountedTable | None:
        """The statistics store that counts of compounds come from, if there is one."""
        return None if self.store is None else CountedTable(self.store)

    @property
    def matching_counts(self) -> CountedTable | None:
        """The statistics store that frequencies come from, if there is one."""
        return None if self.counts_only else self.counts

    @cached_property
    def frequencies(self) -> PackTable | WordfreqTable | CountedTable:
        """Word frequencies: of the statistics store, or else of the pack, or else of `wordfreq`."""
        return self.matching_counts or open_frequencies(self.pack)

    @cached_property
    def selection(self) -> Resources:
        """The resources that selection needs."""
        return Resources(self.pack, self.wordnet, self.morphology, self.frequencies, self.matching_counts, self.counts)

    def close(self) -> None:
        """Close the statistics store, if it is open."""
        counts: CountedTable | None = vars(self).get("counts")  # the attribute itself would open it
        if counts is not None:
            counts.close()

    def counted_words(self, compound: Compound) -> Sequence[str]:
        """Return the one or two words as which the store counts *compound*, none when it has more."""
        pattern = self.pack.language.patterns[compound.pattern]
        return counted_words(compound, pattern, lemmas=self.counts is not None and self.counts.lemmas)

    def count_figures(self) -> dict[str, dict[str, object]]:
        """Return the columns of counts by compound: those of the store, or else of the pack's own corpora."""
        if self.counts is None:
            return counted_figures(self.pack)
        parts = {row.text: self.counted_words(row) for row in self.pack.compounds}
        return {text: self.counts.figures(words) for text, words in parts.items() if words}

    @property
    def frequency_hashes(self) -> dict[str, str]:
        """The identity of frequencies and counts outside the pack: hash of the store, version of `wordfreq`."""
        hashes = {"wordfreq": version("wordfreq")} if self.matching_counts is None else {}
        if self.counts is not None:
            hashes[f"store/{self.lang}"] = value_hash(to_row(self.counts.source()))
        return hashes

    def sources(self) -> list[Source]:
        """Return the sources of this language as the manifest lists them."""
        language = self.pack.language
        pack = Source(
            name=f"pack/{self.lang}",
            kind="pack",
            version=language.version,
            licence=language.licence,
            citation=f"{language.author}. {language.name} language pack, version {language.version}.",
            address=None,
            sha256=value_hash(self.hashes),
        )
        if self.counts is None:
            counts = [
                Source(
                    name=f"corpus/{row.corpus}",
                    kind="corpus",
                    version=f"{row.version}; {row.tokens} words",
                    licence=row.licence,
                    citation=row.citation,
                    address=row.address,
                    sha256=row.sha256,
                )
                for row in self.pack.counted
            ]
        else:
            counts = [self.counts.source()] if self.counts_only else []
        return [pack, self.frequencies.source(), *self.pack.sources, *counts]


class SpacyParser:
    """A `DependencyParser`: a spaCy pipeline that is installed, or a folder that `scripts/train_parser.py` makes."""

    def __init__(self, name: str) -> None:
        fix = "name one with a parser, or train one: scripts/train_parser.py"
        pipeline = open_pipeline(name, "", fix=fix)
        if "parser" not in pipeline.pipe_names:
            raise SourceError(f"the spaCy pipeline {name!r} has no parser", fix=fix)
        for part in NEEDLESS.intersection(pipeline.pipe_names):
            pipeline.disable_pipe(part)
        self._pipeline: Any = pipeline
        self._document = import_module("spacy.tokens").Doc
        self.lang: str = pipeline.lang
        self.arcs = lru_cache(CACHED)(self._arcs)
        """Return the head and the relation of each of *words*; *spaces* tells which have white space behind them."""

    def _arcs(self, words: Sequence[str], spaces: Sequence[bool]) -> tuple[Arc, ...]:
        document = self._pipeline(self._document(self._pipeline.vocab, words=list(words), spaces=list(spaces)))
        return tuple(Arc(token.head.i, token.dep_.partition(":")[0].lower()) for token in document)
