"""Sub-tokens of a passage, and which of them belong to its sentence and to its spans.

A sub-token belongs to a span when its characters overlap the span's. The tokeniser says which characters of the
text as it was given a sub-token came from, whatever it did to them: lower case, stripped accents, a leading space
that byte-level BPE and sentencepiece count in or leave out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.models.options import Pooling
from ncimp.evaluator.models.passages import Passage, Span
from ncimp.schemas.errors import EvaluationError

ENDLESS = 1_000_000
"""A tokeniser that knows no limit gives a number beyond this one."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a model is given of a passage, and the masks (1 + spans, tokens) of the sub-tokens behind each vector.

    A mask without a sub-token is a vector that is missing.
    """

    ids: list[int]
    types: list[int]
    masks: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Masking:
    """Which sub-tokens make a sentence vector."""

    pooling: Pooling
    special_tokens: bool

    def sentence(self, special: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the mask of the sentence, where *special* says which sub-tokens were added to it."""
        mask = np.ones(len(special), dtype=bool) if self.special_tokens else ~special
        if self.pooling in ("cls", "last"):
            chosen = np.flatnonzero(mask)[:1] if self.pooling == "cls" else np.flatnonzero(mask)[-1:]
            mask = np.isin(np.arange(len(special)), chosen)
        return mask


class Tokeniser:
    """A tokeniser with offsets, and the length at which it cuts."""

    def __init__(self, tokenizer: Any, max_tokens: int, masking: Masking) -> None:
        """Take a tokeniser of `transformers`, or raise `EvaluationError` when it does not know offsets."""
        if not tokenizer.is_fast:
            what = f"its tokeniser {type(tokenizer).__name__} does not know where its tokens are in the text"
            raise EvaluationError(what, fix="save the model with its fast tokeniser (tokenizer.json)")
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._masking = masking
        self.pad = 0 if tokenizer.pad_token_id is None else int(tokenizer.pad_token_id)
        self.has_types = "token_type_ids" in tokenizer.model_input_names

    def __call__(self, passages: list[Passage]) -> list[Tokens]:
        """Return the sub-tokens of each of *passages*."""
        sentences = [passage.sentence for passage in passages]
        encodings = self._tokenizer(sentences, truncation=True, max_length=self._max_tokens).encodings
        return [self._tokens(passage, encoding) for passage, encoding in zip(passages, encodings, strict=True)]

    def _tokens(self, passage: Passage, encoding: Any) -> Tokens:
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        offsets = np.array(encoding.offsets, dtype=np.intp).reshape(-1, 2)
        lost = [np.array(part.offsets, dtype=np.intp).reshape(-1, 2) for part in encoding.overflowing]
        masks = [self._masking.sentence(special)]
        for span in passage.spans:
            whole = not any(overlap(part, span).any() for part in lost)
            masks.append(overlap(offsets, span) & ~special & whole)
        return Tokens(encoding.ids, encoding.type_ids, np.array(masks))


def overlap(offsets: NDArray[np.intp], span: Span) -> NDArray[np.bool_]:
    """Return which sub-tokens, given as [start, end) of characters, share a character with *span*.

    >>> overlap(np.array([[0, 3], [3, 7], [7, 7], [7, 9]]), (4, 7)).tolist()
    [False, True, False, False]
    """
    start, end = offsets[:, 0], offsets[:, 1]
    return np.asarray((start < span[1]) & (end > span[0]) & (end > start))


def token_limit(tokenizer: Any, config: Any, wanted: int | None) -> int:
    """Return how many sub-tokens the model takes: the least of what it, its tokeniser and the user say."""
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or ENDLESS
    if config.model_type in COUNTED_FROM_PADDING:
        positions -= (config.pad_token_id or 0) + 1
    return int(min(positions, tokenizer.model_max_length, wanted or ENDLESS))


COUNTED_FROM_PADDING = {
    *("camembert", "data2vec-text", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm"),
    *("xlm-roberta", "xlm-roberta-xl", "xmod"),
}
"""Architectures whose positions begin after the id of the padding token."""
