"""Plurals of singulars, and singulars of plurals, for words that no table lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ncimp.builder.grammar.phrases import HYPHEN, PhraseForms
from ncimp.builder.records import Inflection, Number
from ncimp.builder.sources.inflection.engines import Engine
from ncimp.builder.sources.inflection.words import WordCheck

CACHED = 1 << 16
"""Words whose plurals are kept in memory."""


class Numbers:
    """Plural and singular, by the words that a pack lists, the parts of hyphenated words, and the engines."""

    def __init__(
        self, inflection: Inflection, engines: Sequence[Engine], words: WordCheck, phrases: PhraseForms
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
        """Return (singular, number) for what *form* may be; the number is None for a word with one form."""
        if self._words.is_invariable(form, pos):
            return [(form, None)]
        listed = self._listed_singulars.get(form)
        if listed is not None:
            return [(listed, "sg" if listed == form else "pl")]
        found = self._hyphenated_singulars(form, pos) if HYPHEN in form else self._engine_singulars(form, pos)
        return [(single, "pl") for single in found] or [(form, "sg")]

    def _plurals(self, word: str, pos: str) -> Sequence[str]:
        if self._words.is_invariable(word, pos):
            return (word,)
        if word in self._listed:
            return (self._listed[word],)
        return self._hyphenated_plurals(word, pos) if HYPHEN in word.strip(HYPHEN) else self._chosen(word, pos)

    def _chosen(self, word: str, pos: str) -> Sequence[str]:
        """Return the plurals that the engines agree on, the best first.

        The first that knows the word decides, unless it says that the word may stay as it is: then it is a plural
        already (*news*), has one form (*sheep*), or is a mass noun (*assistance*), and the next engine tells which.
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
        """Return the singulars that the first engine with an idea has for *form*, if their plural is *form*."""
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


def _second_opinion(forms: Sequence[str], engine: Engine, word: str, pos: str) -> Sequence[str]:
    """Return the plurals of *word* when one engine has *forms*, *word* among them, and *engine* is asked as well."""
    changed = [form for form in forms if form != word]
    others = engine.forms("plural", word, pos)
    is_plural = not changed and engine.forms("singular", word, pos)
    return (word,) if is_plural or word in others else (*changed, *others)
