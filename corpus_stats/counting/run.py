"""Counting a corpus of any size: segments, each a small store of its own, merged at the end.

A segment is a run of blocks. When it is full, every worker writes its tables as a store into the work folder
`<out>.parts`, and one event is appended to the log there; a killed run loses one segment, and the same command resumes
after the last event. Memory is bounded by the tables of a segment. Segments, files and workers do not change the
result. The log begins with the key of the run:

    {"key": "5f2c…"}
    {"files": [["9b1d…", 52428800]], "passed_over": 0, "bytes": 1048000}

`files` are hash and size of the files that end in the segment, `passed_over` their problems that no table counts, and
`bytes` is the place in the next file at which the segment ends.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePath

from ncimp.corpus_stats.counting.merging import SLICE_BYTES, merge_parts
from ncimp.corpus_stats.counting.segment import SegmentCounter, Workers
from ncimp.corpus_stats.counting.sources import FileSource, Job
from ncimp.corpus_stats.kernel.blocks import Block
from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.formats import expanded
from ncimp.corpus_stats.readers.streams import FileFacts, HeadStart
from ncimp.corpus_stats.store.header import StoreHeader, Tally, disk_errors, read_header
from ncimp.schemas import Place, Row, SourceError, value_hash
from ncimp.schemas.journal import EventLog, open_log

SEGMENT_BYTES = 1 << 28
"""Most bytes of text in a segment (256 MiB, some 20 million tokens, about two seconds of counting)."""

BASE_BYTES = 300 << 20  # memory of every run: 240 MB for Python, numba and Arrow, the rest for blocks and small tables
TABLE_SHARE = 0.4
"""Share of the remaining memory at which a segment ends: free slots, growing and sorting take the rest."""

FAN_IN = 128  # parts that are merged at a time; each has a file open
LOG = "segments.jsonl"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Resources and options of a run; only `min_count` changes the counts."""

    memory: int = 1 << 30  # bytes that counting and merging should stay below
    workers: int = 2
    min_count: int = 1  # words and pairs below this count are left out of the result, after everything was counted
    problems: Problems = STOP  # whether broken lines stop the run or are skipped
    segment_bytes: int = SEGMENT_BYTES
    progress: Callable[[int], object] = lambda _: None  # called with the bytes of text of each block that is counted

    @property
    def table_bytes(self) -> int:
        """Return the memory for the tables of all workers together, so that the process stays below `memory`.

        >>> [RunOptions(size << 20).table_bytes >> 20 for size in (64, 512, 1024)]
        [0, 84, 289]
        """
        return max(int(TABLE_SHARE * (self.memory - BASE_BYTES)), 0)


def count_files(
    paths: Sequence[str],
    out: Path,
    job: Job,
    options: RunOptions = RunOptions(workers=1),
    head: HeadStart | None = None,
) -> StoreHeader:
    """Count all files that *paths* name (see `formats.expanded`) into the store *out* and return its header.

    Files without any sentence (mostly a wrong format) and files with equal bytes (which would be counted twice) are a
    `SourceError`. *head* may have begun to hash one of them.
    """
    files = expanded(paths, job.corpus_format)
    heads = {head.path: head} if head and head.path else {}
    sources = [job.source(path, options.problems, head=heads.get(path)) for path in files]
    return count_sources(sources, out, job, options)


def count_sources(sources: Sequence[FileSource], out: Path, job: Job, options: RunOptions) -> StoreHeader:
    """Count all *sources* (of one layout) into the store *out*; return its header.

    An unfinished run of other files or options is discarded, and so is one that read from a pipe.
    """
    work = out.with_name(f"{out.name}.parts")
    names, layout = [source.name for source in sources], sources[0].layout
    key = run_key(names, job, [asdict(job.plan), asdict(layout), options.problems.on_error])
    with disk_errors(out), open_log(work / LOG) as log:
        if not all(Path(name).is_file() for name in names) or not log.events or log.events[0] != {"key": key}:
            _clear(log)
            log.append({"key": key})
        run = Run(work, sources, job, options, log)
        run.count([SegmentCounter(layout, job.plan) for _ in range(options.workers)])
        parts = sorted(part for number in range(len(run.events)) for part in work.glob(f"{number:06}-*"))
        files = [FileFacts(*facts) for event in run.events for facts in event["files"]]
        header = put_together(parts, names, files, run.passed_over, work, out, job, options)
        log.clear()  # killed while the parts are removed, the next run must begin anew
    shutil.rmtree(work, ignore_errors=True)
    return header


def run_key(names: Sequence[str], job: Job, more: list[object]) -> str:
    """Return the hash of a run's files (with size and time of change) and options, which identifies it."""
    states = [Path(name).stat() if Path(name).is_file() else None for name in names]
    files = [
        [name, state.st_size, state.st_mtime_ns] if state else [name, 0, 0]
        for name, state in zip(names, states, strict=True)
    ]
    return value_hash([files, [asdict(job.entry(name, FileFacts("", 0))) for name in names], job.lang, *more])


def put_together(
    parts: Sequence[Path],
    names: Sequence[str],
    files: Sequence[FileFacts],
    passed_over: int,
    work: Path,
    out: Path,
    job: Job,
    options: RunOptions,
) -> StoreHeader:
    """Merge the *parts* of a run over the *files* called *names* into the store *out*; return its header.

    They are merged `FAN_IN` at a time, so that no more files than that are open. Raise `SourceError` where two files
    hold the same bytes, or where there is no sentence.
    """
    names_by_hash = dict[str, str]()
    for name, facts in zip(names, files, strict=True):
        if facts.sha256 in names_by_hash:
            what = f"has the same bytes as {PurePath(names_by_hash[facts.sha256]).name!r}, which was counted already"
            raise SourceError(what, fix="name each file once", place=Place(name))
        names_by_hash[facts.sha256] = name
    if not any(read_header(part).sentences for part in parts):
        fix = f"is its format {job.corpus_format!r}? see --format"
        raise SourceError("holds no sentence", fix=fix, place=Place(", ".join(names)))
    entries = tuple(sorted(job.entry(name, facts) for name, facts in zip(names, files, strict=True)))
    header = replace(job.header(), sources=entries)
    # memory for two slices a worker, one merged and one waiting
    slice_bytes, level = min(SLICE_BYTES, options.table_bytes // (2 * options.workers)), 0
    with disk_errors(out):
        while len(parts) > FAN_IN:
            groups = {
                work / f"level-{level}" / f"{at:06}": parts[at : at + FAN_IN] for at in range(0, len(parts), FAN_IN)
            }
            for merged, group in groups.items():
                merge_parts(group, merged, header, options.workers, slice_bytes)
            parts, level = list(groups), level + 1
    header = replace(header, min_count=options.min_count, tally=Tally(broken_lines=passed_over))
    return merge_parts(parts, out, header, options.workers, slice_bytes)


def _clear(log: EventLog) -> None:
    """Remove an unfinished run: first the events, which must not outlive the parts that they name."""
    log.clear()
    for path in log.path.parent.iterdir():
        if path != log.path:
            shutil.rmtree(path)


class Run:
    """One pass over the sources, from the end of the last segment in *log*; without a log nothing is resumed."""

    def __init__(
        self, work: Path, sources: Sequence[FileSource], job: Job, options: RunOptions, log: EventLog | None = None
    ) -> None:
        self._work, self._sources, self._job, self._options, self._log = work, sources, job, options, log
        self.events: list[Row] = log.events[1:] if log else []  # of the segments with tables in the work folder
        self._event: Row = {}
        self._waiting = 0
        self._ended = False

    @property
    def passed_over(self) -> int:
        """Return the number of problems that no table counts."""
        return sum(event["passed_over"] for event in self.events)

    def count(self, counters: Sequence[SegmentCounter]) -> None:
        """Count everything after the last segment; the disk writes one segment while the next is counted."""
        synced = Future[None]()
        synced.set_result(None)
        source = self._sources[0]
        with Workers(source.layout, counters, source.explain) as workers, ThreadPoolExecutor(1) as disk:
            blocks = self._blocks(workers)
            while not self._ended:
                self._event, self._waiting = {"files": [], "passed_over": 0, "bytes": 0}, 0
                workers.count(self._segment(blocks, workers))
                synced.result()
                if self._event["files"] or self._waiting:
                    synced = disk.submit(self._sync, self._end_segment(workers), self._event)
            synced.result()

    def _blocks(self, workers: Workers) -> Iterator[tuple[Block, int]]:
        """Yield the blocks of all files after the last segment, each with the number of its file."""
        first = sum(len(event["files"]) for event in self.events)
        skip = self.events[-1]["bytes"] if self.events else 0
        for number in range(first, len(self._sources)):
            source, at = self._sources[number], 0
            for block in source.blocks():
                at += block.size
                if number == first and at <= skip:
                    workers.skip(block, number)
                    block.give_back()
                else:
                    self._event["bytes"] = at
                    yield block, number
            self._event["files"].append([source.facts.sha256, source.facts.bytes])
            self._event["passed_over"] += source.passed_over
            self._event["bytes"] = 0
        self._ended = True

    def _segment(self, blocks: Iterator[tuple[Block, int]], workers: Workers) -> Iterator[tuple[Block, int]]:
        """Yield the next of *blocks* until the segment is full, or a problem stops the run."""
        options = self._options
        for block, number in blocks:
            size = block.size  # the block may be returned before this resumes
            self._waiting += size
            yield block, number
            options.progress(size)
            full = self._waiting >= options.segment_bytes or workers.bytes() > options.table_bytes
            if full or (options.problems.on_error == "stop" and workers.broken):
                break

    def _end_segment(self, workers: Workers) -> list[Path]:
        """Write the tables of the segment; return their folders."""
        number, problems = len(self.events), self._options.problems
        for stale in self._work.glob(f"{number:06}-*"):
            shutil.rmtree(stale)  # of a run that was killed before it appended the event
        names = [source.name for source in self._sources]
        errors = workers.finish(self._work, number, self._job.header(), names)
        if errors and problems.on_error == "stop" and self._log:
            _clear(self._log)  # the corpus will be corrected, so these counts are of no use
            shutil.rmtree(self._work, ignore_errors=True)
        for error in errors:
            problems.report(error)
        self.events.append(self._event)
        return list(self._work.glob(f"{number:06}-*"))

    def _sync(self, parts: Sequence[Path], event: Row) -> None:
        """Append *event* to the log when the files of its *parts* are on the disk."""
        if self._log is None:
            return
        for path in (path for part in parts for path in part.iterdir()):
            with path.open("rb") as stream:
                os.fsync(stream.fileno())
        self._log.append(event)
