"""The store of all of Brown against NLTK's own counting: `FreqDist`, `bigrams` and its collocation finder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import nltk
import pytest
from nltk.collocations import BigramCollocationFinder
from nltk.corpus.reader import TaggedCorpusReader
from nltk.data import ZipFilePathPointer
from nltk.probability import FreqDist
from nltk.util import bigrams

from ncimp.corpus_stats.counting.run import count_files
from ncimp.corpus_stats.counting.sources import Job
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import counted_form


def runs(sentences: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the counted words that stand together: NLTK knows no marks, which neighbours are not told across."""
    for sentence in sentences:
        run: list[str] = []
        for word in sentence:
            form = counted_form(word)
            if form is not None:
                run.append(form)
            elif run:
                yield run
                run = []
        if run:
            yield run


@pytest.mark.shared
@pytest.mark.slow
def test_the_store_of_brown_has_the_counts_of_nltk(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])  # NLTK reads below its own folders only
    archive = Path(shutil.copy(shared / "sources" / "corpora" / "brown.zip", tmp_path))
    count_files([str(archive)], tmp_path / "stats", Job("en", "nltk"))
    reader = TaggedCorpusReader(ZipFilePathPointer(str(archive), "brown/"), r"c[a-z]\d\d", encoding="ascii")
    found = list(runs(reader.sents()))
    words = FreqDist(word for run in found for word in run)
    pairs = FreqDist(pair for run in found for pair in bigrams(run))
    finder = BigramCollocationFinder.from_documents(found)
    assert (finder.word_fd, finder.ngram_fd) == (words, pairs)
    with StatisticsStore.open(tmp_path / "stats") as store:
        assert dict(store.words("surface")) == dict(words)
        assert {(first, second): count for first, second, count in store.pairs("surface")} == dict(pairs)
        totals = store.totals("surface")
        assert (totals.tokens, totals.bigrams) == (words.N(), pairs.N())
        assert words.N() > 1_000_000
