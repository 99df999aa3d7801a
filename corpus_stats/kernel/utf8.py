"""Finding bytes that are no UTF-8, 64 at a time where all are ASCII."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel import vectors
from ncimp.corpus_stats.kernel.compiled import Bytes, compiled, signed


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
def first_odd(data: Bytes, at: int, size: int) -> int:
    """Return the place of the first byte from *at* on that is NUL or no UTF-8; *size* when there is none."""
    while at < size:
        at += signed(vectors.lowest_bit(vectors.odd_at(data, np.uint64(at))))  # past what is ASCII, 64 bytes at most
        while at < size and (data[at] >= 0x80 or data[at] == 0):
            length = _length(data, at)
            if length == 0 or at + length > size:
                return at
            at += length
    return size
