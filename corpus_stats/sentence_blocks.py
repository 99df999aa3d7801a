"""Sentences of any reader as canonical blocks: the way to the kernel of formats that are not vertical."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.blocks import CANONICAL, Block, Layout, packed
from ncimp.corpus_stats.readers import reader_for
from ncimp.corpus_stats.streams import CorpusFile, FileFacts
from ncimp.corpus_stats.words import NO_WORD, Sentence

_BREAKS = re.compile(r"[\t\n\r]")


class SentenceFile:
    """A corpus file that a reader in Python reads; a source for `counting_run.count_corpus`."""

    def __init__(self, path: str, corpus_format: str, *, encoding: str = "utf-8") -> None:
        self._file = CorpusFile(path, encoding=encoding)
        self._read = reader_for(corpus_format)

    @property
    def layout(self) -> Layout:
        """Return what the columns are."""
        return CANONICAL

    @property
    def name(self) -> str:
        """Return the file's name for messages."""
        return self._file.name

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `blocks` were read."""
        return self._file.facts

    def blocks(self) -> Iterator[Block]:
        """Yield the sentences as blocks."""
        yield from packed(canonical_lines(self._read(self._file.lines(), file=self._file.name)))


def canonical_lines(sentences: Iterable[Sentence]) -> Iterator[bytes]:
    """Yield the lines of each sentence, with the blank line after it."""
    for sentence in sentences:
        lines = (f"{_cell(token.surface)}\t\t{_cell(token.lemma)}\n" for token in sentence)
        yield ("".join(lines) + "\n").encode()


def _cell(unit: str | None) -> str:
    # an empty cell would say that there is no unit; a unit of nothing is a separator
    return "" if unit is None else _BREAKS.sub(" ", unit) or NO_WORD
