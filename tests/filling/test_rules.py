"""Every rule of agreement on sentences that nobody has marked, by the forms of the embedded Portuguese pack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from ncimp.builder.filling.fill import Substituted, Substitution
from ncimp.builder.filling.repair import NEAR, RULES
from ncimp.builder.filling.scene import Reader
from ncimp.builder.grammar import Features
from ncimp.builder.records import Form, Gender, LanguagePack
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.schemas.errors import Place

GENDERS: tuple[Gender, Gender] = ("m", "f")


@cache
def portuguese() -> LanguagePack:
    return read_pack(packs_folder() / "pt")


@cache
def substitution(rules: tuple[str, ...] = tuple(RULES)) -> Substitution:
    pack = portuguese()
    return Substitution(pack.language, PackMorphology(pack.forms, pack.language), rules)


def put(sentence: str, phrase: str, rules: tuple[str, ...] = tuple(RULES), *, component: bool = False) -> Substituted:
    return substitution(rules).put(read_marked(sentence, Place("test")), phrase, component=component)


REPAIRED = [
    ("left chain", "Vendi todos os meus [carros novos].", "casas velhas", "Vendi todas as minhas casas velhas."),
    ("left chain", "Ele pensou no [carro novo] do pai.", "casas velhas", "Ele pensou nas casas velhas do pai."),
    ("left chain", "Vi uma das [casas velhas] da rua.", "castelos antigos", "Vi um dos castelos antigos da rua."),
    ("left chain", "Vieram vinte e uma [casas velhas].", "castelos antigos", "Vieram vinte e um castelos antigos."),
    ("left chain", "A mais bela e rica [casa velha].", "castelo antigo", "O mais belo e rico castelo antigo."),
    ("left chain", "Vi a mais [bela casa] da rua.", "castelo antigo", "Vi o mais castelo antigo da rua."),
    ("left chain", "Qualquer [casa velha] caiu.", "castelos antigos", "Quaisquer castelos antigos"),
    ("right adjectives", "Comprei um [carro novo], vermelho e caro.", "casa velha", "vermelha e cara."),
    ("right adjectives", "Uma [casa velha] bonita e muito clara.", "castelo antigo", "bonito e muito claro."),
    ("right adjectives", "Vi a primeira [casa velha] a ser vendida.", "castelos antigos", "a serem vendidos."),
    (
        "participle after a comma",
        "A [casa velha], pintada de azul, caiu.",
        "castelo antigo",
        "pintado de azul,",
    ),
    ("relative clause", "Vi a [casa velha] que não foi aberta.", "castelos antigos", "que não foram abertos."),
    ("relative clause", "Vi a [casa velha] que zumbalha.", "castelos antigos", "que zumbalham."),
    ("inverted subject", "Ela era a [casa velha].", "castelos antigos", "Eles eram os castelos antigos."),
    ("main clause", "A [casa velha] mostrou-se bela.", "castelos antigos", "mostraram-se"),
    ("main clause", "Se os [castelos antigos] abrirem, volto.", "casa velha", "Se a casa velha abrir, volto."),
    ("main clause", "As [casas velhas] da praia ficaram vazias.", "castelo antigo", "da praia ficou vazio."),
    ("main clause", "A [casa velha] foi vendida e não pode ser aberta.", "castelos antigos", "não podem ser abertos."),
    (
        "main clause",
        "Ontem o [carro novo] foi visto na rua.",
        "casas velhas",
        "casas velhas foram vistas na rua.",
    ),
    ("main clause", "A [casa velha] é um problema.", "castelos antigos", "Os castelos antigos são uns problemas."),
    (
        "inverted subject",
        "Existe uma [casa velha] na praia.",
        "castelos antigos",
        "Existem uns castelos antigos",
    ),
    (
        "inverted subject",
        "Nasceu a [casa velha] que vimos.",
        "castelos antigos",
        "Nasceram os castelos antigos",
    ),
    ("inverted subject", "Foi encontrada uma [casa velha].", "castelo antigo", "Foi encontrado um castelo antigo."),
    (
        "inverted subject",
        "Qual é a [casa velha] da praia?",
        "castelos antigos",
        "Quais são os castelos antigos",
    ),
    ("inverted subject", "Esta é a [casa velha] do pai.", "castelos antigos", "Estes são os castelos antigos do pai."),
    ("role pronoun", "Como um bom [médico velho], ele saiu.", "amiga velha", "Como uma boa amiga velha, ela saiu."),
    ("elided noun", "Troque a [casa velha] pela nova e descanse.", "castelo antigo", "antigo pelo novo e descanse."),
]
"""Rule, sentence, phrase, and what the repaired sentence must hold."""


@pytest.mark.parametrize(("rule", "sentence", "phrase", "expected"), REPAIRED)
def test_rule_repairs_sentence(rule: str, sentence: str, phrase: str, expected: str) -> None:
    made = put(sentence, phrase)
    assert expected in made.sentence.text, rule
    assert made.uncertain == ()


@pytest.mark.parametrize(("rule", "sentence", "phrase", "expected"), REPAIRED)
def test_words_stay_without_their_rule(rule: str, sentence: str, phrase: str, expected: str) -> None:
    assert expected not in put(sentence, phrase, tuple(name for name in RULES if name != rule)).sentence.text


def test_every_rule_has_a_sentence() -> None:
    assert {rule for rule, *_ in REPAIRED} == set(RULES)


def test_participle_before_bare_noun() -> None:
    assert put("Foi encontrado [ouro preto] na serra.", "prata antiga").sentence.text.startswith("Foi encontrada prata")
    assert put("Foi encontrado [ouro preto] na serra.", "pratas antigas").sentence.text.startswith("Foram encontradas")


@pytest.mark.parametrize(
    ("sentence", "phrase", "expected"),
    [
        ("Moravam na [casa velha], cansados da viagem.", "castelo antigo", "cansados da viagem."),
        ("Vi um [carro novo] e pequenas flores.", "casa velha", "e pequenas flores."),
        ("O dono do [carro novo] foi visto ontem.", "casas velhas", "O dono das casas velhas foi visto ontem."),
        ("Devolveu o [carro novo] ao artista.", "casas velhas", "Devolveu as casas velhas ao artista."),
        ("Ele se referia a uma [casa velha].", "castelo antigo", "Ele se referia a um castelo antigo."),
        ("Só mesmo um [ouvido bom] explica.", "orelha boa", "Só mesmo uma orelha boa explica."),
        ("Entre um dia e outro do [carro novo].", "casa velha", "Entre um dia e outro da casa velha."),
        ("Muitos se tornam [pesos mortos] na vida.", "casa velha", "Muitos se tornam casa velha na vida."),
        ("A casa e o [carro novo] são bonitos.", "casa velha", "A casa e a casa velha são bonitos."),
        ("Vi um [carro novo] e pequeno jardim.", "casa velha", "Vi uma casa velha e pequeno jardim."),
        ("Falou de um do [carro novo].", "casa velha", "Falou de um da casa velha."),
        ("Quem viu hoje o [carro novo] disse tudo.", "casas velhas", "Quem viu hoje as casas velhas disse tudo."),
        ("Como viu o [médico velho], ele saiu.", "amiga velha", "Como viu a amiga velha, ele saiu."),
    ],
)
def test_words_of_another_noun_stay(sentence: str, phrase: str, expected: str) -> None:
    assert expected in put(sentence, phrase).sentence.text


@pytest.mark.parametrize(
    ("rule", "sentence", "phrase"),
    [
        ("participle after a comma", "Comprou uma [casa velha], pintada de azul, na serra.", "castelo antigo"),
        ("main clause", "A [casa velha] que vimos custou caro.", "castelos antigos"),
        ("main clause", "A [casa velha] e o carro foram vendidos.", "castelos antigos"),
        ("inverted subject", "O rapaz é um [bom artista].", "atletas famosos"),
        ("replacement that is no noun phrase", "Comprou roupas de [quinta categoria].", "ruim"),
    ],
)
def test_undecided_word_is_named_and_left(rule: str, sentence: str, phrase: str) -> None:
    assert put(sentence, phrase).uncertain == (rule,)


@pytest.mark.parametrize(
    ("sentence", "phrase", "expected"),
    [
        ("Moravam em [tempo real] na cidade.", "ao vivo", "Moravam ao vivo na cidade."),
        ("Comprou roupa de [quinta categoria].", "ruim", "Comprou roupa ruim."),
        ("Ele fez [vista grossa] e saiu.", "ignorou", "Ele ignorou e saiu."),
        ("Ele teve fama de [pé frio].", "azarado", "Ele teve fama de azarado."),
    ],
)
def test_replacement_is_not_a_noun_phrase(sentence: str, phrase: str, expected: str) -> None:
    assert put(sentence, phrase).sentence.text == expected


@pytest.mark.parametrize(
    ("phrase", "component", "expected"),
    [
        ("casas velhas", False, "Estas são casas velhas."),
        ("casa", True, "Esta é uma casa."),
        ("velha", True, "Esta é uma velha."),
        ("grande", True, "Este é um grande."),
        ("artista famosa", False, "Esta é uma artista famosa."),
    ],
)
def test_neutral_frame_agrees_with_its_filler(phrase: str, component: bool, expected: str) -> None:
    assert put("Este é um [castelo antigo].", phrase, component=component).sentence.text == expected


def test_plural_frame_stays_plural() -> None:
    assert put("Estes são [castelos antigos].", "ônibus").sentence.text == "Estes são ônibus."
    assert put("Estes são [castelos antigos].", "sucata").sentence.text == "Estas são sucata."


def test_invariable_noun_keeps_number_of_sentence() -> None:
    assert put("Vi uma [casa velha].", "ônibus").sentence.text == "Vi um ônibus."
    assert put("Vi umas [casas velhas].", "ônibus").sentence.text == "Vi uns ônibus."
    assert put("Esta é uma [casa velha].", "Dâmocles", component=True).sentence.text == "Este é um Dâmocles."


def test_frame_without_stop_or_agreement_is_recognised() -> None:
    assert put("Esta é uma [casa velha]", "castelo", component=True).sentence.text == "Este é um castelo"
    assert put("Esta era uma [casa velha]", "castelo", component=True).sentence.text == "Esta era uma castelo"


def test_word_between_determiner_and_noun_is_an_adjective() -> None:
    assert put("Vi o jovem [médico velho].", "amiga velha").sentence.text == "Vi a jovem amiga velha."


class Counted(PackMorphology):
    """The forms of the pack, and a noun that was counted as a masculine only."""

    def readings(self, form: str) -> Sequence[Form]:
        known = [Form("regente", "regente", "noun", gender, "sg", None) for gender in GENDERS]
        return known if form == "regente" else super().readings(form)

    def knows(self, form: str) -> bool:
        return form == "regente" or super().knows(form)

    def count(self, reading: Form) -> int:
        return 9 if reading.lemma == "regente" and reading.gender == "m" else 0


def test_noun_of_both_genders_keeps_gender_of_sentence_against_counts() -> None:
    pack = portuguese()
    counted = Substitution(pack.language, Counted(pack.forms, pack.language))
    assert counted.noun_phrases.features("regente").gender == "m"
    assert counted.noun_phrases.features("regente", Features("f", "sg")).gender == "f"


def test_component_leaves_written_carrier_unchanged() -> None:
    made = put("A [casa velha] foi vendida.", "castelo", component=True)
    assert (made.sentence.text, made.edits) == ("A castelo foi vendida.", ())


def test_near_rules_change_nothing_far_away() -> None:
    made = put("A [casa velha] foi vendida.", "castelo antigo", NEAR)
    assert made.sentence.text == "O castelo antigo foi vendida."


def test_noun_of_common_gender_keeps_gender_of_sentence() -> None:
    assert put("Vi a [moça bonita].", "artista feliz").sentence.text == "Vi a artista feliz."
    assert put("Vi o [moço bonito].", "artista feliz").sentence.text == "Vi o artista feliz."


@pytest.mark.parametrize(
    ("phrase", "gender", "number"),
    [
        ("castelo antigo", "m", "sg"),
        ("grandes casas", "f", "pl"),
        ("ônibus escolares", "m", "pl"),
        ("caixa de ferramentas", "f", "sg"),
        ("ex mulher", "f", "sg"),
        ("xilobição", "f", "sg"),
        ("xiloborinos", "m", "pl"),
    ],
)
def test_gender_and_number_of_a_phrase(phrase: str, gender: str, number: str) -> None:
    found = substitution().noun_phrases.features(phrase)
    assert (found.gender, found.number) == (gender, number)


def test_closed_class_word_is_not_a_verb() -> None:
    reader = Reader(portuguese().language, PackMorphology(portuguese().forms, portuguese().language))
    assert not any(reader.is_finite(word, "sg") for word in ("da", "de", "uma", "que", "hoje", ","))
    assert all(reader.is_finite(word, "sg") for word in ("foi", "tinha", "xilobiou"))
    assert reader.verb("foram", "sg") == "foi"
    assert reader.verb("xilobiaram", "sg") == "xilobiou"


def test_language_without_agreement_changes_nothing() -> None:
    english = read_pack(packs_folder() / "en")
    made = Substitution(english.language, PackMorphology(english.forms, english.language)).put(
        read_marked("It was an [old house] that has burned.", Place("test")), "castles"
    )
    assert (made.sentence.text, made.uncertain) == ("It was a castles that has burned.", ())
    assert Features(None, "sg").cell == ("m", "sg")
