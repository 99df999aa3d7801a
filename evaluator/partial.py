"""Partial rank correlations: what is left of rho when overlap, length or frequency is held constant.

The overlap that belongs to a measure is the same measure of the baseline `overlap`, at the same level and
over the same contexts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from ncimp.evaluator.correlation import MIN_COMPOUNDS, TIE_DECIMALS, rank
from ncimp.evaluator.extras import require
from ncimp.evaluator.figures import Figure, Language, scores
from ncimp.evaluator.measures import CONTEXT_KINDS, ContextKind, FloatArray, context_indices, mean_of_present
from ncimp.evaluator.records import Partial
from ncimp.evaluator.resampling import CONFIDENCE, Interval

Given = Literal["overlap", "length", "frequency", "all"]
"""What is held constant: one of three, or all three."""

COLLINEAR = 1e-9
"""Below this share of variance left, a variable is a function of the controls, and nothing can be said."""


def partial_rho(values: FloatArray, score: FloatArray, controls: FloatArray) -> tuple[float | None, int]:
    """Return Spearman's partial rho of two variables given *controls*, of shape (k, n), and how many of them vary.

    Controls are taken out one after the other (Pearson's recursion on the correlations of ranks). None where a side
    is constant or nothing but a function of the controls.
    """
    ranks = rank(np.asarray(np.round(np.vstack([values, score, controls]), TIE_DECIMALS), dtype=np.float64))
    deviations = ranks - (ranks.shape[1] + 1) / 2
    products = (deviations[:, None, :] * deviations[None, :, :]).sum(axis=2)
    total = products.diagonal().copy()
    taken = 0
    for control in range(2, len(products)):
        if products[control, control] > COLLINEAR * total[control]:
            column = products[:, control].copy()
            products = products - np.outer(column, column) / column[control]
            taken += 1
    if (products.diagonal()[:2] <= COLLINEAR * total[:2]).any():
        return None, taken
    rho = float(products[0, 1] / math.sqrt(products[0, 0] * products[1, 1]))
    return max(-1.0, min(1.0, rho)), taken


def significance(rho: float | None, n: int, controls: int) -> tuple[float | None, Interval]:
    """Return the two-sided p by the t distribution and the interval by Fisher's z, as for Pearson's partial r."""
    freedom = n - 2 - controls
    if rho is None or freedom < 2 or abs(rho) >= 1:
        return None, (None, None)
    stats = require("scipy.stats")
    p = float(2 * stats.t.sf(abs(rho) * math.sqrt(freedom / (1 - rho * rho)), freedom))
    reach = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) / math.sqrt(freedom - 1)
    return p, (math.tanh(math.atanh(rho) - reach), math.tanh(math.atanh(rho) + reach))


def partials_of(figures: Sequence[Figure], overlap: Sequence[Figure], part: Language) -> Iterator[Partial]:
    """Yield the partial correlations of *figures*, with the figures of the baseline *overlap* in the same order."""
    score = scores(part.compounds)[1]
    lengths = {kind: sentence_lengths(part, kind) for kind in CONTEXT_KINDS}
    frequency = np.array([np.nan if row.zipf is None else row.zipf for row in part.compounds])
    for figure, own in zip(figures, overlap, strict=True):
        controls: dict[Given, FloatArray] = {
            "overlap": own.values,
            "length": lengths[figure.kind],
            "frequency": frequency,
        }
        for given, control in controls.items():
            yield _partial(figure, score, given, control[None, :])
        yield _partial(figure, score, "all", np.array(list(controls.values())))


def _partial(figure: Figure, score: FloatArray, given: Given, controls: FloatArray) -> Partial:
    there = ~np.isnan(figure.values) & ~np.isnan(score)
    both = there & ~np.isnan(controls).any(axis=0)
    n = int(both.sum())
    rho, plain, taken = None, None, 0
    if n >= MIN_COMPOUNDS:
        rho, taken = partial_rho(figure.values[both], score[both], controls[:, both])
        plain = partial_rho(figure.values[both], score[both], np.empty((0, n)))[0]
    p, (low, high) = significance(rho, n, taken)
    return Partial(
        **figure.where,
        given=given,
        rho=rho,
        rho_plain=plain,
        p=p,
        p_holm=None,
        low=low,
        high=high,
        n=n,
        missing=int(there.sum()) - n,
    )


def sentence_lengths(part: Language, kind: ContextKind) -> FloatArray:
    """Return the mean number of tokens of the original sentences of each compound; NaN where there is none."""
    lengths = np.array([*(len(item.tokens) for item in part.items), np.nan])
    return mean_of_present(lengths[part.grid[:, context_indices(kind), 0]])
