"""a and an in the embedded English pack, checked with the `inflect` library, which knows nothing of ours."""

from __future__ import annotations

import re
from functools import cache

import inflect
import pytest

from ncimp.builder.records import NATURALISTIC, LanguagePack
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import packs_folder, read_pack

ARTICLE = re.compile(r"\b(an?) (\w[\w'-]*)", re.IGNORECASE)


@cache
def english() -> LanguagePack:
    return read_pack(packs_folder() / "en")


@cache
def engine() -> inflect.engine:
    return inflect.engine()


AGAINST_THE_LIBRARY = {
    **dict.fromkeys(("herb", "herbs"), "vowel"),  # a silent h in American English
    **dict.fromkeys(("usher", "ushers", "us"), "vowel"),  # as in *up*
    "ones": "consonant",
    **dict.fromkeys(("1805", "1840", "1850", "1870"), "vowel"),  # eighteen
}
"""First sounds that the library has wrong."""


def article(word: str) -> str:
    """Return a or an as `inflect` would put it before *word*."""
    return str(engine().a(word)).split(" ")[0]


@pytest.mark.parametrize(("word", "wanted"), [("hour", "an"), ("union", "a"), ("eager", "an"), ("one-off", "a")])
def test_the_library_knows_sounds_from_letters(word: str, wanted: str) -> None:
    assert article(word) == wanted


def test_every_article_of_an_english_sentence_fits_the_next_word() -> None:
    seen: set[str] = set()
    for (compound, context), marked in english().marked.items():
        if context in NATURALISTIC:
            for written, word in ARTICLE.findall(marked.text):
                assert written.lower() == article(word), f"{compound}/{context}: {written} {word}"
                seen.add(written.lower())
    assert seen == {"a", "an"}


def test_a_compound_often_stands_right_after_an_indefinite_article() -> None:
    direct = {
        compound
        for (compound, context), marked in english().marked.items()
        if context in NATURALISTIC and re.search(r"\ban? $", marked.text[: marked.span[0]], re.IGNORECASE)
    }
    assert len(direct) >= len(english().compounds) * 2 / 3


def test_the_first_sound_of_every_english_form_is_what_the_patterns_and_the_library_say() -> None:
    morphology = PackMorphology(english().forms, english().language)
    assert len(english().forms) > 1000
    for form in english().forms:
        assert form.onset == morphology.onset(form.form), form.form
        heard = {"a": "consonant", "an": "vowel"}[article(form.form)]
        assert form.onset == AGAINST_THE_LIBRARY.get(form.form, heard), form.form
