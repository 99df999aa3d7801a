"""Every word of the embedded Portuguese pack is in its tables, so that filling never guesses what agrees."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby

from ncimp.builder.records import ATTESTED, Form, Gender, LanguagePack, Number
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import packs_folder, read_pack

WORD = re.compile(r"(?<!\d)[^\W\d_][\w'-]*")
"""A word begins with a letter: figures are no words, and neither is what stands right behind them (*21h10*, *14º*)."""

CELLS: tuple[tuple[Gender, Number], ...] = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))


@cache
def portuguese() -> LanguagePack:
    return read_pack(packs_folder() / "pt")


def closed_class(pack: LanguagePack) -> set[str]:
    return {word for paradigm in pack.language.paradigms for word in paradigm.words}


def unknown(texts: dict[str, str], known: set[str]) -> dict[str, str]:
    """Return a place for each word of *texts* that is not in *known*."""
    return {word: place for place, text in texts.items() for word in WORD.findall(text.lower()) if word not in known}


def sentences(pack: LanguagePack) -> dict[str, str]:
    """Return every marked sentence that was written, the neutral frames with each compound included, by its place."""
    return {"/".join(place): marked.text for place, marked in pack.marked.items() if place[1] not in ATTESTED}


def test_every_word_of_every_sentence_is_in_the_forms_or_in_a_closed_class() -> None:
    pack = portuguese()
    known = {form.form.lower() for form in pack.forms} | closed_class(pack)
    assert unknown(sentences(pack), known) == {}


def test_a_word_that_is_taken_out_of_the_forms_is_missed_where_it_stands() -> None:
    pack = portuguese()
    taken = max(unknown(sentences(pack), closed_class(pack)), key=len)
    known = {form.form.lower() for form in pack.forms} - {taken} | closed_class(pack)
    assert set(unknown(sentences(pack), known)) == {taken}
    found = unknown({"here": "Às 19.873 pessoas às 21h10, fazê-lo-ia!"}, {"às"})
    assert found == {"pessoas": "here", "fazê-lo-ia": "here"}


def test_every_adjective_has_a_form_for_each_gender_and_number() -> None:
    """Where one form of an adjective stands beside a compound, filling may need any other."""
    pack = portuguese()
    morphology = PackMorphology(pack.forms, pack.language)
    lemmas = sorted({form.lemma for form in pack.forms if form.pos == "adj"})
    assert len(lemmas) > 1000
    lacking = [
        (lemma, gender, number)
        for lemma in lemmas
        for gender, number in CELLS
        if morphology.inflect(lemma, "adj", gender=gender, number=number) is None
    ]
    assert lacking == []


def test_a_word_has_the_features_of_its_part_of_speech_and_no_other() -> None:
    for form in portuguese().forms:
        if form.pos in ("noun", "adj"):
            assert form.number is not None, form
        if form.pos in ("verb", "adv"):
            assert form.gender is None, form
        if form.pos == "adv" or (form.pos == "verb" and form.form == form.lemma):
            assert form.number is None, form
        if form.pos == "verb":
            assert form.lemma.endswith("r"), form
        assert form.onset is None, form


def test_the_forms_stand_in_the_order_of_their_lemmas_and_none_twice() -> None:
    forms = portuguese().forms
    assert len(set(forms)) == len(forms)

    def key(form: Form) -> tuple[str, str]:
        return form.lemma, form.pos

    order = [place for place, _ in groupby(forms, key)]
    assert order == sorted(set(order))
