"""A search that can be killed: what was found in each file is kept beside the result, and the same search goes on.

For each file there is one part in the work folder, named by a hash of the search, the file and its state (size and time
of change): how far the file was read, and the sample and the problems up to there. A part is written aside and renamed
every `SAVED_BYTES` and at the end of its file. So a search that is killed loses what it read since, and a file that
changed is read again. What is no file (standard input, a dataset) is read again, too.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, cast

from ncimp.corpus_stats.contexts.blocks import Stand
from ncimp.corpus_stats.contexts.sample import ContextSample, Found, Place
from ncimp.corpus_stats.contexts.search import Search
from ncimp.corpus_stats.problems import OnError, Problems
from ncimp.corpus_stats.words import TOKENISER_VERSION
from ncimp.schemas.errors import Place as ProblemPlace
from ncimp.schemas.errors import SourceError
from ncimp.schemas.files import atomic_path
from ncimp.schemas.hashing import value_hash

VERSION = 1
"""Goes up when a part of an older version of this program must not be gone on with."""

SAVED_BYTES = 1 << 28
"""Bytes of text (256 MiB) after which a part is written."""

SMALL = 1 << 22
"""Bytes of files (4 MiB) up to which they are read sooner than the compiled code is loaded."""


@dataclass(slots=True)
class Part:
    """What was found in one file, as far as it was read."""

    sample: ContextSample
    problems: Problems
    stand: Stand = field(default_factory=Stand)
    complete: bool = False

    @classmethod
    def new(cls, search: Search, on_error: OnError) -> Part:
        """Return the part of a file that was not read yet."""
        return cls(search.new_sample(), Problems(on_error))

    def write(self, path: Path) -> None:
        """Write the part to *path*, and wait until it is on the disk."""
        row = {
            "complete": self.complete,
            "stand": asdict(self.stand),
            "sentences": self.sample.sentences,
            "counts": self.sample.counts,
            "kept": [asdict(found) for found in self.sample.kept()],
            "passed_over": self.problems.by_file,
            "problems": [[one.what, one.fix, one.place and asdict(one.place)] for one in self.problems.first],
        }
        try:
            with atomic_path(path) as aside, aside.open("w", encoding="ascii") as stream:
                json.dump(row, stream)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            what, fix = f"cannot be written ({error.strerror})", "check the folder and the space on the disk"
            raise SourceError(what, fix=fix, place=ProblemPlace(str(path))) from None

    def read(self, path: Path) -> Part:
        """Fill a new part with what is in the file at *path*, and return it."""
        row = json.loads(path.read_text(encoding="ascii"))
        self.complete, self.stand = row["complete"], Stand(**row["stand"])
        self.sample.sentences = row["sentences"]
        self.sample.counts = {phrase: Counter(counts) for phrase, counts in row["counts"].items()}
        self.sample.keep(_found(found) for found in row["kept"])
        self.problems.by_file.update(row["passed_over"])
        self.problems.first += [
            SourceError(what, fix=fix, place=place and ProblemPlace(**place)) for what, fix, place in row["problems"]
        ]
        return self


def _found(row: dict[str, Any]) -> Found:
    span = tuple(row["span"]) if row["span"] else None
    return Found(**row | {"place": Place(**row["place"]), "span": cast("tuple[int, int] | None", span)})


def search_files(
    search: Search,
    paths: Sequence[str],
    problems: Problems,
    *,
    work: Path | None = None,
    workers: int = 1,
    saved_bytes: int = SAVED_BYTES,
) -> ContextSample:
    """Return the sample of all files at *paths*; *workers* processes read a file each.

    What is found is kept in the folder *work*, if there is one, until it is `discard`ed; what is there is gone on with.
    """
    whole = search.new_sample()
    if sum(Path(path).stat().st_size for path in paths if Path(path).is_file()) < SMALL:
        search = replace(search, skims=False)
    tasks = [
        _Task(search, path, problems.on_error, kept, saved_bytes)
        for path, kept in zip(paths, _names(search, paths, problems.on_error, work), strict=True)
    ]
    for part in _in_processes(tasks, workers) if min(workers, len(tasks)) > 1 else map(_scanned, tasks):
        whole.merge(part.sample)
        problems.merge(part.problems)
    return whole


def discard(work: Path) -> None:
    """Remove the folder *work* of a search whose result is written."""
    shutil.rmtree(work, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Task:
    """One file to go through, and where its part is kept, if it can be."""

    search: Search
    path: str
    on_error: OnError
    kept: Path | None
    saved_bytes: int


def _scanned(task: _Task) -> Part:
    """Return the complete part of a file, from where it was left."""
    part = _resumed(task)
    saved = part.stand.offset
    if part.complete:
        return part
    for _ in task.search.run(task.path, part.sample, part.problems, part.stand):
        if task.kept and part.stand.offset - saved >= task.saved_bytes:
            part.write(task.kept)
            saved = part.stand.offset
    part.complete = True
    if task.kept:
        part.write(task.kept)
    return part


def _resumed(task: _Task) -> Part:
    """Return what is kept of a file; what was left within it is of use only where the file is skimmed again."""
    new = Part.new(task.search, task.on_error)
    if task.kept and task.kept.is_file():
        part = new.read(task.kept)
        if part.complete or task.search.can_skim(task.path):
            return part
    return Part.new(task.search, task.on_error)


def _in_processes(tasks: Sequence[_Task], workers: int) -> Iterator[Part]:
    """Yield the part of each file, in their order."""
    # spawned, not forked: libraries that read tables have threads, which a fork would break
    with ProcessPoolExecutor(min(workers, len(tasks)), mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_scanned, task) for task in tasks]
        try:
            for job in jobs:
                yield job.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _names(search: Search, paths: Sequence[str], on_error: OnError, work: Path | None) -> Iterator[Path | None]:
    """Yield where the part of each file is kept; None for what is no file and cannot be known again."""
    options = [VERSION, TOKENISER_VERSION, search.described(), on_error]
    times = Counter[str]()
    for path in paths:
        times[path] += 1  # a file that is named twice has two parts
        if work and Path(path).is_file():
            state = Path(path).stat()
            yield work / f"{value_hash([options, path, state.st_size, state.st_mtime_ns, times[path]])}.json"
        else:
            yield None
