"""A model as a source of vectors: what is not in the store is encoded, in windows that are kept as they are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.memory import hand_back
from ncimp.evaluator.models.passages import Encoder, Passage, Vectors, passages_of
from ncimp.evaluator.models.store import VectorStore, key_of
from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError

WINDOW = 512
"""Sentences that are encoded, checked and kept together: what an interruption loses at most."""


class ModelVectors:
    """Vectors that a model makes when they are first asked for.

    The model is loaded when something has to be encoded, so a second run over a full cache needs no model.
    """

    def __init__(
        self, load: Callable[[], Encoder], store: VectorStore, progress: Callable[[int, int], None] | None = None
    ) -> None:
        """Take vectors from *store*, and what it lacks from what *load* returns; *progress* hears of sentences done."""
        self._load = load
        self._store = store
        self._progress = progress or (lambda _done, _total: None)

    def sentence(self, items: Sequence[Item]) -> Vectors:
        """Return the sentence vectors, of shape (len(items), d); NaN where an item's span was cut off."""
        return self._rows(items, spans=False)

    def span(self, items: Sequence[Item]) -> Vectors | None:
        """Return the span vectors, of shape (len(items), d), or None when the model has none."""
        found = self._rows(items, spans=True)
        return found if found.shape[1] else None

    def _rows(self, items: Sequence[Item], *, spans: bool) -> Vectors:
        self._encode_missing(items)
        return self._store.rows([key_of(item.sentence, item.span) for item in items], spans=spans)

    def _encode_missing(self, items: Sequence[Item]) -> None:
        passages = passages_of(items)
        # windows are cut before looking at the store: a run that goes on makes the batches it would have made
        for first in range(0, len(passages), WINDOW):
            missing = [one for one in map(self._missing, passages[first : first + WINDOW]) if one.spans]
            if missing:
                self._encode(missing)
                hand_back()
                self._progress(min(first + WINDOW, len(passages)), len(passages))

    def _missing(self, passage: Passage) -> Passage:
        lacking = tuple(span for span in passage.spans if key_of(passage.sentence, span) not in self._store)
        return Passage(passage.sentence, lacking)

    def _encode(self, passages: list[Passage]) -> None:
        keys = [key_of(passage.sentence, span) for passage in passages for span in passage.spans]
        encoded = self._encoder.encode(passages)
        sentences = [passage.sentence for passage in passages for _ in passage.spans]
        span = None if encoded.span is None else _checked(encoded.span, encoded.present, sentences)
        self._store.add(keys, _checked(encoded.sentence, encoded.present, sentences), span)

    def let_go(self) -> None:
        """Let the model go, not its vectors; should something else have to be encoded, it is loaded again."""
        self.__dict__.pop("_encoder", None)

    @cached_property
    def _encoder(self) -> Encoder:
        return self._load()


def _checked(vectors: Vectors, present: NDArray[np.bool_], sentences: Sequence[str]) -> Vectors:
    """Return *vectors* with NaN where none is present, or raise `EvaluationError` for one that is not finite."""
    broken = ~np.isfinite(vectors).all(axis=1) & present
    if broken.any():
        what = f"the model gave a vector that is not finite for {sentences[int(broken.argmax())]!r}"
        raise EvaluationError(what, fix="try --dtype fp32; otherwise the model is damaged")
    return np.where(present[:, None], vectors, np.float32(np.nan))
