"""Gender of nouns, and feminines of masculines, for words that no table lists."""

from __future__ import annotations

from collections.abc import Sequence

from ncimp.builder.grammar.phrases import HYPHEN, PhraseForms
from ncimp.builder.records import Gender, Inflection
from ncimp.builder.sources.inflection.engines import Engine, fits
from ncimp.builder.sources.inflection.words import WordCheck


class Genders:
    """Gender by the words that a pack lists, the parts of hyphenated words, and the engines."""

    def __init__(
        self, inflection: Inflection, engines: Sequence[Engine], words: WordCheck, phrases: PhraseForms
    ) -> None:
        self._inflection = inflection
        self._feminines = inflection.feminine.words
        self._listed_males = {form: word for word, form in self._feminines.items()}
        self._masculines = {**self._listed_males, **inflection.masculine.words}
        self._engines = engines
        self._words = words
        self._phrases = phrases

    def of_noun(self, noun: str) -> Gender | None:
        """Return the gender of *noun* (singular): its head's if hyphenated, unless a verb or prefix begins it."""
        if noun in self._inflection.genders:
            return self._inflection.genders[noun]
        first = noun.split(HYPHEN)[0]
        if HYPHEN in noun.strip(HYPHEN) and first not in self._inflection.phrases.hyphen_first:
            return self.of_noun(self._phrases.head_of(noun, join=HYPHEN))
        return next((rule.gender for rule in self._inflection.gender if fits(rule, noun)), None)

    def of_adjective(self, single: str) -> list[tuple[str, Gender | None]]:
        """Return (lemma, gender) for the singular *single*; the gender is None where one form is for both."""
        if self._words.is_invariable(single, "adj"):
            return [(single, None)]
        masculines = self._all_masculines(single)
        if masculines:
            return [(lemma, None if lemma == single else "f") for lemma in masculines]
        return [(single, "m" if self._feminine(single, "adj") not in (None, single) else None)]

    def in_gender(self, word: str, pos: str, gender: Gender) -> str | None:
        """Return *word* in *gender*, an adjective from its masculine; a noun stays as it is where there is no other."""
        if pos == "adj":
            return self._feminine(word, pos) if gender == "f" else word
        if gender == "m":
            return self._listed_males.get(word, word)
        feminine = self._feminine(word, pos) if gender == "f" and self.of_noun(word) == "m" else None
        # the ending may be mistaken about the gender of a noun: whoever asks knows better, so it stays as it is
        return feminine if feminine is not None and self._words.is_real(feminine, word) else word

    def _feminine(self, word: str, pos: str) -> str | None:
        if word in self._feminines:
            return self._feminines[word]
        if HYPHEN in word:
            before, last = word.rsplit(HYPHEN, 1)
            form = self._feminine(last, pos)
            return None if form is None else f"{before}{HYPHEN}{form}"
        return next((form for engine in self._engines for form in engine.forms("feminine", word, pos)), None)

    def _all_masculines(self, word: str) -> list[str]:
        """Return the masculine adjectives whose feminine is *word*; *word* itself where it has one form."""
        if word in self._masculines:
            return [self._masculines[word]]
        if HYPHEN in word:
            before, last = word.rsplit(HYPHEN, 1)
            return [f"{before}{HYPHEN}{form}" for form in self._all_masculines(last)]
        offered = (form for engine in self._engines for form in engine.forms("masculine", word, "adj"))
        return [form for form in offered if self._feminine(form, "adj") == word and self._words.is_real(form, word)]
