"""Vectors that a function makes: the Python way to evaluate a model of one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError

Encode = Callable[[list[str], list[tuple[int, int]]], Any]
"""From sentences and the characters [start, end) of the NC in each to vectors: an array of shape (n, d), or a pair of
them, of the sentences and of the spans."""

BATCH = 1024
"""Sentences given to the function at a time."""

Key = tuple[str, tuple[int, int]]
"""A sentence and its span."""


class EncodedVectors:
    """What an `Encode` function returns; every distinct sentence with its span is given to it once, in order."""

    def __init__(self, encode: Encode, *, batch: int = BATCH) -> None:
        self._encode = encode
        self._batch = batch
        self._places: dict[Key, int] = {}
        self._sentences: list[NDArray[Any]] = []
        self._spans: list[NDArray[Any]] = []

    def sentence(self, items: Sequence[Item]) -> NDArray[Any]:
        """Return the sentence vectors, of shape (len(items), d)."""
        return self._chosen(items)[0]

    def span(self, items: Sequence[Item]) -> NDArray[Any] | None:
        """Return the span vectors, of shape (len(items), d), or None when the function gives none."""
        return self._chosen(items)[1]

    def _chosen(self, items: Sequence[Item]) -> tuple[NDArray[Any], NDArray[Any] | None]:
        keys = [(item.sentence, item.span) for item in items]
        new = [key for key in dict.fromkeys(keys) if key not in self._places]
        for start in range(0, len(new), self._batch):
            self._add(new[start : start + self._batch])
        places = np.array([self._places[key] for key in keys], dtype=np.intp)
        spans = np.concatenate(self._spans)[places] if self._spans else None
        return np.concatenate(self._sentences)[places], spans

    def _add(self, keys: list[Key]) -> None:
        found = self._encode([sentence for sentence, _ in keys], [span for _, span in keys])
        sentences, spans = found if isinstance(found, tuple) else (found, None)
        if self._places and (spans is None) == bool(self._spans):
            raise EvaluationError("encode returned spans for some sentences only", fix="return them always or never")
        self._sentences.append(self._fitting(sentences, len(keys), self._sentences))
        if spans is not None:
            self._spans.append(self._fitting(spans, len(keys), self._spans))
        self._places |= {key: len(self._places) + place for place, key in enumerate(keys)}

    @staticmethod
    def _fitting(vectors: Any, rows: int, earlier: list[NDArray[Any]]) -> NDArray[Any]:
        """Return *vectors* as an array of *rows* rows, as wide as the *earlier* ones."""
        array = np.asarray(vectors)
        if array.ndim != 2 or len(array) != rows:
            what = f"encode returned an array of shape {array.shape} for {rows} sentences"
            raise EvaluationError(what, fix="return one row a sentence")
        if earlier and array.shape[1] != earlier[0].shape[1]:
            what = f"encode returned vectors of width {array.shape[1]} after some of width {earlier[0].shape[1]}"
            raise EvaluationError(what, fix="return vectors of one width")
        return array
