"""Every word of a sentence of an embedded pack has a reading, so that filling and validation never guess one."""

from __future__ import annotations

import re
from functools import cache

import pytest

from ncimp.builder.records import ATTESTED, LanguagePack
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import packs_folder, read_pack

COMPLETE = ("en",)
"""Languages of which forms.tsv has every word; a new pack joins when it has."""

each_complete = pytest.mark.parametrize("lang", COMPLETE)


@cache
def pack_of(lang: str) -> LanguagePack:
    return read_pack(packs_folder() / lang)


@cache
def morphology_of(lang: str) -> PackMorphology:
    return PackMorphology(pack_of(lang).forms, pack_of(lang).language)


def closed_classes(pack: LanguagePack) -> set[str]:
    """Return the words that pack.toml itself lists: forms of paradigms."""
    return {word for paradigm in pack.language.paradigms for word in paradigm.words}


def words_of(pack: LanguagePack) -> dict[str, str]:
    """Return a sentence for each lower-cased word of contexts and neutral frames of *pack*; figures are none.

    Sentences that were found in corpora have words of their own (T809 asks for those of written ones).
    """
    found: dict[str, str] = {}
    for text in (marked.text for (_, context), marked in pack.marked.items() if context not in ATTESTED):
        for token in re.findall(pack.language.token, text):
            if token[0].isalpha():
                found.setdefault(token.lower(), text)
    return found


@each_complete
def test_every_word_of_a_sentence_is_in_the_table_or_in_a_closed_class(lang: str) -> None:
    pack = pack_of(lang)
    words, known = words_of(pack), closed_classes(pack)
    assert len(words) > 3000
    missing = {w: text for w, text in words.items() if w not in known and not morphology_of(lang).readings(w)}
    assert missing == {}


@each_complete
def test_no_row_of_the_table_stands_twice(lang: str) -> None:
    forms = pack_of(lang).forms
    assert len(set(forms)) == len(forms)


def test_an_english_possessive_or_contraction_is_a_form_of_its_main_word() -> None:
    assert {row.form for row in pack_of("en").forms if "'" in row.form and row.form == row.lemma} == {"o'clock"}


@pytest.mark.parametrize("pos", ["noun", "adj"])
def test_the_form_that_an_english_word_is_given_as_a_modifier_or_head_is_its_own(pos: str) -> None:
    """Possessives and degrees share their lemma with the word itself, which must stand before them."""
    rows = {row.lemma for row in pack_of("en").forms if row.pos == pos and row.number in (None, "sg")}
    inflected = {lemma: morphology_of("en").inflect(lemma, pos, gender=None, number="sg") for lemma in rows}
    assert {lemma: form for lemma, form in inflected.items() if form != lemma} == {}


@pytest.mark.parametrize(
    ("word", "readings"),
    [
        ("left", {("left", "adj"), ("left", "adv"), ("left", "noun"), ("leave", "verb")}),
        ("saw", {("saw", "noun"), ("see", "verb")}),
        ("year's", {("year", "noun")}),
        ("children's", {("child", "noun")}),
        ("don't", {("do", "verb")}),
        ("was", {("be", "verb")}),
        ("better", {("good", "adj"), ("well", "adv"), ("better", "noun"), ("better", "verb")}),
        ("these", {("this", "det"), ("this", "other")}),
        ("forty", {("forty", "num")}),
        ("May", {("may", "verb"), ("May", "noun")}),
    ],
)
def test_an_english_word_has_the_readings_of_a_dictionary(word: str, readings: set[tuple[str, str]]) -> None:
    assert {(form.lemma, form.pos) for form in morphology_of("en").readings(word)} == readings
