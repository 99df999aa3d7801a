"""Batches of passages of like length, as tensors, and what comes out of them put back in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ncimp.evaluator.models.passages import Encoded, Passage
from ncimp.evaluator.models.tokens import Tokeniser, Tokens

Tensor = Any
"""A tensor of torch, whose types are not checked here."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Sub-tokens of some passages: ids and what goes with them (B, T), and masks of the vectors (B, 1 + spans, T)."""

    inputs: dict[str, Tensor]
    masks: Tensor


@dataclass(frozen=True, slots=True)
class Pooled:
    """Vectors of a batch: (B, d) of the sentences and, where the back end knows spans, (B, spans, d) of the spans."""

    sentence: Tensor
    span: Tensor


def encode_in_batches(
    passages: list[Passage], tokeniser: Tokeniser, budget: int, device: Any, run: Callable[[Batch], Pooled]
) -> Encoded:
    """Return the vectors of *passages* that *run* gives for batches of at most *budget* sub-tokens, longest first."""
    tokens = tokeniser(passages)
    rows = np.cumsum([0, *(len(passage.spans) for passage in passages)])
    sentence = span = None
    with torch.inference_mode():
        for places in batches([len(one.ids) for one in tokens], budget):
            pooled = run(_batch([tokens[place] for place in places], tokeniser, device))
            if sentence is None or span is None:
                sentence = np.empty((rows[-1], pooled.sentence.shape[-1]), dtype=np.float32)
                span = np.empty((rows[-1], pooled.span.shape[-1]), dtype=np.float32)
            for place, one, spans in zip(places, _array(pooled.sentence), _array(pooled.span), strict=True):
                sentence[rows[place] : rows[place + 1]] = one
                span[rows[place] : rows[place + 1]] = spans[: rows[place + 1] - rows[place]]
    assert sentence is not None  # noqa: S101 - a window holds a passage
    present = np.concatenate([one.masks[0].any() & one.masks[1:].any(axis=1) for one in tokens])
    return Encoded(sentence, span, present)


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Yield places in *lengths*, the longest first, so many together that none has more than *budget* with its padding.

    >>> list(batches([3, 9, 2, 4], 9))
    [[1], [3, 0], [2]]
    """
    batch: list[int] = []
    longest = 0
    for place in sorted(range(len(lengths)), key=lambda place: (-lengths[place], place)):
        if batch and (len(batch) + 1) * longest > budget:
            yield batch
            batch = []
        if not batch:
            longest = lengths[place]
        batch.append(place)
    if batch:
        yield batch


def _batch(tokens: list[Tokens], tokeniser: Tokeniser, device: Any) -> Batch:
    # a model needs one token at least, also of a text that its tokeniser leaves nothing of
    shape = (len(tokens), max(1, *(len(one.ids) for one in tokens)))
    ids = np.full(shape, tokeniser.pad, dtype=np.int64)
    types, attention = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    masks = np.zeros((shape[0], max(len(one.masks) for one in tokens), shape[1]), dtype=np.float32)
    for row, one in enumerate(tokens):
        length = len(one.ids)
        ids[row, :length], types[row, :length] = one.ids, one.types
        attention[row, : max(1, length)] = 1
        masks[row, : len(one.masks), :length] = one.masks
    inputs = {"input_ids": ids, "attention_mask": attention}
    if tokeniser.has_types:
        inputs["token_type_ids"] = types
    tensors = {name: torch.from_numpy(part).to(device) for name, part in inputs.items()}
    return Batch(tensors, torch.from_numpy(masks).to(device))


def _array(tensor: Tensor) -> Any:
    return tensor.float().cpu().numpy()


def mean_vectors(summed: Tensor, masks: Tensor) -> Pooled:
    """Return the means over the sub-tokens of *masks*, (B, 1 + spans, T), from their sums (B, 1 + spans, d)."""
    means = summed / masks.sum(dim=-1, keepdim=True)
    return Pooled(means[:, 0], means[:, 1:])
