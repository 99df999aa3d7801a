"""Measure annotators, and leave them out by rules that are declared before anybody looks at scores.

    [exclusion]
    min_gold = 0.6          # share of the gold items answered as expected
    min_attention = 0.6     # the same of the attention checks
    min_checks = 3          # with fewer checks of a kind, its rule is not applied
    min_seconds = 3.0       # median seconds per sentence
    max_same = 0.9          # share of the most frequent answer (the same three scores)
    min_judged = 0.2        # share of the sentences that were judged at all
    min_agreement = 0.2     # leave-one-out Spearman; not used unless it is written, because it is circular

All but the last use checks, time and the shape of an annotator's own answers: never agreement with the scores that
result. A rule that is not written has its default; `false` switches it off.
"""

import statistics
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal

import numpy as np

from ncimp.builder.annotation.reliability import Ratings, spearman
from ncimp.builder.annotation.task.cells import read_utf8
from ncimp.builder.records import Judgement
from ncimp.schemas import Place, Row, SchemaError

Question = Literal["comp", "head", "modifier"]
QUESTIONS: tuple[Question, ...] = ("comp", "head", "modifier")

MIN_FOR_SHAPE = 10  # answers that an annotator needs before the shape of the answers counts
MIN_FOR_RHO = 5  # sentences in common with others that a correlation needs
LIMITS: dict[str, float] = {"min_checks": 1_000, "min_seconds": 3_600}  # largest value of a rule; of a share it is 1


@dataclass(frozen=True, slots=True)
class Checks:
    """Checks of one kind: how many an annotator got, and answered as expected."""

    n: int
    passed: int

    @property
    def share(self) -> float | None:
        """The share that was passed, None without checks."""
        return self.passed / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Annotator:
    """Measures of one annotator."""

    annotator: str
    answers: int  # answers about items, without checks
    judged: int
    unknown: int
    nonsense: int
    seconds: float | None  # median seconds per sentence, over assignments
    gold: Checks
    attention: Checks
    same: float | None  # share of the most frequent answer, all three scores alike, among the judged items
    spread: float | None  # standard deviation of the scores of the whole
    agreement: float | None
    """Spearman's rho between the annotator's scores of the whole and the mean of all others (leave-one-out)."""
    bias: float | None  # mean difference from the mean of the others


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of exclusion; a rule that is None is not used."""

    min_gold: float | None = 0.6
    min_attention: float | None = 0.6
    min_checks: int = 3
    min_seconds: float | None = 3.0
    max_same: float | None = 0.9
    min_judged: float | None = 0.2
    min_agreement: float | None = None

    @property
    def circular(self) -> bool:
        """True where annotators are left out for disagreeing, which makes every figure of agreement look better."""
        return self.min_agreement is not None


def sort_key(row: Judgement) -> tuple[str, ...]:
    """Return the sort key of a judgement, which does not depend on the order in which files were read."""
    parts = (row.lang, row.compound_id, row.item_id or "", row.annotator, row.day or "", row.campaign, row.assignment)
    return (row.kind, *parts, row.task_id)


def first_answers(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Return the judgements of items, sorted; of several by one annotator about one thing the first (by day)."""
    first: dict[tuple[str, str, str | None], Judgement] = {}
    for row in sorted((row for row in judgements if row.kind == "item"), key=sort_key):
        first.setdefault((row.annotator, row.compound_id, row.item_id), row)
    return list(first.values())


def rate(judgements: Iterable[Judgement], question: Question) -> Ratings:
    """Return the scores of items for *question*, annotators and units sorted."""
    rows = [row for row in first_answers(judgements) if getattr(row, question) is not None]
    annotators = tuple(sorted({row.annotator for row in rows}))
    units = tuple(sorted({(row.compound_id, row.item_id) for row in rows}, key=lambda unit: (unit[0], unit[1] or "")))
    row_of = {name: place for place, name in enumerate(annotators)}
    column_of = {unit: place for place, unit in enumerate(units)}
    values = np.full((len(annotators), len(units)), np.nan)
    for row in rows:
        values[row_of[row.annotator], column_of[row.compound_id, row.item_id]] = getattr(row, question)
    return Ratings(annotators, units, values)


def measure_annotators(judgements: Sequence[Judgement]) -> list[Annotator]:
    """Return the measures of each annotator, in the order of their ids."""
    by_annotator: dict[str, list[Judgement]] = defaultdict(list)
    for row in judgements:
        by_annotator[row.annotator].append(row)
    rho, bias = _against_others(rate(judgements, "comp"))
    annotators = []
    for name, rows in sorted(by_annotator.items()):
        items = [row for row in rows if row.kind == "item"]
        status = Counter(row.status for row in items)
        scores = [(row.comp, row.head, row.modifier) for row in items if row.status == "judged"]
        whole = [row.comp for row in items if row.comp is not None]
        sentences = Counter(row.assignment for row in rows if row.seconds is not None)
        seconds = {row.assignment: row.seconds for row in rows if row.seconds is not None}
        checks = [(row.kind, row.passed) for row in rows if row.passed is not None]
        gold, attention = ([passed for kind, passed in checks if kind == one] for one in ("gold", "attention"))
        annotator = Annotator(
            annotator=name,
            answers=len(items),
            judged=status["judged"],
            unknown=status["unknown"],
            nonsense=status["nonsense"],
            seconds=statistics.median(seconds[one] / sentences[one] for one in seconds) if seconds else None,
            gold=Checks(len(gold), sum(gold)),
            attention=Checks(len(attention), sum(attention)),
            same=Counter(scores).most_common(1)[0][1] / len(scores) if scores else None,
            spread=statistics.stdev(whole) if len(whole) > 1 else None,
            agreement=rho.get(name),
            bias=bias.get(name),
        )
        annotators.append(annotator)
    return annotators


def _against_others(ratings: Ratings) -> tuple[dict[str, float], dict[str, float]]:
    """Return the leave-one-out correlation and the bias of each annotator with enough sentences in common."""
    values = ratings.values
    judged = ~np.isnan(values)
    count, total = judged.sum(axis=0), np.nansum(values, axis=0)
    rho: dict[str, float] = {}
    bias: dict[str, float] = {}
    for place, name in enumerate(ratings.annotators):
        common = judged[place] & (count > 1)
        if not common.any():
            continue
        others = (total[common] - values[place, common]) / (count[common] - 1)
        bias[name] = float(np.mean(values[place, common] - others))
        correlation = spearman(values[place, common], others)
        if common.sum() >= MIN_FOR_RHO and correlation is not None:
            rho[name] = correlation
    return rho, bias


def read_rules(path: Path) -> Rules:
    """Return the rules in *path*, or raise `SchemaError` for an unknown or impossible one."""
    try:
        table = tomllib.loads(read_utf8(path))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="repair the file", place=Place(str(path))) from None
    if set(table) != {"exclusion"} or not isinstance(table["exclusion"], dict):
        fix = "write the rules under [exclusion], and nothing else"
        raise SchemaError("no table [exclusion], or another one", fix=fix, place=Place(str(path)))
    return rules_of(table["exclusion"], Place(str(path)))


def rules_of(row: Row, place: Place) -> Rules:
    """Return the rules in *row*, the others with their defaults."""
    names = [rule.name for rule in fields(Rules)]
    for name, value in row.items():
        if name not in names:
            raise SchemaError(f"no rule {name!r}", fix=f"use {', '.join(names)}", place=place)
        kinds, most = (int,) if name == "min_checks" else (int, float), LIMITS.get(name, 1)
        is_number = not isinstance(value, bool) and isinstance(value, kinds) and 0 <= value <= most
        if not is_number and (value not in (False, None) or name == "min_checks"):
            what = f"{name} cannot be {value!r}"
            raise SchemaError(what, fix=f"give a number from 0 to {most:g}, or false", place=place)
    values: Row = {name: None if value is False else value for name, value in row.items()}
    return Rules(**values)


def broken_rules(annotator: Annotator, rules: Rules) -> tuple[str, ...]:
    """Return the names of the rules by which *annotator* is left out, in the order of `Rules`."""
    gold, attention = annotator.gold, annotator.attention
    enough = annotator.judged >= MIN_FOR_SHAPE
    judged = annotator.judged / annotator.answers if annotator.answers >= MIN_FOR_SHAPE else None

    def is_below(value: float | None, least: float | None) -> bool:
        return value is not None and least is not None and value < least

    broken = {
        "min_gold": is_below(gold.share if gold.n >= rules.min_checks else None, rules.min_gold),
        "min_attention": is_below(attention.share if attention.n >= rules.min_checks else None, rules.min_attention),
        "min_seconds": is_below(annotator.seconds, rules.min_seconds),
        "max_same": enough and rules.max_same is not None and (annotator.same or 0.0) > rules.max_same,
        "min_judged": is_below(judged, rules.min_judged),
        "min_agreement": is_below(annotator.agreement, rules.min_agreement),
    }
    return tuple(name for name, is_broken in broken.items() if is_broken)


def mark_excluded(judgements: Sequence[Judgement], rules: Rules) -> list[Judgement]:
    """Return *judgements*, those of annotators who are left out with the names of the broken *rules*."""
    broken = {row.annotator: " ".join(broken_rules(row, rules)) or None for row in measure_annotators(judgements)}
    return [replace(row, excluded=broken[row.annotator]) for row in judgements]
