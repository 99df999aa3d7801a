"""Two small languages in which words take a form for the next sound, and the way a sentence of theirs is filled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ncimp.builder.filling.fill import Substituted, Substitution
from ncimp.builder.filling.repair import NEAR, NOUN_PHRASE
from ncimp.builder.filling.scene import NewPhrase
from ncimp.builder.grammar import Features
from ncimp.builder.records import Form, Gender, Language, MarkedSentence, Number
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language, with_adjectives
from tests.filling.world import TESTS

NOUNS: dict[str, dict[Gender, str]] = {
    "fr": {
        "m": "avion train camion ami copain héros éclair génie hôpital",
        "f": "voiture amie copine école équipe gare",
    },
    "it": {"m": "treno aereo zaino studente amico", "f": "macchina amica studentessa"},
}
ADJECTIVES = {
    "fr": """
        grand grande grands grandes
        ancien ancienne anciens anciennes
        propre propre propres propres
        neuf neuve neufs neuves
    """,
    "it": """
        vecchio vecchia vecchi vecchie
        stesso stessa stessi stesse
    """,
}
GENDERS: dict[str, Gender] = {"m": "m", "f": "f"}
NUMBERS: dict[str, Number] = {"sg": "sg", "pl": "pl"}


@dataclass(frozen=True)
class World:
    """A language with its words."""

    language: Language
    morphology: PackMorphology

    def fill(
        self, sentence: MarkedSentence, surface: str, old: str, new: str | None, phrase: NewPhrase = NOUN_PHRASE
    ) -> Substituted:
        """Return *sentence* with *surface* in the place of its compound; *old* and *new* features are like `m sg`."""
        substitution = Substitution(self.language, self.morphology, NEAR)
        return substitution.replace(sentence, surface, _features(old), _features(new) if new else None, phrase)


def _features(words: str) -> Features:
    gender, number = words.split()
    return Features(GENDERS[gender], NUMBERS[number])


@cache
def world(code: str) -> World:
    """Return French (`fr`) or Italian (`it`)."""
    language = read_language(TESTS / "data" / "sound" / code / "pack.toml")
    forms = [Form("yaourt", "yaourt", "noun", "m", "sg", "consonant")]  # its spelling would say vowel
    for gender, nouns in NOUNS[code].items():
        forms += [Form(noun, noun, "noun", gender, "sg", None) for noun in nouns.split()]
    for line in ADJECTIVES[code].strip().splitlines():
        words = line.split()
        forms += [Form(word, words[0], "adj", *cell, None) for word, cell in zip(words, language.cells(), strict=True)]
    language, every = with_adjectives(language, tuple(forms))
    return World(language, PackMorphology(every, language))
