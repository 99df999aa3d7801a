"""Operations on whole vocabularies after counting: lower case, hyphens, order by bytes, sums, merging."""

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import compiled, every_eight, inlined
from ncimp.corpus_stats.kernel.vocabulary import Vocabulary, add, find, hash_word, sortable
from ncimp.corpus_stats.store.tables import Bools, Bytes, Longs, ULongs, WordIds

SEPARATOR, WORD, CAPITALS, ASK = range(4)
"""States of a type: a separator; a word in its counted form; a word with capitals; one that Python has to normalise,
because it is not ASCII or has an ampersand or angle bracket."""

_AND, _LESS, _DASH, _CASE = 38, 60, 45, 32

_ENDED = np.uint64(0xFFFFFFFFFFFFFFFF)  # head of a run that has no next word: no UTF-8 begins so


@compiled
def lower_types(arena: Bytes, starts: Longs, lowered: Bytes, states: Bytes) -> None:
    """Write each type in lower case to the same place of *lowered*, and its state to *states*."""
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
def note_hyphens(vocabulary: Vocabulary, first: int, hyphened: Bytes) -> None:
    """Set *hyphened* of each type from *first* on: whether a hyphen stands inside it."""
    arena = vocabulary.arena
    for word in range(first, vocabulary.used[0]):
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
    vocabulary: Vocabulary, data: Bytes, eights: ULongs, starts: Longs, counts: Longs, selected: Bytes, ids: Longs
) -> None:
    """Add the *selected* types of *data* with their counts, and write their ids in *vocabulary* to *ids*."""
    slots = vocabulary.slots
    for word in range(len(starts) - 1):
        if selected[word]:
            at, size = starts[word], starts[word + 1] - starts[word]
            count, hashed = np.uint64(counts[word]), hash_word(eights, at, size)
            word_id, slot = find(slots, vocabulary.starts, vocabulary.eights, eights, at, size, hashed, count)
            ids[word] = word_id if word_id >= 0 else add(vocabulary, slot, data, eights, at, size, count)


@compiled
def prefixes(eights: ULongs, starts: Longs, ids: Longs, first: ULongs, second: ULongs) -> None:
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
def _gather(eights: ULongs, starts: Longs, order: Longs, target: ULongs, target_starts: Longs) -> None:
    """Write the types in *order* one after the other to *target*, eight bytes at a time, and where they begin.

    Spare bytes after a type are overwritten by the next one; *target* has eight to spare.
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
def add_margins(first: WordIds, second: WordIds, counts: Longs, as_first: Longs, as_second: Longs) -> None:
    """Add each pair's count to the margins of its words."""
    for row in range(len(counts)):
        as_first[first[row]] += counts[row]
        as_second[second[row]] += counts[row]


class Runs(NamedTuple):
    """Words one after the other, in runs that are sorted by bytes; no word occurs twice in a run."""

    eights: ULongs  # of the text, which is padded with sixteen bytes
    starts: Longs  # where each word begins in the text, and the end of the last
    bounds: Longs  # the first word of each run, and the number of words
    counts: Longs
    as_first: Longs
    as_second: Longs


class Merged(NamedTuple):
    """Arrays for the merged words, as many as there can be."""

    words: Longs  # of equal words, one
    counts: Longs
    as_first: Longs
    as_second: Longs


@compiled
def _tail_order(eights: ULongs, starts: Longs, one: int, two: int) -> int:
    """Return -1, 0 or 1 as word *one* comes before, is, or comes after word *two*, of the same first eight bytes."""
    at, end = starts[one] + 8, starts[one + 1]
    other, last = starts[two] + 8, starts[two + 1]
    while at < end or other < last:
        mine, its = sortable(eights, at, end), sortable(eights, other, last)
        if mine != its:
            return -1 if mine < its else 1
        at += 8
        other += 8
    return 0


@inlined
def _head(runs: Runs, word: int) -> np.uint64:
    return sortable(runs.eights, runs.starts[word], runs.starts[word + 1])


@inlined
def _least(heads: ULongs, words: Longs, head: np.uint64, runs: Runs) -> int:
    word = -1
    for run in range(len(heads)):
        if heads[run] == head and (word < 0 or _tail_order(runs.eights, runs.starts, words[run], word) < 0):
            word = words[run]
    return word


@compiled
def merge_runs(runs: Runs, heads: ULongs, words: Longs, ranks: Longs, merged: Merged) -> int:
    """Write to *ranks* the place of each word among all, and the sums of each place to *merged*; return their number.

    *heads* and *words* are scratch arrays with an entry for each run: the first eight bytes of its next word, and that
    word. Looking at all runs for each place is faster than a heap, because most words are in most runs and are consumed
    at once. Nothing is hashed and nothing sorted.
    """
    eights, starts, bounds = runs.eights, runs.starts, runs.bounds
    for run in range(len(heads)):
        words[run] = bounds[run]
        heads[run] = _head(runs, bounds[run]) if bounds[run] < bounds[run + 1] else _ENDED
    places = 0
    while True:
        head = _ENDED
        for run in range(len(heads)):
            head = min(head, heads[run])
        if head == _ENDED:
            return places
        word = _least(heads, words, head, runs)
        merged.words[places] = word
        merged.counts[places] = merged.as_first[places] = merged.as_second[places] = 0
        for run in range(len(heads)):
            if heads[run] == head and _tail_order(eights, starts, words[run], word) == 0:
                same = words[run]
                ranks[same] = places
                merged.counts[places] += runs.counts[same]
                merged.as_first[places] += runs.as_first[same]
                merged.as_second[places] += runs.as_second[same]
                words[run] = same + 1
                heads[run] = _head(runs, same + 1) if same + 1 < bounds[run + 1] else _ENDED
        places += 1
