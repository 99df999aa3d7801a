"""Synonyms of a component that stands in no pack: of any word, in its place and in its form.

The part of speech is a noun's for a head; a modifier is taken for an adjective unless it was counted as a
noun more often. Words of other parts of speech come last. Left out: phrases, names (unless the component is one),
kin and forms of the component, words of the compound, and words that the morphology knows as something else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from ncimp.builder.ports import Analyser, FrequencyTable, SynonymSource
from ncimp.builder.records import WORDS_SYN, Candidate, Form, Gender, Number
from ncimp.builder.selection.synonyms import SEVERAL_WORDS, independent_pairs
from ncimp.builder.selection.votes import Question, Ranked, reach
from ncimp.builder.selection.words import are_kin, is_form

Role = Literal["head", "mod"]

ENOUGH = 2 * len(WORDS_SYN)
"""Candidates to look for: five pairs use five, and some are kin of each other or offered for both components."""


@dataclass(frozen=True, slots=True)
class Component:
    """One word of a compound, as it stands there."""

    compound: str
    role: Role
    word: str

    @property
    def others(self) -> tuple[str, ...]:
        """The other words of the compound."""
        words = SEVERAL_WORDS.split(self.compound)
        return tuple(word for word in words if word.lower() != self.word.lower())


@dataclass(frozen=True, slots=True)
class Found:
    """A synonym in the form that the place of the component asks for, and what speaks for it."""

    form: str
    row: Ranked


class LenientSource:
    """A source that is asked for another spelling of a word that it does not hold, and remembers its answers."""

    def __init__(self, source: SynonymSource) -> None:
        self._source = source
        self._find = lru_cache(4096)(self._found)

    @property
    def name(self) -> str:
        """Return the name of the source."""
        return self._source.name

    def candidates(self, lemma: str, pos: str) -> Sequence[Candidate]:
        """Return what the source says of *lemma*, else of it with a capital letter, else without diacritics."""
        return self._find(lemma, pos)

    def words(self, pos: str) -> Sequence[str]:
        """Return the words of the source."""
        return self._source.words(pos)

    def _found(self, lemma: str, pos: str) -> Sequence[Candidate]:
        spellings = dict.fromkeys((lemma, lemma.capitalize(), _bare(lemma)))
        return next(filter(None, (self._source.candidates(spelling, pos) for spelling in spellings)), ())


def _bare(word: str) -> str:
    """Return *word* without diacritics: *vôo* was written before a reform, *voo* after it."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


class Finder:
    """Synonyms of the components of one language."""

    def __init__(self, sources: Sequence[SynonymSource], *, frequencies: FrequencyTable, morphology: Analyser) -> None:
        self._sources = [LenientSource(source) for source in sources]
        self._frequencies = frequencies
        self._morphology = morphology

    def find(self, component: Component) -> list[Found]:
        """Return the usable synonyms of *component*, best first, each form once."""
        question = Question({pos: self._lemmas(component.word, pos) for pos in self._parts(component)})
        rows = reach(
            question,
            self._sources,
            frequencies=self._frequencies,
            keep=lambda candidate: self._usable(candidate, component, question),
            enough=ENOUGH,
        )
        found: dict[str, Found] = {}
        for row in rows:
            form = self._form(row.best, component)
            found.setdefault(form, Found(form, row))
        return list(found.values())

    def _parts(self, component: Component) -> tuple[str, ...]:
        if component.role == "head" or self._share(component.word, "noun") > self._share(component.word, "adj"):
            return "noun", "adj", "verb"
        return "adj", "noun", "verb"

    def _share(self, word: str, pos: str) -> float:
        return self._morphology.share(word, pos) or 0.0

    def _lemmas(self, word: str, pos: str) -> tuple[str, ...]:
        lemmas = (reading.lemma for reading in self._readings(word, pos))
        return tuple(dict.fromkeys(lemmas)) or (word,)

    def _readings(self, word: str, pos: str) -> list[Form]:
        return [reading for reading in self._morphology.readings(word) if reading.pos == pos]

    def _usable(self, candidate: Candidate, component: Component, question: Question) -> bool:
        word, pos = candidate.lemma, candidate.pos
        lemmas = {component.word, *(lemma for of_pos in question.readings.values() for lemma in of_pos)}
        if SEVERAL_WORDS.search(word) or (word != word.lower() and component.word == component.word.lower()):
            return False
        if any(are_kin(word, lemma) or is_form(word, lemma, pos, self._morphology) for lemma in lemmas):
            return False
        return not self._of_compound(word, component) and self._may_be(word, pos)

    def _of_compound(self, word: str, component: Component) -> bool:
        own = {lemma for other in component.others for lemma in (other, *self._lemmas(other, "noun"))}
        return word in own or word.lower() in {other.lower() for other in own}

    def _may_be(self, word: str, pos: str) -> bool:
        """Tell whether *word* may be a lemma of this part of speech, as far as the morphology knows."""
        known = self._morphology.readings(word)
        return not known or any(reading.pos == pos and reading.lemma == word for reading in known)

    def _form(self, candidate: Candidate, component: Component) -> str:
        """Return *candidate* in the number of the component, and an adjective in its gender or the head's."""
        number, gender = self._features(component, candidate.pos)
        form = self._morphology.inflect(candidate.lemma, candidate.pos, gender=gender, number=number)
        return form or candidate.lemma

    def _features(self, component: Component, pos: str) -> tuple[Number, Gender | None]:
        readings = self._readings(component.word, pos) or list(self._morphology.readings(component.word))
        number: Number = next((reading.number for reading in readings if reading.number), "sg")
        if pos != "adj":
            return number, None
        own = next((reading.gender for reading in readings if reading.gender), None)
        heads = (reading.gender for other in component.others for reading in self._readings(other, "noun"))
        return number, own or next((gender for gender in heads if gender), None)


def pairs_of(modifiers: Sequence[Found], heads: Sequence[Found]) -> list[tuple[Found, Found]]:
    """Return up to five pairs of a modifier and a head, in rank order, that share no word and no kin."""
    by_lemma = {found.row.lemma: found for found in (*reversed(modifiers), *reversed(heads))}
    pairs = independent_pairs([found.row for found in modifiers], [found.row for found in heads])
    return [(by_lemma[one.lemma], by_lemma[other.lemma]) for one, other in islice(pairs, len(WORDS_SYN))]
