"""Counting pairs: a hash table of 16-byte slots {first and second id, kind with middle id and count}.

A *kind* is 0 for any two adjacent words, else the number of a pattern of parts of speech. A middle word
stands in patterns of three (*casa de campo*), else the middle is 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, Number, Words, aligned, compiled, inlined, signed
from ncimp.corpus_stats.kernel.rows import Packing, packed_row
from ncimp.corpus_stats.kernel.vectors import fetch

SLOT = 2
FILL = 0.75
CHUNK = 256
MIDDLE_BITS = 26
"""A middle word's id in a segment has at most so many bits (67 million types)."""

_ZERO, _ONE, _TWO, _HALF, _COUNT_BITS = (np.uint64(value) for value in (0, 1, 2, 32, 0xFFFFFFFF))
_MIDDLE = np.uint64((1 << MIDDLE_BITS) - 1)
_P1, _P2, _FOLD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(29)


class PairTable(NamedTuple):
    """The slots, how many are taken, and room for the pairs that wait to be counted together."""

    slots: Words
    used: Longs
    keys: Words
    kinds: Words
    hashes: Words


class Grammar(NamedTuple):
    """Kinds by the classes of parts of speech, 0 where they make no compound candidate."""

    one: Bytes
    """By class: of a single hyphenated word."""
    two: Bytes
    """By the classes of two adjacent words."""
    three: Bytes
    """By the classes of three adjacent words."""


def new_table(pairs: int) -> PairTable:
    """Return an empty table with room for *pairs* pairs."""
    slots = aligned(SLOT << max(6, int(pairs / FILL).bit_length()))
    keys, kinds, hashes = np.zeros((3, CHUNK + 3), np.uint64)  # a unit gives at most three
    return PairTable(slots, np.zeros(1, np.int64), keys, kinds, hashes)


def with_room(table: PairTable, pairs: int) -> PairTable:
    """Return *table*, or a larger copy, so that *pairs* more pairs fit."""
    wanted = int(table.used[0]) + pairs
    if wanted <= len(table.slots) // SLOT * FILL:
        return table
    grown = new_table(wanted)
    grown.used[:] = table.used
    _move(table.slots, grown.slots)
    return grown


@inlined
def _hash(key: np.uint64, kind: np.uint64) -> np.uint64:
    value = (key ^ (kind * _P2)) * _P1
    value ^= value >> _FOLD
    return value * _P2 ^ (value >> _HALF)


@compiled
def _move(old: Words, new: Words) -> None:
    mask = np.uint64(len(new)) - _TWO
    for begin in range(0, len(old), SLOT):
        if old[begin + 1]:
            slot = (_hash(old[begin], old[begin + 1] >> _HALF) * _TWO) & mask
            while new[slot + _ONE]:
                slot = (slot + _TWO) & mask
            new[slot] = old[begin]
            new[slot + _ONE] = old[begin + 1]


@compiled
def _flush(slots: Words, used: Longs, keys: Words, kinds: Words, hashes: Words, waiting: Number) -> None:
    """Count the pairs that wait: hash and fetch all, then compare."""
    mask = np.uint64(len(slots)) - _TWO
    for place in range(np.uint64(waiting)):
        hashes[place] = (_hash(keys[place], kinds[place]) * _TWO) & mask
        fetch(slots, hashes[place])
    for place in range(np.uint64(waiting)):
        slot, key, kind = hashes[place], keys[place], kinds[place]
        while True:
            rest = slots[slot + _ONE]
            if rest == _ZERO:
                slots[slot] = key
                slots[slot + _ONE] = (kind << _HALF) | _ONE
                used[0] += 1
                break
            if slots[slot] == key and (rest >> _HALF) == kind:
                slots[slot + _ONE] = rest + _ONE
                break
            slot = (slot + _TWO) & mask


@inlined
def _key(first: Number, second: Number) -> np.uint64:
    return (np.uint64(first) << _HALF) | np.uint64(second)


@inlined
def _kind(number: Number, middle: Number) -> np.uint64:
    return (np.uint64(number) << np.uint64(MIDDLE_BITS)) | np.uint64(middle)


@compiled
def count_adjacent(table: PairTable, ids: Ints, begins: Ints, units: int) -> None:
    """Count every two adjacent words of a sentence; units without a word are passed over.

    Each pair is written to those that wait, and stays there only if it is one: a branch could not be foreseen.
    """
    slots, used, keys, kinds, hashes = table.slots, table.used, table.keys, table.kinds, table.hashes
    waiting, before = np.uint64(0), np.int32(-1)
    for unit in range(np.uint64(units)):
        word = ids[unit]
        before = np.int32(-1) if begins[unit] else before
        keys[waiting], kinds[waiting] = _key(before, word), _ZERO
        waiting += np.uint64((word >= 0) & (before >= 0))
        before = before if word < 0 else word
        if waiting == np.uint64(CHUNK):
            _flush(slots, used, keys, kinds, hashes, waiting)
            waiting = np.uint64(0)
    _flush(slots, used, keys, kinds, hashes, waiting)


@compiled
def count_candidates(
    table: PairTable, ids: Ints, classes: Bytes, begins: Ints, hyphened: Bytes, units: int, grammar: Grammar
) -> None:
    """Count the candidates of *grammar*: pairs and triples of classes, and hyphenated words (both ids the word's)."""
    slots, used, keys, kinds, hashes = table.slots, table.used, table.keys, table.kinds, table.hashes
    ones, twos, threes = grammar.one, grammar.two, grammar.three
    waiting, one, two, class_one, class_two = np.uint64(0), np.int32(-1), np.int32(-1), np.uint8(0), np.uint8(0)
    for unit in range(np.uint64(units)):
        if begins[unit]:
            one = two = np.int32(-1)
            class_one = class_two = np.uint8(0)
        word, kind = ids[unit], classes[unit]
        if word < 0:
            continue
        pair, triple = twos[class_two, kind], threes[class_one, class_two, kind]
        keys[waiting], kinds[waiting] = _key(two, word), _kind(pair, 0)
        waiting += np.uint64(pair > 0)
        keys[waiting], kinds[waiting] = _key(one, word), _kind(triple, two + 1)
        waiting += np.uint64(triple > 0)
        if hyphened[np.uint64(word)]:  # so rare that it can be foreseen
            keys[waiting], kinds[waiting] = _key(word, word), _kind(ones[kind], 0)
            waiting += np.uint64(ones[kind] > 0)
        one, class_one, two, class_two = two, class_two, word, kind
        if waiting >= np.uint64(CHUNK):
            _flush(slots, used, keys, kinds, hashes, waiting)
            waiting = np.uint64(0)
    _flush(slots, used, keys, kinds, hashes, waiting)


@compiled
def packed_rows(table: PairTable, numbers: Ints, packed: Words, how: Packing) -> int:
    """Write the taken slots to *packed*, each id replaced by its entry in *numbers*; return how many rows.

    Rows with a word whose entry is -1 are left out. Return -1 where one does not fit, as `rows.renumber_packed` does.
    """
    found, slots = np.uint64(0), table.slots
    too_often = _ONE << np.uint64(how.left)
    for begin in range(np.uint64(0), np.uint64(len(slots)), np.uint64(SLOT)):
        rest = slots[begin + _ONE]
        if rest == _ZERO:
            continue
        if rest & _COUNT_BITS >= too_often or (rest >> _HALF) & _MIDDLE:
            return -1
        first, second = numbers[slots[begin] >> _HALF], numbers[slots[begin] & _COUNT_BITS]
        packed[found] = packed_row(first, second, rest >> (_HALF + np.uint64(MIDDLE_BITS)), rest & _COUNT_BITS, how)
        found += np.uint64((first >= 0) & (second >= 0))
    return signed(found)


@compiled
def renumbered_rows(table: PairTable, numbers: Ints, keys: Words, kinds: Words, counts: Longs) -> int:
    """Write the taken slots to arrays, each id replaced by its entry in *numbers*; return how many rows.

    Rows with a word whose entry is -1 are left out. *kinds* gets the number of the pattern in the upper half and the
    middle word's number plus 1 in the lower; it may be empty where there are only adjacent pairs.
    """
    found, slots = 0, table.slots
    for begin in range(0, len(slots), SLOT):
        rest = slots[begin + 1]
        if rest == _ZERO:
            continue
        first, second = numbers[slots[begin] >> _HALF], numbers[slots[begin] & _COUNT_BITS]
        middle = (rest >> _HALF) & _MIDDLE
        if middle:
            middle = np.uint64(numbers[middle - _ONE] + 1)
            if middle == _ZERO:
                continue
        if first >= 0 and second >= 0:
            keys[found] = _key(first, second)
            counts[found] = np.int64(rest & _COUNT_BITS)
            if len(kinds):
                kinds[found] = ((rest >> np.uint64(32 + MIDDLE_BITS)) << _HALF) | middle
            found += 1
    return found
