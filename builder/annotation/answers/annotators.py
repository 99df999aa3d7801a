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
    """Checks of one kind: how many an annotator got, and passed."""

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
    agreement: float | None  # Spearman's rho of the scores of the whole with the mean of all others (leave-one-out)
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
    annotators = sorted({row.annotator for row in rows})
    units = sorted({(row.compound_id, row.item_id) for row in rows}, key=lambda unit: (unit[0], unit[1] or ""))
    places = {name: place for names in (annotators, units) for place, name in enumerate(names)}
    values = np.full((len(annotators), len(units)), np.nan)
    for row in rows:
        values[places[row.annotator], places[row.compound_id, row.item_id]] = getattr(row, question)
    return Ratings(tuple(annotators), tuple(units), values)


def measure_annotators(judgements: Sequence[Judgement]) -> list[Annotator]:
    """Return the measures of each annotator, in the order of their ids."""
    by_annotator: dict[str, list[Judgement]] = defaultdict(list)
    for row in judgements:
        by_annotator[row.annotator].append(row)
    against_others = _against_others(rate(judgements, "comp"))
    annotators = []
    for name, rows in sorted(by_annotator.items()):
        items = [row for row in rows if row.kind == "item"]
        status = Counter(row.status for row in items)
        scores = Counter((row.comp, row.head, row.modifier) for row in items if row.status == "judged")
        whole = [row.comp for row in items if row.comp is not None]
        sentences = Counter(row.assignment for row in rows if row.seconds is not None)
        seconds = {row.assignment: row.seconds for row in rows if row.seconds is not None}
        checks = Counter((row.kind, row.passed) for row in rows)
        gold, attention = (
            Checks(checks[kind, True] + checks[kind, False], checks[kind, True]) for kind in ("gold", "attention")
        )
        annotator = Annotator(
            annotator=name,
            answers=len(items),
            judged=status["judged"],
            unknown=status["unknown"],
            nonsense=status["nonsense"],
            seconds=statistics.median(seconds[one] / sentences[one] for one in seconds) if seconds else None,
            gold=gold,
            attention=attention,
            same=max(scores.values()) / scores.total() if scores else None,
            spread=statistics.stdev(whole) if len(whole) > 1 else None,
            **against_others.get(name, {"agreement": None, "bias": None}),
        )
        annotators.append(annotator)
    return annotators


def _against_others(ratings: Ratings) -> dict[str, dict[str, float | None]]:
    judged = ~np.isnan(ratings.values)
    count, total = judged.sum(axis=0), np.nansum(ratings.values, axis=0)
    measures: dict[str, dict[str, float | None]] = {}
    for name, row, is_judged in zip(ratings.annotators, ratings.values, judged, strict=True):
        common = is_judged & (count > 1)
        if common.any():
            others = (total[common] - row[common]) / (count[common] - 1)
            rho = spearman(row[common], others) if common.sum() >= MIN_FOR_RHO else None
            measures[name] = {"agreement": rho, "bias": float(np.mean(row[common] - others))}
    return measures


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
            fix = f"give a number from 0 to {most:g}, or false"
            raise SchemaError(f"{name} cannot be {value!r}", fix=fix, place=place)
    values: Row = {name: None if value is False else value for name, value in row.items()}
    return Rules(**values)


def broken_rules(annotator: Annotator, rules: Rules) -> tuple[str, ...]:
    """Return the names of the rules by which *annotator* is left out, in the order of `Rules`."""
    measures = {
        "min_gold": annotator.gold.share if annotator.gold.n >= rules.min_checks else None,
        "min_attention": annotator.attention.share if annotator.attention.n >= rules.min_checks else None,
        "min_seconds": annotator.seconds,
        "max_same": annotator.same if annotator.judged >= MIN_FOR_SHAPE else None,
        "min_judged": annotator.judged / annotator.answers if annotator.answers >= MIN_FOR_SHAPE else None,
        "min_agreement": annotator.agreement,
    }

    def is_broken(name: str, value: float | None) -> bool:
        limit: float | None = getattr(rules, name)
        if value is None or limit is None:
            return False
        return value > limit if name.startswith("max") else value < limit

    return tuple(name for name, value in measures.items() if is_broken(name, value))


def mark_excluded(judgements: Sequence[Judgement], rules: Rules) -> list[Judgement]:
    """Return *judgements*, those of annotators who are left out with the names of the broken *rules*."""
    broken = {row.annotator: " ".join(broken_rules(row, rules)) or None for row in measure_annotators(judgements)}
    return [replace(row, excluded=broken[row.annotator]) for row in judgements]
