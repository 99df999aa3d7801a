"""Word frequencies: of the `wordfreq` package, a statistics store, a pack, or no source; and a pack's own counts.

`wordfreq` is the embedded default; a pack of a language that it lacks may have counts of its words. A store is made by
`ncimp corpus count` from the user's own corpus; its lemma layer is used if it has one, because components are lemmas,
else its surface layer, where the frequency of a lemma is that of its citation form.

The counts of a pack are facts of openly licensed corpora, made by `ncimp pack counts`: a component is counted by all
its forms, whatever part of speech they are there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import wordfreq

from ncimp.builder.records import CompoundCount, CountedCorpus, LanguagePack, Source
from ncimp.builder.sources.packs.forms import PackMorphology, Speller
from ncimp.corpus_stats.contexts.sample import PhraseIndex
from ncimp.corpus_stats.store.store import StatisticsStore, pmi, ppmi
from ncimp.corpus_stats.words import CorpusSentence, Layer, is_word, normal_form
from ncimp.schemas import SourceError, UsageError

MIN_PAIRS = 5  # occurrences from which on a pair has PMI in a pack's counts: of rarer ones it says hardly anything
WORDFREQ_CITATION = "Robyn Speer. 2022. rspeer/wordfreq: v3.0. https://doi.org/10.5281/zenodo.7199437"


class WordfreqTable:
    """Frequencies from the largest list that `wordfreq` has for a language (a `FrequencyTable`)."""

    def __init__(self, lang: str) -> None:
        # wordfreq silently replaces an unknown language by a related one (Galician by Spanish)
        if lang not in wordfreq.available_languages("best"):
            fix = "count a corpus of the language with `ncimp corpus count`"
            raise SourceError(f"wordfreq has no word list for {lang!r}", fix=fix)
        self._lang, self._version = lang, version("wordfreq")
        self.name = f"wordfreq {self._version}"
        self._list = wordfreq.get_frequency_dict(lang, wordlist="best")

    def frequency(self, word: str) -> float:
        """Return the relative frequency of *word* (0 to 1); 0 when the list does not hold it."""
        # `wordfreq.word_frequency` would infer a value for a hyphenated word from its parts
        return float(self._list.get(word.casefold(), 0.0))

    def source(self) -> Source:
        """Return the table as an input of the manifest."""
        name, address = f"wordfreq/{self._lang}", "https://pypi.org/project/wordfreq/"
        return Source(name, "frequencies", self._version, "CC-BY-SA-4.0", WORDFREQ_CITATION, address, sha256=None)


class PackTable:
    """Frequencies of words that a pack has counts of, in all their corpora together (a `FrequencyTable`)."""

    def __init__(self, pack: LanguagePack) -> None:
        self._counts = Counter[str]()
        for row in pack.frequencies:
            self._counts[row.word] += row.count
        self._corpora = [row for row in pack.corpora if row not in pack.counted]
        self._tokens = sum(row.tokens for row in self._corpora)
        self.name = "; ".join(row.corpus for row in self._corpora)

    def frequency(self, word: str) -> float:
        """Return the relative frequency of *word* (0 to 1); 0 when the pack has no count of it."""
        return self._counts[word.lower()] / self._tokens

    def source(self) -> Source:
        """Return the corpora as one input of the manifest."""
        version, licence, citation = (
            "; ".join(dict.fromkeys(values))
            for values in zip(*((row.version, row.licence, row.citation) for row in self._corpora), strict=True)
        )
        row = self._corpora[0]
        return Source(f"words/{self.name}", "frequencies", version, licence, citation, row.address, row.sha256)


def open_frequencies(pack: LanguagePack) -> PackTable | WordfreqTable:
    """Return the frequencies of *pack*, or else of `wordfreq`; raise `SourceError` where it lacks the language too."""
    return PackTable(pack) if pack.frequencies else WordfreqTable(pack.language.code)


class CountedTable:
    """Frequencies and pairs of one layer of a statistics store (a `PairTable`); close it after use."""

    def __init__(self, path: Path) -> None:
        self._store = StatisticsStore.open(path)
        self.lemmas = "lemma" in self._store.layers  # true if the words are lemmas
        self._layer: Layer = "lemma" if self.lemmas else "surface"
        self.name = f"{self._store.source} ({'lemmas' if self.lemmas else 'words as written'})"
        self.close = self._store.close  # close the store; the table cannot be used afterwards
        self.verify = self._store.verify
        """Read all counts, and raise `SourceError` unless they have the hash of the store."""

    @property
    def tokens(self) -> int:
        """The words counted in the layer."""
        return self._store.totals(self._layer).tokens

    def frequency(self, word: str) -> float:
        """Return the relative frequency of *word* (0 to 1) in the layer; 0 when it does not occur."""
        return self._store.frequency(word, self._layer)

    def count(self, *words: str) -> int:
        """Return the count of *words*, one or two in a row in a sentence."""
        if len(words) == 1:
            return self._store.count(words[0], self._layer)
        first, second = words
        return self._store.pair(first, second, self._layer).pair_count

    def figures(self, words: Sequence[str]) -> dict[str, object]:
        """Return the columns of the table `compounds` for the compound *words*: its count and, of two words, PMI."""
        pair = self._store.pair(words[0], words[1], self._layer) if len(words) > 1 else None
        return {
            "compound_count": self.count(*words),
            "pmi": pair and pair.pmi,
            "ppmi": pair and pair.ppmi,
            "count_source": self.name,
        }

    def pairs(self) -> Iterator[tuple[str, str, int]]:
        """Yield every pair of adjacent words of the layer with its count."""
        return self._store.pairs(self._layer)

    def source(self) -> Source:
        """Return the store as an input of the manifest: its hash is that of the counts."""
        header, corpora = self._store.header, self._store.sources
        return Source(
            name=f"store/{self._store.lang}",
            kind="frequencies",
            version=f"format {header.format_version}, word rules {header.tokeniser_version}",
            licence="; ".join(sorted({corpus.licence for corpus in corpora})),
            citation=f"Counts of {self.name}, {header.sentences} sentences, made by `ncimp corpus count`.",
            address=None,
            sha256=header.content_sha256,
        )


def stores_by_language(paths: Iterable[Path], langs: Iterable[str]) -> dict[str, Path]:
    """Return the statistics stores at *paths* by the language of *langs* that each counts.

    A store of `pt-BR` counts `pt`. Raises `UsageError` for a store of no language of *langs*, and for two of one.
    """
    stores: dict[str, Path] = {}
    langs = tuple(langs)
    for path in paths:
        with StatisticsStore.open(path) as store:
            counted = store.lang
        lang = next((lang for lang in langs if counted == lang or counted.startswith(f"{lang}-")), None)
        if lang is None:
            fix = f"leave it out, or build {counted!r} with --lang"
            raise UsageError(f"{path} counts {counted!r}, and the build makes {', '.join(langs)}", fix=fix)
        if lang in stores:
            fix = "name one, or count both corpora together with `ncimp corpus count`"
            raise UsageError(f"{stores[lang]} and {path} both count {lang!r}", fix=fix)
        stores[lang] = path
    return stores


def count_compounds(
    pack: LanguagePack, corpus: CountedCorpus, sentences: Iterable[CorpusSentence]
) -> tuple[CountedCorpus, list[CompoundCount]]:
    """Return *corpus* with the sizes of its *sentences*, and the counts of every compound of *pack* in them."""
    speller, morphology, tokens = Speller(pack), PackMorphology(pack.forms, pack.language), 0
    index = PhraseIndex({row.text: speller.spellings_of(row.text, row) for row in pack.compounds})
    hits, adjacent, firsts, seconds = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for sentence in sentences:
        words = [normal_form(token.surface) for token in sentence if token.surface is not None]
        tokens += sum(map(is_word, words))
        pairs = [pair for pair in pairwise(words) if is_word(pair[0]) and is_word(pair[1])]
        firsts.update(first for first, _ in pairs)
        seconds.update(second for _, second in pairs)
        for phrase, start, end in index.find(words):
            hits[phrase] += 1
            adjacent[phrase] += end - start == 2
    rows = []
    for row in pack.compounds:
        pattern = pack.language.patterns[row.pattern]
        lemmas = (row.head, row.modifier) if pattern.head == 0 else (row.modifier, row.head)
        sizes = [
            sum(ends[word] for word in {normal_form(form.form) for form in morphology.inflected(lemma, pos)} | {lemma})
            for lemma, pos, ends in zip(lemmas, pattern.parts, (firsts, seconds), strict=False)
        ]
        both = sizes if len(sizes) > 1 else (0, 0)  # a compound of one word has no pairs
        rows.append(CompoundCount(row.text, corpus.corpus, hits[row.text], adjacent[row.text], *both))
    return replace(corpus, tokens=tokens, pairs=firsts.total()), rows


def counted_figures(pack: LanguagePack) -> dict[str, dict[str, object]]:
    """Return the columns of the table `compounds` for each compound counted in the corpora of *pack*, together.

    PMI and PPMI stay empty below `MIN_PAIRS` occurrences as two adjacent words.
    """
    total, source = sum(row.pairs for row in pack.counted), "; ".join(sorted(row.corpus for row in pack.counted))
    figures: dict[str, dict[str, object]] = {}
    for text in dict.fromkeys(row.compound for row in pack.counts):
        rows = [row for row in pack.counts if row.compound == text]
        pair = sum(row.pair_count for row in rows)
        margins = {"first": sum(row.first_pairs for row in rows), "second": sum(row.second_pairs for row in rows)}
        figures[text] = {
            "compound_count": sum(row.count for row in rows),
            **{
                measure.__name__: measure(pair, **margins, total=total) if pair >= MIN_PAIRS else None
                for measure in (pmi, ppmi)
            },
            "count_source": source,
        }
    return figures


class NoFrequencies:
    """A frequency table without words (a `FrequencyTable`)."""

    name = "no frequencies"

    def frequency(self, word: str) -> float:  # noqa: ARG002 (the port's)
        """Return 0: no word is in the table."""
        return 0.0
