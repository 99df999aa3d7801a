"""Standardised vectors: every dimension as a z-score, or only the few dimensions that cosines are mostly made of.

A few dimensions with large values can make up most of every cosine (Timkey and van Schijndel 2021). Both options
say how much of a result rests on them: the same measures are computed again on the changed vectors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.correlation import MIN_COMPOUNDS, TIE_DECIMALS
from ncimp.evaluator.figures import Figure, figures_of, measured_levels, scores
from ncimp.evaluator.grid import LevelName, cells_of, level_of
from ncimp.evaluator.measures import FloatArray, unit_rows
from ncimp.evaluator.records import Standardised
from ncimp.evaluator.release import Compound
from ncimp.evaluator.resampling import Reweighted
from ncimp.schemas.errors import UsageError

Z_SCORE = "z-score"
"""The name of z-scores."""

TOP = re.compile(r"top-([1-9][0-9]*)")
"""The name of the K dimensions that contribute most."""

Change = Callable[[NDArray[Any]], FloatArray]
"""From vectors, one a row, to changed vectors."""


def check_method(method: str) -> str:
    """Return *method* when it is `z-score` or `top-K`, or raise `UsageError`."""
    if method != Z_SCORE and not TOP.fullmatch(method):
        raise UsageError(f"unknown standardisation {method!r}", fix="give z-score, or top-K such as top-10")
    return method


def change_of(method: str, vectors: NDArray[Any], grid: NDArray[np.intp]) -> Change:
    """Return what *method* does to *vectors*, one row an item; it is fitted on them, whose grid is *grid*."""
    found = TOP.fullmatch(method)
    return z_score(vectors, grid) if found is None else top_dimensions(vectors, grid, int(found[1]))


def z_score(vectors: NDArray[Any], grid: NDArray[np.intp]) -> Change:
    """Return the change to z-scores by mean and standard deviation of each dimension over the originals.

    A dimension that is the same for all of them becomes 0.
    """
    originals = cells_of(vectors, grid[:, :, 0].ravel()).astype(np.float64)
    originals = originals[~np.isnan(originals).any(axis=1)]
    if not len(originals):
        return lambda rows: rows.astype(np.float64)
    mean, sd = originals.mean(axis=0), originals.std(axis=0)
    # means of equal numbers need not be equal to the last digit
    scale = np.where(sd > 1e-12 * np.abs(mean), sd, np.inf)
    return lambda rows: np.asarray((rows - mean) / scale)


def top_dimensions(vectors: NDArray[Any], grid: NDArray[np.intp], k: int) -> Change:
    """Return the change that keeps the *k* dimensions with the largest mean contribution to the cosine of a pair.

    A dimension contributes the product of its two components at length 1; the first of equals is kept.
    """
    contribution = contributions(vectors, grid)
    if k > len(contribution):
        what = f"top-{k}, but the vectors have {len(contribution)} dimensions"
        raise UsageError(what, fix="give a smaller number")
    kept = np.sort(np.argsort(-contribution, kind="stable")[:k])
    return lambda rows: rows[:, kept].astype(np.float64)


def contributions(vectors: NDArray[Any], grid: NDArray[np.intp]) -> FloatArray:
    """Return the mean share of each dimension in the cosines of all pairs; their sum is the mean cosine."""
    total, count = np.zeros(vectors.shape[1]), 0
    for context in range(grid.shape[1]):
        originals = unit_rows(cells_of(vectors, grid[:, context, 0]))
        for variant in range(1, grid.shape[2]):
            products = originals * unit_rows(cells_of(vectors, grid[:, context, variant]))
            there = ~np.isnan(products).any(axis=1)
            total += products[there].sum(axis=0)
            count += int(there.sum())
    return total / max(count, 1)


def standardised_rows(
    method: str,
    before: Sequence[Figure],
    vectors: dict[LevelName, NDArray[Any]],
    grid: NDArray[np.intp],
    compounds: Sequence[Compound],
) -> list[Standardised]:
    """Return mean and rho of each figure *before* and after *method* changes the *vectors* of its level."""
    model, lang = before[0].measured.model, before[0].measured.lang
    changed = [level_of(name, rows, grid, change_of(method, rows, grid)) for name, rows in vectors.items()]
    after = figures_of(list(measured_levels(model, lang, changed)))
    score = scores(compounds)[1]
    return [_row(method, one, other, score) for one, other in zip(before, after, strict=True)]


def _row(method: str, before: Figure, after: Figure, score: FloatArray) -> Standardised:
    both = ~np.isnan(before.values) & ~np.isnan(after.values) & ~np.isnan(score)
    there = [figure.values[both] for figure in (before, after)]
    means = [float(values.mean()) if len(values) else None for values in there]
    rhos = [plain_rho(values, score[both]) for values in there]
    return Standardised(
        method=method,
        **before.where,
        mean_before=means[0],
        mean_after=means[1],
        rho_before=rhos[0],
        rho_after=rhos[1],
        n=int(both.sum()),
    )


def plain_rho(values: FloatArray, score: FloatArray) -> float | None:
    """Return Spearman's rho, or None with fewer than three values or where one side is constant."""
    if len(values) < MIN_COMPOUNDS:
        return None
    rounded, against = np.round(values, TIE_DECIMALS), np.round(score, TIE_DECIMALS)
    found = float(Reweighted.of(against, np.ones((len(against), 1))).rho(rounded)[0])
    return None if np.isnan(found) else found
