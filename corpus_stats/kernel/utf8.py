"""Finding bytes that are no UTF-8, eight at a time where all are ASCII."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Words, compiled

_HIGH = np.uint64(0x8080808080808080)
_ONES, _ZERO = np.uint64(0x0101010101010101), np.uint64(0)


@compiled
def _length(data: Bytes, at: int) -> int:
    """Return the length of the character at *at* (Unicode standard, table 3-7); 0 where there is none.

    Up to three bytes after it are read.
    """
    first, second = data[at], data[at + 1]
    if 0 < first < 0x80:
        return 1
    low, high = 0x80, 0xBF
    if first == 0xE0:
        low = 0xA0
    elif first == 0xED:
        high = 0x9F
    elif first == 0xF0:
        low = 0x90
    elif first == 0xF4:
        high = 0x8F
    if not low <= second <= high:
        return 0
    if 0xC2 <= first <= 0xDF:
        return 2
    if data[at + 2] & 0xC0 != 0x80:
        return 0
    if 0xE0 <= first <= 0xEF:
        return 3
    return 4 if 0xF0 <= first <= 0xF4 and data[at + 3] & 0xC0 == 0x80 else 0


@compiled
def first_odd(data: Bytes, eights: Words, at: int, size: int) -> int:
    """Return the place of the first byte from *at* on that is NUL or no UTF-8; *size* when there is none."""
    while at < size:
        word = eights[np.uint64(at)]
        if at + 8 <= size and (word & _HIGH) == _ZERO and ((word - _ONES) & _HIGH) == _ZERO:
            at += 8
            continue
        length = _length(data, at)
        if length == 0 or at + length > size:
            return at
        at += length
    return size
