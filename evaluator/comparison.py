"""Compare evaluations of one release: leaderboard, correlogram, and differences with intervals."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

import ncimp
from ncimp.evaluator import correlation, figures, records
from ncimp.evaluator.answers import suite_differences
from ncimp.evaluator.controls import IDEAL
from ncimp.evaluator.correlation import CONFIDENCE, TIE_DECIMALS
from ncimp.evaluator.evaluation import MIN_RESAMPLES
from ncimp.evaluator.measures import CONTEXT_KINDS, FloatArray
from ncimp.evaluator.results import Results, View, read_answers, read_results
from ncimp.evaluator.scorecard import PREDICTIONS, PUBLISHED, attainable, judge_level, judge_rho
from ncimp.schemas import EvaluationError, UsageError

LEADING, AFFINITY, SCALED = "Sim_PWordsSyn_first", "A_Syn|WordsSyn_first", "SimR_PSyn"  # shown by the leaderboard
ENOUGH = 10  # resamples beyond zero from which on p is not made finer
PAGE_SHARE = 100  # further resamples for each difference of the page: if none is beyond zero, p by Holm is .02
DRAWN = 10_000  # further resamples at a time
# options that need not be alike; those of fine-tuning are compared as they are
NEUTRAL = ("languages", "standardise", "experiments", "fine_tune")
PLACED = 1_000  # resamples in which models are placed again
Block = tuple[View, str]  # a view and a measure
Row = TypeVar("Row", bound=Any)


@dataclass(frozen=True, slots=True, eq=False)
class ComparedModel:
    """One evaluation as arrays over the compounds of a language in the order of their ids, NaN where missing."""

    name: str
    document: records.Document
    values: dict[Block, FloatArray]
    scores: dict[str, FloatArray]  # scores by language: human ones where any compound has one, else the classes
    classes: dict[str, NDArray[np.str_]]  # classes of the pack by language


def compare(folders: Sequence[Path], *, resamples: int = correlation.RESAMPLES) -> records.Comparison:
    """Return the comparison of the evaluations in *folders*, or raise `EvaluationError` when their releases differ."""
    if len(folders) < 2:
        raise UsageError("one evaluation cannot be compared", fix="give two folders of results, or more")
    if resamples < MIN_RESAMPLES:
        raise UsageError(f"{resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    models = labelled([model_values(read_results(folder)) for folder in folders], folders)
    signatures = tuple(model.document.signature for model in models)
    first = signatures[0]
    for folder, other in zip(folders, signatures, strict=True):
        if other.logical_sha256 != first.logical_sha256:
            what = (
                f"{folders[0]} is of release {first.release} (data {first.logical_sha256[:12]}), "
                f"{folder} of {other.release} (data {other.logical_sha256[:12]})"
            )
            raise EvaluationError(what, fix="evaluate both on the same release")
        one, another = _rules(first), _rules(other)
        for name in [name for name in one | another if one.get(name) != another.get(name)]:
            words = [f"with {name} {rules[name]}" if name in rules else f"without {name}" for rules in (one, another)]
            what = f"{folders[0]} was judged {words[0]}, {folder} {words[1]}"
            raise EvaluationError(what, fix="evaluate both alike")
    answers = {model.name: read_answers(folder, model.document) for model, folder in zip(models, folders, strict=True)}
    suites = tuple(suite_differences(answers, resamples=resamples))
    if not suites and not _common_blocks(models):
        raise EvaluationError("the evaluations have no language and level in common", fix="evaluate them alike")
    return records.Comparison(
        format=1,
        release=first.release,
        logical_sha256=first.logical_sha256,
        code_version=ncimp.__version__,
        resamples=resamples,
        seed=correlation.SEED,
        signatures=signatures,
        leaderboard=tuple(leaderboard(models)),
        correlogram=tuple(correlogram(models)),
        differences=tuple(differences(models, resamples)),
        suites=suites,
    )


def _rules(signature: records.Signature) -> dict[str, object]:
    """Return what outcomes depend on beside the release and the vectors."""
    options = {f"--{name}": value for name, value in signature.options.items() if name not in NEUTRAL}
    return {"code": signature.code_version} | options


def model_values(results: Results) -> ComparedModel:
    """Return the values and scores of *results* as arrays."""
    ids: dict[str, list[str]] = {}
    for key, facts in results.facts.items():
        ids.setdefault(facts.lang, []).append(key)
    values = {
        (view, measure): np.array([by_compound.get(key, np.nan) for key in ids[view.lang]])
        for (view, measure), by_compound in results.values.items()
    }
    scores = {lang: figures.scores([results.facts[key] for key in keys])[1] for lang, keys in ids.items()}
    classes = {lang: np.array([results.facts[key].compound_class for key in keys]) for lang, keys in ids.items()}
    return ComparedModel(results.document.signature.model.name, results.document, values, scores, classes)


def labelled(models: Sequence[ComparedModel], folders: Sequence[Path]) -> list[ComparedModel]:
    """Return *models* with distinct names: equal ones get the names of their folders added."""
    counts = Counter(model.name for model in models)
    renamed = [
        replace(model, name=f"{model.name} ({folder.absolute().name})") if counts[model.name] > 1 else model
        for model, folder in zip(models, folders, strict=True)
    ]
    duplicates = [name for name, count in Counter(model.name for model in renamed).items() if count > 1]
    if duplicates:
        fix = "give each folder once, or name the folders differently"
        raise UsageError(f"{duplicates[0]!r} is there twice", fix=fix)
    return renamed


def _common_blocks(models: Sequence[ComparedModel]) -> list[Block]:
    """Return the blocks that all *models* have, in the order of the first."""
    return [block for block in models[0].values if all(block in model.values for model in models)]


def leaderboard(models: Sequence[ComparedModel]) -> Iterator[records.LeaderboardLine]:
    """Yield each model by language, kind of contexts and level, best first, and last the ideal model.

    The best model meets most published predictions; among equals it misses fewest, then has the largest rho of
    `Sim_PWordsSyn_first`, then the first name.
    """

    def rank(line: records.LeaderboardLine) -> tuple[int, int, float, str]:
        return -line.met, line.not_met, np.inf if line.rho is None else -line.rho, line.model

    document = models[0].document
    tables: dict[str, Any] = {"results": document.baselines, "scorecard": document.baseline_scorecard}
    of_ideal: dict[str, Any] = {name: tuple(row for row in rows if row.model == IDEAL) for name, rows in tables.items()}
    ideal = replace(models[0], name=IDEAL, document=replace(document, **of_ideal, missing=()))
    for view in dict.fromkeys(view for view, _measure in _common_blocks(models)):
        ranked = sorted(((_line(model, view), model) for model in models), key=lambda pair: rank(pair[0]))
        standings = np.array([_standings(model, view) for _line, model in ranked])
        # the first place that a model has in a resample, and the last, which it shares with its equals
        firsts, lasts = (
            np.sum(beats(standings, standings[:, None]), axis=1) for beats in (np.greater, np.greater_equal)
        )
        for place, (line, _model) in enumerate(ranked, start=1):
            low = np.quantile(firsts[place - 1] + 1, (1 - CONFIDENCE) / 2, method="inverted_cdf")
            high = np.quantile(lasts[place - 1], (1 + CONFIDENCE) / 2, method="inverted_cdf")
            yield replace(line, place=place, place_low=min(int(low), place), place_high=max(int(high), place))
        yield _line(ideal, view)


def _standings(model: ComparedModel, view: View) -> FloatArray:
    """Return what *model* is placed by, as one number, in resamples of the compounds, the same for all models.

    The interval behind each outcome of the scorecard moves with its estimate; p and the deciding class stay.
    """
    score, classes = model.scores[view.lang], model.classes[view.lang]
    weights = correlation.resample_weights(len(score), PLACED)
    p_holm = {row.measure: row.p_holm for row in _of(model.document.results, view)}

    def estimates(measure: str, class_name: str | None) -> FloatArray:
        values = np.round(model.values[view, measure], TIE_DECIMALS)
        there = ~np.isnan(values) & (~np.isnan(score) if class_name is None else classes == class_name)
        values, drawn = values[there], weights[there]
        if class_name is None:
            return correlation.Reweighted(np.round(score[there], TIE_DECIMALS), drawn).rho(values)
        return np.asarray((values[:, None] * drawn).sum(axis=0) / np.maximum(drawn.sum(axis=0), 1))

    # so far apart that the next decides only among equals
    standings = np.nan_to_num(estimates(LEADING, None), nan=-1)
    for line in attainable(_of(model.document.scorecard, view)):
        shifts = np.nan_to_num(estimates(line.measure, line.compound_class) - (line.effect or 0.0))
        outcomes = [_outcome(line, shift, p_holm[line.measure]) for shift in shifts.tolist()]
        standings += [{"met": 1e4, "undecided": 0}.get(outcome, -1e2) for outcome in outcomes]
    return standings


def _outcome(line: records.ScorecardLine, shift: float, p_holm: float | None) -> records.Outcome:
    """Return the outcome of *line* when its estimate and its interval lie higher by *shift*."""
    if line.effect is None or line.low is None or line.high is None:
        return line.outcome
    effect, low, high = (value + shift for value in (line.effect, line.low, line.high))
    prediction = next(prediction for prediction in PREDICTIONS if line.measure == prediction.published)
    if line.aspect == "correlation":
        return judge_rho(prediction.rho, low, high, 1.0 if p_holm is None else p_holm)
    levels = prediction.sign if line.aspect == "sign" else prediction.levels
    rule = next(rule for rule, names in levels if line.compound_class in names)
    return judge_level(rule, effect, low, high).outcome


def _of(rows: Iterable[Row], view: View) -> list[Row]:
    return [row for row in rows if View.of(row) == view]


def _line(model: ComparedModel, view: View) -> records.LeaderboardLine:
    document = model.document
    results = {row.measure: row for row in _of(document.results, view)}
    published = [line for line in _of(document.scorecard, view) if line.published]
    outcomes = Counter(line.outcome for line in attainable(published))
    leading = results[LEADING]
    rhos = {name: getattr(leading, name) for name in ("rho", "low", "high", "n")}
    missing = sum(
        row.missing
        for row in document.missing
        if (row.lang, row.level) == (view.lang, view.level) and row.context in CONTEXT_KINDS[view.kind]
    )
    return records.LeaderboardLine(
        place=0,
        place_low=0,
        place_high=0,
        model=model.name,
        **view.columns,
        met=outcomes["met"],
        not_met=outcomes["not met"] + outcomes["reversed"],
        undecided=outcomes["undecided"],
        apart=len(published) - outcomes.total(),
        **rhos,
        affinity=results[AFFINITY].mean,
        scaled=results[SCALED].mean,
        missing=missing,
    )


def correlogram(models: Sequence[ComparedModel]) -> Iterator[records.CorrelogramCell]:
    """Yield Spearman's rho of each measure between each two models, over the compounds with a value in both."""
    for one, other in itertools.combinations(models, 2):
        for view, measure in _common_blocks([one, other]):
            values = np.array([one.values[view, measure], other.values[view, measure]])
            first, second = values[:, ~np.isnan(values).any(axis=0)]
            columns = {**view.columns, "measure": measure, "rho": correlation.plain_rho(first, second)}
            yield records.CorrelogramCell(first=one.name, second=other.name, **columns, n=len(first))


class Quantity(NamedTuple):
    """The mean of a block, or its rho with the score, over the compounds of a mask."""

    block: Block
    name: Literal["mean", "rho"]
    mask: bytes


Pair = tuple[ComparedModel, ComparedModel]
Samples = Sequence[correlation.Sample | None]  # of both models of a pair; None where the quantity is undefined


def differences(models: Sequence[ComparedModel], resamples: int) -> list[records.Difference]:
    """Return the difference of each two models in the mean and in rho of each measure, by paired bootstrap.

    Both are taken over the same compounds in every resample, so that what makes a compound hard for both cancels out.
    Holm's correction is over all differences of the published measures, which the page shows; the others are a family
    of their own. Where few resamples of a published one lie beyond 0, p is from as many more as that correction needs.
    """
    contrasts = list(_contrasts(models))

    def draw(count: int, seed: int) -> Callable[[ComparedModel, Quantity], correlation.Sample | None]:
        # every pair with the same compounds shares the sample of a model
        return lru_cache(len(models) ** 2)(partial(_sample, samplers={}, resamples=count, seed=seed))

    sample = draw(resamples, correlation.SEED)
    rows = [_difference(pair, quantity, [sample(model, quantity) for model in pair]) for pair, quantity in contrasts]
    page = [place for place, row in enumerate(rows) if row.measure in PUBLISHED and row.p is not None]
    beyond = {place: 0 for place in page if (rows[place].p or 0) * (resamples + 1) < 2 * ENOUGH}
    for further in range(1, 1 + math.ceil(len(page) * PAGE_SHARE / DRAWN)):
        sample = draw(DRAWN, correlation.SEED + further)
        for place in [place for place, count in beyond.items() if count < ENOUGH]:
            pair, quantity = contrasts[place]
            beyond[place] += _beyond_zero([sample(model, quantity) for model in pair])
            rows[place] = replace(rows[place], p=min(1.0, 2 * (beyond[place] + 1) / (further * DRAWN + 1)))
    for shown in (True, False):
        family = [place for place, row in enumerate(rows) if (row.measure in PUBLISHED) is shown]
        for place, p_holm in zip(family, correlation.holm([rows[place].p for place in family]), strict=True):
            rows[place] = replace(rows[place], p_holm=p_holm)
    return rows


def _contrasts(models: Sequence[ComparedModel]) -> Iterator[tuple[Pair, Quantity]]:
    for block in dict.fromkeys(block for model in models for block in model.values):
        pairs = list(itertools.combinations([model for model in models if block in model.values], 2))
        masks = [~np.isnan([model.values[block] for model in pair]).any(axis=0) for pair in pairs]
        yield from ((pair, Quantity(block, "mean", mask.tobytes())) for pair, mask in zip(pairs, masks, strict=True))
        for pair, mask in zip(pairs, masks, strict=True):
            yield pair, Quantity(block, "rho", (mask & ~np.isnan(pair[0].scores[block[0].lang])).tobytes())


def _sample(
    model: ComparedModel, quantity: Quantity, *, samplers: dict[Any, correlation.RhoSampler], resamples: int, seed: int
) -> correlation.Sample | None:
    """Return *quantity* of *model*, None where it is undefined."""
    (block, name, compounds), lang = quantity, quantity.block[0].lang
    mask = np.frombuffer(compounds, dtype=bool)
    values, score = (np.round(row[mask], TIE_DECIMALS) for row in (model.values[block], model.scores[lang]))
    if name == "mean":
        return next(correlation.mean_samples(values[None], resamples, seed=seed)) if len(values) >= 2 else None
    if correlation.plain_rho(values, score) is None:
        return None
    if (lang, compounds) not in samplers:
        samplers[lang, compounds] = correlation.RhoSampler(score, resamples, seed=seed)
    return samplers[lang, compounds].sample(values)


def _beyond_zero(samples: Samples) -> int:
    """Return in how many resamples the difference of both is 0 or has the other sign."""
    first, second = samples
    if first is None or second is None:
        return 0
    return int(((first.resampled - second.resampled) * (first.value - second.value) <= 0).sum())


def _difference(pair: Pair, quantity: Quantity, samples: Samples) -> records.Difference:
    (view, measure), (first, second), n = quantity.block, samples, sum(quantity.mask)
    difference, low, high, p = None, None, None, None
    if first is not None and second is not None and n >= correlation.MIN_COMPOUNDS:
        resampled, left_out = first.resampled - second.resampled, first.left_out - second.left_out
        difference = first.value - second.value
        low, high = correlation.bca_interval(difference, resampled, left_out)
        p = correlation.bootstrap_p(difference, resampled, left_out)
    names = {"first": pair[0].name, "second": pair[1].name, **view.columns, "measure": measure}
    values: dict[str, Any] = {"first_value": first and first.value, "second_value": second and second.value}
    values |= {"difference": difference, "low": low, "high": high, "p": p, "p_holm": None}
    return records.Difference(**names, quantity=quantity.name, **values, n=n)
