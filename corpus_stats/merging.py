"""Merging stores into one: words first, then pairs a slice at a time, so that memory does not grow with the corpus.

Every store is sorted by the bytes of its words, and so is the merged one. So the rows of one run of first words
lie together in each store, and a slice of the result needs no more of them. The result does not depend on how the
counts were spread over the stores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np

import ncimp
from ncimp.corpus_stats.kernel import types, vocabulary
from ncimp.corpus_stats.kernel.compiled import every_eight
from ncimp.corpus_stats.normalising import sorted_words
from ncimp.corpus_stats.store_format import (
    CANDIDATE_COLUMNS,
    CANDIDATES,
    PAIR_COLUMNS,
    PAIRS,
    WORDS,
    TableFacts,
    TableWriter,
    add_keys,
    keys_of,
    write_words,
)
from ncimp.corpus_stats.store_header import LayerTotals, StoreHeader, read_header, write_header
from ncimp.corpus_stats.store_tables import MappedKeys, MappedWords
from ncimp.corpus_stats.store_writing import store_aside
from ncimp.corpus_stats.summing import summed
from ncimp.corpus_stats.tables import KeyTable, Longs, Tally, WordTable, renumbered
from ncimp.corpus_stats.words import Layer
from ncimp.schemas.errors import UsageError

SLICE_ROWS = 500_000
"""Rows, of all stores together, that are merged at a time; about 100 bytes each while they are."""


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Numbers of the words of one store: in the merge before rare words go, and in the result (-1: left out)."""

    all: Longs
    kept: Longs


def merge_stores(paths: Sequence[Path], out: Path, *, min_count: int = 1, workers: int = 1) -> StoreHeader:
    """Write the sum of the stores at *paths* to *out*, without what occurs less than *min_count* times.

    Returns the new header. The stores must count the same things of the same language, and everything (`min_count` 1).
    """
    headers = [read_header(path) for path in paths]
    for path, header in zip(paths, headers, strict=True):
        _check_alike(path, header, headers[0])
    files = [source.sha256 for header in headers for source in header.sources]
    if len(set(files)) < len(files):
        raise UsageError("the stores share a corpus file, which would count twice", fix="merge each file once")
    sources = tuple(sorted(source for header in headers for source in header.sources))
    formats = "; ".join(sorted({name for header in headers for name in header.corpus_format.split("; ")}))
    header = replace(headers[0], sources=sources, corpus_format=formats, tally=Tally())
    return merge_parts(paths, out, replace(header, min_count=min_count), workers=workers)


def merge_parts(paths: Sequence[Path], out: Path, header: StoreHeader, *, workers: int = 1) -> StoreHeader:
    """Write the sum of the stores at *paths* to *out* under *header*, whose totals and tables are filled in.

    What its tally counts already is added.
    """
    headers = [read_header(path) for path in paths]
    layers = [name for name in headers[0].layers if name in header.layers or not header.layers]
    with store_aside(out) as folder:
        facts: dict[str, TableFacts] = {}
        for layer in layers:
            facts |= _merge_layer(paths, folder, layer, header, workers)
        totals = {layer: _totals([part.layers[layer] for part in headers]) for layer in layers}
        tally = reduce(add, (part.tally for part in headers), header.tally)
        header = replace(header, tally=tally, layers=totals, tables=facts, tool=ncimp.__version__)
        write_header(folder, header)
    return header


def _check_alike(path: Path, header: StoreHeader, first: StoreHeader) -> None:
    if header.min_count > 1:
        what = f"{path} has only what occurs {header.min_count} times or oftener, so sums would be too low"
        raise UsageError(what, fix="count it again without --min-count; give --min-count to the merge")
    for name in ("lang", "tokeniser_version", "adjacent", "classes", "patterns"):
        if getattr(header, name) != getattr(first, name):
            what = f"{path} differs from the first store in {name.replace('_', ' ')}"
            raise UsageError(what, fix="count both alike")
    if set(header.layers) != set(first.layers):
        raise UsageError(f"{path} has other layers than the first store", fix="count both alike")


def _totals(parts: Sequence[LayerTotals]) -> LayerTotals:
    return LayerTotals(sum(part.tokens for part in parts), sum(part.bigrams for part in parts))


def _merge_layer(
    paths: Sequence[Path], folder: Path, layer: Layer, header: StoreHeader, workers: int
) -> dict[str, TableFacts]:
    words, numbers = _merge_words([path / (layer + WORDS) for path in paths], header.min_count)
    facts = {layer + WORDS: write_words(folder / (layer + WORDS), words)}
    del words
    tables: list[tuple[str, tuple[str, ...]]] = [(PAIRS, PAIR_COLUMNS)] if header.adjacent else []
    tables += [(CANDIDATES, CANDIDATE_COLUMNS)] if header.patterns else []
    for name, columns in tables:
        parts = [MappedKeys(path / (layer + name)) for path in paths]
        with TableWriter(folder / (layer + name), columns) as writer:
            for table in _sums(parts, numbers, header.min_count, workers):
                add_keys(writer, table)
        facts[layer + name] = writer.facts
        for part in parts:
            part.close()
    return facts


def _merge_words(paths: Sequence[Path], min_count: int) -> tuple[WordTable, list[_Numbers]]:
    merged, ids = vocabulary.new_vocabulary(1 << 12, 1 << 15), list[Longs]()
    for path in paths:
        merged, found = _with_words(merged, path)
        ids.append(found)
    counts = np.zeros(int(merged.used[0]), np.int64)
    vocabulary.counts_by_id(merged, counts)
    words, ranks = sorted_words(merged, counts)
    del merged
    numbers = [ranks[found] for found in ids]
    for path, number in zip(paths, numbers, strict=True):
        with closing(MappedWords(path)) as part:
            words.as_first[number] += part.numbers("as_first", 0, part.rows)
            words.as_second[number] += part.numbers("as_second", 0, part.rows)
    kept = words.counts >= min_count
    new = np.where(kept, np.cumsum(kept) - 1, -1)
    return _only(words, kept), [_Numbers(number, new[number]) for number in numbers]


def _with_words(merged: vocabulary.Vocabulary, path: Path) -> tuple[vocabulary.Vocabulary, Longs]:
    """Add the words of a store to *merged*; return it and their ids in it."""
    with closing(MappedWords(path)) as mapped:
        part = mapped.table()
        merged = vocabulary.with_room(merged, len(part), int(part.starts[-1]))
        found, wanted = np.zeros(len(part), np.int64), np.ones(len(part), np.uint8)
        types.add_types(merged, part.text, every_eight(part.text.data), part.starts, part.counts, wanted, found)
    return merged, found


def _only(words: WordTable, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> WordTable:
    """Return the words that are *kept*."""
    if kept.all():
        return words
    sizes = np.diff(words.starts)
    text = words.text[: words.starts[-1]][np.repeat(kept, sizes)]
    starts = np.concatenate([[0], np.cumsum(sizes[kept])])
    return WordTable(text, starts, words.counts[kept], words.as_first[kept], words.as_second[kept])


def _sums(parts: Sequence[MappedKeys], numbers: Sequence[_Numbers], min_count: int, workers: int) -> Iterator[KeyTable]:
    """Yield the merged rows in order, a slice of first words at a time."""

    def merged(bounds: tuple[int, int]) -> KeyTable:
        rows = [_slice(part, number, *bounds) for part, number in zip(parts, numbers, strict=True)]
        for part in parts:
            part.forget()
        table = summed(KeyTable(*(np.concatenate([getattr(row, name) for row in rows]) for name in KeyTable.__slots__)))
        frequent = table.counts >= min_count
        if frequent.all():
            return table
        kinds = table.kinds[frequent] if len(table.kinds) else table.kinds
        return KeyTable(table.keys[frequent], kinds, table.counts[frequent])

    with ThreadPoolExecutor(workers) as pool:
        yield from _a_few_ahead(pool, merged, list(_bounds(parts, numbers)), workers)


def _a_few_ahead(
    pool: ThreadPoolExecutor, work: Callable[[tuple[int, int]], KeyTable], bounds: list[tuple[int, int]], ahead: int
) -> Iterator[KeyTable]:
    """Yield the results in order, with no more of them in memory than workers."""
    waiting = [pool.submit(work, bound) for bound in bounds[:ahead]]
    for bound in bounds[ahead:]:
        yield waiting.pop(0).result()
        waiting.append(pool.submit(work, bound))
    for future in waiting:
        yield future.result()


def _bounds(parts: Sequence[MappedKeys], numbers: Sequence[_Numbers]) -> Iterator[tuple[int, int]]:
    """Yield runs of first words that have about `SLICE_ROWS` rows in all stores together."""
    size = 1 + max((int(number.all[-1]) for number in numbers if len(number.all)), default=0)
    rows = np.zeros(size, np.int64)
    for part, number in zip(parts, numbers, strict=True):
        for begin, end in part.chunks():
            rows += np.bincount(number.all[part.numbers("first", begin, end)], minlength=size)
            part.forget()
    total = np.cumsum(rows)
    begin, done = 0, 0
    while begin < size:
        end = max(begin + 1, int(np.searchsorted(total, done + SLICE_ROWS)))
        end = min(end, size)
        yield begin, end
        begin, done = end, int(total[end - 1])


def _slice(part: MappedKeys, numbers: _Numbers, begin: int, end: int) -> KeyTable:
    """Return the rows of a store whose first words are in the run, in the numbers of the result."""
    first, last = np.searchsorted(numbers.all, (begin, end))
    rows = part.from_first(int(first)), part.from_first(int(last))
    kinds = np.empty(0, np.uint64)
    if "pattern" in part.columns:
        kinds = keys_of(part.numbers("pattern", *rows), part.numbers("middle", *rows))
    keys = keys_of(part.numbers("first", *rows), part.numbers("second", *rows))
    return renumbered(KeyTable(keys, kinds, part.numbers("count", *rows)), numbers.kept)
