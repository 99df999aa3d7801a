"""Merging stores into one: words first, then pairs a slice at a time, so that memory does not grow with the corpus.

Every store is sorted by the bytes of its words, and so is the merged one. So the rows of one run of first words
lie together in each store, and a slice of the result needs no more of them. The result does not depend on how the
counts were spread over the stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np

import ncimp
from ncimp.corpus_stats.counting.summing import packing, summed, unpacked
from ncimp.corpus_stats.counting.word_merging import Numbers, in_slices, merge_words
from ncimp.corpus_stats.kernel import rows
from ncimp.corpus_stats.store.arrays import Keys, KeyTable, RowTable, Tally
from ncimp.corpus_stats.store.format import (
    CANDIDATE_COLUMNS,
    CANDIDATES,
    PAIR_COLUMNS,
    PAIRS,
    WORDS,
    TableFacts,
    TableWriter,
    add_rows,
    write_words,
)
from ncimp.corpus_stats.store.header import LayerTotals, StoreHeader, read_header, write_header
from ncimp.corpus_stats.store.tables import MappedKeys
from ncimp.corpus_stats.store.writing import store_aside
from ncimp.corpus_stats.words import Layer
from ncimp.schemas.errors import UsageError

SLICE_BYTES = 50_000_000
"""About the memory that the rows take that a worker merges at a time, of all stores together."""

_PACKED, _NOT_PACKED = 25, 100
"""Bytes that a row takes while it is merged."""


@dataclass(frozen=True, slots=True)
class Merging:
    """How stores are merged; none of it changes the result."""

    workers: int = 1
    slice_bytes: int = SLICE_BYTES


@dataclass(frozen=True, slots=True)
class _Inputs:
    """One table of every store, and by store the new numbers of its words."""

    parts: Sequence[MappedKeys]
    numbers: Sequence[Numbers]


@dataclass(frozen=True, slots=True)
class _Slice:
    """A run of words, and the rows that begin with them in each store."""

    words: range
    runs: Sequence[range]


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
    return merge_parts(paths, out, replace(header, min_count=min_count), Merging(workers))


def merge_parts(paths: Sequence[Path], out: Path, header: StoreHeader, merging: Merging) -> StoreHeader:
    """Write the sum of the stores at *paths* to *out* under *header*, whose totals and tables are filled in.

    What its tally counts already is added.
    """
    headers = [read_header(path) for path in paths]
    layers = [name for name in headers[0].layers if name in header.layers or not header.layers]
    with store_aside(out) as folder:
        facts: dict[str, TableFacts] = {}
        for layer in layers:
            facts |= _merge_layer(paths, folder, layer, header, merging)
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
    paths: Sequence[Path], folder: Path, layer: Layer, header: StoreHeader, merging: Merging
) -> dict[str, TableFacts]:
    words, numbers = merge_words([path / (layer + WORDS) for path in paths], header.min_count, merging.workers)
    facts = {layer + WORDS: write_words(folder / (layer + WORDS), words)}
    number = len(words)
    del words
    tables: list[tuple[str, tuple[str, ...]]] = [(PAIRS, PAIR_COLUMNS)] if header.adjacent else []
    tables += [(CANDIDATES, CANDIDATE_COLUMNS)] if header.patterns else []
    for name, columns in tables:
        inputs = _Inputs([MappedKeys(path / (layer + name)) for path in paths], numbers)
        how = _packing(number, header) if name == CANDIDATES else packing(number, 0)
        with TableWriter(folder / (layer + name), columns) as writer:
            for table in _sums(inputs, number, how, header.min_count, merging):
                add_rows(writer, table)
        facts[layer + name] = writer.facts
        for part in inputs.parts:
            part.close()
    return facts


def _packing(words: int, header: StoreHeader) -> rows.Packing | None:
    """Return how candidates are packed, None where they are not: there are patterns of three words."""
    longest = max(len(pattern["parts"]) for pattern in header.patterns)
    return packing(words, len(header.patterns)) if longest < 3 else None


def _sums(inputs: _Inputs, words: int, how: rows.Packing | None, floor: int, merging: Merging) -> Iterator[RowTable]:
    """Yield the merged rows in order, without sums below *floor*; their first words are below *words*."""
    whole = _Slice(range(words), [range(part.rows) for part in inputs.parts])
    slices = _slices(inputs, whole, merging.slice_bytes // (_PACKED if how else _NOT_PACKED))
    for tables in in_slices(lambda one: _summed(inputs, one, how, floor, merging), slices, merging.workers):
        yield from tables


def _slices(inputs: _Inputs, whole: _Slice, rows: int) -> Iterator[_Slice]:
    """Yield, in order, the slices of *whole* that have at most so many *rows*; a single word may have more."""
    words = whole.words
    if sum(map(len, whole.runs)) <= rows or len(words) < 2:
        yield whole
        return
    middle = words[len(words) // 2]
    wanted = np.int32(middle)  # of the type that is searched, which would be copied otherwise
    cuts = [
        part.from_first(int(np.searchsorted(number, wanted)), run)
        for part, number, run in zip(inputs.parts, inputs.numbers, whole.runs, strict=True)
    ]
    for part in inputs.parts:
        part.forget()  # the pages that the search has read
    before = [range(run.start, cut) for run, cut in zip(whole.runs, cuts, strict=True)]
    after = [range(cut, run.stop) for run, cut in zip(whole.runs, cuts, strict=True)]
    yield from _slices(inputs, _Slice(range(words.start, middle), before), rows)
    yield from _slices(inputs, _Slice(range(middle, words.stop), after), rows)


def _summed(inputs: _Inputs, one: _Slice, how: rows.Packing | None, floor: int, merging: Merging) -> list[RowTable]:
    """Return the merged rows of a slice in order; where they cannot be packed, they are too many to do at a time."""
    packed = _packed(inputs, one.runs, how) if how else None
    if how and packed is not None:
        return [unpacked(packed, how, floor)]
    smaller = _slices(inputs, one, merging.slice_bytes // _NOT_PACKED)
    return [summed(_renumbered(inputs, part.runs), floor) for part in smaller]


def _packed(inputs: _Inputs, runs: Sequence[range], how: rows.Packing) -> Keys | None:
    """Return the *runs* of rows of the stores as one integer each, in the numbers of the result; None if one is not."""
    packed, found = np.empty(sum(map(len, runs)) + 1, np.uint64), 0
    for part, number, run in zip(inputs.parts, inputs.numbers, runs, strict=True):
        found = rows.renumber_packed(_columns(part, run), number, packed, found, how)
        part.forget()
        if found < 0:
            return None
    return packed[:found]


def _renumbered(inputs: _Inputs, runs: Sequence[range]) -> KeyTable:
    """Return the *runs* of rows of the stores one after the other, in the numbers of the result."""
    room, kinds = sum(map(len, runs)) + 1, any("pattern" in part.columns for part in inputs.parts)
    table = rows.Rows(np.empty(room, np.uint64), np.empty(room if kinds else 0, np.uint64), np.empty(room, np.int64))
    found = 0
    for part, number, run in zip(inputs.parts, inputs.numbers, runs, strict=True):
        found = rows.renumber(_columns(part, run), number, table, found)
        part.forget()
    return KeyTable(table.keys[:found], table.kinds[:found], table.counts[:found])


def _columns(part: MappedKeys, run: range) -> rows.Columns:
    """Return a *run* of rows. All of it is marked as read-only, as what is mapped is: the kernel is compiled once."""
    first, second = (part.numbers(name, run.start, run.stop) for name in ("first", "second"))
    counts = part.numbers("count", run.start, run.stop).astype(np.int64)
    pattern, middle = np.empty(0, np.uint8), np.empty(0, np.uint32)
    if "pattern" in part.columns:
        pattern, middle = (part.numbers(name, run.start, run.stop) for name in ("pattern", "middle"))
    columns = rows.Columns(first, second, pattern, middle, counts)
    for column in columns:
        column.flags.writeable = False
    return columns
