"""Reader of `wac`: the vertical format of the WaCky corpora (ukWaC, brWaC).

One token a line, `form<TAB>part of speech<TAB>lemma`; sentences between `<s>` and `</s>`; other tags
(`<text id="...">`, `<p>`, `<g/>`) stand on lines of their own and are skipped:

    <text id="http://example.org/1">
    <s>
    Eager	JJ	eager
    beavers	NNS	beaver
    build	VVP	build
    .	SENT	.
    </s>
    </text>

`&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` are read as the characters they stand for. The lemma
`<unknown>`, which TreeTagger gives to a word it does not know, is a separator in the lemma layer; its
placeholders `@card@` and `@ord@` are counted like lemmas. Parts of these corpora are latin-1: name it with
`--encoding`, or the first byte that does not fit is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import unescape

from ncimp.corpus_stats.streams import Line
from ncimp.corpus_stats.words import NO_WORD, Sentence, Token
from ncimp.schemas.errors import Place, SourceError

COLUMNS = ("form", "part of speech", "lemma")
"""The columns of a token line."""

UNKNOWN_LEMMA = "<unknown>"
"""What TreeTagger writes for the lemma of a word that is not in its lexicon."""

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z]\w*)(?:[\s/][^\t]*)?>")
_ENTITIES = {"&quot;": '"', "&apos;": "'"}


def read_wac(lines: Iterable[Line], *, file: str) -> Iterator[Sentence]:
    """Yield the tokens of each `<s>` of *lines*; a damaged line is a `SourceError` with its place in *file*."""
    tokens: list[Token] | None = None
    number = 0
    for number, line in lines:
        tag = _TAG.fullmatch(line.strip())
        if tag is not None and tag["name"] == "s":
            _check_nesting(opens=not tag["end"], inside=tokens is not None, place=Place(file, number))
            if tokens:
                yield tuple(tokens)
            tokens = None if tag["end"] else []
        elif tag is None and line.strip():
            _sentence(tokens, Place(file, number)).append(_token(line, Place(file, number)))
    if tokens is not None:
        raise SourceError("the file ends inside a sentence", fix="close it with </s>", place=Place(file, number))


def _check_nesting(*, opens: bool, inside: bool, place: Place) -> None:
    if opens and inside:
        raise SourceError("<s> inside a sentence", fix="close the sentence before with </s>", place=place)
    if not opens and not inside:
        raise SourceError("</s> outside a sentence", fix="open the sentence with <s>", place=place)


def _sentence(tokens: list[Token] | None, place: Place) -> list[Token]:
    if tokens is None:
        raise SourceError("token outside a sentence", fix="put it between <s> and </s>", place=place)
    return tokens


def _token(line: str, place: Place) -> Token:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        what = f"{len(cells)} tab-separated columns where the format has {len(COLUMNS)} ({', '.join(COLUMNS)})"
        raise SourceError(what, fix="is it the vertical format of ukWaC? see --format", place=place)
    if not cells[0]:
        raise SourceError("the form is blank", fix="write the form", place=Place(place.file, place.line, COLUMNS[0]))
    form, lemma = (unescape(cell, _ENTITIES) if "&" in cell else cell for cell in (cells[0], cells[2]))
    return Token(form, NO_WORD if lemma == UNKNOWN_LEMMA else lemma)
