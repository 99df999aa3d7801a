"""A candidate beside the compound it may stand for: distances in log10 frequency, and what each rule minimises.

The formulas are in `docs/reference/matching.md`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ncimp.builder.config import Matching
from ncimp.builder.records import Gender

DECIMALS = 6
"""Decimals of a distance: those of a Zipf value."""


@dataclass(frozen=True, slots=True)
class PoolWord:
    """A word that may be a component of a random compound."""

    zipf: float
    lemma: str
    gender: Gender | None


@dataclass(frozen=True, slots=True)
class PoolPair:
    """A modifier and a head that may be a random compound."""

    modifier: PoolWord
    head: PoolWord
    count: int | None = None
    """How often the compound was counted; None for one that was put together."""
    own: float | None = None
    """Frequency of the compound per billion words; None where it is not known."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be matched: Zipf values of the components; the compound's frequency per billion words, if known."""

    modifier: float
    head: float
    own: float | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A random compound with its distances, in log10 units, from the compound it stands for."""

    pair: PoolPair
    modifier_delta: float
    head_delta: float
    mean_delta: float
    whole_delta: float
    """Of the mean of both words and the compound itself; `mean_delta` where a frequency of a compound is not known."""

    @property
    def lemmas(self) -> tuple[str, str]:
        """The lemmas of modifier and head."""
        return self.pair.modifier.lemma, self.pair.head.lemma

    @property
    def worse(self) -> float:
        """Distance of the worse component."""
        return max(abs(self.modifier_delta), abs(self.head_delta))

    def distance(self, rule: Matching) -> float:
        """Return the distance that *rule* bounds: of the worse component, or of the mean, both ways it is taken."""
        return self.worse if rule == "components" else max(abs(self.whole_delta), abs(self.mean_delta))

    def cost(self, rule: Matching) -> float:
        """Return what *rule* minimises: the worse component's distance plus the mean's, or the mean's alone."""
        return round(self.worse + abs(self.mean_delta), 9) if rule == "components" else abs(self.whole_delta)


def measure(pair: PoolPair, target: Target) -> Match:
    """Return *pair* with its distances from *target*."""
    words = 10**pair.modifier.zipf + 10**pair.head.zipf
    wanted = 10**target.modifier + 10**target.head
    mean = math.log10(words / wanted)
    known = pair.own is not None and target.own is not None
    whole = math.log10((words + (pair.own or 0.0)) / (wanted + (target.own or 0.0))) if known else mean
    return Match(
        pair,
        round(pair.modifier.zipf - target.modifier, DECIMALS),
        round(pair.head.zipf - target.head, DECIMALS),
        round(mean, DECIMALS),
        round(whole, DECIMALS),
    )
