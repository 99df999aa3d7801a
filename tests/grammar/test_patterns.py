"""Phrases put together by the patterns of the real packs from the forms of the mini packs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.grammar import Features, inflect_phrase
from ncimp.builder.records import Gender, Number
from tests.selection.world import FakeMorphology, make_pack

CASES = [
    ("pt", "N_A", "podre", "maçã", "f", "sg", "maçã podre"),
    ("pt", "N_A", "frio", "pata", "f", "pl", "patas frias"),
    ("pt", "N_A", "frio", "pé", "m", "pl", "pés frios"),
    ("pt", "N_A", "nacional", "paralisação", "f", "pl", "paralisações nacionais"),
    ("pt", "A_N", "primeiro", "dama", "f", "sg", "primeira dama"),
    ("pt", "A_N", "primeiro", "dama", "f", "pl", "primeiras damas"),
    ("pt", "A_N", "mau", "elemento", "m", "pl", "maus elementos"),
    ("pt", "N_de_N", "placa", "gol", "m", "pl", "gols de placa"),
    ("pt", "N_de_N", "campo", "casa", "f", "sg", "casa de campo"),
    ("pt", "N-A", "frio", "pé", "m", "pl", "pés-frios"),
    ("pt", "A-N", "primeiro", "dama", "f", "pl", "primeiras-damas"),
    ("pt", "N", None, "sítio", "m", "pl", "sítios"),
    ("en", "A_N", "eager", "beaver", None, "sg", "eager beaver"),
    ("en", "A_N", "eager", "beaver", None, "pl", "eager beavers"),
    ("en", "N_N", "ghost", "town", None, "pl", "ghost towns"),
    ("en", "N", None, "treadmill", None, "pl", "treadmills"),
]


@pytest.mark.parametrize(("lang", "pattern", "modifier", "head", "gender", "number", "expected"), CASES)
def test_pattern_builds(
    lang: str,
    pattern: str,
    modifier: str | None,
    head: str,
    gender: Gender | None,
    number: Number,
    expected: str,
    mini_langs: dict[str, LanguageResources],
) -> None:
    shop = mini_langs[lang]
    patterns = shop.pack.language.patterns
    features = Features(gender, number)
    built = inflect_phrase(
        shop.pack.language,
        patterns[pattern],
        modifier=modifier,
        head=head,
        features=features,
        morphology=shop.morphology,
    )
    assert built == expected


@pytest.mark.parametrize("pattern", ["N_A", "N_N"])
@pytest.mark.parametrize("unknown", ["head", "modifier"])
def test_unknown_form_of_a_part_that_inflects_gives_no_phrase(unknown: str, pattern: str) -> None:
    morphology = FakeMorphology(no_plural=frozenset({unknown}))
    language = make_pack([], lang="pt").language
    numbers: tuple[tuple[Number, bool], ...] = (("sg", True), ("pl", False))
    for number, expected in numbers:
        phrase = inflect_phrase(
            language,
            language.patterns[pattern],
            modifier="modifier",
            head="head",
            features=Features("m", number),
            morphology=morphology,
        )
        assert (phrase is not None) is expected


def test_modifier_that_stands_as_it_is_needs_no_forms() -> None:
    language = make_pack([], lang="pt").language
    pattern = language.patterns["N_de_N"]
    morphology = FakeMorphology(no_plural=frozenset({"placa"}), no_singular=frozenset({"placa"}))
    built = inflect_phrase(
        language, pattern, modifier="placa", head="gol", features=Features("m", "pl"), morphology=morphology
    )
    assert built == "gols de placa"


def test_noun_in_apposition_takes_the_number_and_not_the_gender() -> None:
    """*peixes-espadas*, as the pack has it: the modifier is a noun and keeps its own gender."""
    language = make_pack([], lang="pt").language
    pattern = language.patterns["N_N"]
    built = inflect_phrase(
        language,
        pattern,
        modifier="espada",
        head="peixe",
        features=Features("m", "pl"),
        morphology=FakeMorphology({"espada": "f"}),
    )
    assert built == "peixes espadas"


def test_a_word_between_two_components_is_their_join() -> None:
    """*arc-en-ciel* has three words and two components."""
    language = make_pack([], lang="pt").language
    pattern = replace(language.patterns["N_de_N"], join="-en-")
    built = inflect_phrase(
        language, pattern, modifier="ciel", head="arc", features=Features("m", "pl"), morphology=FakeMorphology()
    )
    assert built == "arcs-en-ciel"
    assert language.cut(built, pattern) == ("arcs", "ciel")


@given(st.sampled_from(["N_A", "A_N", "N_N", "N_de_N", "N-A", "A-N", "N-N"]), st.sampled_from(["m", "f"]))
def test_every_two_word_pattern_puts_its_join_between_its_parts_with_the_head_where_it_says(
    name: str, gender: Gender
) -> None:
    language = make_pack([], lang="pt").language
    pattern = language.patterns[name]
    built = inflect_phrase(
        language, pattern, modifier="mmm", head="hhh", features=Features(gender, "sg"), morphology=FakeMorphology()
    )
    modifier = "mma" if pattern.modifier == "agrees" and gender == "f" else "mmm"
    join = {"_": " ", "-": "-"}[name[1]] if name != "N_de_N" else " de "
    assert built == join.join(["hhh", modifier] if name.startswith("N") else [modifier, "hhh"])
