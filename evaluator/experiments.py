"""The experiments of NCTTI (Garcia et al., ACL 2021, section 4) on releases that carry human scores.

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
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.correlation import MIN_COMPOUNDS, TIE_DECIMALS, correlate, plain_rho
from ncimp.evaluator.figures import LanguageFigures
from ncimp.evaluator.measures import FloatArray, context_indices, cosine, mean_of_present
from ncimp.evaluator.records import Experiment, LevelName
from ncimp.evaluator.release import Compound, Item, Release, SentenceScore
from ncimp.evaluator.resampling import Reweighted, bca_interval, bootstrap_p, left_out_weights, resample_weights
from ncimp.evaluator.vectors import VectorSource

Name = Literal["phrase", "words", "nuance", "spread"]  # an experiment
Unit = Literal["token", "type"]  # the unit of an observation: a sentence (or two of a compound), or a compound
PAIRS = tuple(itertools.combinations(range(3), 2))  # the pairs of the three naturalistic sentences


@dataclass(frozen=True, slots=True)
class Observations:
    """Two variables to correlate, of shape (N, k): k observations of each of N compounds, NaN where missing."""

    experiment: Name
    level: LevelName
    unit: Unit
    of_model: FloatArray
    of_people: FloatArray


def experiments_of(
    release: Release, part: LanguageFigures, source: VectorSource, *, model: str, resamples: int
) -> list[Experiment]:
    """Return the experiments on one language; nothing where it has no human score."""
    scores = sentence_scores_of(release, part)
    types = type_scores(part.compounds, scores)
    if np.isnan(types).all():
        return []
    observations = [*_words_alone(part, source, scores, types), *_between_sentences(part, source, scores)]
    return [_experiment(one, model, part.code, resamples) for one in observations]


def sentence_scores_of(release: Release, part: LanguageFigures) -> FloatArray:
    """Return Comp, head and modifier of each compound in each naturalistic sentence: (N, 3, 3), NaN where missing."""
    unjudged = SentenceScore(None, None, None)
    scores = np.full((len(part.compounds), 3, 3), np.nan)
    for cell, place in np.ndenumerate(part.grid[:, context_indices("naturalistic"), 0]):
        score = release.judged.get(part.items[place].id, unjudged) if place >= 0 else unjudged
        scores[cell] = [np.nan if value is None else value for value in (score.comp, score.head, score.modifier)]
    return scores


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
    variants: tuple[tuple[Name, FloatArray | None], ...] = (
        ("phrase", _sums_of_texts(source, [[compound.compound] for compound in part.compounds], part.code)),
        ("words", _sums_of_texts(source, [words_of(compound.compound) for compound in part.compounds], part.code)),
    )
    for name, alone in variants:
        if alone is not None:
            n, k, width = spans.shape
            cosines = cosine(spans.reshape(n * k, width), np.repeat(alone, k, axis=0)).reshape(n, k)
            yield Observations(name, "nc", "token", cosines, scores[:, :, 0])
            yield Observations(name, "nc", "type", mean_of_present(cosines)[:, None], types[:, None])


def words_of(compound: str) -> list[str]:
    """Return the words of a compound in its citation form.

    >>> words_of("eager beaver"), words_of("guarda-chuva")
    (['eager', 'beaver'], ['guarda', 'chuva'])
    """
    return re.split("[ -]+", compound)


def _sums_of_texts(source: VectorSource, texts: Sequence[list[str]], lang: str) -> FloatArray | None:
    """Return for each list of texts the sum of the vectors of each standing alone; NaN where one has none."""
    items = []
    for text in (text for alone in texts for text in alone):
        tokens = tuple(text.split(" "))
        # the whole text is the span, and the id is not that of an item of a release
        items.append(Item(f"{lang}/{text}", lang, "", "", "", tokens, (0, len(tokens)), text, (0, len(text))))
    vectors = source.span(items)
    if vectors is None:
        return None
    starts = np.cumsum([0, *(len(alone) for alone in texts)])
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


def _experiment(observations: Observations, model: str, lang: str, resamples: int) -> Experiment:
    present = ~np.isnan(observations.of_model) & ~np.isnan(observations.of_people)
    # observation by observation, with the compound that each is from
    compound = np.broadcast_to(np.arange(len(present))[:, None], present.shape)[present]
    rho = _rho_by_compound(observations.of_model[present], observations.of_people[present], compound, resamples)
    return Experiment(
        model=model,
        lang=lang,
        experiment=observations.experiment,
        level=observations.level,
        unit=observations.unit,
        **rho,
        p_holm=None,
        n=int(present.sum()),
        compounds=len(np.unique(compound)),
        missing=int((~present).sum()),
    )


def _rho_by_compound(
    of_model: FloatArray, of_people: FloatArray, compound: NDArray[np.intp], resamples: int
) -> dict[str, float | None]:
    """Return rho, p and the interval, with resamples drawn by *compound*."""
    names, number = np.unique(compound, return_inverse=True)
    if len(names) == len(compound):  # one each: compounds may be permuted
        result = correlate(of_model[None, :], of_people, resamples=resamples)[0]
        return {"rho": result.rho, "p": result.p, "low": result.low, "high": result.high}
    values, score = np.round(of_model, TIE_DECIMALS), np.round(of_people, TIE_DECIMALS)
    rho = plain_rho(values, score)
    if rho is None or len(names) < MIN_COMPOUNDS:
        return {"rho": rho, "p": None, "low": None, "high": None}
    resampled = Reweighted.of(score, resample_weights(len(names), resamples)[number]).rho(values)
    left_out = Reweighted.of(score, left_out_weights(len(names))[number]).rho(values)
    low, high = bca_interval(rho, resampled, left_out)
    return {"rho": rho, "p": bootstrap_p(resampled), "low": low, "high": high}


def note_on(lang: str, experiments: Sequence[Experiment]) -> str | None:
    """Return a note for readers about missing experiments on *lang*, or None."""
    if not experiments:
        return f"{lang}: the release has no human scores, so there are no experiments of NCTTI."
    if all(row.n == 0 for row in experiments if row.unit == "token"):
        return f"{lang}: the release has no scores of single sentences, so experiments are by type only."
    if all(row.n == 0 for row in experiments if row.experiment in ("phrase", "words")):
        return f"{lang}: the vectors have none of compounds that stand alone, so experiment 1 is left out."
    return None
