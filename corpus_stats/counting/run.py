"""Counting a corpus of any size: segments, each a small store of its own, merged at the end.

A segment is a run of blocks. When it is full, every worker writes what it counted as a store into the work folder,
and one line is added to the manifest; so a process that is killed loses one segment, and the same command goes on
after the last line. Memory is bounded by the tables of a segment. How a corpus is cut into segments, files and
workers does not change the result.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePath
from typing import Protocol

from ncimp.corpus_stats.counting.merging import SLICE_BYTES, Merging, merge_parts
from ncimp.corpus_stats.counting.segment import Plan, SegmentCounter
from ncimp.corpus_stats.counting.workers import Workers
from ncimp.corpus_stats.kernel.blocks import Block, BlockSource
from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import FileFacts
from ncimp.corpus_stats.store.arrays import Tally
from ncimp.corpus_stats.store.header import CorpusSource, StoreHeader, read_header
from ncimp.corpus_stats.store.writing import disk_errors
from ncimp.schemas.errors import Place, SourceError
from ncimp.schemas.files import write_text
from ncimp.schemas.hashing import value_hash

SEGMENT_BYTES = 1 << 28
"""Bytes of text (256 MiB, some 20 million tokens, about two seconds of counting) that a segment has at most."""

BASE_BYTES = 300 << 20
"""Memory that is taken whatever is counted: 240 MB by Python, numba and Arrow, the rest by blocks and small tables."""

TABLE_SHARE = 0.4
"""Share of the rest that tables may need before a segment ends: free slots, growing and sorting take what is left."""

FAN_IN = 128
"""Parts that are merged at a time; each has a file open."""

MANIFEST = "manifest.jsonl"

Describe = Callable[[str, FileFacts], CorpusSource]
"""What gives the entry of a file in the header, by its name and identity."""


class FileSource(BlockSource, Protocol):
    """A corpus file as blocks; its identity is known at its end."""

    @property
    def name(self) -> str:
        """Return the file's name for messages."""
        ...

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all blocks were read."""
        ...

    @property
    def passed_over(self) -> int:
        """Return how many problems were passed over outside of the blocks."""
        ...

    def explain(self, block: Block) -> list[SourceError]:
        """Return what is wrong in *block*, in which a broken line was found."""
        ...


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a corpus is counted; none of it changes the counts but `min_count`."""

    memory: int = 1 << 30
    """Bytes that counting and merging should stay below."""
    workers: int = 2
    min_count: int = 1
    """What occurs less often is left out of the result, after everything was counted."""
    problems: Problems = STOP
    """What is done about broken lines."""
    segment_bytes: int = SEGMENT_BYTES
    progress: Callable[[int], object] = lambda _: None
    """Called with the bytes of text of each block when it is handed to be counted."""


@dataclass(slots=True)
class _Done:
    """What the manifest says was counted: complete files, and how far into the next one."""

    segments: int = 0
    files: list[FileFacts] = field(default_factory=list)
    passed_over: int = 0
    """Problems of these files that no table counts."""
    bytes_of_next: int = 0


def count_corpus(
    sources: Sequence[FileSource],
    out: Path,
    header: StoreHeader,
    plan: Plan,
    options: RunOptions,
    *,
    describe: Describe,
) -> StoreHeader:
    """Count all *sources* (of one layout) into the store *out*; return its header.

    What is done is kept in the folder `<out>.parts` until the store is in place. *describe* gives the entry of a
    file in the header.
    """
    work = out.with_name(f"{out.name}.parts")
    names = [source.name for source in sources]
    key = run_key(names, header, describe, [asdict(plan), asdict(sources[0].layout), options.problems.on_error])
    with disk_errors(out):
        if not all(Path(name).is_file() for name in names):
            discard(work)  # what came through a pipe cannot be known again
        done = _resumed(work, key)
    layout = sources[0].layout
    workers = Workers(layout, [SegmentCounter(layout, plan) for _ in range(options.workers)], sources[0].explain)
    with disk_errors(out), workers:
        _Run(work, sources, workers, options, done, header).count()
    parts = sorted(part for number in range(done.segments) for part in work.glob(f"{number:06}-*"))
    tally = Tally(broken_lines=done.passed_over)
    header = replace(header, sources=entries_of(names, done.files, describe), tally=tally)
    return put_together(parts, names, work, out, header, options)


def count_segments(
    source: FileSource, work: Path, header: StoreHeader, counter: SegmentCounter, options: RunOptions
) -> int:
    """Count *source* with *counter* into the folder *work*, a part a segment; return how many problems no part counts.

    After an error the counter is not empty.
    """
    done = _Done()
    with disk_errors(work), Workers(source.layout, [counter], source.explain) as workers:
        _Run(work, [source], workers, options, done, header).count()
    return done.passed_over


def table_bytes(memory: int) -> int:
    """Return what the tables of all workers may need together, so that the process stays below *memory* bytes.

    >>> [table_bytes(size << 20) >> 20 for size in (64, 512, 1024)]
    [0, 84, 289]
    """
    return max(int(TABLE_SHARE * (memory - BASE_BYTES)), 0)


def merging_of(options: RunOptions) -> Merging:
    """Return how parts are merged in the memory of *options*: a worker has a slice, and the result of one before."""
    return Merging(options.workers, min(SLICE_BYTES, table_bytes(options.memory) // (2 * options.workers)))


def run_key(names: Sequence[str], header: StoreHeader, describe: Describe, more: list[object]) -> str:
    """Return the hash of a run's files (with size and time of change) and options, by which it is known again."""
    files = [[name, *_state(name)] for name in names]
    return value_hash([files, [asdict(describe(name, FileFacts("", 0))) for name in names], header.lang, *more])


def entries_of(names: Sequence[str], files: Sequence[FileFacts], describe: Describe) -> tuple[CorpusSource, ...]:
    """Return the entries of the header, or raise `SourceError` where two files hold the same bytes."""
    known: dict[str, str] = {}
    for name, facts in zip(names, files, strict=True):
        if facts.sha256 in known:
            what = f"has the same bytes as {PurePath(known[facts.sha256]).name!r}, which was counted already"
            raise SourceError(what, fix="name each file once", place=Place(name))
        known[facts.sha256] = name
    return tuple(sorted(describe(name, facts) for name, facts in zip(names, files, strict=True)))


def put_together(
    parts: Sequence[Path], names: Sequence[str], work: Path, out: Path, header: StoreHeader, options: RunOptions
) -> StoreHeader:
    """Merge the *parts* of a run over the files *names* into the store *out*; return its header. *work* is removed."""
    if not any(read_header(part).sentences for part in parts):
        fix = f"is its format {header.corpus_format!r}? see --format"
        raise SourceError("holds no sentence", fix=fix, place=Place(", ".join(names)))
    with disk_errors(out):
        for level in range(len(parts)):
            if len(parts) <= FAN_IN:
                break
            parts = _merged_in_groups(parts, work / f"level-{level}", header, options)
    header = merge_parts(parts, out, replace(header, min_count=options.min_count), merging_of(options))
    discard(work)
    return header


def discard(work: Path) -> None:
    """Remove the folder *work* of a run; killed at any moment of it, the next run finds no manifest and begins anew."""
    (work / MANIFEST).unlink(missing_ok=True)  # first: a manifest must not outlive the parts that it names
    shutil.rmtree(work, ignore_errors=True)


def _merged_in_groups(parts: Sequence[Path], folder: Path, header: StoreHeader, options: RunOptions) -> list[Path]:
    """Merge the parts `FAN_IN` at a time, so that no more files than that are open; return the stores made."""
    merged = []
    empty = replace(header, tally=Tally(), min_count=1)
    for number in range(0, len(parts), FAN_IN):
        merged.append(folder / f"{number:06}")
        merge_parts(parts[number : number + FAN_IN], merged[-1], empty, merging_of(options))
    return merged


def _state(name: str) -> tuple[int, int]:
    """Return size and time of change of a file, by which a resumed run knows it again; zeros for what is no file."""
    try:
        found = Path(name).stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns


def _resumed(work: Path, key: str) -> _Done:
    """Return what *work* holds of the same run; an unfinished one of other options is thrown away."""
    done = _Done()
    manifest = work / MANIFEST
    lines = manifest.read_text(encoding="utf-8").split("\n") if manifest.is_file() else []
    if not lines or lines[0] != key:
        discard(work)
        work.mkdir(parents=True)
        append_line(manifest, key)
        return done
    if lines[-1]:  # it was being written, and the next line must not be added to it
        write_text(manifest, "\n".join([*lines[:-1], ""]))
    for line in lines[1:-1]:
        entry = json.loads(line)
        done.segments += 1
        done.files += [FileFacts(*facts) for facts in entry["files"]]
        done.passed_over += entry["passed_over"]
        done.bytes_of_next = entry["bytes"]
    return done


def append_line(manifest: Path, line: str) -> None:
    """Add *line* to the file *manifest*, and wait until it is on the disk."""
    with manifest.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
        stream.flush()
        os.fsync(stream.fileno())


class _Run:
    """One pass over the sources, from where the last one stopped."""

    def __init__(
        self,
        work: Path,
        sources: Sequence[FileSource],
        workers: Workers,
        options: RunOptions,
        done: _Done,
        header: StoreHeader,
    ) -> None:
        self._work, self._sources, self._workers, self._options = work, sources, workers, options
        self._done, self._header = done, header
        self._waiting, self._finished, self._passed_over = 0, list[FileFacts](), 0
        self._at, self._ended = 0, False
        self._kept = Future[None]()
        self._kept.set_result(None)

    def count(self) -> None:
        """Count what is not counted yet."""
        blocks = self._blocks()
        with ThreadPoolExecutor(1) as keeper:
            while not self._ended:
                self._workers.count(self._segment(blocks))
                self._kept.result()
                if self._finished or self._waiting:
                    self._end_segment(keeper)
            self._kept.result()

    def _blocks(self) -> Iterator[tuple[Block, int]]:
        """Yield the blocks of all files from where the manifest ends, each with the number of its file."""
        first = len(self._done.files)
        for number in range(first, len(self._sources)):
            source = self._sources[number]
            skip = self._done.bytes_of_next if number == first else 0
            for block, end in self._after(source.blocks(), number, skip):
                self._at = end
                yield block, number
            self._finished.append(source.facts)
            self._passed_over += source.passed_over
            self._at = 0
        self._ended = True

    def _segment(self, blocks: Iterator[tuple[Block, int]]) -> Iterator[tuple[Block, int]]:
        """Yield the next of *blocks* until the segment is full."""
        for block, number in blocks:
            size = block.size  # the block may be given back before this goes on
            self._waiting += size
            yield block, number
            self._options.progress(size)
            if self._is_full() or self._must_stop():
                break

    def _is_full(self) -> bool:
        full = self._waiting >= self._options.segment_bytes
        return full or self._workers.bytes() > table_bytes(self._options.memory)

    def _must_stop(self) -> bool:
        return self._options.problems.on_error == "stop" and self._workers.found_problem

    def _end_segment(self, keeper: Executor) -> None:
        """Write the tables of the segment that ends here, and say so in the manifest.

        The disk is waited for by *keeper* while the next segment is counted.
        """
        names = [source.name for source in self._sources]
        for left in self._work.glob(f"{self._done.segments:06}-*"):
            shutil.rmtree(left)  # of a run that was killed before the manifest had its line
        problems = self._workers.finish(self._work, self._done.segments, self._header, names)
        if problems and self._options.problems.on_error == "stop":
            discard(self._work)  # the corpus will be mended, so nothing of it may be used again
        for problem in problems:
            self._options.problems.report(problem)
        files = [[facts.sha256, facts.bytes] for facts in self._finished]
        entry = {"files": files, "passed_over": self._passed_over, "bytes": self._at}
        parts = list(self._work.glob(f"{self._done.segments:06}-*"))
        self._kept = keeper.submit(_keep, parts, self._work / MANIFEST, json.dumps(entry))
        self._done.segments += 1
        self._done.files += self._finished
        self._done.passed_over += self._passed_over
        self._waiting, self._finished, self._passed_over = 0, [], 0

    def _after(self, blocks: Iterator[Block], file: int, skip: int) -> Iterator[tuple[Block, int]]:
        """Yield the blocks after the first *skip* bytes, which ended a block, each with where it ends."""
        at = 0
        for block in blocks:
            at += block.size
            if at > skip:
                yield block, at
            else:
                self._workers.pass_over(block, file)
                block.give_back()


def _keep(parts: Sequence[Path], manifest: Path, line: str) -> None:
    """Add *line* to the manifest when the files of the *parts* that it stands for are on the disk."""
    for path in (path for part in parts for path in part.iterdir()):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    append_line(manifest, line)
