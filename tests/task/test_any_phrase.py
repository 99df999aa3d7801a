"""No phrase stops the engine: pairs of words of the packs, and random strings, in sentences and frames."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.commands.task.actions import frame_filler
from ncimp.builder.filling.fill import Substitution
from ncimp.builder.records import MarkedSentence
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.schemas import NcimpError, keyed_hash

SENTENCES = {"en": "He saw an [old car] .", "pt": "A [casa velha] foi vendida ."}
WORDS = 40
"""Words of each language that are paired with each other."""


@cache
def language(lang: str) -> LanguageResources:
    return LanguageResources(lang, packs_folder(), Path("no data"))


@cache
def substitution(lang: str) -> Substitution:
    return Substitution(language(lang).pack.language, language(lang).analyser)


def put(lang: str, phrase: str, text: str | None = None) -> str:
    """Return the sentence of *lang*, or *text* as a whole, with *phrase* in its place."""
    before, old, after = SENTENCES[lang].replace("]", "[").split("[")
    span = (0, len(text)) if text else (len(before), len(before + old))
    return substitution(lang).put(MarkedSentence(text or before + old + after, span), phrase).sentence.text


def drawn(lang: str) -> list[str]:
    """Nouns and adjectives of the pack, drawn by hash."""
    words = {form.form for form in language(lang).pack.forms if form.pos in ("noun", "adj")}
    return sorted(words, key=lambda word: keyed_hash("any phrase", word))[:WORDS]


@pytest.mark.parametrize("lang", SENTENCES)
def test_every_pair_of_words_can_be_put_into_a_sentence(lang: str) -> None:
    for pair in product(drawn(lang), repeat=2):
        assert " ".join(pair) in put(lang, " ".join(pair))


def test_likelihoods_of_every_pair_sum_to_one() -> None:
    phrases = substitution("pt").noun_phrases
    for pair in product(drawn("pt"), repeat=2):
        assert sum(phrases.likelihoods(" ".join(pair)).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("phrase", "sentence"),
    [
        ("cego recente", "O cego recente foi vendido ."),
        ("recente rica", "A recente rica foi vendida ."),
        ("velhas lentas", "As velhas lentas foram vendidas ."),
    ],
)
def test_two_adjectives_agree_as_noun_and_adjective_do(phrase: str, sentence: str) -> None:
    assert put("pt", phrase) == sentence


PHRASES = st.text(max_size=12).map(lambda text: " ".join(text.split())).filter(bool)


@pytest.mark.parametrize("lang", SENTENCES)
@settings(max_examples=100)
@given(phrase=PHRASES, text=st.none() | PHRASES)
@example(phrase="\u0130", text=None)
@example(phrase="-", text="-")
def test_random_strings_are_put_into_sentences_or_refused(lang: str, phrase: str, text: str | None) -> None:
    assert put(lang, phrase, text)


@pytest.mark.slow  # a library of English forms takes seconds to import
@pytest.mark.parametrize("lang", SENTENCES)
@settings(max_examples=20)
@given(phrase=st.text("ab-' \u0301\x00", min_size=1, max_size=6).map(str.strip).filter(bool))
@example(phrase="ö \x00-")
def test_random_strings_are_put_into_frames_or_refused(lang: str, phrase: str) -> None:
    for context in ("short", "long_pl"):
        try:
            frame_filler(language(lang))(context, phrase)
        except NcimpError:
            continue
