"""What an encoder is given and what it gives back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.release import Item

Vectors = NDArray[np.float32]
"""One vector a row."""

Span = tuple[int, int]
"""Characters [start, end) of the NC or its replacement."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, and every span in it that is asked for: several items may share a sentence."""

    sentence: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Encoded:
    """The vectors of some passages, a row for each span: of its sentence, and of itself where the back end knows spans.

    *present* is false where a span was cut off: its vectors mean nothing, and neither does its sentence's,
    because originals and variants that lose the place where they differ are all alike.
    """

    sentence: Vectors
    span: Vectors | None
    present: NDArray[np.bool_]


class Encoder(Protocol):
    """A model that is loaded and ready."""

    def encode(self, passages: list[Passage]) -> Encoded:
        """Return the vectors of *passages*, in their order; what they are may not depend on which stand together."""
        ...


def passages_of(items: Iterable[Item]) -> list[Passage]:
    """Return the distinct sentences of *items* with their distinct spans, the longest first.

    Sentences of one length stand together, so that a batch has little padding, and the batch that needs most
    memory comes first.
    """
    spans: dict[str, set[Span]] = {}
    for item in items:
        spans.setdefault(item.sentence, set()).add(item.span)
    order = sorted(spans, key=lambda sentence: (-len(sentence), sentence))
    return [Passage(sentence, tuple(sorted(spans[sentence]))) for sentence in order]
