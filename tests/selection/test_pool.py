"""The pool of random components, and the nearest words of a pool against the frozen reference."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.selection.matching import PoolWord, nearest
from ncimp.builder.selection.pools import PLACES, build_pool
from ncimp.builder.selection.replacements import Usage
from ncimp.builder.selection.words import kin_test
from tests.frozen import load_reference
from tests.selection.world import FakeMorphology, random_world

reference = load_reference("matcher_reference")
zipfs = st.integers(0, 12).map(lambda step: 4 + step / 4)
names = st.text("abcdé", min_size=3, max_size=7)
pools = st.dictionaries(names, zipfs, max_size=25).map(
    lambda words: sorted((PoolWord(value, lemma, None) for lemma, value in words.items()), key=by_value)
)


def by_value(word: PoolWord) -> tuple[float, str]:
    return word.zipf, word.lemma


def words(values: dict[str, float]) -> list[PoolWord]:
    return sorted((PoolWord(value, lemma, None) for lemma, value in values.items()), key=by_value)


@given(pools, zipfs, st.integers(1, 10), st.lists(names, max_size=3), st.integers(0, 3))
def test_nearest_is_the_references(
    pool: list[PoolWord], value: float, count: int, banned: list[str], used: int
) -> None:
    uses = Counter({word.lemma: used for word in pool[::2]})
    is_free, uses_cost = lambda lemma: not kin_test(banned)(lemma), Usage(set(), uses).penalty
    plain = [(word.zipf, word.lemma) for word in pool]
    found = [(word.zipf, word.lemma) for word in nearest(pool, value, count, is_free, uses_cost)]
    assert found == reference.nearest(plain, value, count, banned, uses)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (4.0, ["alpha", "beta", "gamma"]),
        (4.5, ["beta", "gamma", "alpha"]),
        (4.2, ["beta", "alpha", "gamma"]),
        (9.0, ["delta", "gamma", "beta"]),
        (0.0, ["alpha", "beta", "gamma"]),
        (5.0, ["gamma", "beta", "alpha"]),
    ],
)
def test_nearest_words_come_by_distance_and_of_two_equally_near_the_lower_first(
    value: float, expected: list[str]
) -> None:
    pool = words({"alpha": 3.75, "beta": 4.25, "gamma": 4.75, "delta": 7.0})
    assert [word.lemma for word in nearest(pool, value, 3, lambda _: True, lambda _: 0.0)] == expected


def test_banned_words_and_their_kin_do_not_use_up_the_count() -> None:
    pool = words({"alpha": 4.0, "rats": 4.0, "rat": 4.0, "beta": 4.5, "gamma": 5.5})
    is_kin = kin_test(["rat"])
    is_free = lambda lemma: not is_kin(lemma)  # noqa: E731
    assert [word.lemma for word in nearest(pool, 4.0, 2, is_free, lambda _: 0.0)] == ["alpha", "beta"]


def test_pool_holds_single_words_with_a_frequency_and_both_numbers() -> None:
    nouns = {"alpha": 5.0, "beta": 4.0, "sheep": 4.5, "trousers": 4.5, "go-getter": 4.5}
    morphology = FakeMorphology(no_plural=frozenset({"sheep"}), no_singular=frozenset({"trousers"}))
    resources = random_world(nouns, adjectives={"red": 3.0}, morphology=morphology)
    resources.lexicon.nouns.append("unheard")  # type: ignore[attr-defined]
    pool = build_pool(resources)
    assert {key: [word.lemma for word in row] for key, row in pool.items()} == {
        **{("noun", None, place): ["beta", "alpha"] for place in PLACES["any"]},
        **{("adj", None, place): ["red"] for place in PLACES["any"]},
    }


def test_nouns_stand_under_their_gender_and_under_none_and_adjectives_under_none() -> None:
    resources = random_world(
        {"casa": 5.0, "gol": 4.0, "nada": 4.5},
        adjectives={"azul": 3.0},
        morphology=FakeMorphology({"casa": "f", "gol": "m", "azul": "m"}),
    )
    pool = build_pool(resources)
    assert {key[:2]: [word.lemma for word in row] for key, row in pool.items() if key[2] == "head"} == {
        ("noun", "f"): ["casa"],
        ("noun", "m"): ["gol"],
        ("noun", None): ["gol", "nada", "casa"],
        ("adj", None): ["azul"],
    }
    assert pool["noun", "f", "head"] == [PoolWord(5.0, "casa", "f")]


def test_pool_is_sorted_by_zipf_value_then_name() -> None:
    pool = build_pool(random_world({"delta": 4.0, "alpha": 4.0, "gamma": 3.0, "beta": 5.0}))
    assert [word.lemma for word in pool["noun", None, "head"]] == ["gamma", "alpha", "delta", "beta"]
