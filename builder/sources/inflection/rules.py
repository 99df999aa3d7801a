"""Forms of words that no table lists, out of the section `[inflection]` of a pack (a `Morphology`).

What is trusted, in this order: the words that the pack lists, the parts of a hyphenated word, and the engines of the
pack. Nothing is looked up in a table of forms, so this is the last layer behind lexicons: it has an answer
for nearly every word, and some answers are guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ncimp.builder.grammar.phrases import PhraseForms, match_case
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import Form, Gender, Language, Number, Onset
from ncimp.builder.sources.inflection.engines import ENGINES, fits
from ncimp.builder.sources.inflection.gender import Genders
from ncimp.builder.sources.inflection.number import Numbers
from ncimp.builder.sources.inflection.words import WordCheck
from ncimp.builder.sources.lexicons.pack_forms import PackMorphology

PARTS = ("noun", "adj")
"""What a word may be where no rule says."""


class RuleMorphology:
    """Forms by rule; *frequencies* decide where the rules leave several open."""

    def __init__(self, language: Language, frequencies: FrequencyTable | None = None) -> None:
        inflection = language.inflection
        engines = [ENGINES[name](inflection, frequencies) for name in inflection.engines]
        words = WordCheck(inflection, frequencies)
        phrases = PhraseForms(language, self)
        self._inflection = inflection
        self._words = words
        self._numbers = Numbers(inflection, engines, words, phrases)
        self._genders = Genders(inflection, engines, words, phrases)
        self._sounds = PackMorphology((), language)

    def inflect(self, lemma: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the form of *lemma*, or None where no rule has one.

        An adjective takes *gender*; a masculine noun becomes its feminine where that is a word (*ator*, *atriz*).
        """
        word = plain(lemma)
        if not self._inflection.engines:
            return None
        if self._words.is_invariable(word, pos):
            return lemma
        form = word if gender is None else self._genders.in_gender(word, pos, gender)
        if form is not None and number == "pl":
            form = next(iter(self._numbers.plurals(form, pos)), None)
        return None if form is None else match_case(lemma, form)

    def gender(self, noun: str) -> Gender | None:
        """Return the gender of the noun lemma *noun* as its ending tells, or None where nouns have none."""
        return self._genders.of_noun(plain(noun))

    def readings(self, form: str) -> Sequence[Form]:
        """Return what *form* may be by its ending, the likeliest part of speech first; lemmas are in small letters."""
        if not self._inflection.engines:
            return ()  # a pack without rules guesses nothing
        word = plain(form)
        return tuple(reading for pos in self._parts(word) for reading in self._readings(form, word, pos))

    def onset(self, word: str) -> Onset:
        """Return what the first sound of *word* counts as, by the patterns of the pack."""
        return self._sounds.onset(word)

    def _readings(self, form: str, word: str, pos: str) -> Iterator[Form]:
        for single, number in self._numbers.singulars(word, pos):
            if pos == "adj":
                for lemma, gender in self._genders.of_adjective(single):
                    yield Form(form, lemma, pos, gender, number, None)
            else:
                yield Form(form, single, pos, self.gender(single) if pos == "noun" else None, number, None)

    def _parts(self, word: str) -> Sequence[str]:
        """Return the parts of speech that *word* may be, by its singular."""
        singles = [single for single, _ in self._numbers.singulars(word, "noun")]
        listed = (
            self._inflection.part_words[known] for known in (word, *singles) if known in self._inflection.part_words
        )
        ruled = (rule.parts for single in singles for rule in self._inflection.parts if fits(rule, single))
        return next(listed, None) or next(ruled, PARTS)


def plain(word: str) -> str:
    """Return *word* without a capital at its beginning; *CEO*, *PhD* and *iPhone* stay as they are."""
    return word.lower() if word[1:] == word[1:].lower() else word
