"""From marks to units: which lines are units, where their cells are, and where sentences end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ncimp.corpus_stats.blocks import Layout
from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs, compiled

TAB, LF, CR, SPACE, HASH, SLASH, LESS, MORE = 9, 10, 13, 32, 35, 47, 60, 62
DASH, DOT, ZERO, NINE = 45, 46, 48, 57

# places in `tallies`
LINES, SENTENCES, DOCUMENTS, BROKEN, UNITS, FIRST_BROKEN = range(6)
KEPT_BROKEN = 8
"""How many broken lines of a block are remembered by number."""
TALLIES = FIRST_BROKEN + KEPT_BROKEN

# what a line without the columns of a unit is
_NOTHING, _SENTENCE, _DOCUMENT, _BROKEN_LINE = range(4)


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


class Cells(NamedTuple):
    """Of each unit of a block: where its cells are, whether a sentence begins with it, and its line."""

    surface: Ints
    surface_size: Ints
    tag: Ints
    tag_size: Ints
    lemma: Ints
    lemma_size: Ints
    begins: Bytes
    line: Ints


def shape_of(layout: Layout) -> Shape:
    """Return *layout* as the compiled functions want it."""
    flags = (layout.ends == "blank", layout.comments, layout.ranges, layout.gaps)
    return Shape(layout.columns, layout.surface, layout.tag, layout.lemma, *map(int, flags))


def cells_for(units: int) -> Cells:
    """Return room for *units* units."""
    rows = np.empty((7, units), np.int32)
    return Cells(*rows[:6], np.empty(units, np.uint8), rows[6])


@compiled
def _is_unit(data: Bytes, marks: Ints, first: int, last: int) -> bool:
    for mark in range(first, last):
        if data[marks[mark]] != TAB:
            return False
    return data[marks[last]] == LF


@compiled
def _starts(data: Bytes, at: int, end: int, text: bytes) -> bool:
    if end - at < len(text):
        return False
    for place in range(len(text)):
        if data[at + place] != text[place]:
            return False
    return True


@compiled
def _is_tag(data: Bytes, at: int, end: int, name: bytes) -> bool:
    """Tell whether the markup from *at* is `name`, with or without attributes."""
    after = at + len(name)
    return _starts(data, at, end, name) and (after == end or data[after] in (MORE, SPACE, SLASH))


@compiled
def _markup(data: Bytes, at: int, end: int) -> int:
    if data[end - 1] != MORE or end - at < 3:
        return _BROKEN_LINE
    if _is_tag(data, at, end, b"<text") or _is_tag(data, at, end, b"<doc"):
        return _DOCUMENT
    if _is_tag(data, at, end, b"<s") or _is_tag(data, at, end, b"</s"):
        return _SENTENCE
    if _is_tag(data, at, end, b"</text") or _is_tag(data, at, end, b"</doc"):
        return _SENTENCE
    return _NOTHING


@compiled
def _other_line(data: Bytes, at: int, end: int, shape: Shape, tabs: int) -> int:
    """Return what the line from *at* to *end* is, which has not the columns of a unit."""
    while end > at and data[end - 1] in (CR, SPACE):
        end -= 1
    if at == end:
        return _SENTENCE if shape.blank_ends else _NOTHING
    if shape.comments and data[at] == HASH:
        return _DOCUMENT if _starts(data, at, end, b"# newdoc") else _NOTHING
    if data[at] == LESS and not tabs and not shape.comments:
        return _markup(data, at, end)
    return _BROKEN_LINE


@compiled
def _put(cells: Cells, unit: int, data: Bytes, marks: Ints, first: int, start: int, shape: Shape) -> None:
    """Write where the cells of a unit are; its line begins at *start* and its first mark is *first*."""
    for column in range(shape.columns):
        at = start if column == 0 else marks[first + column - 1] + 1
        end = marks[first + column]
        if column == shape.columns - 1 and end > at and data[end - 1] == CR:
            end -= 1
        if column == shape.surface:
            cells.surface[unit] = at
            cells.surface_size[unit] = end - at
        elif column == shape.tag:
            cells.tag[unit] = at
            cells.tag_size[unit] = end - at
        elif column == shape.lemma:
            cells.lemma[unit] = at
            cells.lemma_size[unit] = end - at


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


@compiled
def _keep(cells: Cells, unit: int, first: int, last: int, covered: int) -> bool:
    """Empty the cells that a word id says are not units; return whether any is left."""
    if last == 0:
        return False
    if last > first:
        cells.lemma_size[unit] = 0
        cells.tag_size[unit] = 0
    elif first <= covered:
        cells.surface_size[unit] = 0
    return True


@compiled
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
def split_lines(data: Bytes, marks: Ints, found: int, shape: Shape, cells: Cells, tallies: Longs) -> int:
    """Fill *cells* with the units of a block that ends with a line end; add to *tallies*; return how many units."""
    unit = start = mark = line = covered = 0
    fresh = True
    while mark < found:
        last = mark + shape.columns - 1
        first_word = last_word = -2
        if last < found and _is_unit(data, marks, mark, last) and not (shape.comments and data[start] == HASH):
            _put(cells, unit, data, marks, mark, start, shape)
            if shape.ranges:
                first_word, last_word = _identity(data, start, marks[mark])
            if first_word == -1 or (cells.surface_size[unit] == 0 and not shape.gaps):
                _note_broken(tallies, line)
            elif not shape.ranges or _keep(cells, unit, first_word, last_word, covered):
                covered = max(covered, last_word if last_word > first_word else covered)
                cells.begins[unit] = fresh
                cells.line[unit] = line
                tallies[SENTENCES] += fresh
                fresh = False
                unit += 1
        else:
            last = _line_end(data, marks, mark)
            kind = _other_line(data, start, marks[last], shape, last - mark)
            if kind == _BROKEN_LINE:
                _note_broken(tallies, line)
            elif kind != _NOTHING:
                fresh, covered = True, 0
                tallies[DOCUMENTS] += kind == _DOCUMENT
        start, mark, line = marks[last] + 1, last + 1, line + 1
    tallies[LINES] += line
    tallies[UNITS] += unit
    return unit
