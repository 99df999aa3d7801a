"""Compute the figures of a report on a campaign, from which its page and its JSON file are made."""

import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ncimp.builder.annotation import reliability
from ncimp.builder.annotation.answers.annotators import (
    QUESTIONS,
    Annotator,
    Question,
    Rules,
    mark_excluded,
    measure_annotators,
    rate,
)
from ncimp.builder.annotation.reliability import LEVELS, RESAMPLES, Alpha, Icc, Power, Ratings
from ncimp.builder.annotation.scores import aggregate
from ncimp.builder.records import CLASSES, CompoundClass, Judgement, Score
from ncimp.schemas import value_hash

SUBSETS = (2, 3)  # sizes of the groups of annotators whose alpha NCTTI publishes


@dataclass(frozen=True, slots=True)
class Reliability:
    """Alpha of one question over some of the annotators and compounds."""

    question: Question
    who: str  # `all`, `kept`, or `closest 2` and `closest 3`: the annotators with most sentences in common
    compounds: str  # `all`, or a class
    alpha: Alpha
    groups: int = 1  # groups of annotators with as many sentences in common, of which this is the first


@dataclass(frozen=True, slots=True)
class Correlations:
    """Intraclass correlations of one question."""

    question: Question
    who: str
    units: int
    icc: Icc


@dataclass(frozen=True, slots=True)
class Completion:
    """Counts of the answers that came back."""

    judgements: int
    items: int
    statuses: Mapping[str, int]
    annotators: int
    compounds: int
    sentences: int
    fewest: int
    median: float
    most: int  # judgements per sentence
    repeated: int  # second answers of an annotator about the same thing: only the first counts
    rejected: int  # answers that are not judgements, set aside by the import


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect of leaving annotators out on the scores of compounds."""

    compounds: int
    mean_change: float
    largest_change: float
    rho: float | None  # Spearman's rho between the scores with and without exclusion
    classes_changed: int


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Comparison of the scores of a simulated campaign with its truth."""

    sentences: int
    sentences_covered: float  # share of the sentences whose truth is inside the interval of their score
    compounds: int
    compounds_covered: float
    mean_error: float  # mean absolute difference of compounds' scores from the truth
    cheaters: int | None = None
    precision: float | None = None
    recall: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of a campaign."""

    campaigns: Sequence[str]
    platforms: Sequence[str]
    langs: Sequence[str]
    modes: Sequence[str]
    simulated: bool
    completion: Completion
    rules: Rules
    rules_sha256: str
    declared: bool  # whether the rules are those that were declared with the first import
    excluded: Mapping[str, Sequence[str]]  # rules that an annotator broke, by annotator
    annotators: Sequence[Annotator]
    reliability: Sequence[Reliability]
    correlations: Sequence[Correlations]
    within: Mapping[str, float | None]  # standard deviation of judgements of the same sentence, by class
    power: Sequence[Power]
    scores: Sequence[Score]  # of compounds, without the excluded
    classes: Mapping[str, CompoundClass]  # experts' class by compound, where it is known
    effect: Effect | None
    rehearsal: Rehearsal | None = None


def make_report(
    judgements: Sequence[Judgement],
    rules: Rules,
    *,
    declared: bool = True,
    rejected: int = 0,
    classes: Mapping[str, CompoundClass] | None = None,
    resamples: int = RESAMPLES,
) -> Report:
    """Return the report of *judgements* under *rules*; *classes* are the experts', by compound."""
    classes = classes or {}
    marked = mark_excluded(judgements, rules)
    included = [row for row in marked if row.excluded is None]
    scores = [row for row in aggregate(marked) if row.level == "compound"]
    ratings = rate(included, "comp")
    parts = {"all": ratings, **_by_class(ratings, classes)}
    alphas, correlations = _agreement(judgements, included, classes, resamples)
    return Report(
        campaigns=sorted({row.campaign for row in judgements}),
        platforms=sorted({row.platform for row in judgements}),
        langs=sorted({row.lang for row in judgements}),
        modes=sorted({row.mode for row in judgements}),
        simulated=any(row.simulated for row in judgements),
        completion=_completion(judgements, rejected),
        rules=rules,
        rules_sha256=value_hash(asdict(rules)),
        declared=declared,
        excluded=dict(sorted((row.annotator, row.excluded.split()) for row in marked if row.excluded)),
        annotators=measure_annotators(judgements),
        reliability=alphas,
        correlations=correlations,
        within={name: reliability.within_sd(part) for name, part in parts.items()},
        power=reliability.power(ratings),
        scores=scores,
        classes={row.compound_id: classes[row.compound_id] for row in scores if row.compound_id in classes},
        effect=_effect(judgements, scores),
    )


def _completion(judgements: Sequence[Judgement], rejected: int) -> Completion:
    items = [row for row in judgements if row.kind == "item"]
    answers = Counter((row.annotator, row.compound_id, row.item_id) for row in items)
    judged = Counter((row.compound_id, row.item_id) for row in items if row.status == "judged")
    counts = [judged[unit] for unit in {(row.compound_id, row.item_id) for row in items}]
    return Completion(
        judgements=len(judgements),
        items=len(items),
        statuses=dict(sorted(Counter(row.status for row in items).items())),
        annotators=len({row.annotator for row in judgements}),
        compounds=len({row.compound_id for row in items}),
        sentences=len(counts),
        fewest=min(counts, default=0),
        median=statistics.median(counts) if counts else 0.0,
        most=max(counts, default=0),
        repeated=sum(count - 1 for count in answers.values()),
        rejected=rejected,
    )


def _agreement(
    judgements: Sequence[Judgement], included: Sequence[Judgement], classes: Mapping[str, CompoundClass], resamples: int
) -> tuple[list[Reliability], list[Correlations]]:
    """Return alphas and intraclass correlations of each question, over all annotators and over groups of them."""
    alphas: list[Reliability] = []
    correlations = []
    for question in QUESTIONS:
        ratings = rate(included, question)
        groups = [("all", rate(judgements, question), 1), ("kept", ratings, 1)]
        for size in SUBSETS:
            group = reliability.closest(ratings, size)
            if group is not None:
                groups.append((f"closest {size}", ratings.of(group.annotators), group.groups))
        for who, values, _ in groups:
            figures = reliability.icc(values)
            if figures is not None:
                correlations.append(Correlations(question, who, len(values.units), figures))
        subsets = [(who, "all", values, count) for who, values, count in groups]
        subsets += [("kept", name, part, 1) for name, part in _by_class(ratings, classes).items()]
        alphas += [
            Reliability(question, who, compounds, reliability.alpha(values, level, resamples=resamples), count)
            for who, compounds, values, count in subsets
            for level in LEVELS
        ]
    return alphas, correlations


def _by_class(ratings: Ratings, classes: Mapping[str, CompoundClass]) -> dict[str, Ratings]:
    parts = {name: ratings.among(one for one, value in classes.items() if value == name) for name in CLASSES}
    return {name: part for name, part in parts.items() if part.units}


def _effect(judgements: Sequence[Judgement], scores: Sequence[Score]) -> Effect | None:
    """Return the difference between *scores*, which leave annotators out, and those of everybody."""
    full = {row.compound_id: row for row in aggregate(judgements) if row.level == "compound"}
    pairs = [(full[row.compound_id], row) for row in scores if row.comp is not None]
    if not pairs:
        return None
    before, after = (np.array([row[place].comp for row in pairs], dtype=np.float64) for place in (0, 1))
    change = np.abs(after - before)
    return Effect(
        compounds=len(pairs),
        mean_change=float(change.mean()),
        largest_change=float(change.max()),
        rho=reliability.spearman(before, after),
        classes_changed=sum(one.class_from_scores != two.class_from_scores for one, two in pairs),
    )


def rehearse(
    scores: Sequence[Score],
    truth: Mapping[str, tuple[str, float]],
    cheaters: Collection[str] | None,
    excluded: Collection[str],
) -> Rehearsal | None:
    """Return the comparison of *scores* (of both levels) with *truth*: (compound, true score) by item.

    *cheaters* is None where they are not known; *excluded* are the annotators whom the rules leave out.
    """
    compounds: dict[str, list[float]] = {}
    for compound, value in truth.values():
        compounds.setdefault(compound, []).append(value)
    whole = {name: statistics.fmean(values) for name, values in compounds.items()}
    sentences = [_covers(row, truth[row.item_id][1]) for row in scores if row.item_id and row.item_id in truth]
    rows = [row for row in scores if row.level == "compound" and row.compound_id in whole and row.comp is not None]
    if not sentences or not rows:
        return None
    hits = len(set(excluded) & set(cheaters or ()))
    return Rehearsal(
        sentences=len(sentences),
        sentences_covered=statistics.fmean(sentences),
        compounds=len(rows),
        compounds_covered=statistics.fmean(_covers(row, whole[row.compound_id]) for row in rows),
        mean_error=statistics.fmean(abs((row.comp or 0.0) - whole[row.compound_id]) for row in rows),
        cheaters=None if cheaters is None else len(cheaters),
        precision=hits / len(excluded) if cheaters is not None and excluded else None,
        recall=hits / len(cheaters) if cheaters else None,
    )


def _covers(row: Score, truth: float) -> bool:
    return row.comp_low is not None and row.comp_high is not None and row.comp_low <= truth <= row.comp_high
