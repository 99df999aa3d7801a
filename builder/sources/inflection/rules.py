"""Forms of words that no table lists, out of the section `[inflection]` of a pack (a `Morphology`).

In order of trust: the words that the pack lists, the parts of a hyphenated word, and the engines of the pack. No table
of forms is read, so this is the last layer behind lexicons: it has an answer for nearly every word, and some answers
are guesses.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ncimp.builder.grammar.phrases import HYPHEN, PhraseForms, match_case
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import Form, Gender, Inflection, Language, Number, Onset
from ncimp.builder.sources.inflection.engines import ENGINES, InflectionEngine, WordCheck, fits
from ncimp.builder.sources.packs.forms import PackMorphology

PARTS = ("noun", "adj")
"""The parts of speech of a word without a rule."""

CACHED = 1 << 16
"""Words whose plurals stay in memory."""


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
        """Return the readings of *form* by its ending, the likeliest part of speech first; lemmas are in lower case."""
        if not self._inflection.engines:
            return ()  # a pack without rules guesses nothing
        word = plain(form)
        return tuple(reading for pos in self._parts(word) for reading in self._readings(form, word, pos))

    def onset(self, word: str) -> Onset:
        """Return the class of the first sound of *word*, by the patterns of the pack."""
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
            self._inflection.part_words[candidate]
            for candidate in (word, *singles)
            if candidate in self._inflection.part_words
        )
        ruled = (rule.parts for single in singles for rule in self._inflection.parts if fits(rule, single))
        return next(listed, None) or next(ruled, PARTS)


def plain(word: str) -> str:
    """Return *word* without a capital at its beginning; *CEO*, *PhD* and *iPhone* stay as they are."""
    return word.lower() if word[1:] == word[1:].lower() else word


class Numbers:
    """Plural and singular, by the words that a pack lists, the parts of hyphenated words, and the engines."""

    def __init__(
        self, inflection: Inflection, engines: Sequence[InflectionEngine], words: WordCheck, phrases: PhraseForms
    ) -> None:
        self._listed = inflection.plural.words
        self._listed_singulars = {
            **{form: word for word, form in self._listed.items()},
            **inflection.singular.words,
        }
        self._engines = engines
        self._words = words
        self._phrases = phrases
        self.plurals = lru_cache(CACHED)(self._plurals)
        """Return the plurals of a word (singular) as a part of speech, the best first."""

    def singulars(self, form: str, pos: str) -> list[tuple[str, Number | None]]:
        """Return the possible (singular, number) of *form*; the number is None for a word with one form."""
        if self._words.is_invariable(form, pos):
            return [(form, None)]
        listed = self._listed_singulars.get(form)
        if listed is not None:
            return [(listed, "sg" if listed == form else "pl")]
        singles = self._hyphenated_singulars(form, pos) if HYPHEN in form else self._engine_singulars(form, pos)
        return [(single, "pl") for single in singles] or [(form, "sg")]

    def _plurals(self, word: str, pos: str) -> Sequence[str]:
        if self._words.is_invariable(word, pos):
            return (word,)
        if word in self._listed:
            return (self._listed[word],)
        return self._hyphenated_plurals(word, pos) if HYPHEN in word.strip(HYPHEN) else self._engine_plurals(word, pos)

    def _engine_plurals(self, word: str, pos: str) -> Sequence[str]:
        """Return the plurals that the engines agree on, the best first.

        The first engine that knows the word decides, unless the word may stay as it is: then it is a plural already
        (*news*), has one form (*sheep*), or is a mass noun (*assistance*), and the next engine decides.
        """
        first: Sequence[str] = ()
        for engine in self._engines:
            if first:
                return _second_opinion(first, engine, word, pos)
            forms = engine.forms("plural", word, pos)
            if forms and word not in forms:
                return forms
            first = forms
        return first

    def _engine_singulars(self, form: str, pos: str) -> list[str]:
        """Return the singulars of the first engine that knows *form*, if their plural is *form*."""
        for engine in self._engines:
            singles = engine.forms("singular", form, pos)
            if singles:
                real = (word for word in singles if word != form and self._words.is_real(word, form))
                return [word for word in real if self._is_plural_of(form, word, pos)]
        return []

    def _is_plural_of(self, form: str, word: str, pos: str) -> bool:
        """Tell whether *form* is any plural of *word*: *indices* is one although *indexes* is preferred."""
        if form in self.plurals(word, pos) or word in self._listed:
            return form in self.plurals(word, pos)
        return any(form in engine.forms("plural", word, pos) for engine in self._engines)

    def _hyphenated_plurals(self, word: str, pos: str) -> Sequence[str]:
        if pos != "adj":
            plural = self._phrases.in_number(word, "pl", join=HYPHEN)
            return () if plural is None else (plural,)
        before, last = word.rsplit(HYPHEN, 1)  # only the end of a compound adjective changes: *luso-brasileiros*
        return tuple(f"{before}{HYPHEN}{form}" for form in self.plurals(last, pos))

    def _hyphenated_singulars(self, form: str, pos: str) -> list[str]:
        if pos != "adj":
            single = self._phrases.in_number(form, "sg", join=HYPHEN)
        else:
            before, last = form.rsplit(HYPHEN, 1)
            single = f"{before}{HYPHEN}{self.singulars(last, pos)[0][0]}"
        return [single] if single and single != form and form in self.plurals(single, pos) else []


def _second_opinion(forms: Sequence[str], engine: InflectionEngine, word: str, pos: str) -> Sequence[str]:
    """Return the plurals of *word* by a second *engine*, where the first has *forms* with *word* among them."""
    changed = [form for form in forms if form != word]
    others = engine.forms("plural", word, pos)
    is_plural = not changed and engine.forms("singular", word, pos)
    return (word,) if is_plural or word in others else (*changed, *others)


class Genders:
    """Gender by the words that a pack lists, the parts of hyphenated words, and the engines."""

    def __init__(
        self, inflection: Inflection, engines: Sequence[InflectionEngine], words: WordCheck, phrases: PhraseForms
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
        # the ending may be wrong about the gender of a noun; then the caller knows better, and the noun stays as it is
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
