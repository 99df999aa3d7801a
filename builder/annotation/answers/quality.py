"""What each annotator did: how much, how fast, how well on the checks, how evenly, and how like the others."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ncimp.builder.annotation.answers.ratings import FloatArray, Ratings, rate
from ncimp.builder.records import Judgement

MIN_FOR_SHAPE = 10
"""Answers below which the shape of an annotator's answers says nothing."""

MIN_FOR_RHO = 5
"""Sentences in common with others below which no correlation is given."""


@dataclass(frozen=True, slots=True)
class Checks:
    """How many checks of a kind an annotator got, and answered as expected."""

    n: int
    passed: int

    @property
    def share(self) -> float | None:
        """The share that was passed, None without checks."""
        return self.passed / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Annotator:
    """What one annotator did."""

    annotator: str
    answers: int
    """Answers about items, checks left out."""
    judged: int
    unknown: int
    nonsense: int
    seconds: float | None
    """Median seconds per sentence, over assignments."""
    gold: Checks
    attention: Checks
    same: float | None
    """Share of the most frequent answer, all three scores alike, among the judged items."""
    spread: float | None
    """Standard deviation of the scores of the whole."""
    agreement: float | None
    """Spearman's rho between the annotator's scores of the whole and the mean of all others (leave-one-out)."""
    bias: float | None
    """Mean difference from the mean of the others."""


def measure_annotators(judgements: Sequence[Judgement]) -> list[Annotator]:
    """Return what each annotator did, in the order of their ids."""
    own: dict[str, list[Judgement]] = defaultdict(list)
    for row in judgements:
        own[row.annotator].append(row)
    ratings = rate(judgements, "comp")
    rho, bias = _against_others(ratings)
    return [_measured(name, own[name], rho.get(name), bias.get(name)) for name in sorted(own)]


def _measured(name: str, rows: Sequence[Judgement], rho: float | None, bias: float | None) -> Annotator:
    items = [row for row in rows if row.kind == "item"]
    status = Counter(row.status for row in items)
    scores = [(row.comp, row.head, row.modifier) for row in items if row.status == "judged"]
    same = Counter(scores).most_common(1)[0][1] / len(scores) if scores else None
    whole = [row.comp for row in items if row.comp is not None]
    return Annotator(
        annotator=name,
        answers=len(items),
        judged=status["judged"],
        unknown=status["unknown"],
        nonsense=status["nonsense"],
        seconds=_pace(rows),
        gold=_checks(rows, "gold"),
        attention=_checks(rows, "attention"),
        same=same,
        spread=statistics.stdev(whole) if len(whole) > 1 else None,
        agreement=rho,
        bias=bias,
    )


def _checks(rows: Iterable[Judgement], kind: str) -> Checks:
    found = [row.passed for row in rows if row.kind == kind and row.passed is not None]
    return Checks(len(found), sum(found))


def _pace(rows: Iterable[Judgement]) -> float | None:
    """Return the median, over assignments, of the seconds per sentence."""
    sentences: Counter[str] = Counter()
    seconds: dict[str, int] = {}
    for row in rows:
        if row.seconds is not None:
            sentences[row.assignment] += 1
            seconds[row.assignment] = row.seconds
    return statistics.median(seconds[name] / sentences[name] for name in seconds) if seconds else None


def _against_others(ratings: Ratings) -> tuple[dict[str, float], dict[str, float]]:
    """Return the leave-one-out correlation and the bias of each annotator, where there is enough in common."""
    values = ratings.values
    held = ~np.isnan(values)
    count, total = held.sum(axis=0), np.nansum(values, axis=0)
    rho: dict[str, float] = {}
    bias: dict[str, float] = {}
    for place, name in enumerate(ratings.annotators):
        common = held[place] & (count > 1)
        if not common.any():
            continue
        others = (total[common] - values[place, common]) / (count[common] - 1)
        bias[name] = float(np.mean(values[place, common] - others))
        found = spearman(values[place, common], others)
        if common.sum() >= MIN_FOR_RHO and found is not None:
            rho[name] = found
    return rho, bias


def spearman(first: FloatArray, second: FloatArray) -> float | None:
    """Return Spearman's rho of two series of the same length, None where one of them is constant."""
    from scipy.stats import rankdata  # here, because it takes as long to import as all the rest of a command

    ranks = [rankdata(np.round(values, 9)) for values in (first, second)]
    centred = [values - values.mean() for values in ranks]
    scale = float(np.sqrt((centred[0] ** 2).sum() * (centred[1] ** 2).sum()))
    return float((centred[0] * centred[1]).sum() / scale) if scale > 0 else None
