"""Answers to the items of a task, and their figures: with intervals over compounds, and paired differences.

A suite makes answers of vectors. Everything from there on is the same for every suite: several items of a compound are
not independent, so that resamples draw compounds, the same for every model.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, get_args

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator import correlation
from ncimp.evaluator.correlation import TIE_DECIMALS, Sample
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.records import Metric, OfAnswers, OfTask, SuiteDifference, SuiteResult
from ncimp.evaluator.scorecard import judge_level
from ncimp.schemas.suites import InBits, Rule

MEANS = frozenset(get_args(Rule))  # figures that are the mean of what is predicted
PREDICTED = ("difference", "contrast")  # figures that a prediction says are above 0
PRESENT = ("rho", *get_args(InBits))  # figures that leave missing answers out
MEMBERSHIP = "benchmarks: "  # in the `inputs` of figures over compounds that some or none of them hold
MIN_GROUPS = 3  # with fewer compounds there is no interval
Mask = NDArray[np.bool_]
Statistic = Callable[[FloatArray], FloatArray]  # from weights of groups, a column a resample, to the value in each


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers of a model or a baseline to the items of a task: arrays in the order of *ids*.

    A missing answer is NaN: wrong where classes are told, left out of a correlation.
    """

    place: OfAnswers
    metrics: tuple[Metric, ...]
    ids: Sequence[str]
    groups: Sequence[str]  # compound of each item
    gold: FloatArray
    predicted: FloatArray
    refused: int = 0
    unparsed: int = 0
    seeds: int = 1  # parts of equal size, each the answers of a model that was trained with another seed

    def of(self, mask: Mask, **place: Any) -> "Answers":
        """Return the answers to the items of *mask*, with another *place*."""
        ids, groups = (np.array(row, dtype=object)[mask].tolist() for row in (self.ids, self.groups))
        where = replace(self.place, **place)
        return Answers(where, self.metrics, ids, groups, self.gold[mask], self.predicted[mask], seeds=self.seeds)


def split_answers(answers: Answers, splits: Sequence[str]) -> Iterator[Answers]:
    """Yield *answers* in each of *splits*, which are those of the items.

    What is predicted may have a row a seed: then the answers are those of all seeds, whose ids say which.
    """
    if answers.predicted.ndim == 2:
        seeds = len(answers.predicted)
        answers = replace(
            answers,
            ids=[f"{name}/{seed}" for seed in range(seeds) for name in answers.ids],
            groups=[*answers.groups] * seeds,
            gold=np.tile(answers.gold, seeds),
            predicted=answers.predicted.ravel(),
            seeds=seeds,
        )
    places = np.array([*splits] * answers.seeds)
    for split in sorted(set(splits), reverse=True):
        yield answers.of(places == split, split=split)


def by_membership(among: Mask, listed: Mask) -> Iterator[tuple[str, Mask]]:
    """Yield *among*, then those of it that are *listed* by another benchmark, and the others, where there are both."""
    yield "", among
    parts = {"some": among & listed, "none": among & ~listed}
    if all(mask.any() for mask in parts.values()):
        yield from ((f"{MEMBERSHIP}{name}", mask) for name, mask in parts.items())


@dataclass(frozen=True, slots=True)
class SuiteAnswer(OfAnswers):
    """One answer: a row of `answers.parquet` (`suite_answer`)."""

    id: Annotated[str, "Id of the item; of a fine one also the sense, of a tag the word, of what is trained the seed."]
    compound_id: Annotated[str, "lang/compound; the id of a pair without a compound."]
    gold: Annotated[float | None, "The right answer: a label, the number of a tag, or the similarity wanted."]
    predicted: Annotated[float | None, "The answer; empty where there is none."]
    metric: Annotated[str | None, "Rule by which the answer is worth `predicted`; empty for a class or a similarity."]


def suite_results(answers: Sequence[Answers], *, resamples: int) -> Iterator[SuiteResult]:
    """Yield every figure of *answers*, with its 95 % BCa interval over compounds."""
    for one in answers:
        for metric in one.metrics:
            sample = sample_of(metric, one, resamples)
            low, high = correlation.bca_interval(*sample) if sample else (None, None)
            missing = int(np.isnan(one.predicted).sum())
            counts: Any = {"n": len(one.ids), "compounds": len(set(one.groups)), "missing": missing}
            counts |= {"refused": one.refused, "unparsed": one.unparsed, "seeds": one.seeds}
            value = None if sample is None else sample.value
            if metric in PREDICTED:
                counts["outcome"] = "undecided"
                if value is not None and low is not None and high is not None:
                    counts["outcome"] = judge_level("above 0", value, low, high).outcome
            yield SuiteResult(**columns_of(one.place), metric=metric, value=value, low=low, high=high, **counts)


def columns_of(row: Any, kind: type[OfTask] = OfAnswers) -> dict[str, Any]:
    """Return the columns of *row* that say what it is about."""
    return {name: getattr(row, name) for name in kind.__dataclass_fields__}


def sample_of(metric: Metric, answers: Answers, resamples: int) -> Sample | None:
    """Return the value of *metric*, in resamples of the compounds, and without each; None where it is undefined.

    Of several seeds it is the mean over these.
    """
    if metric == "rho":
        return _rho_sample(answers, resamples)
    if metric in PRESENT:
        answers = answers.of(~np.isnan(answers.predicted))
    names, group = np.unique(np.array(answers.groups, dtype=str), return_inverse=True)
    if not len(names):
        return None
    parts = zip(*(np.split(row, answers.seeds) for row in (answers.gold, answers.predicted, group)), strict=True)
    of_seeds = [STATISTICS.get(metric, mean_value)(*part) for part in parts]

    def statistic(weights: FloatArray) -> FloatArray:
        return np.asarray(np.mean([one(weights) for one in of_seeds], axis=0))

    whole = float(statistic(np.ones((len(names), 1)))[0])
    if np.isnan(whole):
        return None
    weights = correlation.resample_weights(len(names), resamples)
    few = len(names) < MIN_GROUPS
    return Sample(whole, np.full(1, np.nan) if few else statistic(weights), statistic(1 - np.eye(len(names))))


def _rho_sample(answers: Answers, resamples: int) -> Sample | None:
    present = ~np.isnan(answers.predicted) & ~np.isnan(answers.gold)
    gold, predicted = (np.round(row[present], TIE_DECIMALS) for row in (answers.gold, answers.predicted))
    if correlation.plain_rho(predicted, gold) is None:
        return None
    _, group = np.unique(np.array(answers.groups, dtype=str)[present], return_inverse=True)
    return correlation.RhoSampler(gold, resamples, group).sample(predicted)


def accuracy(gold: FloatArray, predicted: FloatArray, group: NDArray[np.intp]) -> Statistic:
    """Return the share of right answers, as a function of the weights of the groups."""
    return mean_value(gold, (gold == predicted).astype(np.float64), group)


def mean_value(_gold: FloatArray, predicted: FloatArray, group: NDArray[np.intp]) -> Statistic:
    """Return the mean of what answers are worth, 0 where there is none, as a function of the weights of the groups."""
    sums = np.stack([np.bincount(group, np.nan_to_num(predicted)), np.bincount(group)])

    def statistic(weights: FloatArray) -> FloatArray:
        worth, size = sums @ weights  # one product, since it is the reading of the weights that takes the time
        return np.asarray(worth / np.maximum(size, 1))

    return statistic


def contrast(gold: FloatArray, predicted: FloatArray, group: NDArray[np.intp]) -> Statistic:
    """Return the mean where *gold* is 1 minus that where it is 0, as a function of the weights of the groups.

    >>> difference = contrast(np.array([1.0, 1, 0]), np.array([5.0, 7, 2]), np.array([0, 1, 2]))
    >>> float(difference(np.ones((3, 1)))[0])
    4.0
    """
    sides = [np.stack([np.bincount(group, side * predicted), np.bincount(group, side)]) for side in (gold, 1 - gold)]

    def statistic(weights: FloatArray) -> FloatArray:
        (more, of_more), (less, of_less) = (side @ weights for side in sides)
        with np.errstate(invalid="ignore"):  # a resample may have none of a side: it has no difference, either
            return np.asarray(more / of_more - less / of_less)

    return statistic


def f1(gold: FloatArray, predicted: FloatArray, group: NDArray[np.intp], *, average: str = "macro") -> Statistic:
    """Return F1, as a function of the weights of the groups.

    Its *average* is `macro`, the mean over classes, where a class that a resample neither has nor is told is left out;
    `weighted` by how many items a class has; or `micro`, over all items at once.

    >>> score = f1(np.array([0.0, 0, 1]), np.array([0.0, 1, 1]), np.array([0, 1, 2]))
    >>> float(score(np.ones((3, 1)))[0])
    0.6666666666666666
    """
    classes = np.unique(np.concatenate([gold, predicted[~np.isnan(predicted)]]))
    size = int(group.max()) + 1

    def count(mask: NDArray[np.bool_]) -> FloatArray:
        return np.bincount(group[mask], minlength=size).astype(np.float64)

    right = np.array([count((gold == name) & (predicted == name)) for name in classes])
    there = np.array([count(gold == name) for name in classes])
    either = there + np.array([count(predicted == name) for name in classes])

    def statistic(weights: FloatArray) -> FloatArray:
        denominator = either @ weights
        if average == "micro":
            return np.asarray(2 * (right @ weights).sum(axis=0) / np.maximum(denominator.sum(axis=0), 1))
        shares = 2 * (right @ weights) / np.where(denominator > 0, denominator, np.nan)
        weight = there @ weights if average == "weighted" else ~np.isnan(shares)
        return np.asarray((np.nan_to_num(shares) * weight).sum(axis=0) / np.maximum(weight.sum(axis=0), 1))

    return statistic


def span_f1(gold: FloatArray, predicted: FloatArray, group: NDArray[np.intp]) -> Statistic:
    """Return F1 over phrases with their place and type, as a function of the weights of the groups.

    An answer is 0 for a word outside of a phrase, 1 inside, and another number, that of its type, where one begins.

    >>> f1 = span_f1(np.array([2.0, 1, 0, 3]), np.array([2.0, 1, 0, 2]), np.array([0, 0, 0, 1]))
    >>> float(f1(np.ones((2, 1)))[0])
    0.5
    """
    size = int(group.max()) + 1

    def phrases(codes: FloatArray) -> dict[tuple[int, int], float]:
        """Return the type of each phrase, by its first word and the one behind its last."""
        ends = np.append(codes != 1, True)
        return {
            (start, start + 1 + int(ends[start + 1 :].argmax())): codes[start]
            for start in np.flatnonzero(codes > 1).tolist()
        }

    def count(places: Iterable[tuple[int, int]]) -> FloatArray:
        starts = np.array([start for start, _ in places], dtype=np.intp)
        return np.bincount(group[starts], minlength=size).astype(np.float64)

    true, answered = phrases(gold), phrases(predicted)
    right = count([place for place, kind in answered.items() if true.get(place) == kind])
    either = count(true) + count(answered)
    return lambda weights: np.asarray(2 * (right @ weights) / np.maximum(either @ weights, 1))


STATISTICS: Mapping[str, Callable[[FloatArray, FloatArray, NDArray[np.intp]], Statistic]] = {
    "accuracy": accuracy,
    "span_f1": span_f1,
    "contrast": contrast,
    "macro_f1": f1,
    "micro_f1": partial(f1, average="micro"),
    "weighted_f1": partial(f1, average="weighted"),
}


def suite_differences(models: Mapping[str, Sequence[Answers]], *, resamples: int) -> Iterator[SuiteDifference]:
    """Yield the difference of each two of *models* on the items that both answered, by paired bootstrap.

    Holm's correction is over all of them.
    """
    rows = []
    for (first, some), (second, others) in itertools.combinations(models.items(), 2):
        places = {_key(one): one for one in others}
        for one in some:
            if other := places.get(_key(one)):
                rows += list(_differences(first, second, *common(one, other), resamples))
    for row, p_holm in zip(rows, correlation.holm([row.p for row in rows]), strict=True):
        yield replace(row, p_holm=p_holm)


def _key(answers: Answers) -> tuple[str, ...]:
    return (*columns_of(answers.place, OfTask).values(), *answers.metrics)


def common(one: Answers, other: Answers) -> tuple[Answers, Answers]:
    """Return the answers of both to the items that both have, in the order of *one*."""
    places = {name: place for place, name in enumerate(other.ids)}
    both = np.array([name in places for name in one.ids], dtype=bool)
    first = one.of(both)
    order = np.array([places[name] for name in first.ids], dtype=np.intp)
    seeds = min(one.seeds, other.seeds)
    gold, predicted = other.gold[order], other.predicted[order]
    second = replace(other, ids=first.ids, groups=first.groups, gold=gold, predicted=predicted, seeds=seeds)
    return replace(first, seeds=seeds), second


def _differences(first: str, second: str, one: Answers, other: Answers, resamples: int) -> Iterator[SuiteDifference]:
    there = ~np.isnan(one.predicted) & ~np.isnan(other.predicted)
    for metric in one.metrics:
        # what leaves missing answers out leaves the same ones out on both sides
        pair = [side.of(there) if metric in PRESENT else side for side in (one, other)]
        samples = [sample_of(metric, side, resamples) for side in pair]
        place = columns_of(one.place, OfTask)
        counts: Any = {"n": len(pair[0].ids), "compounds": len(set(pair[0].groups))}
        values = [None if sample is None else sample.value for sample in samples]
        sides: Any = dict(
            zip(("first", "second", "first_value", "second_value"), (first, second, *values), strict=True)
        )
        unknown: Any = dict.fromkeys(("difference", "low", "high", "p", "p_holm"))
        row = SuiteDifference(**place, **sides, metric=metric, **unknown, **counts)
        if samples[0] is not None and samples[1] is not None:
            difference = Sample(*(a - b for a, b in zip(*samples, strict=True)))
            low, high = correlation.bca_interval(*difference)
            p = correlation.bootstrap_p(*difference)
            row = replace(row, difference=difference.value, low=low, high=high, p=p)
        yield row
