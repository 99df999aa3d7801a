"""From the tables of a counter to sorted rows: words in their counted form, equal rows added up, patterns applied.

**Words.** Lower case, Unicode form NFC, entities and encodings change a type, so several may become one word; their
counts are added up. This happens once per type, not once per token; the rules are those of `words.counted_form`. Types
of ASCII letters are normalised in compiled code.

**Rows.** A row that fits into one integer (its words, its pattern and its count) is sorted as that integer, several
times as fast as by an order of places, and in a third of the memory. Other rows go the general way.
"""

import numpy as np

from ncimp.corpus_stats.kernel import pairs, vocabulary, words
from ncimp.corpus_stats.kernel.blocks import Layout
from ncimp.corpus_stats.kernel.compiled import every_eight
from ncimp.corpus_stats.kernel.pairs import Packing, PairTable
from ncimp.corpus_stats.kernel.vocabulary import Vocabulary
from ncimp.corpus_stats.patterns import PatternTable, TagPattern
from ncimp.corpus_stats.readers.vertical import UNKNOWN_LEMMA, unescaped
from ncimp.corpus_stats.store import tables
from ncimp.corpus_stats.words import Layer, counted_form

_WORD_BITS = 64


def normalised(raw: Vocabulary, layout: Layout, layer: Layer) -> tuple[tables.WordTable, tables.Ints]:
    """Return the words of *raw* with their counts, and by id in *raw* the id of its word, or -1 for a separator.

    Most types are words already; the normal form of another is looked up in *raw*, or added to it.
    """
    number = int(raw.used[0])
    starts = raw.starts[: number + 1]
    counts, states = np.zeros(number, np.int64), np.zeros(number, np.uint8)
    vocabulary.counts_by_id(raw, counts)
    lowered = bytearray(int(starts[-1]) + 16)
    words.lower_types(raw.arena, starts, np.frombuffer(lowered, np.uint8), states)
    ids = np.where(states == words.WORD, np.arange(number), -1)
    table = _with_types(raw, lowered, starts, states == words.CAPITALS, ids)
    others = np.flatnonzero(states == words.ASK)
    forms = [_form(vocabulary.word(raw, int(word)), layout, layer) for word in others]
    form_ids, ends = np.full(len(forms), -1, np.int64), np.cumsum([0, *map(len, forms)], dtype=np.int64)
    table = _with_types(table, bytearray(b"".join(forms) + bytes(16)), ends, np.diff(ends) > 0, form_ids)
    ids[others] = form_ids
    sums = np.zeros(int(table.used[0]), np.int64)
    np.add.at(sums, ids[ids >= 0], counts[ids >= 0])
    order = byte_order(table, np.flatnonzero(sums))
    text, starts = words.gathered(table.arena, table.starts, order)
    margins = np.zeros((2, len(order)), np.int64)
    result = tables.WordTable(text, starts, sums[order], margins[0], margins[1])
    ranks = np.full(len(sums) + 1, -1, np.int32)  # small, because it is looked into for each pair
    ranks[order] = np.arange(len(order))
    return result, ranks[ids]


def _form(word: bytes, layout: Layout, layer: Layer) -> bytes:
    form = word.decode(layout.encoding, "replace")  # lines that are not of the encoding were sorted out before
    if layout.entities:
        if layer == "lemma" and form == UNKNOWN_LEMMA:
            return b""
        form = unescaped(form)
    return (counted_form(form) or "").encode()


def _with_types(
    table: Vocabulary, text: bytearray, starts: tables.Longs, selected: tables.Bools, ids: tables.Longs
) -> Vocabulary:
    """Add the *selected* types of *text*, without counts, and write their ids; return *table*, or a larger one."""
    if not selected.any():
        return table
    sizes = np.diff(starts)
    table = vocabulary.with_room(table, int(selected.sum()), int(sizes[selected].sum()))
    data, eights, zeros = np.frombuffer(text, np.uint8), every_eight(text), np.zeros(len(sizes), np.int64)
    words.add_types(table, data, eights, starts, zeros, selected.view(np.uint8), ids)
    return table


def byte_order(table: Vocabulary, ids: tables.Longs) -> tables.Longs:
    """Return *ids* in the order of their types' bytes: by the first sixteen, and in Python where these are the same."""
    first, second = np.empty(len(ids), np.uint64), np.empty(len(ids), np.uint64)
    words.prefixes(table.eights, table.starts, ids, first, second)
    order = np.argsort(first)
    first, ids = first[order], ids[order]
    same = np.flatnonzero(first[1:] == first[:-1])
    tied = np.union1d(same, same + 1)
    if len(tied):
        # within the places of the ties only: by all sixteen bytes, which keeps runs where they are
        suborder = np.lexsort((second[order[tied]], first[tied]))
        ids[tied] = ids[tied][suborder]
        second = second[order]
        second[tied] = second[tied][suborder]
        places = np.flatnonzero((first[1:] == first[:-1]) & (second[1:] == second[:-1]))
        for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else ():
            begin, end = int(run[0]), int(run[-1]) + 2
            ids[begin:end] = sorted(ids[begin:end], key=lambda word: vocabulary.word(table, word))
    return ids


def sorted_rows(
    table: PairTable, ids: tables.Ints, word_table: tables.WordTable, patterns: PatternTable
) -> tables.RowTable:
    """Return the rows of *table*, sorted, in the ids of *word_table*: candidates that *patterns* allow, or all pairs.

    Without patterns of three words, patterns only allow or refuse, so rows need not be added up again.
    """
    used, how = int(table.used[0]), packing(word_table.size, len(patterns.patterns))
    if how is not None:
        packed = np.empty(used + 1, np.uint64)
        size = pairs.packed_rows(table, ids, packed, how)
        if size >= 0:
            rows = unpacked(packed[:size], how)
            kinds = _kinds(rows.pattern, rows.first, rows.middle, word_table, patterns)
            return rows if kinds.all() else rows.rows(kinds > 0)
        del packed
    kinds_room = np.empty(used if patterns.patterns else 0, np.uint64)
    keys = tables.KeyTable(np.empty(used, np.uint64), kinds_room, np.empty(used, np.int64))
    size = pairs.renumbered_rows(table, ids, keys)
    keys = tables.KeyTable._make(column[:size] for column in keys)
    if patterns.patterns:
        pattern, middles = tables.halves(keys.kinds)
        kinds = _kinds(pattern.astype(np.uint8), tables.halves(keys.keys)[0], middles, word_table, patterns)
        all_kinds = (kinds.astype(np.uint64) << tables.HALF) | middles
        keys = tables.KeyTable._make(column[kinds > 0] for column in (keys.keys, all_kinds, keys.counts))
    return summed(keys)


def _kinds(
    kernel_kinds: tables.Bytes,
    first: tables.WordIds,
    middle: tables.WordIds,
    word_table: tables.WordTable,
    patterns: PatternTable,
) -> tables.Bytes:
    """Return, by row, the number of the first pattern of its classes that allows it, or 0."""
    # the kernel only knows classes: it counts all rows of a sequence of classes under its first pattern
    alike = dict[tuple[str, ...], list[tuple[int, TagPattern]]]()
    for kind, pattern in enumerate(patterns.patterns, start=1):
        alike.setdefault(pattern.parts, []).append((kind, pattern))
    kinds = kernel_kinds.copy()
    for group in alike.values():
        number, pattern = group[0]
        if pattern.words or len(pattern.parts) == 1:
            rows = np.flatnonzero(kernel_kinds == number)
            firsts, middles = first[rows].astype(np.int64), middle[rows].astype(np.int64)
            kinds[rows] = 0
            for kind, other in reversed(group):
                kinds[rows[_allows(other, firsts, middles, word_table)]] = kind
    return kinds


def _allows(pattern: TagPattern, firsts: tables.Longs, middles: tables.Longs, table: tables.WordTable) -> tables.Bools:
    if pattern.words:
        allowed = {form.encode() for form in pattern.words}
        numbers = [int(number) for number in np.unique(middles) if table.word(int(number) - 1) in allowed]
        return np.isin(middles, numbers)
    inside = np.ones(len(firsts), np.bool_)
    if len(pattern.parts) == 1:  # a hyphen of the written form may be absent from the counted form
        inside[:] = False
        words.hyphens_inside(table.text, table.starts, firsts, inside)
    return inside


def packing(word_count: int, patterns: int) -> Packing | None:
    """Return the layout of packed rows of so many words and *patterns* (0: adjacent pairs); None without room."""
    bits, kinds = _bits(max(word_count - 1, 0)), patterns.bit_length()
    count_bits = _WORD_BITS - 2 * bits - kinds
    return Packing(bits, kinds, count_bits) if count_bits > 0 else None


def unpacked(packed: tables.ULongs, how: Packing, floor: int = 1) -> tables.RowTable:
    """Return the rows *packed* in any order, equal ones added up, without sums below *floor*; sorts *packed* itself."""
    packed.sort()
    room = len(packed) + 1
    kinds = room if how.kinds else 0
    first, second, middle = np.empty(room, np.uint32), np.empty(room, np.uint32), np.zeros(kinds, np.uint32)
    pattern, counts = np.empty(kinds, np.uint8), np.empty(room, np.int64)
    size = pairs.unpack(packed, how, max(floor, 1), first, second, pattern, counts)
    table = tables.RowTable(first, second, pattern, middle, counts).rows(slice(size))
    # the copy releases the rest of the arrays
    return table if size > room // 2 else tables.RowTable._make(column.copy() for column in table)


def summed(table: tables.KeyTable, floor: int = 1) -> tables.RowTable:
    """Return the rows of *table*, equal ones added up, without sums below *floor*."""
    order = _order_of_kinds(table) if len(table.kinds) else np.argsort(table.keys)
    sums = tables.KeyTable(np.empty_like(table.keys), np.empty_like(table.kinds), np.empty_like(table.counts))
    size = pairs.add_up(table, order, sums)
    patterns, middles = tables.halves(sums.kinds)
    rows = tables.RowTable(*tables.halves(sums.keys), patterns.astype(np.uint8), middles, sums.counts).rows(slice(size))
    return rows if floor <= 1 else rows.rows(rows.counts >= floor)


def _bits(number: np.uint64 | int) -> int:
    return max(1, int(number).bit_length())


def _order_of_kinds(table: tables.KeyTable) -> tables.Longs:
    """Return the order by key and kind. Words, pattern and place in one integer sort fastest, where they fit."""
    bits = _bits(max((table.keys >> tables.HALF).max(), (table.keys & tables.LOW).max()))
    patterns, places = _bits((table.kinds >> tables.HALF).max()), _bits(len(table.keys))
    if 2 * bits + patterns + places > _WORD_BITS:
        return np.lexsort((table.kinds, table.keys))
    packed = ((table.keys >> tables.HALF) << np.uint64(bits)) | (table.keys & tables.LOW)
    packed = (packed << np.uint64(patterns)) | (table.kinds >> tables.HALF)
    packed = (packed << np.uint64(places)) | np.arange(len(packed), dtype=np.uint64)
    packed.sort()
    order = (packed & np.uint64((1 << places) - 1)).view(np.int64)
    packed >>= np.uint64(places)
    same = packed[1:] == packed[:-1]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if len(tied):  # the same pattern of the same words: the middle decides
        rows = order[tied]
        order[tied] = rows[np.lexsort((table.kinds[rows], packed[tied]))]
    return order
