"""Readers of the vertical formats `wac` and `vert`: one token a line, sentences in `<s>` … `</s>`.

Both share these rules:

* Tags stand on lines of their own. `<text id="…">` and `<doc docid="…">` (also `id`) begin a document; `<g/>` says that
  no space stood here; every other tag is skipped.
* `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` stand for the characters.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Document, Line
from ncimp.corpus_stats.words import NO_WORD, CorpusSentence, Position, Token
from ncimp.schemas.errors import Place, SourceError

WAC_COLUMNS = ("form", "part of speech", "lemma")
"""The columns of a token line of `wac`."""

UNKNOWN_LEMMA = "<unknown>"
"""The lemma that TreeTagger writes for a word that is not in its lexicon."""

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z]\w*)(?:[\s/][^\t]*)?>")
_TEXT_OPENING = re.compile(r"<text\b[^>]*\bid=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')[^>]*>")
_DOCUMENT_ID = re.compile(r"""\b(?:doc)?id=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')""", re.IGNORECASE)
_ENTITIES = {"&quot;": '"', "&apos;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&"}  # `&amp;lt;` stands for `&lt;`


def read_wac(
    lines: Iterable[Line], *, file: str, problems: Problems = STOP, position: Position | None = None
) -> Iterator[CorpusSentence]:
    r"""Read `wac`, the format of the WaCky corpora (ukWaC and its sisters).

    A token line is `form<TAB>part of speech<TAB>lemma`:

        <text id="http://example.org/1">
        <s>
        Eager	JJ	eager
        beavers	NNS	beaver
        build	VVP	build
        .	SENT	.
        </s>
        </text>

    The lemma `<unknown>` is a separator in the lemma layer; the placeholders `@card@` and `@ord@` of TreeTagger count
    like lemmas. Parts of these corpora are in latin-1: without `--encoding`, the first byte that is not UTF-8 is an
    error.
    """
    return _read_vertical(lines, file, _wac_token, problems, position or Position())


def read_vert(
    lines: Iterable[Line], *, file: str, problems: Problems = STOP, position: Position | None = None
) -> Iterator[CorpusSentence]:
    """Read `vert`: words alone, one a line, as in `brwac.vert` of brWaC.

        <doc docid="brwac-1" title="Carta" uri="http://example.org/carta">
        <p>
        <s>
        Saiu
        da
        toca
        <g/>
        .
        </s>
        </p>
        </doc>

    There are no lemmas and no parts of speech.
    """
    return _read_vertical(lines, file, _vert_token, problems, position or Position())


def unescaped(cell: str) -> str:
    """Return *cell* with the five entities of XML as characters."""
    if "&" in cell:
        for entity, character in _ENTITIES.items():
            cell = cell.replace(entity, character)
    return cell


class _BrokenTokenError(Exception):
    """A line that is not a token; the caller knows its place."""

    def __init__(self, what: str, *, fix: str, column: str | None = None) -> None:
        super().__init__(what)
        self.what, self.fix, self.column = what, fix, column


def _wac_token(line: str) -> Token:
    cells = line.split("\t")
    if len(cells) != len(WAC_COLUMNS):
        what = f"{len(cells)} tab-separated columns where the format has {len(WAC_COLUMNS)} ({', '.join(WAC_COLUMNS)})"
        raise _BrokenTokenError(what, fix="is it the vertical format of ukWaC? see --format")
    form, pos, lemma = map(unescaped, cells) if "&" in line else cells
    if not form:
        raise _BrokenTokenError("the form is blank", fix="write the form", column=WAC_COLUMNS[0])
    # before entities are replaced, so that a word written `&lt;unknown&gt;` stays one
    return Token(form, NO_WORD if cells[2] == UNKNOWN_LEMMA else lemma, pos or None)


def _vert_token(line: str) -> Token:
    if "\t" in line:
        what = f"{line.count(chr(9)) + 1} tab-separated columns where the format has a word alone"
        raise _BrokenTokenError(what, fix="is it `wac` or `brwac`? see --format")
    return Token(unescaped(line.strip()), None)


def _read_vertical(
    lines: Iterable[Line], file: str, token_of: Callable[[str], Token], problems: Problems, position: Position
) -> Iterator[CorpusSentence]:
    """Yield each `<s>` of *lines* that holds a token; report damaged lines with their place in *file*."""
    reader = _VerticalReader(file, token_of, problems, position)
    for number, line in lines:
        sentence = reader.take(number, line)
        if sentence:
            yield sentence
    reader.end()


class _VerticalReader:
    """The state between two lines."""

    def __init__(self, file: str, token_of: Callable[[str], Token], problems: Problems, position: Position) -> None:
        self._file = file
        self._token_of = token_of
        self._problems = problems
        self._position = position
        self._tokens: list[Token] | None = None
        self._glued: set[int] = set()
        self._broken = False
        self._tight = False  # no space stands before the next token
        self._start = 0
        self._line = 0

    def take(self, number: int, line: str) -> CorpusSentence | None:
        """Read one line; return the sentence that it ends, if any."""
        self._line = number
        # most lines are tokens, so only those that begin like a tag are matched
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

    def end(self) -> None:
        """Report a sentence that the file ends in."""
        if self._tokens is not None:
            self._report("the file ends inside a sentence", "close it with </s>")

    def _take_document(self, line: str, *, begins: bool, name: str) -> CorpusSentence | None:
        sentence = None
        if self._tokens is not None:
            self._report(f"<{'' if begins else '/'}{name}> inside a sentence", "close the sentence before with </s>")
            sentence = self._finish()
            self._tokens, self._glued, self._broken, self._tight = None, set(), False, False
        if begins:
            match = _DOCUMENT_ID.search(line)
            self._position.enter(unescaped(match["double"] or match["single"] or "") or None if match else None)
        return sentence

    def _take_boundary(self, *, opens: bool) -> CorpusSentence | None:
        inside = self._tokens is not None
        if opens and inside:
            self._report("<s> inside a sentence", "close the sentence before with </s>")
        elif not opens and not inside:
            self._report("</s> outside a sentence", "open the sentence with <s>")
        sentence = self._finish()
        self._tokens = [] if opens else None
        self._glued, self._broken, self._tight, self._start = set(), False, False, self._line
        return sentence

    def _finish(self) -> CorpusSentence | None:
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
            self._broken = self._tokens is not None  # reported by the reader of lines
        elif self._tokens is None:
            self._report("token outside a sentence", "put it between <s> and </s>")
        else:
            if self._tight:
                self._glued.add(len(self._tokens))
                self._tight = False
            try:
                self._tokens.append(self._token_of(line))
            except _BrokenTokenError as error:
                self._broken = True
                self._report(error.what, error.fix, error.column)

    def _report(self, what: str, fix: str, column: str | None = None) -> None:
        self._problems.report(SourceError(what, fix=fix, place=Place(self._file, self._line, column)))


def wac_documents(lines: Iterable[Line], name: str, file: str) -> Iterator[Document]:  # noqa: ARG001
    """Yield the documents of a file in the format `wac`.

    The id of a document is the `id` of its `<text>`; its text is its tokens, separated by a space, and its sentences,
    separated by a line feed:

        <text id="http://example.org/1">
        <s>
        Eager	JJ	eager
        beavers	NNS	beaver
        </s>
        </text>

    gives `Eager beavers`.
    """
    document, inside = None, list[Line]()
    for number, line in lines:
        opening = _TEXT_OPENING.fullmatch(line.strip())
        if opening or line.strip() == "</text>":
            if document is not None:
                yield document, _text(inside, file)
            document = (opening["double"] or opening["single"] or "") if opening else None
            inside = []
        elif document is not None:
            inside.append((number, line))
    if document is not None:
        yield document, _text(inside, file)


def _text(lines: list[Line], file: str) -> str:
    sentences = (" ".join(str(token.surface) for token in sentence) for sentence in read_wac(lines, file=file))
    return unicodedata.normalize("NFC", "\n".join(sentences))
