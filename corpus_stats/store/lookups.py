"""Counts of several stores taken together, and every measure of a pair in them.

What is asked of a store is `CountSource`; `OpenStore` gives it of a `StatisticsStore`. A store that has counts of
compound candidates by part of speech is a `CandidateSource` besides.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Protocol, runtime_checkable

from ncimp.corpus_stats.store.association import PairCount, measures, zipf
from ncimp.corpus_stats.store.header import LayerTotals
from ncimp.corpus_stats.store.store import StatisticsStore, WordCounts
from ncimp.corpus_stats.words import Layer, normal_form
from ncimp.schemas.errors import SourceError, UsageError

Counted = tuple[str, str | None, str, int]
"""First word, word between (None where they are adjacent), second word, and how often."""


class CountSource(Protocol):
    """Counts of words and adjacent pairs of one language."""

    @property
    def lang(self) -> str:
        """Return the language id."""
        ...

    @property
    def source(self) -> str:
        """Return the names of the corpora."""
        ...

    @property
    def layers(self) -> Sequence[Layer]:
        """Return the layers that hold counts."""
        ...

    def totals(self, layer: Layer) -> LayerTotals:
        """Return the totals of *layer*, or raise `SourceError` when it was not counted."""
        ...

    def word(self, word: str, layer: Layer) -> WordCounts:
        """Return the counts of *word*."""
        ...

    def pair_count(self, first: str, second: str, layer: Layer) -> int:
        """Return how often *first* is directly followed by *second*."""
        ...

    def pairs(self, layer: Layer) -> Iterator[tuple[str, str, int]]:
        """Yield every adjacent pair with its count, by first word, then by second (code-point order)."""
        ...


@runtime_checkable
class CandidateSource(Protocol):
    """Counts of compound candidates by the shape of their parts of speech."""

    @property
    def patterns(self) -> Sequence[str]:
        """Return the ids of the patterns that were counted."""
        ...

    def candidates(self, pattern: str, layer: Layer) -> Iterator[Counted]:
        """Yield every candidate of *pattern* with its count, by first word, second word, and word between."""
        ...


class OpenStore:
    """A `StatisticsStore` as a `CountSource`."""

    def __init__(self, store: StatisticsStore) -> None:
        self._store = store
        self.lang = store.lang
        self.source = store.source
        self.layers = store.layers
        self.totals = store.totals
        self.pairs = store.pairs
        self.word = store.word

    def pair_count(self, first: str, second: str, layer: Layer) -> int:
        """Return how often *first* is directly followed by *second*; 0 where adjacent pairs were not counted."""
        return self._store.pair(first, second, layer).pair_count if self.totals(layer).bigrams else 0


class PatternStore(OpenStore):
    """A store that counted candidates by pattern as a `CandidateSource`.

    Its header lists the patterns, and its rows name theirs: `pattern`, `words` (one to three), `count`.
    """

    def __init__(self, store: Any) -> None:
        super().__init__(store)
        self.patterns = tuple(str(pattern["id"]) for pattern in store.header.patterns)
        self._rows = store.candidates

    def candidates(self, pattern: str, layer: Layer) -> Iterator[Counted]:
        """Yield every candidate of *pattern* with its count, by first word, second word, and word between."""
        for row in self._rows(layer):
            if row.pattern == pattern:
                first, *rest = row.words
                yield first, rest[0] if len(rest) > 1 else None, rest[-1] if rest else "", row.count


def as_source(store: StatisticsStore) -> OpenStore:
    """Return *store* as a `CountSource`, and as a `CandidateSource` if it counted candidates by pattern."""
    return PatternStore(store) if getattr(store.header, "patterns", ()) else OpenStore(store)


@dataclass(frozen=True, slots=True)
class Counts:
    """Several stores of one language taken together."""

    stores: tuple[CountSource, ...]

    def __post_init__(self) -> None:
        langs = sorted({store.lang for store in self.stores})
        if len(langs) != 1:
            raise UsageError(f"stores of several languages: {', '.join(langs)}", fix="name stores of one")

    @property
    def lang(self) -> str:
        """Return the language id."""
        return self.stores[0].lang

    @property
    def source(self) -> str:
        """Return the names of all corpora."""
        return "; ".join(sorted({name for store in self.stores for name in store.source.split("; ")}))

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Return the layers that every store holds."""
        return tuple(layer for layer in self.stores[0].layers if all(layer in store.layers for store in self.stores))

    def pair(self, first: str, second: str, layer: Layer) -> PairCount:
        """Return counts and every measure of *first* directly followed by *second* in *layer*."""
        ones = [store.word(first, layer) for store in self.stores]
        twos = [store.word(second, layer) for store in self.stores]
        totals = [store.totals(layer) for store in self.stores]
        both = sum(store.pair_count(first, second, layer) for store in self.stores)
        first_count, second_count = sum(one.count for one in ones), sum(two.count for two in twos)
        tokens = sum(total.tokens for total in totals)
        found = measures(
            both,
            first=sum(one.as_first for one in ones),
            second=sum(two.as_second for two in twos),
            total=sum(total.bigrams for total in totals),
        )
        return PairCount(
            lang=self.lang,
            layer=layer,
            first=normal_form(first),
            second=normal_form(second),
            first_count=first_count,
            second_count=second_count,
            pair_count=both,
            first_zipf=zipf(first_count, tokens=tokens),
            second_zipf=zipf(second_count, tokens=tokens),
            source=self.source,
            **asdict(found),
        )

    def counted(self, pattern: str | None, layer: Layer) -> Iterator[Counted]:
        """Yield every candidate of *pattern* (None: every adjacent pair) with its count in all stores, in order."""
        rows = heapq.merge(*(_rows(store, pattern, layer) for store in self.stores), key=_words)
        for (first, second, between), same in groupby(rows, key=_words):
            yield first, between or None, second, sum(row[3] for row in same)


def _words(row: Counted) -> tuple[str, str, str]:
    return row[0], row[2], row[1] or ""


def _rows(store: CountSource, pattern: str | None, layer: Layer) -> Iterator[Counted]:
    store.totals(layer)  # says so when the layer was not counted
    if pattern is None:
        return ((first, None, second, count) for first, second, count in store.pairs(layer))
    known = store.patterns if isinstance(store, CandidateSource) else ()
    if not isinstance(store, CandidateSource) or pattern not in known:
        what = f"the counts of {store.source!r} have no candidates of the pattern {pattern!r}"
        fix = f"it has {', '.join(known)}" if known else "count again with patterns, or leave --pattern out"
        raise SourceError(what, fix=fix)
    return store.candidates(pattern, layer)
