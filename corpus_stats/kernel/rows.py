"""Rows of pairs as one integer each, so that one fast sort of integers does, without any memory beside."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, Number, Words, compiled, inlined, signed

Numbers: TypeAlias = NDArray[np.uint32]
"""Numbers of words, as stores have them."""

_HALF, _LOW, _ONE = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(1)


class Columns(NamedTuple):
    """A run of the rows of a store; patterns and middles are empty for adjacent pairs. Nothing is written to them."""

    first: Numbers
    second: Numbers
    patterns: Bytes
    middles: Numbers
    counts: Longs


class Rows(NamedTuple):
    """Rows in any order; those of adjacent pairs have no kinds."""

    keys: Words
    kinds: Words
    counts: Longs


class Packing(NamedTuple):
    """How a row is one integer: first word, second word, pattern, count, from the highest bit down."""

    bits: int
    """Bits of the number of a word."""
    kinds: int
    """Bits of the number of a pattern; 0 for adjacent pairs."""
    left: int
    """Bits of a count."""


@inlined
def packed_row(one: Number, two: Number, pattern: Number, count: Number, how: Packing) -> np.uint64:
    """Return a row as one integer; its count must fit."""
    pair = (np.uint64(one) << np.uint64(how.bits)) | np.uint64(two)
    return (((pair << np.uint64(how.kinds)) | np.uint64(pattern)) << np.uint64(how.left)) | np.uint64(count)


@compiled
def unpack(
    packed: Words, how: Packing, floor: int, first: Numbers, second: Numbers, pattern: Bytes, counts: Longs
) -> int:
    """Turn sorted rows back into columns, equal ones added up; return how many sums are *floor* or more.

    *floor* is 1 at least. The columns have room for one row more than there are.
    """
    left, kinds, bits = np.uint64(how.left), np.uint64(how.kinds), np.uint64(how.bits)
    count, kind, word = (_ONE << left) - _ONE, (_ONE << kinds) - _ONE, (_ONE << bits) - _ONE
    found, last = np.uint64(0), np.uint64(0)
    counts[0] = 0
    for row in range(np.uint64(len(packed))):
        key = packed[row] >> left
        if key != last:
            found += np.uint64(counts[found] >= floor)
            counts[found], last = 0, key
        counts[found] += signed(packed[row] & count)
        first[found], second[found] = key >> (kinds + bits), (key >> kinds) & word
        if len(pattern):
            pattern[found] = key & kind
    return signed(found + np.uint64(counts[found] >= floor))


@compiled
def pack_places(keys: Words, kinds: Words, packed: Words, bits: int, patterns: int, places: int) -> None:
    """Write each key (two numbers below 2**bits), its pattern (below 2**patterns) and its place as one integer."""
    width, more, last = np.uint64(bits), np.uint64(patterns), np.uint64(places)
    for row in range(np.uint64(len(keys))):
        pair = ((keys[row] >> _HALF) << width) | (keys[row] & _LOW)
        packed[row] = (((pair << more) | (kinds[row] >> _HALF)) << last) | row


@inlined
def _number(numbers: Ints, which: Number) -> int:
    """Return the number of a word, or -1 where it is left out: numbers are those of `word_merging.Numbers`."""
    word = np.uint64(which)
    before = numbers[word - _ONE] if word > np.uint64(0) else np.int32(-1)
    return signed(numbers[word] if numbers[word] != before else np.int32(-1))


@compiled
def renumber(columns: Columns, numbers: Ints, table: Rows, at: int) -> int:
    """Write rows to *table* from row *at* on, with the new *numbers* of their words; return where they end.

    Rows with a word that is left out are left out; *table* has room for one more than are not.
    """
    found = np.uint64(at)
    for row in range(np.uint64(len(columns.first))):
        one, two = _number(numbers, columns.first[row]), _number(numbers, columns.second[row])
        middle, keep = np.uint64(0), (one >= 0) & (two >= 0)
        if len(columns.patterns):
            if columns.middles[row]:
                number = _number(numbers, columns.middles[row] - _ONE)
                middle, keep = np.uint64(number + 1), keep & (number >= 0)
            table.kinds[found] = (np.uint64(columns.patterns[row]) << _HALF) | middle
        table.keys[found] = (np.uint64(one) << _HALF) | np.uint64(two)
        table.counts[found] = columns.counts[row]
        found += np.uint64(keep)
    return signed(found)


@compiled
def renumber_packed(columns: Columns, numbers: Ints, packed: Words, at: int, how: Packing) -> int:
    """Do what `renumber` does, each row as one integer; return -1 where one does not fit.

    That is one of three words, or counted too often.
    """
    found, too_often = np.uint64(at), np.int64(1) << how.left
    for row in range(np.uint64(len(columns.first))):
        one, two = _number(numbers, columns.first[row]), _number(numbers, columns.second[row])
        pattern, count = np.uint64(0), columns.counts[row]
        if len(columns.patterns):
            if columns.middles[row]:
                return -1
            pattern = np.uint64(columns.patterns[row])
        if count >= too_often:
            return -1
        packed[found] = packed_row(one, two, pattern, count, how)
        found += np.uint64((one >= 0) & (two >= 0))
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
