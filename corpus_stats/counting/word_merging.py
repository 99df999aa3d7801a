"""Merging the words of stores: all are sorted by the bytes of their words, so a slice of each at a time does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from ncimp.corpus_stats.kernel import types
from ncimp.corpus_stats.kernel.compiled import Ints, every_eight
from ncimp.corpus_stats.kernel.word_merge import Merged, Runs, merge_runs
from ncimp.corpus_stats.store.arrays import Longs, WordTable, joined_words
from ncimp.corpus_stats.store.tables import MappedWords

SLICE_WORDS = 500_000
"""Words, of all stores together, that are merged at a time; about 150 bytes each while they are."""

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


Numbers: TypeAlias = Ints
"""By the number of a word in one store, its number in the result; one that is left out has that of the word before it,
or -1. So numbers never fall, can be searched, and say which words are left out: those with the number before theirs."""


def merge_words(paths: Sequence[Path], min_count: int, workers: int) -> tuple[WordTable, list[Numbers]]:
    """Return the words that occur at least *min_count* times in the stores' tables at *paths*, and their numbers."""
    parts = [MappedWords(path) for path in paths]
    numbers = [np.empty(part.rows, np.int32) for part in parts]
    tables, number = list[WordTable](), 0
    slices = list(_slices(parts, [range(part.rows) for part in parts]))
    merged = in_slices(lambda runs: _merged(parts, runs, min_count), slices, workers)
    for runs, (table, ranks) in zip(slices, merged, strict=True):
        for one, run, rank in zip(numbers, runs, ranks, strict=True):
            one[run.start : run.stop] = np.where(rank < 0, -1, rank + number)
        tables.append(table)
        number += len(table)
    for part in parts:
        part.close()
    for one in numbers:
        np.maximum.accumulate(one, out=one)
    return joined_words(tables), numbers


def in_slices(work: Callable[[_Task], _Result], tasks: Iterable[_Task], workers: int) -> Iterator[_Result]:
    """Yield what *work* makes of each of *tasks*, in order, with no more results waiting than there are *workers*."""
    left = iter(tasks)
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(work, task) for task in islice(left, workers)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(work, task) for task in islice(left, 1)]


def _slices(parts: Sequence[MappedWords], runs: list[range]) -> Iterator[list[range]]:
    """Yield, in order, runs of each store's words that end before the same word, of `SLICE_WORDS` together at most."""
    longest = max(range(len(runs)), key=lambda number: len(runs[number]))
    if sum(map(len, runs)) <= SLICE_WORDS or len(runs[longest]) < 2:
        yield runs
        return
    middle = runs[longest][len(runs[longest]) // 2]
    word = parts[longest].word(middle)
    cuts = [run.start + bisect_left(run, word, key=part.word) for part, run in zip(parts, runs, strict=True)]
    yield from _slices(parts, [range(run.start, cut) for run, cut in zip(runs, cuts, strict=True)])
    yield from _slices(parts, [range(cut, run.stop) for run, cut in zip(runs, cuts, strict=True)])


def _merged(parts: Sequence[MappedWords], runs: Sequence[range], min_count: int) -> tuple[WordTable, list[Longs]]:
    """Return the merged words of *runs*, and by store the place of each word in it, or -1."""
    tables = list[WordTable]()
    for part, run in zip(parts, runs, strict=True):
        tables.append(part.table(run.start, run.stop))
        part.forget()
    words = joined_words(tables)
    bounds = np.concatenate([[0], np.cumsum([len(run) for run in runs])])
    text = np.concatenate([words.text, np.zeros(16, np.uint8)])
    room = (np.empty(len(parts), np.uint64), np.empty(len(parts), np.int64))
    ranks, merged = np.empty(len(words), np.int64), Merged(*np.empty((4, len(words)), np.int64))
    columns = (words.counts, words.as_first, words.as_second)
    places = merge_runs(Runs(text, every_eight(text.data), words.starts, bounds, *columns), *room, ranks, merged)
    kept = merged.counts[:places] >= min_count
    new = np.where(kept, np.cumsum(kept) - 1, -1)
    found, *sums = (column[:places][kept] for column in merged)
    return WordTable(*types.gathered(text, words.starts, found), *sums), np.split(new[ranks], bounds[1:-1])
