"""Going through the files of a corpus for phrases, several at a time if asked, with the same result."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from ncimp.corpus_stats.context_filters import ContextFilter
from ncimp.corpus_stats.contexts import ContextSample, collect
from ncimp.corpus_stats.inputs import Reading, open_corpus
from ncimp.corpus_stats.phrases import PhraseIndex
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.words import Layer


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and how the corpus is read."""

    index: PhraseIndex
    corpus_format: str
    reading: Reading
    size: int
    """Sentences of each phrase that are kept."""
    seed: str = "0"
    layer: Layer = "surface"
    conditions: ContextFilter = ContextFilter()  # noqa: RUF009 - frozen

    def file(self, path: str, problems: Problems) -> ContextSample:
        """Return the sample of the corpus file at *path*."""
        sample = ContextSample(self.size, self.seed)
        corpus = open_corpus(path, self.corpus_format, self.reading, problems)
        collect(corpus.sentences(), self.index, sample, file=corpus.name, layer=self.layer, conditions=self.conditions)
        return sample


def search_files(search: Search, paths: Sequence[str], problems: Problems, *, workers: int = 1) -> ContextSample:
    """Return the sample of all files at *paths*; *workers* processes read a file each."""
    whole = ContextSample(search.size, search.seed)
    if min(workers, len(paths)) < 2:
        for path in paths:
            whole.merge(search.file(path, problems))
        return whole
    # spawned, not forked: libraries that read tables have threads, which a fork would break
    with ProcessPoolExecutor(min(workers, len(paths)), mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_in_worker, search, path, problems.on_error) for path in paths]
        try:
            for job in jobs:
                sample, found = job.result()
                whole.merge(sample)
                problems.merge(found)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return whole


def _in_worker(search: Search, path: str, on_error: str) -> tuple[ContextSample, Problems]:
    problems = Problems("skip" if on_error == "skip" else "stop")
    return search.file(path, problems), problems
