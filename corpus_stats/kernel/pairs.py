"""Counting pairs in a hash table, and their rows as single integers.

A slot of the table has 16 bytes: {ids of the first and second word, kind with middle id and count}. A *kind* is 0 for
any two adjacent words, else the number of a pattern of parts of speech. A middle word belongs to patterns of three
(*casa de campo*), else the middle is 0.

A row that fits into one integer is sorted as that integer, which is fast and needs no further memory.
"""

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Number, aligned, compiled, inlined, signed
from ncimp.corpus_stats.kernel.vectors import fetch
from ncimp.corpus_stats.store.tables import Bytes, Ints, KeyTable, Longs, RowTable, ULongs, WordIds

SLOT = 2
FILL = 0.75
CHUNK = 256
MIDDLE_BITS = 26  # most bits of a middle word's id in a segment (67 million types)
_ZERO, _ONE, _TWO, _HALF, _LOW = (np.uint64(value) for value in (0, 1, 2, 32, 0xFFFFFFFF))
_MIDDLE = np.uint64((1 << MIDDLE_BITS) - 1)
_P1, _P2, _FOLD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(29)


class PairTable(NamedTuple):
    """The slots, how many are in use, and a buffer of pairs that are counted together."""

    slots: ULongs
    used: Longs
    keys: ULongs
    kinds: ULongs
    hashes: ULongs


class Grammar(NamedTuple):
    """Kinds by the classes of parts of speech, 0 where they make no compound candidate."""

    one: Bytes  # by class: of a single hyphenated word
    two: Bytes  # by the classes of two adjacent words
    three: Bytes  # by the classes of three adjacent words


class Packing(NamedTuple):
    """Layout of a row as one integer: first word, second word, pattern, count, from the highest bit down."""

    bits: int  # bits of the id of a word
    kinds: int  # bits of the number of a pattern; 0 for adjacent pairs
    count_bits: int  # bits of a count


def new_table(pairs: int) -> PairTable:
    """Return an empty table with room for *pairs* pairs."""
    slots = aligned(SLOT << max(6, int(pairs / FILL).bit_length()))
    keys, kinds, hashes = np.zeros((3, CHUNK + 3), np.uint64)  # a unit gives at most three
    return PairTable(slots, np.zeros(1, np.int64), keys, kinds, hashes)


def with_room(table: PairTable, pairs: int) -> PairTable:
    """Return *table*, or a larger copy, so that *pairs* more pairs fit."""
    needed = int(table.used[0]) + pairs
    if needed <= len(table.slots) // SLOT * FILL:
        return table
    grown = new_table(needed)
    grown.used[:] = table.used
    _move(table.slots, grown.slots)
    return grown


@inlined
def _hash(key: np.uint64, kind: np.uint64) -> np.uint64:
    value = (key ^ (kind * _P2)) * _P1
    value ^= value >> _FOLD
    return value * _P2 ^ (value >> _HALF)


@compiled
def _move(old: ULongs, new: ULongs) -> None:
    mask = np.uint64(len(new)) - _TWO
    for begin in range(0, len(old), SLOT):
        if old[begin + 1]:
            slot = (_hash(old[begin], old[begin + 1] >> _HALF) * _TWO) & mask
            while new[slot + _ONE]:
                slot = (slot + _TWO) & mask
            new[slot] = old[begin]
            new[slot + _ONE] = old[begin + 1]


@compiled
def _flush(slots: ULongs, used: Longs, keys: ULongs, kinds: ULongs, hashes: ULongs, waiting: Number) -> None:
    """Count the pairs in the buffer: hash and fetch all, then compare."""
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
    """Count every two adjacent words of a sentence; units without a word are skipped.

    Each pair is written to the buffer, and kept only if it is one: the processor could not predict a branch.
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
        if hyphened[np.uint64(word)]:  # rare, so the branch is predicted well
            keys[waiting], kinds[waiting] = _key(word, word), _kind(ones[kind], 0)
            waiting += np.uint64(ones[kind] > 0)
        one, class_one, two, class_two = two, class_two, word, kind
        if waiting >= np.uint64(CHUNK):
            _flush(slots, used, keys, kinds, hashes, waiting)
            waiting = np.uint64(0)
    _flush(slots, used, keys, kinds, hashes, waiting)


@inlined
def packed_row(one: Number, two: Number, pattern: Number, count: Number, how: Packing) -> np.uint64:
    """Return a row as one integer; its count must fit."""
    pair = (np.uint64(one) << np.uint64(how.bits)) | np.uint64(two)
    return (((pair << np.uint64(how.kinds)) | np.uint64(pattern)) << np.uint64(how.count_bits)) | np.uint64(count)


@compiled
def packed_rows(table: PairTable, ids: Ints, packed: ULongs, how: Packing) -> int:
    """Write the slots in use to *packed*, each id replaced by its entry in *ids*; return the number of rows.

    Rows with a word whose entry is -1 are left out. Return -1 where a row does not fit, as `renumber_packed` does.
    """
    end, slots = np.uint64(0), table.slots
    too_often = _ONE << np.uint64(how.count_bits)
    for begin in range(np.uint64(0), np.uint64(len(slots)), np.uint64(SLOT)):
        rest = slots[begin + _ONE]
        if rest == _ZERO:
            continue
        if rest & _LOW >= too_often or (rest >> _HALF) & _MIDDLE:
            return -1
        first, second = ids[slots[begin] >> _HALF], ids[slots[begin] & _LOW]
        packed[end] = packed_row(first, second, rest >> (_HALF + np.uint64(MIDDLE_BITS)), rest & _LOW, how)
        end += np.uint64((first >= 0) & (second >= 0))
    return signed(end)


@compiled
def renumbered_rows(table: PairTable, ids: Ints, rows: KeyTable) -> int:
    """Write the slots in use to *rows*, each id replaced by its entry in *ids*; return the number of rows.

    Rows with a word whose entry is -1 are left out. The kinds may be empty where there are only adjacent pairs.
    """
    end, slots = 0, table.slots
    keys, kinds, counts = rows.keys, rows.kinds, rows.counts
    for begin in range(0, len(slots), SLOT):
        rest = slots[begin + 1]
        if rest == _ZERO:
            continue
        first, second = ids[slots[begin] >> _HALF], ids[slots[begin] & _LOW]
        middle = (rest >> _HALF) & _MIDDLE
        if middle:
            middle = np.uint64(ids[middle - _ONE] + 1)
            if middle == _ZERO:
                continue
        if first >= 0 and second >= 0:
            keys[end] = _key(first, second)
            counts[end] = np.int64(rest & _LOW)
            if len(kinds):
                kinds[end] = ((rest >> np.uint64(32 + MIDDLE_BITS)) << _HALF) | middle
            end += 1
    return end


@compiled
def unpack(
    packed: ULongs, how: Packing, floor: int, first: WordIds, second: WordIds, pattern: Bytes, counts: Longs
) -> int:
    """Turn sorted rows back into columns, equal ones added up; return the number of sums that are *floor* or more.

    *floor* is 1 at least. The columns have room for one row more than there are.
    """
    count_width, kinds, bits = np.uint64(how.count_bits), np.uint64(how.kinds), np.uint64(how.bits)
    count, kind, word = (_ONE << count_width) - _ONE, (_ONE << kinds) - _ONE, (_ONE << bits) - _ONE
    end, last = np.uint64(0), np.uint64(0)
    counts[0] = 0
    for row in range(np.uint64(len(packed))):
        key = packed[row] >> count_width
        if key != last:
            end += np.uint64(counts[end] >= floor)
            counts[end], last = 0, key
        counts[end] += signed(packed[row] & count)
        first[end], second[end] = key >> (kinds + bits), (key >> kinds) & word
        if len(pattern):
            pattern[end] = key & kind
    return signed(end + np.uint64(counts[end] >= floor))


@inlined
def _new_id(new_ids: Ints, word: Number) -> int:
    """Return the new id of a word, or -1 where it is left out; see `merging.NewIds`."""
    place = np.uint64(word)
    before = new_ids[place - _ONE] if place > np.uint64(0) else np.int32(-1)
    return signed(new_ids[place] if new_ids[place] != before else np.int32(-1))


@compiled
def renumber(rows: RowTable, new_ids: Ints, table: KeyTable, at: int) -> int:
    """Write *rows* to *table* from row *at* on, with the new ids of their words; return where they end.

    Rows with a word that is left out are left out; *table* has room for one more than remain.
    """
    end = np.uint64(at)
    for row in range(np.uint64(len(rows.first))):
        one, two = _new_id(new_ids, rows.first[row]), _new_id(new_ids, rows.second[row])
        middle, keep = np.uint64(0), (one >= 0) & (two >= 0)
        if len(rows.pattern):
            if rows.middle[row]:
                number = _new_id(new_ids, rows.middle[row] - _ONE)
                middle, keep = np.uint64(number + 1), keep & (number >= 0)
            table.kinds[end] = (np.uint64(rows.pattern[row]) << _HALF) | middle
        table.keys[end] = (np.uint64(one) << _HALF) | np.uint64(two)
        table.counts[end] = rows.counts[row]
        end += np.uint64(keep)
    return signed(end)


@compiled
def renumber_packed(rows: RowTable, new_ids: Ints, packed: ULongs, at: int, how: Packing) -> int:
    """Do what `renumber` does, with each row as one integer.

    Return -1 where a row does not fit: it has three words, or its count is too large.
    """
    end, too_often = np.uint64(at), np.int64(1) << how.count_bits
    for row in range(np.uint64(len(rows.first))):
        one, two = _new_id(new_ids, rows.first[row]), _new_id(new_ids, rows.second[row])
        pattern, count = np.uint64(0), rows.counts[row]
        if len(rows.pattern):
            if rows.middle[row]:
                return -1
            pattern = np.uint64(rows.pattern[row])
        if count >= too_often:
            return -1
        packed[end] = packed_row(one, two, pattern, count, how)
        end += np.uint64((one >= 0) & (two >= 0))
    return signed(end)


@compiled
def add_up(table: KeyTable, order: Longs, sums: KeyTable) -> int:
    """Write the rows of *table* in that *order* to *sums*, adding equal neighbours up; return the number of sums."""
    end = np.uint64(0)
    for place in range(np.uint64(len(order))):
        row = np.uint64(order[place])
        key, last = table.keys[row], end - _ONE
        same = end > np.uint64(0) and sums.keys[last] == key
        if len(table.kinds):
            same = same and sums.kinds[last] == table.kinds[row]
            if not same:
                sums.kinds[end] = table.kinds[row]
        if same:
            sums.counts[last] += table.counts[row]
        else:
            sums.keys[end], sums.counts[end] = key, table.counts[row]
            end += _ONE
    return signed(end)
