"""Every measure of a release under one set of vectors: by sentence, by compound, and over compounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

import ncimp
from ncimp.evaluator.correlation import RESAMPLES, SEED, Correlation, correlate, holm
from ncimp.evaluator.grid import Level, LevelName, levels
from ncimp.evaluator.measures import (
    CONTEXT_KINDS,
    MEASURES,
    FloatArray,
    Measure,
    compound_values,
    missing_count,
    sentence_values,
)
from ncimp.evaluator.release import Compound, Release
from ncimp.evaluator.vectors import Opened, VectorSource, open_file
from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import Row

CLASS_SCORES = {"idiomatic": 0.0, "partly_compositional": 1.0, "compositional": 2.0}
"""The expert class as an ordinal score, in the direction of the human one."""

MIN_RESAMPLES = 100
"""With fewer, the ends of a 95 % interval are single resamples."""

ScoreName = Literal["human", "expert_class"]
"""What rho is with."""


@dataclass(frozen=True, slots=True)
class Result:
    """One figure of an evaluation: one row of `result.schema.json`."""

    release: str
    vectors: str
    lang: str
    context_kind: str
    level: LevelName
    measure: str
    mean: float | None
    rho: float | None
    p: float | None
    p_holm: float | None
    low: float | None
    high: float | None
    n: int
    missing: int
    score: ScoreName


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose: languages (all of the release when None) and the number of bootstrap resamples."""

    languages: tuple[str, ...] | None = None
    resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure of one level in one language: its value by sentence, shape (N, 5), NaN where missing."""

    lang: str
    level: Level
    measure: Measure
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures, what they are over, and what produced them."""

    signature: Row
    results: tuple[Result, ...]
    compounds: dict[str, tuple[Compound, ...]]
    measured: tuple[Measured, ...]


def evaluate(release: Release, vectors: Path | Opened, *, options: Options) -> Evaluation:
    """Return all measures of *release* under *vectors*, a file or opened, with Holm's correction over all."""
    languages = _languages(release, options)
    opened = open_file(vectors, release.items) if isinstance(vectors, Path) else vectors
    compounds = {lang: tuple(row for row in release.compounds if row.lang == lang) for lang in languages}
    measured = tuple(_measured(release, compounds, opened.source))
    results = [
        row
        for lang in languages
        for kind in CONTEXT_KINDS
        for row in _block(release, opened.name, [m for m in measured if m.lang == lang], compounds[lang], kind, options)
    ]
    adjusted = holm([row.p for row in results])
    corrected = tuple(replace(row, p_holm=p) for row, p in zip(results, adjusted, strict=True))
    return Evaluation(_signature(release, opened, languages, options), corrected, compounds, measured)


def _languages(release: Release, options: Options) -> tuple[str, ...]:
    if options.resamples < MIN_RESAMPLES:
        raise UsageError(f"{options.resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    wanted = release.languages if options.languages is None else options.languages
    for lang in wanted:
        if lang not in release.languages:
            fix = f"choose among {', '.join(release.languages)}"
            raise UsageError(f"the release has no language {lang!r}", fix=fix)
    return tuple(lang for lang in release.languages if lang in wanted)


def _measured(release: Release, compounds: dict[str, tuple[Compound, ...]], source: VectorSource) -> Iterator[Measured]:
    for lang, rows in compounds.items():
        items = [item for item in release.items if item.lang == lang]
        for level in levels(source, items, rows):
            for measure in MEASURES:
                yield Measured(lang, level, measure, sentence_values(measure, level.similarity))


def _block(
    release: Release,
    vectors: str,
    measured: Sequence[Measured],
    compounds: Sequence[Compound],
    kind: str,
    options: Options,
) -> Iterator[Result]:
    """Yield the figures of one language and context kind, over the compounds that have both a value and a score."""
    name, score = scores(compounds)
    values = np.array([compound_values(one.values, kind) for one in measured])
    figures = correlate(values, score, resamples=options.resamples)
    for one, row, figure in zip(measured, values, figures, strict=True):
        missing = missing_count(one.measure, one.level.similarity, one.level.present, kind)
        mean = _mean(row[~np.isnan(row) & ~np.isnan(score)])
        yield _result(release, vectors, one, kind, figure, mean=mean, missing=missing, score=name)


def scores(compounds: Sequence[Compound]) -> tuple[ScoreName, FloatArray]:
    """Return the human scores where any compound has one (NaN where one has not), else the expert classes."""
    human = np.array([np.nan if compound.comp is None else compound.comp for compound in compounds])
    if not np.isnan(human).all():
        return "human", human
    return "expert_class", np.array([CLASS_SCORES[compound.compound_class] for compound in compounds])


def _mean(values: FloatArray) -> float | None:
    return float(values.mean()) if len(values) else None


def _result(
    release: Release,
    vectors: str,
    one: Measured,
    kind: str,
    figure: Correlation,
    *,
    mean: float | None,
    missing: int,
    score: ScoreName,
) -> Result:
    return Result(
        release=release.version,
        vectors=vectors,
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


def _signature(release: Release, vectors: Opened, languages: tuple[str, ...], options: Options) -> Row:
    return {
        "release": release.version,
        "logical_sha256": release.logical_sha256,
        "vectors": {"name": vectors.name, "sha256": vectors.sha256, **vectors.options},
        "options": {"languages": list(languages), "resamples": options.resamples},
        "seed": SEED,
        "code_version": ncimp.__version__,
    }
