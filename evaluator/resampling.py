"""The bootstrap over compounds: Spearman's rho and means in thousands of resamples, and the BCa interval.

A resample is a vector of weights that says how often each compound is resampled. Re-ranking it, ties
included, is then a cumulative sum over the sorted values, which is what makes 10,000 resamples of every
measure affordable; `scipy.stats.bootstrap` would sort every resample of every measure anew, and the tests
hold this module against it. Deviations of ranks are multiples of one half, so their sums of products are exact
and the same on every machine, in whatever order they are added.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.runtime import require

SEED = 20250301  # seed of the resamples and permutations; a constant, so that the same inputs give the same figures
RESAMPLES = 10_000  # bootstrap resamples
CONFIDENCE = 0.95  # coverage of the interval

EXACT_IN_SINGLE = 368
"""Up to so many compounds, n³/12 quarters fit the 24 bits of single precision, which is twice as fast."""

COLUMNS = 256  # resamples ranked at a time: what fits a core's cache
Interval = tuple[float | None, float | None]  # lower and upper bound, or None twice where there is none


@lru_cache(maxsize=2)
def resample_weights(n: int, resamples: int) -> FloatArray:
    """Return the count of each of *n* compounds in each resample, drawn with replacement: shape (n, resamples)."""
    resampled = np.random.default_rng(SEED).integers(0, n, (resamples, n))
    cells = resampled + n * np.arange(resamples)[:, None]
    return np.bincount(cells.ravel(), minlength=n * resamples).reshape(resamples, n).T.astype(np.float64)


def left_out_weights(n: int) -> FloatArray:
    """Return the weights that leave out each of *n* compounds in turn: shape (n, n)."""
    return np.asarray(np.ones((n, n)) - np.eye(n))


def rows_by_gaps(valid: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.intp]]]:
    """Yield each distinct row of *valid*, of shape (rows, n), with the places of the rows that are like it."""
    masks, group = np.unique(valid, axis=0, return_inverse=True)
    for number, mask in enumerate(masks):
        yield mask, np.flatnonzero(group.ravel() == number)


def weighted_ranks(values: FloatArray, weights: NDArray[Any]) -> NDArray[Any]:
    """Return the rank of each value in each column of *weights*, which says how often the value is there.

    >>> weighted_ranks(np.array([0.2, 0.9, 0.5]), np.array([[2.0], [1.0], [1.0]])).ravel().tolist()
    [1.5, 4.0, 3.0]
    """
    order, group = _sorted(values)
    ranks = np.empty_like(weights)
    ranks[order] = _middles(weights[order], group)
    return ranks


def _sorted(values: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp] | None]:
    """Return the order of *values*, and in that order the number of each group of ties, or None without ties."""
    order = np.argsort(values, kind="stable")
    group = np.cumsum(np.diff(values[order], prepend=values[order[:1]]) != 0)
    return order, (None if len(group) and group[-1] == len(values) - 1 else group)


def _middles(weights: NDArray[Any], group: NDArray[np.intp] | None) -> NDArray[Any]:
    """Return the middle rank of each group of ties, for *weights* in the order of the values."""
    if group is not None:
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        return np.asarray(_middles(np.add.reduceat(weights, starts, axis=0), None)[group])
    middles: NDArray[Any] = np.cumsum(weights, axis=0)
    middles -= (weights - 1) / 2
    return middles


@dataclass(frozen=True, slots=True)
class _Block:
    """The score in some of the resamples: weights, weighted deviations of its ranks, and the sum of their squares."""

    weights: NDArray[Any]
    deviations: NDArray[Any]
    squares: FloatArray
    mean_rank: NDArray[Any]

    @classmethod
    def of(cls, score: FloatArray, weights: FloatArray) -> "_Block":
        kind = np.float32 if len(score) <= EXACT_IN_SINGLE else np.float64
        narrow = np.ascontiguousarray(weights, dtype=kind)
        mean_rank = (narrow.sum(axis=0) + 1) / 2
        deviations = weighted_ranks(score, narrow) - mean_rank
        weighted = narrow * deviations
        squares = np.einsum("nb,nb->b", weighted, deviations).astype(np.float64)
        return cls(narrow, weighted, squares, mean_rank.astype(kind))

    def rho(self, order: NDArray[np.intp], group: NDArray[np.intp] | None) -> FloatArray:
        weights = self.weights[order]
        ranks = _middles(weights, group)
        ranks -= self.mean_rank
        shared = np.einsum("nb,nb->b", ranks, self.deviations[order])
        ranks *= ranks
        square = np.einsum("nb,nb->b", ranks, weights) * self.squares
        return np.asarray(shared / np.sqrt(np.where(square > 0, square, np.nan)))


@dataclass(frozen=True, slots=True)
class Reweighted:
    """The score in many resamples of n compounds, ready to be correlated with one measure after the other."""

    blocks: tuple[_Block, ...]

    @classmethod
    def of(cls, score: FloatArray, weights: FloatArray) -> "Reweighted":
        """Return *score*, of shape (n,), in the resamples that the columns of *weights* stand for."""
        starts = range(0, weights.shape[1], COLUMNS)
        return cls(tuple(_Block.of(score, weights[:, start : start + COLUMNS]) for start in starts))

    def rho(self, values: FloatArray) -> FloatArray:
        """Return Spearman's rho of *values* with the score in each resample, NaN where one of them is constant."""
        order, group = _sorted(values)
        return np.concatenate([block.rho(order, group) for block in self.blocks])


@dataclass(frozen=True, slots=True)
class RhoSample:
    """Rho of a measure, in each resample, and with each compound left out in turn."""

    rho: float
    resampled: FloatArray
    left_out: FloatArray


def rho_samples(values: FloatArray, score: FloatArray, resamples: int) -> Iterator[RhoSample]:
    """Yield rho of each row of *values*, of shape (rows, n), with *score*; none of them may hold NaN."""
    n = len(score)
    whole = Reweighted.of(score, np.ones((n, 1)))
    resampled = Reweighted.of(score, resample_weights(n, resamples))
    left_out = Reweighted.of(score, left_out_weights(n))
    for row in values:
        yield RhoSample(float(whole.rho(row)[0]), resampled.rho(row), left_out.rho(row))


@dataclass(frozen=True, slots=True)
class MeanSamples:
    """Means of the rows of an array, in each resample, and with each compound left out in turn; shapes (rows, …)."""

    mean: FloatArray
    resampled: FloatArray
    left_out: FloatArray

    @classmethod
    def of(cls, values: FloatArray, resamples: int) -> "MeanSamples":
        """Return the means of *values*, of shape (rows, n), none of which may be NaN; n is at least 2."""
        n = values.shape[1]
        # not a BLAS product, whose last digits depend on the number of threads
        resampled = np.einsum("rn,nb->rb", values, resample_weights(n, resamples), optimize=False) / n
        return cls(values.mean(axis=1), resampled, (values.sum(axis=1, keepdims=True) - values) / (n - 1))


def mean_intervals(values: FloatArray, *, resamples: int) -> list[Interval]:
    """Return the BCa interval of the mean of each row of *values*, of shape (rows, n), over what is not NaN."""
    intervals: list[Interval] = [(None, None)] * len(values)
    for mask, rows in rows_by_gaps(~np.isnan(values)):
        if mask.sum() < 2:
            continue
        samples = MeanSamples.of(values[rows][:, mask], resamples)
        for place, *sample in zip(rows, samples.mean, samples.resampled, samples.left_out, strict=True):
            intervals[place] = bca_interval(*sample)
    return intervals


def bca_interval(estimate: float, resampled: FloatArray, left_out: FloatArray) -> Interval:
    """Return the bias-corrected and accelerated bootstrap interval (Efron 1987), or (None, None) if degenerate.

    *resampled* holds the statistic in each resample, *left_out* with each observation left out in turn.
    """
    influence = left_out.mean() - left_out
    squares = float((influence**2).sum())
    if np.isnan(resampled).any() or not squares > 0:
        return None, None
    special = require("scipy.special")
    acceleration = float((influence**3).sum()) / (6 * squares**1.5)
    bias = float(special.ndtri(((resampled < estimate).mean() + (resampled <= estimate).mean()) / 2))
    if not math.isfinite(bias):
        return None, None
    normal = bias + special.ndtri(np.array([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]))
    levels = special.ndtr(bias + normal / (1 - acceleration * normal))
    low, high = np.quantile(resampled, levels)
    return float(low), float(high)


def bootstrap_p(resampled: FloatArray) -> float | None:
    """Return twice the smaller share of resamples on one side of zero, or None where a resample is undefined.

    The observed sample counts as one more, so that p is never 0.

    >>> bootstrap_p(np.array([0.1, 0.2, 0.3, -0.1]))
    0.8
    """
    if np.isnan(resampled).any():
        return None
    smaller = min(int((resampled <= 0).sum()), int((resampled >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (len(resampled) + 1))
