"""Kin, own words, content words and Zipf values."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.selection.words import are_kin, content_words, forms_of, own_words, zipf, zipf_of
from tests.frozen import load_reference
from tests.selection.world import TESTS, FakeFrequencies, FakeMorphology, compound, synonym

reference = load_reference("matcher_reference")
letters = st.text("abcéíÃ", min_size=1, max_size=8)
KNOWN = json.loads((TESTS / "cases" / "known-failures.json").read_text(encoding="utf-8"))["kin"]

KIN = (
    ("rat", "rat"),
    ("rat", "rats"),
    ("Rat", "rat"),
    ("race", "racer"),
    ("egg", "eggshell"),
    ("beaver", "beavers"),
    ("economic", "economy"),
    ("apply", "application"),  # spelled alike for four letters only
    ("library", "librarian"),
    ("ghost", "ghostly"),
    ("maçã", "maca"),  # accents are put aside
    ("pé", "pés"),
    ("avô", "avó"),
    ("primeiro", "primeira"),
    ("menino", "menina"),
    ("irmão", "irmã"),
    ("campo", "campos"),
    ("casa", "casarão"),
    ("velho", "velha"),
    ("filho", "filha"),
    ("frio", "fria"),
    ("gato", "gata"),
    ("happy", "happiness"),
    ("dance", "dancing"),
    ("noise", "noisy"),
    ("race", "racing"),
    ("lady", "ladies"),
    ("wolf", "wolves"),
    ("cão", "cães"),
    ("mouse", "mice"),
    ("knife", "knives"),
    ("pony", "ponies"),
    ("early", "earliest"),
)
"""Words of one family; those the spelling test misses stand in known-failures.json."""

STRANGERS = (
    ("rat", "race"),
    ("town", "ghost"),
    ("silent", "silver"),
    ("parrot", "partner"),
    ("public", "publish"[::-1]),
    ("form", "foam"),
    ("mouse", "moose"),
    ("greve", "grave"),
    ("gol", "golpe"[::-1]),
    ("dama", "damasco"[1:]),
    ("abcd", "abce"),
    ("abcde", "abcdf"),
    ("boy", "boil"),  # short words turn no letter
    ("elf", "elves"[1:]),
    ("golf", "golden"),
    ("surf", "survey"),
)
"""Words that nobody would take for one another."""


@pytest.mark.parametrize(("one", "other"), KIN, ids=" ".join)
def test_words_of_one_family_are_kin_unless_listed_as_a_known_failure(one: str, other: str) -> None:
    known = f"{one} {other}" in KNOWN
    assert are_kin(one, other) is not known, "take it off known-failures.json" if known else "not seen as kin"
    assert are_kin(other, one) is not known


def test_every_known_failure_of_kinship_is_a_pair_of_the_table() -> None:
    assert set(KNOWN) <= {" ".join(pair) for pair in KIN}
    assert all(KNOWN.values())


@pytest.mark.parametrize(("one", "other"), STRANGERS, ids=" ".join)
def test_words_of_different_families_are_not_kin(one: str, other: str) -> None:
    assert not are_kin(one, other)
    assert not are_kin(other, one)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("abcd", "abcdx", True),  # the whole of a word of four letters
        ("abcd", "abcxx", False),
        ("abcde", "abcdexyz", True),  # five letters of longer words
        ("abcdexx", "abcdeyy", True),
        ("abcdxxx", "abcdyyy", False),
    ],
)
def test_four_letters_must_be_the_whole_word_and_five_are_enough_of_any(one: str, other: str, expected: bool) -> None:
    assert are_kin(one, other) is expected


@given(letters, letters)
def test_kinship_is_symmetric_reflexive_and_the_references(one: str, other: str) -> None:
    assert are_kin(one, other) is are_kin(other, one) is reference.kin(one, other)
    assert are_kin(one, one)
    assert are_kin(one, one.upper())


@pytest.mark.parametrize(("frequency", "expected"), [(1.0, 9.0), (0.001, 6.0), (1e-9, 0.0), (2.5e-6, 3.39794)])
def test_zipf_is_the_log_of_the_frequency_per_billion(frequency: float, expected: float) -> None:
    assert zipf(frequency) == expected


def test_word_that_never_occurs_has_no_zipf_value() -> None:
    assert zipf(0.0) is None
    assert zipf_of(FakeFrequencies({"rat": 1e-5}), "race") is None


@given(st.floats(1e-9, 1.0))
def test_zipf_is_exact_to_six_places(frequency: float) -> None:
    value = zipf(frequency)
    assert value is not None
    assert math.isclose(10**value / 1e9, frequency, rel_tol=2e-6)
    assert value == round(value, 6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rat race", ["rat", "race"]),
        ("gol de placa", ["gol", "placa"]),
        ("Primeira-Dama", ["primeira", "dama"]),
        ("pão  de\tqueijo", ["pão", "queijo"]),
        ("hard-working man", ["hard", "working", "man"]),
    ],
)
def test_content_words_are_split_at_spaces_and_hyphens_and_lowered(text: str, expected: list[str]) -> None:
    assert content_words(text) == expected


def test_own_words_are_the_lemmas_and_the_written_words_of_compound_and_synonyms() -> None:
    dama = compound("primeira-dama", "primeiro", "dama", "A-N")
    rows = [
        synonym("primeira-dama", "Esposas-chefe oficiais", "oficial", "esposa"),
        synonym("primeira-dama", "sítio", None, "sítio"),
    ]
    written = {"primeira", "dama", "esposas", "chefe", "oficiais", "sítio"}
    assert own_words(dama, rows) == written | {"primeiro", "oficial", "esposa"}


def test_own_words_hold_a_component_of_two_letters() -> None:
    assert {"pé", "frio"} <= own_words(compound("pé-frio", "frio", "pé", "N-A", index=0), [])


def test_forms_of_word() -> None:
    morphology = FakeMorphology(no_plural=frozenset({"fish"}))
    assert forms_of("rat", "noun", morphology) == {"rat", "rats"}
    assert forms_of("fish", "noun", morphology) == {"fish"}
    assert forms_of("negro", "adj", morphology) == {"negro", "negros", "negra", "negras"}
