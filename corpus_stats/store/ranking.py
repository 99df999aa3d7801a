"""The strongest pairs of a store, or of several: what `ncimp stats top` and `ncimp candidates` print."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Literal, get_args

from ncimp.corpus_stats.store.association import PairCount
from ncimp.corpus_stats.store.lookups import Counts
from ncimp.corpus_stats.words import Layer
from ncimp.schemas.tables import Count, Lang

Ranking = Literal["count", "pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square"]
"""By what candidates are ranked."""

RANKINGS: tuple[Ranking, ...] = get_args(Ranking)

PLACES = 9
"""Decimals of a measure that can decide: beyond them it may differ from machine to machine."""


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


def top(
    counts: Counts, *, pattern: str | None, layer: Layer, by: Ranking, min_count: int, limit: int
) -> list[Candidate]:
    """Return the *limit* candidates that stand highest *by* a measure, the highest first.

    Ties are broken by count, the higher first, then by the words (code-point order). A candidate for which the
    measure is undefined comes after all others. Memory is bounded by *limit*.
    """
    found = _candidates(counts, pattern, layer, min_count)
    value = attrgetter(by)

    def order(candidate: Candidate) -> tuple[bool, float, int, str, str, str]:
        size = value(candidate)
        missing, rank = size is None, 0.0 if size is None else -round(size, PLACES)
        return missing, rank, -candidate.count, candidate.first, candidate.second, candidate.between or ""

    return heapq.nsmallest(limit, found, key=order)


def _candidates(counts: Counts, pattern: str | None, layer: Layer, min_count: int) -> Iterator[Candidate]:
    for first, between, second, count in counts.counted(pattern, layer):
        if count >= min_count:
            yield _candidate(counts.pair(first, second, layer), pattern, between, count)


def _candidate(pair: PairCount, pattern: str | None, between: str | None, count: int) -> Candidate:
    adjacent = between is None  # the measures are of adjacent words: of the two outer ones they would say nothing
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
