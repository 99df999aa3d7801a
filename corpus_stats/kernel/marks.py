"""Finding tabs and line ends, 64 bytes at a time."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel import vectors
from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, compiled, signed

_GROUP = 8
_ONE, _EIGHT = np.uint64(1), np.uint64(_GROUP)

SPARE = vectors.WIDTH + _GROUP
"""Entries that `find_marks` may write after the last mark."""


@compiled
def _without_padding(marks: Ints, found: int, size: int) -> int:
    while found and marks[found - 1] >= size:
        found -= 1
    return found


@compiled
def find_marks(data: Bytes, size: int, marks: Ints) -> int:
    """Write the positions of all tabs and line ends of the first *size* bytes to *marks*; return how many.

    They are written eight at a time, also where fewer are left: the next ones overwrite the rest. A loop that ended
    after the last would mispredict its end each time.
    """
    found = np.uint64(0)  # unsigned, because a signed index costs a test for "from the end" each time
    for start in range(0, size, vectors.WIDTH):
        at = np.uint64(start)
        mask = vectors.marks_at(data, at)
        place, found = found, found + vectors.bits(mask)
        while place < found:
            for offset in range(_GROUP):
                marks[place + np.uint64(offset)] = np.int32(at + vectors.lowest_bit(mask))
                mask &= mask - _ONE
            place += _EIGHT
    return _without_padding(marks, signed(found), size)
