"""Sorting rows and adding equal ones up, in the memory that they are in."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel import rows
from ncimp.corpus_stats.tables import HALF, LOW, KeyTable, no_keys


def summed(table: KeyTable) -> KeyTable:
    """Return the rows of *table* sorted, with the counts of equal ones added up; *table* is used up."""
    if not len(table):
        return no_keys()
    if len(table.kinds):
        return _summed_by_order(table)
    bits = max(1, int(max((table.keys >> HALF).max(), (table.keys & LOW).max())).bit_length())
    left = 64 - 2 * bits
    if left < 1 or int(table.counts.max()) >> left:
        return _summed_by_order(table)
    rows.pack(table.keys, table.counts, bits, left)
    table.keys.sort()
    found = rows.unpack(table.keys, table.counts, bits, left)
    return KeyTable(table.keys[:found], table.kinds, table.counts[:found])


def _summed_by_order(table: KeyTable) -> KeyTable:
    order = np.lexsort((table.kinds, table.keys)) if len(table.kinds) else np.argsort(table.keys)
    keys, counts = table.keys[order], table.counts[order]
    kinds = table.kinds[order] if len(table.kinds) else table.kinds
    new = np.empty(len(keys), np.bool_)
    new[0] = True
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    if len(kinds):
        new[1:] |= kinds[1:] != kinds[:-1]
    if new.all():
        return KeyTable(keys, kinds, counts)
    begins = np.flatnonzero(new)
    return KeyTable(keys[begins], kinds[begins] if len(kinds) else kinds, np.add.reduceat(counts, begins))
