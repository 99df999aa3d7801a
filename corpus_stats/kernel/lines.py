"""From marks to units: which lines are units, where their cells are, and where sentences end."""

from __future__ import annotations

from typing import NamedTuple

from ncimp.corpus_stats.blocks import Layout
from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, compiled, inlined

TAB, LF, CR, SPACE, HASH, SLASH, LESS, MORE = 9, 10, 13, 32, 35, 47, 60, 62
DASH, DOT, ZERO, NINE = 45, 46, 48, 57

# places in `tallies`
LINES, SENTENCES, DOCUMENTS, BROKEN, UNITS, FIRST_BROKEN = range(6)
KEPT_BROKEN = 8
"""How many broken lines of a block are remembered by number."""
TALLIES = FIRST_BROKEN + KEPT_BROKEN

# of the row BEGINS: a sentence begins, all of whose lines fit the format, or not
_WHOLE, _DAMAGED = 1, 2

# what a line without the columns of a unit is
_NOTHING, _SENTENCE, _DOCUMENT, _BROKEN_LINE = range(4)

_S, _DOC, _TEXT, _NEWDOC = (int.from_bytes(name, "big") for name in (b"s", b"doc", b"text", b"newdoc"))


class Shape(NamedTuple):
    """A `Layout` in numbers."""

    columns: int
    surface: int
    tag: int
    lemma: int
    blank_ends: int
    comments: int
    ranges: int
    gaps: int


# rows of the array of cells: of each unit of a block, where its cells begin, their sizes, where its line begins, its
# number, and whether a sentence begins with the unit
SURFACE, TAG, LEMMA, SURFACE_SIZE, TAG_SIZE, LEMMA_SIZE, START, LINE, BEGINS = range(9)
ROWS = 9


def shape_of(layout: Layout) -> Shape:
    """Return *layout* as the compiled functions want it."""
    flags = (layout.ends == "blank", layout.comments, layout.ranges, layout.gaps)
    return Shape(layout.columns, layout.surface, layout.tag, layout.lemma, *map(int, flags))


@compiled
def _packed(data: Bytes, at: int, end: int) -> int:
    """Return at most seven bytes as one number, the first in front; 0 when there are more."""
    value = 0
    for place in range(at, end):
        value = 256 * value + data[place]
    return value if end - at < 8 else 0


@compiled
def _markup(data: Bytes, at: int, end: int) -> int:
    """Return what the line `<...>` is, by the name of its tag."""
    closing = data[at + 1] == SLASH
    name = at + 2 if closing else at + 1
    after = name
    while after < end and data[after] not in (MORE, SPACE, SLASH):
        after += 1
    if data[end - 1] != MORE or name == after:
        return _BROKEN_LINE
    tag = _packed(data, name, after)
    if tag in (_TEXT, _DOC):
        return _SENTENCE if closing else _DOCUMENT
    return _SENTENCE if tag == _S else _NOTHING


@compiled
def _other_line(data: Bytes, at: int, end: int, shape: Shape, tabs: int) -> int:
    """Return what the line from *at* to *end* is, which has not the columns of a unit."""
    while end > at and data[end - 1] in (CR, SPACE):
        end -= 1
    if at == end:
        return _SENTENCE if shape.blank_ends else _NOTHING
    if shape.comments and data[at] == HASH:
        return _DOCUMENT if _packed(data, at + 2, min(end, at + 8)) == _NEWDOC else _NOTHING
    if data[at] == LESS and not tabs and not shape.comments:
        return _markup(data, at, end)
    return _BROKEN_LINE


@inlined
def _is_unit(data: Bytes, marks: Ints, first: int, last: int) -> bool:
    for mark in range(first, last):
        if data[marks[mark]] != TAB:
            return False
    return bool(data[marks[last]] == LF)


@inlined
def _put_cell(cells: Ints, row: int, unit: int, column: int, marks: Ints, first: int, start: int) -> None:
    """Write where the cell in *column* is; the line begins at *start* and its first mark is *first*."""
    at = start if column == 0 else marks[first + column - 1] + 1
    cells[row, unit] = at
    cells[row + SURFACE_SIZE, unit] = marks[first + column] - at


@compiled
def _unit_lines(
    data: Bytes, marks: Ints, found: int, mark: int, line: int, shape: Shape, cells: Ints, unit: int
) -> int:
    """Write the cells of the lines from *mark* on up to the first that is not a unit; return the next unit's number.

    This loop is what a token costs: what is rare (sentence ends, broken lines, word ids) is dealt with elsewhere.
    """
    columns, surface, tag, lemma = shape.columns, shape.surface, max(shape.tag, 0), max(shape.lemma, 0)
    start = marks[mark - 1] + 1 if mark else 0
    while mark + columns <= found and _is_unit(data, marks, mark, mark + columns - 1):
        _put_cell(cells, SURFACE, unit, surface, marks, mark, start)
        _put_cell(cells, TAG, unit, tag, marks, mark, start)
        _put_cell(cells, LEMMA, unit, lemma, marks, mark, start)
        cells[START, unit] = start
        cells[LINE, unit] = line
        cells[BEGINS, unit] = 0
        mark += columns
        start = marks[mark - 1] + 1
        unit += 1
        line += 1
    return unit


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
def _identity(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return first and last word of a CoNLL-U id: (7, 7); (7, 8) for `7-8`; (7, 0) for `7.1`; (-1, -1) for others."""
    for place in range(at, end):
        if data[place] in (DASH, DOT):
            first, last = _number(data, at, place), _number(data, place + 1, end)
            if first < 0 or last < 0:
                return -1, -1
            return (first, 0) if data[place] == DOT else (first, max(first, last))
    return _number(data, at, end), _number(data, at, end)


@inlined
def _note_broken(tallies: Longs, line: int) -> None:
    if tallies[BROKEN] < KEPT_BROKEN:
        tallies[FIRST_BROKEN + tallies[BROKEN]] = line
    tallies[BROKEN] += 1


@compiled
def _line_end(data: Bytes, marks: Ints, mark: int) -> int:
    while data[marks[mark]] != LF:
        mark += 1
    return mark


@compiled
def split_lines(data: Bytes, marks: Ints, found: int, shape: Shape, cells: Ints, tallies: Longs) -> int:
    """Fill *cells* with the lines of a block that have the columns of a unit; return how many.

    The block ends with a line end. Other lines end sentences and begin documents, or are noted as broken.
    """
    unit = mark = line = begins = 0
    quality = _WHOLE
    while mark < found:
        after = _unit_lines(data, marks, found, mark, line, shape, cells, unit)
        mark, line = mark + (after - unit) * shape.columns, line + after - unit
        if after > begins == unit:
            cells[BEGINS, unit] = quality
        unit = after
        if mark < found:
            last = _line_end(data, marks, mark)
            start = marks[mark - 1] + 1 if mark else 0
            kind = _other_line(data, start, marks[last], shape, last - mark)
            if kind == _BROKEN_LINE:
                _note_broken(tallies, line)
                quality = _DAMAGED
                if unit > begins:
                    cells[BEGINS, begins] = _DAMAGED
            elif kind != _NOTHING:
                begins, quality = unit, _WHOLE
                tallies[DOCUMENTS] += kind == _DOCUMENT
            mark, line = last + 1, line + 1
    tallies[LINES] += line
    return unit


@inlined
def _word_id(cells: Ints, unit: int, data: Bytes, covered: int) -> int:
    """Empty the cells that a word id says are not units; return the last word covered, -1 to skip, -2 if broken."""
    start = cells[START, unit]
    if data[start] == HASH:
        return -1
    end = start
    while data[end] != TAB:
        end += 1
    first, last = _identity(data, start, end)
    if first < 0:
        return -2
    if last == 0:
        return -1
    if last > first:
        cells[LEMMA_SIZE, unit] = cells[TAG_SIZE, unit] = 0
        return last
    if first <= covered:
        cells[SURFACE_SIZE, unit] = 0
    return covered


@inlined
def _end_of_line(cells: Ints, unit: int, data: Bytes, shape: Shape) -> None:
    """Take a carriage return off the cell that the line ends with."""
    for row, column in ((SURFACE, shape.surface), (TAG, shape.tag), (LEMMA, shape.lemma)):
        size = cells[row + SURFACE_SIZE, unit]
        if column == shape.columns - 1 and size and data[cells[row, unit] + size - 1] == CR:
            cells[row + SURFACE_SIZE, unit] = size - 1


@compiled
def sift_units(data: Bytes, units: int, shape: Shape, cells: Ints, tallies: Longs) -> int:
    """Keep the units of sentences without a broken line, in their order, at the front of *cells*; return how many.

    A broken line takes its sentence with it, because a hole would make neighbours of words that are none.
    """
    kept = covered = begins = sentence = 0
    damaged = False
    for unit in range(units):
        if cells[BEGINS, unit]:
            covered, begins, sentence = 0, 1, kept
            damaged = cells[BEGINS, unit] == _DAMAGED
        if damaged:
            continue
        _end_of_line(cells, unit, data, shape)
        blank = cells[SURFACE_SIZE, unit] == 0 and not shape.gaps
        verdict = _word_id(cells, unit, data, covered) if shape.ranges and not blank else covered
        if blank or verdict == -2:
            _note_broken(tallies, cells[LINE, unit])
            tallies[SENTENCES] -= kept > sentence
            kept, damaged = sentence, True
        elif verdict != -1:
            covered = verdict
            if kept < unit:
                for row in range(ROWS):
                    cells[row, kept] = cells[row, unit]
            cells[BEGINS, kept] = begins
            tallies[SENTENCES] += begins
            begins = 0
            kept += 1
    tallies[UNITS] += kept
    return kept
