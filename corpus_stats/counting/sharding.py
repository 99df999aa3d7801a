"""Counting in shards, each by a process anywhere: the same kernel, the same segments, the same store.

A shard is a file, or a part of one that is not packed. Whoever counts it writes its tables into a folder of its own and
renames that to its name when all is written, so that a shard may be counted again, or twice at once. Corpus and store
have to be in folders that all processes see under the same names.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

from ncimp.corpus_stats.counting.byte_blocks import Span, VerticalFile, boundary
from ncimp.corpus_stats.counting.counting import Job
from ncimp.corpus_stats.counting.run import (
    MANIFEST,
    SEGMENT_BYTES,
    FileSource,
    RunOptions,
    append_line,
    count_segments,
    entries_of,
    put_together,
    run_key,
)
from ncimp.corpus_stats.counting.segment import Plan, SegmentCounter
from ncimp.corpus_stats.engines import Engine
from ncimp.corpus_stats.kernel.blocks import Layout
from ncimp.corpus_stats.problems import OnError, Problems
from ncimp.corpus_stats.readers.formats import FORMATS
from ncimp.corpus_stats.readers.inputs import expanded
from ncimp.corpus_stats.readers.streams import COMPRESSED_SUFFIXES, HUB_PREFIX, STDIN, FileFacts
from ncimp.corpus_stats.store.arrays import Tally
from ncimp.corpus_stats.store.header import StoreHeader
from ncimp.corpus_stats.store.writing import disk_errors
from ncimp.schemas.errors import Place, SourceError, UsageError
from ncimp.schemas.hashing import file_hash

_SPARE: list[tuple[Layout, Plan, SegmentCounter]] = []
"""The counter of this process that nobody uses."""

_COUNTED = "counted.json"
"""The file in a shard's folder that says what it is; written last."""


@dataclass(frozen=True, slots=True)
class Shard:
    """What one task counts."""

    number: int
    path: str
    span: Span | None
    folder: str
    """Where its folder goes."""
    job: Job
    memory: int
    on_error: OnError

    @property
    def name(self) -> str:
        """Return the name of its folder."""
        return f"shard-{self.number:06}"


@dataclass(frozen=True, slots=True)
class Counted:
    """What a task says of its shard."""

    file: FileFacts | None
    """Identity of the file; None where the shard is a part that does not begin it."""
    passed_over: int
    problems: tuple[SourceError, ...] = ()


def count_with(
    engine: Engine, paths: Sequence[str], out: Path, job: Job, options: RunOptions, *, shard_bytes: int = SEGMENT_BYTES
) -> StoreHeader:
    """Count the files that *paths* name into the store *out* on *engine*; return its header.

    The store is that of `counting.count_files`, byte for byte. Shards that were counted are not counted again when the
    same call is repeated after it was stopped.
    """
    files = expanded(paths, job.corpus_format)
    if STDIN in files:
        raise UsageError("a cluster cannot read standard input", fix="name files that all workers see")
    names = [name if name.startswith(HUB_PREFIX) else str(Path(name).resolve()) for name in files]
    work = out.resolve().with_name(f"{out.name}.shards")
    more: list[object] = [asdict(job.plan), options.problems.on_error, shard_bytes]
    with disk_errors(out):
        _resume(work, run_key(names, job.header(), job.entry, more))
    shards = list(_shards(names, work, job, options, shard_bytes))
    counted = _run(engine, shards, work, options.problems)
    facts = [one.file for one in counted if one.file is not None]
    tally = Tally(broken_lines=sum(one.passed_over for one in counted))
    header = replace(job.header(), sources=entries_of(list(files), facts, job.entry), tally=tally)
    parts = [part for shard in shards for part in sorted((work / shard.name).glob("*-0"))]
    return put_together(parts, files, work, out, header, options)


def _resume(work: Path, key: str) -> None:
    """Keep the shards in *work* that belong to the same run, and throw others away."""
    manifest = work / MANIFEST
    if not manifest.is_file() or manifest.read_text(encoding="utf-8") != f"{key}\n":
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        append_line(manifest, key)


def _run(engine: Engine, shards: Sequence[Shard], work: Path, problems: Problems) -> list[Counted]:
    """Return what is known of each shard, after those that were not counted yet were."""
    left = [shard for shard in shards if not (work / shard.name).is_dir()]
    for _, counted in engine.run(count_shard, left):
        for problem in counted.problems:
            problems.report(problem)
    return [_told(work / shard.name) for shard in shards]


def _told(folder: Path) -> Counted:
    told = json.loads((folder / _COUNTED).read_text(encoding="utf-8"))
    return Counted(FileFacts(*told["file"]) if told["file"] else None, told["passed_over"])


def _shards(names: Sequence[str], work: Path, job: Job, options: RunOptions, size: int) -> Iterator[Shard]:
    number = 0
    for name in names:
        for span in _spans(name, job, size):
            yield Shard(number, name, span, str(work), job, options.memory, options.problems.on_error)
            number += 1


def _spans(name: str, job: Job, size: int) -> list[Span | None]:
    """Return the parts of a file of about *size* bytes, cut between sentences; None for the whole where it has none."""
    layout = FORMATS[job.corpus_format].layout
    if layout is None or name.startswith(HUB_PREFIX) or name.endswith(COMPRESSED_SUFFIXES):
        return [None]
    path = Path(name)
    if not path.is_file():
        raise SourceError("no such file", fix="check the path", place=Place(name))
    length = path.stat().st_size
    places = [boundary(path, layout, at) for at in range(0, length, size)]
    parts = list(pairwise(sorted({*places, length})))
    return [*parts] if len(parts) > 1 else [None]


def count_shard(shard: Shard) -> Counted:
    """Count *shard* and put its folder in place; return what is to be known of it. Run by workers of an engine."""
    folder = Path(shard.folder)
    problems = Problems(shard.on_error)
    source = _source(shard, problems)
    work = Path(tempfile.mkdtemp(prefix=f".{shard.name}-", dir=folder))
    try:
        counter, options = _taken(source.layout, shard.job.plan), RunOptions(shard.memory, workers=1, problems=problems)
        passed_over = count_segments(source, work, shard.job.header(), counter, options)
        _SPARE[:] = [(source.layout, shard.job.plan, counter)]
        counted = Counted(_facts(shard, source), passed_over, tuple(problems.first))
        _put(work, folder / shard.name, counted)
    except SourceError as problem:
        raise _replaced(problem, shard) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return replace(counted, problems=tuple(_replaced(problem, shard) for problem in counted.problems))


def _taken(layout: Layout, plan: Plan) -> SegmentCounter:
    """Return an empty counter: that of the last shard of this process where it fits, because it has its memory."""
    try:
        known = _SPARE.pop()  # so that nobody else takes it, where a process runs several tasks
    except IndexError:
        return SegmentCounter(layout, plan)
    return known[2] if known[:2] == (layout, plan) else SegmentCounter(layout, plan)


def _source(shard: Shard, problems: Problems) -> FileSource:
    source = shard.job.source(shard.path, problems)
    return source.part(shard.span) if shard.span is not None and isinstance(source, VerticalFile) else source


def _facts(shard: Shard, source: FileSource) -> FileFacts | None:
    """Return the identity of the file, from whoever counts its first part: parts cannot be hashed one by one."""
    if shard.span is None:
        return source.facts
    path = Path(shard.path)
    return FileFacts(file_hash(path), path.stat().st_size) if shard.span[0] == 0 else None


def _put(work: Path, target: Path, counted: Counted) -> None:
    """Rename *work* to *target*; where somebody else counted the same shard meanwhile, theirs stays."""
    told = {"file": [counted.file.sha256, counted.file.bytes] if counted.file else None}
    (work / _COUNTED).write_text(json.dumps(told | {"passed_over": counted.passed_over}), encoding="utf-8")
    try:
        os.rename(work, target)  # noqa: PTH104 - fails where the target is a folder that is not empty
    except OSError:
        if not target.is_dir():
            raise


def _replaced(problem: SourceError, shard: Shard) -> SourceError:
    """Return *problem* with its line counted from the begin of the file."""
    if shard.span is None or not shard.span[0] or problem.place is None or problem.place.line is None:
        return problem
    lines = 0
    with Path(shard.path).open("rb") as stream:
        left = shard.span[0]
        while left and (chunk := stream.read(min(left, 1 << 20))):
            lines, left = lines + chunk.count(b"\n"), left - len(chunk)
    place = Place(problem.place.file, problem.place.line + lines, problem.place.column)
    return SourceError(problem.what, fix=problem.fix, place=place)
