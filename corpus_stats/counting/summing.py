"""Sorting rows and adding equal ones up.

A row that fits in one integer (its words, its pattern and its count) is sorted as that integer, which is several times
as fast as to sort places, and needs a third of the memory. What does not fit goes the general way.
"""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel import rows
from ncimp.corpus_stats.store.arrays import HALF, LOW, Keys, KeyTable, Longs, RowTable, halves

_WORD_BITS = 64


def packing(words: int, patterns: int) -> rows.Packing | None:
    """Return how rows of so many *words* and *patterns* (0: adjacent pairs) are packed; None if there is no room."""
    bits, kinds = _bits(max(words - 1, 0)), patterns.bit_length()
    left = _WORD_BITS - 2 * bits - kinds
    return rows.Packing(bits, kinds, left) if left > 0 else None


def unpacked(packed: Keys, how: rows.Packing, floor: int = 1) -> RowTable:
    """Return the rows *packed* in any order, equal ones added up, without sums below *floor*; *packed* is used up."""
    packed.sort()
    room = len(packed) + 1
    kinds = room if how.kinds else 0
    first, second, middle = np.empty(room, np.uint32), np.empty(room, np.uint32), np.zeros(kinds, np.uint32)
    pattern, counts = np.empty(kinds, np.uint8), np.empty(room, np.int64)
    found = rows.unpack(packed, how, max(floor, 1), first, second, pattern, counts)
    table = RowTable(first, second, pattern, middle, counts).rows(slice(found))
    return table if found > room // 2 else table.copy()  # which lets the rest of the room go


def summed(table: KeyTable, floor: int = 1) -> RowTable:
    """Return the rows of *table*, equal ones added up, without sums below *floor*."""
    order = _order_of_kinds(table) if len(table.kinds) else np.argsort(table.keys)
    sums = rows.Rows(np.empty_like(table.keys), np.empty_like(table.kinds), np.empty_like(table.counts))
    found = rows.add_up(rows.Rows(table.keys, table.kinds, table.counts), order, sums)
    patterns, middles = halves(sums.kinds)
    all_rows = RowTable(*halves(sums.keys), patterns.astype(np.uint8), middles, sums.counts).rows(slice(found))
    return all_rows if floor <= 1 else all_rows.rows(all_rows.counts >= floor)


def _bits(number: np.uint64 | int) -> int:
    return max(1, int(number).bit_length())


def _order_of_kinds(table: KeyTable) -> Longs:
    """Return the order by key and kind. Words, pattern and place in one integer sort fastest, where they fit."""
    bits = _bits(max((table.keys >> HALF).max(), (table.keys & LOW).max()))
    patterns, places = _bits((table.kinds >> HALF).max()), _bits(len(table))
    if 2 * bits + patterns + places > _WORD_BITS:
        return np.lexsort((table.kinds, table.keys))
    packed = np.empty(len(table), np.uint64)
    rows.pack_places(table.keys, table.kinds, packed, bits, patterns, places)
    packed.sort()
    order = (packed & np.uint64((1 << places) - 1)).view(np.int64)
    packed >>= np.uint64(places)
    same = packed[1:] == packed[:-1]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if len(tied):  # the same pattern of the same words: its middle decides
        theirs = order[tied]
        order[tied] = theirs[np.lexsort((table.kinds[theirs], packed[tied]))]
    return order
