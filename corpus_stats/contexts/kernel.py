"""Reading a block of a corpus for phrases, in compiled code: where sentences are, and which runs of bytes matter.

A *run* is an unbroken row of ASCII letters and digits and of all bytes beyond ASCII. Runs of ASCII are looked up here;
of an *odd* run (with a byte beyond ASCII, or with an entity) only the caller can say which pieces it holds.

Every line that the reader of the format might find something wrong with, or might read in a way that is not known
here, makes the block one that is not *plain*: then nothing found in it may be used.

All of it is one module, because numba keeps compiled code until the file of the function changes: it would not notice
a change in the file of another function that this one calls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, Words, compiled, inlined

TAB, LF, CR, SPACE, HASH, AND, SLASH, SEMICOLON, LESS, MORE = 9, 10, 13, 32, 35, 38, 47, 59, 60, 62
DASH, DOT, ZERO, NINE, LOWER_N, UNDERSCORE, LAST_GRAPHIC = 45, 46, 48, 57, 110, 95, 126
TO_LOWER = 32

# rows of sentences and of marker lines (the marker's sentence is the one that follows it)
BEGIN, END, NEXT = range(3)

# places in what is told of a block
PLAIN, LINES, SENTENCES, EVENTS, MARKERS = range(5)

# what a line of markup is
_TOKEN, _NOTHING, _OPENS, _CLOSES, _DOCUMENT, _UNCLEAR = range(6)


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


class Frame(NamedTuple):
    """A format in numbers."""

    columns: int
    """Tab-separated columns of a token line; 0: each line is a sentence."""
    surface: int
    """The column that is looked into."""
    ids: int
    """`RANGES`: the first column has the word ids of CoNLL-U; `ONES`: a sentence begins at word id 1, too."""


NO_IDS, RANGES, ONES = range(3)


class Found(NamedTuple):
    """Room for what is found in a block."""

    events: Ints
    sentences: Ints
    markers: Ints
    told: Longs


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
def _is_graphic(character: int) -> bool:
    return SPACE < character <= LAST_GRAPHIC


@compiled
def _is_blank(data: Bytes, at: int, stop: int) -> bool:
    while at < stop and data[at] == SPACE:
        at += 1
    return at == stop


@compiled
def _is_name(character: int) -> bool:
    lower = character | TO_LOWER
    return 97 <= lower <= 122 or ZERO <= character <= NINE or character == UNDERSCORE


@compiled
def _tag(data: Bytes, at: int, stop: int) -> int:
    """Return what the line from `<` at *at* to `>` before *stop* is; it holds no tab."""
    closes = data[at + 1] == SLASH
    name = at + 2 if closes else at + 1
    after = name
    while _is_name(data[after]):
        after += 1
    if after == name or ZERO <= data[name] <= NINE or data[name] == UNDERSCORE:
        return _UNCLEAR
    if after != stop - 1 and data[after] != SPACE and data[after] != SLASH:
        return _UNCLEAR
    size, first = after - name, data[name] | TO_LOWER
    if size == 1 and first == 115:  # s
        return _CLOSES if closes else _OPENS
    # `<text` and `<doc`; another tag of that size and letter is no document, which its reader will say
    return _DOCUMENT if (size == 4 and first == 116) or (size == 3 and first == 100) else _NOTHING


@compiled
def _markup_line(data: Bytes, at: int, stop: int, tabs: int) -> int:
    """Return what a line is that does not begin with a visible ASCII character other than `<`."""
    if data[at] == LESS:
        last = data[stop - 1]
        if _is_graphic(last) and (last != MORE or stop == at + 1 or tabs > 1):
            return _TOKEN
        return _tag(data, at, stop) if last == MORE and not tabs else _UNCLEAR
    if _is_blank(data, at, stop):
        return _NOTHING
    while at < stop and data[at] != LESS and not _is_graphic(data[at]):
        at += 1
    return _UNCLEAR if at < stop and data[at] == LESS else _TOKEN


@compiled
def _is_empty(data: Bytes, at: int, stop: int) -> bool:
    """Return whether nothing from *at* to *stop* can be seen; characters beyond ASCII are looked at elsewhere."""
    while at < stop and data[at] <= SPACE:
        at += 1
    return at == stop


@compiled
def _digits(data: Bytes, at: int, end: int) -> int:
    """Return the number from *at* to *end*; -1 where there is none or it is too long for one."""
    if at == end or end - at > 6:
        return -1
    value = 0
    for place in range(at, end):
        if not ZERO <= data[place] <= NINE:
            return -1
        value = 10 * value + data[place] - ZERO
    return value


@compiled
def _identity(data: Bytes, at: int) -> tuple[int, int, int]:
    """Return first and last word of the id at *at*, and the mark between them (0 for none); -1 where it is no id."""
    end, middle = at, -1
    while data[end] != TAB:
        if data[end] == DASH or data[end] == DOT:
            middle = end
        end += 1
    if middle < 0:
        first = _digits(data, at, end)
        return first, first, 0
    first, last = _digits(data, at, middle), _digits(data, middle + 1, end)
    return (first, last, data[middle]) if last >= 0 else (-1, last, 0)


@compiled
def _names_document(data: Bytes, at: int, stop: int, ids: int) -> bool:
    """Return whether the comment at *at* may name a document; in CoNLL-U, what comes first in it tells."""
    at += 1
    while ids == RANGES and at < stop and (data[at] <= SPACE):
        at += 1
    return ids == ONES or (at < stop and (data[at] == LOWER_N or data[at] > LAST_GRAPHIC))


@inlined
def _mark(found: Found, markers: int, begin: int, end: int, sentence: int) -> None:
    found.markers[BEGIN, markers], found.markers[END, markers] = begin, end
    found.markers[NEXT, markers] = sentence


@inlined
def _end_sentence(found: Found, sentences: int, begin: int, end: int, units: int) -> int:
    """Note the sentence from *begin* to *end* if it has units; return how many sentences there are."""
    if units:
        found.sentences[BEGIN, sentences], found.sentences[END, sentences] = begin, end
        return sentences + 1
    return sentences


@inlined
def _tell(found: Found, lines: int, sentences: int, events: int, markers: int) -> None:
    """Write down what a plain block has."""
    found.told[PLAIN], found.told[LINES] = 1, lines
    found.told[SENTENCES], found.told[EVENTS], found.told[MARKERS] = sentences, events, markers


@compiled
def skim_markup(data: Bytes, at: int, size: int, frame: Frame, fold: Bytes, pieces: Pieces, found: Found) -> None:
    """Find the sentences and runs of a block in which sentences stand between `<s>` and `</s>`."""
    lines, events, run, sentences, markers, units, begin = 0, 0, 0, 0, 0, 0, at
    inside = False
    while at < size:
        end, tabs, after = at, 0, -1
        while data[end] != LF:
            if data[end] == TAB:
                tabs += 1
                after = end if after < 0 else after
            end += 1
        stop = end
        while stop > at and data[stop - 1] == CR:
            stop -= 1
        kind = _TOKEN
        if not _is_graphic(data[at]) or data[at] == LESS:
            kind = _markup_line(data, at, stop, tabs)
        if kind == _TOKEN:
            after = stop if after < 0 else after
            if tabs + 1 != frame.columns or after == at or not inside:
                return
            events, run = add_runs(data, at, after, fold, pieces, found.events, events, run)
            units += 1
        elif kind != _NOTHING:
            if kind == _UNCLEAR or inside != (kind == _CLOSES):
                return
            if kind == _DOCUMENT and data[at + 1] == SLASH:
                pass
            elif kind == _DOCUMENT:
                _mark(found, markers, at, end + 1, sentences)
                markers += 1
            else:
                sentences = _end_sentence(found, sentences, begin, end + 1, units)
                inside, begin, units = kind == _OPENS, at, 0
                run += 2
        at, lines = end + 1, lines + 1
    if not inside:
        _tell(found, lines, sentences, events, markers)


@compiled
def skim_columns(data: Bytes, at: int, size: int, frame: Frame, fold: Bytes, pieces: Pieces, found: Found) -> None:
    """Find the sentences and runs of a block of tables with comments, in which a blank line ends a sentence."""
    lines, events, run, sentences, markers, units, begin = 0, 0, 0, 0, 0, 0, at
    words, covered = 0, 0
    while at < size:
        end, tabs, cell, after = at, 0, -1, -1
        while data[end] != LF:
            if data[end] == TAB:
                tabs += 1
                if tabs == frame.surface:
                    cell = end + 1
                elif tabs == frame.surface + 1:
                    after = end
            end += 1
        stop = end
        while stop > at and data[stop - 1] == CR:
            stop -= 1
        comment = data[at] == HASH
        ends = at == stop or (data[at] == SPACE and _is_blank(data, at, stop))
        if frame.ids == ONES:
            ends |= comment or (data[at] == ZERO + 1 and data[at + 1] == TAB)
        if ends:
            if covered > words:
                return
            sentences = _end_sentence(found, sentences, begin, at, units)
            begin, units, words, covered = at, 0, 0, 0
            run += 2
        if comment:
            if _names_document(data, at, stop, frame.ids):
                if units:
                    return
                _mark(found, markers, at, end + 1, sentences)
                markers += 1
        elif at != stop and not (ends and data[at] == SPACE):
            if tabs + 1 != frame.columns or _is_empty(data, cell, after):
                return
            first, last, middle = _identity(data, at)
            if first < 0 or (middle and frame.ids == ONES):
                return
            if middle != DOT:
                if frame.ids == RANGES:
                    if first != words + 1 or (middle and (first <= covered or last < first)):
                        return
                    if middle or first > covered:
                        events, run = add_runs(data, cell, after, fold, pieces, found.events, events, run)
                    words, covered = (words, last) if middle else (first, covered)
                else:
                    events, run = add_runs(data, cell, after, fold, pieces, found.events, events, run)
                units += 1
        at, lines = end + 1, lines + 1
    sentences = _end_sentence(found, sentences, begin, size, units)
    if covered <= words:
        _tell(found, lines, sentences, events, markers)


@compiled
def skim_lines(data: Bytes, at: int, size: int, _: Frame, fold: Bytes, pieces: Pieces, found: Found) -> None:
    """Find the sentences and runs of a block in which every line that holds a token is a sentence."""
    lines, events, run, sentences = 0, 0, 0, 0
    while at < size:
        end, graphic, other = at, False, False
        while data[end] != LF:
            graphic |= _is_graphic(data[end])
            other |= data[end] != SPACE and data[end] != CR
            end += 1
        if other and not graphic:
            return
        if graphic:
            events, run = add_runs(data, at, end, fold, pieces, found.events, events, run)
            found.sentences[BEGIN, sentences], found.sentences[END, sentences] = at, end + 1
            sentences += 1
            run += 2
        at, lines = end + 1, lines + 1
    _tell(found, lines, sentences, events, 0)


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
