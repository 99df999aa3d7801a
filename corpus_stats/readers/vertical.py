"""Readers of the vertical formats `wac` and `vert`: one token a line, sentences in `<s>` … `</s>`.

Both share these rules:

* Tags stand on lines of their own. `<text id="…">` and `<doc docid="…">` (also `id`) begin a document; `<g/>` says that
  no space stood here; every other tag is skipped.
* `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` stand for the characters.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.words import NO_WORD, CorpusSentence, Position, Token
from ncimp.schemas import Place, SourceError

UNKNOWN_LEMMA = "<unknown>"  # the lemma that TreeTagger writes for a word that is not in its lexicon

_COLUMNS = ("form", "part of speech", "lemma")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z]\w*)(?:[\s/][^\t]*)?>")
_DOCUMENT_ID = re.compile(r"""\b(?:doc)?id=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')""", re.IGNORECASE)
_CLOSE = "close the sentence before with </s>"
_ENTITIES = {"&gt;": ">", "&lt;": "<", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
"""In the order of replacement, as in `xml.sax.saxutils`, which would load the network library."""


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
    return _VerticalReader(file, _wac_token, problems, position or Position()).read(lines)


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
    return _VerticalReader(file, _vert_token, problems, position or Position()).read(lines)


def unescaped(cell: str) -> str:
    """Return *cell* with the five entities of XML as characters."""
    if "&" in cell:
        for entity, character in _ENTITIES.items():
            cell = cell.replace(entity, character)
    return cell


def _wac_token(line: str) -> Token:
    cells = line.split("\t")
    if len(cells) != len(_COLUMNS):
        what = f"{len(cells)} tab-separated columns where the format has {len(_COLUMNS)} ({', '.join(_COLUMNS)})"
        raise SourceError(what, fix="is it the vertical format of ukWaC? see --format")
    form, pos, lemma = map(unescaped, cells) if "&" in line else cells
    if not form:
        raise SourceError("the form is blank", fix="write the form", place=Place("", column=_COLUMNS[0]))
    # before entities are replaced, so that a word written `&lt;unknown&gt;` stays one
    return Token(form, NO_WORD if cells[2] == UNKNOWN_LEMMA else lemma, pos or None)


def _vert_token(line: str) -> Token:
    if "\t" in line:
        what = f"{line.count(chr(9)) + 1} tab-separated columns where the format has a word alone"
        raise SourceError(what, fix="is it `wac` or `brwac`? see --format")
    return Token(unescaped(line.strip()), None)


class _VerticalReader:
    """The state between two lines; a problem of *token_of* gets its line and *file* here."""

    def __init__(self, file: str, token_of: Callable[[str], Token], problems: Problems, position: Position) -> None:
        self._file, self._token_of, self._problems, self._position = file, token_of, problems, position
        self._line = self._start = 0
        self._tokens: list[Token] | None = None  # None between two sentences
        self._glued, self._broken, self._tight = set[int](), False, False  # tight: no space before the next token

    def read(self, lines: Iterable[Line]) -> Iterator[CorpusSentence]:
        for self._line, line in lines:
            # most lines are tokens, so only those that begin like a tag are matched
            tag = _TAG.fullmatch(line.strip()) if line.lstrip()[:1] == "<" else None
            if tag is None:
                if line.strip(" "):
                    self._add(line)
                continue
            name, opens = tag["name"].lower(), not tag["end"]
            if name == "g":
                self._tight = True
            elif name == "s":
                if opens and self._tokens is not None:
                    self._report("<s> inside a sentence", _CLOSE)
                elif not opens and self._tokens is None:
                    self._report("</s> outside a sentence", "open the sentence with <s>")
                yield from self._turn(opens=opens)
            elif name in ("text", "doc"):
                if self._tokens is not None:
                    self._report(f"<{tag['end']}{name}> inside a sentence", _CLOSE)
                    yield from self._turn(opens=False)
                if opens:
                    match = _DOCUMENT_ID.search(line)
                    self._position.enter(unescaped(match["double"] or match["single"] or "") or None if match else None)
        if self._tokens is not None:
            self._report("the file ends inside a sentence", "close it with </s>")

    def _turn(self, *, opens: bool) -> Iterator[CorpusSentence]:
        """Yield the sentence so far, and go on inside the next one or between two."""
        yield from self._position.sentence(self._tokens or (), line=self._start, broken=self._broken, glued=self._glued)
        self._tokens, self._start = [] if opens else None, self._line
        self._glued, self._broken, self._tight = set(), False, False

    def _add(self, line: str) -> None:
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
            except SourceError as error:
                self._broken = True
                self._report(error.what, error.fix, error.place.column if error.place else None)

    def _report(self, what: str, fix: str | None, column: str | int | None = None) -> None:
        self._problems.report(SourceError(what, fix=fix, place=Place(self._file, self._line, column)))
