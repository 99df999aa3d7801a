"""Counts as sorted arrays: what a segment gives, what a store holds, and what merging reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ncimp.corpus_stats.words import Layer

Bytes: TypeAlias = NDArray[np.uint8]
Longs: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.uint32]

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of a layer in the order of their UTF-8 bytes (that of code points); a word's place is its id."""

    text: Bytes
    starts: Longs
    """Where each word begins in `text`, and the end."""
    counts: Longs
    as_first: Longs
    """Sum of the pairs that begin with the word; zeros when adjacent pairs are not counted."""
    as_second: Longs

    def __len__(self) -> int:
        return len(self.counts)

    def word(self, number: int) -> bytes:
        """Return the word with the id *number*."""
        return self.text[self.starts[number] : self.starts[number + 1]].tobytes()


@dataclass(frozen=True, slots=True)
class KeyTable:
    """Pairs or candidates of a layer in any order; the same may be there several times."""

    keys: Keys
    """Id of the first word in the upper half, of the second in the lower."""
    kinds: Keys
    """Number of the pattern in the upper half, id of the middle word plus 1 (0: none) in the lower; empty for pairs."""
    counts: Longs

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True, slots=True)
class RowTable:
    """Pairs or candidates of a layer, each once, sorted by all columns but the counts."""

    first: Numbers
    """Id of the first word."""
    second: Numbers
    pattern: Bytes
    """Number of the pattern; empty for pairs."""
    middle: Numbers
    """Id of the middle word plus 1, or 0; empty for pairs."""
    counts: Longs

    def __len__(self) -> int:
        return len(self.counts)

    def copy(self) -> RowTable:
        """Return the rows in memory of their own."""
        kinds = (self.pattern.copy(), self.middle.copy())
        return RowTable(self.first.copy(), self.second.copy(), *kinds, self.counts.copy())

    def rows(self, wanted: slice | Bools) -> RowTable:
        """Return the rows *wanted*."""
        pattern, middle = self.pattern, self.middle
        if len(pattern):
            pattern, middle = pattern[wanted], middle[wanted]
        return RowTable(self.first[wanted], self.second[wanted], pattern, middle, self.counts[wanted])


@dataclass(frozen=True, slots=True)
class LayerTables:
    """All counts of one layer."""

    words: WordTable
    pairs: RowTable
    candidates: RowTable


@dataclass(frozen=True, slots=True)
class Tally:
    """What was read beside the counts."""

    sentences: int = 0
    documents: int = 0
    lines: int = 0
    broken_lines: int = 0
    """Lines that were passed over, because they do not fit the format or the encoding; their sentences were, too."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Tables:
    """All counts of a segment or a corpus."""

    layers: dict[Layer, LayerTables]
    tally: Tally = field(default_factory=Tally)


def halves(keys: Keys) -> tuple[Numbers, Numbers]:
    """Return the upper and the lower half of *keys*."""
    return (keys >> HALF).astype(np.uint32), keys.astype(np.uint32)  # which keeps the lower half


def joined_words(tables: Sequence[WordTable]) -> WordTable:
    """Return the words of *tables* one after the other."""
    text = np.concatenate([table.text[: table.starts[-1]] for table in tables])
    sizes = np.concatenate([np.diff(table.starts) for table in tables])
    columns = (
        np.concatenate([getattr(table, name) for table in tables]) for name in ("counts", "as_first", "as_second")
    )
    return WordTable(text, _starts(sizes), *columns)


def _starts(sizes: Longs) -> Longs:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
