"""From types as they were written to words as they are counted: once per type, not once per token.

Lower case, Unicode form NFC, entities and encodings change a type, so several may become one word; their counts
are added up. The rules are those of `words.counted_form`. Types of ASCII letters are settled in compiled code.
"""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel import types, vocabulary
from ncimp.corpus_stats.kernel.blocks import Layout
from ncimp.corpus_stats.kernel.compiled import Ints, every_eight
from ncimp.corpus_stats.readers.vertical import UNKNOWN_LEMMA, unescaped
from ncimp.corpus_stats.store.arrays import Bools, Bytes, Longs, WordTable
from ncimp.corpus_stats.words import Layer, counted_form


def normalised(raw: vocabulary.Vocabulary, layout: Layout, layer: Layer) -> tuple[WordTable, Ints]:
    """Return the words of *raw* with their counts, and by id in *raw* the number of its word, or -1 for a separator.

    Most types are words already; of the others, the word is looked up in *raw*, or added to it.
    """
    number = int(raw.used[0])
    starts = raw.starts[: number + 1]
    counts, states = np.zeros(number, np.int64), np.zeros(number, np.uint8)
    vocabulary.counts_by_id(raw, counts)
    lowered = bytearray(int(starts[-1]) + 16)
    types.lower_types(raw.arena, starts, np.frombuffer(lowered, np.uint8), states)
    ids = np.where(states == types.WORD, np.arange(number), -1)
    asked = np.flatnonzero(states == types.ASK)
    forms = [_form(raw, int(word), layout, layer) for word in asked]
    words = _with_capitals(raw, lowered, states, ids)
    words = _with_forms(words, forms, asked, ids)
    sums = np.zeros(int(words.used[0]), np.int64)
    types.add_counts(ids, counts, sums)
    table, ranks = sorted_words(words, sums)
    return table, np.append(ranks, -1)[ids].astype(np.int32)  # small, because it is looked into for each pair


def _form(raw: vocabulary.Vocabulary, word: int, layout: Layout, layer: Layer) -> bytes:
    """Return the word of a type, in UTF-8; nothing for a separator."""
    text = raw.arena[raw.starts[word] : raw.starts[word + 1]].tobytes()
    form = text.decode(layout.encoding, "replace")  # lines that are not of the encoding were sorted out before
    if layout.entities:
        if layer == "lemma" and form == UNKNOWN_LEMMA:
            return b""
        form = unescaped(form)
    return (counted_form(form) or "").encode()


def _with_capitals(
    words: vocabulary.Vocabulary, lowered: bytearray, states: Bytes, ids: Longs
) -> vocabulary.Vocabulary:
    """Give types with capitals the ids of what they are in lower case."""
    capitals = states == types.CAPITALS
    if not capitals.any():
        return words
    starts = words.starts[: len(states) + 1].copy()
    words = vocabulary.with_room(words, int(capitals.sum()), int(np.diff(starts)[capitals].sum()))
    data, eights = np.frombuffer(lowered, np.uint8), every_eight(lowered)
    types.add_types(words, data, eights, starts, np.zeros(len(states), np.int64), capitals.view(np.uint8), ids)
    return words


def _with_forms(words: vocabulary.Vocabulary, forms: list[bytes], asked: Longs, ids: Longs) -> vocabulary.Vocabulary:
    """Give the types *asked* about the ids of their *forms*."""
    text = bytearray(b"".join(forms))
    starts = np.zeros(len(forms) + 1, np.int64)
    np.cumsum([len(form) for form in forms], out=starts[1:])
    wanted = (np.diff(starts) > 0).astype(np.uint8)
    text += bytes(16)
    words = vocabulary.with_room(words, len(forms), len(text))
    theirs, nothing = np.full(len(forms), -1, np.int64), np.zeros(len(forms), np.int64)
    types.add_types(words, np.frombuffer(text, np.uint8), every_eight(text), starts, nothing, wanted, theirs)
    ids[asked] = theirs
    return words


def sorted_words(words: vocabulary.Vocabulary, counts: Longs) -> tuple[WordTable, Longs]:
    """Return the words that *counts* (by id) has, in the order of their bytes, and the place of each id, or -1."""
    number = int(words.used[0])
    order = byte_order(words, np.flatnonzero(counts))
    text, starts = types.gathered(words.arena, words.starts, order)
    ranks = np.full(number, -1, np.int64)
    ranks[order] = np.arange(len(order))
    margins = np.zeros((2, len(order)), np.int64)
    return WordTable(text, starts, counts[order], margins[0], margins[1]), ranks


def byte_order(words: vocabulary.Vocabulary, ids: Longs) -> Longs:
    """Return *ids* in the order of their types' bytes: by the first sixteen, and in Python where these are the same."""
    first, second = np.empty(len(ids), np.uint64), np.empty(len(ids), np.uint64)
    types.prefixes(words.eights, words.starts, ids, first, second)
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
        _sort_runs(words.arena, words.starts, ids, (first[1:] == first[:-1]) & (second[1:] == second[:-1]))
    return ids


def _sort_runs(arena: Bytes, starts: Longs, ids: Longs, same: Bools) -> None:
    """Sort, by all bytes, each run of *ids* in which every one is the *same* as the one before."""
    places = np.flatnonzero(same)
    for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else ():
        begin, end = int(run[0]), int(run[-1]) + 2
        ids[begin:end] = sorted(ids[begin:end], key=lambda word: arena[starts[word] : starts[word + 1]].tobytes())
