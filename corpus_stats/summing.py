"""Sorting rows and adding equal ones up, in the memory that they are in."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel import rows
from ncimp.corpus_stats.tables import HALF, LOW, KeyTable, Longs, no_keys

_WORD_BITS = 64


def summed(table: KeyTable) -> KeyTable:
    """Return the rows of *table* sorted, with the counts of equal ones added up; *table* is used up."""
    if not len(table):
        return no_keys()
    bits = _bits(max((table.keys >> HALF).max(), (table.keys & LOW).max()))
    if len(table.kinds):
        return _added_up(table, _order_of_kinds(table, bits))
    left = _WORD_BITS - 2 * bits
    if left < 1 or int(table.counts.max()) >> left:
        return _added_up(table, np.argsort(table.keys))
    rows.pack(table.keys, table.counts, bits, left)
    table.keys.sort()
    found = rows.unpack(table.keys, table.counts, bits, left)
    return KeyTable(table.keys[:found], table.kinds, table.counts[:found])


def _bits(number: np.uint64 | int) -> int:
    return max(1, int(number).bit_length())


def _order_of_kinds(table: KeyTable, bits: int) -> Longs:
    """Return the order by key and kind. Words, pattern and place in one integer sort fastest, where they fit."""
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


def _added_up(table: KeyTable, order: Longs) -> KeyTable:
    sums = rows.Rows(np.empty_like(table.keys), np.empty_like(table.kinds), np.empty_like(table.counts))
    found = rows.add_up(rows.Rows(table.keys, table.kinds, table.counts), order, sums)
    return KeyTable(sums.keys[:found], sums.kinds[:found], sums.counts[:found])
