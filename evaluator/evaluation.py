"""Evaluate vectors on a release: every figure by item, by sentence, by compound, and over compounds.

Releases that carry human scores also allow the experiments of NCTTI (Garcia et al., ACL 2021, section 4):

1. `phrase`, `words`: is a compound the more compositional, the more its vector in a sentence is like that of its two
   words alone, as one phrase or as the sum of two words?
2. `nuance`: are two sentences of a compound the more alike to the model, the more alike people judged the compound in
   them? The expected rho of distance and cosine is negative.
3. `spread`: do the sentences of a compound differ more to the model where people's scores of them differ more?

All are over the three naturalistic sentences. Several observations of one compound are not independent, so
resamples are drawn by compound.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

import ncimp
from ncimp.evaluator import controls, figures, records
from ncimp.evaluator.answers import Answers
from ncimp.evaluator.correlation import PERMUTATIONS_PER_RESAMPLE, RESAMPLES, SEED, correlate_groups
from ncimp.evaluator.figures import Figure, LanguageFigures, Level, Measured
from ncimp.evaluator.measures import CONTEXTS, VARIANTS, FloatArray, context_indices, cosine, mean_of_present
from ncimp.evaluator.records import Document, Experiment, LevelName, Model
from ncimp.evaluator.release import Compound, Item, Release, SentenceScore, read_release
from ncimp.evaluator.runtime import hand_back
from ncimp.evaluator.scorecard import scorecard
from ncimp.evaluator.vectors import BATCH, Encode, EncodedVectors, VectorSource, check_release, checked_vectors
from ncimp.schemas import UsageError

MIN_RESAMPLES = 100  # with fewer, the ends of a 95 % interval are single resamples
SHOWN = 3  # compounds that a note names
BASELINE_SHARE = 5  # baselines get this part of the resamples: they are landmarks, and together take as long as a model


@dataclass(frozen=True, slots=True)
class Options:
    """Languages (all of the release when None), bootstrap resamples, standardisations, and the experiments of NCTTI."""

    languages: tuple[str, ...] | None = None
    resamples: int = RESAMPLES
    standardise: tuple[str, ...] = ()
    experiments: bool = False
    limit: int | None = None  # for a quick look: compounds of each language
    split: str | None = None  # only the compounds of this split
    comp: Literal["type"] | None = None  # correlate with the score of a compound by itself, not in its sentences
    trained_on: tuple[str, ...] | None = None  # benchmarks that the model saw in training, as the release names them


class EvaluationPart(NamedTuple):
    """One language: its measures, those of the baselines, and the further figures."""

    language: LanguageFigures
    levels: Sequence[Level]
    measured: Sequence[Measured]
    figures: Sequence[Figure]
    baselines: Sequence[Figure]
    standardised: Sequence[records.Standardised]
    experiments: Sequence[Experiment]
    literal: Sequence[records.LiteralUse]
    attested: Sequence[records.AttestedUse]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures, and the values they are over."""

    document: Document
    parts: tuple[EvaluationPart, ...]
    answers: tuple[Answers, ...] = ()  # to the items of a suite


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
        controls.check_method(method)
    check_release(source, release)
    if options.resamples < MIN_RESAMPLES:
        raise UsageError(f"{options.resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    if options.comp == "type":
        release = replace(release, compounds=tuple(replace(row, comp=row.comp_type) for row in release.compounds))
    if options.limit is not None and options.limit < 1:
        raise UsageError(f"{options.limit} compounds are too few", fix="give a limit of at least 1")
    languages = release.languages if options.languages is None else options.languages
    for lang in languages:
        if lang not in release.languages:
            fix = f"choose among {', '.join(release.languages)}"
            raise UsageError(f"the release has no language {lang!r}", fix=fix)
    chosen = [lang for lang in release.languages if lang in languages]
    parts = tuple(_part(release, lang, model.name, source, options) for lang in chosen)
    # statistics need the memory of the model, and no more vectors
    getattr(source, "unload", lambda: None)()
    hand_back()
    return Evaluation(_document(release, parts, model, options), parts)


def _part(release: Release, lang: str, model: str, source: VectorSource, options: Options) -> EvaluationPart:
    language = figures.language_part(release, lang, split=options.split, limit=options.limit)
    grid, size = language.grid, len(language.items)
    vectors: dict[LevelName, NDArray[Any]] = {"sentence": source.sentence(language.items)}
    spans = source.span(language.items)
    if spans is not None:
        vectors["nc"] = spans
    levels = [figures.level_of(name, checked_vectors(name, rows, size), grid) for name, rows in vectors.items()]
    measured = figures.measured_levels(model, lang, levels)
    over_contexts = figures.figures_of(measured)
    baselines = [
        one
        for level in vectors
        for name, baseline in controls.baseline_levels(language, level)
        for one in figures.measured_levels(name, lang, [baseline])
    ]
    standardised = [
        row
        for method in options.standardise
        for row in controls.standardised_rows(method, over_contexts, vectors, grid, language.compounds)
    ]
    experiments: Sequence[Experiment] = ()
    if options.experiments:
        experiments = experiments_of(release, language, source, model=model, resamples=options.resamples)
    literal = [*figures.literal_uses(release.literal, language, measured, source, options.resamples)]
    attested = [*figures.attested_uses(release.attested, language, measured, source, options.resamples)]
    of_baselines = figures.figures_of(baselines)
    further = (standardised, experiments, literal, attested)
    return EvaluationPart(language, levels, measured, over_contexts, of_baselines, *further)


def _document(release: Release, parts: Sequence[EvaluationPart], model: Model, options: Options) -> Document:
    resamples, fewer = options.resamples, max(MIN_RESAMPLES, options.resamples // BASELINE_SHARE)
    shared: dict[str, Any] = {"release": release.version, "permutations": resamples * PERMUTATIONS_PER_RESAMPLE}
    tables: tuple[list[Any], ...] = ([], [], [], [], [], [])
    results, baselines, overlap_free, partial, distributions, baseline_distributions = tables
    for part in parts:
        compounds = part.language.compounds
        mask = np.array([compound.overlap_free for compound in compounds])
        without_overlap = [replace(one, values=np.where(mask, one.values, np.nan)) for one in part.figures]
        results += figures.results_of(part.figures, compounds, resamples=resamples, **shared)
        baselines += figures.results_of(part.baselines, compounds, resamples=fewer, **shared)
        overlap_free += figures.results_of(without_overlap, compounds, resamples=resamples, **shared)
        distributions += figures.distributions_of(part.figures, compounds, resamples=resamples)
        baseline_distributions += figures.distributions_of(part.baselines, compounds, resamples=fewer)
        overlap = [figure for figure in part.baselines if figure.measured.model == "overlap"]
        partial += controls.partials_of(part.figures, overlap, part.language)
    corrected, corrected_baselines = figures.holm_corrected(results), figures.holm_corrected(baselines)
    ideal = scorecard([row for row in corrected_baselines if row.model == controls.IDEAL], baseline_distributions)
    signed = asdict(options) | {"languages": [part.language.code for part in parts]}
    signed["standardise"] = list(options.standardise)
    signed = {name: value for name, value in signed.items() if value is not None}
    identity = (release.version, release.logical_sha256, model, signed, SEED, ncimp.__version__)
    return Document(
        format=1,
        signature=records.Signature(*identity),
        results=corrected,
        scorecard=scorecard(corrected, distributions, ideal),
        distributions=tuple(distributions),
        baselines=corrected_baselines,
        baseline_scorecard=scorecard(corrected_baselines, baseline_distributions, ideal),
        partial=figures.holm_corrected(partial),
        overlap_free=figures.holm_corrected(overlap_free),
        standardised=tuple(row for part in parts for row in part.standardised),
        experiments=figures.holm_corrected([row for part in parts for row in part.experiments]),
        literal=tuple(row for part in parts for row in part.literal),
        attested=tuple(row for part in parts for row in part.attested),
        missing=tuple(row for part in parts for row in _missing(part)),
        notes=tuple(note for part in parts for note in _notes(part, release, options)),
    )


def _missing(part: EvaluationPart) -> Iterator[records.Missing]:
    """Yield the kinds of items of which some have no vector."""
    released = part.language.grid >= 0
    for level in part.levels:
        for (context, variant), count in np.ndenumerate((released & ~level.present).sum(axis=0)):
            if count:
                cell, items = (CONTEXTS[context], VARIANTS[variant]), int(released[:, context, variant].sum())
                yield records.Missing(part.language.code, level.name, *cell, items=items, missing=int(count))


def _notes(part: EvaluationPart, release: Release, options: Options) -> Iterator[str]:
    lang, compounds = part.language.code, part.language.compounds
    if options.limit or options.split:
        whole = sum(compound.lang == lang for compound in release.compounds)
        of_split = f", all of the split {options.split!r}" if options.split else ""
        yield f"{lang}: a quick look at {len(compounds)} of {whole} compounds{of_split}; figures of the whole differ."
    absent = int((part.language.grid < 0).sum())
    if absent:
        whole = part.language.grid.size
        yield f"{lang}: the release lacks {absent:,} of {whole:,} sentences, and figures are over the others."
    seen = sorted(row.compound for row in compounds if any(map(row.stands_in, options.trained_on or ())))
    if seen:
        names = ", ".join(options.trained_on or ())
        shown = ", ".join(seen[:SHOWN]) + (" and others" if seen[SHOWN:] else "")
        yield f"{lang}: {len(seen)} of {len(compounds)} compounds stand in {names}, which the model has seen: {shown}."
    elif options.trained_on:
        yield f"{lang}: no compound of the release is known to stand in {', '.join(options.trained_on)}."
    if options.comp == "type":
        yield f"{lang}: rho is with the score of the compound by itself (type), not in its sentences (token)."
    unscored = sum(compound.comp is None for compound in compounds)
    if unscored == len(compounds):
        yield f"{lang}: the release has no human scores, so rho is with the ordinal class of the pack."
    elif unscored:
        yield f"{lang}: {unscored} of {len(compounds)} compounds have no human score and are left out."
    if not any(level.name == "nc" for level in part.levels):
        yield f"{lang}: the vectors have no spans, so the NC level is left out."
    if options.experiments and not part.experiments:
        yield f"{lang}: the release has no human scores, so there are no experiments of NCTTI."
    elif options.experiments and all(row.n == 0 for row in part.experiments if row.unit == "token"):
        yield f"{lang}: the release has no scores of single sentences, so experiments are by type only."
    elif options.experiments and all(row.n == 0 for row in part.experiments if row.experiment in ("phrase", "words")):
        yield f"{lang}: the vectors have none of compounds that stand alone, so experiment 1 is left out."


PAIRS = tuple(itertools.combinations(range(3), 2))  # the pairs of the three naturalistic sentences


class Observations(NamedTuple):
    """Two variables to correlate, of shape (N, k): k observations of each of N compounds, NaN where missing."""

    experiment: Literal["phrase", "words", "nuance", "spread"]
    level: LevelName
    unit: Literal["token", "type"]  # an observation is a sentence (or two of a compound), or a compound
    of_model: FloatArray
    of_people: FloatArray


def experiments_of(
    release: Release, part: LanguageFigures, source: VectorSource, *, model: str, resamples: int
) -> list[Experiment]:
    """Return the experiments on one language; nothing where it has no human score."""
    unjudged = SentenceScore(None, None, None)
    # Comp, head and modifier of each compound in each naturalistic sentence
    scores = np.full((len(part.compounds), 3, 3), np.nan)
    for cell, place in np.ndenumerate(part.grid[:, context_indices("naturalistic"), 0]):
        score = release.judged.get(part.items[place].id, unjudged) if place >= 0 else unjudged
        scores[cell] = [np.nan if value is None else value for value in (score.comp, score.head, score.modifier)]
    types = type_scores(part.compounds, scores)
    if np.isnan(types).all():
        return []
    experiments = []
    for one in (*_words_alone(part, source, scores, types), *_between_sentences(part, source, scores)):
        present = ~np.isnan(one.of_model) & ~np.isnan(one.of_people)
        # observation by observation, with the compound that each is from
        compound = np.broadcast_to(np.arange(len(present))[:, None], present.shape)[present]
        rho = correlate_groups(one.of_model[present], one.of_people[present], compound, resamples=resamples)
        counts = {"compounds": len(np.unique(compound)), "missing": int((~present).sum())}
        row = Experiment(model, part.code, one.experiment, one.level, one.unit, **asdict(rho), p_holm=None, **counts)
        experiments.append(row)
    return experiments


def type_scores(compounds: Sequence[Compound], scores: FloatArray) -> FloatArray:
    """Return Comp of each compound: that of the release, else the mean over its sentences (equation 1)."""
    released = np.array([np.nan if row.comp is None else row.comp for row in compounds])
    return np.where(np.isnan(released), mean_of_present(scores[:, :, 0]), released)


def _words_alone(
    part: LanguageFigures, source: VectorSource, scores: FloatArray, types: FloatArray
) -> Iterator[Observations]:
    """Yield experiment 1: the NC in its sentence against its words alone."""
    spans = _original_vectors(part, source, "nc")
    if spans is None:
        return
    names: tuple[Literal["phrase", "words"], ...] = ("phrase", "words")
    for name in names:
        compounds = [compound.compound for compound in part.compounds]
        alone = _sums_of_texts(
            source, [[nc] if name == "phrase" else re.split("[ -]+", nc) for nc in compounds], part.code
        )
        if alone is not None:
            n, k, width = spans.shape
            cosines = cosine(spans.reshape(n * k, width), np.repeat(alone, k, axis=0)).reshape(n, k)
            yield Observations(name, "nc", "token", cosines, scores[:, :, 0])
            yield Observations(name, "nc", "type", mean_of_present(cosines)[:, None], types[:, None])


def _sums_of_texts(source: VectorSource, texts: Sequence[list[str]], lang: str) -> FloatArray | None:
    """Return for each list of texts the sum of the vectors of each standing alone; NaN where one has none."""
    items = []
    for text in itertools.chain.from_iterable(texts):
        tokens = tuple(text.split(" "))
        # the whole text is the span, and the id is not that of an item of a release
        items.append(Item(f"{lang}/{text}", lang, "", "", "", tokens, (0, len(tokens)), text, (0, len(text))))
    vectors = source.span(items)
    if vectors is None:
        return None
    starts = np.cumsum([0, *map(len, texts)])
    return np.array([vectors[a:b].astype(np.float64).sum(axis=0) for a, b in itertools.pairwise(starts)])


def _between_sentences(part: LanguageFigures, source: VectorSource, scores: FloatArray) -> Iterator[Observations]:
    """Yield experiments 2 and 3: the three sentences of a compound against each other."""
    distance = np.column_stack([np.linalg.norm(scores[:, a] - scores[:, b], axis=1) for a, b in PAIRS])
    spread = scores[:, :, 0].std(axis=1, ddof=1)[:, None]
    levels: tuple[LevelName, ...] = ("sentence", "nc")
    for level in levels:
        vectors = _original_vectors(part, source, level)
        if vectors is not None:
            cosines = np.column_stack([cosine(vectors[:, a], vectors[:, b]) for a, b in PAIRS])
            yield Observations("nuance", level, "token", cosines, distance)
            yield Observations("spread", level, "type", cosines.std(axis=1, ddof=1)[:, None], spread)


def _original_vectors(part: LanguageFigures, source: VectorSource, level: LevelName) -> NDArray[Any] | None:
    """Return the vectors of the originals in the naturalistic sentences, shape (N, 3, d); NaN where missing."""
    grid = part.grid[:, context_indices("naturalistic"), 0]
    items = [part.items[place] for place in grid.ravel().tolist() if place >= 0]
    vectors = source.sentence(items) if level == "sentence" else source.span(items)
    if vectors is None:
        return None
    rows = np.full((grid.size, vectors.shape[1]), np.nan)
    rows[grid.ravel() >= 0] = vectors
    return rows.reshape(*grid.shape, vectors.shape[1])
