"""Word frequencies: of the `wordfreq` package, of a statistics store, or of no source.

`wordfreq` is the embedded default. A store is made by `ncimp corpus count` from the user's own corpus; its lemma layer
is used if it has one, because components are lemmas, else its surface layer, where the frequency of a lemma is that of
its citation form.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import wordfreq

from ncimp.builder.records import Source
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import Layer
from ncimp.schemas import SourceError, UsageError

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


class NoFrequencies:
    """A frequency table without words (a `FrequencyTable`)."""

    name = "no frequencies"

    def frequency(self, word: str) -> float:  # noqa: ARG002 (the port's)
        """Return 0: no word is in the table."""
        return 0.0
