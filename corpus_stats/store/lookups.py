"""Several stores taken together, and their strongest pairs: for `ncimp corpus show`, `top` and `pairs`."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Literal, get_args

from ncimp.corpus_stats.association import PairCount
from ncimp.corpus_stats.store.store import StatisticsStore, pair_counts
from ncimp.corpus_stats.words import Layer
from ncimp.schemas.errors import SourceError, UsageError
from ncimp.schemas.tables import Count, Lang

Counted = tuple[str, str | None, str, int]
"""First word, word between (None where they are adjacent), second word, and count."""

Ranking = Literal["count", "pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square"]
"""The measure by which candidates are ranked."""

RANKINGS: tuple[Ranking, ...] = get_args(Ranking)

PLACES = 9
"""Decimals of a measure that decide the order: further ones may differ from machine to machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One row of the list (`candidate.schema.json`)."""

    lang: Annotated[Lang, "Language id."]
    layer: Annotated[Layer, "Whether words were counted as written (lower-cased) or as lemmas."]
    pattern: Annotated[str | None, "Shape of its parts of speech, as the store names it; empty for any adjacent pair."]
    text: Annotated[str, "The words of the candidate with spaces between them."]
    first: Annotated[str, "First word."]
    between: Annotated[str | None, "Word between the two, such as a preposition; empty when they are adjacent."]
    second: Annotated[str, "Second word; an empty text for a candidate of one word."]
    count: Annotated[Count, "How often the candidate was counted."]
    first_count: Annotated[Count, "Count of the first word."]
    second_count: Annotated[Count, "Count of the second word."]
    pmi: float | None
    """PMI of the two words as an adjacent pair, in bits; empty when undefined or when a word stands between them."""
    ppmi: Annotated[float | None, "max(0, PMI); empty where PMI is."]
    t_score: Annotated[float | None, "(O - E) / sqrt(O) of the adjacent pair; empty when undefined."]
    log_likelihood: Annotated[float | None, "Log-likelihood ratio G2 of the adjacent pair; empty when undefined."]
    dice: Annotated[float | None, "2 c(w1 w2) / (c(w1 .) + c(. w2)) of the adjacent pair; empty when undefined."]
    chi_square: Annotated[float | None, "Pearson's chi-square of the adjacent pair; empty when undefined."]
    source: Annotated[str, "Names of the corpora counted."]
    example: str | None = None
    """A sentence with the candidate; empty when no corpus was given or none was found."""
    example_document: Annotated[str | None, "Id of the document of the example; empty without one."] = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Several stores of one language taken together."""

    stores: tuple[StatisticsStore, ...]

    def __post_init__(self) -> None:
        langs = sorted({store.lang for store in self.stores})
        if len(langs) != 1:
            raise UsageError(f"stores of several languages: {', '.join(langs)}", fix="name stores of one")

    @property
    def lang(self) -> str:
        """Return the language id."""
        return self.stores[0].lang

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Return the layers that every store holds."""
        return tuple(layer for layer in self.stores[0].layers if all(layer in store.layers for store in self.stores))

    def pair(self, first: str, second: str, layer: Layer) -> PairCount:
        """Return counts and every measure of *first* directly followed by *second* in *layer*.

        A store without adjacent pairs adds none.
        """
        with_pairs = [store for store in self.stores if store.totals(layer).bigrams]
        count = sum(store.pair_count(first, second, layer) for store in with_pairs)
        return pair_counts(self.stores, first, second, layer, count)

    def counted(self, pattern: str | None, layer: Layer) -> Iterator[Counted]:
        """Yield every candidate of *pattern* (None: every adjacent pair) with its count in all stores, in order."""
        rows = heapq.merge(*(_rows(store, pattern, layer) for store in self.stores), key=_words)
        for (first, second, between), same in groupby(rows, key=_words):
            yield first, between or None, second, sum(row[3] for row in same)

    def top(self, *, pattern: str | None, layer: Layer, by: Ranking, min_count: int, limit: int) -> list[Candidate]:
        """Return the *limit* strongest candidates *by* a measure, the strongest first.

        Ties are broken by count, the higher first, then by the words (code-point order). A candidate for which the
        measure is undefined comes after all others. Memory is bounded by *limit*.
        """
        candidates = (
            _candidate(self.pair(first, second, layer), pattern, between, count)
            for first, between, second, count in self.counted(pattern, layer)
            if count >= min_count
        )
        measure = attrgetter(by)

        def order(candidate: Candidate) -> tuple[bool, float, int, str, str, str]:
            value = measure(candidate)
            missing, rank = value is None, 0.0 if value is None else -round(value, PLACES)
            return missing, rank, -candidate.count, candidate.first, candidate.second, candidate.between or ""

        return heapq.nsmallest(limit, candidates, key=order)


def _words(row: Counted) -> tuple[str, str, str]:
    return row[0], row[2], row[1] or ""


def _rows(store: StatisticsStore, pattern: str | None, layer: Layer) -> Iterator[Counted]:
    """Yield the candidates of *pattern* in one store (None: its adjacent pairs), in the order of `_words`."""
    store.totals(layer)  # raises when the layer was not counted
    if pattern is None:
        for first, second, count in store.pairs(layer):
            yield first, None, second, count
        return
    if pattern not in store.patterns:
        what = f"the counts of {store.source!r} have no candidates of the pattern {pattern!r}"
        listed = ", ".join(store.patterns)
        raise SourceError(
            what, fix=f"it has {listed}" if listed else "count again with patterns, or leave --pattern out"
        )
    for row in store.candidates(layer):
        if row.pattern == pattern:
            first, *rest = row.words
            yield first, rest[0] if len(rest) > 1 else None, rest[-1] if rest else "", row.count


def _candidate(pair: PairCount, pattern: str | None, between: str | None, count: int) -> Candidate:
    """Return the row of a candidate; measures of adjacent words do not apply to two with a word between."""
    adjacent = between is None
    return Candidate(
        lang=pair.lang,
        layer=pair.layer,
        pattern=pattern,
        text=" ".join(word for word in (pair.first, between, pair.second) if word),
        first=pair.first,
        between=between,
        second=pair.second,
        count=count,
        first_count=pair.first_count,
        second_count=pair.second_count,
        pmi=pair.pmi if adjacent else None,
        ppmi=pair.ppmi if adjacent else None,
        t_score=pair.t_score if adjacent else None,
        log_likelihood=pair.log_likelihood if adjacent else None,
        dice=pair.dice if adjacent else None,
        chi_square=pair.chi_square if adjacent else None,
        source=pair.source,
    )
