"""Counting words and adjacent pairs of words, layer by layer, in one pass over the corpus.

Memory grows with the number of different words and pairs, never with the length of the corpus. Counts
are sums, so neither the order of sentences nor the way a corpus is cut into files changes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from ncimp.corpus_stats.readers import reader_for
from ncimp.corpus_stats.store_header import CorpusSource
from ncimp.corpus_stats.streams import COMPRESSED_SUFFIXES, STDIN, CorpusFile
from ncimp.corpus_stats.words import LAYERS, Layer, Sentence, counted_form
from ncimp.schemas.errors import Place, SourceError, UsageError

LICENCE_NOT_STATED = "not stated"
"""The licence of a corpus whose user did not name one."""


@dataclass(slots=True)
class LayerCounts:
    """Counts of one layer: of words, and of pairs of words adjacent inside a sentence."""

    words: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, units: Iterable[str | None]) -> None:
        """Count one sentence; units that are None are skipped, separators break the chain of neighbours."""
        previous = None
        for unit in units:
            if unit is None:
                continue
            word = counted_form(unit)
            if word is not None:
                self.words[word] += 1
                if previous is not None:
                    self.pairs[previous, word] += 1
            previous = word


@dataclass(slots=True)
class CorpusCounts:
    """Counts of both layers and the number of sentences they come from."""

    sentences: int = 0
    layers: dict[Layer, LayerCounts] = field(default_factory=lambda: {layer: LayerCounts() for layer in LAYERS})

    def add(self, sentence: Sentence) -> None:
        """Count one sentence in both layers."""
        self.sentences += 1
        self.layers["surface"].add(token.surface for token in sentence)
        self.layers["lemma"].add(token.lemma for token in sentence)


@dataclass(frozen=True, slots=True)
class CountedCorpus:
    """What is stored: counts, the language and format they were read in, and the files they come from."""

    lang: str
    corpus_format: str
    counts: CorpusCounts
    sources: tuple[CorpusSource, ...]


def count_sentences(sentences: Iterable[Sentence]) -> CorpusCounts:
    """Return the counts of *sentences*."""
    counts = CorpusCounts()
    for sentence in sentences:
        counts.add(sentence)
    return counts


def count_files(
    paths: Sequence[str],
    *,
    lang: str,
    corpus_format: str,
    encoding: str = "utf-8",
    name: str | None = None,
    licence: str = LICENCE_NOT_STATED,
) -> CountedCorpus:
    """Return the counts of all files at *paths* (`-` is standard input) taken together.

    *name* is the corpus all files belong to; without it each file's own name stands for it. A file that
    holds no sentence, or the same bytes as another, is a `SourceError`: the one is mostly a wrong format, and
    the other would be counted twice.
    """
    if paths.count(STDIN) > 1:
        raise UsageError("standard input is named twice", fix="name - once")
    counts, sources = CorpusCounts(), list[CorpusSource]()
    for path in paths:
        file = CorpusFile(path, encoding=encoding)
        _count_file(file, counts, corpus_format)
        stem = _corpus_name(file.name)
        source = CorpusSource(name or stem, licence, PurePath(file.name).name, file.facts.sha256, file.facts.bytes)
        _check_new(source, sources, file.name)
        sources.append(source)
    return CountedCorpus(lang, corpus_format, counts, tuple(sorted(sources)))


def _count_file(file: CorpusFile, counts: CorpusCounts, corpus_format: str) -> None:
    found = False
    for sentence in reader_for(corpus_format)(file.lines(), file=file.name):
        counts.add(sentence)
        found = True
    if not found:
        fix = f"is its format {corpus_format!r}? see --format"
        raise SourceError("holds no sentence", fix=fix, place=Place(file.name))


def _corpus_name(file: str) -> str:
    name = PurePath(file).name
    for suffix in COMPRESSED_SUFFIXES:
        name = name.removesuffix(suffix)
    return PurePath(name).stem


def _check_new(source: CorpusSource, others: Iterable[CorpusSource], file: str) -> None:
    for other in others:
        if other.sha256 == source.sha256:
            what = f"has the same bytes as {other.file!r}, which was counted already"
            raise SourceError(what, fix="name each file once", place=Place(file))
