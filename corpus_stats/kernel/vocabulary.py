"""Bytes to numbers: a hash table of one 32-byte slot per type, so that a known word costs one cache line.

A slot holds {first 8 bytes, last 8 bytes, length and id, count}. Words of at most 16 bytes compare exactly by
that; only longer ones are also compared in the arena, where the bytes of all types stand one after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, Words, aligned, compiled

FIRST, LAST, META, COUNT, SLOT = range(5)
"""Places in a slot, and its size, in words of eight bytes."""

CHUNK = 256
"""Words that are hashed, then fetched, then compared: enough to have many reads of memory on the way at once."""

FILL = 0.6
"""Share of the slots that may be taken."""

_ONE, _ZERO, _LEN, _ID_BITS, _SLOT = np.uint64(1), np.uint64(0), np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(4)
_PRIMES = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)))
_P1, _P2, _P3, _P4 = _PRIMES
_TURN, _BACK, _FOLD = np.uint64(29), np.uint64(35), np.uint64(32)
_KEEP = np.array([(1 << (8 * size)) - 1 for size in range(9)], dtype=np.uint64)
"""Which bits of eight bytes belong to a word of that length."""


class Vocabulary(NamedTuple):
    """Slots, and of each id: where its bytes begin in the arena (one more entry than ids) and where it was first seen."""

    slots: Words
    arena: Bytes
    eights: Words
    starts: Longs
    seen: Longs
    used: Longs
    """Types, and bytes of the arena."""


def new_vocabulary(types: int, arena_bytes: int) -> Vocabulary:
    """Return an empty vocabulary with room for *types* types of *arena_bytes* together."""
    slots = 1 << max(6, int(types / FILL).bit_length())
    arena = bytearray(arena_bytes + 16)
    eights = np.ndarray((arena_bytes + 9,), np.uint64, buffer=arena, strides=(1,))
    starts = np.zeros(types + 1, np.int64)
    view = np.frombuffer(arena, np.uint8)
    return Vocabulary(aligned(slots * SLOT), view, eights, starts, np.zeros(types, np.int64), np.zeros(2, np.int64))


def with_room(vocabulary: Vocabulary, types: int, arena_bytes: int) -> Vocabulary:
    """Return *vocabulary*, or a larger copy, so that *types* more types of *arena_bytes* fit."""
    types += int(vocabulary.used[0])
    arena_bytes += int(vocabulary.used[1])
    if (
        types <= min(len(vocabulary.seen), len(vocabulary.slots) // SLOT * FILL)
        and arena_bytes <= len(vocabulary.arena) - 16
    ):
        return vocabulary
    grown = new_vocabulary(
        max(types, int(1.5 * len(vocabulary.seen))), max(arena_bytes, int(1.5 * len(vocabulary.arena)))
    )
    known, kept = map(int, vocabulary.used)
    grown.arena[:kept] = vocabulary.arena[:kept]
    grown.starts[: known + 1] = vocabulary.starts[: known + 1]
    grown.seen[:known] = vocabulary.seen[:known]
    grown.used[:] = vocabulary.used
    _move(vocabulary.slots, grown.slots, grown)
    return grown


@compiled
def load(eights: Words, at: int, size: int) -> tuple[np.uint64, np.uint64]:
    """Return the first eight bytes of a word, zero where it is shorter, and its last eight (0 when that is all)."""
    if size <= 8:
        return eights[np.uint64(at)] & _KEEP[np.uint64(size)], _ZERO
    return eights[np.uint64(at)], eights[np.uint64(at + size - 8)]


@compiled
def hash_word(eights: Words, at: int, size: int, first: np.uint64, last: np.uint64) -> np.uint64:
    """Return the hash of a word; *first* and *last* are what `load` gives."""
    value = (first ^ (np.uint64(size) * _P3)) * _P1
    value ^= value >> _FOLD
    value = (value ^ last) * _P2
    if size > 16:
        for place in range(8, size - 8, 8):
            value = ((value << _TURN) | (value >> _BACK)) ^ (eights[np.uint64(at + place)] * _P4)
            value *= _P1
    value ^= value >> _TURN
    return value * _P3 ^ (value >> _FOLD)


@compiled
def _same_tail(vocabulary: Vocabulary, word: int, eights: Words, at: int, size: int) -> bool:
    """Compare the bytes between the first and the last eight."""
    begin = vocabulary.starts[word]
    for place in range(8, size - 8, 8):
        if vocabulary.eights[begin + place] != eights[at + place]:
            return False
    return True


@compiled
def _add(vocabulary: Vocabulary, slot: np.uint64, data: Bytes, at: int, size: int, seen: int) -> int:
    word, begin = vocabulary.used[0], vocabulary.used[1]
    for place in range(size):
        vocabulary.arena[begin + place] = data[at + place]
    vocabulary.starts[word + 1] = begin + size
    vocabulary.seen[word] = seen
    vocabulary.slots[slot + np.uint64(META)] = (np.uint64(size) << _LEN) | np.uint64(word + 1)
    vocabulary.used[0] = word + 1
    vocabulary.used[1] = begin + size
    return word


@compiled
def find_or_add(
    vocabulary: Vocabulary,
    data: Bytes,
    eights: Words,
    at: int,
    size: int,
    first: np.uint64,
    last: np.uint64,
    hashed: np.uint64,
    count: np.uint64,
    seen: int,
) -> int:
    """Return the id of a word and add *count* to it; a new word gets the next id and is *seen* here."""
    slots = vocabulary.slots
    mask = np.uint64(len(slots)) - _SLOT
    slot = (hashed * _SLOT) & mask
    while True:
        meta = slots[slot + np.uint64(META)]
        if meta == _ZERO:
            slots[slot] = first
            slots[slot + np.uint64(LAST)] = last
            slots[slot + np.uint64(COUNT)] = count
            return _add(vocabulary, slot, data, at, size, seen)
        if slots[slot] == first and slots[slot + np.uint64(LAST)] == last and (meta >> _LEN) == np.uint64(size):
            word = np.int64(meta & _ID_BITS) - 1
            if size <= 16 or _same_tail(vocabulary, word, eights, at, size):
                slots[slot + np.uint64(COUNT)] += count
                return word
        slot = (slot + _SLOT) & mask


@compiled
def word_ids(
    vocabulary: Vocabulary,
    data: Bytes,
    eights: Words,
    at: Ints,
    sizes: Ints,
    units: int,
    lines: Ints,
    base: int,
    ids: Ints,
) -> None:
    """Write the id of each unit to *ids*, -1 where its cell is empty, and count it."""
    firsts, lasts, hashes = np.empty(CHUNK, np.uint64), np.empty(CHUNK, np.uint64), np.empty(CHUNK, np.uint64)
    mask = np.uint64(len(vocabulary.slots)) - _SLOT
    fetched = _ZERO
    for start in range(0, units, CHUNK):
        stop = min(units, start + CHUNK)
        for unit in range(start, stop):
            first, last = load(eights, at[unit], sizes[unit])
            firsts[unit - start], lasts[unit - start] = first, last
            hashes[unit - start] = hash_word(eights, at[unit], sizes[unit], first, last)
        for unit in range(stop - start):  # reads that do not wait for each other
            fetched ^= vocabulary.slots[(hashes[unit] * _SLOT) & mask]
        for unit in range(start, stop):
            place = unit - start
            if sizes[unit] == 0:
                ids[unit] = -1
            else:
                ids[unit] = find_or_add(
                    vocabulary,
                    data,
                    eights,
                    at[unit],
                    sizes[unit],
                    firsts[place],
                    lasts[place],
                    hashes[place],
                    _ONE,
                    base + lines[unit],
                )
    vocabulary.starts[0] = 0 if fetched else 0  # uses what was fetched, or the compiler would leave it out


@compiled
def _move(old: Words, new: Words, vocabulary: Vocabulary) -> None:
    """Put the slots of *old* into the larger, empty table *new*; the arena of *vocabulary* has the words."""
    mask = np.uint64(len(new)) - _SLOT
    for begin in range(0, len(old), SLOT):
        meta = old[begin + META]
        if meta:
            at = vocabulary.starts[np.int64(meta & _ID_BITS) - 1]
            size = np.int64(meta >> _LEN)
            slot = (hash_word(vocabulary.eights, at, size, old[begin], old[begin + LAST]) * _SLOT) & mask
            while new[slot + np.uint64(META)]:
                slot = (slot + _SLOT) & mask
            for place in range(SLOT):
                new[slot + np.uint64(place)] = old[begin + place]


@compiled
def counts_by_id(vocabulary: Vocabulary, counts: Longs) -> None:
    """Write the count of each id to *counts*."""
    for begin in range(0, len(vocabulary.slots), SLOT):
        meta = vocabulary.slots[begin + META]
        if meta:
            counts[np.int64(meta & _ID_BITS) - 1] = np.int64(vocabulary.slots[begin + COUNT])
