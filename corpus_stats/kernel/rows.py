"""Rows of pairs as one integer each, so that one fast sort of integers does, without any memory beside."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, Words, compiled, inlined, signed

Numbers: TypeAlias = NDArray[np.uint32]
"""Numbers of words, as stores have them."""

_HALF, _LOW, _ONE = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(1)


class Rows(NamedTuple):
    """The columns of rows; those of adjacent pairs have no kinds."""

    keys: Words
    kinds: Words
    counts: Longs


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


@compiled
def pack_places(keys: Words, kinds: Words, packed: Words, bits: int, patterns: int, places: int) -> None:
    """Write each key (two numbers below 2**bits), its pattern (below 2**patterns) and its place as one integer."""
    width, more, last = np.uint64(bits), np.uint64(patterns), np.uint64(places)
    for row in range(np.uint64(len(keys))):
        pair = ((keys[row] >> _HALF) << width) | (keys[row] & _LOW)
        packed[row] = (((pair << more) | (kinds[row] >> _HALF)) << last) | row


@inlined
def _number(numbers: Ints, word: np.uint64) -> int:
    """Return the number of *word*, or -1 where it is left out: numbers are those of `word_merging.Numbers`."""
    before = numbers[word - _ONE] if word > np.uint64(0) else np.int32(-1)
    return signed(numbers[word] if numbers[word] != before else np.int32(-1))


@compiled
def renumber(
    first: Numbers,
    second: Numbers,
    patterns: Bytes,
    middles: Numbers,
    counts: Longs,
    numbers: Ints,
    table: Rows,
    at: int,
) -> int:
    """Write rows to *table* from row *at* on, with the new *numbers* of their words; return where they end.

    Rows with a word that is left out are left out; *table* has room for one more than are not. *patterns* and
    *middles* are empty for adjacent pairs.
    """
    found = np.uint64(at)
    for row in range(np.uint64(len(first))):
        one, two = _number(numbers, np.uint64(first[row])), _number(numbers, np.uint64(second[row]))
        middle, keep = np.uint64(0), (one >= 0) & (two >= 0)
        if len(patterns):
            if middles[row]:
                number = _number(numbers, np.uint64(middles[row]) - _ONE)
                middle, keep = np.uint64(number + 1), keep & (number >= 0)
            table.kinds[found] = (np.uint64(patterns[row]) << _HALF) | middle
        table.keys[found] = (np.uint64(one) << _HALF) | np.uint64(two)
        table.counts[found] = counts[row]
        found += np.uint64(keep)
    return signed(found)


@compiled
def add_up(table: Rows, order: Longs, sums: Rows) -> int:
    """Write the rows of *table* in that *order* to *sums*, the counts of equal neighbours added; return how many."""
    found = np.uint64(0)
    for place in range(np.uint64(len(order))):
        row = np.uint64(order[place])
        key, last = table.keys[row], found - _ONE
        same = found > np.uint64(0) and sums.keys[last] == key
        if len(table.kinds):
            same = same and sums.kinds[last] == table.kinds[row]
            if not same:
                sums.kinds[found] = table.kinds[row]
        if same:
            sums.counts[last] += table.counts[row]
        else:
            sums.keys[found], sums.counts[found] = key, table.counts[row]
            found += _ONE
    return signed(found)
