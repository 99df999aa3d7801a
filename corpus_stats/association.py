"""Association of the two words of a pair, and frequency on the Zipf scale, from integer counts.

The source of the formulas is the project's page on measures, section "Association of the two words of an
NC" (Church and Hanks 1990 for PMI; van Heuven et al. 2014 for the Zipf scale). A measure that a zero count
leaves undefined is None: never 0, never minus infinity, and nothing is smoothed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ncimp.corpus_stats.words import Layer

ZIPF_WORDS = 10**9
"""The Zipf value of a word is the log10 of how often it occurs in this many words."""


@dataclass(frozen=True, slots=True)
class PairCount:
    """Counts and association of one adjacent word pair; the fields are the columns of `count.schema.json`."""

    lang: str
    layer: Layer
    first: str
    second: str
    first_count: int
    """How often the first word occurs anywhere, not only in pairs: PMI uses the margins of the pairs instead."""
    second_count: int
    pair_count: int
    first_zipf: float | None
    second_zipf: float | None
    pmi: float | None
    ppmi: float | None
    source: str


def pmi(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return log2( c(w1 w2) N / (c(w1 .) c(. w2)) ) in bits, or None when a count is 0.

    *pair* is c(w1 w2); *first* is c(w1 .), the bigrams that begin with w1; *second* is c(. w2), those that
    end with w2; *total* is N, all adjacent bigrams inside sentences.

    >>> pmi(2, first=4, second=4, total=64)
    3.0
    >>> pmi(0, first=4, second=4, total=64) is None
    True
    """
    if 0 in (pair, first, second, total):
        return None
    return math.log2(pair * total / (first * second))


def ppmi(pair: int, *, first: int, second: int, total: int) -> float | None:
    """Return max(0, PMI) in bits, or None when a count is 0; the arguments are those of `pmi`.

    >>> ppmi(1, first=8, second=16, total=64)
    0.0
    """
    value = pmi(pair, first=first, second=second, total=total)
    return None if value is None else max(0.0, value)


def zipf(count: int, *, tokens: int) -> float | None:
    """Return log10 of the occurrences per billion words of a word found *count* times in *tokens* words.

    None when the word does not occur: the corpus then says only that it is rare.

    >>> zipf(1, tokens=1_000_000)
    3.0
    """
    return math.log10(count * ZIPF_WORDS / tokens) if count else None
