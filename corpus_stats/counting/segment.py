"""Counting one segment: blocks in, sorted tables out. No Python object per token, and no shared state."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ncimp.corpus_stats.counting.normalising import normalised
from ncimp.corpus_stats.counting.screening import screen, unmark
from ncimp.corpus_stats.counting.summing import packing, summed, unpacked
from ncimp.corpus_stats.kernel import lines, marks, pairs, tags, types, vocabulary
from ncimp.corpus_stats.kernel.blocks import NO_COLUMN, Block, Layout
from ncimp.corpus_stats.kernel.compiled import Ints, every_eight
from ncimp.corpus_stats.kernel.rows import Packing
from ncimp.corpus_stats.patterns import MAX_CLASSES, Pattern, PatternTable
from ncimp.corpus_stats.readers.vertical import unescaped
from ncimp.corpus_stats.store.arrays import (
    HALF,
    Bools,
    Bytes,
    Keys,
    KeyTable,
    LayerTables,
    Longs,
    Numbers,
    RowTable,
    Tables,
    Tally,
    WordTable,
    halves,
)
from ncimp.corpus_stats.words import LAYERS, Layer

_FEW = 1 << 12
"""Types and pairs that a new table has room for."""

_TYPE_BYTES, _KEY_BYTES = 64, 32
"""Bytes of an entry of a vocabulary and of a table of pairs, with the slots that stay free."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is counted."""

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
        if len(self.hyphened) < len(self.words.starts):
            self.hyphened = np.concatenate(
                [self.hyphened, np.zeros(len(self.words.starts) - len(self.hyphened), np.uint8)]
            )

    def clear(self) -> None:
        """Forget everything but keep the memory."""
        for array in (self.words.slots, self.words.used, self.pairs.slots, self.pairs.used):
            array[:] = 0
        for array in (self.candidates.slots, self.candidates.used):
            array[:] = 0

    def bytes(self) -> int:
        """Return about the memory that the entries of the tables need; tables may have room for twice as many."""
        types, text = self.words.used[:2]
        keys = self.pairs.used[0] + self.candidates.used[0]
        return int(_TYPE_BYTES * types + text + _KEY_BYTES * keys)


class SegmentCounter:
    """Counts blocks of one layout; `finish` gives the tables. One counter is used by one thread at a time."""

    def __init__(self, layout: Layout, plan: Plan) -> None:
        self._layout, self._plan = layout, plan
        self._shape = lines.shape_of(layout)
        columns = {"surface": layout.surface, "lemma": layout.lemma}
        self._layers = {name: _LayerCounter() for name in plan.layers if columns[name] != NO_COLUMN}
        self._grammar = grammar(plan)
        self._candidates = bool(plan.patterns.patterns) and layout.tag != NO_COLUMN
        self._tags = vocabulary.new_vocabulary(_FEW, 16 * _FEW)
        self._classes: Bytes = np.zeros(0, np.uint8)
        self._short_tags = tags.no_tags()
        self._hashes: Keys = np.zeros(vocabulary.CHUNK, np.uint64)
        self._rooms: dict[str, Ints] = {}
        self._totals = np.zeros(lines.TALLIES, np.int64)

    def add(self, block: Block) -> tuple[int, list[int]]:
        """Count *block*; return how many lines it has and the numbers of the first broken ones (from 0, in the block).

        Lines that are not of the encoding are among the broken.
        """
        size = _ended(block)
        marked = screen(block, self._layout)
        data, eights = np.frombuffer(block.data, np.uint8), every_eight(block.data)
        places = self._scratch("places", size + marks.SPARE)
        found = marks.find_marks(data, size, places)
        room = found // self._layout.columns + 1
        cells = self._scratch("cells", lines.ROWS * room).reshape(lines.ROWS, room)
        tallies = np.zeros(lines.TALLIES, np.int64)
        units = lines.split_lines(data, places, found, block.last, self._shape, cells, tallies)
        if not lines.usual(tallies, self._shape):
            units = lines.sift_units(data, units, self._shape, cells, tallies)
        self._totals += tallies
        self._count(data, eights, cells, units)
        unmark(block, marked)
        broken = min(int(tallies[lines.BROKEN]), lines.KEPT_BROKEN)
        found_broken = tallies[lines.FIRST_BROKEN : lines.FIRST_BROKEN + broken]
        return int(tallies[lines.LINES]), [int(line) for line in found_broken]

    def _scratch(self, name: str, size: int) -> Ints:
        """Return room for *size* numbers, the same each time: fresh memory for each block would cost a third."""
        if name not in self._rooms or len(self._rooms[name]) < size:
            self._rooms[name] = np.empty(size + size // 4, np.int32)
        return self._rooms[name][:size]

    @property
    def units(self) -> int:
        """Return how many units were read so far."""
        return int(self._totals[lines.UNITS])

    def bytes(self) -> int:
        """Return about the memory that the entries of the tables need."""
        return sum(layer.bytes() for layer in self._layers.values())

    def _count(self, data: Bytes, eights: Keys, cells: Ints, units: int) -> None:
        classes = self._classified(data, eights, cells, units) if self._candidates else None
        for name, layer in self._layers.items():
            row = lines.SURFACE if name == "surface" else lines.LEMMA
            layer.make_room(units, len(data))
            known = int(layer.words.used[0])
            ids = self._scratch("ids", units)
            sizes = cells[row + lines.SURFACE_SIZE]
            vocabulary.word_ids(layer.words, data, eights, cells[row], sizes, self._hashes, ids)
            if self._plan.adjacent:
                layer.pairs = pairs.with_room(layer.pairs, units)
                pairs.count_adjacent(layer.pairs, ids, cells[lines.BEGINS], units)
            if classes is not None:
                types.note_hyphens(layer.words, known, layer.hyphened)
                layer.candidates = pairs.with_room(layer.candidates, 3 * units)
                pairs.count_candidates(
                    layer.candidates, ids, classes, cells[lines.BEGINS], layer.hyphened, units, self._grammar
                )

    def _classified(self, data: Bytes, eights: Keys, cells: Ints, units: int) -> Bytes:
        """Return the class of each unit's part of speech; Python is asked once per distinct tag."""
        self._tags = vocabulary.with_room(self._tags, units, len(data))
        found = self._scratch("classes", units // 4 + 1).view(np.uint8)[:units]
        at, sizes = cells[lines.TAG], cells[lines.TAG_SIZE]
        known = -1
        while known < int(self._tags.used[0]):  # after new tags, all are asked for again
            known = int(self._tags.used[0])
            new = [_type(self._tags, number) for number in range(len(self._classes), known)]
            numbers = [self._plan.patterns.classify(_tag(tag, self._layout)) for tag in new]
            self._classes = np.append(self._classes, np.array(numbers, np.uint8))
            tags.tag_classes(self._short_tags, self._tags, self._classes, data, eights, at, sizes, found)
        return found

    def finish(self) -> Tables:
        """Return the tables of what was added, words in normal form and in order, and be empty again.

        The counter keeps its memory: to get it from the system again would cost more than to count.
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
        words, ids = normalised(layer.words, self._layout, name)
        sums = _sums(layer.pairs, ids, packing(len(words), 0))
        if sums is None:
            sums = summed(_rows(layer.pairs, ids, with_kinds=False))
        types.add_margins(sums.first, sums.second, sums.counts, words.as_first, words.as_second)
        return LayerTables(words, sums, self._candidate_sums(layer.candidates, ids, words))

    def _candidate_sums(self, table: pairs.PairTable, ids: Ints, words: WordTable) -> RowTable:
        """Return the candidates of *table*; without rows of three words, patterns only allow or refuse."""
        patterns = self._plan.patterns
        sums = _sums(table, ids, packing(len(words), len(patterns.patterns)))
        if sums is None:
            return summed(_allowed(_rows(table, ids, with_kinds=True), words, patterns))
        kinds = _kinds(sums.pattern, sums.first, sums.middle, words, patterns)
        return sums if kinds.all() else sums.rows(kinds > 0)


def _sums(table: pairs.PairTable, ids: Ints, how: Packing | None) -> RowTable | None:
    """Return what *table* counted, by the numbers that the words have in the end; None where a row cannot be packed."""
    if how is None:
        return None
    packed = np.empty(int(table.used[0]) + 1, np.uint64)
    found = pairs.packed_rows(table, ids, packed, how)
    return unpacked(packed[:found], how) if found >= 0 else None


def _allowed(table: KeyTable, words: WordTable, patterns: PatternTable) -> KeyTable:
    """Return *table* with the patterns that allow its rows, without the rows that none does."""
    counted, middles = halves(table.kinds)
    kinds = _kinds(counted.astype(np.uint8), halves(table.keys)[0], middles, words, patterns)
    allowed = KeyTable(table.keys, (kinds.astype(np.uint64) << HALF) | middles, table.counts)
    keep = kinds > 0
    return allowed if keep.all() else KeyTable(allowed.keys[keep], allowed.kinds[keep], allowed.counts[keep])


def _kinds(counted: Bytes, first: Numbers, middle: Numbers, words: WordTable, patterns: PatternTable) -> Bytes:
    """Return, by row, the number of the first pattern of its classes that allows it, or 0.

    The kernel knows classes only, and *counted* all rows of a sequence of classes under its first pattern.
    """
    alike = dict[tuple[str, ...], list[tuple[int, Pattern]]]()
    for kind, pattern in enumerate(patterns.patterns, start=1):
        alike.setdefault(pattern.parts, []).append((kind, pattern))
    kinds = counted.copy()
    for group in alike.values():
        if _has_conditions(group[0][1]):
            rows = np.flatnonzero(counted == group[0][0])
            firsts, middles = first[rows].astype(np.int64), middle[rows].astype(np.int64)
            kinds[rows] = 0
            for kind, pattern in reversed(group):
                kinds[rows[_allows(pattern, firsts, middles, words)]] = kind
    return kinds


def _has_conditions(pattern: Pattern) -> bool:
    return bool(pattern.words) or len(pattern.parts) == 1


def _allows(pattern: Pattern, firsts: Longs, middles: Longs, words: WordTable) -> Bools:
    if pattern.words:
        allowed = {form.encode() for form in pattern.words}
        numbers = [int(number) for number in np.unique(middles) if words.word(int(number) - 1) in allowed]
        return np.isin(middles, numbers)
    if len(pattern.parts) == 1:  # what had a hyphen as it was written may have none as it is counted
        inside = np.zeros(len(firsts), np.bool_)
        types.hyphens_inside(words.text, words.starts, firsts, inside)
        return inside
    return np.ones(len(firsts), np.bool_)


def grammar(plan: Plan) -> pairs.Grammar:
    """Return the patterns of *plan* as tables of classes; the kind of a pattern is its place, from 1.

    Of patterns of the same classes, the first; `_kinds` knows the others.
    """
    size = MAX_CLASSES + 1
    tables = [np.zeros((size,) * parts, np.uint8) for parts in (1, 2, 3)]
    numbers = {name: number for number, name in enumerate(plan.patterns.classes, start=1)}
    for kind, pattern in reversed(list(enumerate(plan.patterns.patterns, start=1))):
        tables[len(pattern.parts) - 1][tuple(numbers[part] for part in pattern.parts)] = kind
    return pairs.Grammar(*tables)


def _ended(block: Block) -> int:
    """Return the size of *block* with a line end after it, which is written into its padding where there is none."""
    if not block.size or block.data[block.size - 1] == lines.LF:
        return block.size
    block.data[block.size] = lines.LF
    return block.size + 1


def _tag(text: bytes, layout: Layout) -> str:
    tag = text.decode(layout.encoding, "replace")
    return unescaped(tag) if layout.entities else tag


def _type(words: vocabulary.Vocabulary, number: int) -> bytes:
    return words.arena[words.starts[number] : words.starts[number + 1]].tobytes()


def _rows(table: pairs.PairTable, numbers: Ints, *, with_kinds: bool) -> KeyTable:
    """Return what *table* counted, by the numbers that the words have in the end."""
    taken = int(table.used[0])
    keys, counts = np.empty(taken, np.uint64), np.empty(taken, np.int64)
    kinds = np.empty(taken if with_kinds else 0, np.uint64)
    found = pairs.renumbered_rows(table, numbers, keys, kinds, counts)
    return KeyTable(keys[:found], kinds[:found], counts[:found])
