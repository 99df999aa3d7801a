"""What a compound's random compounds are drawn from: the pool of its pattern and gender, and the way to search it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from ncimp.builder.config import BuildOptions
from ncimp.builder.ports import PairTable
from ncimp.builder.records import Compound, Pattern
from ncimp.builder.selection.attested import PairPool, attested_pool, counted_words, is_adjacent
from ncimp.builder.selection.composed import WordPool, build_pool, nearest_pairs, pool_words
from ncimp.builder.selection.matches import PoolPair, PoolWord, Target
from ncimp.builder.selection.pair_index import PairIndex, composed_by_mean
from ncimp.builder.selection.synonyms import Resources, part_of_speech, replacement_pattern
from ncimp.builder.selection.words import PER_BILLION, zipf_of
from ncimp.schemas.errors import SelectionError, UsageError

FIRST_RADIUS = {"components": 0.01, "mean": 0.00001}
"""Radius, in log10 units, that a search begins with: in a large pool it holds dozens of pairs, not thousands."""

SHOWN = 5
"""Words that a message quotes."""

Within = Callable[[Target, float], Iterable[PoolPair]]
"""Returns every pair that costs at most the radius, and maybe some that cost more."""


@dataclass(frozen=True, slots=True)
class Search:
    """A way to find pairs near a target, and the radii to ask for."""

    within: Within
    first: float | None
    """The first radius; None when one call returns all that there is to consider."""

    def radii(self, limit: float) -> Iterator[float]:
        """Yield radii, each twice the one before, up to *limit*."""
        radius = limit if self.first is None else self.first
        while radius < limit:
            yield radius
            radius *= 2
        yield limit


class Pools:
    """The pools of a language, each made when it is first needed."""

    def __init__(self, resources: Resources, options: BuildOptions) -> None:
        self._resources = resources
        self._options = options
        self._indexes: dict[tuple[str, str | None], PairIndex] = {}

    def target(self, compound: Compound) -> Target:
        """Return what is to be matched, or raise `SelectionError` where a component has no frequency."""
        check_frequencies([compound], self._resources)
        modifier, head = (zipf_of(self._resources.frequencies, word) for word in (compound.modifier, compound.head))
        return Target(modifier or 0.0, head or 0.0, self._own(compound) if self.is_attested(compound) else None)

    def is_attested(self, compound: Compound) -> bool:
        """Tell whether the random compounds of *compound* are attested ones."""
        return self._options.pool == "attested" and is_adjacent(replacement_pattern(compound, self._resources))

    def search(self, compound: Compound, banned: frozenset[str]) -> Search:
        """Return the search of the pool of *compound*; words that are kin of a *banned* one may be left out."""
        rule = self._options.match
        if self.is_attested(compound):
            index = self.index(compound)
            return Search(index.by_components if rule == "components" else index.by_mean, FIRST_RADIUS[rule])
        modifiers, heads = self._modifiers(compound), self._heads(compound)
        if rule == "mean":
            return Search(partial(composed_by_mean, modifiers, heads), FIRST_RADIUS[rule])
        return Search(partial(nearest_pairs, modifiers, heads, self._options.neighbours, banned), None)

    def index(self, compound: Compound) -> PairIndex:
        """Return the attested compounds of the pattern and the gender of *compound*."""
        key = (replacement_pattern(compound, self._resources).id, compound.gender)
        if key not in self._indexes:
            self._indexes[key] = PairIndex(self._attested.get(key, []))
        return self._indexes[key]

    @cached_property
    def _words(self) -> WordPool:
        return build_pool(self._resources)

    @cached_property
    def _table(self) -> PairTable:
        if self._resources.pairs is None:
            lang = self._resources.pack.language.code
            fix = "name a statistics store with --frequencies, or use --pool composed"
            raise UsageError(f"an attested pool of {lang!r} needs counts of pairs", fix=fix)
        return self._resources.pairs

    @cached_property
    def _attested(self) -> PairPool:
        return attested_pool(self._table, self._resources)

    def _own(self, compound: Compound) -> float | None:
        pattern: Pattern = self._resources.pack.language.patterns[compound.pattern]
        words = counted_words(compound, pattern, lemmas=self._table.lemmas)
        return self._table.count(*words) * 10**PER_BILLION / self._table.tokens if words else None

    def _modifiers(self, compound: Compound) -> list[PoolWord]:
        """Return the words that may modify: the list of the pattern where it has one, else the whole pool."""
        pos = part_of_speech(compound, "modifier", self._resources)
        only = replacement_pattern(compound, self._resources).random_modifiers
        return pool_words(only, pos, self._resources) if only else self._words.get((pos, None), [])

    def _heads(self, compound: Compound) -> list[PoolWord]:
        return self._words.get((part_of_speech(compound, "head", self._resources), compound.gender), [])


def check_frequencies(compounds: Iterable[Compound], resources: Resources) -> None:
    """Raise `SelectionError` where a component of *compounds* has no frequency; the message names the first few."""
    words = dict.fromkeys(word for row in compounds for word in (row.modifier, row.head))
    missing = [word for word in words if zipf_of(resources.frequencies, word) is None]
    if missing:
        has, it = ("has", "it") if len(missing) == 1 else ("have", "them")
        what = f"{quoted(missing)} {has} no frequency in {resources.frequencies.name}"
        raise SelectionError(what, fix=f"count a corpus that has {it}, or use a more frequent compound")


def quoted(words: Sequence[str]) -> str:
    """Return the first few of *words* as a message quotes them, and how many there are more.

    >>> quoted(["rat"]), quoted(["rat", "race"])
    ("'rat'", "'rat' and 'race'")
    >>> quoted(list("abcdefgh"))
    "'a', 'b', 'c', 'd', 'e' and 3 more"
    """
    shown = [repr(word) for word in words[:SHOWN]]
    shown += [f"{len(words) - SHOWN} more"] if len(words) > SHOWN else []
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
