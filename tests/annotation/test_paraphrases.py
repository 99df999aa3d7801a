"""Synonyms that annotators wrote: one however it is written; of the compound or of a sentence by the published rule."""

from __future__ import annotations

import pytest

from ncimp.builder.annotation.scores import Normaliser, articles_of, is_type, paraphrases
from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.records import Judgement
from tests.annotation.test_aggregation import judgement


def given(*answers: tuple[str, int | None, str]) -> list[Judgement]:
    """Judgements of (annotator, sentence, synonym)."""
    return [judgement(name, item, 3, synonyms=(text,)) for name, item, text in answers]


@pytest.mark.parametrize(
    "text",
    [
        "hard worker",
        "Hard Workers",
        "hard-worker",
        "hardworker",
        " a hard worker. ",
        "the hard\u00a0worker",
        "hard/worker",
    ],
)
def test_spellings_of_one_synonym_are_one(mini_langs: dict[str, LanguageResources], text: str) -> None:
    normaliser = Normaliser(mini_langs["en"].morphology, articles_of(mini_langs["en"].pack))
    assert normaliser.key(text) == normaliser.key("hard worker")
    assert normaliser.key("hard work") != normaliser.key("hard worker")


def test_articles_of_a_language_are_data_of_its_pack(mini_langs: dict[str, LanguageResources]) -> None:
    assert {"a", "an", "the"} <= articles_of(mini_langs["en"].pack)
    assert {"o", "as", "uma"} <= articles_of(mini_langs["pt"].pack)
    assert Normaliser(None, ["uma"]).key("uma") == "uma"  # alone it is the synonym


def test_gender_and_number_of_another_language(mini_langs: dict[str, LanguageResources]) -> None:
    morphology = mini_langs["pt"].morphology
    forms = sorted({form.form for form in mini_langs["pt"].pack.forms if form.pos == "noun" and form.number == "pl"})
    checked = 0
    for form in forms:
        readings = [one for one in morphology.readings(form) if one.pos == "noun"]
        if len({one.lemma for one in readings}) == 1:
            assert Normaliser(morphology).key(form) == Normaliser(morphology).key(readings[0].lemma)
            checked += 1
    assert checked > 20


def test_spelling_variants_come_from_a_table() -> None:
    normaliser = Normaliser(spellings={"colour": "color"})
    assert normaliser.key("Colour blindness") == normaliser.key("color blindness")


def test_a_synonym_typed_without_its_accent_is_the_one_that_it_can_be() -> None:
    rows = given(("a", 1, "água fresca"), ("b", 2, "agua fresca"), ("c", 3, "água fresca"))
    assert paraphrases(rows, Normaliser()).of_type == ("água fresca",)
    both = given(("a", 1, "avó"), ("b", 2, "avô"), ("c", 3, "avo"))
    assert paraphrases(both, Normaliser()).of_type == ()  # it can be either, so it is neither


def test_the_published_rule() -> None:
    """In all three sentences; in two with three annotators; in one with two."""
    assert is_type({"1": {"a"}, "2": {"a"}, "3": {"b"}})
    assert is_type({"1": {"a", "b"}, "2": {"a"}})
    assert not is_type({"1": {"a"}, "2": {"b"}})
    assert not is_type({"1": {"a", "b", "c"}})
    assert is_type({None: {"a", "b"}})
    assert not is_type({None: {"a"}})


def test_synonyms_of_the_compound_and_of_a_sentence_apart() -> None:
    rows = given(
        *(("a", n, "late bird") for n in (1, 2, 3)),
        *((name, 1, "bat") for name in "ab"),
        *(("a", n, "owl") for n in (1, 2)),
        ("b", 3, "ghoul"),
    )
    found = paraphrases(rows, Normaliser())
    assert found.of_type == ("late bird",)
    assert found.of_token == {"en/night-owl/nat1/orig": ("bat",)}


def test_an_annotator_who_repeats_a_synonym_counts_once() -> None:
    rows = [judgement("a", 1, 3, synonyms=("bat", "Bat", "a bat"))]
    assert paraphrases(rows, Normaliser()).of_token == {}


def test_what_would_break_the_list_is_taken_out() -> None:
    rows = given(*((name, 1, text) for text in ("one; two", "...", "=cmd()", "+1") for name in "ab"))
    assert paraphrases(rows, Normaliser()).of_token == {"en/night-owl/nat1/orig": ("1", "cmd", "one, two")}
