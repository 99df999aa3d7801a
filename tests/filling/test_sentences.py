"""The linguists' cases of the further languages: a phrase of the pack's own words in a sentence, and back again."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from ncimp.builder.filling.fill import Substituted, Substitution
from ncimp.builder.filling.repair import NEAR
from ncimp.builder.filling.scene import NewPhrase
from ncimp.builder.grammar import Features, inflect_phrase
from ncimp.builder.records import Gender, LanguagePack, MarkedSentence
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.schemas import Place
from tests.filling.world import CASES


@dataclass(frozen=True)
class Sentence:
    """A case: the sentence with its NC in brackets, the phrase for its place, and what the sentence must become."""

    label: str
    comment: str
    sentence: str
    nc: str  # the features of the NC, then what the slot asks for, as in `m sg dat`
    pattern: str
    modifier: str | None
    head: str
    gender: Gender
    expect: str


def read_sentences(lang: str) -> list[Sentence]:
    rows: list[dict[str, Any]] = json.loads((CASES / f"sentences_{lang}.json").read_text(encoding="utf-8"))
    return [Sentence(**row) for row in rows]


ALL = [
    pytest.param(lang, case, id=f"{lang}-{case.label}")
    for lang in ("de", "fr", "gl", "it")
    for case in read_sentences(lang)
]


@cache
def pack_of(lang: str) -> LanguagePack:
    return read_pack(packs_folder() / lang)


@cache
def morphology_of(lang: str) -> PackMorphology:
    return PackMorphology(pack_of(lang).forms, pack_of(lang).language)


@cache
def substitution_of(lang: str) -> Substitution:
    return Substitution(pack_of(lang).language, morphology_of(lang), NEAR)


def features_of(lang: str, case: Sentence) -> Features:
    gender, number, *slot = case.nc.split()
    names = {value: name for name, feature in pack_of(lang).language.features.items() for value in feature.values}
    return Features(gender, number, tuple((names[value], value) for value in slot))  # type: ignore[arg-type]


def turn(lang: str, case: Sentence) -> tuple[MarkedSentence, Substituted, Features, Features]:
    """Return the sentence, what it becomes, and the features of the NC and of the phrase."""
    language, substitution = pack_of(lang).language, substitution_of(lang)
    sentence = read_marked(case.sentence, Place("cases"))
    old = substitution.governed(sentence, features_of(lang, case))
    new = replace(old, gender=case.gender)
    pattern = language.patterns[case.pattern]
    surface = inflect_phrase(
        language, pattern, modifier=case.modifier, head=case.head, features=new, morphology=morphology_of(lang)
    )
    assert surface is not None, f"no form of {case.head!r}"
    phrase = NewPhrase(begins=("noun", pattern.parts[0]))
    return sentence, substitution.replace(sentence, surface, old, new, phrase), old, new


@pytest.mark.parametrize(("lang", "case"), ALL)
def test_a_phrase_takes_the_place_of_the_compound(lang: str, case: Sentence) -> None:
    _, made, _, _ = turn(lang, case)
    assert made.sentence.text == case.expect, case.comment
    assert made.uncertain == ()


@pytest.mark.parametrize(("lang", "case"), ALL)
def test_the_compound_comes_back(lang: str, case: Sentence) -> None:
    sentence, made, old, new = turn(lang, case)
    compound = sentence.text[slice(*sentence.span)]
    phrase = NewPhrase(begins=(pack_of(lang).language.patterns[case.pattern].parts[0], "noun"))
    assert substitution_of(lang).replace(made.sentence, compound, new, old, phrase).sentence == sentence


def test_every_accepted_form_of_an_adjective_is_known() -> None:
    forms = [form.form for form in morphology_of("it").inflected("grande", "adj")]
    assert forms[0] == "grande"
    assert {"gran", "grand'", "grandi"} < set(forms)


SEEN_BY_OTHERS = {
    *("nominative-gender", "dative-masculine", "genitive-ending", "weak-adjective-inside"),  # right in another case
    *(
        "possessive-not-by-sound",
        "adjective-before-vowel",
        "des-before-adjective",
    ),  # forms of both genders, or both used
    "preposition-ad",  # *a* is accepted
    "far-determiner",  # behind other words it is no part of the phrase
}
"""Cases in which the words left alone fit the gender and number of the phrase, which is all that is looked at here."""


@cache
def checker_of(lang: str) -> AgreementChecker:
    return AgreementChecker(pack_of(lang).language, morphology_of(lang))


def findings(lang: str, sentence: MarkedSentence, features: Features) -> list[str]:
    """Return what validation says of the span of *sentence*, words that are marked left aside."""
    language = pack_of(lang).language
    matches = list(re.finditer(language.token, sentence.text))
    inside = [
        i for i, match in enumerate(matches) if match.start() < sentence.span[1] and match.end() > sentence.span[0]
    ]
    tokens, marked = [match[0] for match in matches], {*sentence.agreeing, *sentence.fixed}
    rows = checker_of(lang).findings(tokens, inside[0], inside[-1] + 1, gender=features.gender, number=features.number)
    return [row.code for row in rows if matches[row.index].span() not in marked]


@pytest.mark.parametrize(("lang", "case"), ALL)
def test_validation_finds_nothing_in_it_but_the_words_that_were_left_alone(lang: str, case: Sentence) -> None:
    sentence, made, _, new = turn(lang, case)
    assert findings(lang, made.sentence, new) == []
    start, end = sentence.span
    surface = made.sentence.text[slice(*made.sentence.span)]
    alone = MarkedSentence(f"{sentence.text[:start]}{surface}{sentence.text[end:]}", (start, start + len(surface)))
    if alone.text != made.sentence.text and case.label not in SEEN_BY_OTHERS:
        assert findings(lang, alone, new)
