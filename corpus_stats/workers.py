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
from ncimp.corpus_stats.normalising import Undecodable
from ncimp.corpus_stats.segment import Plan, Segment, SegmentCounter
from ncimp.corpus_stats.store_header import StoreHeader
from ncimp.corpus_stats.store_writing import write_tables
from ncimp.schemas.errors import Place, SourceError

_LINE_BITS = 32
"""Bits of a place that are the line in its block; the rest is the number of the block."""
_AHEAD = 2
"""Blocks that wait for each worker."""


class Workers:
    """Counts blocks on some threads; close it by leaving its context."""

    def __init__(self, layout: Layout, plan: Plan, number: int) -> None:
        self._layout = layout
        self._plan = plan
        self._counters = [SegmentCounter(layout, plan) for _ in range(number)]
        self._files: list[int] = []
        self._lines: dict[int, int] = {}
        self._queue: queue.Queue[tuple[Block, int] | None] = queue.Queue(_AHEAD * number)
        self._broken: list[int] = []
        self._failure: BaseException | None = None
        self._threads: list[threading.Thread] = []
        self._folder: tuple[Path, int, StoreHeader] | None = None
        self._segments: list[Segment] = []

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
        """Return the memory that all tables take."""
        return sum(counter.bytes() for counter in self._counters)

    def finish(self, work: Path, number: int, header: StoreHeader, files: Sequence[str]) -> list[SourceError]:
        """Write each worker's tables as a store into *work*; return the problems found in the segment, by place."""
        self._folder = (work, number, header)
        self._stop()
        self._folder = None
        if self._failure is not None:
            raise self._failure
        what = f"is not a line of {self._layout.columns} tab-separated columns"
        fix = "is it of this format? see --format; --on-error skip passes over such lines"
        problems = [(place, SourceError(what, fix=fix, place=self._place(files, place))) for place in self._broken]
        for segment in self._segments:
            problems += [self._undecodable(found, files) for found in segment.undecodable]
        self._broken, self._segments = [], []
        return [problem for _, problem in sorted(problems, key=lambda pair: pair[0])]

    def _place(self, files: Sequence[str], place: int) -> Place:
        """Return file and line of a place in a block, from the lines of the blocks of that file before it."""
        number, line = place >> _LINE_BITS, place & ((1 << _LINE_BITS) - 1)
        file = self._files[number]
        before = sum(self._lines[other] for other in range(number) if self._files[other] == file)
        return Place(files[file], before + line + 1)

    def _undecodable(self, found: Undecodable, files: Sequence[str]) -> tuple[int, SourceError]:
        fix = "name the file's encoding with --encoding (older web corpora are often latin-1), or use --on-error skip"
        what = f"{found.text!r} is not {self._layout.encoding}"
        return found.seen, SourceError(what, fix=fix, place=self._place(files, found.seen))

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
        base = number << _LINE_BITS
        self._lines[number], broken = counter.add(block, base=base)
        self._broken += [base + line for line in broken]

    def _write(self, counter: SegmentCounter, part: int) -> None:
        segment = counter.finish()
        assert self._folder is not None  # noqa: S101 - set by `finish`
        work, number, header = self._folder
        folder, aside = work / f"{number:06}-{part}", work / f".{number:06}-{part}"
        for left in (folder, aside):
            shutil.rmtree(left, ignore_errors=True)
        aside.mkdir()
        write_tables(aside, segment.tables, header)
        _sync(aside)
        aside.rename(folder)
        self._segments.append(segment)


def _sync(folder: Path) -> None:
    """Make sure that the files of *folder* are on the disk before a manifest names them."""
    for path in folder.iterdir():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
