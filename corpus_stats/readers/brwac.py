"""Reader of `brwac`: the file `brwac.conll` of brWaC, parsed text in ten columns with its documents in comments.

    # MWETOOLKIT: meta.doc.id="net-7"
    1	Saiu	sair	V	V	_	0	STA	_	_
    2	de	de	PRP	PRP	_	1	ADVL	_	_
    3	o	o	DET	DET	_	4	>N	_	_
    4	fim=de=semana	fim=de=semana	N	N	_	2	P<	_	_

It is like CoNLL-U (`conllu.py`), with three differences: a sentence begins where the word id is 1, and no blank line
has to stand before it; contractions stand taken apart (*de o*); words of several parts are joined by `=`, and are
read as that many tokens, so that *fim de semana* counts as it does in other corpora. The columns used are the 2nd
(form), 3rd (lemma, `_` for none) and 4th (part of speech; the 5th where it is `_`). Joined parts have a lemma each
where form and lemma have as many parts, else none, and no part of speech: the corpus gives one for the whole.
`meta.doc.id="…"` in a comment names the document.

This description was put together from programs that read the file, because the corpus itself may not be passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.conllu import COLUMNS, NO_VALUE
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import Token
from ncimp.schemas.errors import Place, SourceError

_JOIN = re.compile(r"(?<=[^\W_])=(?=[^\W_])")  # between letters or digits; `=` and `==` are the sign itself
_DOCUMENT = re.compile(r'meta\.doc\.id="(?P<id>[^"]*)"')


class _Open:
    """The sentence that is being read."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.tokens: list[Token] = []
        self.broken = False


def read_brwac(lines: Iterable[Line], *, file: str, problems: Problems = STOP) -> Iterator[CorpusSentence]:
    """Yield the tokens of each sentence of *lines*; a damaged line is a `SourceError` with its place in *file*."""
    position, sentence = Position(), _Open(1)
    for number, line in lines:
        begins = line.startswith("1\t")
        if begins or not line.strip() or line.startswith("#"):
            yield from _finished(sentence, position)
            sentence = _Open(number)
        if line.startswith("#"):
            found = _DOCUMENT.search(line)
            if found:
                position.enter(found["id"] or None)
        elif line.strip():
            _take(line, sentence, Place(file, number), problems)
    yield from _finished(sentence, position)


def _take(line: str, sentence: _Open, place: Place, problems: Problems) -> None:
    try:
        if line == UNREADABLE:
            sentence.broken = True  # reported where it was read
        else:
            sentence.tokens += _tokens(line, place)
    except SourceError as problem:
        sentence.broken = True
        problems.report(problem)


def _finished(sentence: _Open, position: Position) -> Iterator[CorpusSentence]:
    if sentence.tokens or sentence.broken:
        number = position.next()  # a sentence that is left out keeps its number
        if not sentence.broken:
            yield CorpusSentence(sentence.tokens, document=position.document, number=number, line=sentence.line)


def _tokens(line: str, place: Place) -> list[Token]:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        what = f"{len(cells)} tab-separated columns where brwac.conll has {len(COLUMNS)}"
        raise SourceError(what, fix="is it brwac.conll? see --format", place=place)
    if not cells[0].isdecimal():
        place = Place(place.file, place.line, "ID")
        raise SourceError(f"{cells[0]!r} is not a word id", fix="number words 1, 2, 3", place=place)
    if not cells[1].strip():
        raise SourceError("the form is blank", fix="write the form", place=Place(place.file, place.line, "FORM"))
    forms, lemmas = _JOIN.split(cells[1]), _JOIN.split(cells[2])
    if len(forms) == 1:
        pos = next((cell for cell in cells[3:5] if cell not in ("", NO_VALUE)), None)
        return [Token(cells[1], cells[2] or NO_VALUE, pos)]
    known = lemmas if len(lemmas) == len(forms) else [NO_VALUE] * len(forms)
    return [Token(form, lemma) for form, lemma in zip(forms, known, strict=True)]
