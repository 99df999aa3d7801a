"""Merging stores into one: words first, then pairs slice by slice, so that memory does not grow with the corpus.

Every store is sorted by the bytes of its words, and so is the merged one. So the rows of a run of first words lie
together in each store, and a slice of the result needs no others. The result does not depend on how the counts were
spread over the stores.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial, reduce
from itertools import chain, islice
from operator import add
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

import ncimp
from ncimp.corpus_stats.counting.sorting import packing, summed, unpacked
from ncimp.corpus_stats.kernel import pairs
from ncimp.corpus_stats.kernel.compiled import every_eight
from ncimp.corpus_stats.kernel.words import Merged, Runs, gathered, merge_runs
from ncimp.corpus_stats.store import header as stores
from ncimp.corpus_stats.store.files import MappedKeys, MappedWords, TableWriter, write_words
from ncimp.corpus_stats.store.tables import Ints, KeyTable, Longs, RowTable, ULongs, WordTable, joined_words
from ncimp.corpus_stats.words import Layer
from ncimp.schemas import UsageError

SLICE_BYTES = 50_000_000  # approximate memory of the rows that a worker merges at a time, of all stores together
SLICE_WORDS = 500_000  # words, of all stores together, that are merged at a time; about 150 bytes each
_PACKED, _NOT_PACKED = 25, 100  # bytes of a row while it is merged
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

NewIds: TypeAlias = Ints
"""By the id of a word in one store, its id in the result; a word that is left out has that of the word before it, or
-1. So ids never fall, can be searched, and show which words are left out: those with the id before theirs."""

_Runs: TypeAlias = Sequence[range]  # rows of each store, from the same word on and up to the same word


class Inputs(NamedTuple):
    """One table of every store, and by store the new ids of its words."""

    parts: Sequence[MappedKeys]
    new_ids: Sequence[NewIds]


def merge_stores(paths: Sequence[Path], out: Path, *, min_count: int = 1, workers: int = 1) -> stores.StoreHeader:
    """Write the sum of the stores at *paths* to *out*, without words and pairs below *min_count*; return its header.

    The stores must count the same things of the same language, and everything (`min_count` 1).
    """
    headers = [stores.read_header(path) for path in paths]
    for path, header in zip(paths, headers, strict=True):
        _check_alike(path, header, headers[0])
    sources = tuple(sorted(source for header in headers for source in header.sources))
    if len({source.sha256 for source in sources}) < len(sources):
        raise UsageError("the stores share a corpus file, which would count twice", fix="merge each file once")
    formats = "; ".join(sorted({name for header in headers for name in header.corpus_format.split("; ")}))
    header = replace(headers[0], sources=sources, corpus_format=formats, tally=stores.Tally(), min_count=min_count)
    return merge_parts(paths, out, header, workers)


def merge_parts(
    paths: Sequence[Path], out: Path, header: stores.StoreHeader, workers: int, slice_bytes: int = SLICE_BYTES
) -> stores.StoreHeader:
    """Write the sum of the stores at *paths* to *out* under *header*; return it with its totals and tables.

    Their tallies are added to that of *header*. Neither *workers* nor *slice_bytes* changes the result.
    """
    headers = [stores.read_header(path) for path in paths]
    with stores.store_aside(out) as folder:
        facts: dict[str, stores.TableFacts] = {}
        totals: dict[Layer, stores.LayerTotals] = {}
        for layer in headers[0].layers:
            facts |= _merge_layer(paths, folder, layer, header, workers, slice_bytes)
            parts = [part.layers[layer] for part in headers]
            totals[layer] = stores.LayerTotals(sum(part.tokens for part in parts), sum(part.bigrams for part in parts))
        tally = reduce(add, (part.tally for part in headers), header.tally)
        header = replace(header, tally=tally, layers=totals, tables=facts, tool=ncimp.__version__)
        stores.write_header(folder, header)
    return header


def _check_alike(path: Path, header: stores.StoreHeader, first: stores.StoreHeader) -> None:
    if header.min_count > 1:
        what = f"{path} has only what occurs {header.min_count} times or oftener, so sums would be too low"
        raise UsageError(what, fix="count it again without --min-count; give --min-count to the merge")
    for name in ("lang", "tokeniser_version", "adjacent", "classes", "patterns"):
        if getattr(header, name) != getattr(first, name):
            what = f"{path} differs from the first store in {name.replace('_', ' ')}"
            raise UsageError(what, fix="count both alike")
    if set(header.layers) != set(first.layers):
        raise UsageError(f"{path} has other layers than the first store", fix="count both alike")


def _merge_layer(
    paths: Sequence[Path], folder: Path, layer: Layer, header: stores.StoreHeader, workers: int, slice_bytes: int
) -> dict[str, stores.TableFacts]:
    words, new_ids = merge_words([path / (layer + stores.WORDS) for path in paths], header.min_count, workers)
    facts = {layer + stores.WORDS: write_words(folder / (layer + stores.WORDS), words)}
    size = words.size
    del words
    tables = list[tuple[str, pairs.Packing | None]]()
    if header.adjacent:
        tables.append((layer + stores.PAIRS, packing(size, 0)))
    if header.patterns:
        longest = max(len(pattern["parts"]) for pattern in header.patterns)
        tables.append((layer + stores.CANDIDATES, packing(size, len(header.patterns)) if longest < 3 else None))
    for name, how in tables:
        inputs = Inputs([MappedKeys(path / name) for path in paths], new_ids)
        runs = [range(part.rows) for part in inputs.parts]
        slices = row_slices(inputs, range(size), runs, slice_bytes // (_PACKED if how else _NOT_PACKED))
        with TableWriter(folder / name) as writer:
            merged = partial(_merged_rows, inputs, how, header.min_count, slice_bytes)
            for table in chain.from_iterable(_in_order(merged, slices, workers)):
                writer.add_rows(table)
        facts[name] = writer.facts
        for part in inputs.parts:
            part.close()
    return facts


def _in_order(work: Callable[[_Task], _Result], tasks: Iterable[_Task], workers: int) -> Iterator[_Result]:
    """Yield the result of *work* on each of *tasks*, in order, with at most as many results waiting as *workers*."""
    remaining = iter(tasks)
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(work, task) for task in islice(remaining, workers)]
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(work, task) for task in islice(remaining, 1)]


def merge_words(paths: Sequence[Path], min_count: int, workers: int) -> tuple[WordTable, list[NewIds]]:
    """Return the words that occur at least *min_count* times in the stores' tables at *paths*, and their new ids."""
    parts = [MappedWords(path) for path in paths]
    new_ids = [np.empty(part.rows, np.int32) for part in parts]
    tables, size = list[WordTable](), 0
    slices = list(_word_slices(parts, [range(part.rows) for part in parts]))
    results = _in_order(lambda runs: _merged_words(parts, runs, min_count), slices, workers)
    for runs, (table, ranks) in zip(slices, results, strict=True):
        for ids, run, rank in zip(new_ids, runs, ranks, strict=True):
            ids[run.start : run.stop] = np.where(rank < 0, -1, rank + size)
        tables.append(table)
        size += table.size
    for part in parts:
        part.close()
    for ids in new_ids:
        np.maximum.accumulate(ids, out=ids)
    return joined_words(tables), new_ids


def _word_slices(parts: Sequence[MappedWords], runs: _Runs) -> Iterator[_Runs]:
    """Yield, in order, runs of each store's words that end before the same word, of `SLICE_WORDS` together at most."""
    longest = max(range(len(runs)), key=lambda number: len(runs[number]))
    if sum(map(len, runs)) <= SLICE_WORDS or len(runs[longest]) < 2:
        yield runs
        return
    word = parts[longest].word(runs[longest][len(runs[longest]) // 2])
    cuts = [run.start + bisect_left(run, word, key=part.word) for part, run in zip(parts, runs, strict=True)]
    for half in _halves(runs, cuts):
        yield from _word_slices(parts, half)


def row_slices(inputs: Inputs, words: range, runs: _Runs, rows: int) -> Iterator[tuple[range, _Runs]]:
    """Yield, in order, slices of *words* and the *runs* that begin with them, of at most so many *rows* together.

    A single word may have more.
    """
    if sum(map(len, runs)) <= rows or len(words) < 2:
        yield words, runs
        return
    middle = words[len(words) // 2]
    first = np.int32(middle)  # of the type of the ids, which would be copied otherwise
    cuts = [
        part.from_first(int(np.searchsorted(ids, first)), run)
        for part, ids, run in zip(inputs.parts, inputs.new_ids, runs, strict=True)
    ]
    for part in inputs.parts:
        part.forget()  # the pages that the search has read
    before, after = _halves(runs, cuts)
    yield from row_slices(inputs, range(words.start, middle), before, rows)
    yield from row_slices(inputs, range(middle, words.stop), after, rows)


def _halves(runs: _Runs, cuts: Sequence[int]) -> tuple[_Runs, _Runs]:
    before = [range(run.start, cut) for run, cut in zip(runs, cuts, strict=True)]
    return before, [range(cut, run.stop) for run, cut in zip(runs, cuts, strict=True)]


def _merged_words(parts: Sequence[MappedWords], runs: _Runs, min_count: int) -> tuple[WordTable, list[Longs]]:
    """Return the merged words of *runs*, and by store the place of each word in it, or -1."""
    tables = list[WordTable]()
    for part, run in zip(parts, runs, strict=True):
        tables.append(part.table(run.start, run.stop))
        part.forget()
    words = joined_words(tables)
    bounds = np.concatenate([[0], np.cumsum([len(run) for run in runs])])
    text = np.concatenate([words.text, np.zeros(16, np.uint8)])
    scratch = (np.empty(len(parts), np.uint64), np.empty(len(parts), np.int64))
    ranks, merged = np.empty(words.size, np.int64), Merged(*np.empty((4, words.size), np.int64))
    columns = (words.counts, words.as_first, words.as_second)
    places = merge_runs(Runs(every_eight(text.data), words.starts, bounds, *columns), *scratch, ranks, merged)
    keep = merged.counts[:places] >= min_count
    new = np.where(keep, np.cumsum(keep) - 1, -1)
    order, *sums = (column[:places][keep] for column in merged)
    return WordTable(*gathered(text, words.starts, order), *sums), np.split(new[ranks], bounds[1:-1])


def _merged_rows(
    inputs: Inputs, how: pairs.Packing | None, floor: int, slice_bytes: int, one: tuple[range, _Runs]
) -> list[RowTable]:
    """Return the sums of a slice of rows that are *floor* or more: of the slice as a whole where its rows fit *how*."""
    packed = _packed(inputs, one[1], how) if how else None
    if how and packed is not None:
        return [unpacked(packed, how, floor)]
    return [
        summed(_renumbered(inputs, runs), floor) for _, runs in row_slices(inputs, *one, slice_bytes // _NOT_PACKED)
    ]


def _packed(inputs: Inputs, runs: _Runs, how: pairs.Packing) -> ULongs | None:
    """Return the *runs* of rows of the stores as one integer each, in the new ids; None if one does not fit."""
    packed, size = np.empty(sum(map(len, runs)) + 1, np.uint64), 0
    for part, ids, run in zip(inputs.parts, inputs.new_ids, runs, strict=True):
        size = pairs.renumber_packed(_rows(part, run), ids, packed, size, how)
        part.forget()
        if size < 0:
            return None
    return packed[:size]


def _renumbered(inputs: Inputs, runs: _Runs) -> KeyTable:
    room, kinds = sum(map(len, runs)) + 1, any("pattern" in part.columns for part in inputs.parts)
    table = KeyTable(np.empty(room, np.uint64), np.empty(room if kinds else 0, np.uint64), np.empty(room, np.int64))
    size = 0
    for part, ids, run in zip(inputs.parts, inputs.new_ids, runs, strict=True):
        size = pairs.renumber(_rows(part, run), ids, table, size)
        part.forget()
    return KeyTable(table.keys[:size], table.kinds[:size], table.counts[:size])


def _rows(part: MappedKeys, run: range) -> RowTable:
    """Return a *run* of rows. All columns are read-only, as mapped ones are, so that the kernel is compiled once."""
    first, second = (part.numbers(name, run.start, run.stop) for name in ("first", "second"))
    counts = part.numbers("count", run.start, run.stop).astype(np.int64)
    pattern, middle = np.empty(0, np.uint8), np.empty(0, np.uint32)
    if "pattern" in part.columns:
        pattern, middle = (part.numbers(name, run.start, run.stop) for name in ("pattern", "middle"))
    table = RowTable(first, second, pattern, middle, counts)
    for column in table:
        column.flags.writeable = False
    return table
