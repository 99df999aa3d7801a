"""How many judgements a score needs: n = (sd / SE)^2 judgements of a sentence give its mean the standard error SE."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ncimp.builder.annotation.answers.ratings import Ratings

TARGETS = (0.5, 0.4, 0.3, 0.25, 0.2)
"""Standard errors of a mean on the scale from 0 to 5."""


@dataclass(frozen=True, slots=True)
class Power:
    """What it takes to know the score of every sentence, or compound, to this standard error."""

    error: float
    per_sentence: int
    """Judgements a sentence needs."""
    more_sentences: int
    """Judgements still missing, over all sentences."""
    per_compound: int
    """Judgements each sentence needs for the compound's mean to have this error, with three sentences per compound."""
    more_compounds: int
    """Judgements still missing, over all sentences."""


def within_sd(ratings: Ratings) -> float | None:
    """Return the standard deviation of judgements of the same sentence (pooled), None without any pair."""
    counts = (~np.isnan(ratings.values)).sum(axis=0)
    paired = counts > 1
    if not paired.any():
        return None
    table = ratings.values[:, paired]
    squares = float(np.nansum((table - np.nanmean(table, axis=0)) ** 2))
    return math.sqrt(squares / float((counts[paired] - 1).sum()))


def power(ratings: Ratings, *, targets: Sequence[float] = TARGETS, sentences: int = 3) -> list[Power]:
    """Return what is needed for each standard error of *targets*; a compound has this many *sentences*."""
    sd = within_sd(ratings)
    if sd is None:
        return []
    counts = (~np.isnan(ratings.values)).sum(axis=0)
    rows = []
    for error in targets:
        one = max(1, math.ceil(round((sd / error) ** 2, 9)))
        each = max(1, math.ceil(round((sd / error) ** 2 / sentences, 9)))
        missing = [int(np.maximum(needed - counts, 0).sum()) for needed in (one, each)]
        rows.append(Power(error, one, missing[0], each, missing[1]))
    return rows
