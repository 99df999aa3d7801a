"""Static word vectors: the mean of the vectors of an item's tokens.

Word2vec text has a header with the number of words and of dimensions, then a word a line:

    2 3
    beaver 0.1 0.2 -0.4
    eager 0.3 0.1 0.0

A `.kv` is what gensim's `KeyedVectors.save` writes; it is a pickle, so open only one you trust.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.extras import require
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError, Place

DAMAGE = (ValueError, EOFError, OSError, MemoryError)
"""What gensim raises on text with the right shape that holds no numbers, no UTF-8, or too much for the memory."""

PICKLE_DAMAGE = (*DAMAGE, pickle.UnpicklingError, AttributeError, ImportError, IndexError, KeyError, TypeError)
"""What unpickling a damaged or foreign file raises."""


class StaticVectors:
    """Word vectors by word. Words are looked up as written, then lower-cased, then in the parts of a hyphenation."""

    def __init__(self, words: dict[str, int], vectors: NDArray[Any]) -> None:
        self._rows = words
        self._vectors = vectors
        self._found: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> StaticVectors:
        """Return the word vectors in *path*, or raise `EvaluationError` when it is damaged."""
        keyed = _read_pickle(path) if path.suffix == ".kv" else _read_text(path)
        if not np.isfinite(keyed.vectors).all():
            raise EvaluationError("a component is not a finite number", fix="mend the file", place=Place(str(path)))
        return cls(keyed.key_to_index, keyed.vectors)

    def sentence(self, items: Sequence[Item]) -> FloatArray:
        """Return the mean over all tokens that are known, of shape (len(items), d); NaN where none is."""
        return self._means([item.tokens for item in items])

    def span(self, items: Sequence[Item]) -> FloatArray:
        """Return the mean over the tokens of the span that are known; NaN where none is."""
        return self._means([item.tokens[slice(*item.token_span)] for item in items])

    def rows(self, token: str) -> tuple[int, ...]:
        """Return the rows of *token*: one when it is known, those of its known parts when only they are, or none."""
        if token not in self._found:
            whole = self._row(token)
            parts = [whole] if whole is not None else [self._row(part) for part in token.split("-") if "-" in token]
            self._found[token] = tuple(part for part in parts if part is not None)
        return self._found[token]

    def _row(self, word: str) -> int | None:
        row = self._rows.get(word)
        return row if row is not None else self._rows.get(word.lower())

    def _means(self, sequences: list[tuple[str, ...]]) -> FloatArray:
        means = np.full((len(sequences), self._vectors.shape[1]), np.nan)
        for place, tokens in enumerate(sequences):
            known = [row for token in tokens for row in self.rows(token)]
            if known:
                means[place] = self._vectors[known].astype(np.float64).mean(axis=0)
        return means


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
        found = 0
        for found, line in enumerate(stream, start=1):
            cells = line.rstrip().count(b" ")
            if cells != size:
                what = f"{cells} components where the header has {size}"
                raise EvaluationError(what, fix="mend the line or the header", place=Place(str(path), found + 1))
    if found != words:
        what = f"the header has {words} words, the file {found}"
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
