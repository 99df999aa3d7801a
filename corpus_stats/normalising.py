"""From types as they were written to words as they are counted: once per type, not once per token.

Lower case, Unicode form NFC, entities and encodings change a type, so several may become one word; their counts
are added up. The rules are those of `words.counted_form`. Types of ASCII letters are settled in compiled code.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import unescape

import numpy as np

from ncimp.corpus_stats.blocks import Layout
from ncimp.corpus_stats.kernel import types, vocabulary
from ncimp.corpus_stats.kernel.compiled import every_eight
from ncimp.corpus_stats.tables import Bytes, Longs, WordTable
from ncimp.corpus_stats.words import Layer, counted_form

UNKNOWN_LEMMA = "<unknown>"
"""What TreeTagger writes for the lemma of a word that is not in its lexicon."""

_ENTITIES = {"&quot;": '"', "&apos;": "'"}


class Undecodable(NamedTuple):
    """A type whose bytes are not of the encoding; it was left out, as a separator."""

    text: bytes
    seen: int
    """The line of its first occurrence: the `base` given with its block plus the line's number in it."""
    times: int


def normalised(
    raw: vocabulary.Vocabulary, layout: Layout, layer: Layer, undecodable: list[Undecodable]
) -> tuple[WordTable, Longs]:
    """Return the words of *raw* with their counts, and by id in *raw* the id of its word, or -1 for a separator."""
    number = int(raw.used[0])
    starts = raw.starts[: number + 1]
    counts, states = np.zeros(number, np.int64), np.zeros(number, np.uint8)
    vocabulary.counts_by_id(raw, counts)
    lowered = bytearray(int(starts[-1]) + 16)
    types.lower_types(raw.arena, starts, np.frombuffer(lowered, np.uint8), states)
    words = vocabulary.new_vocabulary(number, int(starts[-1]) + 64)
    ids = np.full(number, -1, np.int64)
    simple = (states == types.WORD).astype(np.uint8)
    types.add_types(words, np.frombuffer(lowered, np.uint8), every_eight(lowered), starts, counts, simple, ids)
    asked = np.flatnonzero(states == types.ASK)
    forms = [_form(raw, int(word), layout, layer, counts, undecodable) for word in asked]
    words = _with_forms(words, forms, asked, counts, ids)
    return _in_order(words, ids)


def _form(
    raw: vocabulary.Vocabulary, word: int, layout: Layout, layer: Layer, counts: Longs, undecodable: list[Undecodable]
) -> bytes:
    """Return the word of a type, in UTF-8; nothing for a separator."""
    text = raw.arena[raw.starts[word] : raw.starts[word + 1]].tobytes()
    try:
        form = text.decode(layout.encoding)
    except UnicodeDecodeError:
        undecodable.append(Undecodable(text, int(raw.seen[word]), int(counts[word])))
        return b""
    if layout.entities:
        if layer == "lemma" and form == UNKNOWN_LEMMA:
            return b""
        form = unescape(form, _ENTITIES)
    return (counted_form(form) or "").encode()


def _with_forms(
    words: vocabulary.Vocabulary, forms: list[bytes], asked: Longs, counts: Longs, ids: Longs
) -> vocabulary.Vocabulary:
    text = bytearray(b"".join(forms))
    starts = np.zeros(len(forms) + 1, np.int64)
    np.cumsum([len(form) for form in forms], out=starts[1:])
    wanted = (np.diff(starts) > 0).astype(np.uint8)
    text += bytes(16)
    words = vocabulary.with_room(words, len(forms), len(text))
    theirs = np.full(len(forms), -1, np.int64)
    types.add_types(words, np.frombuffer(text, np.uint8), every_eight(text), starts, counts[asked], wanted, theirs)
    ids[asked] = theirs
    return words


def _in_order(words: vocabulary.Vocabulary, ids: Longs) -> tuple[WordTable, Longs]:
    table, ranks = sorted_words(words)
    return table, np.append(ranks, -1)[ids]


def sorted_words(words: vocabulary.Vocabulary) -> tuple[WordTable, Longs]:
    """Return the words with their counts in the order of their bytes, and the place of each id in it."""
    number = int(words.used[0])
    starts, counts = words.starts[: number + 1], np.zeros(number, np.int64)
    vocabulary.counts_by_id(words, counts)
    order = byte_order(words.arena, starts)
    text, new_starts = np.empty(int(starts[-1]), np.uint8), np.empty(number + 1, np.int64)
    types.gather(words.arena, starts, order, text, new_starts)
    ranks = np.empty(number, np.int64)
    ranks[order] = np.arange(number)
    margins = np.zeros((2, number), np.int64)
    return WordTable(text, new_starts, counts[order], margins[0], margins[1]), ranks


def byte_order(arena: Bytes, starts: Longs) -> Longs:
    """Return the order of types by their bytes: by the first sixteen, and in Python where these are the same."""
    number = len(starts) - 1
    first, second = np.empty(number, np.uint64), np.empty(number, np.uint64)
    types.prefixes(arena, starts, first, second)
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    same = np.flatnonzero((first[1:] == first[:-1]) & (second[1:] == second[:-1]))
    for run in np.split(same, np.flatnonzero(np.diff(same) > 1) + 1) if len(same) else ():
        begin, end = int(run[0]), int(run[-1]) + 2
        order[begin:end] = sorted(order[begin:end], key=lambda word: arena[starts[word] : starts[word + 1]].tobytes())
    return order
