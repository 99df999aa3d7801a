"""Runs of bytes that may be pieces of phrases, in compiled code.

A *run* is an unbroken row of ASCII letters and digits and of all bytes beyond ASCII. Runs of ASCII are looked up here;
of an *odd* run (with a byte beyond ASCII, or with an entity) only the caller can say which pieces it holds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, Words, compiled, inlined

AND, SEMICOLON = 38, 59

BREAK, ODD = 0, 1
"""What `fold` has for bytes that end a run and for those that make it odd; for ASCII letters and digits, lower case."""

# rows of events: the number of the run, which grows by two at a sentence end; its piece, or `ASK`; where it is
RUN, PIECE, AT, SIZE = range(4)
ASK, NOTHING_TO_SAY, MANY = -1, -2, -3
"""An odd run that is not looked up yet; one without letters and digits; one with several pieces, some of a phrase."""

_BASIS, _PRIME, _FOLD = np.uint64(0xCBF29CE484222325), np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class Pieces(NamedTuple):
    """The pieces of phrases: an open hash table from the hash of a run to its number, from 1."""

    hashes: Words
    numbers: Ints


@inlined
def _hashed(value: np.uint64, character: int) -> np.uint64:
    value = (value ^ np.uint64(character)) * _PRIME
    return value ^ (value >> _FOLD)


@compiled
def hash_piece(data: Bytes) -> np.uint64:
    """Return the hash of *data*; never 0."""
    value = _BASIS
    for character in data:
        value = _hashed(value, character)
    return value | np.uint64(1)


@inlined
def _number(pieces: Pieces, hashed: np.uint64) -> int:
    """Return the number of the piece with that hash; 0 for none."""
    mask = np.uint64(len(pieces.hashes) - 1)
    slot = (hashed >> _FOLD) & mask
    while pieces.hashes[slot] != np.uint64(0):
        if pieces.hashes[slot] == hashed:
            return int(pieces.numbers[slot])
        slot = (slot + np.uint64(1)) & mask
    return 0


@compiled
def put_piece(pieces: Pieces, hashed: np.uint64, number: int) -> None:
    """Give the piece with that hash the *number*; pieces of the same hash have one number."""
    mask = np.uint64(len(pieces.hashes) - 1)
    slot = (hashed >> _FOLD) & mask
    while pieces.hashes[slot] != np.uint64(0) and pieces.hashes[slot] != hashed:
        slot = (slot + np.uint64(1)) & mask
    pieces.hashes[slot], pieces.numbers[slot] = hashed, number


@inlined
def add_runs(
    data: Bytes, at: int, end: int, fold: Bytes, pieces: Pieces, events: Ints, found: int, run: int
) -> tuple[int, int]:
    """Add the runs from *at* to *end* that are pieces or odd to *events*; return how many, and the last number."""
    while at < end:
        kind = fold[data[at]]
        if kind == BREAK:
            at += 1
            continue
        begin, odd, value, entity = at, False, _BASIS, False
        while at < end and (kind != BREAK or (entity and data[at] == SEMICOLON)):
            odd |= kind <= ODD
            entity |= data[at] == AND
            value = _hashed(value, kind)
            at += 1
            kind = fold[data[at]]
        number = ASK if odd else _number(pieces, value | np.uint64(1))
        run += 1
        if number:
            events[RUN, found], events[PIECE, found] = run, number
            events[AT, found], events[SIZE, found] = begin, at - begin
            found += 1
    return found, run


@inlined
def _pair_is_known(pairs: Longs, first: int, second: int) -> bool:
    wanted = (np.int64(first) << 32) | np.int64(second)
    low, high = 0, len(pairs)
    while low < high:
        middle = (low + high) // 2
        if pairs[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low < len(pairs) and pairs[low] == wanted


@compiled
def join_runs(events: Ints, number: int, alone: Bytes, pairs: Longs, hits: Ints) -> int:
    """Write where in the block a phrase may stand to *hits*, in order; return how many places.

    A phrase may stand where a piece is one *alone*, where two neighbours are one of the *pairs* or the second says
    nothing for sure, and at a run of several pieces.
    """
    found = 0
    for event in range(number):
        piece = events[PIECE, event]
        hit = piece == MANY
        if piece > 0:
            near = event + 1 < number and events[RUN, event + 1] == events[RUN, event] + 1
            after = events[PIECE, event + 1] if near else 0
            hit = alone[piece] != 0 or after < 0 or (after > 0 and _pair_is_known(pairs, piece, after))
        if hit:
            hits[found] = events[AT, event]
            found += 1
    return found
