"""Threads that count blocks side by side, each into tables of its own; the kernel holds no lock."""

from __future__ import annotations

import os
import queue
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ncimp.corpus_stats.blocks import Block, Layout
from ncimp.corpus_stats.problems import KEPT
from ncimp.corpus_stats.segment import Plan, SegmentCounter
from ncimp.corpus_stats.store_header import StoreHeader
from ncimp.corpus_stats.store_writing import write_tables
from ncimp.schemas.errors import Place, SourceError

_SOMEWHERE = Place("", 0)
_AHEAD = 2
"""Blocks that wait for each worker."""


class Workers:
    """Counts blocks on some threads; close it by leaving its context.

    *explain* says what is wrong in a block in which a broken line was found.
    """

    def __init__(self, layout: Layout, plan: Plan, number: int, explain: Callable[[Block], list[SourceError]]) -> None:
        self._layout = layout
        self._explain = explain
        self._counters = [SegmentCounter(layout, plan) for _ in range(number)]
        self._files: list[int] = []
        self._lines: dict[int, int] = {}
        self._queue: queue.Queue[tuple[Block, int] | None] = queue.Queue(_AHEAD * number)
        self._broken: list[tuple[int, SourceError]] = []
        self._failure: BaseException | None = None
        self._threads: list[threading.Thread] = []
        self._folder: tuple[Path, int, StoreHeader] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._counters.clear()  # their memory is wanted for what comes next

    def pass_over(self, block: Block, file: int) -> None:
        """Take note of a block of the file with that number that was counted before."""
        self._lines[len(self._files)] = block.data.count(b"\n", 0, block.size)
        self._files.append(file)

    def add(self, block: Block, file: int) -> None:
        """Hand *block*, of the file with that number, to whichever worker is free."""
        if not self._threads:
            self._start()
        self._queue.put((block, len(self._files)))
        self._files.append(file)
        if self._failure is not None:
            raise self._failure

    def bytes(self) -> int:
        """Return about the memory that the entries of all tables need."""
        return sum(counter.bytes() for counter in self._counters)

    def finish(self, work: Path, number: int, header: StoreHeader, files: Sequence[str]) -> list[SourceError]:
        """Write each worker's tables as a store into *work*; return the problems found in the segment, by place."""
        self._folder = (work, number, header)
        self._stop()
        self._folder = None
        if self._failure is not None:
            raise self._failure
        problems = sorted(self._broken, key=lambda pair: (pair[0], (pair[1].place or _SOMEWHERE).line or 0))
        self._broken = []
        return [self._placed(problem, files, number) for number, problem in problems]

    @property
    def found_problem(self) -> bool:
        """Return whether a broken line was found in the blocks of this segment that are counted already."""
        return bool(self._broken)

    def _placed(self, problem: SourceError, files: Sequence[str], number: int) -> SourceError:
        """Return *problem* with its file, and its line counted from the blocks of that file before its own."""
        file, place = self._files[number], problem.place or _SOMEWHERE
        before = sum(self._lines[other] for other in range(number) if self._files[other] == file)
        place = Place(files[file], before + (place.line or 0), place.column)
        return SourceError(problem.what, fix=problem.fix, place=place)

    def _start(self) -> None:
        self._threads = [
            threading.Thread(target=self._work, args=(n,), daemon=True) for n in range(len(self._counters))
        ]
        for thread in self._threads:
            thread.start()

    def _stop(self) -> None:
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _work(self, number: int) -> None:
        """Count until told to stop; after a failure blocks are still taken, so that nobody waits for room."""
        counter = self._counters[number]
        while (item := self._queue.get()) is not None:
            if self._failure is None:
                self._guarded(self._count, counter, *item)
        if self._folder is not None and self._failure is None:
            self._guarded(self._write, counter, number)

    def _guarded(self, step: Callable[..., None], *arguments: object) -> None:
        try:
            step(*arguments)
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            self._failure = error

    def _count(self, counter: SegmentCounter, block: Block, number: int) -> None:
        self._lines[number], broken = counter.add(block)
        if broken and len(self._broken) < KEPT:
            problems = self._explain(block) or [self._unexplained(broken[0])]
            self._broken += [(number, problem) for problem in problems]

    def _unexplained(self, line: int) -> SourceError:
        what = f"is not a line of {self._layout.columns} tab-separated columns"
        return SourceError(what, fix="is it of this format? see --format", place=Place("", line + 1))

    def _write(self, counter: SegmentCounter, part: int) -> None:
        tables = counter.finish()
        assert self._folder is not None  # noqa: S101 - set by `finish`
        work, number, header = self._folder
        folder, aside = work / f"{number:06}-{part}", work / f".{number:06}-{part}"
        for left in (folder, aside):
            shutil.rmtree(left, ignore_errors=True)
        aside.mkdir()
        write_tables(aside, tables, header)
        _sync(aside)
        aside.rename(folder)


def _sync(folder: Path) -> None:
    """Make sure that the files of *folder* are on the disk before a manifest names them."""
    for path in folder.iterdir():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
