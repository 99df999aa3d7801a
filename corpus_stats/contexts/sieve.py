"""Which sentences of a block may hold a phrase: never too few, sometimes too many, and no object for the others.

Phrases and text are compared by their *pieces*, the unbroken rows of letters and digits in the counted form of the
words: *Rat-Race*, *rat race* and *rat - race* are all `rat`, `race`. A phrase can only stand where its first piece
does, with its second as the next one (tokens without letters and digits between them are passed over). This is so for
every way of cutting words that cuts no row of letters and digits in two, as the columns of vertical formats and the
project's own rule for text do. What passes is read by the format's own reader.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Sequence

import numpy as np

from ncimp.corpus_stats.contexts import kernel
from ncimp.corpus_stats.kernel.compiled import Bytes, Ints, Longs
from ncimp.corpus_stats.readers.vertical import unescaped
from ncimp.corpus_stats.words import normal_form

_PIECE = re.compile(r"[^\W_]+")
_SAFE = re.compile(r"ascii|utf-8|iso8859-\d+|cp125\d|koi8-[rtu]")
"""Encodings in which every ASCII byte is that character, whatever stands before it."""
_KNOWN = 1 << 18
"""Odd runs that are remembered."""


def pieces_of(text: str) -> list[str]:
    """Return the pieces of *text*, in order.

    >>> pieces_of("Don’t rat-race")
    ['don', 't', 'rat', 'race']
    """
    # which of the two a sigma becomes in lower case depends on what stands beside it
    return _PIECE.findall(normal_form(text).replace("\u03c2", "\u03c3"))


def is_safe(encoding: str) -> bool:
    """Return whether bytes below 128 are always ASCII in *encoding*."""
    return _SAFE.fullmatch(codecs.lookup(encoding).name) is not None


class Sieve:
    """Tells where in blocks the *spellings* may stand; each has to hold a letter or digit (`can_sift`).

    *entities*: `&amp;` and the like stand for characters. *blank_breaks*: a token without a visible character is a
    broken line, so that a block with one is not plain.
    """

    def __init__(
        self, spellings: Iterable[Sequence[str]], *, encoding: str, entities: bool, blank_breaks: bool = False
    ) -> None:
        self._encoding, self._entities, self._blank_breaks = encoding, entities, blank_breaks
        wanted = sorted({tuple(_pieces(spelling)[:2]) for spelling in spellings})
        names = sorted({piece for pieces in wanted for piece in pieces})
        self._numbers, self.pieces = _numbered(names)
        self.fold = _fold(entities=entities)
        self._alone: Bytes = np.zeros(len(names) + 1, np.uint8)
        self._alone[[self._numbers[pieces[0]] for pieces in wanted if len(pieces) == 1]] = 1
        pairs = [(self._numbers[first] << 32) | self._numbers[second] for first, second in filter(_is_pair, wanted)]
        self._pairs: Longs = np.array(sorted(pairs), np.int64)
        self._known: dict[bytes, int] = {}

    def places(self, data: bytes, events: Ints, number: int, hits: Ints) -> Ints | None:
        """Return where in *data* phrases may stand, by the first *number* events of it; None if it is not plain."""
        rows = np.flatnonzero(events[kernel.PIECE, :number] == kernel.ASK)
        if len(rows):
            begins = events[kernel.AT, rows].tolist()
            ends = (events[kernel.AT, rows] + events[kernel.SIZE, rows]).tolist()
            answers = [self._answer(data[begin:end]) for begin, end in zip(begins, ends, strict=True)]
            if self._blank_breaks and kernel.ASK in answers:
                return None
            events[kernel.PIECE, rows] = answers
        return hits[: kernel.join_runs(events, number, self._alone, self._pairs, hits)]

    def _answer(self, run: bytes) -> int:
        known = self._known.get(run)
        if known is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            known = self._known[run] = self._looked_up(run)
        return known

    def _looked_up(self, run: bytes) -> int:
        """Return the number of the only piece in an odd run, or what else is to be said of it; `ASK` for a blank."""
        text = run.decode(self._encoding)
        if self._entities:
            text = unescaped(text)
        numbers = [self._numbers.get(piece, 0) for piece in pieces_of(text)]
        if len(numbers) == 1:
            return numbers[0]
        if not numbers:
            return kernel.ASK if self._blank_breaks and not text.strip() else kernel.NOTHING_TO_SAY
        return kernel.MANY if any(numbers) else 0


def can_sift(spellings: Iterable[Sequence[str]]) -> bool:
    """Return whether each spelling has something to look for, and no word that is only found by its signs."""
    return all(map(_pieces, spellings))


def _pieces(spelling: Sequence[str]) -> list[str]:
    return [piece for word in spelling for piece in pieces_of(word)]


def _is_pair(pieces: tuple[str, ...]) -> bool:
    return len(pieces) > 1


def _fold(*, entities: bool) -> Bytes:
    table: Bytes = np.zeros(256, np.uint8)
    for character in range(128):
        if chr(character).isalnum():
            table[character] = ord(chr(character).lower())
    table[128:] = kernel.ODD
    if entities:
        table[kernel.AND] = kernel.ODD
    return table


def _numbered(names: Sequence[str]) -> tuple[dict[str, int], kernel.Pieces]:
    """Return the number of each piece, from 1, and the table of those of ASCII; of the same hash, the same number."""
    size = 1 << max(6, (4 * len(names)).bit_length())
    pieces = kernel.Pieces(np.zeros(size, np.uint64), np.zeros(size, np.int32))
    numbers, known = dict[str, int](), dict[int, int]()
    for number, name in enumerate(names, start=1):
        numbers[name] = number
        if name.isascii():
            hashed = kernel.hash_piece(np.frombuffer(name.encode(), np.uint8))
            numbers[name] = known.setdefault(int(hashed), number)
            kernel.put_piece(pieces, np.uint64(hashed), numbers[name])
    return numbers, pieces
