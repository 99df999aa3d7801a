"""Sentences as the canonical vertical blocks of the counting kernel: one unit a line, a blank line after each sentence.

Surface, part of speech and lemma, separated by tabs, in UTF-8; here with → for a tab:

    <text id="letters-7">
    da→→
    →ADP→de
    →DET→o
    toca→NOUN→toca
    .→PUNCT→.

An empty cell says that this layer has no unit here (the neighbours stay adjacent): *da = de + o* is three lines, and
plain text leaves all but the surface empty. `<text>` on a line of its own begins a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from ncimp.corpus_stats.sentences import CorpusSentence
from ncimp.corpus_stats.words import NO_WORD, Token

_BREAKS = re.compile(r"[\t\n\r\0]")


def canonical(sentences: Iterable[CorpusSentence]) -> Iterator[bytes]:
    """Yield the lines of each sentence, with its blank line, and those of `<text>` before the first of a document."""
    before: tuple[str | None, int] = (None, 0)
    for sentence in sentences:
        # numbers start again where a document does, so two documents of one name in a row are two
        begins = sentence.document is not None and (
            sentence.document != before[0] or sentence.number <= before[1] or before[1] == 0
        )
        before = (sentence.document, sentence.number)
        yield (_head(sentence.document or "") if begins else b"") + b"".join(map(_line, sentence)) + b"\n"


def _head(document: str) -> bytes:
    return f"<text id={quoteattr(_BREAKS.sub(' ', document))}>\n".encode("utf-8", "surrogatepass")


def _line(token: Token) -> bytes:
    # an empty cell would say that there is no unit; a unit of nothing is a separator
    surface, lemma = ("" if unit is None else unit or NO_WORD for unit in (token.surface, token.lemma))
    cells = (_BREAKS.sub(" ", cell) for cell in (surface, token.pos or "", lemma))
    return ("\t".join(cells) + "\n").encode("utf-8", "replace")
