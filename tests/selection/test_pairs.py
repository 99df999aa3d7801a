"""Searching pairs by an index: complete, in order, and the draws of the frozen reference whatever the pool."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.config import BuildOptions, Matching
from ncimp.builder.records import Compound
from ncimp.builder.selection.matching import (
    FIRST_RADIUS,
    NearestSearch,
    PairIndex,
    PoolPair,
    PoolWord,
    Target,
    composed_by_mean,
    measure,
)
from ncimp.builder.selection.replacements import Matcher, Usage, best_first, draw, in_order, random_compounds
from tests.frozen import load_reference
from tests.selection.world import GREEK, RAT_RACE, compound, counted_world, random_world

reference = load_reference("pair_matcher_reference")
MATCHINGS: tuple[Matching, ...] = ("components", "mean")
HOT_DOG = compound("hot dog", "hot", "dog", "A_N")
GHOST_TOWN = compound("ghost town", "ghost", "town")
COMPOUNDS = [RAT_RACE, HOT_DOG, GHOST_TOWN]

names = st.text("bcdfghjk", min_size=3, max_size=7)
zipfs = st.integers(0, 40).map(lambda step: round(3.6 + step / 50, 6))
words = st.builds(PoolWord, zipfs, names, st.none())
owns = st.sampled_from([None, 0.0, 100.0, 5000.0])
pairs = st.lists(
    st.builds(PoolPair, words, words, st.just(1), owns), max_size=40, unique_by=lambda pair: pair.modifier.lemma
)
targets = st.builds(Target, zipfs, zipfs, owns)
radii = st.sampled_from([0.0, 0.00001, 0.02, 0.1, 0.34, 1.0])


def lemmas(rows: list[PoolPair]) -> list[tuple[str, str]]:
    return sorted((pair.modifier.lemma, pair.head.lemma) for pair in rows)


@given(pairs, targets, radii)
def test_search_by_components_leaves_out_no_pair_within_its_radius(
    pool: list[PoolPair], target: Target, radius: float
) -> None:
    found = PairIndex(pool).by_components(target, radius)
    wanted = [pair for pair in pool if measure(pair, target).cost("components") <= radius]
    assert set(lemmas(wanted)) <= set(lemmas(found)) <= set(lemmas(pool))
    assert all(measure(pair, target).cost("components") <= radius + 1e-5 for pair in found)


@given(pairs, targets, radii)
def test_search_by_the_mean_leaves_out_no_pair_within_its_radius(
    pool: list[PoolPair], target: Target, radius: float
) -> None:
    known = [pair for pair in pool if pair.frequency is not None or target.frequency is None]
    found = PairIndex(known).by_mean(target, radius)
    wanted = [pair for pair in known if measure(pair, target).cost("mean") <= radius]
    assert set(lemmas(wanted)) <= set(lemmas(found))
    assert all(measure(pair, target).cost("mean") <= radius + 1e-5 for pair in found)


@given(st.lists(words, max_size=12), st.lists(words, max_size=12), targets, radii)
def test_composed_pairs_within_a_mean_are_found_without_measuring_all(
    modifiers: list[PoolWord], heads: list[PoolWord], target: Target, radius: float
) -> None:
    modifiers, heads = (sorted(row, key=lambda word: (word.zipf, word.lemma)) for row in (modifiers, heads))
    target = Target(target.modifier, target.head)
    found = list(composed_by_mean(modifiers, heads, target, radius))
    every = [PoolPair(modifier, head) for modifier, head in product(modifiers, heads)]
    wanted = [pair for pair in every if measure(pair, target).cost("mean") <= radius]
    assert Counter(lemmas(wanted)) <= Counter(lemmas(found)) <= Counter(lemmas(every))
    assert all(measure(pair, target).cost("mean") <= radius + 1e-5 for pair in found)


def test_index_of_no_pairs_finds_none() -> None:
    empty = PairIndex([])
    assert empty.by_components(Target(4.0, 4.0), 9.0) == empty.by_mean(Target(4.0, 4.0, 1.0), 9.0) == []
    assert len(empty) == 0


@pytest.mark.parametrize(
    ("first", "limit", "expected"),
    [(0.1, 1.0, [0.1, 0.2, 0.4, 0.8, 1.0]), (None, 1.0, [1.0]), (2.0, 1.0, [1.0]), (0.5, 1.0, [0.5, 1.0])],
)
def test_radii_double_up_to_the_limit(first: float | None, limit: float, expected: list[float]) -> None:
    assert list(NearestSearch(lambda *_: [], first).radii(limit)) == expected


counts = st.dictionaries(names, st.integers(4, 400), min_size=8, max_size=24)


@st.composite
def corpora(make: st.DrawFn) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
    """Return counts of words and of pairs of them, in which the compounds occur."""
    known = make(counts)
    component = {word: make(st.integers(20, 100)) for row in COMPOUNDS for word in (row.modifier, row.head)}
    pair = st.tuples(st.sampled_from(sorted(known)), st.sampled_from(sorted(known)))
    seen = make(st.dictionaries(pair, st.integers(1, 9), min_size=10, max_size=80))
    own = {(row.modifier, row.head): make(st.integers(0, 50)) for row in COMPOUNDS}
    return known | component, seen | own


def expected(
    words: dict[str, int], seen: dict[tuple[str, str], int], options: BuildOptions
) -> dict[str, list[tuple[str, str]]]:
    """Return what the reference draws of every pair, compound by compound in the order of their hashes."""
    value = {word: round(math.log10(count / 1e6) + 9, 6) for word, count in words.items()}
    pool = [(m, value[m], h, value[h], count * 1e9 / 1e6) for (m, h), count in seen.items()]
    taken = {(row.modifier, row.head) for row in COMPOUNDS}
    uses: Counter[str] = Counter()
    found = {}
    for row in sorted(
        COMPOUNDS,
        key=lambda row: (-max(value[row.modifier], value[row.head]), reference.order(options.seed, "en", row.text)),
    ):
        target = (value[row.modifier], value[row.head], seen[row.modifier, row.head] * 1e3)
        found[row.text] = reference.draw(
            (options.seed, row.text), pool, target, [row.modifier, row.head], taken, uses,
            options.max_delta, options.match == "mean",
        )  # fmt: skip
    return found


@settings(max_examples=80, deadline=None)
@given(corpora(), st.text("xy", max_size=2), st.sampled_from(MATCHINGS), st.sampled_from([0.5, 0.2, 1.0]))
def test_corpus_draws_equal_reference(
    corpus: tuple[dict[str, int], dict[tuple[str, str], int]], seed: str, match: Matching, limit: float
) -> None:
    options = BuildOptions(seed=seed, pool="attested", match=match, max_delta=limit)
    resources = counted_world(*corpus, compounds=COMPOUNDS)
    matcher = Matcher(resources, options)
    found = {row.text: [drawn.lemmas for drawn in matcher.draw(row)] for row in in_order(resources, seed)}
    assert found == expected(*corpus, options)
    drawn = [pair for rows in found.values() for pair in rows]
    assert len(drawn) == len(set(drawn))
    for rows in found.values():
        every = [word for pair in rows for word in pair]
        assert not [(a, b) for i, a in enumerate(every) for b in every[:i] if reference.kin(a, b)]


@settings(deadline=None)
@given(pairs, targets, st.sampled_from(MATCHINGS), st.dictionaries(names, st.integers(0, 30), max_size=6))
def test_every_pair_within_the_limit_comes_once_cheapest_first(
    pool: list[PoolPair], target: Target, match: Matching, uses: dict[str, int]
) -> None:
    target = Target(target.modifier, target.head)
    options, index, earlier = BuildOptions(match=match), PairIndex(pool), Usage(set(), Counter(uses))
    search = NearestSearch(index.by_components if match == "components" else index.by_mean, FIRST_RADIUS[match])
    found = list(best_first("rat race", target, search, earlier, options))
    near = [row for row in (measure(pair, target) for pair in pool) if row.distance(match) <= options.max_delta]
    assert Counter(row.lemmas for row in found) == Counter(row.lemmas for row in near)
    costs = [earlier.cost(row, options) for row in found]
    assert costs == sorted(costs)


def pool_pair(modifier: str, head: str, frequencies: tuple[float, float, float | None]) -> PoolPair:
    first, second, own = frequencies
    return PoolPair(PoolWord(math.log10(first), modifier, None), PoolWord(math.log10(second), head, None), 1, own)


def drawn(pool: list[PoolPair], target: Target, match: Matching, **changes: object) -> list[str]:
    options = BuildOptions(match=match, **changes)  # type: ignore[arg-type]
    index = PairIndex(pool)
    search = NearestSearch(index.by_components if match == "components" else index.by_mean, FIRST_RADIUS[match])
    usage = Usage(set())
    found = draw(best_first("rat race", target, search, usage, options), usage, lambda _: True)
    return [row.pair.modifier.lemma for row in found]


RAT_100_RACE_300 = Target(2.0, math.log10(300), 20.0)
"""*rat* 100 times and *race* 300 times in a billion words, *rat race* 20 times: a mean of 140."""

WORKED = [
    pool_pair("alpha", "zeta", (210, 200, 10)),  # mean 140: +0.000; worse component log10(2.1) = 0.322
    pool_pair("beta", "theta", (100, 300, 2)),  # mean 134: -0.019; worse component 0
    pool_pair("gamma", "iota", (120, 300, 30)),  # mean 150: +0.030; worse component 0.079
    pool_pair("delta", "kappa", (200, 200, 20)),  # mean 140: +0.000 with a hash of its own; worse 0.301
    pool_pair("epsilon", "lambda", (1, 419, 0)),  # mean 140: +0.000, and a component 100 times too rare
]


def test_by_the_mean_the_best_are_those_of_the_same_mean_worked_by_hand() -> None:
    found = drawn(WORKED, RAT_100_RACE_300, "mean")
    assert set(found[:3]) == {"alpha", "delta", "epsilon"}
    assert found[3:] == ["beta", "gamma"]
    hashes = {word: reference.order("ncimp", "rat race", word, head) for word, head in lemmas(WORKED)}
    assert found[:3] == sorted(found[:3], key=lambda word: hashes[word])


def test_by_components_the_same_pairs_come_in_another_order_worked_by_hand() -> None:
    """Worse component plus mean of both words: 0, 0.079 + 0.021, 0.301 + 0, 0.322 + 0.011; epsilon is too far."""
    assert drawn(WORKED, RAT_100_RACE_300, "components") == ["beta", "gamma", "delta", "alpha"]


def test_mean_is_of_the_components_where_a_compound_has_no_frequency() -> None:
    """Of two: 400; alpha has 410, beta 400, gamma 420, delta 400, epsilon 420."""
    found = drawn(WORKED, Target(2.0, math.log10(300)), "mean")
    assert set(found[:2]) == {"beta", "delta"}
    assert found[2] == "alpha"
    match = measure(WORKED[0], Target(2.0, math.log10(300)))
    assert match.whole_delta == match.mean_delta == 0.010724  # log10(410 / 400)
    assert measure(WORKED[0], RAT_100_RACE_300).whole_delta == 0.0
    assert measure(WORKED[2], RAT_100_RACE_300).whole_delta == 0.029963  # log10(450 / 420)


@pytest.mark.parametrize(("own", "found"), [(0.0, ["alpha"]), (3000.0, [])])
def test_limit_of_the_mean_holds_for_both_ways_of_taking_it(own: float, found: list[str]) -> None:
    """With the pairs' own frequencies 3400 is to 420 as 10 ** 0.91, without them 1 to 1."""
    assert drawn([pool_pair("alpha", "zeta", (100, 300, own))], RAT_100_RACE_300, "mean") == found


@pytest.mark.parametrize(("used", "expected"), [(0, "alpha"), (2, "beta")])
def test_earlier_uses_count_for_components_and_not_for_the_mean(used: int, expected: str) -> None:
    pool = [pool_pair("alpha", "zeta", (100, 300, None)), pool_pair("beta", "theta", (102, 300, None))]
    target = Target(2.0, math.log10(300))
    earlier = Usage({("x", "y")}, Counter({"alpha": used}))
    for match, first in (("components", expected), ("mean", "alpha")):
        index = PairIndex(pool)
        search = NearestSearch(index.by_components if match == "components" else index.by_mean, 0.0001)
        options = BuildOptions(match=match)  # type: ignore[arg-type]
        usage = Usage(set(earlier.pairs), Counter(earlier.words))
        found = draw(best_first("rat race", target, search, usage, options), usage, lambda _: True)
        assert found[0].pair.modifier.lemma == first


def test_composed_compounds_matched_by_the_mean_worked_by_hand() -> None:
    """*rat* 100 and *race* 300: of the 90 pairs of ten words the five with 400 in sum are drawn."""
    words = {"alpha": 390, "beta": 10, "gamma": 250, "delta": 150, "epsilon": 395, "zeta": 5, "theta": 398, "iota": 2}
    words |= {"kappa": 201, "lambda": 199}
    zipfs = {word: math.log10(count) for word, count in words.items()}
    resources = random_world(zipfs, targets={"rat": 2.0, "race": math.log10(300)})
    rows = random_compounds(resources, BuildOptions(match="mean"))
    assert {frozenset((row.modifier, row.head)) for row in rows} == {
        frozenset(pair)
        for pair in (("alpha", "beta"), ("gamma", "delta"), ("epsilon", "zeta"), ("theta", "iota"), ("kappa", "lambda"))
    }
    assert {abs(row.mean_delta or 0.0) for row in rows} <= {0.0, 1e-6}  # Zipf values have six decimals


def big_world(compounds: list[Compound], turned: bool = False) -> set[tuple[object, ...]]:
    """Draw from a corpus in which every pair of Greek letters occurs, in one order of the rows or in the other."""
    words = {word: 40 + 7 * place for place, word in enumerate([*GREEK, *(word[::-1] for word in GREEK)])}
    seen = {(one, other): 1 + place % 5 for place, (one, other) in enumerate(product(words, words))}
    words |= {word: 60 + 9 * len(word) for row in compounds for word in (row.modifier, row.head)}
    if turned:
        words, seen = dict(reversed(words.items())), dict(reversed(seen.items()))
    rows = random_compounds(counted_world(words, seen, compounds=compounds), BuildOptions(pool="attested"))
    return {(row.compound_id, row.variant, row.text, row.explanation) for row in rows}


@settings(max_examples=10, deadline=None)
@given(st.permutations(COMPOUNDS), st.booleans())
def test_neither_the_order_of_compounds_nor_that_of_the_corpus_matters(compounds: list[Compound], turned: bool) -> None:
    assert big_world(compounds, turned) == big_world(COMPOUNDS)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_workers_draws_the_same(workers: int) -> None:
    with ThreadPoolExecutor(workers) as pool:
        found = list(pool.map(big_world, [COMPOUNDS] * 5))
    assert found == [big_world(COMPOUNDS)] * 5


def test_draws_do_not_depend_on_interpreter_hash_seed() -> None:
    code = "from tests.selection.test_pairs import *; print(sorted(map(repr, big_world(COMPOUNDS))))"
    places = [str(Path(__file__).parents[2]), *filter(None, sys.path)]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(places)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {f"{sorted(map(repr, big_world(COMPOUNDS)))}\n"}
