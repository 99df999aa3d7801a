"""Evaluate vectors on a release: every figure by item, by sentence, by compound, and over compounds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ncimp
from ncimp.evaluator.controls import baseline_levels, check_method, partials_of, standardised_rows
from ncimp.evaluator.correlation import PERMUTATIONS_PER_RESAMPLE
from ncimp.evaluator.experiments import experiments_of, note_on
from ncimp.evaluator.figures import (
    Figure,
    LanguageFigures,
    Measured,
    distributions_of,
    figures_of,
    holm_corrected,
    item_grid,
    level_of,
    measured_levels,
    results_of,
)
from ncimp.evaluator.measures import CONTEXTS, VARIANTS
from ncimp.evaluator.records import (
    Distribution,
    Document,
    Experiment,
    LevelName,
    Missing,
    Model,
    Partial,
    Result,
    Signature,
    Standardised,
)
from ncimp.evaluator.release import Release, read_release
from ncimp.evaluator.resampling import RESAMPLES, SEED
from ncimp.evaluator.runtime import hand_back
from ncimp.evaluator.scorecard import scorecard
from ncimp.evaluator.vectors import BATCH, Encode, EncodedVectors, VectorSource, check_release, checked_vectors
from ncimp.schemas.errors import UsageError

MIN_RESAMPLES = 100  # with fewer, the ends of a 95 % interval are single resamples

BASELINE_SHARE = 5
"""The four baselines get this part of the resamples: they are landmarks, and take as long as the model together."""


@dataclass(frozen=True, slots=True)
class Options:
    """Languages (all of the release when None), bootstrap resamples, standardisations, and the experiments of NCTTI."""

    languages: tuple[str, ...] | None = None
    resamples: int = RESAMPLES
    standardise: tuple[str, ...] = ()
    experiments: bool = False


@dataclass(frozen=True, slots=True)
class EvaluationPart:
    """One language: its measures, those of the shortcut baselines, and the further figures."""

    language: LanguageFigures
    measured: tuple[Measured, ...]
    figures: tuple[Figure, ...]
    baselines: tuple[Figure, ...]
    standardised: tuple[Standardised, ...]
    experiments: tuple[Experiment, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures, and the values they are over."""

    document: Document
    parts: tuple[EvaluationPart, ...]


def evaluate(
    release: Release | Path | str,
    encode: Encode,
    *,
    name: str = "callable",
    options: Options | None = None,
    batch: int = BATCH,
) -> Evaluation:
    """Return the evaluation of the model behind *encode* on *release*, a folder or what `read_release` returned.

    *encode* gets a list of sentences and a list of spans, the characters [start, end) of the NC or its replacement
    in each; at most *batch* at a time, each distinct one once. It returns an array with one vector a sentence, or a
    pair of arrays: of the sentences and of the spans. A row of NaN is a sentence without a vector, which is counted.

        def encode(sentences, spans):
            return model.encode(sentences)

        evaluation = evaluate("ncimp", encode, name="my-model", options=Options(languages=("en",)))
        evaluation.document.scorecard    # rows of the scorecard; `write_evaluation(folder, evaluation)` writes files

    Raises `ReleaseError` for a damaged release, `UsageError` for options that do not fit it, and `EvaluationError` for
    vectors that cannot be right: partly NaN, of changing width, or all the same.
    """
    checked = release if isinstance(release, Release) else read_release(Path(release))
    source, model = EncodedVectors(encode, batch=batch), Model(name, "callable", None, {})
    return evaluate_source(checked, source, model=model, options=options or Options())


def evaluate_source(release: Release, source: VectorSource, *, model: Model, options: Options) -> Evaluation:
    """Return all figures of *release* under the vectors of *source*, which *model* describes."""
    for method in options.standardise:
        check_method(method)
    check_release(source, release)
    parts = tuple(_part(release, code, model.name, source, options) for code in _languages(release, options))
    # statistics need the memory of the model, and no more vectors
    getattr(source, "unload", lambda: None)()
    hand_back()
    return Evaluation(_document(release, parts, model, options), parts)


def _languages(release: Release, options: Options) -> tuple[str, ...]:
    if options.resamples < MIN_RESAMPLES:
        raise UsageError(f"{options.resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    languages = release.languages if options.languages is None else options.languages
    for lang in languages:
        if lang not in release.languages:
            fix = f"choose among {', '.join(release.languages)}"
            raise UsageError(f"the release has no language {lang!r}", fix=fix)
    return tuple(lang for lang in release.languages if lang in languages)


def language_part(release: Release, code: str) -> LanguageFigures:
    """Return the part of *release* in the language *code*."""
    items = tuple(item for item in release.items if item.lang == code)
    compounds = tuple(row for row in release.compounds if row.lang == code)
    return LanguageFigures(code, items, compounds, item_grid(items, compounds))


def _part(release: Release, code: str, model: str, source: VectorSource, options: Options) -> EvaluationPart:
    language = language_part(release, code)
    grid, size = language.grid, len(language.items)
    vectors: dict[LevelName, NDArray[Any]] = {"sentence": source.sentence(language.items)}
    spans = source.span(language.items)
    if spans is not None:
        vectors["nc"] = spans
    levels = [level_of(name, checked_vectors(name, rows, size), grid) for name, rows in vectors.items()]
    measured = tuple(measured_levels(model, code, levels))
    figures = tuple(figures_of(measured))
    baselines = [
        one
        for level in vectors
        for name, shortcut in baseline_levels(language.items, grid, level)
        for one in measured_levels(name, code, [shortcut])
    ]
    standardised = [
        row
        for method in options.standardise
        for row in standardised_rows(method, figures, vectors, grid, language.compounds)
    ]
    experiments: Sequence[Experiment] = ()
    if options.experiments:
        experiments = experiments_of(release, language, source, model=model, resamples=options.resamples)
    return EvaluationPart(
        language, measured, figures, tuple(figures_of(baselines)), tuple(standardised), tuple(experiments)
    )


def _document(release: Release, parts: Sequence[EvaluationPart], model: Model, options: Options) -> Document:
    resamples, fewer = options.resamples, max(MIN_RESAMPLES, options.resamples // BASELINE_SHARE)
    shared: dict[str, Any] = {
        "release": release.version,
        "permutations": resamples * PERMUTATIONS_PER_RESAMPLE,
    }
    results: list[Result] = []
    baselines: list[Result] = []
    overlap_free: list[Result] = []
    partial: list[Partial] = []
    distributions: list[Distribution] = []
    baseline_distributions: list[Distribution] = []
    for part in parts:
        compounds = part.language.compounds
        mask = np.array([compound.overlap_free for compound in compounds])
        without_overlap = [replace(one, values=np.where(mask, one.values, np.nan)) for one in part.figures]
        results += results_of(part.figures, compounds, resamples=resamples, **shared)
        baselines += results_of(part.baselines, compounds, resamples=fewer, **shared)
        overlap_free += results_of(without_overlap, compounds, resamples=resamples, **shared)
        distributions += distributions_of(part.figures, compounds, resamples=resamples)
        baseline_distributions += distributions_of(part.baselines, compounds, resamples=fewer)
        overlap = [figure for figure in part.baselines if figure.measured.model == "overlap"]
        partial += partials_of(part.figures, overlap, part.language)
    corrected, corrected_baselines = holm_corrected(results), holm_corrected(baselines)
    signed_options = {
        "languages": [part.language.code for part in parts],
        "resamples": resamples,
        "standardise": list(options.standardise),
        "experiments": options.experiments,
    }
    return Document(
        format=1,
        signature=Signature(release.version, release.logical_sha256, model, signed_options, SEED, ncimp.__version__),
        results=corrected,
        scorecard=scorecard(corrected, distributions),
        distributions=tuple(distributions),
        baselines=corrected_baselines,
        baseline_scorecard=scorecard(corrected_baselines, baseline_distributions),
        partial=holm_corrected(partial),
        overlap_free=holm_corrected(overlap_free),
        standardised=tuple(row for part in parts for row in part.standardised),
        experiments=holm_corrected([row for part in parts for row in part.experiments]),
        missing=tuple(row for part in parts for row in _missing(part)),
        notes=tuple(note for part in parts for note in _notes(part, options)),
    )


def _missing(part: EvaluationPart) -> Iterator[Missing]:
    """Yield the kinds of items of which some have no vector."""
    for level in {one.level.name: one.level for one in part.measured}.values():
        for (context, variant), count in np.ndenumerate((~level.present).sum(axis=0)):
            if count:
                cell = (CONTEXTS[context], VARIANTS[variant])
                items = len(part.language.compounds)
                yield Missing(part.language.code, level.name, *cell, items=items, missing=int(count))


def _notes(part: EvaluationPart, options: Options) -> Iterator[str]:
    lang, compounds = part.language.code, part.language.compounds
    unscored = sum(compound.comp is None for compound in compounds)
    if unscored == len(compounds):
        yield f"{lang}: the release has no human scores, so rho is with the ordinal expert class."
    elif unscored:
        yield f"{lang}: {unscored} of {len(compounds)} compounds have no human score and are left out."
    if not any(one.level.name == "nc" for one in part.measured):
        yield f"{lang}: the vectors have no spans, so the NC level is left out."
    note = note_on(lang, part.experiments) if options.experiments else None
    if note is not None:
        yield note
