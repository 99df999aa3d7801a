"""The rules by which annotators are left out: declared in a file before anybody looks at scores.

    [exclusion]
    min_gold = 0.6          # share of the gold items answered as expected
    min_attention = 0.6     # the same of the attention checks
    min_checks = 3          # with fewer checks of a kind, its rule says nothing
    min_seconds = 3.0       # median seconds per sentence
    max_same = 0.9          # share of the most frequent answer (the same three scores)
    min_judged = 0.2        # share of the sentences that were judged at all
    min_agreement = 0.2     # leave-one-out Spearman; not used unless it is written, because it is circular

All but the last use checks, time and the shape of an annotator's own answers: never agreement with the scores that
come out. A rule that is not written has its default; `false` switches it off.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.quality import MIN_FOR_SHAPE, Annotator
from ncimp.builder.annotation.answers.text import read_results
from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.files import Row


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of exclusion; one that is None is not used."""

    min_gold: float | None = 0.6
    min_attention: float | None = 0.6
    min_checks: int = 3
    min_seconds: float | None = 3.0
    max_same: float | None = 0.9
    min_judged: float | None = 0.2
    min_agreement: float | None = None

    @property
    def circular(self) -> bool:
        """Whether annotators are left out for disagreeing, which makes every figure of agreement look better."""
        return self.min_agreement is not None

    def as_row(self) -> Row:
        """Return the rules as plain values."""
        return asdict(self)


LIMITS: dict[str, float] = {"min_checks": 1_000, "min_seconds": 3_600}
"""Largest value of a rule; of a share it is 1."""


def read_rules(path: Path) -> Rules:
    """Return the rules in *path*, or raise `SchemaError` for one that is unknown or cannot be."""
    try:
        table = tomllib.loads(read_results(path))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="mend the file", place=Place(str(path))) from None
    if set(table) != {"exclusion"} or not isinstance(table["exclusion"], dict):
        fix = "write the rules under [exclusion], and nothing else"
        raise SchemaError("no table [exclusion], or another one", fix=fix, place=Place(str(path)))
    return rules_of(table["exclusion"], Place(str(path)))


def rules_of(row: Row, place: Place) -> Rules:
    """Return the rules that *row* says, the others with their defaults."""
    known = [field.name for field in fields(Rules)]
    for name, value in row.items():
        if name not in known:
            raise SchemaError(f"no rule {name!r}", fix=f"use {', '.join(known)}", place=place)
        if not _fits(name, value):
            what = f"{name} cannot be {value!r}"
            raise SchemaError(what, fix=f"give a number from 0 to {LIMITS.get(name, 1):g}, or false", place=place)
    given: Row = {name: None if value is False else value for name, value in row.items()}
    return Rules(**given)


def _fits(name: str, value: Any) -> bool:
    if value is False or value is None:
        return name != "min_checks"
    kinds = (int,) if name == "min_checks" else (int, float)
    return not isinstance(value, bool) and isinstance(value, kinds) and 0 <= value <= LIMITS.get(name, 1)


def broken_rules(annotator: Annotator, rules: Rules) -> tuple[str, ...]:
    """Return the names of the rules by which *annotator* is left out, in the order of `Rules`."""
    gold, attention = annotator.gold, annotator.attention
    judged = annotator.judged / annotator.answers if annotator.answers else None
    enough = annotator.judged >= MIN_FOR_SHAPE
    broken = {
        "min_gold": _below(gold.share if gold.n >= rules.min_checks else None, rules.min_gold),
        "min_attention": _below(attention.share if attention.n >= rules.min_checks else None, rules.min_attention),
        "min_seconds": _below(annotator.seconds, rules.min_seconds),
        "max_same": enough and rules.max_same is not None and (annotator.same or 0.0) > rules.max_same,
        "min_judged": annotator.answers >= MIN_FOR_SHAPE and _below(judged, rules.min_judged),
        "min_agreement": _below(annotator.agreement, rules.min_agreement),
    }
    return tuple(name for name, found in broken.items() if found)


def _below(value: float | None, least: float | None) -> bool:
    return value is not None and least is not None and value < least
