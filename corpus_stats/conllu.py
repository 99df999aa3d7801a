"""Reader of `conllu`: the tables of Universal Dependencies (https://universaldependencies.org/format.html).

One word a line in ten tab-separated columns (ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC), a
blank line after each sentence, comments after `#`. Here with four columns shown, *sai da toca,*:

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
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ncimp.corpus_stats.streams import Line
from ncimp.corpus_stats.words import Sentence, Token
from ncimp.schemas.errors import Place, SourceError

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns of a word line."""

_ID = re.compile(r"(?P<first>[0-9]{1,6})(?:-(?P<last>[0-9]{1,6})|(?P<empty>\.[0-9]{1,6}))?")


class _SentenceBuilder:
    """The tokens of the sentence being read, and the ids that keep it honest."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self._words = 0  # id of the last word
        self._covered = 0  # id of the last word inside a multiword token

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
        if last is None:
            self._add_word(cells[1], cells[2], first)
        else:
            self._add_range(cells[1], first, int(last), place)

    def _add_word(self, form: str, lemma: str, number: int) -> None:
        self._words = number
        self.tokens.append(Token(None if number <= self._covered else form, lemma))

    def _add_range(self, form: str, first: int, last: int, place: Place) -> None:
        if first <= self._covered or last < first:
            what = f"the range {first}-{last} is empty or overlaps another"
            raise _problem(what, "give each multiword token its own words", place, "ID")
        self._covered = last
        self.tokens.append(Token(form, None))

    def finish(self, place: Place) -> Sentence:
        if self._covered > self._words:
            what = f"a multiword token reaches to word {self._covered}, but the sentence ends after {self._words}"
            raise SourceError(what, fix="add the missing words or mend the range", place=place)
        return tuple(self.tokens)


def read_conllu(lines: Iterable[Line], *, file: str) -> Iterator[Sentence]:
    """Yield the tokens of each sentence of *lines*; a damaged line is a `SourceError` with its place in *file*."""
    sentence = _SentenceBuilder()
    number = 0
    for number, line in lines:
        if not line.strip():
            if sentence.tokens:
                yield sentence.finish(Place(file, number))
            sentence = _SentenceBuilder()
        elif not line.startswith("#"):
            place = Place(file, number)
            sentence.add(_cells(line, place), place)
    if sentence.tokens:
        yield sentence.finish(Place(file, number))


def _cells(line: str, place: Place) -> list[str]:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        what = f"{len(cells)} tab-separated columns where CoNLL-U has {len(COLUMNS)}"
        raise SourceError(what, fix="is it CoNLL-U? see --format", place=place)
    return cells


def _problem(what: str, fix: str, place: Place, column: str) -> SourceError:
    return SourceError(what, fix=fix, place=Place(place.file, place.line, column))
