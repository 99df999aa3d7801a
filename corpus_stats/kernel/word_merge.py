"""Merging sorted runs of words: the least of the next words of all runs; nothing is hashed and nothing sorted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Longs, Words, compiled, inlined
from ncimp.corpus_stats.kernel.vocabulary import sortable

_ENDED = np.uint64(0xFFFFFFFFFFFFFFFF)
"""What stands for the next word of a run that has none: no UTF-8 begins so."""


class Runs(NamedTuple):
    """Words one after the other, in runs that are sorted by bytes; a run has no word twice."""

    text: Bytes
    """Padded with sixteen bytes."""
    eights: Words
    starts: Longs
    """Where each word begins in the text, and the end."""
    bounds: Longs
    """Which word begins each run, and how many words there are."""
    counts: Longs
    as_first: Longs
    as_second: Longs


class Merged(NamedTuple):
    """Room for the merged words: as many as there can be."""

    found: Longs
    """One of the words that are the same."""
    counts: Longs
    as_first: Longs
    as_second: Longs


@compiled
def _tail_order(eights: Words, starts: Longs, one: int, two: int) -> int:
    """Return -1, 0 or 1 as word *one* comes before, is, or comes after word *two*, of the same first eight bytes."""
    at, end = starts[one] + 8, starts[one + 1]
    other, last = starts[two] + 8, starts[two + 1]
    while at < end or other < last:
        mine, its = sortable(eights, at, end), sortable(eights, other, last)
        if mine != its:
            return -1 if mine < its else 1
        at += 8
        other += 8
    return 0


@inlined
def _head(runs: Runs, word: int) -> np.uint64:
    return sortable(runs.eights, runs.starts[word], runs.starts[word + 1])


@inlined
def _least(heads: Words, words: Longs, head: np.uint64, runs: Runs) -> int:
    """Return the least of the next words that begin with *head*."""
    word = -1
    for run in range(len(heads)):
        if heads[run] == head and (word < 0 or _tail_order(runs.eights, runs.starts, words[run], word) < 0):
            word = words[run]
    return word


@compiled
def merge_runs(runs: Runs, heads: Words, words: Longs, ranks: Longs, merged: Merged) -> int:
    """Write to *ranks* the place of each word among all, and the sums of each place to *merged*; return how many.

    *heads* and *words* are room for a number of each run: the first eight bytes of its next word, and that word. To
    look at all runs for each place is faster than a heap, because most words are in most runs and are taken at once.
    """
    eights, starts, bounds = runs.eights, runs.starts, runs.bounds
    for run in range(len(heads)):
        words[run] = bounds[run]
        heads[run] = _head(runs, bounds[run]) if bounds[run] < bounds[run + 1] else _ENDED
    places = 0
    while True:
        head = _ENDED
        for run in range(len(heads)):
            head = min(head, heads[run])
        if head == _ENDED:
            return places
        word = _least(heads, words, head, runs)
        merged.found[places] = word
        merged.counts[places] = merged.as_first[places] = merged.as_second[places] = 0
        for run in range(len(heads)):
            if heads[run] == head and _tail_order(eights, starts, words[run], word) == 0:
                taken = words[run]
                ranks[taken] = places
                merged.counts[places] += runs.counts[taken]
                merged.as_first[places] += runs.as_first[taken]
                merged.as_second[places] += runs.as_second[taken]
                words[run] = taken + 1
                heads[run] = _head(runs, taken + 1) if taken + 1 < bounds[run + 1] else _ENDED
        places += 1
