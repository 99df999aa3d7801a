"""The Arrow tables of a statistics store: written in batches, mapped into memory, searched by bisection.

Tables are in Arrow's IPC file format, not compressed, in batches of `BATCH_ROWS` rows, so that they are mapped into
memory and searched in place; pyarrow, polars, DuckDB and R read them. Functions of pyarrow that import pandas
(`to_numpy`, `pa.array`, `empty_table`) are avoided: the import takes longer than counting most files.
"""

import hashlib
import mmap
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import ncimp
from ncimp.corpus_stats.store.header import CANDIDATES, PAIRS, WORDS, LayerTotals, StoreHeader, TableFacts, write_header
from ncimp.corpus_stats.store.tables import RowTable, SegmentTables, WordTable

BATCH_ROWS = 1 << 20  # rows of a batch: fixed, so that the same counts give the same bytes
Array = NDArray[Any]

COUNTS = ("count", "as_first", "as_second")
COLUMNS = {
    WORDS: ("word", *COUNTS),
    PAIRS: ("first", "second", "count"),
    CANDIDATES: ("first", "second", "pattern", "middle", "count"),
}
"""By the end of a table's file name."""

_TYPES = {
    "word": pa.string(),
    **{name: pa.int64() for name in COUNTS},
    "first": pa.uint32(),
    "second": pa.uint32(),
    "pattern": pa.uint8(),
    "middle": pa.uint32(),
}
_DTYPES = {pa.int64(): np.int64, pa.uint32(): np.uint32, pa.uint8(): np.uint8}


class TableWriter:
    """Write one table in batches of exactly `BATCH_ROWS` rows, as a context manager; `facts` are known at its end.

    The table of a *part* of a run is read once and removed: it has an empty hash, and narrower counts, since no segment
    has more tokens than fit in 32 bits.
    """

    def __init__(self, path: Path, *, part: bool = False) -> None:
        (columns,) = (names for end, names in COLUMNS.items() if path.name.endswith(end))
        types = _TYPES | {name: pa.uint32() for name in COUNTS} if part else _TYPES
        self._schema = pa.schema([(name, types[name]) for name in columns])
        self._writer = pa.ipc.new_file(str(path), self._schema)
        self._waiting: list[pa.Table] = []
        self._digest = None if part else hashlib.sha256("\t".join(columns).encode())
        self._rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._flush(1)
        self._writer.close()

    @property
    def facts(self) -> TableFacts:
        """Return rows and hash of the table."""
        return TableFacts(self._rows, self._digest.hexdigest() if self._digest else "")

    def add(self, *columns: Array | pa.Array) -> None:
        """Add rows, given as one array a column."""
        typed = list[pa.Array]()
        for column, kind in zip(columns, self._schema.types, strict=True):
            if not isinstance(column, pa.Array):
                numbers = np.ascontiguousarray(column, _DTYPES[kind])
                column = pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(numbers)])
            typed.append(column)
        self._waiting.append(pa.Table.from_arrays(typed, schema=self._schema))
        self._flush(BATCH_ROWS)

    def add_rows(self, table: RowTable) -> None:
        """Add pairs, or candidates when *table* has patterns."""
        if table.size:
            kinds = (table.pattern, table.middle) if len(table.pattern) else ()
            self.add(table.first, table.second, *kinds, table.counts)

    def _flush(self, least: int) -> None:
        """Write batches of the waiting rows until fewer than *least* are left."""
        rows, begin = sum(map(len, self._waiting)), 0
        if rows < least:
            return
        table = pa.concat_tables(self._waiting)
        while rows - begin >= least:
            (batch,) = table.slice(begin, BATCH_ROWS).combine_chunks().to_batches()
            self._writer.write_batch(batch)
            begin += len(batch)
            if self._digest:
                _update(self._digest, batch)
        self._waiting, self._rows = [table.slice(begin)], self._rows + begin


def write_words(path: Path, words: WordTable, *, part: bool = False) -> TableFacts:
    """Write the table of words of a layer."""
    with TableWriter(path, part=part) as writer:
        for begin in range(0, words.size, BATCH_ROWS):
            rows = slice(begin, min(words.size, begin + BATCH_ROWS))
            starts = words.starts[rows.start : rows.stop + 1]
            text = np.ascontiguousarray(words.text[starts[0] : starts[-1]])
            offsets = pa.py_buffer((starts - starts[0]).astype(np.int32))
            column = pa.StringArray.from_buffers(rows.stop - rows.start, offsets, pa.py_buffer(text))
            writer.add(column, words.counts[rows], words.as_first[rows], words.as_second[rows])
    return writer.facts


def write_part_rows(path: Path, table: RowTable) -> TableFacts:
    """Write a part's table of pairs or candidates, a batch at a time: copies of columns take memory."""
    with TableWriter(path, part=True) as writer:
        for begin in range(0, table.size, BATCH_ROWS):
            writer.add_rows(table.rows(slice(begin, begin + BATCH_ROWS)))
    return writer.facts


def write_part(folder: Path, tables: SegmentTables, header: StoreHeader) -> None:
    """Write *tables* into *folder* as a part of a run, and *header* with their totals."""
    facts, totals = {}, {}
    for name, layer in tables.layers.items():
        facts[name + WORDS] = write_words(folder / (name + WORDS), layer.words, part=True)
        if header.adjacent:
            facts[name + PAIRS] = write_part_rows(folder / (name + PAIRS), layer.pairs)
        if header.patterns:
            facts[name + CANDIDATES] = write_part_rows(folder / (name + CANDIDATES), layer.candidates)
        totals[name] = LayerTotals(int(layer.words.counts.sum()), int(layer.pairs.counts.sum()))
    write_header(folder, replace(header, tally=tables.tally, layers=totals, tables=facts, tool=ncimp.__version__))


def _update(digest: Any, batch: pa.RecordBatch) -> None:
    """Add *batch* to the hash of a table: numbers as they are, words as their lengths and their text."""
    for column in batch.columns:
        if column.type not in _DTYPES:
            starts = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
            text = np.frombuffer(column.buffers()[2] or b"", np.uint8)[starts[0] : starts[-1]]
            digest.update(np.concatenate([np.diff(starts).view(np.uint8), text]).data)
        else:
            digest.update(_numbers_of(column).data)


def _numbers_of(column: pa.Array) -> Array:
    numbers = np.frombuffer(column.buffers()[1] or b"", _DTYPES[column.type])
    return numbers[column.offset : column.offset + len(column)]


class MappedTable:
    """One Arrow file, mapped into memory; its batches are opened on first use."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as stream:
            try:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError as error:  # an empty file
                raise pa.ArrowInvalid(str(error)) from None
        reader = pa.ipc.open_file(pa.py_buffer(self._map))
        self.batch: Callable[[int], Any] = cache(reader.get_batch)  # a batch (`pyarrow.RecordBatch`) by its number
        self.columns: dict[str, Any] = dict(zip(reader.schema.names, reader.schema.types, strict=True))
        """The names of the columns and their types."""
        self.batches = int(reader.num_record_batches)  # the number of batches
        self.rows = (self.batches - 1) * BATCH_ROWS + len(self.batch(self.batches - 1)) if self.batches else 0
        """The number of rows."""

    def close(self) -> None:
        """Release the file, as soon as no array of it is in use any more."""
        vars(self).clear()

    def forget(self) -> None:
        """Release the memory of the pages read so far; they are read again on demand."""
        if hasattr(self._map, "madvise"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def value(self, column: str, row: int) -> Any:
        """Return one cell, as a Python object."""
        return self.batch(row // BATCH_ROWS).column(column)[row % BATCH_ROWS].as_py()

    def numbers(self, column: str, begin: int, end: int) -> Array:
        """Return the rows from *begin* to *end* of a column of numbers; a view where they are in one batch."""
        parts = [_numbers_of(batch.column(column))[rows] for batch, rows in self._spans(begin, end)]
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, _DTYPES[self.columns[column]]), *parts])

    def _spans(self, begin: int, end: int) -> Iterator[tuple[Any, slice]]:
        """Yield the batches with the rows from *begin* to *end*, and these rows of each."""
        while begin < end:
            number, first = divmod(begin, BATCH_ROWS)
            last = min(BATCH_ROWS, first + end - begin)
            yield self.batch(number), slice(first, last)
            begin += last - first

    def cells(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """Yield the cells of the columns *names*, row by row, as Python objects."""
        for number in range(self.batches):
            columns = map(self.batch(number).column, names)
            values = (_numbers_of(one).tolist() if one.type in _DTYPES else one.to_pylist() for one in columns)
            yield from zip(*values, strict=True)

    def facts(self) -> TableFacts:
        """Return rows and hash of the table; reads all of it."""
        digest = hashlib.sha256("\t".join(self.columns).encode())
        for number in range(self.batches):
            _update(digest, self.batch(number))
        return TableFacts(self.rows, digest.hexdigest())


class MappedWords(MappedTable):
    """The words of a layer."""

    def word(self, number: int) -> str:
        """Return the word with that id."""
        return str(self.value("word", number))

    def find(self, word: str) -> int | None:
        """Return the id of *word*, or None when it is not in the table."""
        row = bisect_left(range(self.rows), word, key=self.word)  # UTF-8 and Python order by code point alike
        return row if row < self.rows and self.word(row) == word else None

    def table(self, begin: int, end: int) -> WordTable:
        """Return the words from *begin* to *end* as arrays."""
        texts, starts, at = [np.empty(0, np.uint8)], [np.zeros(1, np.int64)], 0
        columns = [self.numbers(name, begin, end).astype(np.int64) for name in COUNTS]
        for batch, rows in self._spans(begin, end):
            _, offsets_buffer, text = batch.column("word").buffers()
            offsets = np.frombuffer(offsets_buffer, np.int32)[rows.start : rows.stop + 1].astype(np.int64)
            texts.append(np.frombuffer(text or b"", np.uint8)[offsets[0] : offsets[-1]])
            starts.append(offsets[1:] - offsets[0] + at)
            at = int(starts[-1][-1])
        return WordTable(np.concatenate(texts), np.concatenate(starts), *columns)


class MappedKeys(MappedTable):
    """Pairs or candidates of a layer, in the order of the ids of their words."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._begins = [int(self.value("first", number * BATCH_ROWS)) for number in range(self.batches)]

    def find(self, first: int, second: int) -> range:
        """Return the rows of the pair: at most one, or more for candidates of several patterns."""
        begin, end = (self.from_first(number, range(self.rows)) for number in (first, first + 1))
        seconds, number = self.numbers("second", begin, end), np.uint32(second)
        return range(*(begin + int(np.searchsorted(seconds, number, side)) for side in ("left", "right")))

    def from_first(self, first: int, rows: range) -> int:
        """Return the first row whose first word has the id *first* or a higher one; it is in *rows*, or just after.

        The search reads few pages of the file, and those lie together.
        """
        number = bisect_left(self._begins, first)
        if not number:
            return 0
        begin = (number - 1) * BATCH_ROWS  # the rest of the batches begin after it
        low, high = max(rows.start - begin, 0), min(rows.stop - begin, BATCH_ROWS)
        column = _numbers_of(self.batch(number - 1).column("first"))[low:high]
        return begin + low + int(np.searchsorted(column, np.uint32(first)))
