"""Forms that the next sound asks for, in a small French and a small Italian: what a sentence must become, and back."""

from __future__ import annotations

import pytest

from ncimp.builder.filling.fill import Substitution
from ncimp.builder.filling.scene import NewPhrase
from ncimp.builder.records import MarkedSentence
from ncimp.builder.sources.packs.marks import read_marked
from ncimp.schemas.errors import Place
from tests.filling.sound_world import world

# sentence, what stands in the place of its compound, old and new features, what it must become
FRENCH = """
C'est l'[avion]. | train | m sg | m sg | C'est le [train].
C'est le [train]. | héros | m sg | m sg | C'est le [héros].
C'est l'[avion]. | yaourt | m sg | m sg | C'est le [yaourt].
C'est l'[avion]. | voiture | m sg | f sg | C'est la [voiture].
C'est l'[avion]. | équipe | m sg | f sg | C'est l'[équipe].
Je vois les [avions]. | gares | m pl | f pl | Je vois les [gares].
Le bruit du [camion] cesse. | avion | m sg | m sg | Le bruit de l'[avion] cesse.
Le bruit de la [voiture] cesse. | camion | f sg | m sg | Le bruit du [camion] cesse.
Le bruit de l'[avion] cesse. | voiture | m sg | f sg | Le bruit de la [voiture] cesse.
Je vais à la [gare]. | hôpital | f sg | m sg | Je vais à l'[hôpital].
C'est ma [voiture]. | amie | f sg | f sg | C'est mon [amie].
C'est mon [camion]. | voiture | m sg | f sg | C'est ma [voiture].
C'est cet [avion]. | train | m sg | m sg | C'est ce [train].
C'est cet [avion]. | amie | m sg | f sg | C'est cette [amie].
C'est le vieil [ami]. | copain | m sg | m sg | C'est le vieux [copain].
C'est le bel [avion]. | voiture | m sg | f sg | C'est la belle [voiture].
C'est le très vieux [copain]. | ami | m sg | m sg | C'est le très vieil [ami].
C'est un bel et grand [avion]. | gare | m sg | f sg | C'est une belle et grande [gare].
C'est le [train] vieux et neuf. | équipe | m sg | f sg | C'est l'[équipe] vieille et neuve.
C'est sa propre [amie]. | ami | f sg | m sg | C'est son propre [ami].
C'est l'ancienne [gare]. | train | f sg | m sg | C'est l'ancien [train].
C'est l'une des [gares]. | trains | f pl | m pl | C'est l'un des [trains].
Tout le [train] part. | équipe | m sg | f sg | Toute l'[équipe] part.
Un voyage d'[avion] finit. | train | m sg | m sg | Un voyage de [train] finit.
Beaucoup de [trains] partent. | avions | m pl | m pl | Beaucoup d'[avions] partent.
Le [train] de l'ami est {vieux}. | équipe | m sg | f sg | L'[équipe] de l'ami est {vieille}.
L'[avion] part. | train | m sg | m sg | Le [train] part.
Du [train] part un cri. | avion | m sg | m sg | De l'[avion] part un cri.
DE L'[AVION] PART UN CRI. | TRAIN | m sg | m sg | DU [TRAIN] PART UN CRI.
L’ami de l’[avion] part. | train | m sg | m sg | L’ami du [train] part.
L’[avion] d’un ami part. | hôpital | m sg | m sg | L’[hôpital] d’un ami part.
C'est « l'[avion] ». | train | m sg | m sg | C'est « le [train] ».
C'est l'« [avion] ». | train | m sg | m sg | C'est le « [train] ».
C'est le “[train]”. | avion | m sg | m sg | C'est l'“[avion]”.
Un voyage {=de} [train] finit. | avion | m sg | m sg | Un voyage {=de} [avion] finit.
"""

ITALIAN = """
È il [treno]. | aereo | m sg | m sg | È l'[aereo].
È lo [zaino]. | treno | m sg | m sg | È il [treno].
È l'[aereo]. | macchina | m sg | f sg | È la [macchina].
Sono i [treni]. | aerei | m pl | m pl | Sono gli [aerei].
Sono gli [zaini]. | macchine | m pl | f pl | Sono le [macchine].
Il posto del [treno]. | studente | m sg | m sg | Il posto dello [studente].
Il posto dell'[aereo]. | macchina | m sg | f sg | Il posto della [macchina].
Il posto dei [treni]. | studenti | m pl | m pl | Il posto degli [studenti].
È un'[amica]. | studente | f sg | m sg | È uno [studente].
È quel [treno]. | amica | m sg | f sg | È quell'[amica].
È lo stesso [treno]. | macchina | m sg | f sg | È la stessa [macchina].
È il vecchio [zaino]. | amica | m sg | f sg | È la vecchia [amica].
Nello [zaino] c'è posto. | amica | m sg | f sg | Nell'[amica] c'è posto.
"""


def rows(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


def marked(sentence: str) -> MarkedSentence:
    return read_marked(sentence, Place("test"))


CASES = [(lang, *row) for lang, table in (("fr", FRENCH), ("it", ITALIAN)) for row in rows(table)]


@pytest.mark.parametrize(("lang", "sentence", "surface", "old", "new", "expected"), CASES)
def test_words_take_the_form_for_the_next_sound(
    lang: str, sentence: str, surface: str, old: str, new: str, expected: str
) -> None:
    made = world(lang).fill(marked(sentence), surface, old, new)
    assert made.sentence == marked(expected)
    assert made.uncertain == ()


@pytest.mark.parametrize(("lang", "sentence", "old", "new", "expected"), [(*row[:2], *row[3:]) for row in CASES])
def test_the_compound_in_its_place_again_restores_the_sentence(
    lang: str, sentence: str, old: str, new: str, expected: str
) -> None:
    before = marked(sentence)
    compound = before.text[slice(*before.span)]
    assert world(lang).fill(marked(expected), compound, new, old).sentence == before


@pytest.mark.parametrize(
    ("sentence", "surface", "expected"),
    [
        ("C'est l'[éclair de génie].", "génie", "C'est le [génie]."),
        ("C'est le vieux [camion d'école].", "école", "C'est le vieil [école]."),
        ("Il part du [train].", "avion", "Il part de l'[avion]."),
        ("C'est mon [train].", "gare", "C'est mon [gare]."),
    ],
)
def test_a_component_alone_changes_the_sound_and_never_the_gender(sentence: str, surface: str, expected: str) -> None:
    assert world("fr").fill(marked(sentence), surface, "m sg", None).sentence == marked(expected)


@pytest.mark.parametrize(
    ("sentence", "surface", "parts", "expected"),
    [
        ("Je vois {de} [grands trains].", "avions", ("adj", "noun"), "Je vois {des} [avions]."),
        ("Le prix de [grands trains].", "avions", ("adj", "noun"), "Le prix d'[avions]."),
        ("Je vois de [grands trains].", "anciens trains", ("adj", "adj"), "Je vois d'[anciens trains]."),
        ("Je vois de vieux [trains].", "avions", ("noun", "noun"), "Je vois de vieux [avions]."),
    ],
)
def test_an_article_may_ask_whether_an_adjective_is_next(
    sentence: str, surface: str, parts: tuple[str, str], expected: str
) -> None:
    made = world("fr").fill(marked(sentence), surface, "m pl", "m pl", NewPhrase(begins=parts))
    assert made.sentence == marked(expected)


def test_a_form_that_the_pack_does_not_have_is_a_doubt() -> None:
    made = world("it").fill(marked("È un [amico]."), "studenti", "m sg", "m pl")
    assert (made.sentence.text, made.uncertain) == ("È un studenti.", ("uno",))


def test_a_change_of_sound_is_recorded_with_the_space_behind_it() -> None:
    made = world("fr").fill(marked("Le bruit du [train]."), "avion", "m sg", "m sg")
    (edit,) = made.edits
    assert (edit.start, edit.before, edit.after, edit.rule) == (9, "du ", "de l'", "de + le")


def test_a_mark_says_which_of_two_paradigms_a_word_is_of() -> None:
    sentence = marked("Le car {des:de + definite article} [anciens trains] part.")
    made = world("fr").fill(sentence, "avions", "m pl", "m pl", NewPhrase(begins=("adj", "noun")))
    assert made.sentence.text == "Le car des avions part."


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Selon eux, l'avion du chef est là.", "l'avion", "Selon eux, le train du chef est là."),
        ("C'est l'avion.", "l'avion.", "C'est le train."),
        ("C'est l'avion , dit-il.", "l'avion ,", "C'est le train , dit-il."),
    ],
)
def test_a_span_counted_at_white_space_loses_neither_article_nor_mark(text: str, words: str, expected: str) -> None:
    small, start = world("fr"), text.index(words)
    substitution = Substitution(small.language, small.morphology)
    made = substitution.put(MarkedSentence(text, (start, start + len(words))), "train")
    assert made.sentence.text == expected
