"""Spearman's rho with a permutation p value, a bootstrap interval over compounds, and Holm's correction.

Ranks are multiples of one half, so the sums of products of their deviations are exact: rho and p of the same values are
the same on every machine, in whatever order they are added.

Orders are drawn once and shared by all measures; `scipy.stats.permutation_test` would draw and sort them for each anew.
A resample is a vector of weights that says how often each compound is resampled. Re-ranking it, ties included, is then
a cumulative sum over the sorted values, which is what makes 10,000 resamples of every measure affordable;
`scipy.stats.bootstrap` would sort every resample of every measure anew. The tests hold this module against both.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.runtime import require

SEED = 20250301  # of resamples and permutations; a constant, so that the same inputs give the same figures
RESAMPLES = 10_000  # bootstrap resamples
PERMUTATIONS_PER_RESAMPLE = 10  # they are cheaper, and Holm multiplies their smallest p by the length of the table
CONFIDENCE = 0.95  # coverage of the interval
ASYMPTOTIC_FROM = 500  # from this many compounds on, p is from the t distribution instead of permutations
MIN_COMPOUNDS = 3  # with fewer, rho can only be 1 or -1
TIE_DECIMALS = 12  # values are compared to this many decimals, so that the rounding of a mean cannot break a true tie
BLOCK = 5_000  # permutations held in memory at a time
COLUMNS = 256  # resamples ranked at a time: what fits a core's cache
EXACT_IN_SINGLE = 368  # so many compounds' n³/12 quarters fit the 24 bits of single precision, which is twice as fast
Interval = tuple[float | None, float | None]  # lower and upper bound, or None twice where there is none


@dataclass(frozen=True, slots=True)
class Correlation:
    """Rho of one measure with the score over *n* compounds; None where it is undefined."""

    n: int
    rho: float | None = None
    p: float | None = None
    low: float | None = None
    high: float | None = None


def correlate(
    values: FloatArray, score: FloatArray, *, resamples: int = RESAMPLES, permutations: int | None = None
) -> list[Correlation]:
    """Return one correlation per row of *values*, of shape (measures, compounds), with *score*, of shape (compounds,).

    A compound is left out of a row where its value or its score is NaN. Rho is None with fewer than
    `MIN_COMPOUNDS` compounds or when one side is constant; the bounds are None when rho is undefined
    in some resample, as it is for a handful of compounds, or the same in all. There are ten times as many
    *permutations* as *resamples* unless they are given.
    """
    orders = resamples * PERMUTATIONS_PER_RESAMPLE if permutations is None else permutations
    values, score = np.round(values, TIE_DECIMALS), np.round(score, TIE_DECIMALS)
    valid = ~np.isnan(values) & ~np.isnan(score)
    correlations = [Correlation(int(mask.sum())) for mask in valid]
    for mask, same_gaps in rows_by_gaps(valid):
        rows = np.array([row for row in same_gaps if _varies(values[row, mask])], dtype=np.intp)
        if len(rows) and mask.sum() >= MIN_COMPOUNDS and _varies(score[mask]):
            present, scored = values[rows][:, mask], score[mask]
            p = p_values(rank(present), rank(scored), permutations=orders)
            sampler = RhoSampler(scored, resamples)
            for place, row, row_p in zip(rows, present, p, strict=True):
                sample = sampler.sample(row)
                correlations[place] = Correlation(len(scored), sample.value, float(row_p), *bca_interval(*sample))
    return correlations


def correlate_groups(values: FloatArray, score: FloatArray, group: NDArray[np.intp], *, resamples: int) -> Correlation:
    """Return the correlation of observations that are not independent: a resample draws whole groups.

    *group* names the compound of each observation. With one observation each, this is `correlate`; otherwise
    compounds cannot be permuted, and p is that of the bootstrap.
    """
    names, number = np.unique(group, return_inverse=True)
    if len(names) == len(group):
        return correlate(values[None, :], score, resamples=resamples)[0]
    rho = plain_rho(values, score)
    if rho is None or len(names) < MIN_COMPOUNDS:
        return Correlation(len(group), rho)
    sampler = RhoSampler(np.round(score, TIE_DECIMALS), resamples, number)
    sample = sampler.sample(np.round(values, TIE_DECIMALS))
    return Correlation(len(group), rho, bootstrap_p(*sample), *bca_interval(*sample))


def rows_by_gaps(valid: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.intp]]]:
    """Yield each distinct row of *valid*, of shape (rows, n), with the places of the rows that are like it."""
    masks, group = np.unique(valid, axis=0, return_inverse=True)
    for number, mask in enumerate(masks):
        yield mask, np.flatnonzero(group.ravel() == number)


def _varies(values: FloatArray) -> bool:
    return bool((values != values[:1]).any())


def rank(values: FloatArray) -> FloatArray:
    """Return the ranks along the last axis, from 1; ties share the mean of their ranks."""
    ranks: FloatArray = require("scipy.stats").rankdata(values, axis=-1)
    return ranks


def plain_rho(values: FloatArray, score: FloatArray) -> float | None:
    """Return Spearman's rho, or None with fewer than three values or where one side is constant."""
    if len(values) < MIN_COMPOUNDS:
        return None
    rounded, against = np.round(values, TIE_DECIMALS), np.round(score, TIE_DECIMALS)
    rho = float(Reweighted(against, np.ones((len(against), 1))).rho(rounded)[0])
    return None if np.isnan(rho) else rho


def p_values(ranks: FloatArray, score_ranks: FloatArray, *, permutations: int) -> FloatArray:
    """Return the two-sided p of each row of *ranks* with *score_ranks*: how often |rho| is as large by chance.

    All orders are tried when there are no more than *permutations*; otherwise that many are drawn,
    and the observed order counts as one more.
    """
    n = len(score_ranks)
    if n >= ASYMPTOTIC_FROM:
        spearmanr = require("scipy.stats").spearmanr
        return np.array([spearmanr(row, score_ranks).pvalue for row in ranks])
    # sums of products of deviations are exact in single precision as far as it is used, so ties with them count
    kind = np.float32 if n <= EXACT_IN_SINGLE else np.float64
    deviations: NDArray[Any] = (ranks - (n + 1) / 2).astype(kind)
    of_score: NDArray[Any] = (score_ranks - (n + 1) / 2).astype(kind)
    observed = np.abs(deviations @ of_score)
    exact = math.factorial(n) <= permutations
    extreme = np.zeros(len(ranks))
    for block in _orders(of_score, None if exact else permutations):
        extreme += (np.abs(block @ deviations.T) >= observed).sum(axis=0)
    return np.asarray(extreme / math.factorial(n) if exact else (extreme + 1) / (permutations + 1))


def _orders(values: NDArray[Any], permutations: int | None) -> Iterator[NDArray[Any]]:
    """Yield blocks of all orders of *values*, or of as many drawn *permutations*."""
    if permutations is None:
        orders = itertools.permutations(values.tolist())
        while block := list(itertools.islice(orders, BLOCK)):
            yield np.array(block, dtype=values.dtype)
        return
    rng = np.random.default_rng(SEED)
    for start in range(0, permutations, BLOCK):
        yield rng.permuted(np.tile(values, (min(BLOCK, permutations - start), 1)), axis=1)


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


@lru_cache(maxsize=2)
def resample_weights(n: int, resamples: int, seed: int = SEED) -> FloatArray:
    """Return the count of each of *n* compounds in each resample, drawn with replacement: shape (n, resamples)."""
    resampled = np.random.default_rng(seed).integers(0, n, (resamples, n))
    cells = resampled + n * np.arange(resamples)[:, None]
    return np.bincount(cells.ravel(), minlength=n * resamples).reshape(resamples, n).T.astype(np.float64)


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


class Reweighted:
    """The score in many resamples of n compounds, ready to be correlated with one measure after the other."""

    def __init__(self, score: FloatArray, weights: FloatArray) -> None:
        """Take *score*, of shape (n,), in the resamples that the columns of *weights* stand for."""
        kind = np.float32 if len(score) <= EXACT_IN_SINGLE else np.float64
        self._blocks = []
        for start in range(0, weights.shape[1], COLUMNS):
            narrow: NDArray[Any] = np.ascontiguousarray(weights[:, start : start + COLUMNS], dtype=kind)
            mean_rank = (narrow.sum(axis=0) + 1) / 2
            deviations = weighted_ranks(score, narrow) - mean_rank
            weighted = narrow * deviations
            squares = np.einsum("nb,nb->b", weighted, deviations).astype(np.float64)
            self._blocks.append((narrow, weighted, squares, mean_rank.astype(kind)))

    def rho(self, values: FloatArray) -> FloatArray:
        """Return Spearman's rho of *values* with the score in each resample, NaN where one of them is constant."""
        order, group = _sorted(values)
        rhos = []
        for block, deviations, squares, mean_rank in self._blocks:
            weights = block[order]
            ranks = _middles(weights, group)
            ranks -= mean_rank
            shared = np.einsum("nb,nb->b", ranks, deviations[order])
            ranks *= ranks
            square = np.einsum("nb,nb->b", ranks, weights) * squares
            rhos.append(shared / np.sqrt(np.where(square > 0, square, np.nan)))
        return np.concatenate(rhos)


class Sample(NamedTuple):
    """A statistic: its value, in each resample, and with each compound left out in turn."""

    value: float
    resampled: FloatArray
    left_out: FloatArray


class RhoSampler:
    """The score in the resamples, and with each compound left out in turn."""

    def __init__(
        self, score: FloatArray, resamples: int, group: NDArray[np.intp] | None = None, *, seed: int = SEED
    ) -> None:
        """Take *score* without NaN; where *group* gives the number of each observation's compound, draw compounds."""
        n = len(score) if group is None else int(group.max()) + 1
        rows = slice(None) if group is None else group
        self._whole = Reweighted(score, np.ones((len(score), 1)))
        self._resampled = Reweighted(score, resample_weights(n, resamples, seed)[rows])
        self._left_out = Reweighted(score, (1 - np.eye(n))[rows])

    def sample(self, values: FloatArray) -> Sample:
        """Return rho of *values*, none of which may be NaN, with the score."""
        return Sample(float(self._whole.rho(values)[0]), self._resampled.rho(values), self._left_out.rho(values))


def mean_samples(values: FloatArray, resamples: int, *, seed: int = SEED) -> Iterator[Sample]:
    """Yield the mean of each row of *values*, of shape (rows, n), none of which may be NaN; n is at least 2."""
    n = values.shape[1]
    # not a BLAS product, whose last digits depend on the number of threads
    resampled = np.einsum("rn,nb->rb", values, resample_weights(n, resamples, seed), optimize=False) / n
    left_out = (values.sum(axis=1, keepdims=True) - values) / (n - 1)
    for mean, *samples in zip(values.mean(axis=1), resampled, left_out, strict=True):
        yield Sample(float(mean), *samples)


def mean_intervals(values: FloatArray, *, resamples: int) -> list[Interval]:
    """Return the BCa interval of the mean of each row of *values*, of shape (rows, n), over what is not NaN."""
    intervals: list[Interval] = [(None, None)] * len(values)
    for mask, rows in rows_by_gaps(~np.isnan(values)):
        if mask.sum() >= 2:
            for place, sample in zip(rows, mean_samples(values[rows][:, mask], resamples), strict=True):
                intervals[place] = bca_interval(*sample)
    return intervals


def bca_interval(estimate: float, resampled: FloatArray, left_out: FloatArray) -> Interval:
    """Return the bias-corrected and accelerated bootstrap interval (Efron 1987), or (None, None) if degenerate.

    *resampled* holds the statistic in each resample, *left_out* with each observation left out in turn.
    """
    corrections = _corrections(estimate, resampled, left_out)
    if corrections is None:
        return None, None
    bias, acceleration = corrections
    special = require("scipy.special")
    normal = bias + special.ndtri(np.array([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]))
    levels = special.ndtr(bias + normal / (1 - acceleration * normal))
    low, high = np.quantile(resampled, levels)
    return float(low), float(high)


def _corrections(estimate: float, resampled: FloatArray, left_out: FloatArray) -> tuple[float, float] | None:
    """Return the bias and the acceleration of the interval, or None where it is degenerate."""
    influence = left_out.mean() - left_out
    squares = float((influence**2).sum())
    if np.isnan(resampled).any() or not squares**1.5 > 0:
        return None
    below = ((resampled < estimate).mean() + (resampled <= estimate).mean()) / 2
    bias = float(require("scipy.special").ndtri(below))
    return (bias, float((influence**3).sum()) / (6 * squares**1.5)) if math.isfinite(bias) else None


def bootstrap_p(estimate: float, resampled: FloatArray, left_out: FloatArray) -> float | None:
    """Return the smallest p whose BCa interval, of coverage 1 - p, leaves 0 out; None where a resample is undefined.

    So p is below .05 exactly where the 95 % interval leaves 0 out. Where there is no interval, p is twice the smaller
    share of resamples on one side of 0. The observed sample counts as one more, so that p is never 0.

    >>> bootstrap_p(0.15, np.array([0.1, 0.2, 0.3, -0.1]), np.array([0.1, 0.1]))
    0.4
    """
    if np.isnan(resampled).any():
        return None
    special, corrections = require("scipy.special"), _corrections(estimate, resampled, left_out)
    shares = []
    for side in (1, -1):
        # of the way through the sorted resamples where they pass 0, then half the p of the interval that ends there
        share = float(np.interp(0, np.sort(side * resampled), np.linspace(0, 1, len(resampled))))
        if corrections and 0 < share < 1:
            bias, acceleration = (side * value for value in corrections)
            reach = special.ndtri(share) - bias
            share = float(special.ndtr(reach / max(1 + acceleration * reach, 1e-9) - bias))
        shares.append(share)
    p = min(1.0, max(2 * min(shares), 2 / (len(resampled) + 1)))
    low, high = bca_interval(estimate, resampled, left_out)
    if low is None or high is None:
        return p
    decided, alpha = low > 0 or high < 0, round(1 - CONFIDENCE, 12)
    return min(p, math.nextafter(alpha, 0)) if decided else max(p, alpha)  # rounding may not part them
