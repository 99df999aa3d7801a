"""Counting in shards, on processes anywhere: the same kernel, the same segments, the same store.

A shard is a file, or a part of one that is not packed. Its worker writes the tables into a folder of its own and
renames that when it is complete, so that a shard may be counted again, or twice at once. Corpus and store have to be
in folders that all processes see under the same names. The record `counted.json` in a shard's folder holds the key of
the run, so that the same call resumes where it was stopped.

An engine runs a function on many items, on any machine and as often as it must, because workers are lost. Another
engine is another entry of `ENGINES`.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from ncimp.corpus_stats.counting.run import SEGMENT_BYTES, Run, RunOptions, put_together, run_key
from ncimp.corpus_stats.counting.segment import SegmentCounter, SegmentPlan, moved
from ncimp.corpus_stats.counting.sources import Job, Span, boundary
from ncimp.corpus_stats.kernel.blocks import Layout
from ncimp.corpus_stats.problems import OnError, Problems
from ncimp.corpus_stats.readers.formats import FORMATS, expanded
from ncimp.corpus_stats.readers.streams import COMPRESSED_SUFFIXES, HUB_PREFIX, STDIN, FileFacts
from ncimp.corpus_stats.store.header import StoreHeader, disk_errors
from ncimp.schemas import Place, SourceError, UsageError, file_hash
from ncimp.schemas.journal import read_step, write_step

CONNECT_SECONDS = 30  # seconds to wait for a scheduler
_QUIET = {"distributed.worker.profile.enabled": False}
"""Settings of local workers: Dask's profiler looks at all threads a hundred times a second, for 7 % of the CPU time."""

_SPARE: list[tuple[Layout, SegmentPlan, SegmentCounter]] = []  # the idle counter of this process
_COUNTED = "counted.json"


Engine: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]
"""Runs a function on items in other processes; yields the results in the order of completion, raises its errors."""


def _run_on(client: Any, function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
    """Run *function* on *items* with a client of `dask.distributed`; tasks of a worker that is lost are run again."""
    # not pure: a result is a file, so the result of an equal task in an earlier run may be gone
    for future in import_module("distributed").as_completed(client.map(function, items, pure=False)):
        yield future.result()


@contextmanager
def _dask(scheduler: str | None, workers: int) -> Iterator[Engine]:
    try:
        distributed = import_module("distributed")
    except ModuleNotFoundError as error:
        fix = 'pip install "ncimp[cluster]"'
        raise UsageError(f"the engine dask needs the package {error.name}", fix=fix) from None
    with ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(import_module("dask").config.set(_QUIET))
            any_port = {"dashboard_address": ":0"}  # two runs may go at once
            resources = {"n_workers": workers, "threads_per_worker": 1, "processes": True}
            cluster = distributed.LocalCluster(**resources, dashboard_address=None, scheduler_kwargs=any_port)
            client = stack.enter_context(distributed.Client(stack.enter_context(cluster)))
        else:
            try:
                client = stack.enter_context(distributed.Client(scheduler, timeout=CONNECT_SECONDS))
            except (OSError, ValueError) as error:
                fix = "check the address, and that the scheduler runs"
                raise UsageError(f"no scheduler answers at {scheduler!r} ({error})", fix=fix) from None
        yield partial(_run_on, client)


ENGINES = {"dask": _dask}
"""By name: opens an engine at the address of a scheduler, or else with so many local processes that end with it."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The task of counting one file, or a part of one."""

    number: int
    path: str
    span: Span | None
    work: str  # the work folder of the run
    key: str  # the key of the run
    job: Job
    memory: int
    on_error: OnError

    @property
    def folder(self) -> Path:
        """Return the folder of its tables."""
        return Path(self.work) / f"shard-{self.number:06}"


def count_with(
    engine: Engine, paths: Sequence[str], out: Path, job: Job, options: RunOptions, *, shard_bytes: int = SEGMENT_BYTES
) -> StoreHeader:
    """Count the files that *paths* name into the store *out* on *engine*; return its header.

    The store is that of `job.count_files`, byte for byte. Finished shards are not counted again when the same call is
    repeated after it was stopped.
    """
    files = expanded(paths, job.corpus_format)
    if STDIN in files:
        raise UsageError("a cluster cannot read standard input", fix="name files that all workers see")
    names = [name if name.startswith(HUB_PREFIX) else str(Path(name).resolve()) for name in files]
    work = out.resolve().with_name(f"{out.name}.shards")
    problems = options.problems
    key = run_key(names, job, [asdict(job.plan), problems.on_error, shard_bytes])
    with disk_errors(out):
        work.mkdir(parents=True, exist_ok=True)
        spans = [(name, span) for name in names for span in _spans(name, job, shard_bytes)]
        rest = (str(work), key, job, options.memory, problems.on_error)
        shards = [Shard(number, name, span, *rest) for number, (name, span) in enumerate(spans)]
        unfinished = [shard for shard in shards if read_step(shard.folder / _COUNTED, key) is None]
        for shard in unfinished:
            shutil.rmtree(shard.folder, ignore_errors=True)  # of another run
    for shard_problems in engine(count_shard, unfinished):
        for problem in shard_problems:
            problems.report(problem)
    records = [read_step(shard.folder / _COUNTED, key) for shard in shards]
    facts = [record.facts for record in records if record is not None]
    passed_over = sum(fact["passed_over"] for fact in facts)
    identities = [FileFacts(*fact["file"]) for fact in facts if fact["file"]]
    parts = [part for shard in shards for part in sorted(shard.folder.glob("*-0"))]
    header = put_together(parts, files, identities, passed_over, work, out, job, options)
    shutil.rmtree(work, ignore_errors=True)
    return header


def _spans(name: str, job: Job, size: int) -> Sequence[Span | None]:
    """Return the parts of a file of about *size* bytes, cut between sentences; None for an undivided file."""
    layout = FORMATS[job.corpus_format].layout
    if layout is None or name.startswith(HUB_PREFIX) or name.endswith(COMPRESSED_SUFFIXES):
        return [None]
    path = Path(name)
    if not path.is_file():
        raise SourceError("no such file", fix="check the path", place=Place(name))
    length = path.stat().st_size
    places = sorted({length, *(boundary(path, layout, at) for at in range(0, length, size))})
    return list(pairwise(places)) if len(places) > 2 else [None]


def count_shard(shard: Shard) -> tuple[SourceError, ...]:
    """Count *shard* and put its folder in place; return its first problems. Workers of an engine call this."""
    problems = Problems(shard.on_error)
    source = shard.job.source(shard.path, problems, span=shard.span)
    work = Path(tempfile.mkdtemp(prefix=f".{shard.folder.name}-", dir=shard.work))
    try:
        counter = _counter(source.layout, shard.job.plan)
        run = Run(work, [source], shard.job, RunOptions(shard.memory, workers=1, problems=problems))
        with disk_errors(work):
            run.count([counter])
        _SPARE[:] = [(source.layout, shard.job.plan, counter)]  # not after an error: it is not empty then
        file = None
        if shard.span is None:
            file = [source.facts.sha256, source.facts.bytes]
        elif shard.span[0] == 0:  # parts cannot be hashed one by one: the file is, with its first shard
            file = [file_hash(Path(shard.path)), Path(shard.path).stat().st_size]
        write_step(work / _COUNTED, shard.key, facts={"file": file, "passed_over": run.passed_over})
        try:
            os.rename(work, shard.folder)  # noqa: PTH104 - fails where the target is a folder that is not empty
        except OSError:
            if not shard.folder.is_dir():  # else another worker has counted the shard meanwhile: that one stays
                raise
    except SourceError as problem:
        raise _placed(problem, shard) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return tuple(_placed(problem, shard) for problem in problems.first)


def _counter(layout: Layout, plan: SegmentPlan) -> SegmentCounter:
    """Return an empty counter: that of the last shard of this process if it fits, because it has its memory."""
    try:
        spare = _SPARE.pop()  # at once, because a process may run several tasks
    except IndexError:
        return SegmentCounter(layout, plan)
    return spare[2] if spare[:2] == (layout, plan) else SegmentCounter(layout, plan)


def _placed(problem: SourceError, shard: Shard) -> SourceError:
    if shard.span is None or not shard.span[0] or problem.place is None or problem.place.line is None:
        return problem
    lines = 0
    with Path(shard.path).open("rb") as stream:
        while chunk := stream.read(min(shard.span[0] - stream.tell(), 1 << 20)):
            lines += chunk.count(b"\n")
    return moved(problem, problem.place.file, lines)
