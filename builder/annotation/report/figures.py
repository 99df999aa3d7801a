"""Compute the figures of a report on a campaign, from which its page and its JSON file are made."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ncimp.builder.annotation import reliability
from ncimp.builder.annotation.answers import annotators as quality
from ncimp.builder.annotation.reliability import LEVELS, RESAMPLES, Alpha, Icc, Power, Ratings
from ncimp.builder.annotation.scores import aggregate
from ncimp.builder.records import CLASSES, CompoundClass, Judgement, Score
from ncimp.schemas import value_hash

SUBSETS = (2, 3)  # sizes of the groups of annotators whose alpha NCTTI publishes


@dataclass(frozen=True, slots=True)
class Reliability:
    """Alpha of one question over some of the annotators and compounds."""

    question: quality.Question
    who: str  # `all`, `kept`, or `closest 2` and `closest 3`: the annotators with most sentences in common
    compounds: str  # `all`, or a class
    alpha: Alpha
    groups: int = 1  # groups of annotators with as many sentences in common, of which this is the first


@dataclass(frozen=True, slots=True)
class Correlations:
    """Intraclass correlations of one question."""

    question: quality.Question
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
    rules: quality.Rules
    rules_sha256: str
    declared: bool  # whether the rules are those that were declared with the first import
    excluded: Mapping[str, Sequence[str]]  # rules that an annotator broke, by annotator
    too_few_checks: Mapping[str, int]  # annotators with too few checks for a rule, by rule
    annotators: Sequence[quality.Annotator]
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
    rules: quality.Rules,
    *,
    declared: bool = True,
    rejected: int = 0,
    classes: Mapping[str, CompoundClass] | None = None,
    resamples: int = RESAMPLES,
) -> Report:
    """Return the report of *judgements* under *rules*; *classes* are the experts', by compound."""
    classes = classes or {}
    marked = quality.mark_excluded(judgements, rules)
    included = [row for row in marked if row.excluded is None]
    scores = [row for row in aggregate(marked) if row.level == "compound"]
    ratings = quality.rate(included, "comp")
    parts = {"all": ratings, **_by_class(ratings, classes)}
    annotators = quality.measure_annotators(judgements)
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
        too_few_checks=count_too_few_checks(annotators, rules),
        annotators=annotators,
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
    judged = {(row.compound_id, row.item_id): 0 for row in items}
    for row in items:
        judged[row.compound_id, row.item_id] += row.status == "judged"
    return Completion(
        judgements=len(judgements),
        items=len(items),
        statuses=dict(sorted(Counter(row.status for row in items).items())),
        annotators=len({row.annotator for row in judgements}),
        compounds=len({row.compound_id for row in items}),
        sentences=len(judged),
        fewest=min(judged.values(), default=0),
        median=statistics.median(judged.values()) if judged else 0.0,
        most=max(judged.values(), default=0),
        repeated=len(items) - len({(row.annotator, row.compound_id, row.item_id) for row in items}),
        rejected=rejected,
    )


def _agreement(
    judgements: Sequence[Judgement], included: Sequence[Judgement], classes: Mapping[str, CompoundClass], resamples: int
) -> tuple[list[Reliability], list[Correlations]]:
    alphas: list[Reliability] = []
    correlations = []
    for question in quality.QUESTIONS:
        ratings = quality.rate(included, question)
        subsets = [("all", "all", quality.rate(judgements, question), 1), ("kept", "all", ratings, 1)]
        closest = [(size, reliability.closest(ratings, size)) for size in SUBSETS]
        subsets += [(f"closest {n}", "all", ratings.of(one.annotators), one.groups) for n, one in closest if one]
        for who, _, values, _ in subsets:
            if (figures := reliability.icc(values)) is not None:
                correlations.append(Correlations(question, who, len(values.units), figures))
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
    compounds: dict[str, list[float]] = defaultdict(list)
    for compound, value in truth.values():
        compounds[compound].append(value)
    whole = {name: statistics.fmean(values) for name, values in compounds.items()}
    sentences = [_covers(row, truth[row.item_id][1]) for row in scores if row.item_id and row.item_id in truth]
    pairs = [(row, whole[row.compound_id]) for row in scores if row.level == "compound" and row.compound_id in whole]
    errors = [abs(row.comp - value) for row, value in pairs if row.comp is not None]
    if not sentences or not errors:
        return None
    hits = len(set(excluded) & set(cheaters or ()))
    return Rehearsal(
        sentences=len(sentences),
        sentences_covered=statistics.fmean(sentences),
        compounds=len(errors),
        compounds_covered=statistics.fmean(_covers(row, value) for row, value in pairs if row.comp is not None),
        mean_error=statistics.fmean(errors),
        cheaters=None if cheaters is None else len(cheaters),
        precision=hits / len(excluded) if cheaters is not None and excluded else None,
        recall=hits / len(cheaters) if cheaters else None,
    )


def _covers(row: Score, truth: float) -> bool:
    return row.comp_low is not None and row.comp_high is not None and row.comp_low <= truth <= row.comp_high


def count_too_few_checks(annotators: Iterable[quality.Annotator], rules: quality.Rules) -> dict[str, int]:
    """Return the number of *annotators* who had too few checks for a rule on checks, by the name of the rule."""
    checks = [(("min_gold", row.gold.n), ("min_attention", row.attention.n)) for row in annotators]
    counts = Counter(name for pair in checks for name, n in pair if n < rules.min_checks)
    return {name: counts[name] for name in ("min_gold", "min_attention") if getattr(rules, name) is not None}
