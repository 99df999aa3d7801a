"""Sentences of a corpus: tokens, place and text.

A `CorpusSentence` is a tuple of tokens, so that code that counts tokens need not know it.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Self

from ncimp.corpus_stats.words import Token

Span = tuple[int, int]
"""Half-open [start, end), in characters."""


class CorpusSentence(tuple[Token, ...]):
    """The tokens of one sentence, in order, and its place in the corpus."""

    document: str | None
    """Id of the document as the corpus names it; None where it names none."""
    number: int
    """Place of the sentence in its document, from 1; in the file, where the corpus names no documents."""
    line: int
    """Line of the file (row of a table) at which the sentence begins, from 1."""
    written: str | None
    """The sentence as it was written, where the corpus keeps it."""
    glued: frozenset[int]
    """Indexes of the tokens that follow the one before without a space, as far as the corpus says so."""

    def __new__(  # noqa: D102 - the attributes are described above
        cls,
        tokens: Iterable[Token],
        *,
        document: str | None = None,
        number: int = 1,
        line: int = 1,
        written: str | None = None,
        glued: Collection[int] = (),
    ) -> Self:
        self = super().__new__(cls, tokens)
        self.document, self.number, self.line, self.written = document, number, line, written
        self.glued = frozenset(glued)
        return self

    @property
    def text(self) -> str:
        """Return the sentence as it was written, else its tokens with a space before each that is not glued."""
        return self.written if self.written is not None else "".join(self._pieces())

    def spans(self) -> tuple[Span | None, ...]:
        """Return the place of each token in `text`; None for one that was not written or does not stand there."""
        text, at = self.text, 0
        spans: list[Span | None] = []
        for token in self:
            start = -1 if token.surface is None else text.find(token.surface, at)
            spans.append(None if start < 0 else (start, start + len(token.surface or "")))
            at = at if start < 0 else start + len(token.surface or "")
        return tuple(spans)

    def _pieces(self) -> Iterator[str]:
        first = True
        for index, token in enumerate(self):
            if token.surface is not None:
                yield token.surface if first or index in self.glued else f" {token.surface}"
                first = False


class Position:
    """The place of a reader: a document, and how many sentences of it were read."""

    def __init__(self, document: str | None = None, number: int = 0) -> None:
        self.document = document
        self.number = number

    def enter(self, document: str | None) -> None:
        """Begin the document with this id."""
        self.document = document
        self.number = 0

    def next(self) -> int:
        """Return the number of the next sentence, from 1."""
        self.number += 1
        return self.number
