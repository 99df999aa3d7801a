"""Finding tabs and line ends eight bytes at a time, without a branch per byte."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Ints, Words, compiled, inlined, signed

_LOW = np.uint64(0x7F7F7F7F7F7F7F7F)
_TABS = np.uint64(0x0909090909090909)
_LINE_ENDS = np.uint64(0x0A0A0A0A0A0A0A0A)
_GATHER = np.uint64(0x0102040810204080)  # multiplies 0/1 bytes so that the top byte has one bit of each
_SEVEN, _TOP = np.uint64(7), np.uint64(56)

_MASKS = np.arange(256)
_BITS = (_MASKS[:, None] >> np.arange(8)) & 1
_COUNTS = _BITS.sum(axis=1).astype(np.uint64)
"""Marks in eight bytes, by mask."""
_PLACES = np.argsort(1 - _BITS, axis=1, kind="stable").astype(np.int32)
"""Their places, by mask: the first `_COUNTS` of each row."""

SPARE = 8
"""Entries that `find_marks` may write after the last mark."""


@inlined
def _zero_bytes(word: np.uint64) -> np.uint64:
    """Return a word with the top bit of each byte that is zero in *word*; exact, no carry between bytes."""
    return ~((((word & _LOW) + _LOW) | word) | _LOW)


@compiled
def _without_padding(marks: Ints, found: int, size: int) -> int:
    while found and marks[found - 1] >= size:
        found -= 1
    return found


@compiled
def find_marks(eights: Words, size: int, marks: Ints) -> int:
    """Write the positions of all tabs and line ends of the first *size* bytes to *marks*; return how many.

    Eight positions are written each time, whatever the number of marks: the next round overwrites the rest.
    """
    found = np.uint64(0)  # unsigned, because a signed index costs a test for "from the end" each time
    for start in range(0, size, 8):
        word = eights[np.uint64(start)]
        hits = _zero_bytes(word ^ _TABS) | _zero_bytes(word ^ _LINE_ENDS)
        mask = ((hits >> _SEVEN) * _GATHER) >> _TOP
        for place in range(8):
            marks[found + np.uint64(place)] = np.int32(start) + _PLACES[mask, np.uint64(place)]
        found += _COUNTS[mask]
    return _without_padding(marks, signed(found), size)
