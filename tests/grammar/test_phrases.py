"""Phrases given only as text: heads, agreement with a new head, gender, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.grammar import HYPHEN, Part, PhraseForms, PhraseReader, match_case
from ncimp.builder.records import Form, Gender, Language
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language
from tests.inflection.inflection_world import read_cases, rules


@pytest.mark.parametrize(
    ("lang", "text", "head"),
    [
        ("en", "eager beaver", "beaver"),
        ("en", "point of view", "point"),
        ("en", "big brown fox", "fox"),
        ("en", "down payment", "payment"),
        ("en", "runner up", "runner"),
        ("pt", "abalo sísmico", "abalo"),
        ("pt", "alto mar", "mar"),
        ("pt", "primeira infância", "infância"),
        ("pt", "tremor de terra", "tremor"),
        ("pt", "palavra chave", "palavra"),
        ("pt", "não fumante", "fumante"),
        ("pt", "meio ambiente limpo", "ambiente"),
        ("pt", "de raça", "de raça"),
    ],
)
def test_head_of(lang: str, text: str, head: str) -> None:
    assert rules(lang).phrases.head_of(text) == head


@pytest.mark.parametrize(
    ("text", "head", "expected"),
    [
        ("abalo sísmico", "trepidação", "trepidação sísmica"),
        ("lista negra", "painéis", "painéis negros"),
        ("caixa-preta", "cofre", "cofre preto"),
        ("primeira-dama", "ministro", "primeiro ministro"),
        ("mau humor", "vontade", "má vontade"),
        ("boa vontade", "humores", "bons humores"),
        ("camisa rosa", "vestidos", "vestidos rosa"),
        ("gol de placa", "jogada", "jogada de placa"),
        ("palavra-chave", "termo", "termo chave"),
        ("arma branca", "Pistola", "Pistola branca"),
        ("Arma Branca", "Punhal", "Punhal Branco"),
        ("governo federal", "governação", "governação federal"),
        # a head of both genders: the modifier keeps the one it shows
        ("mulher famosa", "artista", "artista famosa"),
        ("homem famoso", "artista", "artista famoso"),
        ("água", "vinho", "vinho"),
    ],
)
def test_modifiers_agree_with_a_new_head(text: str, head: str, expected: str) -> None:
    assert rules("pt").phrases.with_head(text, head) == expected


def test_english_modifiers_do_not_agree() -> None:
    assert rules("en").phrases.with_head("eager beaver", "workers") == "eager workers"


def test_phrase_without_a_head_takes_none() -> None:
    assert rules("pt").phrases.with_head("de raça", "cão") is None
    assert rules("pt").phrases.in_gender("de raça", "f") is None


@pytest.mark.parametrize(
    ("text", "gender", "expected"),
    [
        ("gato preto", "f", "gata preta"),
        ("atores famosos", "f", "atrizes famosas"),
        ("atriz famosa", "m", "ator famoso"),
        ("primeiro ministro", "f", "primeira ministra"),
        ("dono de casa", "f", "dona de casa"),
        ("artista famoso", "f", "artista famosa"),
        ("maus", "f", "más"),
        ("mesa redonda", "m", "mesa redonda"),
    ],
)
def test_gender_of_a_phrase_is_that_of_its_head(text: str, gender: Gender, expected: str) -> None:
    assert rules("pt").phrases.in_gender(text, gender) == expected


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("abalos sísmicos", "pl"),
        ("abalo sísmico", "sg"),
        ("ônibus executivos", "pl"),
        ("ônibus executivo", "sg"),
        ("ônibus", None),
    ],
)
def test_modifier_shows_number_of_invariable_head(text: str, number: str | None) -> None:
    assert rules("pt").phrases.number_of(text) == number


def test_words_have_roles_and_parts_of_speech() -> None:
    language = read_language(Path(__file__).parents[2] / "builder" / "languages" / "pt" / "pack.toml")
    phrase = PhraseReader(language, rules("pt").morphology).read("guarda-roupa", join=HYPHEN)
    assert phrase.parts == (Part("guarda", "fixed"), Part("roupa", "head"))
    assert phrase.head == Part("roupa", "head")


def test_unknown_word_has_no_other_form(mini_packs: Path) -> None:
    language = read_language(mini_packs / "pt" / "pack.toml")
    phrases = PhraseForms(language, PackMorphology((), language))
    assert phrases.in_number("trelo", "pl") is None
    assert phrases.with_head("trelo manso", "gata") is None


def test_forms_of_the_pack_are_used_as_they_are(mini_packs: Path) -> None:
    language: Language = read_language(mini_packs / "pt" / "pack.toml")
    forms = (
        Form("trelo", "trelo", "noun", "m", "sg", None),
        Form("trelorum", "trelo", "noun", "m", "pl", None),
        Form("manso", "manso", "adj", "m", "sg", None),
        Form("mansi", "manso", "adj", "m", "pl", None),
    )
    phrases = PhraseForms(language, PackMorphology(forms, language))
    assert phrases.in_number("trelo manso", "pl") == "trelorum mansi"
    assert phrases.in_number("Trelorum Mansi", "sg") == "Trelo Manso"


@given(st.sampled_from(sorted(read_cases("pt").plural["phrases"])), st.sampled_from(["mesa", "livros", "artista"]))
def test_phrase_with_a_new_head_holds_it_and_is_stable(text: str, head: str) -> None:
    """Giving a phrase the head that it has by now changes nothing."""
    phrases = rules("pt").phrases
    once = phrases.with_head(text, head)
    if once is None:
        assert phrases.head_of(text) == text
    else:
        assert head in once.split()
        assert phrases.with_head(once, head) in (once, None) or phrases.head_of(once) != head


@pytest.mark.parametrize(
    ("word", "form", "expected"),
    [
        ("Casa", "casas", "Casas"),
        ("casa", "casas", "casas"),
        ("Alto Mar", "altos mares", "Altos Mares"),
        ("", "x", "x"),
    ],
)
def test_capitals_are_kept(word: str, form: str, expected: str) -> None:
    assert match_case(word, form) == expected
