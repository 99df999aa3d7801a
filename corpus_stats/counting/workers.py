"""Threads that count blocks side by side, each into tables of its own; the kernel holds no lock.

A free worker reads the next block itself: the bytes are then in the cache of the core that counts them, and there are
no more threads than cores.
"""

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ncimp.corpus_stats.counting.segment import SegmentCounter
from ncimp.corpus_stats.kernel.blocks import Block, Layout
from ncimp.corpus_stats.problems import KEPT
from ncimp.corpus_stats.store.files import write_part
from ncimp.corpus_stats.store.header import StoreHeader
from ncimp.schemas.errors import Place, SourceError

_NOWHERE = Place("", 0)


class Workers:
    """Count blocks on a thread for each of *counters*, as a context manager.

    *explain* returns the problems of a block in which a broken line was found.
    """

    def __init__(
        self, layout: Layout, counters: Sequence[SegmentCounter], explain: Callable[[Block], list[SourceError]]
    ) -> None:
        self._layout = layout
        self._explain = explain
        self._counters = list(counters)
        self._reading = threading.Lock()
        self._files: list[int] = []
        self._lines: dict[int, int] = {}
        self._broken: list[tuple[int, SourceError]] = []
        self._failure: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        self._on_each(lambda part: _write(self._counters[part], work, f"{number:06}-{part}", header), to_end=True)
        problems = sorted(self._broken, key=lambda pair: (pair[0], (pair[1].place or _NOWHERE).line or 0))
        self._broken = []
        return [self._placed(problem, files, block) for block, problem in problems]

    @property
    def found_problem(self) -> bool:
        """Return True if a broken line was found in the blocks of this segment so far."""
        return bool(self._broken)

    def _placed(self, problem: SourceError, files: Sequence[str], number: int) -> SourceError:
        """Return *problem* of the block *number* with its file, and its line counted from the begin of the file."""
        file = self._files[number]
        before = sum(self._lines[other] for other in range(number) if self._files[other] == file)
        return moved(problem, files[file], before)

    def _on_each(self, step: Callable[[int], None], *, to_end: bool = False) -> None:
        """Run *step* with the number of each worker, on a thread each; raise the error of one of them.

        When this is interrupted, counting threads are left alone: they may wait for input, and end with their block.
        Writing threads are joined *to_end*, or they would write into the next run.
        """
        threads = [
            threading.Thread(target=self._guarded, args=(step, part), daemon=True)
            for part in range(len(self._counters))
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException as error:
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
        """Count until there are no more blocks, or a worker failed."""
        while (item := self._next(blocks)) is not None:
            block, number = item
            self._lines[number], broken = counter.add(block)
            if broken and len(self._broken) < KEPT:
                problems = self._explain(block) or [self._unexplained(broken[0])]
                self._broken += [(number, problem) for problem in problems]
            block.give_back()

    def _next(self, blocks: Iterator[tuple[Block, int]]) -> tuple[Block, int] | None:
        """Return the next block and its number; None at the end, or when a worker failed."""
        with self._reading:
            if self._failure is not None:
                return None
            block, file = next(blocks, (None, 0))
            if block is None:
                return None
            self._files.append(file)
            return block, len(self._files) - 1

    def _unexplained(self, line: int) -> SourceError:
        what = f"is not a line of {self._layout.columns} tab-separated columns"
        return SourceError(what, fix="is it of this format? see --format", place=Place("", line + 1))


def moved(problem: SourceError, file: str, lines: int) -> SourceError:
    """Return *problem* in *file*, that many *lines* further down."""
    place = problem.place or _NOWHERE
    return SourceError(problem.what, fix=problem.fix, place=Place(file, lines + (place.line or 0), place.column))


def _write(counter: SegmentCounter, work: Path, name: str, header: StoreHeader) -> None:
    """Write the tables of *counter* as the store *name* in *work*; a counter without lines has none."""
    tables = counter.finish()
    if not tables.tally.lines:
        return
    folder, aside = work / name, work / f".{name}"
    for stale in (folder, aside):
        shutil.rmtree(stale, ignore_errors=True)
    aside.mkdir()
    write_part(aside, tables, header)
    aside.rename(folder)
