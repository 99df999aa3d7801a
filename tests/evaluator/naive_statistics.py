"""Intervals, p and partial correlations straight from their definitions: every resample is ranked anew.

Slow and plain. Ranks are whole numbers when doubled, so rho has no rounding that could make or break a tie.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

from ncimp.evaluator.measures import FloatArray
from tests.frozen import load_reference

SEED = 20250301
NORMAL = statistics.NormalDist()
BLOCK = 5_000
measures = load_reference("measures_reference")

Row = dict[str, Any]


@cache
def draws(n: int, resamples: int) -> Any:
    """Which compounds are drawn, one resample a row."""
    return np.random.default_rng(SEED).integers(0, n, (resamples, n))


@cache
def left_out(n: int) -> Any:
    """All compounds but one, each left out in turn."""
    return np.array([[place for place in range(n) if place != gone] for gone in range(n)])


def doubled(values: Any) -> Any:
    """Twice the deviations of the ranks along the last axis."""
    return np.rint(2 * stats.rankdata(values, axis=-1)).astype(np.int64) - (values.shape[-1] + 1)


def rho_of(one: Any, other: Any) -> Any:
    """Spearman's rho of doubled deviations of ranks, along the last axis."""
    squares = (one * one).sum(axis=-1).astype(float) * (other * other).sum(axis=-1).astype(float)
    return (one * other).sum(axis=-1) / np.sqrt(squares)


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile that lies *share* of the way through the sorted values, linear between them."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 2) if len(ordered) > 1 else 0
    if len(ordered) == 1:
        return ordered[0]
    return ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])


def bca(estimate: float, drawn: FloatArray, without: FloatArray) -> tuple[float, float]:
    """Efron's bias-corrected and accelerated interval at 95 %."""
    influence = [float(without.mean()) - value for value in without.tolist()]
    squares = math.fsum(value**2 for value in influence)
    acceleration = math.fsum(value**3 for value in influence) / (6 * squares**1.5)
    below = (int((drawn < estimate).sum()) + int((drawn <= estimate).sum())) / (2 * len(drawn))
    bias = NORMAL.inv_cdf(below)
    ends = []
    for share in (0.025, 0.975):
        reach = bias + NORMAL.inv_cdf(share)
        ends.append(quantile(drawn.tolist(), NORMAL.cdf(bias + reach / (1 - acceleration * reach))))
    return ends[0], ends[1]


def interval(statistic: Callable[[Any], Any], n: int, resamples: int) -> tuple[float, float]:
    """The interval of *statistic*, a function of the places of compounds along the last axis."""
    return bca(float(statistic(np.arange(n))), statistic(draws(n, resamples)), statistic(left_out(n)))


def correlations(rows: Sequence[Sequence[float]], score: Sequence[float], resamples: int) -> list[Row]:
    """Rho, p and interval of each of *rows* with *score*; values that are alike to twelve digits are tied."""
    values, given = np.round(np.array(rows), 12), np.array(score)
    p = permuted_p(doubled(values), doubled(given), 10 * resamples)
    there = [doubled(given[places]) for places in (draws(len(given), resamples), left_out(len(given)))]
    found = []
    for row, own in zip(values, p, strict=True):
        samples = [
            rho_of(doubled(row[places]), scores)
            for places, scores in zip((draws(len(given), resamples), left_out(len(given))), there, strict=True)
        ]
        low, high = bca(float(rho_of(doubled(row), doubled(given))), *samples)
        rho = measures.spearman(row.tolist(), given.tolist())
        found.append({"rho": rho, "p": own, "low": low, "high": high, "n": len(given)})
    return found


def permuted_p(ranks: Any, score: Any, permutations: int) -> list[float]:
    """How often |rho| is as large when the scores are shuffled; the order as it is counts as one more."""
    rng = np.random.default_rng(SEED)
    observed = np.abs(ranks.astype(float) @ score.astype(float))
    extreme = np.zeros(len(ranks), dtype=int)
    for start in range(0, permutations, BLOCK):
        count = min(BLOCK, permutations - start)
        # whole numbers far below 2 to the 53, so the products are exact
        shuffled = rng.permuted(np.tile(score.astype(float), (count, 1)), axis=1)
        extreme += (np.abs(shuffled @ ranks.T.astype(float)) >= observed).sum(axis=0)
    return [(int(count) + 1) / (permutations + 1) for count in extreme]


def distribution(values: Sequence[float], resamples: int) -> Row:
    """Mean with interval, standard deviation and quantiles."""
    row = np.array(values)
    low, high = interval(lambda places: row[places].mean(axis=-1), len(row), resamples)
    shares = {"minimum": 0.0, "q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95, "maximum": 1.0}
    cuts = {name: quantile(values, share) for name, share in shares.items()}
    mean = math.fsum(values) / len(values)
    return {"n": len(row), "mean": mean, "low": low, "high": high, "sd": statistics.stdev(values), **cuts}


def partial(values: Sequence[float], score: Sequence[float], controls: Sequence[Sequence[float]]) -> Row:
    """Spearman's partial rho from the inverse of the correlations of ranks; controls that do not vary are left out."""
    varying = [control for control in controls if len({round(value, 12) for value in control}) > 1]
    ranks = [measures.ranks([round(value, 12) for value in row]) for row in (values, score, *varying)]
    inverse = np.linalg.inv(np.corrcoef(ranks))
    rho = float(-inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1]))
    freedom = len(score) - 2 - len(varying)
    p = float(2 * stats.t.sf(abs(rho) * math.sqrt(freedom / (1 - rho * rho)), freedom))
    reach = NORMAL.inv_cdf(0.975) / math.sqrt(freedom - 1)
    low, high = (math.tanh(math.atanh(rho) + side * reach) for side in (-1, 1))
    plain = measures.spearman([round(value, 12) for value in values], score)
    return {"rho": rho, "rho_plain": plain, "p": p, "low": low, "high": high, "n": len(score)}
