"""Controls of a result: shortcut baselines, partial correlations, and standardised vectors.

Shortcut baselines know nothing of meaning; a model has to beat them. `overlap` and `length` are similarities by
themselves; `random` gives every text a vector of its own, `bag of words` the counts of its tokens. All of them are
functions of the tokens of a release.

`ideal` is right by construction, from the classes of the pack: what it does not meet is no model's fault.

Partial rank correlations hold overlap, length or frequency constant. The overlap that belongs to a measure is the same
measure of the baseline `overlap`, at the same level and over the same contexts.

Standardised vectors have every dimension as a z-score, or only the few dimensions that cosines are mostly made of: a
few dimensions with large values can make up most of every cosine (Timkey and van Schijndel 2021).
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator import figures
from ncimp.evaluator.correlation import CONFIDENCE, MIN_COMPOUNDS, TIE_DECIMALS, Interval, plain_rho, rank
from ncimp.evaluator.figures import CLASS_SCORES, Figure, LanguageFigures, Level, cells_of
from ncimp.evaluator.measures import CONTEXT_KINDS, FloatArray, context_indices, mean_of_present, unit_rows
from ncimp.evaluator.records import LevelName, Partial, Standardised
from ncimp.evaluator.release import Compound, Item
from ncimp.evaluator.runtime import require
from ncimp.schemas import UsageError, keyed_hash

IDEAL = "ideal"  # the baseline that is a ceiling; the others are shortcuts
SHORTCUTS = ("overlap", "length", "random", "bag of words")
BASELINES = (IDEAL, *SHORTCUTS)
# to the ideal model: cosines of a compound with its word synonyms and with each component, by class, and how far the
# compounds of the class lie from them on either side
IDEAL_COSINES = dict(zip(CLASS_SCORES, ((0.1, 0.15, 0.2), (0.4, 0.62, 0.2), (0.95, 0.8, 0.05)), strict=True))
IDEAL_ORDER = 1e-6  # its synonyms are as near as this to the compound, and random words to a right angle
IDEAL_CARRIER = 0.7  # share of the carrier in the similarity of two of its sentences
RANDOM_DIMENSIONS = 128  # cosines of random vectors then have a standard deviation of 0.09
Tokens = tuple[str, ...]  # the tokens of an item at one level, in lower case


def level_tokens(item: Item, level: LevelName) -> Tokens:
    """Return the tokens of *item*: those of the sentence or of the span."""
    return item.tokens if level == "sentence" else item.tokens[slice(*item.token_span)]


def baseline_levels(part: LanguageFigures, level: LevelName) -> Iterator[tuple[str, Level]]:
    """Yield the name and the level of each of `BASELINES`."""
    grid = part.grid
    tokens = [tuple(token.lower() for token in level_tokens(item, level)) for item in part.items]
    bags = [Counter(words) for words in tokens]
    lengths = [sum(map(len, words)) + len(words) - 1 for words in tokens]
    norms = [math.sqrt(sum(count * count for count in bag.values())) for bag in bags]

    def overlap(one: int, other: int) -> float:
        return sum(min(count, bags[other][word]) for word, count in bags[one].items()) / len(tokens[one])

    def length(one: int, other: int) -> float:
        return min(lengths[one], lengths[other]) / max(lengths[one], lengths[other])

    def bag_of_words(one: int, other: int) -> float:
        product = sum(count * bags[other][word] for word, count in bags[one].items())
        return product / (norms[one] * norms[other])

    yield IDEAL, ideal_level(part, level)
    yield "overlap", _paired(level, grid, overlap)
    yield "length", _paired(level, grid, length)
    yield "random", figures.level_of(level, np.array([random_vector(words) for words in tokens]), grid)
    yield "bag of words", _paired(level, grid, bag_of_words)


def ideal_level(part: LanguageFigures, level: LevelName) -> Level:
    """Return the level of the ideal model, the same in every context."""
    words, component, width = np.array([IDEAL_COSINES[row.compound_class] for row in part.compounds]).T
    graded, synonym, random = (_even_places(part.compounds, salt) for salt in ("graded", "synonym", "random"))
    words, component = words + width * (2 * graded - 1), component + width * (2 * graded - 1)
    synonym, random = 1 - IDEAL_ORDER * synonym, IDEAL_ORDER * random
    cosines = np.column_stack([np.ones(len(words)), synonym, *[component] * 2, *[words] * 5, *[random] * 5])
    if level == "sentence":
        cosines = IDEAL_CARRIER + (1 - IDEAL_CARRIER) * cosines
    present = part.grid >= 0
    return Level(level, np.where(present & present[:, :, :1], cosines[:, None], np.nan), present)


def _even_places(compounds: Sequence[Compound], salt: str) -> FloatArray:
    """Return a place between 0 and 1 for each compound, evenly spaced in its class, in an order drawn by *salt*."""
    classes, drawn = np.array([(row.compound_class, keyed_hash(salt, row.id)) for row in compounds]).T
    alike = classes[:, None] == classes
    return np.asarray(((alike & (drawn[:, None] > drawn)).sum(axis=1) + 0.5) / alike.sum(axis=1))


def random_vector(tokens: Tokens) -> FloatArray:
    """Return the vector that belongs to *tokens*: bytes of a hash, centred, so the same on every machine."""
    digest = hashlib.shake_256("\x00".join(tokens).encode("utf-8")).digest(RANDOM_DIMENSIONS)
    return np.asarray(np.frombuffer(digest, dtype=np.uint8).astype(np.float64) - 127.5)


def _paired(level: LevelName, grid: NDArray[np.intp], similarity: Callable[[int, int], float]) -> Level:
    """Return the level of a *similarity* of two items by their places."""
    similarities = np.full(grid.shape, np.nan)
    for number, contexts in enumerate(grid.tolist()):
        for place, variants in enumerate(contexts):
            if variants[0] >= 0:
                row = [similarity(variants[0], other) if other >= 0 else math.nan for other in variants]
                similarities[number, place] = row
    return Level(level, similarities, grid >= 0)


COLLINEAR = 1e-9  # below this share of variance left, a variable counts as a function of the controls


def partial_rho(values: FloatArray, score: FloatArray, controls: FloatArray) -> tuple[float | None, int]:
    """Return Spearman's partial rho of two variables given *controls*, of shape (k, n), and how many of them vary.

    Controls are taken out one after the other (Pearson's recursion on the correlations of ranks). None where a side
    is constant or nothing but a function of the controls.
    """
    ranks = rank(np.asarray(np.round(np.vstack([values, score, controls]), TIE_DECIMALS), dtype=np.float64))
    deviations = ranks - (ranks.shape[1] + 1) / 2
    products = (deviations[:, None, :] * deviations[None, :, :]).sum(axis=2)
    total = products.diagonal().copy()
    varying = 0
    for control in range(2, len(products)):
        if products[control, control] > COLLINEAR * total[control]:
            column = products[:, control].copy()
            products = products - np.outer(column, column) / column[control]
            varying += 1
    if (products.diagonal()[:2] <= COLLINEAR * total[:2]).any():
        return None, varying
    rho = float(products[0, 1] / math.sqrt(products[0, 0] * products[1, 1]))
    return max(-1.0, min(1.0, rho)), varying


def significance(rho: float | None, n: int, controls: int) -> tuple[float | None, Interval]:
    """Return the two-sided p by the t distribution and the interval by Fisher's z, as for Pearson's partial r."""
    freedom = n - 2 - controls
    if rho is None or freedom < 2 or abs(rho) >= 1:
        return None, (None, None)
    stats = require("scipy.stats")
    p = float(2 * stats.t.sf(abs(rho) * math.sqrt(freedom / (1 - rho * rho)), freedom))
    reach = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) / math.sqrt(freedom - 1)
    return p, (math.tanh(math.atanh(rho) - reach), math.tanh(math.atanh(rho) + reach))


def partials_of(of_model: Sequence[Figure], overlap: Sequence[Figure], part: LanguageFigures) -> Iterator[Partial]:
    """Yield the partial correlations of *of_model*, with the figures of the baseline *overlap* in the same order."""
    score = figures.scores(part.compounds)[1]
    # mean number of tokens of the original sentences; NaN where there is none
    tokens = np.array([*(len(item.tokens) for item in part.items), np.nan])[part.grid[:, :, 0]]
    lengths = {kind: mean_of_present(tokens[:, context_indices(kind)]) for kind in CONTEXT_KINDS}
    frequency = np.array([np.nan if row.zipf is None else row.zipf for row in part.compounds])
    for figure, figure_overlap in zip(of_model, overlap, strict=True):
        scored = ~np.isnan(figure.values) & ~np.isnan(score)
        rows: dict[Any, list[FloatArray]] = {"overlap": [figure_overlap.values], "length": [lengths[figure.kind]]}
        rows |= {"frequency": [frequency], "all": [figure_overlap.values, lengths[figure.kind], frequency]}
        for name, columns in rows.items():
            controls = np.array(columns)
            controlled = scored & ~np.isnan(controls).any(axis=0)
            n = int(controlled.sum())
            rho, plain, varying = None, None, 0
            if n >= MIN_COMPOUNDS:
                values, own_score = figure.values[controlled], score[controlled]
                rho, varying = partial_rho(values, own_score, controls[:, controlled])
                plain = partial_rho(values, own_score, np.empty((0, n)))[0]
            p, (low, high) = significance(rho, n, varying)
            rhos: dict[str, Any] = {"rho": rho, "rho_plain": plain, "p": p, "p_holm": None, "low": low, "high": high}
            yield Partial(**figure.place, given=name, **rhos, n=n, missing=int(scored.sum()) - n)


TOP = re.compile(r"top-([1-9][0-9]*)")  # the name of the K dimensions that contribute most
Change = Callable[[NDArray[Any]], FloatArray]  # from vectors, one a row, to changed vectors


def check_method(method: str) -> None:
    """Raise `UsageError` unless *method* is `z-score` or `top-K`."""
    if method != "z-score" and not TOP.fullmatch(method):
        raise UsageError(f"unknown standardisation {method!r}", fix="give z-score, or top-K such as top-10")


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
    largest = np.sort(np.argsort(-contribution, kind="stable")[:k])
    return lambda rows: rows[:, largest].astype(np.float64)


def contributions(vectors: NDArray[Any], grid: NDArray[np.intp]) -> FloatArray:
    """Return the mean share of each dimension in the cosines of all pairs; their sum is the mean cosine."""
    total, count = np.zeros(vectors.shape[1]), 0
    for context in range(grid.shape[1]):
        originals = unit_rows(cells_of(vectors, grid[:, context, 0]))
        for variant in range(1, grid.shape[2]):
            products = originals * unit_rows(cells_of(vectors, grid[:, context, variant]))
            present = ~np.isnan(products).any(axis=1)
            total += products[present].sum(axis=0)
            count += int(present.sum())
    return total / max(count, 1)


def standardised_rows(
    method: str,
    before: Sequence[Figure],
    vectors: dict[LevelName, NDArray[Any]],
    grid: NDArray[np.intp],
    compounds: Sequence[Compound],
) -> Iterator[Standardised]:
    """Yield mean and rho of each figure *before* and after *method* changes the *vectors* of its level."""
    model, lang = before[0].measured.model, before[0].measured.lang
    top = TOP.fullmatch(method)
    changed = []
    for name, rows in vectors.items():
        change = top_dimensions(rows, grid, int(top[1])) if top else z_score(rows, grid)
        changed.append(figures.level_of(name, rows, grid, change))
    after = figures.figures_of(figures.measured_levels(model, lang, changed))
    score = figures.scores(compounds)[1]
    for one, other in zip(before, after, strict=True):
        both = ~np.isnan(one.values) & ~np.isnan(other.values) & ~np.isnan(score)
        values = {"before": one.values[both], "after": other.values[both]}
        columns: dict[str, Any] = {f"mean_{name}": figures.mean(row) for name, row in values.items()}
        columns |= {f"rho_{name}": plain_rho(row, score[both]) for name, row in values.items()}
        columns["rho_between"] = plain_rho(values["before"], values["after"])
        yield Standardised(method=method, **one.place, **columns, n=int(both.sum()))
