"""Measure reliability: Krippendorff's alpha with bootstrap intervals, intraclass correlations, and power.

Scores are a matrix, a row per annotator and a column per judged sentence, empty (NaN) where nobody was asked.

alpha = 1 - D_o / D_e (Krippendorff, Content Analysis, ch. 12), by the package `krippendorff`. For the interval its
parts are kept per sentence, so that a resample of compounds is one product of matrices: with o_u the coincidences of
sentence u, which has m_u judgements (n_uc of them at point c),

    o_u(c, k) = n_uc (n_uk - [c = k]) / (m_u - 1)          n_c = sum over u of n_uc
    D_o = sum over c, k of o(c, k) d(c, k) / n             D_e = sum over c, k of n_c n_k d(c, k) / (n (n - 1))

with d the squared difference (interval), or the squared number of judgements between the two points (ordinal).
Compounds are drawn, not sentences: the sentences of a compound are no independent observations.

Power: n = (sd / SE)^2 judgements of a sentence give its mean the standard error SE.

ICC: Shrout and Fleiss (1979), Psychological Bulletin 86(2), the six forms; for unequal numbers of judgements the
one-way forms with k0 = (N - sum n_i^2 / N) / (t - 1) judgements per sentence (Donner and Koval 1980, Biometrics 36).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, compress
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from ncimp.builder.annotation.task.batch import SCALE
from ncimp.schemas import UsageError

FloatArray: TypeAlias = npt.NDArray[np.float64]
Unit = tuple[str, str | None]  # a judged unit: compound and item (None where one answer is for all its sentences)
Level = Literal["interval", "ordinal"]
LEVELS: tuple[Level, ...] = ("interval", "ordinal")

SEED = 20251121  # seed of the resamples; a constant, so that the same judgements give the same figures
RESAMPLES = 2_000
CONFIDENCE = 0.95
TARGETS = (0.5, 0.4, 0.3, 0.25, 0.2)  # standard errors of a mean on the scale from 0 to 5


@dataclass(frozen=True, slots=True)
class Ratings:
    """The scores of one question."""

    annotators: tuple[str, ...]
    units: tuple[Unit, ...]
    values: FloatArray  # shape (annotators, units)

    def of(self, annotators: Sequence[str]) -> "Ratings":
        """Return the ratings of *annotators* on the sentences that all of them judged."""
        rows = self.values[[self.annotators.index(name) for name in annotators]]
        common = np.atleast_1d(~np.isnan(rows).any(axis=0))
        return Ratings(tuple(annotators), tuple(compress(self.units, common)), rows[:, common])

    def among(self, compounds: Iterable[str]) -> "Ratings":
        """Return the ratings of the sentences of *compounds*."""
        names = set(compounds)
        columns = np.array([unit[0] in names for unit in self.units], dtype=bool)
        return Ratings(self.annotators, tuple(compress(self.units, columns)), self.values[:, columns])


@dataclass(frozen=True, slots=True)
class Alpha:
    """One alpha with its interval; None where it is not defined."""

    level: Level
    annotators: int
    units: int  # sentences with at least two judgements
    judgements: int
    alpha: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Icc:
    """The six intraclass correlations of Shrout and Fleiss; four need a complete table and are None without one."""

    single_random_raters: float | None  # ICC(1,1): each sentence judged by other people
    mean_random_raters: float | None  # ICC(1,k): the same of the mean of k judgements
    raters: float  # k: judgements per sentence (k0 where they differ)
    single_absolute: float | None = None  # ICC(2,1)
    mean_absolute: float | None = None  # ICC(2,k)
    single_consistent: float | None = None  # ICC(3,1)
    mean_consistent: float | None = None  # ICC(3,k)


@dataclass(frozen=True, slots=True)
class Closest:
    """The group of annotators, of a given size, with most sentences in common."""

    annotators: tuple[str, ...]
    common: int
    groups: int  # number of groups with as many sentences in common, of which this is the first by id


def spearman(first: FloatArray, second: FloatArray) -> float | None:
    """Return Spearman's rho of two series of the same length, None where one of them is constant."""
    ranks = [rankdata(np.round(values, 9)) for values in (first, second)]
    centred = [values - values.mean() for values in ranks]
    scale = float(np.sqrt((centred[0] ** 2).sum() * (centred[1] ** 2).sum()))
    return float((centred[0] * centred[1]).sum() / scale) if scale > 0 else None


def alpha(ratings: Ratings, level: Level, *, resamples: int = RESAMPLES) -> Alpha:
    """Return Krippendorff's alpha of *ratings* with a percentile interval over compounds (none with 0 *resamples*)."""
    # judgements at each point, shape (units, points)
    counts = np.stack([(ratings.values == point).sum(axis=0) for point in SCALE], axis=1).astype(np.float64)
    paired = counts.sum(axis=1) > 1
    counts = counts[paired]
    raters = int((~np.isnan(ratings.values[:, paired])).any(axis=1).sum())
    facts = {"annotators": raters, "units": int(paired.sum()), "judgements": int(counts.sum())}
    if (counts.sum(axis=0) > 0).sum() < 2:
        return Alpha(level, **facts, alpha=None)
    try:
        import krippendorff
    except ImportError:
        fix = 'pip install "ncimp[crowd]"'
        raise UsageError("Krippendorff's alpha needs the package krippendorff", fix=fix) from None
    point = float(krippendorff.alpha(value_counts=counts, value_domain=list(SCALE), level_of_measurement=level))
    names, places = np.unique([unit[0] for unit in compress(ratings.units, paired)], return_inverse=True)
    if resamples == 0 or len(names) < 2:
        return Alpha(level, **facts, alpha=point)
    pairs = counts[:, :, None] * (counts[:, None, :] - np.eye(len(SCALE)))  # n_uc (n_uk - [c = k])
    coincidences = np.zeros((len(names), *pairs.shape[1:]))
    np.add.at(coincidences, places, pairs / (counts.sum(axis=1) - 1)[:, None, None])
    weights = np.random.default_rng(SEED).multinomial(len(names), np.full(len(names), 1 / len(names)), size=resamples)
    sums = weights.astype(np.float64) @ coincidences.reshape(len(names), -1)
    alphas = alphas_of(sums.reshape(resamples, *pairs.shape[1:]), level)
    low, high = np.nanquantile(alphas, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Alpha(level, **facts, alpha=point, low=float(low), high=float(high))


def alphas_of(coincidences: FloatArray, level: Level) -> FloatArray:
    """Return the alpha of each matrix of *coincidences*, shape (matrices, points, points); NaN where undefined."""
    margins = coincidences.sum(axis=2)
    total = margins.sum(axis=1)
    points = np.arange(coincidences.shape[1], dtype=np.float64)
    if level == "interval":
        distance = np.broadcast_to((points[:, None] - points) ** 2, coincidences.shape)
    else:
        middle = np.cumsum(margins, axis=1) - margins / 2
        distance = (middle[:, :, None] - middle[:, None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (margins[:, :, None] * margins[:, None, :] * distance).sum(axis=(1, 2)) / (total - 1)
    ratio: FloatArray = np.divide(observed, expected, out=np.full_like(observed, np.nan), where=expected > 0)
    return 1 - ratio


def closest(ratings: Ratings, size: int) -> Closest | None:
    """Return the *size* annotators (2 or 3) with most sentences in common, as NCTTI reports them, or None."""
    judged = (~np.isnan(ratings.values)).astype(np.float32)  # float: a product of matrices of integers is slow
    common = 1
    groups: list[tuple[int, ...]] = []
    for lead in combinations(range(len(judged)), size - 2):
        shared = judged[:, judged[list(lead)].all(axis=0)]
        counts = np.triu(shared @ shared.T, 1)
        counts[: max(lead, default=-1) + 1] = 0  # those groups came with an earlier lead
        most = int(counts.max(initial=0))
        if most >= common:
            groups = groups if most == common else []
            common = most
            groups += [(*lead, int(second), int(third)) for second, third in np.argwhere(counts == most)]
    return Closest(tuple(ratings.annotators[place] for place in groups[0]), common, len(groups)) if groups else None


def icc(ratings: Ratings) -> Icc | None:
    """Return the intraclass correlations of *ratings*, None where fewer than two sentences have two judgements."""
    paired = (~np.isnan(ratings.values)).sum(axis=0) > 1
    table = ratings.values[:, paired].T
    if len(table) < 2:
        return None
    counts = (~np.isnan(table)).sum(axis=1)
    total, targets = counts.sum(), len(table)
    means = np.nanmean(table, axis=1)
    between = (counts * (means - np.nansum(table) / total) ** 2).sum() / (targets - 1)
    within = np.nansum((table - means[:, None]) ** 2) / (total - targets)
    raters = float((total - (counts**2).sum() / total) / (targets - 1))
    one = _ratio(between - within, between + (raters - 1) * within), _ratio(between - within, between)
    if np.isnan(table).any():
        return Icc(*one, raters)
    grand, judges_count = table.mean(), table.shape[1]
    judges = targets * ((table.mean(axis=0) - grand) ** 2).sum() / (judges_count - 1)
    rest = ((table - grand) ** 2).sum() - between * (targets - 1) - judges * (judges_count - 1)
    error = rest / ((targets - 1) * (judges_count - 1))
    excess, spread = between - error, between + (judges_count - 1) * error
    return Icc(
        *one,
        raters,
        _ratio(excess, spread + judges_count * (judges - error) / targets),
        _ratio(excess, between + (judges - error) / targets),
        _ratio(excess, spread),
        _ratio(excess, between),
    )


def _ratio(above: float, below: float) -> float | None:
    return float(above / below) if below > 0 else None


@dataclass(frozen=True, slots=True)
class Power:
    """Judgements needed to know every score to this standard error."""

    error: float
    per_sentence: int  # judgements of each sentence, for the score of the sentence
    more_sentences: int  # judgements still missing, over all sentences
    per_compound: int  # judgements of each of three sentences, for the score of the compound
    more_compounds: int  # judgements still missing, over all sentences


def within_sd(ratings: Ratings) -> float | None:
    """Return the standard deviation of judgements of the same sentence (pooled), None without any pair."""
    counts = (~np.isnan(ratings.values)).sum(axis=0)
    freedom = int(np.maximum(counts - 1, 0).sum())
    if freedom == 0:
        return None
    table = ratings.values[:, counts > 1]
    return math.sqrt(float(np.nansum((table - np.nanmean(table, axis=0)) ** 2)) / freedom)


def power(ratings: Ratings, *, targets: Sequence[float] = TARGETS, sentences: int = 3) -> list[Power]:
    """Return the judgements needed for each standard error of *targets*; a compound has this many *sentences*."""
    sd = within_sd(ratings)
    if sd is None:
        return []
    counts = (~np.isnan(ratings.values)).sum(axis=0)
    rows = []
    for error in targets:
        one, each = (max(1, math.ceil(round((sd / error) ** 2 / shared, 9))) for shared in (1, sentences))
        missing = [int(np.maximum(needed - counts, 0).sum()) for needed in (one, each)]
        rows.append(Power(error, one, missing[0], each, missing[1]))
    return rows
