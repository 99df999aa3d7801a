"""The strongest pairs of a store, or of several: what `ncimp stats top` and `ncimp candidates` print."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, get_args

from ncimp.corpus_stats.store.association import PairCount
from ncimp.corpus_stats.store.lookups import Counts
from ncimp.corpus_stats.words import Layer

Ranking = Literal["count", "pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square"]
"""By what candidates are ranked."""

RANKINGS: tuple[Ranking, ...] = get_args(Ranking)

PLACES = 9
"""Decimals of a measure that can decide: beyond them it may differ from machine to machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One row of the list (`candidate.schema.json`)."""

    lang: str
    layer: Layer
    pattern: str | None
    text: str
    first: str
    between: str | None
    second: str
    count: int
    first_count: int
    second_count: int
    pmi: float | None
    ppmi: float | None
    t_score: float | None
    log_likelihood: float | None
    dice: float | None
    chi_square: float | None
    source: str
    example: str | None = None
    example_document: str | None = None


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
