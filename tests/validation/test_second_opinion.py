"""The second opinion on hand-written sentences: silent where they agree, at the word where they do not."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ncimp.builder.records import Form, Gender, Number, Paradigm
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.builder.validation.validate import CODES
from tests.validation.opinion_world import NOUNS, OPINION, PORTUGUESE, Lexicon, findings, forms, read_case

BROKEN = [
    ("article", "A102", "Ele viu um|uma [ disco voador ] ontem ."),
    ("article, number", "A102", "Ele viu os|o [ discos voadores ] ontem ."),
    ("first word", "A102", "O|A [ disco voador ] sumiu ."),
    ("contraction", "A102", "Ele fala do|da [ disco voador ] ."),
    ("contraction, number", "A102", "Ele fala nas|na [ janelas abertas ] ."),
    ("demonstrative", "A102", "Ele viu esta|este [ janela aberta ] ."),
    ("possessive", "A102", "Ele viu o meu|minha [ disco voador ] ."),
    ("article before a possessive", "A102", "Ele viu o|a meu [ disco voador ] ."),
    ("quantifier", "A102", "Ele viu muitas|muitos [ janelas abertas ] ."),
    ("quantifier before a determiner", "A102", "Ele viu todas|todos as [ janelas abertas ] ."),
    ("article after a quantifier", "A102", "Ele viu todas as|a [ janelas abertas ] ."),
    ("one of several", "A102", "Ele viu uma|um das [ janelas abertas ] ."),
    ("numeral", "A102", "Ele viu as duas|dois [ janelas abertas ] ."),
    ("other", "A102", "Ele viu outra|outro [ janela aberta ] ."),
    ("article that is no preposition", "A102", "Ele pede o|a [ disco voador ] ."),
    ("subject after its verb", "A102", "Existe o|a [ disco voador ] ."),
    ("words that disagree with each other", "A103", "Ele viu a [ janela aberta|abertas ] ."),
    ("adjective before", "A104", "Ele viu os velhos|velhas [ discos voadores ] ."),
    ("article before an adjective", "A102", "Ele viu os|as velhos [ discos voadores ] ."),
    ("adjective after", "A104", "Ele viu um [ disco voador ] branco|branca ."),
    ("adjective after, with a degree", "A104", "Ele viu um [ disco voador ] muito branco|branca ."),
    ("participle after", "A104", "Ele viu uma [ janela branca ] construída|construído ontem ."),
    ("coordinated adjective", "A104", "Ele viu os [ pontos cegos ] e fracos|fracas ."),
    ("first of a list", "A104", "Ele viu os [ pontos cegos ] , fracos|fracas e velhos ."),
    ("last of a list", "A104", "Ele viu os [ pontos cegos ] , fracos e velhos|velhas ."),
    ("compared adjective after a comma", "A104", "Uma [ casa velha ] branca , mais cheia|cheio e com janelas ."),
    ("verb after its subject", "A110", "Os [ discos voadores ] sumiram|sumiu ."),
    ("verb after an adverb and a pronoun", "A110", "O [ disco voador ] também se vende|vendem ."),
    ("verb after a complement", "A110", "Os [ discos voadores ] da cidade sumiram|sumiu ."),
    ("verb in a clause with que", "A110", "Ele viu que os [ discos voadores ] sumiram|sumiu ."),
    ("verb after an interrogative phrase", "A110", "Veja em quais casas a [ janela aberta ] pode|podem ser vendida ."),
    ("verb after a phrase in front", "A110", "Ontem , os [ discos voadores ] sumiram|sumiu ."),
    ("verb of a relative clause", "A110", "Ele viu os [ discos voadores ] que eram|era brancos ."),
    ("verb with an object in a relative clause", "A110", "Ele viu o [ disco voador ] que procura|procuram uma casa ."),
    ("second verb", "A110", "As [ janelas abertas ] são brancas e não podem|pode ser vendidas ."),
    ("verb before its subject", "A110", "Existem|Existe os [ discos voadores ] ."),
    ("passive before its subject", "A110", "Foram|Foi vendidas as [ janelas abertas ] ."),
    ("question", "A110", "Quais são|é os seus [ pontos fracos ] ?"),
    ("interrogative", "A111", "Quais|Qual são os seus [ pontos fracos ] ?"),
    ("demonstrative subject", "A111", "Este|Esta é um [ ponto fraco ] ."),
    ("number of what something is", "A110", "Não são|é uns [ pontos fracos ] ."),
    ("predicate", "A111", "A [ janela aberta ] é branca|branco ."),
    ("predicate after auxiliaries", "A111", "As [ janelas abertas ] podem não ser vendidas|vendida ."),
    ("second predicate", "A111", "As [ janelas abertas ] são brancas e não podem ser vendidas|vendidos ."),
    ("predicate of a relative clause", "A111", "Ele viu as [ janelas abertas ] que são brancas|brancos ."),
    ("participle before its subject", "A111", "Quando será aberta|aberto a [ carta esquecida ] ?"),
    ("bare subject after a participle", "A111", "Na rua onde foi construída|construído [ janela aberta ] ."),
]


@pytest.mark.parametrize(("label", "code", "text"), BROKEN, ids=[label for label, _, _ in BROKEN])
def test_a_broken_word_is_found_at_its_place_and_the_agreeing_one_is_not(label: str, code: str, text: str) -> None:
    case = read_case(text)
    assert case.index >= 0, label
    assert OPINION.findings(case.right, case.start, case.end) == []
    found = OPINION.findings(case.wrong, case.start, case.end)
    assert [(row.code, row.index) for row in found] == [(code, case.index)], found


SILENT = [
    ("preposition before a bare noun", "Ele se pede a [ ministro francês ] ."),
    ("preposition that a verb takes", "Ele chega a [ ministro francês ] ."),
    ("preposition after an adjective", "Um homem político a [ preço velho ] ."),
    ("pronoun bound to a verb", "Ele viu - o [ artista francês ] ."),
    ("adverb of degree before an adjective", "Ele viu muito [ velha casa ] ."),
    ("adverbs of degree in a row", "Não tem erro e muito menos [ janelas abertas ] ."),
    ("adverb before a determiner", "Mesmo as [ janelas abertas ] sumiram ."),
    ("quantifier of a partitive pronoun", "Ele tem pouco da [ casa velha ] ."),
    ("noun of common gender", "Ele viu a [ artista ] ."),
    ("noun of common gender, m", "Ele viu o [ artista ] ."),
    ("adjective of an earlier noun", "Ele viu um excesso de [ pontos cegos ] velho ."),
    ("adjective of the noun of a contraction", "Ele viu o ministro da [ casa branca ] francês ."),
    ("participle of an earlier noun", "Ele viu o risco de uma [ crise financeira ] esquecido ontem ."),
    ("adjective of two nouns", "Ele viu o barco e a [ casa velha ] brancos ."),
    ("one of several, told of by a participle", "Ele viu uma das [ cartas velhas ] esquecida ontem ."),
    ("adjectives that share a plural out", "Ele viu os [ mercados ] francês e financeiro ."),
    ("a plural shared out from inside", "Ele viu os [ mercados financeiro ] e político ."),
    ("a list of nouns", "Ele viu os [ pontos fracos ] , janelas e portas ."),
    ("subject after a comma", "Ele vende um [ disco branco ] , quieta perto da porta ."),
    ("perfect tense before a phrase", "Ele tem vendido [ janelas velhas ] ."),
    ("verb of another subject", "A cor dos [ discos voadores ] mudou ."),
    ("two subjects", "O ministro e o [ disco voador ] sumiram ."),
    ("two subjects, the other after", "O [ disco voador ] e o ministro sumiram ."),
    ("object before a verb", "Comprar os [ discos voadores ] custa ."),
    ("most of several", "A [ maior parte ] dos casos mudaram ."),
    ("a part of a plural", "A [ parte velha ] das casas sumiram ."),
    ("what a singular is, in the plural", "A [ carta branca ] são os pontos fracos ."),
    ("comparison", "Casas como o [ disco voador ] custam ."),
    ("plural of a left-out subject", "Não são um [ ponto fraco ] ."),
    ("impersonal predicate", "É necessário [ paciência ] ."),
    ("a relative clause of an earlier noun", "Ele fala da janela do [ disco voador ] que é branca ."),
    ("a relative clause with another subject", "Ele viu o [ disco voador ] que procuram ."),
    ("a verb that may be an infinitive", "Os [ discos voadores ] votar ."),
    ("a noun that no word tells", "Ele viu a [ xqz ] ."),
    ("a name that no lexicon has", "Ele viu o [ Kyoka ] ."),
    ("a word that cannot be inflected", "Ele viu as [ janelas abertas ] turbo ."),
    ("an adjective that is a verb, too", "O [ barco branco ] cega todos os anos ."),
]


@pytest.mark.parametrize(("label", "text"), SILENT, ids=[label for label, _ in SILENT])
def test_what_may_be_right_is_left_alone(label: str, text: str) -> None:
    more = [
        Form("maior", "maior", "adj", None, "sg", None),
        Form("turbo", "turbo", "adj", "m", "sg", None),
        Form("cega", "cegar", "verb", None, "sg", None),
    ]
    opinion = AgreementChecker(PORTUGUESE, Lexicon(PORTUGUESE, more))
    assert findings(text, opinion) == [], label


def test_the_message_says_what_would_agree() -> None:
    (article,) = findings("Ele viu a [ disco voador ] .")
    assert article.message == "'a' before 'disco voador'; write 'o'"
    (adjective,) = findings("Ele viu o [ disco voador ] branca .")
    assert adjective.message == "'branca' after 'disco voador'; write 'branco'"
    (verb,) = findings("Os [ discos voadores ] tem uma casa .")
    assert verb.message == "'tem' with the subject 'discos voadores'; write 'têm'"
    (unknown,) = findings("Os [ discos voadores ] perdeu .")  # the lexicon has an infinitive first
    assert unknown.message == "'perdeu' with the subject 'discos voadores'; make it agree"


def test_given_features_stand_above_the_words() -> None:
    text = "Ele viu a [ artista ] ."
    assert findings(text, gender="f") == []
    assert [row.index for row in findings(text, gender="m")] == [2]
    assert findings("Ele viu a [ xqz ] .", gender="f", number="sg") == []
    assert [row.index for row in findings("Ele viu a [ xqz ] .", gender="m", number="sg")] == [2]


def test_a_word_that_nobody_knows_is_judged_by_its_ending_where_that_is_sure() -> None:
    assert [row.index for row in findings("Ele viu o [ xyzação ] .")] == [2]
    assert findings("Ele viu a [ xyzação ] .") == []


def test_counts_tell_which_genders_are_in_use() -> None:
    """A lexicon that lists *crise* as masculine, too, is believed only where somebody has seen it so."""
    more = [Form("crise", "crise", "noun", "m", "sg", None)]
    text = "Ele viu o [ crise ] ."
    assert findings(text, AgreementChecker(PORTUGUESE, Lexicon(PORTUGUESE, more))) == []
    rare = Lexicon(PORTUGUESE, more, genders={("crise", "f"): 20, ("crise", "m"): 1})
    assert [row.index for row in findings(text, AgreementChecker(PORTUGUESE, rare))] == [2]
    both = Lexicon(PORTUGUESE, more, genders={("crise", "f"): 20, ("crise", "m"): 6})
    assert findings(text, AgreementChecker(PORTUGUESE, both)) == []


def test_counts_tell_a_noun_after_the_phrase_from_an_adjective() -> None:
    more = [Form("política", "política", "noun", "f", "sg", None)]
    text = "Ele viu o [ disco voador ] política da cidade ."
    noun = Lexicon(PORTUGUESE, more, tallies={"política": {"noun": 9, "adj": 1}})
    assert findings(text, AgreementChecker(PORTUGUESE, noun)) == []
    adjective = Lexicon(PORTUGUESE, more, tallies={"política": {"noun": 1, "adj": 9}})
    assert [row.index for row in findings(text, AgreementChecker(PORTUGUESE, adjective))] == [5]


def test_english_has_the_sound_of_the_next_word_only() -> None:
    english = read_language(packs_folder() / "en" / "pack.toml")
    opinion = AgreementChecker(english, Lexicon(english))
    assert findings("This is an [ old box ] .", opinion) == []
    assert findings("This is a [ union card ] .", opinion) == []
    for text in ("This is a [ old box ] .", "This is an [ union card ] ."):
        (found,) = findings(text, opinion)
        assert (found.code, found.index) == ("A101", 2)
    (inside,) = findings("These are [ boxes of an union ] .", opinion)
    assert inside.message == "'an' before 'union'; write 'a'"
    assert findings("These [ old boxes ] is an union .", opinion) == []


CLOSED = [
    row
    for row in PORTUGUESE.paradigms
    if row.kind in ("article", "contraction", "demonstrative", "possessive", "numeral")
]
SURE = [(form, gender) for form in forms() for gender in ("m", "f") if form.pos == "noun" and form.gender == gender]


@given(st.sampled_from(SURE), st.sampled_from(CLOSED), st.data())
def test_a_determiner_is_found_exactly_when_its_cell_is_not_the_nouns(
    noun: tuple[Form, Gender], paradigm: Paradigm, data: st.DataObject
) -> None:
    form, gender = noun
    word = data.draw(st.sampled_from(sorted(paradigm.words)))
    standing = (cell for row in PORTUGUESE.paradigms for cell in row.cells if word in cell.forms)
    cells = {one for cell in standing for one in PORTUGUESE.cells(cell)}
    found = OPINION.findings(["Vi", word, form.form, "."], 2, 3)
    expected = [] if (gender, form.number) in cells else [("A102", 1)]
    assert [(row.code, row.index) for row in found] == expected


WORDS = st.sampled_from(
    sorted(
        {form.form for form in forms()}
        | {word for row in (*PORTUGUESE.paradigms, *PORTUGUESE.pronouns) for word in row.words}
        | {word for words in PORTUGUESE.words.values() for word in words}
        | {"Lisboa", "xpto", "-", "123", "pré-história", "---"}
    )
)


@given(st.lists(WORDS, min_size=1, max_size=12), st.data())
@example(["-"], None)
def test_any_row_of_words_is_answered_in_order_and_with_known_codes(
    tokens: list[str], data: st.DataObject | None
) -> None:
    start = data.draw(st.integers(0, len(tokens) - 1)) if data else 0
    end = data.draw(st.integers(start + 1, len(tokens))) if data else 1
    found = OPINION.findings(tokens, start, end)
    assert [row.index for row in found] == sorted(row.index for row in found)
    assert all(0 <= row.index < len(tokens) and row.code in CODES for row in found)
    assert all("; write " in row.message or "; make it agree" in row.message for row in found)
    assert OPINION.findings(tokens, start, end) == found


@given(st.lists(WORDS, min_size=2, max_size=10), st.data())
def test_a_phrase_of_unknown_words_is_never_judged(tokens: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(tokens) - 1))
    assert OPINION.findings([*tokens[:start], "xqz", *tokens[start:]], start, start + 1) == []


def test_the_lexicon_of_these_tests_is_large_enough_to_say_something() -> None:
    numbers: set[Number | None] = {form.number for form in forms()}
    assert numbers == {"sg", "pl", None}
    assert len(SURE) > 60
    assert set(NOUNS) == {"m", "f", None}
