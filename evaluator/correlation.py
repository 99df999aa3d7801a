"""Spearman's rho with a permutation p value, a bootstrap interval and Holm's correction.

Ranks are multiples of one half, so their sums of products are exact in double precision: rho and p
of the same values are the same on every machine. Resamples are drawn once per sample size and shared
by all measures, and a resample is a vector of weights: re-ranking it, ties included, is then a
cumulative sum, which is what makes 10,000 resamples of every measure affordable.
`scipy.stats.bootstrap` and `permutation_test` would sort every resample of every measure anew; the
tests hold this module against them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ncimp.evaluator.extras import require
from ncimp.evaluator.measures import FloatArray

SEED = 20250301
"""Seed of the resamples and permutations; a constant, so that the same inputs give the same figures."""

RESAMPLES = 10_000
"""Bootstrap resamples."""

PERMUTATIONS_PER_RESAMPLE = 10
"""Permutations are cheaper than resamples, and Holm multiplies their smallest p by the length of the table."""

ASYMPTOTIC_FROM = 500
"""From this many compounds on, p is from the t distribution instead of permutations."""

CONFIDENCE = 0.95
"""Coverage of the interval."""

MIN_COMPOUNDS = 3
"""With fewer, rho can only be 1 or -1."""

TIE_DECIMALS = 12
"""Values are compared to this many decimals, so that the rounding of a mean cannot break a true tie."""

BLOCK = 5_000
"""Permutations held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Rho of one measure with the score over *n* compounds; None where it is undefined."""

    n: int
    rho: float | None = None
    p: float | None = None
    low: float | None = None
    high: float | None = None


def correlate(values: FloatArray, score: FloatArray, *, resamples: int = RESAMPLES) -> list[Correlation]:
    """Return one correlation per row of *values*, of shape (measures, compounds), with *score*, of shape (compounds,).

    A compound is left out of a row where its value or its score is NaN. Rho is None with fewer than
    `MIN_COMPOUNDS` compounds or when one side is constant; the bounds are None when rho is undefined
    in some resample, as it is for a handful of compounds, or the same in all.
    """
    rounded, score = np.round(values, TIE_DECIMALS), np.round(score, TIE_DECIMALS)
    valid = ~np.isnan(rounded) & ~np.isnan(score)
    found = [Correlation(int(mask.sum())) for mask in valid]
    for mask in np.unique(valid, axis=0):
        rows = np.flatnonzero((valid == mask).all(axis=1))
        rows = np.array([row for row in rows if _varies(rounded[row, mask])], dtype=np.intp)
        if len(rows) and mask.sum() >= MIN_COMPOUNDS and _varies(score[mask]):
            for row, figures in zip(rows, _defined(rounded[rows][:, mask], score[mask], resamples), strict=True):
                found[row] = figures
    return found


def _varies(values: FloatArray) -> bool:
    return len(values) > 0 and bool((values != values[0]).any())


def _defined(values: FloatArray, score: FloatArray, resamples: int) -> Iterator[Correlation]:
    n = len(score)
    ranks, score_ranks = rank(values), rank(score)
    p = p_values(ranks, score_ranks, permutations=resamples * PERMUTATIONS_PER_RESAMPLE)
    drawn = Reweighted.of(score, resample_weights(n, resamples))
    left_out = Reweighted.of(score, np.ones((n, n)) - np.eye(n))
    for row, row_p in zip(values, p, strict=True):
        rho = float(Reweighted.of(score, np.ones((n, 1))).rho(row)[0])
        low, high = bca_interval(rho, drawn.rho(row), left_out.rho(row))
        yield Correlation(n, rho, float(row_p), low, high)


def rank(values: FloatArray) -> FloatArray:
    """Return the ranks along the last axis, from 1; ties share the mean of their ranks."""
    ranks: FloatArray = require("scipy.stats").rankdata(values, axis=-1)
    return ranks


def p_values(ranks: FloatArray, score_ranks: FloatArray, *, permutations: int) -> FloatArray:
    """Return the two-sided p of each row of *ranks* with *score_ranks*: how often |rho| is as large by chance.

    All orders are tried when there are no more than *permutations*; otherwise that many are drawn,
    and the observed order counts as one more.
    """
    n = len(score_ranks)
    if n >= ASYMPTOTIC_FROM:
        spearmanr = require("scipy.stats").spearmanr
        return np.array([spearmanr(row, score_ranks).pvalue for row in ranks])
    centre = n * ((n + 1) / 2) ** 2
    observed = np.abs(ranks @ score_ranks - centre)
    exact = math.factorial(n) <= permutations
    extreme = np.zeros(len(ranks))
    blocks = _all_orders(score_ranks) if exact else _drawn_orders(score_ranks, permutations)
    for block in blocks:
        extreme += (np.abs(block @ ranks.T - centre) >= observed).sum(axis=0)
    return np.asarray(extreme / math.factorial(n) if exact else (extreme + 1) / (permutations + 1))


def _all_orders(values: FloatArray) -> Iterator[FloatArray]:
    for block in _batches(itertools.permutations(values.tolist())):
        yield np.array(block)


def _batches(orders: Iterator[tuple[float, ...]]) -> Iterator[list[tuple[float, ...]]]:
    while block := list(itertools.islice(orders, BLOCK)):
        yield block


def _drawn_orders(values: FloatArray, permutations: int) -> Iterator[FloatArray]:
    rng = np.random.default_rng(SEED)
    for start in range(0, permutations, BLOCK):
        yield rng.permuted(np.tile(values, (min(BLOCK, permutations - start), 1)), axis=1)


def resample_weights(n: int, resamples: int) -> FloatArray:
    """Return how often each of *n* compounds is drawn, with replacement, in each resample: shape (n, resamples)."""
    drawn = np.random.default_rng(SEED).integers(0, n, (resamples, n))
    cells = drawn + n * np.arange(resamples)[:, None]
    return np.bincount(cells.ravel(), minlength=n * resamples).reshape(resamples, n).T.astype(np.float64)


def weighted_ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the rank of each value in each column of *weights*, which says how often the value is there.

    >>> weighted_ranks(np.array([0.2, 0.9, 0.5]), np.array([[2.0], [1.0], [1.0]])).ravel().tolist()
    [1.5, 4.0, 3.0]
    """
    groups = np.unique(values, return_inverse=True)[1]
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    size = np.add.reduceat(weights[order], starts, axis=0)
    middle = np.cumsum(size, axis=0) - size + (size + 1) / 2
    return np.asarray(middle[groups])


@dataclass(frozen=True, slots=True)
class Reweighted:
    """The score in many resamples of n compounds, ready to be correlated with one measure after the other."""

    weights: FloatArray
    ranks: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, score: FloatArray, weights: FloatArray) -> Reweighted:
        """Return *score*, of shape (n,), in the resamples that the columns of *weights* stand for."""
        ranks = weighted_ranks(score, weights)
        return cls(weights, ranks, _products(weights, weights * ranks, ranks))

    def rho(self, values: FloatArray) -> FloatArray:
        """Return Spearman's rho of *values* with the score in each resample, NaN where one of them is constant."""
        ranks = weighted_ranks(values, self.weights)
        weighted = self.weights * ranks
        square = self.spread * _products(self.weights, weighted, ranks)
        shared = _products(self.weights, weighted, self.ranks)
        return np.asarray(shared / np.sqrt(np.where(square > 0, square, np.nan)))


def _products(weights: FloatArray, weighted: FloatArray, ranks: FloatArray) -> FloatArray:
    """Return the sum of products of deviations of two rankings, whose mean is always (size + 1) / 2."""
    size = weights.sum(axis=0)
    return np.asarray(np.einsum("nb,nb->b", weighted, ranks) - size * ((size + 1) / 2) ** 2)


def bca_interval(
    estimate: float, resampled: FloatArray, left_out: FloatArray, *, confidence: float = CONFIDENCE
) -> tuple[float | None, float | None]:
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
    normal = bias + special.ndtri(np.array([(1 - confidence) / 2, (1 + confidence) / 2]))
    levels = special.ndtr(bias + normal / (1 - acceleration * normal))
    low, high = np.quantile(resampled, levels)
    return float(low), float(high)


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Return *p* after Holm's step-down correction over those that are not None (Holm 1979).

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    adjusted: list[float | None] = [None] * len(p)
    defined = sorted((value, place) for place, value in enumerate(p) if value is not None)
    largest = 0.0
    for step, (value, place) in enumerate(defined):
        largest = max(largest, min(1.0, (len(defined) - step) * value))
        adjusted[place] = largest
    return adjusted
