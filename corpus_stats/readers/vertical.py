"""The core of the vertical formats: one token a line, sentences in `<s>` … `</s>`, other tags on lines of their own.

What a token line looks like is the business of each format (`wac.py`, `vert.py`). The rest they share:

* `<text id="…">` and `<doc docid="…">` (also `id`) begin a document; `<g/>` says that no space stood here; every
  other tag
  is passed over.
* `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` are read as the characters they stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from xml.sax.saxutils import unescape

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import Token
from ncimp.schemas.errors import Place, SourceError

TokenOf = Callable[[str], Token]
"""What makes a token of a line, or raises `BrokenTokenError`."""

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z]\w*)(?:[\s/][^\t]*)?>")
_DOCUMENT_ID = re.compile(r"""\b(?:doc)?id=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')""", re.IGNORECASE)
_ENTITIES = {"&quot;": '"', "&apos;": "'"}


class BrokenTokenError(Exception):
    """A line that is no token: what is wrong, what to do, and in which column; the place is known to the caller."""

    def __init__(self, what: str, *, fix: str, column: str | None = None) -> None:
        super().__init__(what)
        self.what, self.fix, self.column = what, fix, column


def unescaped(cell: str) -> str:
    """Return *cell* with the five entities of XML as characters."""
    return unescape(cell, _ENTITIES) if "&" in cell else cell


def read_vertical(
    lines: Iterable[Line], *, file: str, token_of: TokenOf, problems: Problems = STOP
) -> Iterator[CorpusSentence]:
    """Yield each `<s>` of *lines* that holds a token; a damaged line is a problem with its place in *file*."""
    reader = _VerticalReader(file, token_of, problems)
    for number, line in lines:
        sentence = reader.take(number, line)
        if sentence:
            yield sentence
    reader.end()


class _VerticalReader:
    """The state between two lines."""

    def __init__(self, file: str, token_of: TokenOf, problems: Problems) -> None:
        self._file = file
        self._token_of = token_of
        self._problems = problems
        self._position = Position()
        self._tokens: list[Token] | None = None
        self._glued: set[int] = set()
        self._broken = False
        self._tight = False
        self._start = 0
        self._line = 0

    def take(self, number: int, line: str) -> CorpusSentence | None:
        """Take one line; return the sentence that it ends, if any."""
        self._line = number
        # most lines are tokens: the expression is tried on those only that begin like a tag
        tag = _TAG.fullmatch(line.strip()) if line.lstrip()[:1] == "<" else None
        if tag is None:
            if line.strip(" "):
                self._take_token(line)
            return None
        name = tag["name"].lower()
        if name == "s":
            return self._take_boundary(opens=not tag["end"])
        self._tight = name == "g" or self._tight
        return self._take_document(line, begins=not tag["end"], name=name) if name in ("text", "doc") else None

    def _take_document(self, line: str, *, begins: bool, name: str) -> CorpusSentence | None:
        finished = None
        if self._tokens is not None:
            self._report(f"<{'' if begins else '/'}{name}> inside a sentence", "close the sentence before with </s>")
            finished = self._finished()
            self._tokens, self._glued, self._broken, self._tight = None, set(), False, False
        if begins:
            found = _DOCUMENT_ID.search(line)
            self._position.enter(unescaped(found["double"] or found["single"] or "") or None if found else None)
        return finished

    def end(self) -> None:
        """Say that there are no more lines."""
        if self._tokens is not None:
            self._report("the file ends inside a sentence", "close it with </s>")

    def _take_boundary(self, *, opens: bool) -> CorpusSentence | None:
        inside = self._tokens is not None
        if opens and inside:
            self._report("<s> inside a sentence", "close the sentence before with </s>")
        elif not opens and not inside:
            self._report("</s> outside a sentence", "open the sentence with <s>")
        finished = self._finished()
        self._tokens = [] if opens else None
        self._glued, self._broken, self._tight, self._start = set(), False, False, self._line
        return finished

    def _finished(self) -> CorpusSentence | None:
        if not self._tokens and not self._broken:
            return None
        number = self._position.next()  # a sentence that is left out keeps its number
        if self._broken:
            return None
        return CorpusSentence(
            self._tokens or (), document=self._position.document, number=number, line=self._start, glued=self._glued
        )

    def _take_token(self, line: str) -> None:
        if line == UNREADABLE:
            self._broken = self._tokens is not None  # reported where it was read
        elif self._tokens is None:
            self._report("token outside a sentence", "put it between <s> and </s>")
        else:
            if self._tight:
                self._glued.add(len(self._tokens))
                self._tight = False
            try:
                self._tokens.append(self._token_of(line))
            except BrokenTokenError as error:
                self._broken = True
                self._report(error.what, error.fix, error.column)

    def _report(self, what: str, fix: str, column: str | None = None) -> None:
        self._problems.report(SourceError(what, fix=fix, place=Place(self._file, self._line, column)))
