"""Rows of pairs as one integer each, so that one fast sort of integers does, without any memory beside."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Longs, Words, compiled

_HALF, _LOW, _ONE = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(1)


@compiled
def pack(keys: Words, counts: Longs, bits: int, left: int) -> None:
    """Turn each key (two numbers below 2**bits) and its count (below 2**left) into one integer, in *keys*."""
    width, shift = np.uint64(bits), np.uint64(left)
    for row in range(len(keys)):
        pair = ((keys[row] >> _HALF) << width) | (keys[row] & _LOW)
        keys[row] = (pair << shift) | np.uint64(counts[row])


@compiled
def unpack(keys: Words, counts: Longs, bits: int, left: int) -> int:
    """Turn sorted integers back into keys and counts, equal keys added up; return how many rows there are."""
    width, shift = np.uint64(bits), np.uint64(left)
    second, count = (_ONE << width) - _ONE, (_ONE << shift) - _ONE
    found = 0
    for row in range(len(keys)):
        pair = keys[row] >> shift
        key = ((pair >> width) << _HALF) | (pair & second)
        number = np.int64(keys[row] & count)
        if found and keys[found - 1] == key:
            counts[found - 1] += number
        else:
            keys[found], counts[found] = key, number
            found += 1
    return found
