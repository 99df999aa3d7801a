"""From marks to units: which lines are units, where their cells are, and where sentences end."""

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.kernel.blocks import Layout
from ncimp.corpus_stats.kernel.compiled import compiled, inlined, signed
from ncimp.corpus_stats.store.tables import Bytes, Ints, Longs

TAB, LF, CR, SPACE, HASH, SLASH, LESS, MORE = 9, 10, 13, 32, 35, 47, 60, 62
DASH, DOT, ZERO, NINE, UNDERSCORE = 45, 46, 48, 57, 95
NUL, LOWER_A, LOWER_Z, NOT_ASCII = 0, 97, 122, 128
TO_LOWER = 32
_ONE = np.uint64(1)

# indexes of `tallies`
LINES, SENTENCES, DOCUMENTS, BROKEN, UNITS, UNUSUAL, FIRST_BROKEN = range(7)
TALLIES = 7

# values of the row BEGINS: a sentence begins that is valid, has a broken line, or is cut off by the end of the file
_WHOLE, _DAMAGED, _UNENDED = 1, 2, 3

# kinds of lines without the columns of a unit: ignored, the end of a sentence (a blank line), `<text>` and the like,
# `</text>` and the like, `<s>`, `</s>`, or broken
_NOTHING, _SENTENCE, _DOCUMENT, _DOCUMENT_END, _OPENS, _CLOSES, _BROKEN_LINE = range(7)

# kinds of word ids
_WORD, _RANGE, _EMPTY_NODE, _BAD = range(4)

_S, _DOC, _TEXT, _NEWDOC = (int.from_bytes(name, "big") for name in (b"s", b"doc", b"text", b"newdoc"))


class Shape(NamedTuple):
    """A `Layout` in numbers."""

    tabs: tuple[int, ...]
    """One entry for each tab in the line of a unit, of any value: compiled code knows the length of a tuple."""
    surface: int
    tag: int
    lemma: int
    blank_ends: int
    comments: int
    ranges: int
    gaps: int


# rows of the array of cells, by unit of a block: where its cells begin, their sizes, where its line begins (for word
# ids), and whether a sentence begins with the unit
SURFACE, TAG, LEMMA, SURFACE_SIZE, TAG_SIZE, LEMMA_SIZE, START, BEGINS = range(8)
ROWS = 8


def shape_of(layout: Layout) -> Shape:
    """Return *layout* as numbers for compiled functions."""
    flags = (layout.ends == "blank", layout.comments, layout.ranges, layout.gaps)
    return Shape((TAB,) * (layout.columns - 1), layout.surface, layout.tag, layout.lemma, *map(int, flags))


@compiled
def _packed(data: Bytes, at: int, end: int) -> int:
    """Return at most seven bytes, letters in lower case, as one number, the first in front; 0 when there are more."""
    value = 0
    for place in range(at, end):
        value = 256 * value + (data[place] | TO_LOWER)
    return value if end - at < 8 else 0


@compiled
def _name_end(data: Bytes, at: int, end: int) -> int:
    """Return the end of the tag name that begins at *at*: a letter, then letters, digits and `_`."""
    place = at
    while place < end:
        character = data[place] | TO_LOWER
        letter = LOWER_A <= character <= LOWER_Z
        inner = ZERO <= data[place] <= NINE or data[place] == UNDERSCORE or data[place] >= NOT_ASCII
        if not (letter or (inner and place > at)):
            break
        place += 1
    return place


@compiled
def _markup(data: Bytes, at: int, end: int) -> int:
    closing = data[at + 1] == SLASH
    name = at + 2 if closing else at + 1
    after = _name_end(data, name, end)
    if data[end - 1] != MORE or name == after:
        return _BROKEN_LINE
    if after < end - 1 and data[after] not in (SPACE, SLASH):
        return _BROKEN_LINE
    tag = _packed(data, name, after)
    if tag in (_TEXT, _DOC):
        return _DOCUMENT_END if closing else _DOCUMENT
    if tag == _S:
        return _CLOSES if closing else _OPENS
    return _NOTHING


@compiled
def _other_line(data: Bytes, at: int, end: int, shape: Shape, tabs: int) -> int:
    """Return the kind of the line from *at* to *end*, which has not the columns of a unit."""
    while end > at and data[end - 1] in (CR, SPACE):
        end -= 1
    while at < end and data[at] == SPACE:
        at += 1
    if at == end:
        return _SENTENCE if shape.blank_ends else _NOTHING
    if shape.comments and data[at] == HASH:
        return _DOCUMENT if _packed(data, at + 2, min(end, at + 8)) == _NEWDOC else _NOTHING
    if data[at] == LESS and not tabs and not shape.comments:
        return _markup(data, at, end)
    return _BROKEN_LINE


@inlined
def _is_unit(data: Bytes, marks: Ints, first: np.uint64, tabs: tuple[int, ...]) -> bool:
    fits = data[np.uint64(marks[first + np.uint64(len(tabs))])] == LF
    for tab in range(len(tabs)):
        fits &= data[np.uint64(marks[first + np.uint64(tab)])] == TAB
    return bool(fits)


@inlined
def _put_cell(cells: Ints, row: int, unit: np.uint64, column: int, marks: Ints, first: np.uint64, start: int) -> int:
    """Write begin and size of the cell in *column*; return the size. *start* begins the line, *first* its marks."""
    at = start if column == 0 else marks[first + np.uint64(column - 1)] + 1
    size = marks[first + np.uint64(column)] - at
    cells[np.uint64(row), unit] = at
    cells[np.uint64(row + SURFACE_SIZE), unit] = size
    return signed(size)


@compiled
def _unit_lines(
    data: Bytes, marks: Ints, mark_count: int, mark: int, shape: Shape, cells: Ints, unit: int, tallies: Longs
) -> int:
    """Write the cells of the lines from *mark* on up to the first that is not a unit; return the next unit's number.

    Every token passes this loop, so rare cases (sentence ends, broken lines, word ids) are only noted here and handled
    elsewhere. It counts in unsigned numbers, because a signed index costs a test for "from the end" each time.
    """
    surface, tag, lemma = shape.surface, shape.tag, shape.lemma
    columns, gaps, ranges = np.uint64(len(shape.tabs) + 1), shape.gaps != 0, shape.ranges != 0
    start = marks[mark - 1] + 1 if mark else 0
    unusual = False
    place, end, row = np.uint64(mark), np.uint64(mark_count), np.uint64(unit)
    while place + columns <= end and _is_unit(data, marks, place, shape.tabs):
        surface_size = _put_cell(cells, SURFACE, row, surface, marks, place, start)
        _put_cell(cells, TAG, row, tag, marks, place, start)
        lemma_size = _put_cell(cells, LEMMA, row, lemma, marks, place, start)
        if ranges:
            cells[np.uint64(START), row] = start
        cells[np.uint64(BEGINS), row] = 0
        place += columns
        last = marks[place - _ONE]
        start = last + 1
        unusual |= (data[np.uint64(last) - _ONE] == CR) | (((surface_size == 0) | (lemma_size == 0)) & (not gaps))
        row += _ONE
    tallies[UNUSUAL] += unusual
    return signed(row)


@compiled
def _number(data: Bytes, at: int, end: int) -> int:
    """Return the number from *at* to *end*; -1 where there is none or it is too long for one."""
    if at == end or end - at > 6:
        return -1
    value = 0
    for place in range(at, end):
        if data[place] < ZERO or data[place] > NINE:
            return -1
        value = 10 * value + data[place] - ZERO
    return value


@compiled
def _identity(data: Bytes, at: int, end: int) -> tuple[int, int, int]:
    """Return first word, last word and kind of a CoNLL-U id: `7`, `7-8`, `7.1`, or none."""
    for place in range(at, end):
        if data[place] in (DASH, DOT):
            first, last = _number(data, at, place), _number(data, place + 1, end)
            if first < 0 or last < 0:
                return -1, -1, _BAD
            return first, last, _EMPTY_NODE if data[place] == DOT else _RANGE
    first = _number(data, at, end)
    return first, first, _BAD if first < 0 else _WORD


@inlined
def _note_broken(tallies: Longs, line: int) -> None:
    if tallies[BROKEN] == 0:
        tallies[FIRST_BROKEN] = line
    tallies[BROKEN] += 1


@compiled
def _line_of(data: Bytes, at: int) -> int:
    """Return the number of the line of the byte *at*; broken lines are rare enough to count again."""
    line = 0
    for place in range(at):
        line += data[place] == LF
    return line


@compiled
def split_lines(
    data: Bytes, marks: Ints, mark_count: int, last: bool, shape: Shape, cells: Ints, tallies: Longs
) -> int:
    """Fill *cells* with the lines of a block that have the columns of a unit; return their number.

    The block ends with a line end, and is the *last* of its file or not. Other lines end sentences, begin documents, or
    are noted as broken. Where `<s>` and `</s>` mark sentences, a unit outside is broken. Sentences and units are
    counted here where nothing is `UNUSUAL`, else by `sift_units`.
    """
    unit = mark = line = begins = sentences = 0
    quality, inside = _WHOLE, bool(shape.blank_ends)
    while mark < mark_count:
        after = _unit_lines(data, marks, mark_count, mark, shape, cells, unit, tallies)
        units = after - unit
        if inside and units:
            if begins == unit:
                cells[BEGINS, unit] = quality
                sentences += 1
            unit = after
        else:
            for offset in range(units):
                _note_broken(tallies, line + offset)
        mark, line = mark + units * (len(shape.tabs) + 1), line + units
        if mark < mark_count:
            line_end = mark
            while data[marks[line_end]] != LF:
                line_end += 1
            start = marks[mark - 1] + 1 if mark else 0
            kind = _other_line(data, start, marks[line_end], shape, line_end - mark)
            if kind == _BROKEN_LINE:
                # only the first in a sentence that a blank line ends
                if quality == _WHOLE or not shape.blank_ends or data[start] == NUL:
                    _note_broken(tallies, line)
                if inside:
                    quality = _DAMAGED
                    if unit > begins:
                        cells[BEGINS, begins] = _DAMAGED
                    tallies[UNUSUAL] += 1
            elif kind == _DOCUMENT and shape.comments:
                tallies[DOCUMENTS] += unit == begins
            elif kind != _NOTHING:
                if not shape.blank_ends:
                    if inside != (kind == _CLOSES):  # `</s>` outside a sentence, or another tag inside
                        _note_broken(tallies, line)
                    inside = kind == _OPENS
                begins, quality = unit, _WHOLE
                tallies[DOCUMENTS] += kind == _DOCUMENT
            mark, line = line_end + 1, line + 1
    if inside and not shape.blank_ends:
        _note_broken(tallies, line - last)
        if last and unit > begins:
            tallies[UNUSUAL] += 1
            cells[BEGINS, begins] = _UNENDED if quality == _WHOLE else _DAMAGED
    tallies[LINES] += line
    if usual(tallies, shape):
        tallies[SENTENCES] += sentences
        tallies[UNITS] += unit
    return unit


@inlined
def usual(tallies: Longs, shape: Shape) -> bool:
    """Return True if all units of the block can be counted without `sift_units`."""
    return bool(tallies[UNUSUAL] == 0) and not shape.ranges


@inlined
def _end_of_line(cells: Ints, unit: int, data: Bytes, shape: Shape) -> None:
    for row, column in ((SURFACE, shape.surface), (TAG, shape.tag), (LEMMA, shape.lemma)):
        size = cells[row + SURFACE_SIZE, unit]
        while column == len(shape.tabs) and size and data[cells[row, unit] + size - 1] == CR:
            size -= 1
        cells[row + SURFACE_SIZE, unit] = size


@inlined
def _other_tag(cells: Ints, unit: int, data: Bytes) -> None:
    """Use the column after that of the tag where the tag has no value (XPOS for UPOS)."""
    if cells[TAG_SIZE, unit] == 0 or (cells[TAG_SIZE, unit] == 1 and data[cells[TAG, unit]] == UNDERSCORE):
        at = cells[TAG, unit] + cells[TAG_SIZE, unit] + 1
        end = at
        while data[end] != TAB:
            end += 1
        cells[TAG, unit] = at
        cells[TAG_SIZE, unit] = 0 if end == at + 1 and data[at] == UNDERSCORE else end - at


@inlined
def _word_id(cells: Ints, unit: int, data: Bytes, words: int, covered: int) -> tuple[int, int, int]:
    """Empty the cells that are not units by the word id; return its kind, the last word, and the last word covered."""
    start = cells[START, unit]
    if data[start] == HASH:
        return _EMPTY_NODE, words, covered
    end = start
    while data[end] != TAB:
        end += 1
    first, last, kind = _identity(data, start, end)
    if cells[SURFACE_SIZE, unit] == 0 or (kind != _EMPTY_NODE and first != words + 1):
        return _BAD, words, covered
    if kind == _RANGE:
        if first <= covered or last < first:
            return _BAD, words, covered
        cells[LEMMA_SIZE, unit] = cells[TAG_SIZE, unit] = 0
        return kind, words, last
    if kind == _WORD:
        _other_tag(cells, unit, data)
        if first <= covered:
            cells[SURFACE_SIZE, unit] = 0
        return kind, first, covered
    return kind, words, covered


@inlined
def _empty_cells(cells: Ints, unit: int, shape: Shape) -> int:
    """Turn an empty lemma into a separator (the tab before it); return `_BAD` for an empty surface, else `_WORD`."""
    if shape.gaps:
        return _WORD
    if cells[LEMMA_SIZE, unit] == 0:
        cells[LEMMA, unit] -= 1
        cells[LEMMA_SIZE, unit] = 1
    return _BAD if cells[SURFACE_SIZE, unit] == 0 else _WORD


@compiled
def sift_units(data: Bytes, units: int, shape: Shape, cells: Ints, tallies: Longs) -> int:
    """Move the units of sentences without a broken line to the front of *cells*, in order; return their number.

    A broken line invalidates its sentence, because a hole would make neighbours of words that are not adjacent.
    """
    target = covered = words = begins = sentence = 0
    damaged = unended = False
    for unit in range(units + 1):
        if unit == units or cells[BEGINS, unit]:
            beyond = covered > words  # a range reaches beyond the last word
            if beyond:
                _note_broken(tallies, _line_of(data, cells[SURFACE, unit - 1]) + 1)
            if beyond or unended:
                tallies[SENTENCES] -= target > sentence
                target = sentence
            covered, words, begins, sentence = 0, 0, 1, target
            damaged = unit == units or cells[BEGINS, unit] == _DAMAGED
            unended = not damaged and cells[BEGINS, unit] == _UNENDED
        if unit == units or (damaged and shape.blank_ends):  # the broken line of such a sentence is noted already
            continue
        _end_of_line(cells, unit, data, shape)
        kind = _empty_cells(cells, unit, shape)
        if damaged:
            if kind == _BAD:
                _note_broken(tallies, _line_of(data, cells[SURFACE, unit]))
            continue
        if shape.ranges:
            kind, words, covered = _word_id(cells, unit, data, words, covered)
        if kind == _BAD:
            _note_broken(tallies, _line_of(data, cells[SURFACE, unit]))
            tallies[SENTENCES] -= target > sentence
            target, damaged, covered, words = sentence, True, 0, 0
        elif kind != _EMPTY_NODE:
            if target < unit:
                for row in range(ROWS):
                    cells[row, target] = cells[row, unit]
            cells[BEGINS, target] = begins
            tallies[SENTENCES] += begins
            begins = 0
            target += 1
    tallies[UNITS] += target
    return target
