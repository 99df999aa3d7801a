"""Reading a block of a corpus for phrases, in compiled code: where sentences are, and which runs of bytes matter.

Every line that the reader of the format might find something wrong with, or might read in a way that is not known
here, makes the block one that is not *plain*: then nothing found in it may be used.
"""

from __future__ import annotations

from typing import NamedTuple

from ncimp.corpus_stats.context_pieces import Pieces, add_runs
from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, compiled, inlined

TAB, LF, CR, SPACE, HASH, SLASH, LESS, MORE = 9, 10, 13, 32, 35, 47, 60, 62
DASH, DOT, ZERO, NINE, LOWER_N, UNDERSCORE, LAST_GRAPHIC = 45, 46, 48, 57, 110, 95, 126
TO_LOWER = 32

# rows of sentences and of marker lines (the marker's sentence is the one that follows it)
BEGIN, END, NEXT = range(3)

# places in what is told of a block
PLAIN, LINES, SENTENCES, EVENTS, MARKERS = range(5)

# what a line of markup is
_TOKEN, _NOTHING, _OPENS, _CLOSES, _DOCUMENT, _UNCLEAR = range(6)


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
def skim_lines(
    data: Bytes,
    at: int,
    size: int,
    frame: Frame,  # noqa: ARG001 - as the others are called
    fold: Bytes,
    pieces: Pieces,
    found: Found,
) -> None:
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
