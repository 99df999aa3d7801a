"""What the checks of content leave alone, and that the search for sentences that are alike misses none."""

from __future__ import annotations

import doctest
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.records import Form, LanguagePack, MarkedSentence, Waiver
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.builder.validation import repetition
from ncimp.builder.validation.repetition import GRAM, MAX_LIKENESS, alike
from ncimp.builder.validation.scope import Lookup
from ncimp.builder.validation.tables import at_least
from ncimp.builder.validation.validate import validate_pack

PLACE = "en/rat-race/nat1"
TEXTS = st.lists(st.text(alphabet="abAB ", max_size=24), max_size=12)


@pytest.fixture(scope="module")
def english(mini_packs: Path) -> LanguagePack:
    return read_pack(mini_packs / "en")


def told(pack: LanguagePack, sentence: str) -> set[str]:
    """The codes of the incidents of `en/rat-race/nat1` when *sentence*, the compound in brackets, stands there."""
    start, end = sentence.index("["), sentence.index("]") - 1
    marked = MarkedSentence(sentence.replace("[", "").replace("]", ""), (start, end))
    changed = replace(pack, marked={**pack.marked, ("rat race", "nat1"): marked})
    return {row.code for row in validate_pack(changed) if row.place == PLACE}


def jaccard(one: str, other: str) -> Fraction:
    """The index worked out from its definition, without rounding."""
    first, second = (
        {text[at : at + GRAM] for at in range(max(1, len(text) - GRAM + 1))} for text in (one.lower(), other.lower())
    )
    return Fraction(len(first & second), len(first | second))


@given(TEXTS, st.sampled_from([Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)]))
def test_the_search_finds_exactly_the_pairs_that_a_comparison_of_all_finds(texts: list[str], above: Fraction) -> None:
    expected = {
        (one, other) for one, other in combinations(range(len(texts)), 2) if jaccard(texts[one], texts[other]) > above
    }
    assert {(one, other) for one, other, _ in alike(texts, float(above))} == expected


def test_half_of_the_grams_is_not_more_than_half() -> None:
    """`abcdefg` has three grams, two of them in `abcdefh`, which has three as well: 2 of 4."""
    assert jaccard("abcdefg", "abcdefh") == Fraction(1, 2)
    assert list(alike(["abcdefg", "abcdefh"], MAX_LIKENESS)) == []
    assert [(one, other) for one, other, _ in alike(["abcdefg", "abcdefh"], 0.49)] == [(0, 1)]
    assert doctest.testmod(repetition).failed == 0


@pytest.mark.parametrize(
    "sentence",
    [
        "We left the [rat race] for a farm beside the lake.",  # ten words
        "We left the [rat race] " + "and the lake " * 8 + "for a farm.",  # 32 words
        "We left New York and the [rat race] for a farm beside the lake.",  # listed
        "In 1985 and the 1990s we left the [rat race] for a farm.",  # figures
        "Before Tobias could say no, Marta and Rosa left the [rat race] together.",  # a capital after an ordinary word
        'We said no to the [rat race] and "yes" to the farm beside the lake.',  # quotation marks elsewhere
        "We were so worn by the [rat race] that we left for the farm.",  # *race* stands in the span only
    ],
)
def test_what_is_in_order_is_left_alone(english: LanguagePack, sentence: str) -> None:
    known = replace(
        english, forms=(*english.forms, *(Form(word, word, "other", None, None, None) for word in ("said", "yes")))
    )
    assert told(known, sentence) == set()


@pytest.mark.parametrize(
    ("sentence", "codes"),
    [
        ("We left the [rat race] for beyond.", {"T804", "T809"}),
        ("We left the [rat race], Tobias Marta, for a farm beside the lake.", {"T808"}),
        ("The rats left the race, and the [rat race] left us with the lake.", {"T803", "T809"}),
    ],
)
def test_what_is_not_is_told_by_its_code(english: LanguagePack, sentence: str, codes: set[str]) -> None:
    assert told(english, sentence) == codes


def test_words_of_a_closed_class_give_nothing_away(english: LanguagePack) -> None:
    """*What not* may be a synonym of something; *not* in a sentence is no give-away."""
    first = english.synonyms[3]
    assert (first.compound, first.text) == ("rat race", "daily grind")
    sentence = "We sold all and left the [rat race] for a farm beside the lake."
    closed = replace(english, synonyms=(*english.synonyms, replace(first, rank=4, text="all grind", modifier="all")))
    assert told(closed, sentence) == set()
    said = replace(english, synonyms=(*english.synonyms, replace(first, rank=4, text="farm grind", modifier="farm")))
    assert told(said, sentence) == {"T803"}


def test_what_a_corpus_says_is_not_for_a_writer_to_mend(english: LanguagePack) -> None:
    taken = replace(english, contexts=tuple(replace(row, source="corpus") for row in english.contexts))
    assert told(taken, "Xyz [rat race] xyz.") == set()
    assert told(english, "Xyz [rat race] xyz.") == {"T804", "T809"}


def test_an_incident_of_a_sentence_names_the_line_of_its_table(english: LanguagePack, mini_packs: Path) -> None:
    marked = {**english.marked, ("rat race", "nat2"): MarkedSentence("The rat race.", (4, 12))}
    (found,) = [row for row in validate_pack(replace(english, marked=marked)) if row.code == "T804"]
    line = int(found.message.split(":")[1])
    rows = (mini_packs / "en" / "contexts.tsv").read_text("utf-8").splitlines()
    assert found.message.startswith("contexts.tsv:")
    assert rows[line - 1].startswith("rat race\tnat2\t")
    assert found.place == "en/rat-race/nat2"


def test_a_waiver_of_an_item_is_no_business_of_the_pack_alone(english: LanguagePack) -> None:
    waived = replace(english, waivers=(Waiver("A102", f"{PLACE}/ws1", "as it is", "tests", "2026-01-01"),))
    assert validate_pack(waived) == []


def test_the_probability_of_an_excess_is_that_of_the_binomial_distribution() -> None:
    """Worked out by hand: of two coins both show heads in 1 of 4 cases, one or more in 3; of six dice a six or more."""
    assert at_least(2, 2, 0.5) == 0.25
    assert at_least(1, 2, 0.5) == 0.75
    assert isclose(at_least(1, 6, 1 / 6), 1 - (5 / 6) ** 6)
    assert at_least(0, 3, 0.1) == pytest.approx(1)


def test_words_know_the_lemmas_of_their_parts(english: LanguagePack) -> None:
    assert Lookup(english).lemmas_of_parts("Rats") == {"rats", "rat"}
    assert Lookup(english).lemmas_of_parts("half-opened") == {"half-opened", "half", "opened", "open"}
