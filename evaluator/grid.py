"""From items and vectors to cosines, arranged by compound, context and variant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def level_vectors(source: VectorSource, items: Sequence[Item]) -> dict[LevelName, NDArray[Any]]:
    """Return the vectors of sentences and, where the source has spans, those of NCs, one row an item."""
    found: dict[LevelName, NDArray[Any]] = {"sentence": source.sentence(items)}
    span = source.span(items)
    return found if span is None else found | {"nc": span}


def item_grid(items: Sequence[Item], compounds: Sequence[Compound]) -> NDArray[np.intp]:
    """Return where in *items* each cell of (N, 5, 14) is, -1 where the release lacks it."""
    order = {compound.id: place for place, compound in enumerate(compounds)}
    grid = np.full((len(compounds), len(CONTEXTS), len(VARIANTS)), -1, dtype=np.intp)
    for place, item in enumerate(items):
        grid[order[item.compound_id], CONTEXTS.index(item.context), VARIANTS.index(item.variant)] = place
    return grid


def level_of(
    name: LevelName,
    vectors: NDArray[Any],
    grid: NDArray[np.intp],
    change: Callable[[NDArray[Any]], NDArray[Any]] = lambda rows: rows,
) -> Level:
    """Return the cosines of *vectors*, one row an item, with the original of their context; *grid* is that of items.

    *change* is applied to some of the rows at a time, before their cosines are taken.
    """
    directed = ~np.isnan(vectors).any(axis=1) & (vectors != 0).any(axis=1)
    similarity = np.full(grid.shape, np.nan)
    for context in range(grid.shape[1]):
        originals = change(cells_of(vectors, grid[:, context, 0]))
        for variant in range(grid.shape[2]):
            others = change(cells_of(vectors, grid[:, context, variant]))
            similarity[:, context, variant] = cosine(originals, others)
    return Level(name, similarity, (grid >= 0) & directed[grid])


def cells_of(vectors: NDArray[Any], places: NDArray[np.intp]) -> NDArray[Any]:
    """Return the rows of *vectors* at *places*, NaN where a place is -1."""
    return np.where((places >= 0)[:, None], vectors[places], np.nan)
