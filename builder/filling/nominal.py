"""Gender and number of a noun phrase that is only given as text.

Every way to read its words (noun and adjective, adjective and noun, two nouns of which the first decides)
votes for the features it allows, weighted by how often the readings were counted. What stands beside the
phrase (its determiner), or a known answer, is evidence as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ncimp.builder.filling.reader import Features, Reader
from ncimp.builder.filling.scene import PhraseKind
from ncimp.builder.records import Form, Gender, Number

CELLS: tuple[tuple[Gender, Number], ...] = (("m", "sg"), ("f", "sg"), ("m", "pl"), ("f", "pl"))

PRIOR = 0.3
"""What a reading that is listed and never counted weighs, in occurrences."""

FIRST = 0.1
"""What the first reading weighs more, in occurrences: the most trusted comes first."""

FLOOR, SLIP = 1e-3, 1e-2
"""Likelihood of a cell that no reading has, for a noun (lexicons have gaps) and an adjective (writers slip as well)."""

NOUN_ADJECTIVE, ADJECTIVE_NOUN, APPOSED = 0.6, 0.3, 0.1
"""Prior likelihoods of the three ways to read two words."""

UNDETERMINED = 1e-4
"""What the determiner beside a phrase leaves of the likelihood of other cells than its own."""

KEEP, KEEP_COMMON = 0.5, 0.02
"""Least likelihood, relative to the best cell, at which known features are kept; of a noun that names men and women."""

CLEAR = 0.6
"""Least share of a part of speech among the uses of a word that alone decides what a phrase is."""

FOLLOWS = 0.9
"""Share of nouns in apposition that have the number of the first noun."""

Likelihoods = dict[tuple[Gender, Number], float]
EVEN: Likelihoods = dict.fromkeys(CELLS, 1 / len(CELLS))


class Nominals:
    """The features of noun phrases of one language."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def features(self, phrase: str, known: Features | None = None) -> Features:
        """Return the most likely features of *phrase*; *known* ones are kept where it can have them too.

        A phrase of a language without gender has none; its number is then that of *known*, or singular.
        """
        if "gender" not in self._reader.language.features:
            return known or Features(None, "sg")
        likely = self.likelihoods(phrase)
        best = max(CELLS, key=lambda cell: likely[cell])
        keep = KEEP_COMMON if self._is_common(phrase) else KEEP
        if known is None:
            return Features(*best)
        gender, number = known.cell
        kept: tuple[tuple[Gender, Number], ...] = (known.cell, (gender, best[1]), (best[0], number))
        return Features(*next((cell for cell in kept if likely[cell] >= keep * likely[best]), best))

    def kind(self, phrase: str) -> PhraseKind:
        """Return what *phrase* is: a noun phrase, unless its words say clearly that it is another."""
        words = phrase.lower().split()
        if len(words) > 1 and self._is_linking(words[0]):
            return "prepositional"
        if len(words) > 1 or "-" in phrase:
            return "noun"
        if not self._reader.readings(words[0]):
            return "verb" if self._reader.is_regular_verb(words[0]) else "noun"
        if self._reader.likelihood(words[0], "adj") >= CLEAR and self._serves_all(words[0]):
            return "adjective"
        return "verb" if self._reader.likelihood(words[0], "verb") >= CLEAR else "noun"

    def adjective(self, word: str, known: Features) -> Features | None:
        """Return the features of a single adjective, the *known* ones where it can have them, or None for a noun."""
        cells = (known.cell, *((gender, known.number) for gender, _ in CELLS), *CELLS)
        return next(
            (Features(*cell) for cell in cells if self._reader.is_adjective(word.lower(), Features(*cell))), None
        )

    def _is_common(self, phrase: str) -> bool:
        endings = tuple(self._reader.kind("common gender ending"))
        common = self._reader.kind("common gender")
        nouns = [word for word in self._core(phrase) if self._reader.likelihood(word, "noun") > 0.5]
        return any(word in common or (endings and word.endswith(endings) and self._has_both(word)) for word in nouns)

    def _serves_all(self, word: str) -> bool:
        """Tell whether the adjective *word* serves both genders; one that does not may name somebody (*um azarado*)."""
        return all(form.gender is None for form in self._reader.readings(word) if form.pos == "adj")

    def _has_both(self, word: str) -> bool:
        genders = {form.gender for form in self._reader.readings(word) if form.pos == "noun"}
        return None in genders or {"m", "f"} <= genders

    def observed(self, phrase: str, before: str) -> Features:
        """Return the features of *phrase* where the word *before* it may be its determiner."""
        if "gender" not in self._reader.language.features:
            return Features(None, "sg")
        likely = self.likelihoods(phrase)
        cells = self._reader.cells(before)
        if cells and before not in self._reader.kind("preposition"):
            likely = {cell: value * (1 if cell in cells else UNDETERMINED) for cell, value in likely.items()}
        return Features(*max(CELLS, key=lambda cell: likely[cell]))

    def likelihoods(self, phrase: str) -> Likelihoods:
        """Return how likely each gender and number of *phrase* is; they sum to 1."""
        whole = bool(self._reader.readings(phrase))
        words = [self._votes(word) for word in ([phrase.lower()] if whole else self._core(phrase))]
        found = {cell: _joint(words, cell) for cell in CELLS}
        total = sum(found.values())
        return {cell: value / total for cell, value in found.items()}

    def _core(self, phrase: str) -> list[str]:
        """Return the one or two words that decide: none after a preposition, no prefix written apart."""
        words = re.split(r"[\s-]+", phrase.lower().strip(" -"))
        while len(words) > 1 and words[0] in self._reader.kind("prefix"):
            words = words[1:]
        ends = [i for i, word in enumerate(words) if i and self._is_linking(word)]
        return words[: min([2, *ends])]

    def _is_linking(self, word: str) -> bool:
        return word in self._reader.kind("preposition") or any(
            paradigm.kind == "contraction" for paradigm in self._reader.paradigms(word)
        )

    def _votes(self, word: str) -> _Votes:
        readings = [form for form in self._reader.readings(word) if form.pos in ("noun", "adj", "det")]
        readings = [form for form in readings if form.lemma[:1].islower()] or readings  # a name, only if all else fails
        if not readings:
            return self._unknown(word)
        weights = [self._weight(form) + FIRST / (place + 1) for place, form in enumerate(readings)]
        nouns = [(form, weight) for form, weight in zip(readings, weights, strict=True) if form.pos == "noun"]
        adjectives = [form for form in readings if form.pos != "noun"]
        total = sum(weight for _, weight in nouns)
        invariable = {form.lemma for form, _ in nouns if form.number is None}
        noun: Likelihoods = dict.fromkeys(CELLS, 0.0)
        for form, weight in nouns:
            known = replace(form, gender=None) if word in self._reader.kind("common gender") else form
            held = [cell for cell in CELLS if _fits(known, cell, any_number=form.lemma in invariable)]
            for cell in held:
                noun[cell] += weight / total / len(held)
        adjective = {cell: float(any(_fits(form, cell) for form in adjectives)) for cell in CELLS}
        return _Votes(noun, adjective, 1 - total / sum(weights))

    def _weight(self, form: Form) -> float:
        """Return what *form* weighs; a noun of open gender weighs no more than that it is listed."""
        open_gender = form.pos == "noun" and form.gender is None
        return PRIOR + (0 if open_gender else self._reader.analyser.count(form))

    def _unknown(self, word: str) -> _Votes:
        for ending, gender, number, sure in self._reader.language.endings:
            if word.endswith(ending):
                other: Gender = "f" if gender == "m" else "m"
                cells: Likelihoods = {(gender, number): sure, (other, number): 1 - sure}
                return _Votes(cells, cells, 0.5)
        return _Votes(EVEN, EVEN, 0.5)


@dataclass(frozen=True, slots=True)
class _Votes:
    """What one word says: how likely each cell is for it as a noun and as an adjective, and how likely it is one."""

    noun: Likelihoods
    adjective: Likelihoods
    share: float


def _joint(words: Sequence[_Votes], cell: tuple[Gender, Number]) -> float:
    """Return the likelihood of *cell* summed over the ways to read the words: noun + adjective, and so on."""
    first = words[0]
    noun = (1 - first.share) * (first.noun.get(cell, 0.0) + FLOOR)
    adjective = first.share * (first.adjective.get(cell, 0.0) + SLIP)
    if len(words) == 1:
        return noun + adjective
    second = words[1]
    second_noun = (1 - second.share) * (second.noun.get(cell, 0.0) + FLOOR)
    second_adjective = second.share * (second.adjective.get(cell, 0.0) + SLIP)
    alike = any(second.noun.get((gender, cell[1])) for gender, _ in CELLS)  # a noun in apposition follows the number
    apposed = noun * (1 - second.share + FLOOR) / len(CELLS) * (FOLLOWS if alike else 1 - FOLLOWS)
    return NOUN_ADJECTIVE * noun * second_adjective + ADJECTIVE_NOUN * adjective * second_noun + APPOSED * apposed


def _fits(form: Form, cell: tuple[Gender, Number], *, any_number: bool = False) -> bool:
    return form.gender in (None, cell[0]) and (any_number or form.number in (None, cell[1]))
