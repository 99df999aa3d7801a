"""Counts as sorted arrays: what a segment yields, what a store holds, and what merging reads and writes."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ncimp.corpus_stats.store.header import Tally
from ncimp.corpus_stats.words import Layer

Bools: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
ULongs: TypeAlias = NDArray[np.uint64]
WordIds: TypeAlias = NDArray[np.uint32]  # ids of words in a store: their places in its table of words
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)


class WordTable(NamedTuple):
    """The words of a layer in the order of their UTF-8 bytes (that of code points); a word's place is its id."""

    text: Bytes
    starts: Longs  # where each word begins in `text`, and the end of the last
    counts: Longs
    as_first: Longs  # number of adjacent pairs that begin with the word; 0 when pairs are not counted
    as_second: Longs

    @property
    def size(self) -> int:
        """Return the number of words."""
        return len(self.counts)

    def word(self, number: int) -> bytes:
        """Return the word with the id *number*."""
        return self.text[self.starts[number] : self.starts[number + 1]].tobytes()


class KeyTable(NamedTuple):
    """Pairs or candidates of a layer in any order, with repetitions."""

    keys: ULongs  # id of the first word in the upper half, of the second in the lower
    kinds: ULongs
    """Number of the pattern in the upper half, id of the middle word plus 1 (0: none) in the lower; empty for pairs."""
    counts: Longs


class RowTable(NamedTuple):
    """Pairs or candidates of a layer, each once, sorted by all columns but the counts."""

    first: WordIds
    second: WordIds
    pattern: Bytes  # number of the pattern; empty for pairs
    middle: WordIds  # id of the middle word plus 1, or 0; empty for pairs
    counts: Longs

    @property
    def size(self) -> int:
        """Return the number of rows."""
        return len(self.counts)

    def rows(self, selection: slice | Bools) -> "RowTable":
        """Return the rows of the *selection*."""
        return RowTable._make(column[selection] if len(column) else column for column in self)


class LayerTables(NamedTuple):
    """All counts of one layer."""

    words: WordTable
    pairs: RowTable
    candidates: RowTable


class SegmentTables(NamedTuple):
    """All counts of a segment."""

    layers: dict[Layer, LayerTables]
    tally: Tally


def halves(keys: ULongs) -> tuple[WordIds, WordIds]:
    """Return the upper and the lower half of *keys*."""
    return (keys >> HALF).astype(np.uint32), keys.astype(np.uint32)  # the cast keeps the lower half


def joined_words(tables: Sequence[WordTable]) -> WordTable:
    """Return the words of *tables* one after the other."""
    texts, starts, *columns = zip(*tables, strict=True)
    text = np.concatenate([text[: places[-1]] for text, places in zip(texts, starts, strict=True)])
    sizes = np.concatenate([[0], *map(np.diff, starts)])
    return WordTable(text, np.cumsum(sizes), *map(np.concatenate, columns))
