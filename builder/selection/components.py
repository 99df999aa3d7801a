"""Synonyms of a component that stands in no pack: of any word, in its place and in its form.

A head is taken for a noun, a modifier for an adjective if any lexicon has it as one; words of other parts of
speech come after. Left out: phrases, names (unless the component is one),
kin and forms of the component, words of the compound, and words that the morphology knows as something else.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from ncimp.builder.ports import FrequencyTable, Morphology, SynonymSource
from ncimp.builder.records import WORDS_SYN, Candidate, Form, Gender, LanguagePack, Number
from ncimp.builder.selection.synonyms import (
    SEVERAL_WORDS,
    chosen_words,
    independent_pairs,
    named_sense,
    overrides_of,
    put_first,
)
from ncimp.builder.selection.votes import Question, Ranked, reach
from ncimp.builder.selection.words import are_kin, forms_of, own_words

Role = Literal["head", "mod"]

READINGS: dict[Role, tuple[str, ...]] = {"head": ("noun", "adj", "verb"), "mod": ("adj", "noun", "verb")}
"""Parts of speech by role, the usual one first: a modifier that may be an adjective is one."""

PARTS: dict[Role, str] = {"head": "head", "mod": "modifier"}
"""What a pack calls the parts."""

LIMIT = 30
"""Candidates of a component, if nobody says how many."""

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


@dataclass(frozen=True, slots=True)
class _Own:
    """The component as it is looked up, and all words that are its own, its forms and its neighbour's included."""

    lemmas: frozenset[str]
    words: frozenset[str]


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

    def __init__(
        self,
        sources: Sequence[SynonymSource],
        *,
        frequencies: FrequencyTable,
        morphology: Morphology,
        pack: LanguagePack | None = None,
    ) -> None:
        """Ask *sources*; with *pack*, its overrides win, and words of its true synonyms are left out."""
        self._sources = [LenientSource(source) for source in sources]
        self._frequencies = frequencies
        self._morphology = morphology
        self._pack = pack

    def find(self, component: Component, limit: int = LIMIT) -> list[Found]:
        """Return up to *limit* usable synonyms of *component*, best first, each form once."""
        overrides = overrides_of(component.compound, PARTS[component.role], self._pack) if self._pack else []
        readings = {pos: self._lemmas(component.word, pos) for pos in READINGS[component.role]}
        question = Question(readings, named_sense(overrides))
        own = self._own(component, question)
        ranked = reach(
            question,
            self._sources,
            frequencies=self._frequencies,
            keep=lambda candidate: self._usable(candidate, component, own),
            enough=ENOUGH,
        )
        pos = READINGS[component.role][0]
        chosen = chosen_words(overrides, pos, self._pack, self._frequencies) if self._pack else []
        return self._in_form(put_first(chosen, ranked), component, limit)

    def _in_form(self, rows: Iterable[Ranked], component: Component, limit: int) -> list[Found]:
        found: dict[str, Found] = {}
        for row in rows:
            if len(found) == limit:
                break
            form = self._form(row.best, component)
            found.setdefault(form, Found(form, row))
        return list(found.values())

    def _own(self, component: Component, question: Question) -> _Own:
        """Return what no candidate may be, or be kin of."""
        looked_up = [(lemma, pos) for pos, lemmas in question.readings.items() for lemma in lemmas]
        forms = {form for lemma, pos in looked_up for form in forms_of(lemma, pos, self._morphology)}
        others = {lemma for other in component.others for lemma in (other, *self._lemmas(other, "noun"))}
        own = {component.word, *(lemma for lemma, _ in looked_up)}
        words = own | forms | others | self._words_of_synonyms(component.compound)
        return _Own(frozenset(own), frozenset(word.lower() for word in words))

    def _words_of_synonyms(self, compound: str) -> frozenset[str]:
        known = [row for row in self._pack.compounds if row.text == compound] if self._pack else []
        synonyms = [row for row in self._pack.synonyms if row.compound == compound] if self._pack else []
        return own_words(known[0], synonyms) if known else frozenset()

    def _lemmas(self, word: str, pos: str) -> tuple[str, ...]:
        lemmas = [reading.lemma for reading in self._readings(word, pos)]
        if not lemmas or word.lower() in [lemma.lower() for lemma in lemmas]:  # *China* is not all that *china* may be
            lemmas.append(word)
        return tuple(dict.fromkeys(lemmas))

    def _readings(self, word: str, pos: str) -> list[Form]:
        return [reading for reading in self._morphology.readings(word) if reading.pos == pos]

    def _usable(self, candidate: Candidate, component: Component, own: _Own) -> bool:
        word = candidate.lemma
        if SEVERAL_WORDS.search(word) or word.lower() in own.words:
            return False
        if word != word.lower() and component.word == component.word.lower():
            return False
        return not any(are_kin(word, lemma) for lemma in own.lemmas) and self._may_be(word, candidate.pos)

    def _may_be(self, word: str, pos: str) -> bool:
        """Tell whether *word* may be a lemma of this part of speech, as far as the morphology knows."""
        known = self._morphology.readings(word)
        return not known or any(reading.pos == pos and reading.lemma == word for reading in known)

    def _form(self, candidate: Candidate, component: Component) -> str:
        """Return *candidate* in the number of the component, and an adjective in its gender or the head's."""
        lemma, pos = candidate.lemma, candidate.pos
        number, gender = self._features(component, pos)
        if pos == "verb" or (number == "sg" and gender is None):
            return lemma
        if pos == "adj" and gender is None:  # nobody knows the gender: that of the lemma
            gender = next((reading.gender for reading in self._readings(lemma, pos) if reading.form == lemma), None)
        return self._morphology.inflect(lemma, pos, gender=gender, number=number) or lemma

    def _features(self, component: Component, pos: str) -> tuple[Number, Gender | None]:
        readings = self._readings(component.word, pos) or list(self._morphology.readings(component.word))
        plural = {reading.number for reading in readings} == {"pl"}  # *ônibus* may be one
        number: Number = "pl" if plural else "sg"
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
