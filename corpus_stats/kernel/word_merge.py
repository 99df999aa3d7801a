"""Merging sorted runs of words: the next of all runs by a heap, so that nothing is hashed and nothing sorted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Longs, Words, compiled, inlined
from ncimp.corpus_stats.kernel.vocabulary import sortable

_ZERO = np.uint64(0)


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
def _order(heads: Words, words: Longs, eights: Words, starts: Longs, one: int, two: int) -> int:
    """Return how the next words of two runs stand to each other; a run at its end comes last."""
    if words[one] < 0 or words[two] < 0:
        return int(words[one] < 0) - int(words[two] < 0)
    if heads[one] != heads[two]:
        return -1 if heads[one] < heads[two] else 1
    return _tail_order(eights, starts, words[one], words[two])


@compiled
def _sift(heap: Longs, place: int, heads: Words, words: Longs, eights: Words, starts: Longs) -> None:
    """Let the run at *place* of the heap sink to where it belongs."""
    while 2 * place + 1 < len(heap):
        child = 2 * place + 1
        if child + 1 < len(heap) and _order(heads, words, eights, starts, heap[child + 1], heap[child]) < 0:
            child += 1
        if _order(heads, words, eights, starts, heap[place], heap[child]) <= 0:
            break
        heap[place], heap[child] = heap[child], heap[place]
        place = child


@compiled
def merge_runs(runs: Runs, heap: Longs, heads: Words, words: Longs, ranks: Longs, merged: Merged) -> int:
    """Write to *ranks* the place of each word among all, and the sums of each place to *merged*; return how many.

    *heap*, *heads* and *words* are room for a number of each run.
    """
    eights, starts, bounds = runs.eights, runs.starts, runs.bounds
    for run in range(len(heap)):
        heap[run] = run
        words[run] = bounds[run] if bounds[run] < bounds[run + 1] else -1
        heads[run] = sortable(eights, starts[bounds[run]], starts[bounds[run] + 1]) if words[run] >= 0 else _ZERO
    for place in range(len(heap) // 2 - 1, -1, -1):
        _sift(heap, place, heads, words, eights, starts)
    places, last, last_head = 0, -1, _ZERO
    while words[heap[0]] >= 0:
        run = heap[0]
        word, head = words[run], heads[run]
        if last < 0 or head != last_head or _tail_order(eights, starts, last, word) != 0:
            merged.found[places] = word
            merged.counts[places] = merged.as_first[places] = merged.as_second[places] = 0
            places += 1
            last, last_head = word, head
        ranks[word] = places - 1
        merged.counts[places - 1] += runs.counts[word]
        merged.as_first[places - 1] += runs.as_first[word]
        merged.as_second[places - 1] += runs.as_second[word]
        words[run] = word + 1 if word + 1 < bounds[run + 1] else -1
        if words[run] >= 0:
            heads[run] = sortable(eights, starts[word + 1], starts[word + 2])
        _sift(heap, 0, heads, words, eights, starts)
    return places
