"""Every figure of a release under one source of vectors: by item, by sentence, by compound, and over compounds.

The evaluation from Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import ncimp
from ncimp.evaluator.controls import baseline_levels, check_method, partials_of, standardised_rows
from ncimp.evaluator.correlation import PERMUTATIONS_PER_RESAMPLE
from ncimp.evaluator.experiments import experiments_of, note_on
from ncimp.evaluator.figures import (
    Figure,
    Language,
    Measured,
    distributions_of,
    figures_of,
    holm_corrected,
    item_grid,
    level_of,
    level_vectors,
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

MIN_RESAMPLES = 100
"""With fewer, the ends of a 95 % interval are single resamples."""


BASELINE_SHARE = 5
"""The four baselines have this part of the resamples: they are landmarks, and together as long as the model."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose.

    Languages (all of the release when None), the number of bootstrap resamples, standardisations to compare with
    (`z-score`, `top-K`), and whether to make the further experiments.
    """

    languages: tuple[str, ...] | None = None
    resamples: int = RESAMPLES
    standardise: tuple[str, ...] = ()
    experiments: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One language: the measures of the model and of the shortcut baselines, and all that is said about them."""

    language: Language
    measured: tuple[Measured, ...]
    figures: tuple[Figure, ...]
    baselines: tuple[Figure, ...]
    standardised: tuple[Standardised, ...]
    experiments: tuple[Experiment, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures, and the values they are over."""

    document: Document
    parts: tuple[Part, ...]


def evaluate_source(release: Release, source: VectorSource, *, model: Model, options: Options) -> Evaluation:
    """Return all figures of *release* under the vectors of *source*, which *model* describes."""
    for method in options.standardise:
        check_method(method)
    check_release(source, release)
    parts = tuple(_part(release, code, model.name, source, options) for code in _languages(release, options))
    _let_go(source)
    return Evaluation(_document(release, parts, model, options), parts)


def _let_go(source: VectorSource) -> None:
    """Let the model of *source* go, if it has one: what follows needs its memory, and vectors no more."""
    getattr(source, "let_go", lambda: None)()
    hand_back()


def _languages(release: Release, options: Options) -> tuple[str, ...]:
    if options.resamples < MIN_RESAMPLES:
        raise UsageError(f"{options.resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    wanted = release.languages if options.languages is None else options.languages
    for lang in wanted:
        if lang not in release.languages:
            fix = f"choose among {', '.join(release.languages)}"
            raise UsageError(f"the release has no language {lang!r}", fix=fix)
    return tuple(lang for lang in release.languages if lang in wanted)


def language_part(release: Release, code: str) -> Language:
    """Return the part of *release* in the language *code*."""
    items = tuple(item for item in release.items if item.lang == code)
    compounds = tuple(row for row in release.compounds if row.lang == code)
    return Language(code, items, compounds, item_grid(items, compounds))


def _part(release: Release, code: str, model: str, source: VectorSource, options: Options) -> Part:
    language = language_part(release, code)
    vectors = level_vectors(source, language.items)
    own = [
        level_of(name, checked_vectors(name, rows, len(language.items)), language.grid)
        for name, rows in vectors.items()
    ]
    measured = tuple(measured_levels(model, code, own))
    figures = tuple(figures_of(measured))
    standardised = tuple(
        row
        for method in options.standardise
        for row in standardised_rows(method, figures, vectors, language.grid, language.compounds)
    )
    made = (
        experiments_of(release, language, source, model=model, resamples=options.resamples)
        if options.experiments
        else ()
    )
    return Part(language, measured, figures, tuple(_shortcuts(language, vectors)), standardised, tuple(made))


def _shortcuts(language: Language, names: Iterable[LevelName]) -> list[Figure]:
    """Return the figures of the shortcut baselines at the levels *names*."""
    return figures_of(
        [
            one
            for level in names
            for name, found in baseline_levels(language.items, language.grid, level)
            for one in measured_levels(name, language.code, [found])
        ]
    )


def _document(release: Release, parts: Sequence[Part], model: Model, options: Options) -> Document:
    found = [_said(part, release.version, options.resamples) for part in parts]
    results = holm_corrected([row for said in found for row in said.results])
    baselines = holm_corrected([row for said in found for row in said.baselines])
    distributions = tuple(row for said in found for row in said.distributions)
    return Document(
        format=1,
        signature=_signature(release, model, parts, options),
        results=results,
        scorecard=scorecard(results, distributions),
        distributions=distributions,
        baselines=baselines,
        baseline_scorecard=scorecard(baselines, [row for said in found for row in said.baseline_distributions]),
        partial=holm_corrected([row for part in parts for row in _partials(part)]),
        overlap_free=holm_corrected([row for said in found for row in said.overlap_free]),
        standardised=tuple(row for part in parts for row in part.standardised),
        experiments=holm_corrected([row for part in parts for row in part.experiments]),
        missing=tuple(row for part in parts for row in _missing(part)),
        notes=tuple(_notes(parts, options)),
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said about one language, before Holm's correction."""

    results: list[Result]
    baselines: list[Result]
    overlap_free: list[Result]
    distributions: list[Distribution]
    baseline_distributions: list[Distribution]


def _said(part: Part, release: str, resamples: int) -> _Said:
    compounds = part.language.compounds
    own, shortcuts = part.figures, part.baselines
    chosen = np.array([compound.overlap_free for compound in compounds])
    free = [figure.within(chosen) for figure in own]
    fewer = max(MIN_RESAMPLES, resamples // BASELINE_SHARE)
    told = partial(results_of, release=release, permutations=resamples * PERMUTATIONS_PER_RESAMPLE)
    return _Said(
        results=told(own, compounds, resamples=resamples),
        baselines=told(shortcuts, compounds, resamples=fewer),
        overlap_free=told(free, compounds, resamples=resamples),
        distributions=distributions_of(own, compounds, resamples=resamples),
        baseline_distributions=distributions_of(shortcuts, compounds, resamples=fewer),
    )


def _partials(part: Part) -> Iterator[Partial]:
    overlap = [figure for figure in part.baselines if figure.measured.model == "overlap"]
    return partials_of(part.figures, overlap, part.language)


def _missing(part: Part) -> Iterator[Missing]:
    """Yield the kinds of items of which some have no vector."""
    for level in {one.level.name: one.level for one in part.measured}.values():
        for (context, variant), lacking in np.ndenumerate((~level.present).sum(axis=0)):
            if lacking:
                cell = (CONTEXTS[context], VARIANTS[variant])
                items = len(part.language.compounds)
                yield Missing(part.language.code, level.name, *cell, items=items, missing=int(lacking))


def _notes(parts: Sequence[Part], options: Options) -> Iterator[str]:
    for part in parts:
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


def _signature(release: Release, model: Model, parts: Sequence[Part], options: Options) -> Signature:
    chosen = {
        "languages": [part.language.code for part in parts],
        "resamples": options.resamples,
        "standardise": list(options.standardise),
        "experiments": options.experiments,
    }
    return Signature(release.version, release.logical_sha256, model, chosen, SEED, ncimp.__version__)


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

        found = evaluate("ncimp", encode, name="my-model", options=Options(languages=("en",)))
        found.document.scorecard    # rows of the scorecard; `write_evaluation(folder, found)` writes the files

    Raises `ReleaseError` for a damaged release, `UsageError` for options that do not fit it, and `EvaluationError` for
    vectors that cannot be right: partly NaN, of changing width, or all the same.
    """
    found = release if isinstance(release, Release) else read_release(Path(release))
    model = Model(name, "callable", None, {})
    return evaluate_source(found, EncodedVectors(encode, batch=batch), model=model, options=options or Options())
