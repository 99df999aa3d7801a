"""What is done once per type, after counting: lower case, what is a word, order by bytes."""

from __future__ import annotations

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bools, Bytes, Longs, Words, compiled, every_eight
from ncimp.corpus_stats.kernel.rows import Numbers
from ncimp.corpus_stats.kernel.vocabulary import Vocabulary, add, find, hash_word, sortable

SEPARATOR, WORD, CAPITALS, ASK = range(4)
"""What a type is: no word; a word as it is counted; one to be put into lower case; one that Python is asked about,
because it is not ASCII or has an ampersand or angle bracket."""

_AND, _LESS, _DASH, _CASE = 38, 60, 45, 32


@compiled
def lower_types(arena: Bytes, starts: Longs, lowered: Bytes, states: Bytes) -> None:
    """Write each type in lower case to the same place of *lowered*, and what it is to *states*."""
    for word in range(len(starts) - 1):
        state, capitals = SEPARATOR, False
        for place in range(starts[word], starts[word + 1]):
            byte = arena[place]
            if byte >= 128 or byte in (_AND, _LESS):
                state = ASK
                break
            if 65 <= byte <= 90:
                byte += _CASE
                capitals = True
            lowered[place] = byte
            if 97 <= byte <= 122 or 48 <= byte <= 57:
                state = WORD
        states[word] = CAPITALS if capitals and state == WORD else state


@compiled
def note_hyphens(vocabulary: Vocabulary, known: int, hyphened: Bytes) -> None:
    """Set *hyphened* of each type from *known* on: whether a hyphen stands inside it."""
    arena = vocabulary.arena
    for word in range(known, vocabulary.used[0]):
        hyphened[word] = 0
        for place in range(vocabulary.starts[word] + 1, vocabulary.starts[word + 1] - 1):
            if arena[place] == _DASH or (
                arena[place] == 0xE2 and arena[place + 1] == 0x80 and arena[place + 2] in (0x90, 0x91)
            ):
                hyphened[word] = 1


@compiled
def hyphens_inside(text: Bytes, starts: Longs, words: Longs, inside: Bools) -> None:
    """Write to *inside* whether each of *words* has a hyphen that is neither its first nor its last byte."""
    for row in range(len(words)):
        for place in range(starts[words[row]] + 1, starts[words[row] + 1] - 1):
            inside[row] |= text[place] == _DASH


@compiled
def add_types(
    vocabulary: Vocabulary, data: Bytes, eights: Words, starts: Longs, counts: Longs, wanted: Bytes, ids: Longs
) -> None:
    """Add the types of *data* that are *wanted* with their counts, and write their ids in *vocabulary* to *ids*."""
    slots = vocabulary.slots
    for word in range(len(starts) - 1):
        if wanted[word]:
            at, size = starts[word], starts[word + 1] - starts[word]
            count, hashed = np.uint64(counts[word]), hash_word(eights, at, size)
            known, slot = find(slots, vocabulary.starts, vocabulary.eights, eights, at, size, hashed, count)
            ids[word] = known if known >= 0 else add(vocabulary, slot, data, eights, at, size, count)


@compiled
def add_counts(ids: Longs, counts: Longs, sums: Longs) -> None:
    """Add each type's count to that of its word; a type whose id is -1 has none."""
    for word in range(len(ids)):
        if ids[word] >= 0:
            sums[ids[word]] += counts[word]


@compiled
def prefixes(eights: Words, starts: Longs, ids: Longs, first: Words, second: Words) -> None:
    """Write the first eight bytes of each of the types *ids* and the next eight, as integers that sort like bytes."""
    for place in range(len(ids)):
        begin, end = starts[ids[place]], starts[ids[place] + 1]
        first[place], second[place] = sortable(eights, begin, end), sortable(eights, begin + 8, end)


def gathered(text: Bytes, starts: Longs, order: Longs) -> tuple[Bytes, Longs]:
    """Return the types in *order* one after the other, and where they begin; *text* is padded with sixteen bytes."""
    size = int((starts[order + 1] - starts[order]).sum())
    target, target_starts = bytearray(size + 16), np.empty(len(order) + 1, np.int64)
    _gather(every_eight(text.data), starts, order, every_eight(target), target_starts)
    return np.frombuffer(target, np.uint8)[:size], target_starts


@compiled
def _gather(eights: Words, starts: Longs, order: Longs, target: Words, target_starts: Longs) -> None:
    """Write the types in *order* one after the other to *target*, eight bytes at a time, and where they begin.

    The bytes after a type are written over by the next one; *target* has eight to spare.
    """
    at = 0
    for rank in range(len(order)):
        target_starts[rank] = at
        begin, size = starts[order[rank]], starts[order[rank] + 1] - starts[order[rank]]
        for place in range(0, size, 8):
            target[np.uint64(at + place)] = eights[np.uint64(begin + place)]
        at += size
    target_starts[len(order)] = at


@compiled
def add_margins(first: Numbers, second: Numbers, counts: Longs, as_first: Longs, as_second: Longs) -> None:
    """Add each pair's count to the margins of its words."""
    for row in range(len(counts)):
        as_first[first[row]] += counts[row]
        as_second[second[row]] += counts[row]
