"""Compare evaluations of one release: leaderboard, correlogram, and differences with intervals."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

import ncimp
from ncimp.evaluator import correlation, figures
from ncimp.evaluator.evaluation import MIN_RESAMPLES
from ncimp.evaluator.measures import CONTEXT_KINDS, FloatArray
from ncimp.evaluator.records import Comparison, CorrelogramCell, Difference, Document, LeaderboardLine
from ncimp.evaluator.results import Results, View, read_results
from ncimp.schemas import EvaluationError, UsageError

LEADING, AFFINITY, SCALED = "Sim_PWordsSyn_first", "A_Syn|WordsSyn_first", "SimR_PSyn"  # shown by the leaderboard
Block = tuple[View, str]  # a view and a measure


@dataclass(frozen=True, slots=True, eq=False)
class ComparedModel:
    """One evaluation as arrays over the compounds of a language in the order of their ids, NaN where missing."""

    name: str
    document: Document
    values: dict[Block, FloatArray]
    scores: dict[str, FloatArray]  # scores by language: human ones where any compound has one, else the expert class


def compare(folders: Sequence[Path], *, resamples: int = correlation.RESAMPLES) -> Comparison:
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
        if any(other.options.get(name) != first.options.get(name) for name in ("limit", "split")):
            what = f"{folders[0]} and {folder} are of different parts of the release (--limit, --split)"
            raise EvaluationError(what, fix="evaluate both on the same part")
    if not _common_blocks(models):
        raise EvaluationError("the evaluations have no language and level in common", fix="evaluate them alike")
    return Comparison(
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
    )


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
    return ComparedModel(results.document.signature.model.name, results.document, values, scores)


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


def leaderboard(models: Sequence[ComparedModel]) -> Iterator[LeaderboardLine]:
    """Yield each model by language, kind of contexts and level, best first.

    The best model meets most published predictions; among equals it misses fewest, then has the largest rho of
    `Sim_PWordsSyn_first`, then the first name.
    """

    def rank(line: LeaderboardLine) -> tuple[int, int, float, str]:
        return -line.met, line.not_met, np.inf if line.rho is None else -line.rho, line.model

    for view in dict.fromkeys(view for view, _measure in _common_blocks(models)):
        lines = sorted((_line(model, view) for model in models), key=rank)
        for place, line in enumerate(lines, start=1):
            yield replace(line, place=place)


def _line(model: ComparedModel, view: View) -> LeaderboardLine:
    document = model.document
    results = {row.measure: row for row in document.results if View.of(row) == view}
    outcomes = Counter(line.outcome for line in document.scorecard if line.published and View.of(line) == view)
    leading = results[LEADING]
    rhos = {name: getattr(leading, name) for name in ("rho", "low", "high", "n")}
    missing = sum(
        row.missing
        for row in document.missing
        if (row.lang, row.level) == (view.lang, view.level) and row.context in CONTEXT_KINDS[view.kind]
    )
    return LeaderboardLine(
        place=0,
        model=model.name,
        **view.columns,
        met=outcomes["met"],
        not_met=outcomes["not met"] + outcomes["reversed"],
        undecided=outcomes["undecided"],
        **rhos,
        affinity=results[AFFINITY].mean,
        scaled=results[SCALED].mean,
        missing=missing,
    )


def correlogram(models: Sequence[ComparedModel]) -> Iterator[CorrelogramCell]:
    """Yield Spearman's rho of each measure between each two models, over the compounds with a value in both."""
    for one, other in itertools.combinations(models, 2):
        for view, measure in _common_blocks([one, other]):
            values = np.array([one.values[view, measure], other.values[view, measure]])
            first, second = values[:, ~np.isnan(values).any(axis=0)]
            columns = {**view.columns, "measure": measure, "rho": correlation.plain_rho(first, second)}
            yield CorrelogramCell(first=one.name, second=other.name, **columns, n=len(first))


def differences(models: Sequence[ComparedModel], resamples: int) -> list[Difference]:
    """Return the difference of each two models in the mean and in rho of each measure, by paired bootstrap.

    Both are taken over the same compounds in every resample, so that what makes a compound hard for both cancels out.
    Holm's correction is over the pairs of models for the same figure. Over the whole file it could not be met: p of
    10,000 resamples is at least 0.0002, and there are hundreds of rows.
    """
    samplers: dict[tuple[str, bytes], correlation.RhoSampler] = {}
    rows: list[Difference] = []
    for block in dict.fromkeys(block for model in models for block in model.values):
        means, rhos = [], []
        # every pair with the same compounds shares the sample of a model
        rho = cache(partial(_rho_sample, block=block, samplers=samplers, resamples=resamples))
        for pair in itertools.combinations([model for model in models if block in model.values], 2):
            both = ~np.isnan([model.values[block] for model in pair]).any(axis=0)
            scored = both & ~np.isnan(pair[0].scores[block[0].lang])
            samples: Sequence[correlation.Sample | None] = (None, None)
            if both.sum() >= 2:
                samples = [next(correlation.mean_samples(model.values[block][None, both], resamples)) for model in pair]
            means.append(_difference(pair, block, "mean", samples, int(both.sum())))
            pair_rhos = [rho(model, scored.tobytes()) for model in pair]
            rhos.append(_difference(pair, block, "rho", pair_rhos, int(scored.sum())))
        corrected = zip(figures.holm_corrected(means), figures.holm_corrected(rhos), strict=True)
        rows += itertools.chain.from_iterable(corrected)
    return rows


def _rho_sample(
    model: ComparedModel,
    compounds: bytes,
    *,
    block: Block,
    samplers: dict[tuple[str, bytes], correlation.RhoSampler],
    resamples: int,
) -> correlation.Sample | None:
    """Return rho of *model* in *block* with the score, over the mask *compounds*; None where it is undefined."""
    lang, mask = block[0].lang, np.frombuffer(compounds, dtype=bool)
    rows = (model.values[block][mask], model.scores[lang][mask])
    values, score = (np.round(row, correlation.TIE_DECIMALS) for row in rows)
    if correlation.plain_rho(values, score) is None:
        return None
    if (lang, compounds) not in samplers:
        samplers[lang, compounds] = correlation.RhoSampler(score, resamples)
    return samplers[lang, compounds].sample(values)


def _difference(
    pair: Sequence[ComparedModel],
    block: Block,
    quantity: Literal["mean", "rho"],
    samples: Sequence[correlation.Sample | None],
    n: int,
) -> Difference:
    (view, measure), (first, second) = block, samples
    difference, low, high, p = None, None, None, None
    if first is not None and second is not None and n >= correlation.MIN_COMPOUNDS:
        resampled, left_out = first.resampled - second.resampled, first.left_out - second.left_out
        difference = first.value - second.value
        low, high = correlation.bca_interval(difference, resampled, left_out)
        p = correlation.bootstrap_p(difference, resampled, left_out)
    names = {"first": pair[0].name, "second": pair[1].name, **view.columns, "measure": measure}
    values: dict[str, Any] = {"first_value": first and first.value, "second_value": second and second.value}
    values |= {"difference": difference, "low": low, "high": high, "p": p, "p_holm": None}
    return Difference(**names, quantity=quantity, **values, n=n)
