"""What counts as a word, in which form, and how plain text is cut into words.

The same rules hold for every corpus format, so that counts of different corpora mean the same:

* **Form.** Words are lower-cased and in Unicode form NFC; typographic apostrophes and hyphens become
  `'` and `-`; soft hyphens go. This holds for lemmas too (`Polish` and `polish` are one lemma).
* **Word.** A token is a word when it holds at least one letter or digit (`str.isalnum`).
* **Separator.** Every other token (punctuation, symbols, `_`) is not counted and separates its
  neighbours: in *yes, sir* the words *yes* and *sir* are not a bigram.
"""

import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, Self, get_args

TOKENISER_VERSION = 1  # goes up when any rule of this module changes: counts made by different rules are not comparable
Layer = Literal["surface", "lemma"]  # whether words are counted as written (lower-cased) or as lemmas
LAYERS: tuple[Layer, ...] = get_args(Layer)  # the layers, in the order in which they are stored and shown

WORD = re.compile(r"(?:[^\W_](?:[^\W_]|[\u0300-\u036F]|['-](?=[^\W_])|(?<=\d)[.,](?=\d))*)|\S")
"""A word of plain text, or one other visible character, which is a separator.

A word is letters and digits (with combining marks U+0300 to U+036F where NFC has no single character),
apostrophes and hyphens between them (*don't*, *guarda-chuva*), and `.` or `,` between two digits (*3.5*).
So *e.g.* is two words with separators, and *'tis* is a separator and *tis*.
"""

NO_WORD = "_"  # the text of a unit that has no word of its own but keeps its neighbours apart

_SPELLING = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None})
_CACHE_SIZE = 1 << 16  # words; covers nearly every running word of a corpus and stays below some 20 MB


class Token(NamedTuple):
    """One unit of a sentence in each layer; None where that layer has no unit here (neighbours stay adjacent)."""

    surface: str | None
    lemma: str | None
    pos: str | None = None  # part of speech as the corpus names it; None where it has none


Sentence = tuple[Token, ...]  # the tokens of one sentence, in order


def normal_form(text: str) -> str:
    """Return *text* as it is counted and looked up.

    >>> normal_form("Don’t")
    "don't"
    """
    return unicodedata.normalize("NFC", respelled(text).lower())


@lru_cache(maxsize=_CACHE_SIZE)
def is_word(text: str) -> bool:
    """Return whether *text* holds a letter or a digit; what does not is a separator.

    >>> is_word("e-mail"), is_word("..."), is_word("_")
    (True, False, False)
    """
    return any(character.isalnum() for character in text)


@lru_cache(maxsize=_CACHE_SIZE)
def counted_form(text: str) -> str | None:
    """Return the normal form of the word *text*, or None for a separator.

    >>> counted_form("Beaver"), counted_form(",")
    ('beaver', None)
    """
    form = normal_form(text)
    # interned, because each word is a key of the unigrams and part of many keys of the bigrams
    return sys.intern(form) if is_word(form) else None


def tokenise(line: str) -> list[str]:
    """Return the words and separators of *line*, as matched by `WORD`, in their original case.

    >>> tokenise("The well-known Mr. O'Neill, at 3.5%")
    ['The', 'well-known', 'Mr', '.', "O'Neill", ',', 'at', '3.5', '%']
    """
    return WORD.findall(respelled(line))


def respelled(text: str) -> str:
    """Return *text* in form NFC with `'` and `-` for typographic apostrophes and hyphens, and no soft hyphens."""
    return unicodedata.normalize("NFC", text).translate(_SPELLING)


Span = tuple[int, int]  # half-open [start, end), in characters


class CorpusSentence(tuple[Token, ...]):
    """The tokens of one sentence, in order, and its place in the corpus."""

    document: str | None  # id of the document as the corpus names it; None where it names none
    number: int  # place of the sentence in its document, from 1; in the file, where the corpus names no documents
    line: int  # line of the file (row of a table) at which the sentence begins, from 1
    written: str | None  # the sentence as it was written, where the corpus keeps it
    glued: frozenset[int]
    """Indexes of the tokens that follow the one before without a space, as far as the corpus says so."""

    def __new__(  # noqa: D102 - the attributes are described above
        cls,
        tokens: Iterable[Token],
        *,
        document: str | None = None,
        number: int = 1,
        line: int = 1,
        written: str | None = None,
        glued: Collection[int] = (),
    ) -> Self:
        self = super().__new__(cls, tokens)
        self.document, self.number, self.line, self.written = document, number, line, written
        self.glued = frozenset(glued)
        return self

    @property
    def text(self) -> str:
        """Return the sentence as it was written, else its tokens with a space before each that is not glued."""
        if self.written is not None:
            return self.written
        forms = [(index, token.surface) for index, token in enumerate(self) if token.surface is not None]
        first = forms[0][0] if forms else 0
        return "".join(form if index == first or index in self.glued else f" {form}" for index, form in forms)

    def spans(self) -> tuple[Span | None, ...]:
        """Return the place of each token in `text`; None for one that was not written or does not stand there."""
        text, at = self.text, 0
        spans: list[Span | None] = []
        for surface, *_ in self:
            start = -1 if surface is None else text.find(surface, at)
            at = at if surface is None or start < 0 else start + len(surface)
            spans.append(None if start < 0 else (start, at))
        return tuple(spans)


class Position:
    """The place of a reader: a document, and how many sentences of it were read."""

    def __init__(self, document: str | None = None, number: int = 0) -> None:
        self.document, self.number = document, number

    def enter(self, document: str | None) -> None:
        """Begin the document with this id."""
        self.document, self.number = document, 0

    def next(self) -> int:
        """Return the number of the next sentence, from 1."""
        self.number += 1
        return self.number

    def sentence(
        self,
        tokens: Collection[Token],
        *,
        line: int,
        broken: bool = False,
        written: str | None = None,
        glued: Collection[int] = (),
    ) -> Iterator[CorpusSentence]:
        """Yield the next sentence, if it has tokens; one that is left out because it is *broken* keeps its number."""
        number = self.next() if tokens or broken else 0
        if tokens and not broken:
            yield CorpusSentence(tokens, document=self.document, number=number, line=line, written=written, glued=glued)
