"""Random compounds matched in frequency: distances in log10 units, and searches that do not look at every pair.

The formulas are in `docs/reference/matching.md`. Every search of a `PairIndex` and every one by the mean is
complete: it returns all pairs that cost at most a radius. Its caller widens the radius until five are found, so
that the five are the best of the pool and not of a sample of it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from ncimp.builder.config import Matching
from ncimp.builder.records import Gender

DECIMALS = 6  # decimals of a distance: those of a Zipf value
SLACK = 2e-6  # added to every radius, so that no rounding (to six decimals) leaves a pair out; pairs beyond it go later
FIRST_RADIUS = {"components": 0.01, "mean": 0.00001}  # in log10 units: a large pool has dozens of pairs within it

Numbers = np.ndarray[Any, np.dtype[np.float64]]


class PoolWord(NamedTuple):
    """A word that may be a component of a random compound."""

    zipf: float
    lemma: str
    gender: Gender | None


PoolWords = Sequence[PoolWord]
MayBe = Callable[[str, str], bool]  # tell whether a random compound may have this `head` or `modifier`, a lemma
Penalty = Callable[[str], float]  # cost of a lemma for its earlier uses


class PoolPair(NamedTuple):
    """A modifier and a head that may be a random compound."""

    modifier: PoolWord
    head: PoolWord
    occurrences: int | None = None  # occurrences of the compound in a counted corpus; None for a composed one
    frequency: float | None = None  # frequency of the compound per billion words; None where it is not known


class Target(NamedTuple):
    """The figures to match: Zipf values of the components; the compound's frequency per billion words, if known."""

    modifier: float
    head: float
    frequency: float | None = None


class Match(NamedTuple):
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
        """Return the cost under *rule*: the worse component's distance plus the mean's, or the mean's alone."""
        return round(self.worse + abs(self.mean_delta), 9) if rule == "components" else abs(self.whole_delta)


def measure(pair: PoolPair, target: Target) -> Match:
    """Return *pair* with its distances from *target*."""
    words = 10**pair.modifier.zipf + 10**pair.head.zipf
    goal = 10**target.modifier + 10**target.head
    mean = whole = math.log10(words / goal)
    if pair.frequency is not None and target.frequency is not None:
        whole = math.log10((words + pair.frequency) / (goal + target.frequency))
    deltas = (pair.modifier.zipf - target.modifier, pair.head.zipf - target.head, mean, whole)
    return Match(pair, *(round(delta, DECIMALS) for delta in deltas))


class NearestSearch(NamedTuple):
    """A way to find pairs near a target, and the radii to ask for."""

    within: Callable[[Target, float], Iterable[PoolPair]]
    """Returns every pair that costs at most the radius, and maybe some that cost more."""
    first: float | None  # the first radius; None when one call returns all that there is to consider

    def radii(self, limit: float) -> Iterator[float]:
        """Yield radii, each twice the one before, up to *limit*."""
        radius = limit if self.first is None else self.first
        while radius < limit:
            yield radius
            radius *= 2
        yield limit


class PairIndex:
    """A list of pairs, searched by both components (a tree) or by the mean (a sorted list)."""

    def __init__(self, pairs: Sequence[PoolPair]) -> None:
        self._pairs = pairs
        self._zipfs = np.array([(pair.modifier.zipf, pair.head.zipf) for pair in pairs], float).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self._pairs)

    def search(self, rule: Matching) -> NearestSearch:
        """Return the search for pairs that are near by *rule*."""
        return NearestSearch(self.by_components if rule == "components" else self.by_mean, FIRST_RADIUS[rule])

    def by_components(self, target: Target, radius: float) -> list[PoolPair]:
        """Return every pair whose worse component's distance plus the mean's is at most *radius*."""
        point = np.array((target.modifier, target.head))
        box = np.array(self._tree.query_ball_point(point, radius + SLACK, p=np.inf), int)
        near = self._zipfs[box]
        means = np.log10(_per_billion(near) / _per_billion(point[None])[0])
        costs = np.abs(near - point).max(axis=1, initial=0.0) + np.abs(means)
        return [self._pairs[row] for row in box[costs <= radius + SLACK]]

    def by_mean(self, target: Target, radius: float) -> list[PoolPair]:
        """Return every pair whose mean frequency is at most *radius* from that of *target*, in log10 units.

        The compounds' own frequencies count in both means, when that of *target* is known.
        """
        order, sums = self._means[target.frequency is not None]
        goal = np.log10(10**target.modifier + 10**target.head + (target.frequency or 0.0))
        start, end = np.searchsorted(sums, (goal - radius - SLACK, goal + radius + SLACK))
        return [self._pairs[row] for row in order[start:end]]

    @cached_property
    def _tree(self) -> Any:
        return cKDTree(self._zipfs)

    @cached_property
    def _means(self) -> list[tuple[Any, Numbers]]:
        """The order and the sorted logarithms of the summed frequencies: of both words, and with the compound's."""
        words = _per_billion(self._zipfs)
        sums = (words, words + np.array([pair.frequency or 0.0 for pair in self._pairs]))
        orders = [np.argsort(row, kind="stable") for row in sums]
        return [(order, np.log10(row[order])) for order, row in zip(orders, sums, strict=True)]


def _per_billion(zipfs: Numbers) -> Numbers:
    sums: Numbers = (10.0**zipfs).sum(axis=1)
    return sums


def composed_by_mean(modifiers: PoolWords, heads: PoolWords, target: Target, radius: float) -> Iterator[PoolPair]:
    """Yield every pair of *modifiers* and *heads* (sorted by Zipf value) whose mean is at most *radius* from *target*.

    For each modifier the heads that fit are one slice of the sorted list: no pair outside it is looked at.
    """
    sums = 10.0 ** np.array([word.zipf for word in heads])
    goal = 10**target.modifier + 10**target.head
    others = 10.0 ** np.array([word.zipf for word in modifiers])
    reach = radius + SLACK
    starts = np.searchsorted(sums, goal * 10**-reach - others)
    ends = np.searchsorted(sums, goal * 10**reach - others)
    for row in np.flatnonzero(ends > starts).tolist():
        for head in heads[starts[row] : ends[row]]:
            yield PoolPair(modifiers[row], head)


def nearest_pairs(
    modifiers: PoolWords, heads: PoolWords, count: int, may_be: MayBe, penalty: Penalty, target: Target, _radius: float
) -> Iterator[PoolPair]:
    """Return the combinations of the *count* nearest modifiers and the *count* nearest heads, whatever the radius."""
    parts = (modifiers, target.modifier, "modifier"), (heads, target.head, "head")
    near = [nearest(words, value, count, partial(may_be, part), penalty) for words, value, part in parts]
    return (PoolPair(modifier, head) for modifier, head in product(*near))


def nearest(
    words: PoolWords, value: float, count: int, is_free: Callable[[str], bool], penalty: Penalty
) -> list[PoolWord]:
    """Return the *count* free words of a sorted pool nearest to *value*, their *penalty* added; the lower first."""
    outward = sorted(words, key=lambda word: round(abs(word.zipf - value) + penalty(word.lemma), DECIMALS))
    return list(islice((word for word in outward if is_free(word.lemma)), count))
