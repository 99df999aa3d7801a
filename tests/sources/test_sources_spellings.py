"""Spellings of compounds by the mini packs: inflection by pattern, hyphens, and what the pack does not know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.sources.packs.forms import Speller


def spelled(shop: LanguageResources, text: str) -> set[str]:
    return {" ".join(words) for words in Speller(shop.pack).spellings_of(text)}


def test_open_compounds_are_looked_for_inflected_and_hyphenated(mini_langs: dict[str, LanguageResources]) -> None:
    forms = ("race", "races", "race's")
    expected = {f"rat{join}{form}" for join in (" ", "-", " - ") for form in forms}
    assert spelled(mini_langs["en"], "rat race") == expected


def test_every_compound_of_a_pack_is_among_its_spellings(mini_langs: dict[str, LanguageResources]) -> None:
    for shop in mini_langs.values():
        for compound in shop.pack.compounds:
            found = spelled(shop, compound.text)
            assert compound.text in found
            assert len(found) > 2
            joined = [text for text in found if "-" not in text]
            assert bool(joined) is ("-" not in compound.text)


def test_a_compound_outside_the_pack_is_spelled_by_the_patterns_that_fit(
    mini_langs: dict[str, LanguageResources],
) -> None:
    shop = mini_langs["en"]
    fixed = [compound for compound in shop.pack.compounds if shop.pack.language.patterns[compound.pattern].id == "N_N"]
    assert fixed
    unknown = replace(shop.pack, compounds=())
    for compound in fixed:
        assert spelled(shop, compound.text) <= {
            " ".join(words) for words in Speller(unknown).spellings_of(compound.text)
        }


@pytest.mark.parametrize("text", ["qqx zzx", "qqx-zzx", "qqx de zzx", "qqx"])
def test_words_without_forms_are_spelled_as_they_are(mini_langs: dict[str, LanguageResources], text: str) -> None:
    plain = text.replace("-", " ").split()
    hyphenated = {"-".join(plain), " - ".join(plain)}
    assert spelled(mini_langs["pt"], text) == hyphenated | ({text} if "-" not in text else set())


def test_modifiers_agree_in_portuguese(mini_langs: dict[str, LanguageResources]) -> None:
    shop = mini_langs["pt"]
    agreeing = [c for c in shop.pack.compounds if c.pattern == "N_A" and c.number == "sg"]
    assert agreeing
    for compound in agreeing:
        forms = {form.form for form in shop.morphology.inflected(compound.head, "noun") if form.number == "pl"}
        plural = [text for text in spelled(shop, compound.text) if "-" not in text and text.split()[0] in forms]
        assert plural
        assert all(text.endswith("s") for text in plural)
