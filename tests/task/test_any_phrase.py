"""No phrase stops the engine: pairs of words of the packs, and random strings, in sentences and frames."""

from __future__ import annotations

import json
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
from ncimp.builder.sources.registry import data_folder
from ncimp.schemas import NcimpError, keyed_hash

SENTENCES = {"en": "He saw an [old car] .", "pt": "A [casa velha] foi vendida ."}
WORDS = 40
"""Words of each language that are paired with each other."""


@cache
def language(lang: str) -> LanguageResources:
    return LanguageResources(lang, packs_folder(), data_folder())


@cache
def substitution(lang: str) -> Substitution:
    return Substitution(language(lang).pack.language, language(lang).analyser)


def marked(lang: str) -> MarkedSentence:
    before, old, after = SENTENCES[lang].replace("]", "[").split("[")
    return MarkedSentence(before + old + after, (len(before), len(before + old)))


def put(lang: str, phrase: str, text: str | None = None) -> str:
    """Return the sentence of *lang*, or *text* as a whole, with *phrase* in its place."""
    sentence = MarkedSentence(text, (0, len(text))) if text else marked(lang)
    return substitution(lang).put(sentence, phrase).sentence.text


def drawn(lang: str) -> list[str]:
    """Nouns and adjectives of the pack, drawn by hash."""
    words = {form.form for form in language(lang).pack.forms if form.pos in ("noun", "adj")}
    return sorted(words, key=lambda word: keyed_hash("any phrase", word))[:WORDS]


@pytest.mark.parametrize("lang", SENTENCES)
def test_every_pair_of_words_can_be_put_into_a_sentence(lang: str) -> None:
    for pair in product(drawn(lang), repeat=2):
        assert " ".join(pair) in put(lang, " ".join(pair))


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_repaired_sentence_is_not_repaired_again(lang: str) -> None:
    for pair in product(drawn(lang)[:20], repeat=2):
        made = substitution(lang).put(marked(lang), " ".join(pair)).sentence
        assert substitution(lang).put(made, " ".join(pair)).sentence.text == made.text


ROWS = ("gold_syn", "comp_mod", "comp_head", "words_syn", "head_syn", "mod_syn", "rand_freq")


@pytest.mark.shared
@pytest.mark.slow
def test_sentences_of_the_experts_are_repaired_once_and_come_back(shared: Path) -> None:
    """What does not come back: nouns of two genders (*longa-metragem*), and *a* that is a preposition or an article."""
    back = total = 0
    for line in (shared / "gold" / "dev_repair_input.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["lang"] != "pt" or row["context"][:3] != "nat" or row["variant_type"] not in ROWS:
            continue
        words, (first, end) = row["source"].split(" "), row["source_span"]
        start = sum(len(word) + 1 for word in words[:first])
        old = " ".join(words[first:end])
        component = row["variant_type"].startswith("comp_")
        sentence = MarkedSentence(row["source"], (start, start + len(old)))
        made = substitution("pt").put(sentence, row["substitute"], component=component).sentence
        again = substitution("pt").put(made, row["substitute"], component=component).sentence
        assert again.text == made.text
        back += substitution("pt").put(made, old, component=component).sentence.text.lower() == row["source"].lower()
        total += 1
    assert total == 2739
    assert back / total >= 0.98


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
