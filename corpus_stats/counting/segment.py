"""Counting one segment: blocks in, sorted tables out, without a Python object per token and without shared state."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ncimp.corpus_stats.counting.sorting import candidate_rows, normalised, pair_rows
from ncimp.corpus_stats.kernel import lines, pairs, vectors, vocabulary, words
from ncimp.corpus_stats.kernel.blocks import NO_COLUMN, Block, Layout
from ncimp.corpus_stats.kernel.compiled import every_eight
from ncimp.corpus_stats.patterns import MAX_CLASSES, PatternTable
from ncimp.corpus_stats.readers.vertical import unescaped
from ncimp.corpus_stats.store.tables import Bytes, Ints, LayerTables, Tables, Tally, ULongs
from ncimp.corpus_stats.words import LAYERS, Layer

_FEW = 1 << 12
"""Types and pairs that a new table has room for."""

_TYPE_BYTES, _KEY_BYTES = 64, 32
"""Bytes of an entry of a vocabulary and of a table of pairs, including free slots."""

_TABS = bytes.maketrans(b"\t", b"\0")

Marks = list[tuple[int, bytes]]
"""Begin and original bytes of each line that `mark_invalid` has changed."""


@dataclass(frozen=True, slots=True)
class SegmentPlan:
    """The counts to make."""

    layers: tuple[Layer, ...] = LAYERS
    adjacent: bool = True
    """Whether adjacent pairs are counted."""
    patterns: PatternTable = field(default_factory=PatternTable)
    """The compound candidates to count; they need a column of tags."""


class _LayerCounter:
    """Vocabulary and pairs of one layer."""

    def __init__(self) -> None:
        self.words = vocabulary.new_vocabulary(_FEW, 8 * _FEW)
        self.pairs = pairs.new_table(_FEW)
        self.candidates = pairs.new_table(_FEW)
        self.hyphened: Bytes = np.zeros(_FEW, np.uint8)

    def make_room(self, units: int, size: int) -> None:
        self.words = vocabulary.with_room(self.words, units, size)
        missing = len(self.words.starts) - len(self.hyphened)
        if missing > 0:
            self.hyphened = np.concatenate([self.hyphened, np.zeros(missing, np.uint8)])

    def clear(self) -> None:
        """Empty the tables but keep their memory."""
        for table in (self.words, self.pairs, self.candidates):
            table.slots[:] = 0
            table.used[:] = 0

    def bytes(self) -> int:
        """Return about the memory that the entries of the tables need; tables may have room for twice as many."""
        types, text = self.words.used[:2]
        keys = self.pairs.used[0] + self.candidates.used[0]
        return int(_TYPE_BYTES * types + text + _KEY_BYTES * keys)


class SegmentCounter:
    """Counts blocks of one layout; `finish` returns the tables. A counter is used by one thread at a time."""

    def __init__(self, layout: Layout, plan: SegmentPlan) -> None:
        self._layout, self._plan = layout, plan
        self._shape = lines.shape_of(layout)
        columns = {"surface": layout.surface, "lemma": layout.lemma}
        self._layers = {name: _LayerCounter() for name in plan.layers if columns[name] != NO_COLUMN}
        self._grammar = grammar(plan)
        self._candidates = bool(plan.patterns.patterns) and layout.tag != NO_COLUMN
        self._tags = vocabulary.new_vocabulary(_FEW, 16 * _FEW)
        self._classes: Bytes = np.zeros(0, np.uint8)
        self._short_tags = vocabulary.no_tags()
        self._hashes: ULongs = np.zeros(vocabulary.CHUNK, np.uint64)
        self._scratch_arrays: dict[str, Ints] = {}
        self._totals = np.zeros(lines.TALLIES, np.int64)

    def add(self, block: Block) -> tuple[int, list[int]]:
        """Count *block*; return the number of its lines and the numbers of the first broken ones (from 0).

        Lines that are not of the encoding are among the broken.
        """
        size = block.size
        if size and block.data[size - 1] != lines.LF:
            block.data[size] = lines.LF  # in the padding
            size += 1
        marked = mark_invalid(block, self._layout)
        data, eights = np.frombuffer(block.data, np.uint8), every_eight(block.data)
        places = self._scratch("places", size + vectors.SPARE)
        mark_count = vectors.find_marks(data, size, places)
        room = mark_count // self._layout.columns + 1
        cells = self._scratch("cells", lines.ROWS * room).reshape(lines.ROWS, room)
        tallies = np.zeros(lines.TALLIES, np.int64)
        units = lines.split_lines(data, places, mark_count, block.last, self._shape, cells, tallies)
        if not lines.usual(tallies, self._shape):
            units = lines.sift_units(data, units, self._shape, cells, tallies)
        self._totals += tallies
        self._count(data, eights, cells, units)
        for begin, line in marked:
            block.data[begin : begin + len(line)] = line
        broken = min(int(tallies[lines.BROKEN]), lines.KEPT_BROKEN)
        numbers = tallies[lines.FIRST_BROKEN : lines.FIRST_BROKEN + broken]
        return int(tallies[lines.LINES]), [int(number) for number in numbers]

    def _scratch(self, name: str, size: int) -> Ints:
        """Return a scratch array of *size* numbers, reused: fresh memory for each block would cost a third."""
        if name not in self._scratch_arrays or len(self._scratch_arrays[name]) < size:
            self._scratch_arrays[name] = np.empty(size + size // 4, np.int32)
        return self._scratch_arrays[name][:size]

    def bytes(self) -> int:
        """Return about the memory that the entries of the tables need."""
        return sum(layer.bytes() for layer in self._layers.values())

    def _count(self, data: Bytes, eights: ULongs, cells: Ints, units: int) -> None:
        classes = self._classified(data, eights, cells, units) if self._candidates else None
        begins = cells[lines.BEGINS]
        for name, layer in self._layers.items():
            row = lines.SURFACE if name == "surface" else lines.LEMMA
            layer.make_room(units, len(data))
            first_new = int(layer.words.used[0])
            ids = self._scratch("ids", units)
            sizes = cells[row + lines.SURFACE_SIZE]
            vocabulary.word_ids(layer.words, data, eights, cells[row], sizes, self._hashes, ids)
            if self._plan.adjacent:
                layer.pairs = pairs.with_room(layer.pairs, units)
                pairs.count_adjacent(layer.pairs, ids, begins, units)
            if classes is not None:
                words.note_hyphens(layer.words, first_new, layer.hyphened)
                layer.candidates = pairs.with_room(layer.candidates, 3 * units)
                pairs.count_candidates(layer.candidates, ids, classes, begins, layer.hyphened, units, self._grammar)

    def _classified(self, data: Bytes, eights: ULongs, cells: Ints, units: int) -> Bytes:
        """Return the class of each unit's part of speech; each distinct tag is classified once, in Python."""
        self._tags = vocabulary.with_room(self._tags, units, len(data))
        unit_classes = self._scratch("classes", units // 4 + 1).view(np.uint8)[:units]
        at, sizes = cells[lines.TAG], cells[lines.TAG_SIZE]
        tag_count = -1
        while tag_count < int(self._tags.used[0]):  # again after new tags
            tag_count = int(self._tags.used[0])
            new = [vocabulary.word(self._tags, number) for number in range(len(self._classes), tag_count)]
            numbers = [self._plan.patterns.classify(_tag(tag, self._layout)) for tag in new]
            self._classes = np.append(self._classes, np.array(numbers, np.uint8))
            vocabulary.tag_classes(self._short_tags, self._tags, self._classes, data, eights, at, sizes, unit_classes)
        return unit_classes

    def finish(self) -> Tables:
        """Return the tables of all blocks added, words in normal form and in order, and empty the counter.

        The counter keeps its memory: allocating it again would cost more than counting.
        """
        layers = {name: self._tables(layer, name) for name, layer in self._layers.items()}
        totals = self._totals
        tally = Tally(
            sentences=int(totals[lines.SENTENCES]),
            documents=int(totals[lines.DOCUMENTS]),
            lines=int(totals[lines.LINES]),
            broken_lines=int(totals[lines.BROKEN]),
        )
        self._totals[:] = 0
        for layer in self._layers.values():
            layer.clear()
        return Tables(layers, tally)

    def _tables(self, layer: _LayerCounter, name: Layer) -> LayerTables:
        table, ids = normalised(layer.words, self._layout, name)
        rows = pair_rows(layer.pairs, ids, table.size)
        words.add_margins(rows.first, rows.second, rows.counts, table.as_first, table.as_second)
        return LayerTables(table, rows, candidate_rows(layer.candidates, ids, table, self._plan.patterns))


def grammar(plan: SegmentPlan) -> pairs.Grammar:
    """Return the patterns of *plan* as tables of classes; the kind of a pattern is its place, from 1.

    Of patterns of the same classes, the first; `sorting.candidate_rows` chooses among them.
    """
    size = MAX_CLASSES + 1
    tables = [np.zeros((size,) * parts, np.uint8) for parts in (1, 2, 3)]
    numbers = {name: number for number, name in enumerate(plan.patterns.classes, start=1)}
    for kind, pattern in reversed(list(enumerate(plan.patterns.patterns, start=1))):
        tables[len(pattern.parts) - 1][tuple(numbers[part] for part in pattern.parts)] = kind
    return pairs.Grammar(*tables)


def _tag(text: bytes, layout: Layout) -> str:
    tag = text.decode(layout.encoding, "replace")
    return unescaped(tag) if layout.entities else tag


def mark_invalid(block: Block, layout: Layout) -> Marks:
    """Mark the lines of *block* that hold a NUL or are not of the encoding, so that the kernel finds them broken.

    A mark is a NUL in the place of the first byte and of each tab: such a line has not the columns of a unit and is not
    a tag. Return the lines as they were.
    """
    marks = Marks()
    if layout.gaps:  # written by `blocks.canonical`
        return marks
    if layout.is_utf8:
        data = np.frombuffer(block.data, np.uint8)
        at = vectors.first_invalid(data, 0, block.size)
        while at < block.size:
            at = vectors.first_invalid(data, _mark(block, at, marks), block.size)
    elif not _has_every_byte(layout.encoding) or block.data.find(b"\0", 0, block.size) >= 0:
        at = 0
        while at < block.size:
            end = block.data.find(b"\n", at, block.size)
            end = block.size if end < 0 else end
            if not _is_text(block.data[at:end], layout.encoding):
                _mark(block, at, marks)
            at = end + 1
    return marks


@cache
def _has_every_byte(encoding: str) -> bool:
    """Return True if each byte is a character in *encoding*, as in latin-1: then every text is valid."""
    try:
        return all(len(bytes((byte,)).decode(encoding)) == 1 for byte in range(256))
    except UnicodeDecodeError:
        return False


def _is_text(line: bytearray, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return b"\0" not in line


def _mark(block: Block, at: int, marks: Marks) -> int:
    """Mark the line of the byte *at* and add it to *marks*; return the line's end."""
    begin = block.data.rfind(b"\n", 0, at) + 1
    end = block.data.find(b"\n", at, block.size)
    end = block.size if end < 0 else end
    line = bytes(block.data[begin:end])
    block.data[begin:end] = b"\0" + line[1:].translate(_TABS)
    marks.append((begin, line))
    return end
