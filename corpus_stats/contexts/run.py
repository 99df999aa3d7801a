"""A resumable search of many files, also after a kill: the state of each file is saved beside the result.

There is one step record per file in the work folder (`schemas.journal`), named by a hash of the search, the file and
its size and time of change. It says how far the file was read, and holds the sample and the problems up to there. It is
written every `SAVED_BYTES` and at the end of the file, so a killed search loses only what it read since. A file that
changed is read again. So is standard input, and a dataset.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from msgspec import convert

from ncimp.corpus_stats.contexts.sample import ContextSample, SampledContext
from ncimp.corpus_stats.contexts.search import Progress, Search, SearchPart
from ncimp.corpus_stats.problems import OnError, Problems
from ncimp.corpus_stats.words import TOKENISER_VERSION
from ncimp.schemas import Place, Row, SourceError, value_hash
from ncimp.schemas.journal import read_step, write_step

VERSION = 2  # format version of the saved parts; bump it when older parts cannot be resumed
SAVED_BYTES = 1 << 28  # bytes of text (256 MiB) after which a part is saved


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

    The state is saved in the folder *work*, if any; a search whose state is there is resumed.
    """
    whole = search.new_sample()
    tasks = [
        _Task(search, path, problems.on_error, key, work / f"{key}.json" if work and key else None, saved_bytes)
        for path, key in zip(paths, _keys(search, paths, problems.on_error), strict=True)
    ]
    for part in _in_processes(tasks, workers) if min(workers, len(tasks)) > 1 else map(_search_file, tasks):
        whole.merge(part.sample)
        problems.merge(part.problems)
    return whole


@dataclass(frozen=True, slots=True)
class _Task:
    """One file to search, and where its part is saved, if it can be."""

    search: Search
    path: str
    on_error: OnError
    key: str
    saved: Path | None
    saved_bytes: int


def _search_file(task: _Task) -> SearchPart:
    """Return the complete part of a file, resumed where it stopped."""
    part = SearchPart(task.search.new_sample(), Problems(task.on_error))
    record = read_step(task.saved, task.key) if task.saved else None
    if record:
        _restore(part, record.facts)
    if not part.progress.complete:
        saved_at = part.progress.offset
        for _ in task.search.run(task.path, part):
            if part.progress.offset - saved_at >= task.saved_bytes:
                _save(part, task)
                saved_at = part.progress.offset
        _save(part, task)
    return part


def _save(part: SearchPart, task: _Task) -> None:
    if task.saved is None:
        return
    facts = {
        "progress": asdict(part.progress),
        "sentences": part.sample.sentences,
        "counts": part.sample.counts,
        "kept": [asdict(context) for context in part.sample.kept()],
        "skipped": part.problems.by_file,
        "problems": [[one.what, one.fix, one.place and asdict(one.place)] for one in part.problems.first],
    }
    try:
        write_step(task.saved, task.key, facts=facts)
    except OSError as error:
        what, fix = f"cannot be written ({error.strerror})", "check the folder and the space on the disk"
        raise SourceError(what, fix=fix, place=Place(str(task.saved))) from None


def _restore(part: SearchPart, facts: Row) -> None:
    """Fill an empty part with the facts that `_save` wrote."""
    part.progress = Progress(**facts["progress"])
    part.sample.sentences = facts["sentences"]
    part.sample.counts = {phrase: Counter(counts) for phrase, counts in facts["counts"].items()}
    part.sample.keep(convert(facts["kept"], list[SampledContext]))
    part.problems.by_file.update(facts["skipped"])
    for what, fix, place in facts["problems"]:
        part.problems.first.append(SourceError(what, fix=fix, place=place and Place(**place)))


def _in_processes(tasks: Sequence[_Task], workers: int) -> Iterator[SearchPart]:
    # spawned, not forked: libraries that read tables have threads, which a fork would break
    with ProcessPoolExecutor(min(workers, len(tasks)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(_search_file, tasks)


def _keys(search: Search, paths: Sequence[str], on_error: OnError) -> Iterator[str]:
    """Yield the key of each file; an empty one for standard input and datasets, which cannot be recognised again."""
    options = [VERSION, TOKENISER_VERSION, search.described(), on_error]
    times = Counter[str]()
    for path in paths:
        times[path] += 1  # a file that is named twice has two parts
        if Path(path).is_file():
            state = Path(path).stat()
            yield value_hash([options, path, state.st_size, state.st_mtime_ns, times[path]])
        else:
            yield ""
