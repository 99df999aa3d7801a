"""Forms of words that no table lists, out of the section `[inflection]` of a pack (a `Morphology`).

In order of trust: the words that the pack lists, the parts of a hyphenated word, and the engines that the pack names:
suffix rules of its own, or a library. An engine returns *possible* forms, the best first, or none for an unknown word.
No table of forms is read, so this is the last layer behind lexicons: it has an answer for nearly every word, and some
answers are guesses.
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

from ncimp.builder.grammar import HYPHEN, PhraseForms, match_case
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.records import Form, Gender, Inflection, InflectionRules, Language, Number, pack_file
from ncimp.builder.sources.packs.forms import PackMorphology

Change = Literal["plural", "singular", "feminine", "masculine"]  # a change of form; `singular` and `masculine` undo one

REAL = 3e-3
"""A word derived from another counts as one when it is at least this many times as frequent.

Below this it is a slip: *lápi* beside *lápis*, *hipócrito* beside *hipócrita*. Between 0.0003 and 0.01 the rules of
Portuguese agree with the nouns and adjectives of MorphoBr to within 0.2 %.
"""

UNLISTED = 1e-8  # the relative frequency at which word lists end: an unlisted word may be as frequent as this
PARTS = ("noun", "adj")  # the parts of speech of a word without a rule
NO_PLURALS = ("ss", "is", "us", "lens")  # endings of singulars: *lens*, *analysis*, *cactus*
CACHED = 1 << 16  # words whose plurals stay in memory

Engine = Callable[[Change, str, str], Sequence[str]]
"""The possible results of a change of a word as a part of speech, the best first; none for an unknown word.

The word itself is among them where it may stay as it is, or is a singular.
"""


def suffix_rules(inflection: Inflection, table: FrequencyTable | None) -> Engine:
    """Return the engine of a pack: of the endings that its first fitting rule offers, the most frequent comes first."""

    def forms(change: Change, word: str, pos: str) -> Sequence[str]:
        rules: InflectionRules = getattr(inflection, change)
        for rule in rules.rules:
            if fits(rule, word) and (not rule.pos or pos in rule.pos):
                forms = [word.removesuffix(rule.suffix) + ending for ending in rule.to]
                # stable: what was not counted keeps the order of the pack
                return tuple(forms if table is None else sorted(forms, key=lambda form: -table.frequency(form)))
        return ()

    return forms


def lemminflect_forms(change: Change, word: str, pos: str) -> Sequence[str]:
    """Return the plurals or singulars of an English noun that the package `lemminflect` lists, without its guesses."""
    from lemminflect import getInflection, getLemma

    if pos != "noun" or change not in ("plural", "singular"):
        return ()
    plurals = tuple(getInflection(word, "NNS", inflect_oov=False))
    if change == "plural":
        return plurals
    if any(form != word for form in plurals):  # a singular, whatever it looks like: *lens* is no plural of *len*
        return (word,)
    return tuple(lemma for lemma in getLemma(word, "NOUN", lemmatize_oov=False) if lemma != word)


def inflect_forms(change: Change, word: str, pos: str) -> Sequence[str]:
    """Return the plural or singular of an English noun by the package `inflect`, which has a plural for every word."""
    if pos != "noun" or change not in ("plural", "singular") or not word.strip():
        return ()
    if change == "plural":  # after an article: *mine* alone is a pronoun, and becomes *ours*
        plural = str(_inflect_engine().plural_noun(f"a {word}")).removeprefix("a ")
        return (f"{word}es" if plural == f"{word}s" and word.endswith("s") else plural,)  # it makes *texass*
    # it takes nearly any word in -s for a plural
    single = None if word.endswith(NO_PLURALS) else _inflect_engine().singular_noun(word)
    return (str(single),) if single and single != word else ()


@cache
def _inflect_engine() -> Any:
    import inflect

    return inflect.engine()


def fits(rule: pack_file.SuffixRule | pack_file.GenderRule | pack_file.PartRule, word: str) -> bool:
    """Tell whether *word* ends in the suffix of *rule*, after a stem that matches its condition."""
    stem = word.removesuffix(rule.suffix)
    return stem != "" and word.endswith(rule.suffix) and (rule.when == "" or re.search(rule.when, stem) is not None)


def plain(word: str) -> str:
    """Return *word* without a capital at its beginning; *CEO*, *PhD* and *iPhone* stay as they are."""
    return word.lower() if word[1:] == word[1:].lower() else word


class RuleMorphology:
    """Forms by rule; *frequencies* decide where the rules leave several open."""

    def __init__(self, language: Language, frequencies: FrequencyTable | None = None) -> None:
        self._inflection, self._frequencies = language.inflection, frequencies
        self._phrases = PhraseForms(language, self)
        own = suffix_rules(language.inflection, frequencies)
        libraries: dict[str, Engine] = {"lemminflect": lemminflect_forms, "inflect": inflect_forms}
        self._engines = [libraries.get(name, own) for name in language.inflection.engines]
        self._plural_words, self._feminines = self._inflection.plural.words, self._inflection.feminine.words
        self._males = {form: word for word, form in self._feminines.items()}
        self._masculines = {**self._males, **self._inflection.masculine.words}
        self._singular_words = {form: word for word, form in self._plural_words.items()}
        self._singular_words |= self._inflection.singular.words
        self._plurals = lru_cache(CACHED)(self._find_plurals)
        self.onset = PackMorphology((), language).onset
        """Return the class of the first sound of a word, by the patterns of the pack."""

    def inflect(
        self,
        lemma: str,
        pos: str,
        *,
        gender: Gender | None,
        number: Number,
        further: Collection[str] = (),  # noqa: ARG002
    ) -> str | None:
        """Return the form of *lemma*, or None where no rule has one.

        An adjective takes *gender*; a masculine noun becomes its feminine where that is a word (*ator*, *atriz*).
        """
        word = plain(lemma)
        if not self._engines:
            return None
        if self._is_invariable(word, pos):
            return lemma
        form = word if gender is None else self._in_gender(word, pos, gender)
        if form is not None and number == "pl":
            form = next(iter(self._plurals(form, pos)), None)
        return None if form is None else match_case(lemma, form)

    def gender(self, noun: str) -> Gender | None:
        """Return the gender of the noun lemma *noun* as its ending tells, or None where nouns have none."""
        word, inflection = plain(noun), self._inflection
        while word not in inflection.genders and HYPHEN in word.strip(HYPHEN):  # its head's, but not of *guarda-roupa*
            if word.split(HYPHEN)[0] in inflection.phrases.hyphen_first:
                break
            word = self._phrases.head_of(word, join=HYPHEN)
        by_rule = (rule.gender for rule in inflection.gender if fits(rule, word))
        return inflection.genders.get(word) or next(by_rule, None)

    def readings(self, form: str) -> Sequence[Form]:
        """Return the readings of *form* by its ending, the likeliest part of speech first; lemmas are in lower case."""
        word = plain(form)
        readings: list[Form] = []
        for pos in self._parts(word) if self._engines else ():  # a pack without rules guesses nothing
            for single, number in self._singulars(word, pos):
                if pos == "adj":
                    lemmas = self._adjectives(single)
                else:
                    lemmas = [(single, self.gender(single) if pos == "noun" else None)]
                readings += [Form(form, lemma, pos, gender, number, None) for lemma, gender in lemmas]
        return tuple(readings)

    def _parts(self, word: str) -> Sequence[str]:
        inflection = self._inflection
        singles = [single for single, _ in self._singulars(word, "noun")]
        listed = (inflection.part_words[each] for each in (word, *singles) if each in inflection.part_words)
        ruled = (rule.parts for single in singles for rule in inflection.parts if fits(rule, single))
        return next(listed, None) or next(ruled, PARTS)

    def _is_invariable(self, word: str, pos: str) -> bool:
        return pos in self._inflection.uninflected or word in self._inflection.invariable.get(pos, frozenset())

    def _is_real(self, word: str, derived_from: str) -> bool:
        """Tell whether *word* is a word, by its frequency beside that of the form it was derived from."""
        table = self._frequencies
        return table is None or max(table.frequency(word), UNLISTED) >= REAL * table.frequency(derived_from)

    def _singulars(self, form: str, pos: str) -> list[tuple[str, Number | None]]:
        """Return the possible (singular, number) of *form*; the number is None for a word with one form."""
        if self._is_invariable(form, pos):
            return [(form, None)]
        if form in self._singular_words:
            listed = self._singular_words[form]
            return [(listed, "sg" if listed == form else "pl")]
        singles = self._hyphenated_singulars(form, pos) if HYPHEN in form else self._engine_singulars(form, pos)
        return [(single, "pl") for single in singles] or [(form, "sg")]

    def _hyphenated_singulars(self, form: str, pos: str) -> list[str]:
        if pos != "adj":
            single = self._phrases.in_number(form, "sg", join=HYPHEN)
        else:
            before, last = form.rsplit(HYPHEN, 1)
            single = f"{before}{HYPHEN}{self._singulars(last, pos)[0][0]}"
        return [single] if single and single != form and form in self._plurals(single, pos) else []

    def _engine_singulars(self, form: str, pos: str) -> list[str]:
        """Return the singulars of the first engine that knows *form*, if *form* is any plural of theirs."""

        def is_plural_of(word: str) -> bool:  # *indices* is one of *index*, although *indexes* is preferred
            others = (engine("plural", word, pos) for engine in self._engines if word not in self._plural_words)
            return form in self._plurals(word, pos) or any(form in forms for forms in others)

        singles = next(filter(None, (engine("singular", form, pos) for engine in self._engines)), ())
        return [word for word in singles if word != form and self._is_real(word, form) and is_plural_of(word)]

    def _find_plurals(self, word: str, pos: str) -> Sequence[str]:
        if self._is_invariable(word, pos):
            return (word,)
        if word in self._plural_words:
            return (self._plural_words[word],)
        if HYPHEN not in word.strip(HYPHEN):
            return self._engine_plurals(word, pos)
        if pos != "adj":
            plural = self._phrases.in_number(word, "pl", join=HYPHEN)
            return () if plural is None else (plural,)
        before, last = word.rsplit(HYPHEN, 1)  # only the end of a compound adjective changes: *luso-brasileiros*
        return tuple(f"{before}{HYPHEN}{form}" for form in self._plurals(last, pos))

    def _engine_plurals(self, word: str, pos: str) -> Sequence[str]:
        """Return the plurals that the engines agree on, the best first.

        The first engine that knows the word decides, unless the word may stay as it is: then it is a plural already
        (*news*), has one form (*sheep*), or is a mass noun (*assistance*), and the next engine decides.
        """
        first: Sequence[str] = ()
        for engine in self._engines:
            forms = engine("plural", word, pos)
            if first:
                changed = [form for form in first if form != word]
                is_plural = not changed and engine("singular", word, pos)
                return (word,) if is_plural or word in forms else (*changed, *forms)
            if forms and word not in forms:
                return forms
            first = forms
        return first

    def _adjectives(self, single: str) -> list[tuple[str, Gender | None]]:
        if self._is_invariable(single, "adj"):
            return [(single, None)]
        masculines = self._all_masculines(single)
        if masculines:
            return [(lemma, None if lemma == single else "f") for lemma in masculines]
        return [(single, "m" if self._feminine(single, "adj") not in (None, single) else None)]

    def _in_gender(self, word: str, pos: str, gender: Gender) -> str | None:
        """Return *word* in *gender*, an adjective from its masculine; a noun stays as it is where there is no other."""
        if pos == "adj":
            return self._feminine(word, pos) if gender == "f" else word
        if gender == "m":
            return self._males.get(word, word)
        feminine = self._feminine(word, pos) if gender == "f" and self.gender(word) == "m" else None
        # the ending may be wrong about the gender of a noun; then the caller knows better, and the noun stays as it is
        return feminine if feminine is not None and self._is_real(feminine, word) else word

    def _feminine(self, word: str, pos: str) -> str | None:
        if word in self._feminines:
            return self._feminines[word]
        if HYPHEN in word:
            before, last = word.rsplit(HYPHEN, 1)
            form = self._feminine(last, pos)
            return None if form is None else f"{before}{HYPHEN}{form}"
        return next((form for engine in self._engines for form in engine("feminine", word, pos)), None)

    def _all_masculines(self, word: str) -> list[str]:
        """Return the masculine adjectives whose feminine is *word*; *word* itself where it has one form."""
        if word in self._masculines:
            return [self._masculines[word]]
        if HYPHEN in word:
            before, last = word.rsplit(HYPHEN, 1)
            return [f"{before}{HYPHEN}{form}" for form in self._all_masculines(last)]
        offered = (form for engine in self._engines for form in engine("masculine", word, "adj"))
        return [form for form in offered if self._feminine(form, "adj") == word and self._is_real(form, word)]
