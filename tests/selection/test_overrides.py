"""A person's decisions in a build: they win, say so, and have forms; and what the lexicon is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import pytest

from ncimp.builder.records import Override
from ncimp.builder.selection.synonyms import Resources, component_synonyms, usable_candidates
from ncimp.schemas.errors import SelectionError
from tests.selection.world import (
    GREEK,
    RAT_RACE,
    FakeFrequencies,
    FakeLexicon,
    FakeMorphology,
    exclusion,
    make_pack,
    offers,
    override,
    rat_race,
)

MODIFIERS, HEADS = GREEK[:6], GREEK[6:]


def test_chosen_word_comes_first_even_if_it_is_kin_or_far_down() -> None:
    choices = [override("rat race", "head", 2, word=HEADS[4]), override("rat race", "head", 1, word="racecourse")]
    resources = rat_race(MODIFIERS, HEADS, overrides=choices)
    found = [word.lemma for word in usable_candidates(RAT_RACE, "head", resources)]
    assert found == ["racecourse", HEADS[4], *HEADS[:4], HEADS[5]]
    assert [word.lemma for word in usable_candidates(RAT_RACE, "modifier", resources)] == list(MODIFIERS)


def test_pair_explains_its_choice() -> None:
    choices = [override("rat race", "head", 1, word="contest", relation="hypernym", reason="as in sport")]
    row = component_synonyms(RAT_RACE, rat_race(MODIFIERS, HEADS, overrides=choices))[0]
    assert (row.modifier, row.head, row.text) == ("alpha", "contest", "alpha contest")
    assert (row.head_relation, row.head_synset, row.source) == ("hypernym", None, "en pack 0.0.1 + fake lexicon 1")
    assert row.explanation == (
        "'alpha' is a synonym of 'rat' (sense 1, place 1 of synset-1-synonym); "
        "'contest' is chosen for 'race' as a hypernym (as in sport)"
    )


def test_choice_without_forms_is_refused() -> None:
    choices = [override("rat race", "head", 1, word="contest")]
    resources = rat_race(
        MODIFIERS, HEADS, overrides=choices, morphology=FakeMorphology(no_plural=frozenset({"contest"}))
    )
    with pytest.raises(SelectionError) as caught:
        component_synonyms(RAT_RACE, resources)
    assert str(caught.value) == (
        "'contest', which overrides.tsv names for the head of 'rat race', has no forms; "
        "add it to forms.tsv as noun, singular and plural"
    )


def test_chosen_words_fill_up_where_the_lexicon_has_too_few() -> None:
    choices = [override("rat race", "head", place, word=word) for place, word in enumerate(HEADS[:4], 1)]
    resources = rat_race(MODIFIERS, [HEADS[4]], overrides=choices)
    assert [row.head for row in component_synonyms(RAT_RACE, resources)] == list(HEADS[:5])


def test_word_of_another_compounds_override_stays_where_it_is() -> None:
    resources = rat_race(MODIFIERS, HEADS, overrides=[override("ghost town", "head", 1, word=HEADS[4])])
    assert [row.lemma for row in usable_candidates(RAT_RACE, "head", resources)] == list(HEADS)


def choices(part: Literal["head", "modifier"], words: Iterable[str]) -> list[Override]:
    return [override("rat race", part, place, word=word) for place, word in enumerate(words, 1)]


def test_words_chosen_for_both_components_stand_together_in_their_order() -> None:
    """Even if they look alike, as in the second pair."""
    modifiers, heads = ["delta", "dancing", *GREEK[:3]], ["iota", "dance", *GREEK[8:10], "event"]
    overrides = [*choices("modifier", modifiers), *choices("head", heads)]
    rows = component_synonyms(RAT_RACE, rat_race(MODIFIERS, HEADS, overrides=overrides))
    assert [(row.modifier, row.head) for row in rows] == list(zip(modifiers, heads, strict=True))


def test_chosen_pair_that_is_excluded_or_has_a_word_again_is_refused() -> None:
    excluded = rat_race(
        MODIFIERS,
        HEADS,
        overrides=[*choices("modifier", ["delta"]), *choices("head", ["iota"])],
        exclusions=[exclusion("delta", "iota", "rat race")],
    )
    again = rat_race(
        MODIFIERS, HEADS, overrides=[*choices("modifier", ["delta", "alpha"]), *choices("head", ["iota", "delta"])]
    )
    for resources, why in ((excluded, "exclusions.tsv has it"), (again, "'delta' is chosen twice")):
        with pytest.raises(SelectionError, match=f"pairs 'delta' and 'iota' for 'rat race', and {why}"):
            component_synonyms(RAT_RACE, resources)


def test_near_words_fill_up_short_list() -> None:
    near = {(HEADS[0], "noun"): offers([HEADS[3], "racer", HEADS[4]])}
    resources = rat_race(MODIFIERS, HEADS[:3], near=near)
    rows = component_synonyms(RAT_RACE, resources)
    assert [row.head for row in rows] == list(HEADS[:5])
    assert [row.head_relation for row in rows] == ["synonym"] * 3 + ["indirect"] * 2


def test_lexicon_is_asked_once_for_each_component() -> None:
    asked: list[tuple[str, str]] = []

    class Counting(FakeLexicon):
        def candidates(self, lemma: str, pos: str):  # type: ignore[no-untyped-def]
            asked.append((lemma, pos))
            return super().candidates(lemma, pos)

    lexicon = Counting({("rat", "noun"): offers(MODIFIERS), ("race", "noun"): offers(HEADS)})
    resources = Resources(make_pack([RAT_RACE]), lexicon, FakeMorphology(), FakeFrequencies())
    for _ in range(2):
        component_synonyms(RAT_RACE, resources)
        usable_candidates(RAT_RACE, "head", resources)
    assert asked == [("race", "noun"), ("rat", "noun")]
