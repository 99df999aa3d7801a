"""From items and vectors to cosines, arranged by compound, context and variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.measures import CONTEXTS, VARIANTS, FloatArray, cosine
from ncimp.evaluator.release import Compound, Item
from ncimp.evaluator.vectors import VectorSource

LevelName = Literal["sentence", "nc"]
"""Whole sentences, or the spans of the NC and its replacements."""


@dataclass(frozen=True, slots=True)
class Level:
    """The cosines of one level, shape (N, 5, 14), and which items have a vector with a direction, same shape."""

    name: LevelName
    similarity: FloatArray
    present: NDArray[np.bool_]


def levels(source: VectorSource, items: Sequence[Item], grid: NDArray[np.intp]) -> list[Level]:
    """Return the level of sentences and, where the source has spans, that of NCs; *grid* is that of *items*."""
    found = [level_of("sentence", source.sentence(items), grid)]
    span = source.span(items)
    return found if span is None else [*found, level_of("nc", span, grid)]


def item_grid(items: Sequence[Item], compounds: Sequence[Compound]) -> NDArray[np.intp]:
    """Return where in *items* each cell of (N, 5, 14) is, -1 where the release lacks it."""
    order = {compound.id: place for place, compound in enumerate(compounds)}
    grid = np.full((len(compounds), len(CONTEXTS), len(VARIANTS)), -1, dtype=np.intp)
    for place, item in enumerate(items):
        grid[order[item.compound_id], CONTEXTS.index(item.context), VARIANTS.index(item.variant)] = place
    return grid


def level_of(name: LevelName, vectors: NDArray[Any], grid: NDArray[np.intp]) -> Level:
    """Return the cosines of *vectors*, one row an item, with the original of their context; *grid* is that of items."""
    directed = ~np.isnan(vectors).any(axis=1) & (vectors != 0).any(axis=1)
    similarity = np.full(grid.shape, np.nan)
    for context in range(grid.shape[1]):
        originals = _vectors(vectors, grid[:, context, 0])
        for variant in range(grid.shape[2]):
            similarity[:, context, variant] = cosine(originals, _vectors(vectors, grid[:, context, variant]))
    return Level(name, similarity, (grid >= 0) & directed[grid])


def _vectors(vectors: NDArray[Any], places: NDArray[np.intp]) -> NDArray[Any]:
    return np.where((places >= 0)[:, None], vectors[places], np.nan)
