"""Static word vectors: the mean of the vectors of an item's tokens.

Word2vec text has a header with the number of words and of dimensions, then a word a line:

    2 3
    beaver 0.1 0.2 -0.4
    eager 0.3 0.1 0.0

GloVe text has no header; there, a word may hold spaces, because the components are counted from the end. A `.bin` is
word2vec's binary form, with the same header, or a model of fastText, which begins with a number of its own; of the
latter, the vectors of its words are used, not those of its character n-grams, so that an unknown word stays unknown.

A `.kv` is what gensim's `KeyedVectors.save` writes; it is a pickle, so open only one you trust.
"""

import pickle
import struct
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.release import Item
from ncimp.evaluator.runtime import require
from ncimp.schemas.errors import EvaluationError, Place

DAMAGE = (ValueError, EOFError, OSError, MemoryError)
"""Errors of gensim on text of the right shape without numbers, not in UTF-8, or too large for the memory."""

BINARY_DAMAGE = (*DAMAGE, struct.error, NotImplementedError, AssertionError, AttributeError, TypeError, KeyError)
"""Errors of gensim on a binary file that is cut, damaged or of another kind."""

FASTTEXT = struct.pack("<i", 793712314)  # the first bytes of a model of fastText

PICKLE_DAMAGE = (*DAMAGE, pickle.UnpicklingError, AttributeError, ImportError, IndexError, KeyError, TypeError)
"""Errors of unpickling a damaged or foreign file."""


class StaticVectors:
    """Word vectors by word. Words are looked up as written, then lower-cased, then in the parts of a hyphenation."""

    def __init__(self, words: dict[str, int], vectors: NDArray[Any]) -> None:
        self._rows = words
        self._vectors = vectors
        self._token_rows: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> "StaticVectors":
        """Return the word vectors in *path*, or raise `EvaluationError` when it is damaged."""
        words, vectors = _read(path)
        if not np.isfinite(vectors).all():
            raise EvaluationError("a component is not a finite number", fix="mend the file", place=Place(str(path)))
        return cls(words, vectors)

    def sentence(self, items: Sequence[Item]) -> FloatArray:
        """Return the mean over all tokens that are known, of shape (len(items), d); NaN where none is."""
        return self._means([item.tokens for item in items])

    def span(self, items: Sequence[Item]) -> FloatArray:
        """Return the mean over the tokens of the span that are known; NaN where none is."""
        return self._means([item.tokens[slice(*item.token_span)] for item in items])

    def rows(self, token: str) -> tuple[int, ...]:
        """Return the rows of *token*: one when it is known, those of its known parts when only they are, or none."""
        if token not in self._token_rows:
            whole = self._row(token)
            parts = [whole] if whole is not None else [self._row(part) for part in token.split("-") if "-" in token]
            self._token_rows[token] = tuple(part for part in parts if part is not None)
        return self._token_rows[token]

    def _row(self, word: str) -> int | None:
        row = self._rows.get(word)
        return row if row is not None else self._rows.get(word.lower())

    def _means(self, sequences: list[tuple[str, ...]]) -> FloatArray:
        means = np.full((len(sequences), self._vectors.shape[1]), np.nan)
        for place, tokens in enumerate(sequences):
            rows = [row for token in tokens for row in self.rows(token)]
            if rows:
                means[place] = self._vectors[rows].astype(np.float64).mean(axis=0)
        return means


def _read(path: Path) -> tuple[dict[str, int], NDArray[Any]]:
    if path.suffix not in (".kv", ".bin") and _is_glove(path):
        return _read_glove(path)
    keyed = {".kv": _read_pickle, ".bin": _read_binary}.get(path.suffix, _read_text)(path)
    return keyed.key_to_index, keyed.vectors


def _is_glove(path: Path) -> bool:
    """Check whether *path* begins with a word and two components or more, where word2vec has its header."""
    with path.open("rb") as stream:
        cells = stream.readline().split()
    return len(cells) > 2 and all(map(_is_number, cells[-2:]))


def _is_number(cell: bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _read_glove(path: Path) -> tuple[dict[str, int], NDArray[np.float32]]:
    """Return words and vectors of text without a header; gensim takes a word with spaces for a damaged line."""
    with path.open("rb") as stream:
        size = len(stream.readline().split()) - 1
        stream.seek(0)
        words: dict[str, int] = {}
        rows = array("f")
        for number, line in enumerate(stream, start=1):
            word, *cells = line.rstrip().rsplit(b" ", size)
            try:
                if len(cells) != size:
                    raise ValueError(f"{len(cells)} components where the first line has {size}")
                rows.extend(map(float, cells))
                words.setdefault(word.decode("utf-8"), number - 1)
            except ValueError as error:
                fix = "mend the line or download the file again"
                raise EvaluationError(
                    f"not word vectors as text ({error})", fix=fix, place=Place(str(path), number)
                ) from None
    return words, np.frombuffer(rows, dtype=np.float32).reshape(-1, size)


def _read_binary(path: Path) -> Any:
    models = require("gensim.models")
    with path.open("rb") as stream:
        is_fasttext = stream.read(4) == FASTTEXT
    try:
        if is_fasttext:
            return require("gensim.models.fasttext").load_facebook_vectors(str(path))
        return models.KeyedVectors.load_word2vec_format(str(path), binary=True)
    except BINARY_DAMAGE as error:
        what = f"neither word2vec's binary form nor a model of fastText ({error})"
        raise EvaluationError(what, fix="download the file again", place=Place(str(path))) from None


def _read_text(path: Path) -> Any:
    models = require("gensim.models")
    _check_text(path)
    try:
        return models.KeyedVectors.load_word2vec_format(str(path), binary=False)
    except DAMAGE as error:
        what = f"not word vectors as text ({error})"
        raise EvaluationError(what, fix="mend the file or download it again", place=Place(str(path))) from None


def _check_text(path: Path) -> None:
    """Check every line: gensim names none, ignores lines beyond the header count and repeats a lone number."""
    with path.open("rb") as stream:
        words, size = _header(stream.readline(), path)
        count = 0
        for count, line in enumerate(stream, start=1):
            cells = line.rstrip().count(b" ")
            if cells != size:
                what = f"{cells} components where the header has {size}"
                raise EvaluationError(what, fix="mend the line or the header", place=Place(str(path), count + 1))
    if count != words:
        what = f"the header has {words} words, the file {count}"
        raise EvaluationError(what, fix="download the file again, or mend the header", place=Place(str(path), 1))


def _header(line: bytes, path: Path) -> tuple[int, int]:
    cells = line.split()
    if len(cells) != 2 or not all(cell.isdigit() and int(cell) > 0 for cell in cells):
        fix = "start the file with the number of words and of dimensions, such as '400000 300' (GloVe has no such line)"
        raise EvaluationError("no header of word2vec text", fix=fix, place=Place(str(path), 1))
    return int(cells[0]), int(cells[1])


def _read_pickle(path: Path) -> Any:
    models = require("gensim.models")
    try:
        keyed = models.KeyedVectors.load(str(path), mmap="r")
    except PICKLE_DAMAGE as error:
        what = f"not a gensim KeyedVectors file ({error})"
        raise EvaluationError(what, fix="save it again with KeyedVectors.save", place=Place(str(path))) from None
    if not isinstance(keyed, models.KeyedVectors):
        fix = "save its word vectors: model.wv.save(path)"
        raise EvaluationError(f"it holds a {type(keyed).__name__}, not KeyedVectors", fix=fix, place=Place(str(path)))
    return keyed
