"""Readers of tables of ten columns: `conllu`, of Universal Dependencies, and its relative `brwac`.

`word_lines` is their parser of lines, for whoever needs more columns than a `CorpusSentence` has.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.words import CorpusSentence, Position, Token
from ncimp.schemas.errors import Place, SourceError

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns of a word line."""

NO_VALUE = "_"
"""The cell of a column without a value."""

_ID = re.compile(r"(?P<first>[0-9]{1,6})(?:-(?P<last>[0-9]{1,6})|(?P<empty>\.[0-9]{1,6}))?")
_COMMENT = re.compile(r"#\s*(?P<key>newdoc|text)\b(?:\s+id)?\s*(?:=\s*(?P<value>.*))?")

BRWAC_JOIN = re.compile(r"(?<=[^\W_])=(?=[^\W_])")
"""The mark that joins words in `brwac`: `=` between letters or digits; others are the sign itself."""

_BRWAC_DOCUMENT = re.compile(r'meta\.doc\.id="(?P<id>[^"]*)"')


@dataclass(frozen=True, slots=True)
class WordLine:
    """A word line of CoNLL-U: a word, a multiword token (`2-3`), or an empty node (`8.1`)."""

    first: int
    """Its id; of a multiword token, the id of its first word."""
    last: int | None
    """Id of the last word of a multiword token; None for others."""
    empty: bool
    """Whether it is an empty node, which was never written."""
    cells: list[str]
    """The ten columns."""
    place: Place


def word_line(line: str, place: Place) -> WordLine:
    """Parse one word line, or raise `SourceError` with *place*."""
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        what = f"{len(cells)} tab-separated columns where CoNLL-U has {len(COLUMNS)}"
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
    for number, line in lines:
        if line.strip(" ") and not line.startswith("#"):
            words.append(word_line(line, Place(file, number)))
        elif words and not line.startswith("#"):
            yield words
            words = []
    if words:
        yield words


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
    for number, line in lines:
        if not line.strip(" "):
            yield from _finish(sentence, file, position, problems)
            sentence = _ConlluSentence()
        elif line.startswith("#"):
            _read_comment(line, sentence, position)
        elif line == UNREADABLE:
            sentence.broken = True  # reported by the reader of lines
        elif not sentence.broken:
            try:
                sentence.add(word_line(line, Place(file, number)))
            except SourceError as problem:
                sentence.broken = True
                problems.report(problem)
    yield from _finish(sentence, file, position, problems)


class _ConlluSentence:
    """The tokens of a sentence so far, and the checks of its word ids."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.text: str | None = None
        self.line = 0
        self.broken = False
        self._glued: set[int] = set()
        self._tight = False  # no space after the last written token
        self._words = 0  # id of the last word
        self._covered = 0  # id of the last word inside a multiword token
        self._last_line: int | None = None

    def add(self, word: WordLine) -> None:
        if word.empty:
            return
        if word.first != self._words + 1:
            fix = "number words 1, 2, 3 and put a blank line between sentences"
            raise _problem(f"word id {word.first} where {self._words + 1} was expected", fix, word.place, "ID")
        self.line = self.line or word.place.line or 0
        self._last_line = word.place.line
        if word.last is None:
            self._words = word.first
            covered = word.first <= self._covered
            if not covered:
                self._glue(word.cells)
            pos = next((cell for cell in word.cells[3:5] if cell not in ("", NO_VALUE)), None)
            self.tokens.append(Token(None if covered else word.cells[1], word.cells[2], pos))
            return
        if word.first <= self._covered or word.last < word.first:
            what = f"the range {word.first}-{word.last} is empty or overlaps another"
            raise _problem(what, "give each multiword token its own words", word.place, "ID")
        self._covered = word.last
        self._glue(word.cells)
        self.tokens.append(Token(word.cells[1], None))

    def finish(self, file: str, position: Position) -> CorpusSentence:
        number = position.next()
        if self._covered > self._words:
            what = f"a multiword token reaches to word {self._covered}, but the sentence ends after {self._words}"
            raise SourceError(what, fix="add the missing words or mend the range", place=Place(file, self._last_line))
        return CorpusSentence(
            self.tokens,
            document=position.document,
            number=number,
            line=self.line,
            written=self.text,
            glued=self._glued,
        )

    def _glue(self, cells: list[str]) -> None:
        if self._tight:
            self._glued.add(len(self.tokens))
        self._tight = "SpaceAfter=No" in cells[9].split("|")


def _finish(sentence: _ConlluSentence, file: str, position: Position, problems: Problems) -> Iterator[CorpusSentence]:
    if sentence.broken:
        position.next()  # a sentence that is left out keeps its number
    elif sentence.tokens:
        try:
            yield sentence.finish(file, position)
        except SourceError as problem:
            problems.report(problem)


def _read_comment(line: str, sentence: _ConlluSentence, position: Position) -> None:
    comment = _COMMENT.match(line)
    if comment is None:
        return
    value = (comment["value"] or "").strip() or None
    if comment["key"] == "text":
        sentence.text = value
    elif not sentence.tokens:
        position.enter(value)


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
    position, sentence = position or Position(), _BrwacSentence(1)
    for number, line in lines:
        if line.startswith(("1\t", "#")) or not line.strip():
            yield from sentence.finish(position)
            sentence = _BrwacSentence(number)
        if line.startswith("#"):
            match = _BRWAC_DOCUMENT.search(line)
            if match:
                position.enter(match["id"] or None)
        elif line == UNREADABLE:
            sentence.broken = True  # reported by the reader of lines
        elif line.strip():
            try:
                sentence.tokens += _brwac_tokens(line, Place(file, number))
            except SourceError as problem:
                sentence.broken = True
                problems.report(problem)
    yield from sentence.finish(position)


class _BrwacSentence:
    """The tokens of a sentence so far."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.tokens: list[Token] = []
        self.broken = False

    def finish(self, position: Position) -> Iterator[CorpusSentence]:
        if self.tokens or self.broken:
            number = position.next()  # a sentence that is left out keeps its number
            if not self.broken:
                yield CorpusSentence(self.tokens, document=position.document, number=number, line=self.line)


def _brwac_tokens(line: str, place: Place) -> list[Token]:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        what = f"{len(cells)} tab-separated columns where brwac.conll has {len(COLUMNS)}"
        raise SourceError(what, fix="is it brwac.conll? see --format", place=place)
    if not cells[0].isdecimal():
        raise _problem(f"{cells[0]!r} is not a word id", "number words 1, 2, 3", place, "ID")
    if not cells[1].strip():
        raise _problem("the form is blank", "write the form", place, "FORM")
    forms, lemmas = BRWAC_JOIN.split(cells[1]), BRWAC_JOIN.split(cells[2])
    if len(forms) == 1:
        pos = next((cell for cell in cells[3:5] if cell not in ("", NO_VALUE)), None)
        return [Token(cells[1], cells[2] or NO_VALUE, pos)]
    if len(lemmas) != len(forms):
        lemmas = [NO_VALUE] * len(forms)
    return [Token(form, lemma) for form, lemma in zip(forms, lemmas, strict=True)]
