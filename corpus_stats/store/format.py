"""The files of a statistics store: a folder of Arrow tables and a header.

    stats/header.json                 what was counted: files, options, totals, versions, hash of each table
    stats/lemma-words.arrow           word, count, as_first, as_second; in the order of the words' code points
    stats/lemma-pairs.arrow           first, second, count; in the order of the numbers of the words
    stats/lemma-candidates.arrow      first, second, pattern, middle, count; likewise
    stats/surface-…

A word's number is its place in the table of words, from 0. `pattern` is a place in the header's list of patterns, from
1; `middle` is the number of a middle word plus 1, or 0. Of a hyphenated word, `first` and `second` are both its number.
Tables are in Arrow's IPC file format, not compressed, in batches of `BATCH_ROWS` rows, so that they are mapped into
memory and searched where they are; pyarrow, polars, DuckDB and R read them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncimp.corpus_stats.store.arrays import RowTable, WordTable

STORE_FORMAT = 2
"""Version of the files. A store of another version is not read: count the corpus again."""

HEADER = "header.json"
BATCH_ROWS = 1 << 20
"""Rows of a batch: fixed, so that the same counts give the same bytes."""

Array = NDArray[Any]

WORDS, PAIRS, CANDIDATES = "-words.arrow", "-pairs.arrow", "-candidates.arrow"
"""What follows the name of the layer in the names of the tables."""

WORD_COLUMNS = ("word", "count", "as_first", "as_second")
PAIR_COLUMNS = ("first", "second", "count")
CANDIDATE_COLUMNS = ("first", "second", "pattern", "middle", "count")

COUNTS = ("count", "as_first", "as_second")

_TYPES = {
    "word": pa.string(),
    "count": pa.int64(),
    "as_first": pa.int64(),
    "as_second": pa.int64(),
    "first": pa.uint32(),
    "second": pa.uint32(),
    "pattern": pa.uint8(),
    "middle": pa.uint32(),
}


_DTYPES = {pa.int64(): np.int64, pa.uint32(): np.uint32, pa.uint8(): np.uint8}


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Rows of a written table, and the sha256 over its columns, batch by batch."""

    rows: int
    sha256: str


class TableWriter:
    """Writes one table in batches of exactly `BATCH_ROWS` rows; use it as a context manager, then ask `facts`.

    The table of a *part* of a run is read once and removed: it has an empty hash, and narrower counts, since no segment
    has more tokens than 32 bits can say.
    """

    def __init__(self, path: Path, columns: tuple[str, ...], *, part: bool = False) -> None:
        types = _TYPES | {name: pa.uint32() for name in COUNTS} if part else _TYPES
        self._schema = pa.schema([(name, types[name]) for name in columns])
        self._writer = pa.ipc.new_file(str(path), self._schema)
        self._waiting: list[pa.Table] = []
        self._digest = hashlib.sha256("\t".join(columns).encode()) if not part else None
        self._rows = self._pending = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._flush(rest=True)
        self._writer.close()

    @property
    def facts(self) -> TableFacts:
        """Return rows and hash of what was written."""
        return TableFacts(self._rows, self._digest.hexdigest() if self._digest else "")

    def add(self, *columns: Array | pa.Array) -> None:
        """Add rows, given as one array a column."""
        typed = [
            column if isinstance(column, pa.Array) else _as_arrow(column, kind)
            for column, kind in zip(columns, self._schema.types, strict=True)
        ]
        self._waiting.append(pa.Table.from_arrays(typed, schema=self._schema))
        self._pending += len(typed[0])
        self._flush(rest=False)

    def _flush(self, *, rest: bool) -> None:
        if self._pending < BATCH_ROWS and not rest:
            return
        table = pa.concat_tables(self._waiting) if self._waiting else self._schema.empty_table()
        whole = self._pending if rest else self._pending - self._pending % BATCH_ROWS
        for begin in range(0, whole, BATCH_ROWS):
            self._write(table.slice(begin, min(BATCH_ROWS, whole - begin)).combine_chunks())
        self._waiting, self._pending = [table.slice(whole)], self._pending - whole

    def _write(self, table: pa.Table) -> None:
        (batch,) = table.to_batches()
        self._writer.write_batch(batch)
        self._rows += len(batch)
        if self._digest:
            for part in digest_parts(batch):
                self._digest.update(part)


def digest_parts(batch: pa.RecordBatch) -> Iterator[memoryview]:
    """Yield the bytes of each column of *batch* that its hash is over: numbers as they are, words with line ends."""
    for column in batch.columns:
        if pa.types.is_string(column.type):
            yield _text_of(column).data
        else:
            yield numbers_of(column).data


def _as_arrow(column: Array, kind: pa.DataType) -> pa.Array:
    """Return numbers as an Arrow array; `pa.array` would import pandas, which takes longer than most segments."""
    numbers = np.ascontiguousarray(column, _DTYPES[kind])
    return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(numbers)])


def dtype_of(kind: pa.DataType) -> np.dtype[Any]:
    """Return the type of numbers of a column."""
    return np.dtype(_DTYPES[kind])


def numbers_of(column: pa.Array) -> Array:
    """Return a column of numbers as it lies in memory; `to_numpy` would import pandas."""
    numbers = np.frombuffer(column.buffers()[1] or b"", _DTYPES[column.type])
    return numbers[column.offset : column.offset + len(column)]


def _text_of(column: pa.Array) -> Array:
    """Return lengths and text of a column of words, as one run of bytes."""
    starts = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    text = np.frombuffer(column.buffers()[2] or b"", np.uint8)[starts[0] : starts[-1]]
    return np.concatenate([np.diff(starts).view(np.uint8), text])


def word_column(words: WordTable) -> Iterator[tuple[pa.Array, slice]]:
    """Yield the words as Arrow strings, a batch at a time, with the rows they are."""
    for begin in range(0, max(1, len(words)), BATCH_ROWS):
        rows = slice(begin, min(len(words), begin + BATCH_ROWS))
        starts = words.starts[rows.start : rows.stop + 1]
        text = words.text[starts[0] : starts[-1]] if len(starts) else words.text[:0]
        offsets = (starts - starts[0]).astype(np.int32)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(text))]
        yield pa.StringArray.from_buffers(rows.stop - rows.start, buffers[1], buffers[2]), rows


def write_words(path: Path, words: WordTable, *, part: bool = False) -> TableFacts:
    """Write the table of words of a layer."""
    with TableWriter(path, WORD_COLUMNS, part=part) as writer:
        for column, rows in word_column(words):
            writer.add(column, words.counts[rows], words.as_first[rows], words.as_second[rows])
    return writer.facts


def add_rows(writer: TableWriter, table: RowTable) -> None:
    """Add the rows of *table*: pairs, or candidates when it has patterns."""
    if len(table):
        kinds = (table.pattern, table.middle) if len(table.pattern) else ()
        writer.add(table.first, table.second, *kinds, table.counts)


def write_part_rows(path: Path, table: RowTable, columns: tuple[str, ...]) -> TableFacts:
    """Write a part's whole table of pairs or candidates, a batch at a time: copies of columns take memory."""
    with TableWriter(path, columns, part=True) as writer:
        for begin in range(0, len(table), BATCH_ROWS):
            add_rows(writer, table.rows(slice(begin, begin + BATCH_ROWS)))
    return writer.facts
