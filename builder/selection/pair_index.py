"""Pairs found by frequency without looking at all of them: a tree over both components, and a sorted list of means.

Every search is complete: it returns all pairs that cost at most a radius. Its caller widens the
radius until five are found, so that the five are the best of the pool and not of a sample of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from ncimp.builder.selection.matches import PoolPair, PoolWord, Target

SLACK = 2e-6
"""Added to every radius, so that no rounding (to six decimals) leaves a pair out; what is beyond it goes later."""

Numbers = np.ndarray[Any, np.dtype[np.float64]]


class PairIndex:
    """A list of pairs, searched by both components or by the mean."""

    def __init__(self, pairs: Sequence[PoolPair]) -> None:
        self._pairs = pairs
        self._zipfs = np.array([(pair.modifier.zipf, pair.head.zipf) for pair in pairs], float).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self._pairs)

    def by_components(self, target: Target, radius: float) -> list[PoolPair]:
        """Return every pair whose worse component's distance plus the mean's is at most *radius*."""
        point = np.array((target.modifier, target.head))
        box = np.array(self._tree.query_ball_point(point, radius + SLACK, p=np.inf), int)
        near = self._zipfs[box]
        means = np.log10(_per_billion(near) / _per_billion(point[None])[0])
        costs = np.abs(near - point).max(axis=1, initial=0.0) + np.abs(means)
        return [self._pairs[row] for row in box[costs <= radius + SLACK]]

    def by_mean(self, target: Target, radius: float) -> list[PoolPair]:
        """Return every pair whose mean frequency is at most *radius* from that of *target*, in log10 units.

        The compounds' own frequencies count in both means, when that of *target* is known.
        """
        order, sums = self._sums if target.own is None else self._whole_sums
        wanted = np.log10(10**target.modifier + 10**target.head + (target.own or 0.0))
        start, end = np.searchsorted(sums, (wanted - radius - SLACK, wanted + radius + SLACK))
        return [self._pairs[row] for row in order[start:end]]

    @cached_property
    def _tree(self) -> Any:
        return cKDTree(self._zipfs)

    @cached_property
    def _sums(self) -> tuple[Any, Numbers]:
        return _sorted(_per_billion(self._zipfs))

    @cached_property
    def _whole_sums(self) -> tuple[Any, Numbers]:
        own = np.array([pair.own or 0.0 for pair in self._pairs])
        return _sorted(_per_billion(self._zipfs) + own)


def _per_billion(zipfs: Numbers) -> Numbers:
    """Return the sum of both words' frequencies per billion words, for each row of Zipf values."""
    sums: Numbers = (10.0**zipfs).sum(axis=1)
    return sums


def _sorted(sums: Numbers) -> tuple[Any, Numbers]:
    order = np.argsort(sums, kind="stable")
    return order, np.log10(sums[order])


def composed_by_mean(
    modifiers: Sequence[PoolWord], heads: Sequence[PoolWord], target: Target, radius: float
) -> Iterator[PoolPair]:
    """Yield every pair of *modifiers* and *heads* (sorted by Zipf value) whose mean is at most *radius* from *target*.

    For each modifier the heads that fit are one slice of the sorted list: no pair outside it is looked at.
    """
    sums = 10.0 ** np.array([word.zipf for word in heads])
    wanted = 10**target.modifier + 10**target.head
    own = 10.0 ** np.array([word.zipf for word in modifiers])
    reach = radius + SLACK
    starts = np.searchsorted(sums, wanted * 10**-reach - own)
    ends = np.searchsorted(sums, wanted * 10**reach - own)
    for row in np.flatnonzero(ends > starts).tolist():
        for head in heads[starts[row] : ends[row]]:
            yield PoolPair(modifiers[row], head)
