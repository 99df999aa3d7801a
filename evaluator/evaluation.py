"""Every figure of a release under one source of vectors: by item, by sentence, by compound, and over compounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ncimp
from ncimp.evaluator.correlation import Correlation, correlate, holm
from ncimp.evaluator.grid import Level, item_grid, levels
from ncimp.evaluator.measures import (
    CONTEXT_KINDS,
    CONTEXTS,
    MEASURES,
    VARIANTS,
    ContextKind,
    FloatArray,
    Measure,
    compound_values,
    missing_count,
    sentence_values,
)
from ncimp.evaluator.records import Document, Missing, Model, Result, Score, Signature
from ncimp.evaluator.release import Compound, Item, Release
from ncimp.evaluator.resampling import RESAMPLES, SEED
from ncimp.evaluator.vectors import VectorSource
from ncimp.schemas.errors import UsageError

CLASS_SCORES = {"idiomatic": 0.0, "partly_compositional": 1.0, "compositional": 2.0}
"""The expert class as an ordinal score, in the direction of the human one."""

MIN_RESAMPLES = 100
"""With fewer, the ends of a 95 % interval are single resamples."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose: languages (all of the release when None) and the number of bootstrap resamples."""

    languages: tuple[str, ...] | None = None
    resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True)
class Language:
    """The part of a release in one language: items and compounds in the order of their ids, and the grid of both."""

    code: str
    items: tuple[Item, ...]
    compounds: tuple[Compound, ...]
    grid: Any
    """Where in `items` each cell of (N, 5, 14) is, -1 where the release lacks it."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure of one level in one language: its value by sentence, shape (N, 5), NaN where missing."""

    model: str
    lang: str
    level: Level
    measure: Measure
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures, and the values they are over."""

    document: Document
    languages: tuple[Language, ...]
    measured: tuple[Measured, ...]


def evaluate_source(release: Release, source: VectorSource, *, model: Model, options: Options) -> Evaluation:
    """Return all figures of *release* under the vectors of *source*, which *model* describes."""
    languages = tuple(language_part(release, code) for code in _languages(release, options))
    measured = tuple(one for part in languages for one in _measured(part, model.name, source))
    results = corrected(
        [row for part in languages for kind in CONTEXT_KINDS for row in _block(release, measured, part, kind, options)]
    )
    document = Document(
        format=1,
        signature=_signature(release, model, languages, options),
        results=results,
        scorecard=(),
        distributions=(),
        baselines=(),
        baseline_scorecard=(),
        partial=(),
        overlap_free=(),
        standardised=(),
        experiments=(),
        missing=tuple(_missing(languages, measured)),
        notes=(),
    )
    return Evaluation(document, languages, measured)


def language_part(release: Release, code: str) -> Language:
    """Return the part of *release* in the language *code*."""
    items = tuple(item for item in release.items if item.lang == code)
    compounds = tuple(row for row in release.compounds if row.lang == code)
    return Language(code, items, compounds, item_grid(items, compounds))


def _languages(release: Release, options: Options) -> tuple[str, ...]:
    if options.resamples < MIN_RESAMPLES:
        raise UsageError(f"{options.resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    wanted = release.languages if options.languages is None else options.languages
    for lang in wanted:
        if lang not in release.languages:
            fix = f"choose among {', '.join(release.languages)}"
            raise UsageError(f"the release has no language {lang!r}", fix=fix)
    return tuple(lang for lang in release.languages if lang in wanted)


def _measured(part: Language, model: str, source: VectorSource) -> Iterator[Measured]:
    for level in levels(source, part.items, part.grid):
        for measure in MEASURES:
            yield Measured(model, part.code, level, measure, sentence_values(measure, level.similarity))


def _block(
    release: Release, measured: Sequence[Measured], part: Language, kind: ContextKind, options: Options
) -> Iterator[Result]:
    """Yield the figures of one language and context kind, over the compounds that have both a value and a score."""
    name, score = scores(part.compounds)
    chosen = [one for one in measured if one.lang == part.code]
    values = np.array([compound_values(one.values, kind) for one in chosen])
    figures = correlate(values, score, resamples=options.resamples)
    for one, row, figure in zip(chosen, values, figures, strict=True):
        missing = missing_count(one.measure, one.level.similarity, one.level.present, kind)
        mean = _mean(row[~np.isnan(row) & ~np.isnan(score)])
        yield _result(release, one, kind, figure, mean=mean, missing=missing, score=name)


def scores(compounds: Sequence[Compound]) -> tuple[Score, FloatArray]:
    """Return the human scores where any compound has one (NaN where one has not), else the expert classes."""
    human = np.array([np.nan if compound.comp is None else compound.comp for compound in compounds])
    if not np.isnan(human).all():
        return "human", human
    return "expert_class", np.array([CLASS_SCORES[compound.compound_class] for compound in compounds])


def _mean(values: FloatArray) -> float | None:
    return float(values.mean()) if len(values) else None


def _result(
    release: Release,
    one: Measured,
    kind: ContextKind,
    figure: Correlation,
    *,
    mean: float | None,
    missing: int,
    score: Score,
) -> Result:
    return Result(
        release=release.version,
        model=one.model,
        lang=one.lang,
        context_kind=kind,
        level=one.level.name,
        measure=one.measure.name,
        mean=mean,
        rho=figure.rho,
        p=figure.p,
        p_holm=None,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        missing=missing,
        score=score,
    )


def corrected(rows: Sequence[Result]) -> tuple[Result, ...]:
    """Return *rows* with Holm's correction over all of them."""
    adjusted = holm([row.p for row in rows])
    return tuple(replace(row, p_holm=p) for row, p in zip(rows, adjusted, strict=True))


def _missing(languages: Sequence[Language], measured: Sequence[Measured]) -> Iterator[Missing]:
    """Yield the kinds of items of which some have no vector."""
    for part in languages:
        for level in dict.fromkeys(one.level.name for one in measured if one.lang == part.code):
            present = next(one.level.present for one in measured if (one.lang, one.level.name) == (part.code, level))
            for (context, variant), lacking in np.ndenumerate((~present).sum(axis=0)):
                if lacking:
                    cell = (CONTEXTS[context], VARIANTS[variant])
                    yield Missing(part.code, level, *cell, items=len(part.compounds), missing=int(lacking))


def _signature(release: Release, model: Model, languages: Sequence[Language], options: Options) -> Signature:
    chosen = {"languages": [part.code for part in languages], "resamples": options.resamples}
    return Signature(release.version, release.logical_sha256, model, chosen, SEED, ncimp.__version__)
