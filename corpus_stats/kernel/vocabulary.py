"""From words to ids: a hash table of one 32-byte slot per type, so that a known word costs one cache line.

A slot holds {first 8 bytes, last 8 bytes, length and id, count}. Words of at most 16 bytes compare exactly by
that; only longer ones are also compared in the arena, where the bytes of all types stand one after the other.
"""

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import aligned, compiled, inlined, signed
from ncimp.corpus_stats.kernel.vectors import fetch
from ncimp.corpus_stats.store.tables import Bytes, Ints, Longs, ULongs

FIRST, LAST, META, COUNT, SLOT = range(5)  # places in a slot, and its size, in words of eight bytes
CHUNK = 256  # words that are hashed, then fetched, then compared together: enough to overlap many reads of memory
FILL = 0.6  # share of the slots that may be in use
_LAST, _META, _COUNT = np.uint64(LAST), np.uint64(META), np.uint64(COUNT)
_ONE, _ZERO, _EIGHT = np.uint64(1), np.uint64(0), np.uint64(8)
_LEN, _ID_BITS, _SLOT = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(4)
_PRIMES = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)))
_P1, _P2, _P3, _P4 = _PRIMES
_TURN, _BACK, _FOLD = np.uint64(29), np.uint64(35), np.uint64(32)
_KEEP = np.array([(1 << (8 * size)) - 1 for size in range(9)], dtype=np.uint64)
"""Which bits of eight bytes belong to a word of that length."""

_TAG_BITS = 12
_TAG_SHIFT, _SHORT = np.uint64(64 - _TAG_BITS), 8

_SWAPS = tuple(
    (np.uint64(shift), np.uint64(mask))
    for shift, mask in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF), (32, 0x00000000FFFFFFFF))
)
"""Steps that reverse the bytes of an integer: swap neighbours, then pairs, then halves."""


class Vocabulary(NamedTuple):
    """The slots, the arena of bytes, and where the bytes of each id begin (and the last end)."""

    slots: ULongs
    arena: Bytes
    eights: ULongs
    starts: Longs
    used: Longs  # types, and bytes of the arena


def new_vocabulary(types: int, arena_bytes: int) -> Vocabulary:
    """Return an empty vocabulary with room for *types* types of *arena_bytes* together, or some more."""
    slots = 1 << max(6, int(types / FILL).bit_length())
    types = int(slots * FILL)
    arena, eights = _new_arena(arena_bytes)
    return Vocabulary(aligned(slots * SLOT), arena, eights, np.zeros(types + 1, np.int64), np.zeros(2, np.int64))


def _new_arena(size: int) -> tuple[Bytes, ULongs]:
    arena = bytearray(size + 16)
    return np.frombuffer(arena, np.uint8), np.ndarray((size + 9,), np.uint64, buffer=arena, strides=(1,))


def with_room(vocabulary: Vocabulary, types: int, arena_bytes: int) -> Vocabulary:
    """Return *vocabulary*, or one with its types and larger arrays, so that *types* more types of *arena_bytes* fit."""
    types_used, bytes_used = map(int, vocabulary.used)
    if bytes_used + arena_bytes > len(vocabulary.arena) - 16:
        arena, eights = _new_arena(max(bytes_used + arena_bytes, 2 * len(vocabulary.arena)))
        arena[:bytes_used] = vocabulary.arena[:bytes_used]
        vocabulary = vocabulary._replace(arena=arena, eights=eights)
    if types_used + types <= len(vocabulary.starts) - 1:
        return vocabulary
    grown = new_vocabulary(types_used + types, 0)._replace(arena=vocabulary.arena, eights=vocabulary.eights)
    grown.starts[: types_used + 1] = vocabulary.starts[: types_used + 1]
    grown.used[:] = vocabulary.used
    _move(vocabulary.slots, grown.slots, grown.starts, grown.eights)
    return grown


def word(vocabulary: Vocabulary, number: int) -> bytes:
    """Return the bytes of the word with the id *number*."""
    return vocabulary.arena[vocabulary.starts[number] : vocabulary.starts[number + 1]].tobytes()


@inlined
def load(eights: ULongs, at: int, size: int) -> tuple[np.uint64, np.uint64]:
    """Return the first eight bytes of a word, zero where it is shorter, and its last eight (0 when that is all).

    Without a branch: whether a word is longer than eight bytes cannot be predicted.
    """
    begin, length = np.uint64(at), np.uint64(size)
    first = eights[begin] & _KEEP[min(length, _EIGHT)]
    last = eights[begin + max(length, _EIGHT) - _EIGHT]
    return first, last if length > _EIGHT else _ZERO


@inlined
def sortable(eights: ULongs, at: int, end: int) -> np.uint64:
    """Return eight bytes of a word that ends at *end*, zero after that, as an integer that sorts like the bytes."""
    if at >= end:
        return _ZERO
    value: np.uint64 = eights[np.uint64(at)] & _KEEP[min(np.uint64(end - at), _EIGHT)]
    for shift, mask in _SWAPS:
        value = ((value & mask) << shift) | ((value >> shift) & mask)
    return value


@inlined
def hash_word(eights: ULongs, at: int, size: int) -> np.uint64:
    """Return the hash of a word."""
    first, last = load(eights, at, size)
    value = (first ^ (np.uint64(size) * _P3)) * _P1
    value ^= value >> _FOLD
    value = (value ^ last) * _P2
    if size > 16:
        for place in range(8, size - 8, 8):
            value = ((value << _TURN) | (value >> _BACK)) ^ (eights[np.uint64(at + place)] * _P4)
            value *= _P1
    value ^= value >> _TURN
    return value * _P3 ^ (value >> _FOLD)


@inlined
def _same_tail(arena: ULongs, begin: int, eights: ULongs, at: int, size: int) -> bool:
    for place in range(8, size - 8, 8):  # noqa: SIM110 - a generator is not compiled
        if arena[begin + place] != eights[at + place]:
            return False
    return True


@inlined
def find(
    slots: ULongs, starts: Longs, arena: ULongs, eights: ULongs, at: int, size: int, hashed: np.uint64, count: np.uint64
) -> tuple[int, np.uint64]:
    """Add *count* to a known word and return its id and slot; return -1 and a free slot for a new word.

    Arrays are passed one by one: a named tuple here would count references for each token.
    """
    first, last = load(eights, at, size)
    mask = np.uint64(len(slots)) - _SLOT
    slot = (hashed * _SLOT) & mask
    while True:
        meta = slots[slot + _META]
        if meta == _ZERO:
            return -1, slot
        if slots[slot] == first and slots[slot + _LAST] == last and (meta >> _LEN) == np.uint64(size):
            word = signed(meta & _ID_BITS) - 1
            if size <= 16 or _same_tail(arena, starts[word], eights, at, size):
                slots[slot + _COUNT] += count
                return word, slot
        slot = (slot + _SLOT) & mask


@compiled
def add(
    vocabulary: Vocabulary, slot: np.uint64, data: Bytes, eights: ULongs, at: int, size: int, count: np.uint64
) -> int:
    """Put a new word into the free *slot* and return its id."""
    word, begin = vocabulary.used[0], vocabulary.used[1]
    for place in range(size):
        vocabulary.arena[begin + place] = data[at + place]
    vocabulary.starts[word + 1] = begin + size
    first, last = load(eights, at, size)
    vocabulary.slots[slot], vocabulary.slots[slot + _LAST] = first, last
    vocabulary.slots[slot + _META] = (np.uint64(size) << _LEN) | np.uint64(word + 1)
    vocabulary.slots[slot + _COUNT] = count
    vocabulary.used[0] = word + 1
    vocabulary.used[1] = begin + size
    return signed(word)


@compiled
def word_ids(
    vocabulary: Vocabulary, data: Bytes, eights: ULongs, at: Ints, sizes: Ints, hashes: ULongs, ids: Ints
) -> None:
    """Write the id of each unit to *ids*, -1 where its cell is empty, and count it."""
    slots, starts, arena_eights = vocabulary.slots, vocabulary.starts, vocabulary.eights
    mask = np.uint64(len(slots)) - _SLOT
    for start in range(0, len(ids), CHUNK):
        stop = min(len(ids), start + CHUNK)
        for unit in range(np.uint64(start), np.uint64(stop)):
            hashed = hash_word(eights, at[unit], sizes[unit])
            hashes[unit - np.uint64(start)] = hashed
            fetch(slots, (hashed * _SLOT) & mask)
        for unit in range(np.uint64(start), np.uint64(stop)):
            ids[unit] = -1
            if sizes[unit]:
                hashed = hashes[unit - np.uint64(start)]
                word, slot = find(slots, starts, arena_eights, eights, at[unit], sizes[unit], hashed, _ONE)
                if word < 0:
                    word = add(vocabulary, slot, data, eights, at[unit], sizes[unit], _ONE)
                ids[unit] = word


@compiled
def _move(old: ULongs, new: ULongs, starts: Longs, arena_eights: ULongs) -> None:
    mask = np.uint64(len(new)) - _SLOT
    for begin in range(0, len(old), SLOT):
        meta = old[begin + META]
        if meta:
            at = starts[signed(meta & _ID_BITS) - 1]
            size = signed(meta >> _LEN)
            slot = (hash_word(arena_eights, at, size) * _SLOT) & mask
            while new[slot + _META]:
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


class ShortTags(NamedTuple):
    """Classes of tags of at most eight bytes, by those bytes: found for most tokens without a search.

    Of two tags that share a place, the more recent one is kept.
    """

    tags: ULongs
    classes: Bytes


def no_tags() -> ShortTags:
    """Return an empty table."""
    return ShortTags(np.zeros(1 << _TAG_BITS, np.uint64), np.zeros(1 << _TAG_BITS, np.uint8))


@compiled
def tag_classes(
    short: ShortTags,
    seen_tags: Vocabulary,
    classes: Bytes,
    data: Bytes,
    eights: ULongs,
    at: Ints,
    sizes: Ints,
    unit_classes: Bytes,
) -> None:
    """Write the class of each unit's tag to *unit_classes*, 0 where it has none; *classes* are those of *seen_tags*.

    A new tag is added to them without a class: the caller classifies it and calls again.
    """
    for unit in range(np.uint64(len(unit_classes))):
        size = sizes[unit]
        tag, _ = load(eights, at[unit], size)
        place = (tag * _P1) >> _TAG_SHIFT
        unit_classes[unit] = short.classes[place] if size else np.uint8(0)
        if size and (short.tags[place] != tag or size > _SHORT):
            hashed = hash_word(eights, at[unit], size)
            number, slot = find(
                seen_tags.slots, seen_tags.starts, seen_tags.eights, eights, at[unit], size, hashed, _ONE
            )
            if number < 0:
                add(seen_tags, slot, data, eights, at[unit], size, _ONE)
            elif number < len(classes):
                unit_classes[unit] = classes[number]
                if size <= _SHORT:
                    short.tags[place], short.classes[place] = tag, classes[number]
