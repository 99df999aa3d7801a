"""Plurals of English: the traps of the libraries, irregulars, hyphens, acronyms, and words that are plurals already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.inflection.inflection_world import read_cases, rules

CASES = read_cases("en")
PLURALS = CASES.plurals
NO_ROUND_TRIP = {"person", "eager person", "Texas", "fake tears", "close associates"}
"""*People* is a word of its own, the rules do not know the name, and the last two are plurals to begin with."""


@pytest.mark.parametrize(("single", "plural"), PLURALS.items())
def test_the_plural_of(single: str, plural: str) -> None:
    assert rules("en").plural(single) == plural


@given(st.sampled_from(sorted(PLURALS.values())))
def test_the_plural_of_a_plural_is_itself(plural: str) -> None:
    assert rules("en").plural(plural) == plural


@given(st.sampled_from(sorted(PLURALS.keys() - NO_ROUND_TRIP)))
def test_the_singular_of_the_plural_is_the_word(single: str) -> None:
    assert rules("en").singular(PLURALS[single]) == single


@pytest.mark.parametrize(
    ("plural", "single"),
    [
        ("indices", "index"),
        ("octopi", "octopus"),
        ("leaves", "leaf"),
        ("bases", "base"),
        ("tears", "tear"),
        ("boys", "boy"),
    ],
)
def test_any_plural_of_a_word_has_its_singular(plural: str, single: str) -> None:
    assert rules("en").singular(plural) == single
    assert rules("en").plural(plural) == plural


def test_a_word_that_only_looks_like_a_plural_is_read_as_a_singular() -> None:
    for word in ("lens", "analysis", "gas", "bus", "boss", "status"):
        assert {reading.number for reading in rules("en").morphology.readings(word) if reading.pos == "noun"} == {"sg"}


def test_adjectives_have_one_form_and_nouns_no_gender() -> None:
    morphology = rules("en").morphology
    assert morphology.inflect("old", "adj", gender="f", number="pl") == "old"
    assert morphology.gender("woman") is None
    assert {reading.gender for reading in morphology.readings("women")} == {None}
    assert (morphology.onset("hour"), morphology.onset("union")) == ("vowel", "consonant")


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9))
def test_every_word_has_a_plural_and_no_plural_is_empty(word: str) -> None:
    plural = rules("en").plural(word)
    assert plural
    assert plural[0] == word[0]
