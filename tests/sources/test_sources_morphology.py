"""Forms and first sounds, looked up in what a pack says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.builder.records import Form, Gender, Language, Number
from ncimp.builder.records.pack_file import SoundRule
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language

FORMS = (
    Form("ovelha", "ovelha", "noun", "f", "sg", None),
    Form("ovelhas", "ovelha", "noun", "f", "pl", None),
    Form("negro", "negro", "adj", "m", "sg", None),
    Form("negra", "negro", "adj", "f", "sg", None),
    Form("negros", "negro", "adj", "m", "pl", None),
    Form("negras", "negro", "adj", "f", "pl", None),
    Form("feliz", "feliz", "adj", None, "sg", None),
    Form("felizes", "feliz", "adj", None, "pl", None),
    Form("simples", "simples", "adj", None, None, None),
    Form("negra", "negra", "noun", "f", "sg", None),
    Form("octopuses", "octopus", "noun", None, "pl", None),
    Form("octopi", "octopus", "noun", None, "pl", None),
    Form("Haus", "Haus", "noun", "n", "sg", None),
)


@pytest.fixture(scope="module")
def english(mini_packs: Path) -> Language:
    return read_language(mini_packs / "en" / "pack.toml")


@pytest.fixture(scope="module")
def morphology(english: Language) -> PackMorphology:
    return PackMorphology(FORMS, english)


@pytest.mark.parametrize(
    ("lemma", "pos", "gender", "number", "form"),
    [
        ("ovelha", "noun", "f", "pl", "ovelhas"),
        ("ovelha", "noun", None, "sg", "ovelha"),
        ("negro", "adj", "f", "pl", "negras"),
        ("negro", "adj", "m", "pl", "negros"),
        ("negro", "adj", "f", "sg", "negra"),
        ("feliz", "adj", "f", "pl", "felizes"),
        ("simples", "adj", "m", "pl", "simples"),
        ("ovelha", "noun", "m", "pl", None),
        ("ovelha", "adj", "f", "pl", None),
        ("ovelhas", "noun", "f", "pl", None),
        ("negra", "noun", "f", "pl", None),
        ("octopus", "noun", None, "pl", "octopuses"),
        ("octopus", "noun", None, "sg", None),
    ],
)
def test_a_lemma_is_inflected_as_the_table_says_or_not_at_all(
    morphology: PackMorphology, lemma: str, pos: str, gender: Gender | None, number: Number, form: str | None
) -> None:
    assert morphology.inflect(lemma, pos, gender=gender, number=number) == form


@pytest.mark.parametrize(
    ("noun", "gender"), [("ovelha", "f"), ("Haus", "n"), ("octopus", None), ("negro", None), ("cabra", None)]
)
def test_the_gender_is_that_of_the_noun_with_this_lemma(
    morphology: PackMorphology, noun: str, gender: Gender | None
) -> None:
    assert morphology.gender(noun) == gender


def test_a_form_has_every_reading_of_the_table_in_its_order(morphology: PackMorphology) -> None:
    assert [(form.lemma, form.pos) for form in morphology.readings("negra")] == [("negro", "adj"), ("negra", "noun")]
    assert morphology.readings("zebra") == ()


@pytest.mark.parametrize("written", ["Ovelhas", "OVELHAS", "ovelhas"])
def test_a_form_is_read_whatever_its_case_in_the_sentence(morphology: PackMorphology, written: str) -> None:
    assert [form.form for form in morphology.readings(written)] == ["ovelhas"]


@pytest.mark.parametrize("written", ["Haus", "haus", "HAUS"])
def test_a_form_is_read_whatever_its_case_in_the_table(morphology: PackMorphology, written: str) -> None:
    assert [form.form for form in morphology.readings(written)] == ["Haus"]


def test_a_table_is_not_changed_by_looking_up_what_it_does_not_hold(morphology: PackMorphology) -> None:
    assert morphology.inflect("zebra", "noun", gender=None, number="sg") is None
    assert morphology.gender("zebra") is None
    assert morphology.readings("zebra") == ()


@pytest.mark.parametrize(
    ("word", "onset"),
    [
        ("apple", "vowel"),
        ("Apple", "vowel"),
        ("pear", "consonant"),
        ("hour", "vowel"),
        ("honest", "vowel"),
        ("house", "consonant"),
        ("university", "consonant"),
        ("uninvited", "vowel"),
        ("European", "consonant"),
        ("one-time", "consonant"),
        ("onerous", "vowel"),
        ("18", "vowel"),
        ("180", "consonant"),
        ("umbrella", "vowel"),
        ("user", "consonant"),
        ("", "consonant"),
    ],
)
def test_the_first_sound_of_a_word_follows_the_first_pattern_that_matches(
    morphology: PackMorphology, word: str, onset: str
) -> None:
    assert morphology.onset(word) == onset


def test_a_pattern_looks_at_the_start_of_the_word_and_the_first_one_decides(english: Language) -> None:
    rules = (SoundRule("xa", "consonant"), SoundRule("[xa]", "vowel"))
    sound = replace(english.features["onset"], patterns=rules)
    morphology = PackMorphology((), replace(english, features={"onset": sound}))
    assert [morphology.onset(word) for word in ("xa", "xb", "ba", "a")] == ["consonant", "vowel", "consonant", "vowel"]
