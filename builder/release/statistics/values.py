"""The values behind the statistics of a release, each defined once: words, positions, differences, summaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ncimp.builder.records import CONTEXTS, RANDOMS, CompoundClass, Item

QUANTILES = {"minimum": 0.0, "p10": 0.10, "p25": 0.25, "median": 0.50, "p75": 0.75, "p90": 0.90, "maximum": 1.0}
"""Quantiles of a summary, by name."""

DECIMALS = 4
"""Decimals that are kept: more than anybody reads, and few enough to be the same on every machine."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How many values there are, their mean, sample standard deviation (n - 1; None for one value) and quantiles."""

    n: int
    mean: float
    sd: float | None
    minimum: float
    p10: float
    p25: float
    median: float
    p75: float
    p90: float
    maximum: float


def summarise(values: Sequence[float]) -> Summary | None:
    """Return the summary of *values*, or None when there are none.

    Quantiles are interpolated linearly between the two nearest values (numpy's method `linear`).
    """
    if not values:
        return None
    data = np.sort(np.asarray(values, dtype=np.float64))  # sums of floats depend on the order of what is summed
    cuts = np.quantile(data, list(QUANTILES.values()), method="linear").tolist()
    figures = {name: round(cut, DECIMALS) for name, cut in zip(QUANTILES, cuts, strict=True)}
    sd = round(float(data.std(ddof=1)), DECIMALS) if len(data) > 1 else None
    return Summary(n=len(data), mean=round(float(data.mean()), DECIMALS), sd=sd, **figures)


def count_words(tokens: Iterable[str]) -> int:
    """Return how many of *tokens* are words, which is to say hold a letter or a digit.

    >>> count_words(["Don't", "judge", "a", "pé-frio", "by", "1", "game", "."])
    7
    """
    return sum(any(mark.isalnum() for mark in token) for token in tokens)


@dataclass(frozen=True, slots=True)
class Position:
    """Where an NC stands in its sentence, in words of the sentence before and after it."""

    before: int
    after: int

    @property
    def relative(self) -> float:
        """Share of the other words that stand before the NC: 0 at the beginning of the sentence, 1 at its end."""
        return self.before / (self.before + self.after)

    def part(self, parts: int) -> int:
        """Return which of so many equal *parts* of the sentence the NC begins in, from 0; 1/3 is in the second of 3.

        >>> [Position(before, 6 - before).part(3) for before in range(7)]
        [0, 0, 1, 1, 2, 2, 2]
        """
        return min(parts - 1, parts * self.before // (self.before + self.after))  # whole numbers: no 0.333


def position_of(item: Item) -> Position | None:
    """Return the position of the span of *item*, or None when its sentence has no other word."""
    start, end = item.token_span
    before, after = count_words(item.tokens[:start]), count_words(item.tokens[end:])
    return Position(before, after) if before + after else None


@dataclass(frozen=True, slots=True)
class Match:
    """|difference of log10 frequency| of one random compound from its NC: by component, and of the mean frequency."""

    lang: str
    compound_class: CompoundClass
    modifier: float
    head: float
    mean: float

    @property
    def worse(self) -> float:
        """The larger of the differences of the two components."""
        return max(self.modifier, self.head)


def matches(items: Iterable[Item]) -> list[Match]:
    """Return the match of every random compound once (it is the same in every context); one not measured has none."""
    found = []
    for item in items:
        if item.variant not in RANDOMS or item.context != CONTEXTS[0]:
            continue
        deltas = (item.modifier_delta, item.head_delta, item.mean_delta)
        known = [abs(delta) for delta in deltas if delta is not None]
        if len(known) == len(deltas):
            found.append(Match(item.lang, item.compound_class, *known))
    return found
