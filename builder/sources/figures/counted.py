"""Frequencies out of a statistics store, made by `ncimp stats count` from a corpus of the user's own.

The lemma layer is asked where there is one, because components are lemmas; else the surface layer,
where the frequency of a lemma is that of its citation form. Every row names the corpora and the layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ncimp.builder.records import Source
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import Layer
from ncimp.schemas.errors import UsageError

LAYER_NAMES: dict[Layer, str] = {"lemma": "lemmas", "surface": "words as written"}
"""How a row's source calls the layer that was asked."""


class CountedTable:
    """Frequencies and pairs of one layer of a statistics store (a `PairTable`); close it after use."""

    def __init__(self, path: Path) -> None:
        self._store = StatisticsStore.open(path)
        self._layer: Layer = "lemma" if "lemma" in self._store.layers else "surface"

    def close(self) -> None:
        """Close the store; the table cannot be used afterwards."""
        self._store.close()

    def verify(self) -> None:
        """Raise `SourceError` when the counts are not those that the store's hash was made from. Reads everything."""
        self._store.verify()

    @property
    def name(self) -> str:
        """Return the corpora and the layer, such as `brown (words as written)`."""
        return f"{self._store.source} ({LAYER_NAMES[self._layer]})"

    @property
    def lemmas(self) -> bool:
        """Whether the words are lemmas."""
        return self._layer == "lemma"

    @property
    def tokens(self) -> int:
        """The words counted in the layer."""
        return self._store.totals(self._layer).tokens

    @property
    def content_hash(self) -> str:
        """The identity of the counts (see `StatisticsStore.content_hash`)."""
        return self._store.content_hash

    def frequency(self, word: str) -> float:
        """Return the relative frequency of *word* (0 to 1) in the layer; 0 when it does not occur."""
        return self._store.frequency(word, self._layer)

    def count(self, *words: str) -> int:
        """Return how often *words*, one or two, occur one after the other in a sentence."""
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
            citation=f"Counts of {self.name}, {header.sentences} sentences, made by `ncimp stats count`.",
            address=None,
            sha256=header.content_sha256,
        )


def stores_by_language(paths: Iterable[Path], langs: Iterable[str]) -> dict[str, Path]:
    """Return the statistics stores at *paths* by the language of *langs* that each counts.

    A store of `pt-BR` counts `pt`. Raises `UsageError` for a store of no language of *langs*, and for two of one.
    """
    found: dict[str, Path] = {}
    langs = tuple(langs)
    for path in paths:
        with StatisticsStore.open(path) as store:
            counted = store.lang
        lang = next((lang for lang in langs if counted == lang or counted.startswith(f"{lang}-")), None)
        if lang is None:
            fix = f"leave it out, or build {counted!r} with --lang"
            raise UsageError(f"{path} counts {counted!r}, and the build makes {', '.join(langs)}", fix=fix)
        if lang in found:
            fix = "name one, or count both corpora together with `ncimp stats count`"
            raise UsageError(f"{found[lang]} and {path} both count {lang!r}", fix=fix)
        found[lang] = path
    return found
