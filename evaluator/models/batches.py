"""Cut passages into sub-tokens and batches, and put the vectors of the batches back in order.

A sub-token belongs to a span when its characters overlap those of the span. The tokeniser reports which characters of
the original text a sub-token came from, whatever it did to them: lower case, stripped accents, a leading space that
byte-level BPE and sentencepiece include or leave out.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ncimp.evaluator.models import Pooling
from ncimp.evaluator.models.store import Encoded, EncodedPassage, Span
from ncimp.schemas.errors import EvaluationError

ENDLESS = 1_000_000  # a tokeniser without a limit reports a number beyond this one


@dataclass(frozen=True, slots=True)
class Tokens:
    """The sub-tokens of a passage, and the masks (1 + spans, tokens) of the sub-tokens behind each vector.

    A mask without a sub-token is a vector that is missing.
    """

    ids: list[int]
    types: list[int]
    masks: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Masking:
    """The rule for the sub-tokens of a sentence vector."""

    pooling: Pooling
    special_tokens: bool

    def sentence(self, special: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the mask of the sentence, where *special* says which sub-tokens were added to it."""
        mask = np.ones(len(special), dtype=bool) if self.special_tokens else ~special
        if self.pooling in ("cls", "last"):
            single = np.flatnonzero(mask)[:1] if self.pooling == "cls" else np.flatnonzero(mask)[-1:]
            mask = np.isin(np.arange(len(special)), single)
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

    def __call__(self, passages: list[EncodedPassage]) -> list[Tokens]:
        """Return the sub-tokens of each of *passages*."""
        sentences = [passage.sentence for passage in passages]
        encodings = self._tokenizer(sentences, truncation=True, max_length=self._max_tokens).encodings
        return [self._tokens(passage, encoding) for passage, encoding in zip(passages, encodings, strict=True)]

    def _tokens(self, passage: EncodedPassage, encoding: Any) -> Tokens:
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        offsets = np.array(encoding.offsets, dtype=np.intp).reshape(-1, 2)
        cut_off = [np.array(part.offsets, dtype=np.intp).reshape(-1, 2) for part in encoding.overflowing]
        masks = [self._masking.sentence(special)]
        for span in passage.spans:
            whole = not any(overlap(part, span).any() for part in cut_off)
            masks.append(overlap(offsets, span) & ~special & whole)
        return Tokens(encoding.ids, encoding.type_ids, np.array(masks))


def overlap(offsets: NDArray[np.intp], span: Span) -> NDArray[np.bool_]:
    """Return a mask of the sub-tokens, as [start, end) of characters, that share a character with *span*.

    >>> overlap(np.array([[0, 3], [3, 7], [7, 7], [7, 9]]), (4, 7)).tolist()
    [False, True, False, False]
    """
    start, end = offsets[:, 0], offsets[:, 1]
    return np.asarray((start < span[1]) & (end > span[0]) & (end > start))


def token_limit(tokenizer: Any, config: Any, most: int | None) -> int:
    """Return the limit of sub-tokens: the least of those of the model, its tokeniser and the user (*most*)."""
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or ENDLESS
    if config.model_type in COUNTED_FROM_PADDING:
        positions -= (config.pad_token_id or 0) + 1
    return int(min(positions, tokenizer.model_max_length, most or ENDLESS))


COUNTED_FROM_PADDING = {
    *("camembert", "data2vec-text", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm"),
    *("xlm-roberta", "xlm-roberta-xl", "xmod"),
}
"""Architectures whose positions begin after the id of the padding token."""


MOST_WORKERS = 8  # most batches at the same time: the Python code between two products runs in one thread at a time
Tensor = Any  # a tensor of torch (not typed)


@dataclass(frozen=True, slots=True)
class EncoderBatch:
    """Sub-tokens of some passages: ids and what goes with them (B, T), and masks of the vectors (B, 1 + spans, T)."""

    inputs: dict[str, Tensor]
    masks: Tensor


@dataclass(frozen=True, slots=True)
class Pooled:
    """Vectors of a batch: (B, d) of the sentences and, where the back end knows spans, (B, spans, d) of the spans."""

    sentence: Tensor
    span: Tensor


def encode_in_batches(
    passages: list[EncodedPassage],
    tokeniser: Tokeniser,
    budget: int,
    device: Any,
    run: Callable[[EncoderBatch], Pooled],
) -> Encoded:
    """Return the vectors of *passages* that *run* gives for batches of at most *budget* sub-tokens, longest first."""
    tokens = tokeniser(passages)
    rows = np.cumsum([0, *(len(passage.spans) for passage in passages)])
    sentence = span = None

    def encoded(places: list[int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with torch.inference_mode():
            pooled = run(_batch([tokens[place] for place in places], tokeniser, device))
            return _array(pooled.sentence), _array(pooled.span)

    plan = list(batches([len(one.ids) for one in tokens], budget))
    with _side_by_side(len(plan), device) as mapped:
        for places, (ones, others) in zip(plan, mapped(encoded, plan), strict=True):
            if sentence is None or span is None:
                sentence = np.empty((rows[-1], ones.shape[-1]), dtype=np.float32)
                span = np.empty((rows[-1], others.shape[-1]), dtype=np.float32)
            for place, one, spans in zip(places, ones, others, strict=True):
                sentence[rows[place] : rows[place + 1]] = one
                span[rows[place] : rows[place + 1]] = spans[: rows[place + 1] - rows[place]]
    assert sentence is not None  # noqa: S101 - a window holds a passage
    present = np.concatenate([one.masks[0].any() & one.masks[1:].any(axis=1) for one in tokens])
    return Encoded(sentence, span, present)


@contextlib.contextmanager
def _side_by_side(jobs: int, device: Any) -> Iterator[Callable[..., Any]]:
    """Give a `map` that works on several batches at a time on a CPU, sharing out the threads that torch has.

    Threads that share one product wait for each other at its end: as soon as anything else runs on the machine, most
    of their time. Batches of their own need no waiting, and are rounded alike on any number of cores up to
    `MOST_WORKERS`.
    """
    threads = torch.get_num_threads()
    workers = min(threads, MOST_WORKERS, jobs) if device.type == "cpu" else 1
    if workers <= 1:
        yield map
        return
    try:
        # the number is each thread's own for some libraries below torch, and the process's for others
        with ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(threads // workers,)) as pool:
            yield pool.map
    finally:
        torch.set_num_threads(threads)


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


def _batch(tokens: list[Tokens], tokeniser: Tokeniser, device: Any) -> EncoderBatch:
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
    return EncoderBatch(tensors, torch.from_numpy(masks).to(device))


def _array(tensor: Tensor) -> Any:
    return tensor.float().cpu().numpy()


def mean_vectors(summed: Tensor, masks: Tensor) -> Pooled:
    """Return the means over the sub-tokens of *masks*, (B, 1 + spans, T), from their sums (B, 1 + spans, d)."""
    means = summed / masks.sum(dim=-1, keepdim=True)
    return Pooled(means[:, 0], means[:, 1:])
