"""What a language pack and a morphology say of single words, as the rules of agreement ask for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ncimp.builder.ports import Analyser
from ncimp.builder.records import Form, Gender, Language, Number, Paradigm

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Features:
    """What agreement copies: gender (None where the language has none) and number."""

    gender: Gender | None
    number: Number

    @property
    def cell(self) -> tuple[Gender, Number]:
        """The cell of a paradigm; a word without gender stands in the masculine."""
        return self.gender or "m", self.number


class Reader:
    """Questions about single lower-cased words of one language."""

    def __init__(self, language: Language, analyser: Analyser) -> None:
        self.language, self.analyser = language, analyser
        self._paradigms: defaultdict[str, list[Paradigm]] = defaultdict(list)
        for paradigm in language.paradigms:
            for cell in dict.fromkeys(paradigm.cells.values()):
                self._paradigms[cell].append(paradigm)
        self._kinds = {kind: frozenset(words) for kind, words in language.words.items()}
        self._adverbs = tuple(language.words.get("adverb ending", ()))
        self._nonfinite = tuple(language.words.get("nonfinite ending", ()))
        self._plural = dict(language.verb_forms)
        self._singular = {plural: singular for singular, plural in language.verb_forms}
        self.likelihood = cache(self._likelihood)
        self.is_finite = cache(self._is_finite)

    def readings(self, word: str) -> Sequence[Form]:
        """Return the readings of *word* that something lists; what is only guessed says nothing here."""
        return self.analyser.readings(word) if self.analyser.knows(word) else ()

    def kind(self, name: str) -> frozenset[str]:
        """Return the words that the pack lists as *name*."""
        return self._kinds.get(name, NONE)

    def is_kind(self, word: str, *names: str) -> bool:
        """Tell whether *word* is one of the pack's words of the kinds *names*, or an adverb by its ending."""
        if any(word in self.kind(name) for name in names):
            return True
        return "adverb" in names and bool(self._adverbs) and word.endswith(self._adverbs)

    def determiner(self, word: str, features: Features) -> Paradigm | None:
        """Return the paradigm in which *word* stands in the cell of *features*."""
        return next((p for p in self._paradigms.get(word, ()) if p.cells.get(features.cell) == word), None)

    def pronoun(self, word: str, features: Features) -> Paradigm | None:
        """Return the paradigm of pronouns in which *word* stands in the cell of *features*."""
        return next((p for p in self.language.pronouns if p.cells.get(features.cell) == word), None)

    def any_paradigm(self, word: str) -> Paradigm | None:
        """Return the first paradigm of determiners or pronouns in which *word* stands."""
        found = [*self.paradigms(word), *(p for p in self.language.pronouns if word in p.cells.values())]
        return found[0] if found else None

    def paradigms(self, word: str) -> Sequence[Paradigm]:
        """Return the paradigms of the pack in which *word* stands, in whatever cell."""
        return self._paradigms.get(word, ())

    def cells(self, word: str) -> set[tuple[Gender, Number]]:
        """Return the genders and numbers of the determiner *word*."""
        return {cell for p in self.paradigms(word) for cell, form in p.cells.items() if form == word}

    def is_adjective(self, word: str, features: Features) -> bool:
        """Tell whether an adjective or participle *word* fits *features*."""
        return any(reading.pos == "adj" and fits(reading, features) for reading in self.readings(word))

    def is_invariable(self, word: str) -> bool:
        """Tell whether *word* may stand in a noun phrase and shows neither gender nor number of it."""
        listed = any(word in words for words in self._kinds.values()) or bool(self.paradigms(word))
        readings = self.readings(word)
        return not listed and any(form.pos in ("num", "det") and form.gender is None for form in readings)

    def is_numeral(self, word: str, features: Features) -> bool:
        """Tell whether *word* is a numeral that agrees in gender and fits *features*: *duzentas*."""
        numerals = [reading for reading in self.readings(word) if reading.pos == "num" and reading.gender]
        return any(fits(reading, features) for reading in numerals)

    def _likelihood(self, word: str, pos: str) -> float:
        """Return how likely *word* is a *pos*: its share of the counts, smoothed over those it is listed with."""
        readings = self.readings(word)
        listed = {reading.pos for reading in readings}
        counts = {known: float(times) for known, times in self.analyser.tally(word).items()}
        if pos == "adj" and all(reading.number is None for reading in readings if reading.pos == "verb"):
            counts.pop("verb", None)  # no finite verb: a participle whose features a treebank leaves out
            listed.discard("verb")
        for known in listed:
            counts[known] = counts.get(known, 0.0) + UNSEEN / len(listed)
        return counts[pos] / sum(counts.values()) if pos in counts else 0.0

    def inflected(self, word: str, features: Features) -> str | None:
        """Return the adjective or participle *word* with *features*, or None when that form is not known."""
        return self.analyser.counterpart(word, "adj", gender=features.gender, number=features.number)

    def _is_finite(self, word: str, number: Number) -> bool:
        """Tell whether *word* is most likely a finite verb of the third person, in *number*."""
        if word in (self._plural if number == "sg" else self._singular):
            return True
        if self.paradigms(word) or self.is_kind(word, *NEVER_VERBS):
            return False
        readings = self.readings(word)
        if readings and self.likelihood(word, "verb") < LIKELY_VERB:
            return False
        if any(reading.pos == "verb" and reading.number is not None for reading in readings):
            return any(reading.pos == "verb" and reading.number == number for reading in readings)
        ends = tuple(pair[0 if number == "sg" else 1] for pair in self.language.verb_endings)
        return word.endswith(ends) and not word.endswith(self._nonfinite)

    def is_infinitive(self, word: str) -> bool:
        """Tell whether *word* ends as an infinitive does, a personal one included (*ser*, *serem*)."""
        stems = [word, *(word.removesuffix(ending) for ending in sorted(self.kind("personal infinitive")))]
        return any(stem.endswith(self._nonfinite) for stem in stems)

    def is_regular_verb(self, word: str) -> bool:
        """Tell whether the ending of the unknown *word* is one that hardly a noun has: two letters or more."""
        return word.endswith(tuple(ending for pair in self.language.verb_endings for ending in pair if len(ending) > 1))

    def verb(self, word: str, number: Number) -> str | None:
        """Return the verb form *word* in *number*, its tense and person kept, or None when it is not known."""
        irregular = self._plural if number == "pl" else self._singular
        if word in irregular:
            return irregular[word]
        known = self.analyser.counterpart(word, "verb", gender=None, number=number)
        if known is not None:
            return known
        for singular, plural in self.language.verb_endings:
            old, new = (singular, plural) if number == "pl" else (plural, singular)
            if word.endswith(old):
                return word.removesuffix(old) + new
        return None


NEVER_VERBS = ("preposition", "coordinator", "subordinator", "relative", "adverb", "clitic", "comma", "stop", "quote")
"""Kinds of words that are no verbs, whatever they end in."""

UNSEEN = 2.0
"""Occurrences that the parts of speech of a word share before any is counted: a few counts prove little."""

LIKELY_VERB = 0.5
"""Least share of finite verbs among the uses of a word that is taken for one."""


def fits(form: Form, features: Features) -> bool:
    """Tell whether *form* can have *features*; a form without a feature has every value of it."""
    return form.gender in (None, features.gender) and form.number in (None, features.number)
