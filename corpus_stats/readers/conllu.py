"""Readers of tables of ten columns: `conllu`, of Universal Dependencies, and its relative `brwac`.

`word_lines` is their parser of lines, for whoever needs more columns than a `CorpusSentence` has.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.words import CorpusSentence, Position, Token
from ncimp.schemas import Place, SourceError

_COLUMNS = 10
_NO_VALUE = "_"
_ID = re.compile(r"(?P<first>[0-9]{1,6})(?:-(?P<last>[0-9]{1,6})|(?P<empty>\.[0-9]{1,6}))?")
_COMMENT = re.compile(r"#\s*(?P<key>newdoc|text)\b(?:\s+id)?\s*(?:=\s*(?P<value>.*))?")

BRWAC_JOIN = re.compile(r"(?<=[^\W_])=(?=[^\W_])")  # joins words in `brwac`; any other `=` is the sign itself
_BRWAC_DOCUMENT = re.compile(r'meta\.doc\.id="(?P<id>[^"]*)"')


@dataclass(frozen=True, slots=True)
class WordLine:
    """A word line of CoNLL-U: a word, a multiword token (`2-3`), or an empty node (`8.1`)."""

    first: int  # its id; of a multiword token, the id of its first word
    last: int | None  # id of the last word of a multiword token; None for others
    empty: bool  # whether it is an empty node, which was never written
    cells: list[str]  # the ten columns
    place: Place


def word_line(line: str, place: Place) -> WordLine:
    """Parse one word line, or raise `SourceError` with *place*."""
    cells = line.split("\t")
    if len(cells) != _COLUMNS:
        what = f"{len(cells)} tab-separated columns where CoNLL-U has {_COLUMNS}"
        raise SourceError(what, fix="is it CoNLL-U? see --format", place=place)
    identity = _ID.fullmatch(cells[0])
    if identity is None:
        raise _problem(f"{cells[0]!r} is not a word id", "write 7, 7-8 or 7.1", place, "ID")
    if not cells[1]:
        raise _problem("the form is blank", "write the form, or _ where it is withheld", place, "FORM")
    last = int(identity["last"]) if identity["last"] else None
    return WordLine(int(identity["first"]), last, bool(identity["empty"]), cells, place)


def word_lines(lines: Iterable[Line], file: str) -> Iterator[list[WordLine]]:
    """Yield the word lines of each sentence of *lines*, in order, or raise `SourceError` with the place in *file*."""
    words = list[WordLine]()
    for number, line in chain(lines, [(0, "")]):
        if line.strip(" ") and not line.startswith("#"):
            words.append(word_line(line, Place(file, number)))
        elif words and not line.startswith("#"):
            yield words
            words = []


def read_conllu(
    lines: Iterable[Line], *, file: str, problems: Problems = STOP, position: Position | None = None
) -> Iterator[CorpusSentence]:
    """Read `conllu`, the tables of Universal Dependencies (https://universaldependencies.org/format.html).

    A word line has ten tab-separated columns (ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC), a blank line
    ends a sentence, comments begin with `#`. Here with four columns, *sai da toca,*:

        # newdoc id = letters-7
        # text = sai da toca,
        1       sai     sair    VERB
        2-3     da      _       _
        2       de      de      ADP
        3       a       o       DET
        4       toca    toca    NOUN
        5       ,       ,       PUNCT

    * A **multiword token** (`2-3`) is what was written; the words it covers are its analysis. The surface layer counts
      the form of the range, the lemma layer the lemmas of the covered words: surface *sai da toca*, lemmas *sair de o
      toca*. So the layers differ in length: *da* is a surface word, *de* here is not.
    * An **empty node** (`8.1`) was never written; both layers skip it.
    * A lemma `_` (not given, or the punctuation mark itself) is a separator in the lemma layer.
    * The part of speech is UPOS, or XPOS where UPOS is `_`. `# newdoc id = …` names the document, `# text = …` is the
      sentence as it was written; without it `SpaceAfter=No` (MISC) says where no space stood.
    """
    position, sentence = position or Position(), _ConlluSentence()
    for number, line in chain(lines, [(0, "")]):  # the end of the file ends a sentence too
        if not line.strip(" "):
            if sentence.covered > sentence.words and not sentence.broken:
                what = f"a multiword token reaches to word {sentence.covered}, but the sentence ends after"
                fix, place = "add the missing words or mend the range", Place(file, sentence.last_line)
                problems.report(SourceError(f"{what} {sentence.words}", fix=fix, place=place))
                sentence.broken = True
            yield from position.sentence(
                sentence.tokens, line=sentence.line, broken=sentence.broken, written=sentence.text, glued=sentence.glued
            )
            sentence = _ConlluSentence()
        elif line.startswith("#"):
            comment = _COMMENT.match(line)
            value = (comment["value"] or "").strip() or None if comment else None
            if comment and comment["key"] == "text":
                sentence.text = value
            elif comment and not sentence.tokens:
                position.enter(value)
        elif line == UNREADABLE:
            sentence.broken = True  # reported by the reader of lines
        elif not sentence.broken:
            try:
                sentence.add(word_line(line, Place(file, number)))
            except SourceError as problem:
                sentence.broken = True
                problems.report(problem)


class _ConlluSentence:
    """The tokens of a sentence so far, and the checks of its word ids."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.glued: set[int] = set()
        self.text: str | None = None
        self.broken = False
        self.line = self.last_line = 0  # of its first and last word
        self.words = self.covered = 0  # ids of the last word, and of the last word inside a multiword token
        self._tight = False  # no space after the last written token

    def add(self, word: WordLine) -> None:
        if word.empty:
            return
        if word.first != self.words + 1:
            fix = "number words 1, 2, 3 and put a blank line between sentences"
            raise _problem(f"word id {word.first} where {self.words + 1} was expected", fix, word.place, "ID")
        self.last_line = word.place.line or 0
        self.line = self.line or self.last_line
        covered = word.first <= self.covered
        if word.last is None:
            self.words = word.first
            token = Token(None if covered else word.cells[1], word.cells[2], _part_of_speech(word.cells))
        elif covered or word.last < word.first:
            what = f"the range {word.first}-{word.last} is empty or overlaps another"
            raise _problem(what, "give each multiword token its own words", word.place, "ID")
        else:
            self.covered = word.last
            token = Token(word.cells[1], None)
        if token.surface is not None:
            if self._tight:
                self.glued.add(len(self.tokens))
            self._tight = "SpaceAfter=No" in word.cells[9].split("|")
        self.tokens.append(token)


def _part_of_speech(cells: list[str]) -> str | None:
    return next((cell for cell in cells[3:5] if cell not in ("", _NO_VALUE)), None)


def _problem(what: str, fix: str, place: Place, column: str) -> SourceError:
    return SourceError(what, fix=fix, place=Place(place.file, place.line, column))


def read_brwac(
    lines: Iterable[Line], *, file: str, problems: Problems = STOP, position: Position | None = None
) -> Iterator[CorpusSentence]:
    """Read `brwac`: the file `brwac.conll` of brWaC, parsed text with its documents in comments.

        # MWETOOLKIT: meta.doc.id="net-7"
        1	Saiu	sair	V	V	_	0	STA	_	_
        2	de	de	PRP	PRP	_	1	ADVL	_	_
        3	o	o	DET	DET	_	4	>N	_	_
        4	fim=de=semana	fim=de=semana	N	N	_	2	P<	_	_

    It differs from CoNLL-U in three ways: a sentence begins at word id 1, with or without a blank line before it;
    contractions are taken apart (*de o*); words of several parts are joined by `=`, and are read as that many tokens,
    so that *fim de semana* counts as in other corpora. The columns used are the 2nd (form), 3rd (lemma, `_` for none)
    and 4th (part of speech; the 5th where it is `_`). Joined parts have a lemma each where form and lemma have as many
    parts, else none, and no part of speech, because the corpus gives one for the whole.

    The description was put together from programs that read the file: the corpus itself may not be passed on.
    """
    position, tokens, start, broken = position or Position(), list[Token](), 1, False
    for number, line in chain(lines, [(0, "")]):  # the end of the file ends a sentence too
        if line.startswith(("1\t", "#")) or not line.strip():
            yield from position.sentence(tokens, line=start, broken=broken)
            tokens, start, broken = [], number, False
        if line.startswith("#"):
            match = _BRWAC_DOCUMENT.search(line)
            if match:
                position.enter(match["id"] or None)
        elif line == UNREADABLE:
            broken = True  # reported by the reader of lines
        elif line.strip():
            try:
                tokens += _brwac_tokens(line, Place(file, number))
            except SourceError as problem:
                broken = True
                problems.report(problem)


def _brwac_tokens(line: str, place: Place) -> list[Token]:
    cells = line.split("\t")
    if len(cells) != _COLUMNS:
        what = f"{len(cells)} tab-separated columns where brwac.conll has {_COLUMNS}"
        raise SourceError(what, fix="is it brwac.conll? see --format", place=place)
    if not cells[0].isdecimal():
        raise _problem(f"{cells[0]!r} is not a word id", "number words 1, 2, 3", place, "ID")
    if not cells[1].strip():
        raise _problem("the form is blank", "write the form", place, "FORM")
    forms, lemmas = BRWAC_JOIN.split(cells[1]), BRWAC_JOIN.split(cells[2])
    if len(forms) == 1:
        return [Token(cells[1], cells[2] or _NO_VALUE, _part_of_speech(cells))]
    if len(lemmas) != len(forms):
        lemmas = [_NO_VALUE] * len(forms)
    return [Token(form, lemma) for form, lemma in zip(forms, lemmas, strict=True)]
