"""The draw: of a pool's pairs the five that match best and share no word, no pair twice in a language.

Pairs come in the order of what they cost, equals in that of their keyed hash, so that neither the order
of the pool nor that of the table matters. The draw is greedy: a compound takes its best, and those
served later do without. What a best assignment of all would gain is measured in `docs/adr/0011-pools-and-rules.md`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ncimp.builder.config import BuildOptions
from ncimp.builder.records import RANDOMS
from ncimp.builder.selection.matches import Match, Target, measure
from ncimp.builder.selection.pools import Search
from ncimp.builder.selection.words import are_kin
from ncimp.schemas.hashing import keyed_hash

REUSE = 0.01
"""Cost, in log10 units, of each earlier use of a word: of nearly equal matches the fresher wins."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What may not be drawn (again): pairs of lemmas; and how often each word has been used so far."""

    pairs: set[tuple[str, str]]
    uses: Counter[str] = field(default_factory=Counter)

    def add(self, match: Match) -> None:
        """Record that *match* is drawn."""
        self.pairs.add(match.lemmas)
        self.uses.update(match.lemmas)

    def has(self, match: Match) -> bool:
        """Tell whether the pair of *match* is drawn already or ruled out."""
        return match.lemmas in self.pairs

    def cost(self, match: Match, options: BuildOptions) -> float:
        """Return the cost of *match*, with what its words' earlier uses add when components are matched.

        The published rule knows the mean alone, and stays as it is.
        """
        cost = match.cost(options.match)
        return cost if options.match == "mean" else round(cost + REUSE * sum(self.uses[w] for w in match.lemmas), 9)


def draw(
    name: str, target: Target, search: Search, earlier: Drawn, allowed: Callable[[Match], bool], options: BuildOptions
) -> list[Match]:
    """Return, and record in *earlier*, up to five matches of the compound *name*, best first, that share no word."""
    chosen: list[Match] = []
    for match in best_first(name, target, search, earlier, options):
        if not earlier.has(match) and allowed(match) and _fresh(match, chosen):
            chosen.append(match)
            if len(chosen) == len(RANDOMS):
                break
    for match in chosen:
        earlier.add(match)
    return chosen


def best_first(name: str, target: Target, search: Search, earlier: Drawn, options: BuildOptions) -> Iterator[Match]:
    """Yield every pair within `max_delta` of *target* in the order of its cost, and of a keyed hash among equals.

    A radius is searched whole, and what costs more than it waits for the next: pairs outside it cost more than
    every pair that is yielded before it is widened. The mean is never farther off than the worse component,
    so that twice the limit holds all.
    """

    def order(match: Match) -> tuple[float, str]:
        return earlier.cost(match, options), keyed_hash(options.seed, name, *match.lemmas)

    limit = 2 * options.max_delta
    passed = -1.0
    for radius in search.radii(limit):
        end = radius if radius < limit else math.inf
        matches = (measure(pair, target) for pair in search.within(target, radius))
        near = (match for match in matches if match.distance(options.match) <= options.max_delta)
        yield from sorted((match for match in near if passed < earlier.cost(match, options) <= end), key=order)
        passed = end


def _fresh(match: Match, chosen: Iterable[Match]) -> bool:
    """Tell whether no word of *match* is kin to a word of one already *chosen*."""
    words = [word for other in chosen for word in other.lemmas]
    return not any(are_kin(new, old) for new in match.lemmas for old in words)
