"""Reader of `conllu`: the tables of Universal Dependencies (https://universaldependencies.org/format.html).

One word a line in ten tab-separated columns (ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC), a
blank line after each sentence, comments after `#`. Here with four columns shown, *sai da toca,*:

    # newdoc id = letters-7
    # text = sai da toca,
    1       sai     sair    VERB
    2-3     da      _       _
    2       de      de      ADP
    3       a       o       DET
    4       toca    toca    NOUN
    5       ,       ,       PUNCT

* A **multiword token** (`2-3`) is what was written, the words it covers are what was analysed. The surface
  layer counts the range's form, the lemma layer the covered words' lemmas: surface *sai da toca*, lemmas
  *sair de o toca*. So the layers differ in length, and *da* is a surface word while *de* here is not.
* An **empty node** (`8.1`) was never written; both layers skip it.
* A lemma `_` (not given, or the punctuation mark itself) is a separator in the lemma layer.
* The part of speech is UPOS, or XPOS where UPOS is `_`. `# newdoc id = …` names the document, `# text = …` is the
  sentence
  as it was written; without it `SpaceAfter=No` (MISC) says where no space stood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.problems import STOP, Problems
from ncimp.corpus_stats.readers.streams import UNREADABLE, Line
from ncimp.corpus_stats.sentences import CorpusSentence, Position
from ncimp.corpus_stats.words import Token
from ncimp.schemas.errors import Place, SourceError

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns of a word line."""

NO_VALUE = "_"
"""What stands in a column that has no value."""

_ID = re.compile(r"(?P<first>[0-9]{1,6})(?:-(?P<last>[0-9]{1,6})|(?P<empty>\.[0-9]{1,6}))?")
_COMMENT = re.compile(r"#\s*(?P<key>newdoc|text)\b(?:\s+id)?\s*(?:=\s*(?P<value>.*))?")


class _SentenceBuilder:
    """The tokens of the sentence being read, and the ids that keep it honest."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.text: str | None = None
        self.line = 0
        self.broken = False
        self._glued: set[int] = set()
        self._tight = False  # no space after the last token that was written
        self._words = 0  # id of the last word
        self._covered = 0  # id of the last word inside a multiword token
        self._last_line: int | None = None

    def add(self, cells: list[str], place: Place) -> None:
        identity = _ID.fullmatch(cells[0])
        if identity is None:
            raise _problem(f"{cells[0]!r} is not a word id", "write 7, 7-8 or 7.1", place, "ID")
        if not cells[1]:
            raise _problem("the form is blank", "write the form, or _ where it is withheld", place, "FORM")
        if identity["empty"]:
            return
        first, last = int(identity["first"]), identity["last"]
        if first != self._words + 1:
            fix = "number words 1, 2, 3 and put a blank line between sentences"
            raise _problem(f"word id {first} where {self._words + 1} was expected", fix, place, "ID")
        self.line = self.line or place.line or 0
        self._last_line = place.line
        if last is None:
            self._add_word(cells, first)
        else:
            self._add_range(cells, first, int(last), place)

    def _add_word(self, cells: list[str], number: int) -> None:
        self._words = number
        pos = next((cell for cell in cells[3:5] if cell not in ("", NO_VALUE)), None)
        covered = number <= self._covered
        if not covered:
            self._glue(cells)
        self.tokens.append(Token(None if covered else cells[1], cells[2], pos))

    def _add_range(self, cells: list[str], first: int, last: int, place: Place) -> None:
        if first <= self._covered or last < first:
            what = f"the range {first}-{last} is empty or overlaps another"
            raise _problem(what, "give each multiword token its own words", place, "ID")
        self._covered = last
        self._glue(cells)
        self.tokens.append(Token(cells[1], None))

    def _glue(self, cells: list[str]) -> None:
        if self._tight:
            self._glued.add(len(self.tokens))
        self._tight = "SpaceAfter=No" in cells[9].split("|")

    def finish(self, file: str, position: Position) -> CorpusSentence:
        if self._covered > self._words:
            what = f"a multiword token reaches to word {self._covered}, but the sentence ends after {self._words}"
            raise SourceError(what, fix="add the missing words or mend the range", place=Place(file, self._last_line))
        return CorpusSentence(
            self.tokens,
            document=position.document,
            number=position.next(),
            line=self.line,
            written=self.text,
            glued=self._glued,
        )


def read_conllu(lines: Iterable[Line], *, file: str, problems: Problems = STOP) -> Iterator[CorpusSentence]:
    """Yield the tokens of each sentence of *lines*; a damaged line is a `SourceError` with its place in *file*."""
    sentence, position = _SentenceBuilder(), Position()
    for number, line in lines:
        if not line.strip(" "):
            yield from _finished(sentence, file, position, problems)
            sentence = _SentenceBuilder()
        elif line.startswith("#"):
            _read_comment(line, sentence, position)
        elif not sentence.broken:
            _read_word(line, sentence, Place(file, number), problems)
    yield from _finished(sentence, file, position, problems)


def _read_word(line: str, sentence: _SentenceBuilder, place: Place, problems: Problems) -> None:
    try:
        if line == UNREADABLE:
            sentence.broken = True  # reported where it was read
        else:
            sentence.add(_cells(line, place), place)
    except SourceError as problem:
        sentence.broken = True
        problems.report(problem)


def _finished(
    sentence: _SentenceBuilder, file: str, position: Position, problems: Problems
) -> Iterator[CorpusSentence]:
    if sentence.broken:
        position.next()  # the sentences after it keep their numbers
    elif sentence.tokens:
        try:
            finished = sentence.finish(file, position)
        except SourceError as problem:
            position.next()
            problems.report(problem)
            return
        yield finished


def _read_comment(line: str, sentence: _SentenceBuilder, position: Position) -> None:
    comment = _COMMENT.match(line)
    if comment is None:
        return
    value = (comment["value"] or "").strip() or None
    if comment["key"] == "text":
        sentence.text = value
    elif not sentence.tokens:
        position.enter(value)


def _cells(line: str, place: Place) -> list[str]:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        what = f"{len(cells)} tab-separated columns where CoNLL-U has {len(COLUMNS)}"
        raise SourceError(what, fix="is it CoNLL-U? see --format", place=place)
    return cells


def _problem(what: str, fix: str, place: Place, column: str) -> SourceError:
    return SourceError(what, fix=fix, place=Place(place.file, place.line, column))
