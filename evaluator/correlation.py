"""Spearman's rho with a permutation p value, a bootstrap interval and Holm's correction.

Ranks are multiples of one half, so their sums of products are exact in double precision: rho and p
of the same values are the same on every machine. Orders are drawn once and shared by all measures;
`scipy.stats.permutation_test` would draw and sort them for each anew, and the tests hold this module against it.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.resampling import (
    EXACT_IN_SINGLE,
    RESAMPLES,
    SEED,
    Reweighted,
    bca_interval,
    rho_samples,
    rows_by_gaps,
)
from ncimp.evaluator.runtime import require

PERMUTATIONS_PER_RESAMPLE = 10
"""Permutations are cheaper than resamples, and Holm multiplies their smallest p by the length of the table."""

ASYMPTOTIC_FROM = 500  # from this many compounds on, p is from the t distribution instead of permutations
MIN_COMPOUNDS = 3  # with fewer, rho can only be 1 or -1
TIE_DECIMALS = 12  # values are compared to this many decimals, so that the rounding of a mean cannot break a true tie
BLOCK = 5_000  # permutations held in memory at a time


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
    rounded, score = np.round(values, TIE_DECIMALS), np.round(score, TIE_DECIMALS)
    valid = ~np.isnan(rounded) & ~np.isnan(score)
    correlations = [Correlation(int(mask.sum())) for mask in valid]
    for mask, same_gaps in rows_by_gaps(valid):
        rows = np.array([row for row in same_gaps if _varies(rounded[row, mask])], dtype=np.intp)
        if len(rows) and mask.sum() >= MIN_COMPOUNDS and _varies(score[mask]):
            for row, figures in zip(
                rows, _defined(rounded[rows][:, mask], score[mask], resamples, orders), strict=True
            ):
                correlations[row] = figures
    return correlations


def _varies(values: FloatArray) -> bool:
    return len(values) > 0 and bool((values != values[0]).any())


def _defined(values: FloatArray, score: FloatArray, resamples: int, permutations: int) -> Iterator[Correlation]:
    p = p_values(rank(values), rank(score), permutations=permutations)
    for sample, row_p in zip(rho_samples(values, score, resamples), p, strict=True):
        low, high = bca_interval(sample.rho, sample.resampled, sample.left_out)
        yield Correlation(len(score), sample.rho, float(row_p), low, high)


def rank(values: FloatArray) -> FloatArray:
    """Return the ranks along the last axis, from 1; ties share the mean of their ranks."""
    ranks: FloatArray = require("scipy.stats").rankdata(values, axis=-1)
    return ranks


def plain_rho(values: FloatArray, score: FloatArray) -> float | None:
    """Return Spearman's rho, or None with fewer than three values or where one side is constant."""
    if len(values) < MIN_COMPOUNDS:
        return None
    rounded, against = np.round(values, TIE_DECIMALS), np.round(score, TIE_DECIMALS)
    rho = float(Reweighted.of(against, np.ones((len(against), 1))).rho(rounded)[0])
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
    for block in _all_orders(of_score) if exact else _drawn_orders(of_score, permutations):
        extreme += (np.abs(block @ deviations.T) >= observed).sum(axis=0)
    return np.asarray(extreme / math.factorial(n) if exact else (extreme + 1) / (permutations + 1))


def _all_orders(values: NDArray[Any]) -> Iterator[NDArray[Any]]:
    for block in _batches(itertools.permutations(values.tolist())):
        yield np.array(block, dtype=values.dtype)


def _batches(orders: Iterator[tuple[float, ...]]) -> Iterator[list[tuple[float, ...]]]:
    while block := list(itertools.islice(orders, BLOCK)):
        yield block


def _drawn_orders(values: NDArray[Any], permutations: int) -> Iterator[NDArray[Any]]:
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
