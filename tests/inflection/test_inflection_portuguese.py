"""Number and gender of Portuguese words: suffixes with and without stress, -ão, hyphens, colours; and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.inflection.inflection_world import read_cases, rules

CASES = read_cases("pt")
PLURALS, FEMININES, GENDERS = CASES.plurals, CASES.feminine, CASES.gender


@pytest.mark.parametrize(("single", "plural"), PLURALS.items())
def test_the_plural_of(single: str, plural: str) -> None:
    assert rules("pt").plural(single) == plural


@given(st.sampled_from(sorted(PLURALS.values())))
def test_the_plural_of_a_plural_is_itself(plural: str) -> None:
    assert rules("pt").plural(plural) == plural


@given(st.sampled_from(sorted(PLURALS.items())))
def test_the_singular_of_the_plural_is_the_word(pair: tuple[str, str]) -> None:
    single, plural = pair
    assert rules("pt").singular(plural) == single


@pytest.mark.parametrize(("masculine", "feminine"), FEMININES.items())
def test_the_feminine_of_an_adjective(masculine: str, feminine: str) -> None:
    assert rules("pt").morphology.inflect(masculine, "adj", gender="f", number="sg") == feminine


@given(st.sampled_from(sorted(FEMININES.items())), st.sampled_from(["sg", "pl"]))
def test_a_feminine_is_read_as_a_form_of_its_masculine(pair: tuple[str, str], number: str) -> None:
    masculine, feminine = pair
    morphology = rules("pt").morphology
    form = morphology.inflect(masculine, "adj", gender="f", number="pl" if number == "pl" else "sg")
    assert form is not None
    reading = next(reading for reading in morphology.readings(form) if reading.pos == "adj")
    assert reading.lemma == masculine
    assert reading.number in (number, None)
    assert reading.gender == ("f" if masculine != feminine else None)


@pytest.mark.parametrize(("gender", "nouns"), GENDERS.items())
def test_the_gender_of_nouns(gender: str, nouns: list[str]) -> None:
    assert {noun: rules("pt").morphology.gender(noun) for noun in nouns} == dict.fromkeys(nouns, gender)


@pytest.mark.parametrize(
    ("noun", "gender", "form"),
    [
        ("ator", "f", "atriz"),
        ("rei", "f", "rainha"),
        ("professor", "f", "professora"),
        ("gato", "f", "gata"),
        ("atriz", "m", "ator"),
        # no word of the other gender: whoever asks knows the gender better than the ending does
        ("áudio", "f", "áudio"),
        ("flor", "m", "flor"),
        ("casa", "m", "casa"),
        ("artista", "f", "artista"),
    ],
)
def test_a_noun_changes_its_gender_only_into_a_word(noun: str, gender: str, form: str) -> None:
    assert rules("pt").morphology.inflect(noun, "noun", gender="f" if gender == "f" else "m", number="sg") == form


def test_rules_hold_without_frequencies() -> None:
    plain = rules("pt", frequencies=False)
    for single in ("mês", "papel", "fácil", "lápis", "coração", "homem", "vírus", "chapéu", "país"):
        assert plain.plural(single) == PLURALS.get(single, "chapéus")
        assert plain.singular(plain.plural(single) or "") == single


@given(st.text(alphabet="abcdefghijlmnopqrstuvxzáéíóúâêôãõç", min_size=3, max_size=9))
def test_every_word_has_a_plural_that_is_a_plural(word: str) -> None:
    """Whatever the ending, the plural that the rules make keeps the word's beginning and ends like a plural."""
    plural = rules("pt").plural(word)
    assert plural is not None
    assert plural[:1] == word[:1]
    assert plural.endswith(("s", "x"))
