"""Sentences of any reader as canonical blocks: the way to the kernel of formats that are not counted as bytes."""

from __future__ import annotations

from collections.abc import Iterator

from ncimp.corpus_stats.counting.canonical import canonical
from ncimp.corpus_stats.kernel.blocks import CANONICAL, Block, Layout, packed
from ncimp.corpus_stats.problems import Problems
from ncimp.corpus_stats.readers.inputs import Corpus
from ncimp.corpus_stats.readers.streams import FileFacts
from ncimp.schemas.errors import SourceError


class SentenceFile:
    """A corpus that a reader in Python reads; a source for `counting_run.count_corpus`."""

    layout: Layout = CANONICAL
    """What the columns are."""

    def __init__(self, corpus: Corpus, problems: Problems) -> None:
        self._corpus, self._problems = corpus, problems
        self.passed_over = 0
        """Problems that the reader passed over; known after all `blocks`."""

    @property
    def name(self) -> str:
        """Return the name for messages."""
        return self._corpus.name

    @property
    def facts(self) -> FileFacts:
        """Return hash and size; only after all `blocks` were read."""
        return self._corpus.facts

    def blocks(self) -> Iterator[Block]:
        """Yield the sentences as blocks."""
        before = self._problems.count
        yield from packed(canonical(self._corpus.sentences()))
        self.passed_over = self._problems.count - before

    def explain(self, block: Block) -> list[SourceError]:  # noqa: ARG002
        """Return nothing: the reader told already what is wrong."""
        return []
