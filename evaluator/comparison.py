"""Several evaluations of one release side by side: leaderboard, correlogram, and differences with intervals."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import ncimp
from ncimp.evaluator.correlation import MIN_COMPOUNDS, TIE_DECIMALS, plain_rho
from ncimp.evaluator.evaluation import MIN_RESAMPLES
from ncimp.evaluator.figures import holm_corrected
from ncimp.evaluator.measures import CONTEXT_KINDS, FloatArray
from ncimp.evaluator.records import Comparison, CorrelogramCell, Difference, LeaderboardLine, Result
from ncimp.evaluator.resampling import (
    RESAMPLES,
    SEED,
    MeanSamples,
    Reweighted,
    bca_interval,
    bootstrap_p,
    left_out_weights,
    resample_weights,
)
from ncimp.evaluator.results import Block, Stored, read_results
from ncimp.schemas.errors import EvaluationError, UsageError

LEADING, AFFINITY, SCALED = "Sim_PWordsSyn_first", "A_Syn|WordsSyn_first", "SimR_PSyn"
"""The measures that the leaderboard shows beside the predictions met."""


def compare(folders: Sequence[Path], *, resamples: int = RESAMPLES) -> Comparison:
    """Return the comparison of the evaluations in *folders*, or raise `EvaluationError` when their releases differ."""
    if len(folders) < 2:
        raise UsageError("one evaluation cannot be compared", fix="give two folders of results, or more")
    if resamples < MIN_RESAMPLES:
        raise UsageError(f"{resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    models = labelled([read_results(folder) for folder in folders], folders)
    _check_releases(models, folders)
    first = models[0].document.signature
    return Comparison(
        format=1,
        release=first.release,
        logical_sha256=first.logical_sha256,
        code_version=ncimp.__version__,
        resamples=resamples,
        seed=SEED,
        signatures=tuple(model.document.signature for model in models),
        leaderboard=tuple(leaderboard(models)),
        correlogram=tuple(correlogram(models)),
        differences=tuple(_corrected(differences(models, resamples))),
    )


def labelled(models: Sequence[Stored], folders: Sequence[Path]) -> list[Stored]:
    """Return *models* with names that differ: where two have the same, the names of their folders are added."""
    shared = Counter(model.name for model in models)
    named = [
        replace(model, name=f"{model.name} ({folder.absolute().name})") if shared[model.name] > 1 else model
        for model, folder in zip(models, folders, strict=True)
    ]
    twice = [name for name, count in Counter(model.name for model in named).items() if count > 1]
    if twice:
        raise UsageError(f"{twice[0]!r} is there twice", fix="give each folder once, or name the folders differently")
    return named


def _check_releases(models: Sequence[Stored], folders: Sequence[Path]) -> None:
    first = models[0].document.signature
    for model, folder in zip(models, folders, strict=True):
        other = model.document.signature
        if other.logical_sha256 != first.logical_sha256:
            what = (
                f"{folders[0]} is of release {first.release} (data {first.logical_sha256[:12]}), "
                f"{folder} of {other.release} (data {other.logical_sha256[:12]})"
            )
            raise EvaluationError(what, fix="evaluate both on the same release")
    if not _blocks(models):
        raise EvaluationError("the evaluations have no language and level in common", fix="evaluate them alike")


def _blocks(models: Sequence[Stored]) -> list[Block]:
    """Return the blocks that all of *models* have, in the order of the first."""
    return [block for block in models[0].values if all(block in model.values for model in models)]


def leaderboard(models: Sequence[Stored]) -> Iterator[LeaderboardLine]:
    """Yield each model by language, kind of contexts and level, best first.

    Best is who meets most of the published predictions; among equals who misses fewest, then whose rho of
    `Sim_PWordsSyn_first` is largest, then whose name comes first.
    """
    for block in dict.fromkeys(block[:3] for block in _blocks(models)):
        lines = sorted((_line(model, block) for model in models), key=_rank)
        for place, line in enumerate(lines, start=1):
            yield replace(line, place=place)


def _rank(line: LeaderboardLine) -> tuple[int, int, float, str]:
    return -line.met, line.not_met, np.inf if line.rho is None else -line.rho, line.model


def _line(model: Stored, block: tuple[str, str, str]) -> LeaderboardLine:
    document = model.document
    found = {row.measure: row for row in document.results if (row.lang, row.context_kind, row.level) == block}
    card = Counter(
        row.outcome for row in document.scorecard if row.published and (row.lang, row.context_kind, row.level) == block
    )
    leading: Result = found[LEADING]
    return LeaderboardLine(
        place=0,
        model=model.name,
        lang=leading.lang,
        context_kind=leading.context_kind,
        level=leading.level,
        met=card["met"],
        not_met=card["not met"],
        undecided=card["undecided"],
        rho=leading.rho,
        low=leading.low,
        high=leading.high,
        affinity=found[AFFINITY].mean,
        scaled=found[SCALED].mean,
        n=leading.n,
        missing=sum(
            row.missing
            for row in document.missing
            if (row.lang, row.level) == (leading.lang, leading.level)
            and row.context in CONTEXT_KINDS[leading.context_kind]
        ),
    )


def correlogram(models: Sequence[Stored]) -> Iterator[CorrelogramCell]:
    """Yield Spearman's rho of each measure between each two models, over the compounds that both have a value for."""
    for one, other in itertools.combinations(models, 2):
        for block in _blocks([one, other]):
            values = np.array([one.values[block], other.values[block]])
            first, second = values[:, ~np.isnan(values).any(axis=0)]
            lang, kind, level, measure = block
            yield CorrelogramCell(
                one.name, other.name, lang, kind, level, measure, plain_rho(first, second), len(first)
            )


@dataclass(frozen=True, slots=True)
class Sampled:
    """A quantity of one model: its value, in each resample, and with each compound left out in turn."""

    value: float | None
    drawn: FloatArray
    left_out: FloatArray


class Sampler:
    """Means and rhos over the same resamples of the same compounds, each computed once."""

    def __init__(self, resamples: int) -> None:
        self._resamples = resamples
        self._scores: dict[tuple[str, bytes], tuple[Reweighted, Reweighted, Reweighted]] = {}
        self._rhos: dict[tuple[Block, bytes, str], Sampled] = {}

    def mean(self, values: FloatArray) -> Sampled:
        """Return the mean of *values*, none of which is NaN."""
        if len(values) < 2:
            return Sampled(None, np.empty(0), np.empty(0))
        found = MeanSamples.of(values[None, :], self._resamples)
        return Sampled(float(found.mean[0]), found.drawn[0], found.left_out[0])

    def rho(self, model: Stored, block: Block, chosen: NDArray[np.bool_]) -> Sampled:
        """Return rho of *model* in *block* with the score, over the *chosen* compounds."""
        key = (block, chosen.tobytes(), model.name)
        if key not in self._rhos:
            if next(iter(self._rhos), key)[0] != block:
                self._rhos.clear()  # blocks come one after the other
            self._rhos[key] = self._sampled(model, block, chosen)
        return self._rhos[key]

    def _sampled(self, model: Stored, block: Block, chosen: NDArray[np.bool_]) -> Sampled:
        values, score = model.values[block][chosen], model.scores[block[0]][chosen]
        if plain_rho(values, score) is None:
            return Sampled(None, np.empty(0), np.empty(0))
        whole, drawn, left_out = self._reweighted(block[0], score, chosen)
        rounded = np.round(values, TIE_DECIMALS)
        return Sampled(float(whole.rho(rounded)[0]), drawn.rho(rounded), left_out.rho(rounded))

    def _reweighted(
        self, lang: str, score: FloatArray, chosen: NDArray[np.bool_]
    ) -> tuple[Reweighted, Reweighted, Reweighted]:
        key = (lang, chosen.tobytes())
        if key not in self._scores:
            n, rounded = len(score), np.round(score, TIE_DECIMALS)
            weights = (np.ones((n, 1)), resample_weights(n, self._resamples), left_out_weights(n))
            whole, drawn, left_out = (Reweighted.of(rounded, weight) for weight in weights)
            self._scores[key] = (whole, drawn, left_out)
        return self._scores[key]


def differences(models: Sequence[Stored], resamples: int) -> Iterator[Difference]:
    """Yield the difference of each two models in the mean and in rho of each measure, by paired bootstrap.

    Both are taken over the same compounds in every resample, so that what makes a compound hard for both cancels out.
    """
    sampler = Sampler(resamples)
    for block in dict.fromkeys(block for model in models for block in model.values):
        there = [model for model in models if block in model.values]
        for one, other in itertools.combinations(there, 2):
            both = ~np.isnan(one.values[block]) & ~np.isnan(other.values[block])
            means = [sampler.mean(model.values[block][both]) for model in (one, other)]
            yield _difference(one, other, block, "mean", means[0], means[1], int(both.sum()))
            scored = both & ~np.isnan(one.scores[block[0]])
            rhos = [sampler.rho(model, block, scored) for model in (one, other)]
            yield _difference(one, other, block, "rho", rhos[0], rhos[1], int(scored.sum()))


def _corrected(rows: Iterable[Difference]) -> Iterator[Difference]:
    """Yield *rows* with Holm's correction over the pairs of models for the same figure, in the same order.

    Over the whole file it could not be met: p of 10,000 resamples is at least 0.0002, and there are hundreds of rows.
    """

    def figure(row: Difference) -> tuple[str, ...]:
        return row.lang, row.context_kind, row.level, row.measure, row.quantity

    found = list(rows)
    families: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(found):
        families.setdefault(figure(row), []).append(place)
    for places in families.values():
        for place, row in zip(places, holm_corrected([found[place] for place in places]), strict=True):
            found[place] = row
    yield from found


def _difference(
    one: Stored, other: Stored, block: Block, quantity: Literal["mean", "rho"], first: Sampled, second: Sampled, n: int
) -> Difference:
    lang, kind, level, measure = block
    found, low, high, p = None, None, None, None
    if first.value is not None and second.value is not None and n >= MIN_COMPOUNDS:
        drawn, left_out = first.drawn - second.drawn, first.left_out - second.left_out
        found = first.value - second.value
        low, high = bca_interval(found, drawn, left_out)
        p = bootstrap_p(drawn)
    return Difference(
        first=one.name,
        second=other.name,
        lang=lang,
        context_kind=kind,
        level=level,
        measure=measure,
        quantity=quantity,
        first_value=first.value,
        second_value=second.value,
        difference=found,
        low=low,
        high=high,
        p=p,
        p_holm=None,
        n=n,
    )
