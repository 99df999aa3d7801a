"""Frozen naive reference of counts, PMI, PPMI and Zipf values. Never refactor it, never import what it checks.

Standard library only. A corpus is a list of sentences, a sentence a list of words; None in a sentence is
punctuation: it is not counted and its neighbours are not adjacent. The formulas are those of the project's
page on measures: PMI = log2( c(w1 w2) N / (c(w1 .) c(. w2)) ), N = adjacent bigrams inside sentences, margins
from the same bigrams; PPMI = max(0, PMI); Zipf = log10(frequency per billion words); None where undefined.
"""

from __future__ import annotations

import math


def unigrams(sentences: list[list[str | None]]) -> dict[str, int]:
    """Return how often each word occurs."""
    counts: dict[str, int] = {}
    for sentence in sentences:
        for word in sentence:
            if word is not None:
                counts[word] = counts.get(word, 0) + 1
    return counts


def bigrams(sentences: list[list[str | None]]) -> dict[tuple[str, str], int]:
    """Return how often each pair of words is adjacent in a sentence."""
    counts: dict[tuple[str, str], int] = {}
    for sentence in sentences:
        for i in range(len(sentence) - 1):
            first = sentence[i]
            second = sentence[i + 1]
            if first is not None and second is not None:
                counts[first, second] = counts.get((first, second), 0) + 1
    return counts


def pmi(sentences: list[list[str | None]], first: str, second: str) -> float | None:
    """Return the pointwise mutual information of *first second* in bits; None when they are never adjacent."""
    pairs = bigrams(sentences)
    total = 0
    first_margin = 0
    second_margin = 0
    for (one, two), count in pairs.items():
        total = total + count
        if one == first:
            first_margin = first_margin + count
        if two == second:
            second_margin = second_margin + count
    both = pairs.get((first, second), 0)
    if both == 0:
        return None
    expected = (first_margin / total) * (second_margin / total)
    return math.log((both / total) / expected, 2)


def ppmi(sentences: list[list[str | None]], first: str, second: str) -> float | None:
    """Return max(0, PMI); None when the words are never adjacent."""
    value = pmi(sentences, first, second)
    if value is None:
        return None
    if value < 0:
        return 0.0
    return value


def zipf(sentences: list[list[str | None]], word: str) -> float | None:
    """Return log10 of how often *word* would occur in a billion words; None when it does not occur."""
    counts = unigrams(sentences)
    if word not in counts:
        return None
    total = 0
    for count in counts.values():
        total = total + count
    return math.log10(counts[word] / total) + 9
