"""Counting one segment: blocks in, sorted tables out, without a Python object per token.

Threads count blocks side by side, each into tables of its own; the kernel holds no lock. A free worker reads the next
block itself: the bytes are then in the cache of the core that counts them, and there are no more threads than cores.
"""

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from ncimp.corpus_stats.counting.sorting import normalised, sorted_rows
from ncimp.corpus_stats.kernel import lines, pairs, vectors, vocabulary, words
from ncimp.corpus_stats.kernel.blocks import Block, Layout
from ncimp.corpus_stats.kernel.compiled import every_eight
from ncimp.corpus_stats.patterns import MAX_CLASSES, PatternTable
from ncimp.corpus_stats.problems import KEPT
from ncimp.corpus_stats.readers.vertical import unescaped
from ncimp.corpus_stats.store.files import write_part
from ncimp.corpus_stats.store.header import StoreHeader, Tally
from ncimp.corpus_stats.store.tables import Bytes, Ints, LayerTables, SegmentTables, ULongs
from ncimp.corpus_stats.words import LAYERS, Layer
from ncimp.schemas import Place, SourceError

_NOWHERE = Place("", 0)

_FEW = 1 << 12  # types and pairs that a new table has room for
_ENTRY_BYTES = (64, 1, 32)  # of a type, of a byte of its text, and of a pair, including free slots
_TABS = bytes.maketrans(b"\t", b"\0")

Marks = list[tuple[int, bytes]]  # begin and original bytes of each line that `mark_invalid` has changed


@dataclass(frozen=True, slots=True)
class SegmentPlan:
    """The counts to make."""

    layers: tuple[Layer, ...] = LAYERS
    adjacent: bool = True  # whether adjacent pairs are counted
    patterns: PatternTable = field(default_factory=PatternTable)
    """The compound candidates to count; they need a column of tags."""


class _LayerCounter:
    def __init__(self) -> None:
        self.words = vocabulary.new_vocabulary(_FEW, 8 * _FEW)
        self.pairs = pairs.new_table(_FEW)
        self.candidates = pairs.new_table(_FEW)
        self.hyphened: Bytes = np.zeros(_FEW, np.uint8)


class SegmentCounter:
    """Counts blocks of one layout; `finish` returns the tables. A counter is used by one thread at a time."""

    def __init__(self, layout: Layout, plan: SegmentPlan) -> None:
        self._layout, self._plan = layout, plan
        self._shape = lines.shape_of(layout)
        self._layers = {name: _LayerCounter() for name in plan.layers}
        self._grammar = grammar(plan)
        self._candidates = bool(plan.patterns.patterns)
        self._tags = vocabulary.new_vocabulary(_FEW, 16 * _FEW)
        self._classes: Bytes = np.zeros(0, np.uint8)
        self._short_tags = vocabulary.no_tags()
        self._hashes: ULongs = np.zeros(vocabulary.CHUNK, np.uint64)
        self._scratch_arrays: dict[str, Ints] = {}
        self._totals = np.zeros(lines.TALLIES, np.int64)

    def add(self, block: Block) -> tuple[int, int | None]:
        """Count *block*; return the number of its lines and the number of a broken one (from 0), if there is any.

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
        return int(tallies[lines.LINES]), int(tallies[lines.FIRST_BROKEN]) if tallies[lines.BROKEN] else None

    def _scratch(self, name: str, size: int) -> Ints:
        """Return a scratch array of *size* numbers, reused: fresh memory for each block would cost a third."""
        if name not in self._scratch_arrays or len(self._scratch_arrays[name]) < size:
            self._scratch_arrays[name] = np.empty(size + size // 4, np.int32)
        return self._scratch_arrays[name][:size]

    def bytes(self) -> int:
        """Return about the memory that the entries of the tables need; tables may have room for twice as many."""
        used = [(*layer.words.used, layer.pairs.used[0] + layer.candidates.used[0]) for layer in self._layers.values()]
        return int(np.sum(np.array(used) @ _ENTRY_BYTES))

    def _count(self, data: Bytes, eights: ULongs, cells: Ints, units: int) -> None:
        classes = self._classified(data, eights, cells, units) if self._candidates else None
        begins = cells[lines.BEGINS]
        for name, layer in self._layers.items():
            row = lines.SURFACE if name == "surface" else lines.LEMMA
            layer.words = vocabulary.with_room(layer.words, units, len(data))
            first_new = int(layer.words.used[0])
            ids = self._scratch("ids", units)
            sizes = cells[row + lines.SURFACE_SIZE]
            vocabulary.word_ids(layer.words, data, eights, cells[row], sizes, self._hashes, ids)
            if self._plan.adjacent:
                layer.pairs = pairs.with_room(layer.pairs, units)
                pairs.count_adjacent(layer.pairs, ids, begins, units)
            if classes is not None:
                missing = len(layer.words.starts) - len(layer.hyphened)
                if missing > 0:
                    layer.hyphened = np.concatenate([layer.hyphened, np.zeros(missing, np.uint8)])
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
            new = (vocabulary.word(self._tags, number) for number in range(len(self._classes), tag_count))
            texts = (tag.decode(self._layout.encoding, "replace") for tag in new)
            tags = (unescaped(text) if self._layout.entities else text for text in texts)
            numbers = [self._plan.patterns.classify(tag) for tag in tags]
            self._classes = np.append(self._classes, np.array(numbers, np.uint8))
            vocabulary.tag_classes(self._short_tags, self._tags, self._classes, data, eights, at, sizes, unit_classes)
        return unit_classes

    def finish(self) -> SegmentTables:
        """Return the tables of all blocks added, words in normal form and in order, and empty the counter.

        The counter keeps its memory: allocating it again would cost more than counting.
        """
        layers = dict[Layer, LayerTables]()
        for name, layer in self._layers.items():
            types, ids = normalised(layer.words, self._layout, name)
            rows = sorted_rows(layer.pairs, ids, types, PatternTable())
            words.add_margins(rows.first, rows.second, rows.counts, types.as_first, types.as_second)
            layers[name] = LayerTables(types, rows, sorted_rows(layer.candidates, ids, types, self._plan.patterns))
        tally = Tally(*self._totals[[lines.SENTENCES, lines.DOCUMENTS, lines.LINES, lines.BROKEN]].tolist())
        self._totals[:] = 0
        for layer in self._layers.values():
            for table in (layer.words, layer.pairs, layer.candidates):
                table.slots[:] = table.used[:] = 0
        return SegmentTables(layers, tally)


def grammar(plan: SegmentPlan) -> pairs.Grammar:
    """Return the patterns of *plan* as tables of classes; the kind of a pattern is its place, from 1.

    Of patterns of the same classes, the first; `sorting.sorted_rows` chooses among them.
    """
    size = MAX_CLASSES + 1
    tables = [np.zeros((size,) * parts, np.uint8) for parts in (1, 2, 3)]
    numbers = {name: number for number, name in enumerate(plan.patterns.classes, start=1)}
    for kind, pattern in reversed(list(enumerate(plan.patterns.patterns, start=1))):
        tables[len(pattern.parts) - 1][tuple(numbers[part] for part in pattern.parts)] = kind
    return pairs.Grammar(*tables)


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
        for line in bytes(block.data[: block.size]).split(b"\n"):
            try:
                line.decode(layout.encoding)
                is_text = b"\0" not in line
            except UnicodeDecodeError:
                is_text = False
            if not is_text:
                _mark(block, at, marks)
            at += len(line) + 1
    return marks


@cache
def _has_every_byte(encoding: str) -> bool:
    """Return True if each byte is a character in *encoding*, as in latin-1: then every text is valid."""
    try:
        return all(len(bytes((byte,)).decode(encoding)) == 1 for byte in range(256))
    except UnicodeDecodeError:
        return False


def _mark(block: Block, at: int, marks: Marks) -> int:
    """Mark the line of the byte *at* and add it to *marks*; return the line's end."""
    begin = block.data.rfind(b"\n", 0, at) + 1
    end = block.data.find(b"\n", at, block.size)
    end = block.size if end < 0 else end
    line = bytes(block.data[begin:end])
    block.data[begin:end] = b"\0" + line[1:].translate(_TABS)
    marks.append((begin, line))
    return end


class Workers:
    """Count blocks on a thread for each of *counters*, as a context manager.

    *explain* returns the problems of a block in which a broken line was found.
    """

    def __init__(
        self, layout: Layout, counters: Sequence[SegmentCounter], explain: Callable[[Block], list[SourceError]]
    ) -> None:
        self._layout, self._counters, self._explain = layout, list(counters), explain
        self._reading = threading.Lock()
        self._files: list[int] = []
        self._lines: dict[int, int] = {}
        self.broken: list[tuple[int, SourceError]] = []  # problems of this segment so far, with their block's number
        self._failure: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._failure = self._failure or error  # threads that still run end with their block
        self._counters.clear()  # frees their memory for the merge

    def skip(self, block: Block, file: int) -> None:
        """Count the lines of a block, of the file with that number, that an earlier run has counted."""
        self._lines[len(self._files)] = block.data.count(b"\n", 0, block.size)
        self._files.append(file)

    def count(self, blocks: Iterator[tuple[Block, int]]) -> None:
        """Count *blocks*, each with the number of its file; a free worker takes the next."""
        self._on_each(lambda part: self._count_all(blocks, self._counters[part]))

    def bytes(self) -> int:
        """Return about the memory that the entries of all tables need, if all are as large as the largest.

        The largest changes from segment to segment, and each counter keeps the memory that it once needed.
        """
        return len(self._counters) * max((counter.bytes() for counter in self._counters), default=0)

    def finish(self, work: Path, number: int, header: StoreHeader, files: Sequence[str]) -> list[SourceError]:
        """Write each worker's tables as a store into *work*; return the problems of the segment, by place."""
        self._on_each(lambda part: self._write(part, work / f"{number:06}-{part}", header), to_end=True)
        problems = list[SourceError]()
        for block, problem in sorted(self.broken, key=lambda pair: (pair[0], (pair[1].place or _NOWHERE).line or 0)):
            file = self._files[block]
            before = sum(self._lines[other] for other in range(block) if self._files[other] == file)
            problems.append(moved(problem, files[file], before))
        self.broken = []
        return problems

    def _on_each(self, step: Callable[[int], None], *, to_end: bool = False) -> None:
        """Run *step* with the number of each worker, on a thread each; raise the error of one of them."""
        parts = range(len(self._counters))
        threads = [threading.Thread(target=self._guarded, args=(step, part), daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException as error:
            # counting threads are left alone: they may wait for input, and end with their block; writing threads are
            # joined to their end, or they would write into the next run
            self._failure = error
            for thread in threads if to_end else ():
                thread.join()
            raise
        if self._failure is not None:
            raise self._failure

    def _guarded(self, step: Callable[[int], None], part: int) -> None:
        try:
            step(part)
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            self._failure = error

    def _count_all(self, blocks: Iterator[tuple[Block, int]], counter: SegmentCounter) -> None:
        while True:
            with self._reading:
                block, file = (None, 0) if self._failure is not None else next(blocks, (None, 0))
                if block is None:
                    return
                number = len(self._files)
                self._files.append(file)
            self._lines[number], broken = counter.add(block)
            if broken is not None and len(self.broken) < KEPT:
                what = f"is not a line of {self._layout.columns} tab-separated columns"
                fix, place = "is it of this format? see --format", Place("", broken + 1)
                problems = self._explain(block) or [SourceError(what, fix=fix, place=place)]
                self.broken += [(number, problem) for problem in problems]
            block.give_back()

    def _write(self, part: int, folder: Path, header: StoreHeader) -> None:
        """Write the tables of a worker as the store *folder*; without lines there is none."""
        tables = self._counters[part].finish()
        if not tables.tally.lines:
            return
        aside = folder.with_name(f".{folder.name}")
        for stale in (folder, aside):
            shutil.rmtree(stale, ignore_errors=True)
        aside.mkdir()
        write_part(aside, tables, header)
        aside.rename(folder)


def moved(problem: SourceError, file: str, lines: int) -> SourceError:
    """Return *problem* in *file*, that many *lines* further down."""
    place = problem.place or _NOWHERE
    return SourceError(problem.what, fix=problem.fix, place=Place(file, lines + (place.line or 0), place.column))
