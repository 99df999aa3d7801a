"""Searching the tables of a store where they lie: mapped into memory, by bisection, without reading them."""

from __future__ import annotations

import hashlib
import mmap
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncimp.corpus_stats.store.arrays import HALF, WordTable
from ncimp.corpus_stats.store.format import BATCH_ROWS, COUNTS, TableFacts, digest_parts, dtype_of, numbers_of


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as stream:
        try:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError as error:  # an empty file
            raise pa.ArrowInvalid(str(error)) from None


class MappedTable:
    """One Arrow file; its batches are opened when they are first asked for."""

    def __init__(self, path: Path) -> None:
        self._map = _mapped(path)
        self._reader = pa.ipc.open_file(pa.py_buffer(self._map))
        self._batches: dict[int, Any] = {}
        self.columns: tuple[str, ...] = tuple(self._reader.schema.names)
        """The names of the columns."""
        last = self.batch(self.batches - 1)
        self.rows = (self.batches - 1) * BATCH_ROWS + len(last) if self.batches else 0
        """How many rows it has."""

    def close(self) -> None:
        """Let the file go, when no array taken from it is in use any more."""
        self._batches.clear()
        self._reader = None

    def forget(self) -> None:
        """Take the pages read so far out of memory; they are read again when they are asked for again."""
        if hasattr(self._map, "madvise"):
            self._map.madvise(mmap.MADV_DONTNEED)

    @property
    def batches(self) -> int:
        """Return the number of batches."""
        return int(self._reader.num_record_batches)

    def batch(self, number: int) -> Any:
        """Return a batch (`pyarrow.RecordBatch`), or an empty list when there is none."""
        if number < 0:
            return []
        if number not in self._batches:
            self._batches[number] = self._reader.get_batch(number)
        return self._batches[number]

    def value(self, column: str, row: int) -> Any:
        """Return one cell, as a Python object."""
        return self.batch(row // BATCH_ROWS).column(column)[row % BATCH_ROWS].as_py()

    def numbers(self, column: str, begin: int, end: int) -> NDArray[Any]:
        """Return the rows from *begin* to *end* of a column of numbers; a view where they are in one batch."""
        parts = [np.empty(0, dtype_of(self._reader.schema.field(column).type))]
        while begin < end:
            batch, first = divmod(begin, BATCH_ROWS)
            last = min(BATCH_ROWS, first + end - begin)
            parts.append(numbers_of(self.batch(batch).column(column))[first:last])
            begin += last - first
        return parts[1] if len(parts) == 2 else np.concatenate(parts)

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Yield begin and end of runs of rows that fit in memory."""
        for begin in range(0, self.rows, BATCH_ROWS):
            yield begin, min(self.rows, begin + BATCH_ROWS)

    def facts(self) -> TableFacts:
        """Return rows and hash of the table; reads all of it."""
        digest = hashlib.sha256("\t".join(self.columns).encode())
        for number in range(self.batches):
            for part in digest_parts(self._reader.get_batch(number)):
                digest.update(part)
        return TableFacts(self.rows, digest.hexdigest())


class MappedWords(MappedTable):
    """The words of a layer."""

    def word(self, number: int) -> str:
        """Return the word of that number."""
        return str(self.value("word", number))

    def find(self, word: str) -> int | None:
        """Return the number of *word*, or None when it is not there."""
        row = bisect_left(range(self.rows), word, key=self.word)  # UTF-8 and Python order by code point alike
        return row if row < self.rows and self.word(row) == word else None

    def table(self, begin: int, end: int) -> WordTable:
        """Return the words from *begin* to *end* as arrays."""
        texts, starts, at = [np.empty(0, np.uint8)], [np.zeros(1, np.int64)], 0
        columns = [self.numbers(name, begin, end).astype(np.int64) for name in COUNTS]
        while begin < end:
            batch, first = divmod(begin, BATCH_ROWS)
            column = self.batch(batch).column("word")
            last = min(len(column), first + end - begin)
            offsets = np.frombuffer(column.buffers()[1], np.int32)[first : last + 1].astype(np.int64)
            texts.append(np.frombuffer(column.buffers()[2] or b"", np.uint8)[offsets[0] : offsets[-1]])
            starts.append(offsets[1:] - offsets[0] + at)
            at = int(starts[-1][-1])
            begin += last - first
        return WordTable(np.concatenate(texts), np.concatenate(starts), *columns)


class MappedKeys(MappedTable):
    """Pairs or candidates of a layer, in the order of their words' numbers."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._begins = [self._key(number * BATCH_ROWS) for number in range(self.batches)]

    def _key(self, row: int) -> int:
        return int(self.value("first", row)) << int(HALF) | int(self.value("second", row))

    def find(self, first: int, second: int) -> range:
        """Return the rows of the pair: none or one, or more for candidates of several patterns."""
        key = first << int(HALF) | second
        return range(self._edge(key, bisect_left), self._edge(key, bisect_right))

    def from_first(self, first: int, rows: range) -> int:
        """Return the first row whose first word has the number *first* or a higher one; it must be in *rows*, or next.

        Less is looked at of the file than without that, and what is looked at lies together.
        """
        number = bisect_left(self._begins, first << int(HALF))
        if not number:
            return 0
        begin = (number - 1) * BATCH_ROWS  # the rest of the batches begin after it
        low, high = max(rows.start - begin, 0), min(rows.stop - begin, BATCH_ROWS)
        column = numbers_of(self.batch(number - 1).column("first"))[low:high]
        return begin + low + int(np.searchsorted(column, np.uint32(first)))

    def _edge(self, key: int, bisect: Any) -> int:
        number = max(0, bisect(self._begins, key) - 1)
        if bisect is bisect_left and number and self._begins[number] >= key:
            number -= 1
        begin = number * BATCH_ROWS
        return int(bisect(range(self.rows), key, begin, min(self.rows, begin + BATCH_ROWS), key=self._key))
