"""A resumable search of many files, also after a kill: the state of each file is saved beside the result.

A step record of each file (`schemas.journal`), named by a hash of the search, the file and its size and time of change,
holds the sample and the problems up to the place where it was written: every `SAVED_BYTES`, and at the end of the file.
A file that changed is read again. So is standard input, and a dataset.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from msgspec import convert

from ncimp.corpus_stats.contexts.sample import ContextSample, SampledContext
from ncimp.corpus_stats.contexts.search import Progress, Search, SearchPart
from ncimp.corpus_stats.problems import OnError, Problems
from ncimp.corpus_stats.store.header import disk_errors
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
    whole, workers = search.new_sample(), min(workers, len(paths))
    search_file = partial(_search_file, search, problems.on_error, work, saved_bytes)
    # spawned, not forked: libraries that read tables have threads, which a fork would break
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn")) if workers > 1 else nullcontext()
    with pool as processes:
        run = processes.map if processes else map
        for part in run(search_file, paths, _keys(search, paths, problems.on_error)):
            whole.merge(part.sample)
            problems.merge(part.problems)
    return whole


def _search_file(
    search: Search, on_error: OnError, work: Path | None, saved_bytes: int, path: str, key: str
) -> SearchPart:
    """Return the complete part of the file at *path*, resumed where it stopped."""
    part = SearchPart(search.new_sample(), Problems(on_error))
    saved = work / f"{key}.json" if work and key else None
    record = read_step(saved, key) if saved else None
    if record:
        _restore(part, record.facts)
    if not part.progress.complete:
        saved_at = part.progress.offset
        for _ in search.run(path, part):
            if part.progress.offset - saved_at >= saved_bytes:
                _save(part, saved, key)
                saved_at = part.progress.offset
        _save(part, saved, key)
    return part


def _save(part: SearchPart, path: Path | None, key: str) -> None:
    if path is None:
        return
    facts = {
        "progress": asdict(part.progress),
        "sentences": part.sample.sentences,
        "counts": part.sample.counts,
        "kept": [asdict(context) for context in part.sample.kept()],
        "skipped": part.problems.by_file,
        "problems": [[one.what, one.fix, one.place and asdict(one.place)] for one in part.problems.first],
    }
    with disk_errors(path):
        write_step(path, key, facts=facts)


def _restore(part: SearchPart, facts: Row) -> None:
    """Fill an empty part with the facts that `_save` wrote."""
    part.progress = Progress(**facts["progress"])
    part.sample.sentences = facts["sentences"]
    part.sample.counts = {phrase: Counter(counts) for phrase, counts in facts["counts"].items()}
    part.sample.keep(convert(facts["kept"], list[SampledContext]))
    part.problems.by_file.update(facts["skipped"])
    for what, fix, place in facts["problems"]:
        part.problems.first.append(SourceError(what, fix=fix, place=place and Place(**place)))


def _keys(search: Search, paths: Sequence[str], on_error: OnError) -> Iterator[str]:
    """Yield the key of each file; an empty one for standard input and datasets, which cannot be recognised again."""
    phrases = [[phrase, *words] for phrase, words in search.index.spellings]
    how = [search.corpus_format, search.size, search.seed, search.layer]
    how = [phrases, *how, asdict(search.reading), asdict(search.conditions)]
    options = [VERSION, TOKENISER_VERSION, how, on_error]  # all that the result depends on
    times = Counter[str]()
    for path in paths:
        times[path] += 1  # a file that is named twice has two parts
        if Path(path).is_file():
            state = Path(path).stat()
            yield value_hash([options, path, state.st_size, state.st_mtime_ns, times[path]])
        else:
            yield ""
