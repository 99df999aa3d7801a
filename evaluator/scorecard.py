"""The linguistic predictions as tests: met, not met or undecided, with an effect and its interval.

Two constants decide. A level is high or low by the side of `MIDDLE` that its interval lies on, and near
something when the interval lies within `MARGIN` of it; a correlation is none when its interval lies within
`MARGIN` of 0. A sign is met above 0 and reversed below it. An interval that lies on neither side decides nothing.
See the project's page on the scorecard.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from ncimp.evaluator.records import Aspect, ClassName, Distribution, Outcome, Result, ScorecardLine

MIDDLE = 0.5  # half way between unrelated (cosine, affinity, scaled similarity 0) and the same (1); Cohen's large r
MARGIN = 0.1  # half the width of what counts as equivalent: "none" for a correlation, "near" for a level
ALPHA = 0.05  # a correlation with a direction must also survive Holm's correction at this level
I: ClassName = "idiomatic"  # noqa: E741 (the three letters keep the table a table)
P: ClassName = "partly_compositional"
C: ClassName = "compositional"
LevelRule = Literal["high", "low", "near 0", "near 1", "above 0"]  # the expected mean over the compounds of a class
RhoRule = Literal["none", "positive", "positive, strong", "negative"]  # the expected correlation with the score


Levels = tuple[tuple[LevelRule, tuple[ClassName, ...]], ...]  # rules, each with its classes


class Prediction(NamedTuple):
    """One line of the table of predictions: its measures, and the expected levels, correlation and sign."""

    measures: tuple[str, ...]
    published: str
    levels: Levels
    rho: RhoRule
    sign: Levels = ()


PREDICTIONS = (  # the predictions of NCIMP (He et al., CL 51(2), §3.4), in the order of the project's measures page
    Prediction(("Sim_PSyn",), "Sim_PSyn", (("high", (I, P, C)),), "none"),
    Prediction(
        ("Sim_PComp_head", "Sim_PComp_mod", "Sim_PComp_max", "Sim_PComp_mean"), "Sim_PComp_max",
        (("high", (P, C)), ("low", (I,))), "positive",
    ),
    Prediction(
        ("Sim_PWordsSyn_first", "Sim_PWordsSyn_mean"), "Sim_PWordsSyn_first",
        (("high", (C,)), ("low", (I, P))), "positive, strong",
    ),
    Prediction(("Sim_PRand",), "Sim_PRand", (("low", (I, P, C)),), "none"),
    Prediction(
        ("A_Syn|WordsSyn_first", "A_Syn|WordsSyn_mean"),
        "A_Syn|WordsSyn_first",
        (("high", (I,)), ("near 0", (C,))),
        "negative",
        (("above 0", (I,)),),  # the main line: idioms lie nearer their synonym than their word-by-word paraphrase
    ),
    Prediction(("A_Syn|Rand",), "A_Syn|Rand", (("near 1", (I, P, C)),), "none"),
    Prediction(("SimR_PSyn",), "SimR_PSyn", (("near 1", (I, P, C)),), "none"),
    Prediction(("SimR_PWordsSyn_first", "SimR_PWordsSyn_mean"), "SimR_PWordsSyn_first", (("low", (I,)),), "positive"),
)  # fmt: skip
PUBLISHED = tuple(prediction.published for prediction in PREDICTIONS)  # one measure for each prediction


class Verdict(NamedTuple):
    """The verdict of a rule on one estimate; *margin* is the distance from the wrong side, negative there."""

    outcome: Outcome
    margin: float


def judge_level(rule: LevelRule, mean: float, low: float, high: float) -> Verdict:
    """Return the verdict on the mean of a class with its interval.

    >>> judge_level("high", 0.8, 0.7, 0.9).outcome, judge_level("low", 0.5, 0.45, 0.55).outcome
    ('met', 'undecided')
    """
    if rule in ("high", "low"):
        side = 1.0 if rule == "high" else -1.0
        ends = sorted((side * (low - MIDDLE), side * (high - MIDDLE)))
        return Verdict(_side(*ends), side * (mean - MIDDLE))
    if rule == "above 0":
        return Verdict("met" if low > 0 else "reversed" if high < 0 else "undecided", mean)
    target = 0.0 if rule == "near 0" else 1.0
    return Verdict(_equivalence(low - target, high - target), MARGIN - abs(mean - target))


def judge_rho(rule: RhoRule, low: float, high: float, p_holm: float) -> Outcome:
    """Return the outcome for a correlation with the interval from *low* to *high*.

    >>> judge_rho("positive", 0.2, 0.4, 0.001), judge_rho("none", -0.05, 0.15, 0.6)
    ('met', 'undecided')
    """
    if rule == "none":
        return _equivalence(low, high)
    if rule == "positive, strong":
        return _side(low - MIDDLE, high - MIDDLE)
    if rule == "negative":
        low, high = -high, -low
    if high <= MARGIN:  # none, negligible, or in the other direction
        return "not met" if low >= -MARGIN or high < 0 else "undecided"
    return "met" if low > 0 and p_holm < ALPHA else "undecided"


def _side(low: float, high: float) -> Outcome:
    if low > 0:
        return "met"
    return "not met" if high < 0 else "undecided"


def _equivalence(low: float, high: float) -> Outcome:
    if low >= -MARGIN and high <= MARGIN:
        return "met"
    return "not met" if low > MARGIN or high < -MARGIN else "undecided"


PLACE = ("model", "lang", "context_kind", "level", "measure")  # columns that identify a figure


def _key(row: Result | Distribution | ScorecardLine) -> tuple[str, ...]:
    return tuple(getattr(row, name) for name in PLACE)


def attainable(lines: Iterable[ScorecardLine]) -> list[ScorecardLine]:
    """Return the *lines* that count: the published ones that the ideal model meets."""
    return [line for line in lines if line.published and line.ideal == "met"]


def scorecard(
    results: Iterable[Result], distributions: Iterable[Distribution], ideal: Iterable[ScorecardLine] = ()
) -> tuple[ScorecardLine, ...]:
    """Return the lines of each measure of each prediction: its sign if it has one, levels and correlation.

    They stand beside those of the *ideal* model, or beside themselves without any.
    """
    classes = {(_key(row), row.compound_class): row for row in distributions}
    by_key = {_key(row): row for row in results}
    lines: list[ScorecardLine] = []
    for block in dict.fromkeys(key[:4] for key in by_key):
        for prediction in PREDICTIONS:
            for measure in prediction.measures:
                result = by_key[(*block, measure)]
                of_class = {name: classes[_key(result), name] for name in (I, P, C)}
                if prediction.sign:
                    lines.append(_level_line(prediction, "sign", prediction.sign, of_class))
                outcome: Outcome = "undecided"
                if result.low is not None and result.high is not None and result.p_holm is not None:
                    outcome = judge_rho(prediction.rho, result.low, result.high, result.p_holm)
                rho_line = _line(prediction, result, "correlation", prediction.rho, outcome, result.rho, None)
                lines += [_level_line(prediction, "level", prediction.levels, of_class), rho_line]
    reach = {(_key(line)[1:], line.aspect): line.outcome for line in ideal or lines}
    return tuple(replace(line, ideal=reach[_key(line)[1:], line.aspect]) for line in lines)


def _level_line(
    prediction: Prediction, aspect: Aspect, levels: Levels, of_class: Mapping[ClassName, Distribution]
) -> ScorecardLine:
    """Return the line of the class that decides: the worst outcome, and among equals the smallest margin."""
    order: tuple[Outcome, ...] = ("reversed", "not met", "undecided", "met")
    judged = [(_judge_class(rule, of_class[name]), name) for rule, names in levels for name in names]
    verdict, decisive = min(judged, key=lambda pair: (order.index(pair[0].outcome), pair[0].margin))
    rules = "; ".join(f"{rule} for {', '.join(names)}" for rule, names in levels)
    part = of_class[decisive]
    return _line(prediction, part, aspect, rules, verdict.outcome, part.mean, decisive)


def _judge_class(rule: LevelRule, part: Distribution) -> Verdict:
    """Return the verdict on one class; compounds that are all alike have their mean for an interval."""
    if part.mean is not None and part.n >= 2:
        if part.low is not None and part.high is not None:
            return judge_level(rule, part.mean, part.low, part.high)
        if part.minimum == part.maximum:
            return judge_level(rule, part.mean, part.mean, part.mean)
    return Verdict("undecided", 0.0)


def _line(
    prediction: Prediction,
    row: Result | Distribution,
    aspect: Aspect,
    rule: str,
    outcome: Outcome,
    effect: float | None,
    compound_class: ClassName | None,
) -> ScorecardLine:
    """Return the line about *row*, whose interval is that of *effect*."""
    columns: dict[str, Any] = {name: getattr(row, name) for name in (*PLACE, "low", "high", "n")}
    columns |= {"published": row.measure == prediction.published, "compound_class": compound_class}
    return ScorecardLine(**columns, aspect=aspect, wanted=rule, outcome=outcome, ideal=outcome, effect=effect)
