"""The words of a language for validation: looked up in the paradigms of its pack and in an `Analyser`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from ncimp.builder.ports import Analyser
from ncimp.builder.records import Form, Gender, Language, Number, Paradigm
from ncimp.builder.validation.agreement.nouns import Nouns
from ncimp.builder.validation.agreement.word import NOTHING, Cell, Cells, Word

NUMBERS: tuple[Number, Number] = ("sg", "pl")
"""The numbers in the order of the pairs of verbs in `pack.toml`."""

PRIOR = 0.5
"""Counts that a listed reading has before anybody has counted, so that a handful of counts rules nothing out."""

KNOWN = 1 << 15
"""Words kept in memory."""


class Vocabulary:
    """The words of a language, looked up once each."""

    def __init__(self, language: Language, analyser: Analyser) -> None:
        self.language = language
        self._analyser = analyser
        self._nouns = Nouns(language, analyser)
        self.cells: Cells = frozenset(cell for paradigm in language.paradigms for cell in paradigm.cells)
        self._classes = {name: frozenset(words) for name, words in language.words.items()}
        self._adverb_endings = tuple(self.of_class("adverb ending"))
        self._pairs = dict(language.verb_forms) | {plural: singular for singular, plural in language.verb_forms}
        self._stated: dict[str, frozenset[Number]] = {}
        for pair in language.verb_forms:
            for form, number in zip(pair, NUMBERS, strict=True):
                self._stated[form] = self._stated.get(form, frozenset()) | {number}
        self._agreeing = (*language.paradigms, *language.pronouns)
        self._closed = _closed_classes(language.paradigms)
        asked = [paradigm for paradigm in language.pronouns if paradigm.kind == "interrogative"]
        self.interrogatives = {word: cells for word, (_, cells) in _closed_classes(asked).items()}
        """Cells of the pronouns that ask which."""
        self.word = lru_cache(KNOWN)(self._look_up)
        """Return the `Word` of a token."""

    def of_class(self, name: str) -> frozenset[str]:
        """Return the words that the pack lists under *name*."""
        return self._classes.get(name, frozenset())

    def expand(self, gender: Gender | None, number: Number | None) -> Cells:
        """Return every cell that these features leave open; common gender is every gender."""
        return frozenset(cell for cell in self.cells if gender in (None, "c", cell[0]) and number in (None, cell[1]))

    def counterpart(self, word: Word, pos: str, cells: Cells) -> str | None:
        """Return the form of *word* that one of *cells* asks for, or None where nobody knows it.

        Of several cells it is the one nearest to what the word is; *pos* tells which word of an open class is meant.
        """
        if not cells:
            return None
        own = word.closed or word.adjective
        gender, number = min(sorted(cells), key=lambda cell: min((_steps(cell, one) for one in own), default=0))
        if pos == "verb":
            return self._pairs.get(word.text) or self._finite(word, number)
        for paradigm in self._agreeing:
            if word.text in paradigm.cells.values():
                return paradigm.cells.get((gender, number))
        return self._analyser.counterpart(word.text, pos, gender=gender, number=number)

    def _finite(self, word: Word, number: Number) -> str | None:
        """Return the form of a finite verb in *number*, or None; an infinitive, which has no number, is none."""
        form = self._analyser.counterpart(word.text, "verb", gender=None, number=number)
        return form if form and number in self.word(form).numbers else None

    def _look_up(self, token: str) -> Word:
        text = token.lower()
        readings = self._listed(token)
        kinds, closed = self._closed.get(text, (frozenset(), NOTHING))
        nouns = [form for form in readings if form.pos == "noun"]
        adjectives = [form for form in readings if form.pos == "adj"]
        classes = frozenset(name for name, words in self._classes.items() if text in words)
        word = Word(
            text=text,
            kinds=kinds,
            closed=closed,
            noun=self._union(self._nouns.usual(text, nouns)) if readings else self._unknown(token),
            any_noun=self._union(nouns),
            adjective=self._union(adjectives),
            participle=bool(adjectives) and self._is_participle(text, readings),
            numbers=self._numbers(text, readings),
            shares=self._shares(token, readings),
            classes=classes,
            adverb=False,
            capital=token[:1].isupper(),
        )
        return replace(word, adverb=self._is_adverb(word))

    def _listed(self, token: str) -> Sequence[Form]:
        """Return the readings of *token* that something lists: a guess is no evidence of a fault."""
        return self._analyser.readings(token) if self._analyser.knows(token) else ()

    def _is_adverb(self, word: Word) -> bool:
        if word.kinds or word.classes & {"wh", "subordinator"}:
            return False
        by_form = word.classes & {"adverb", "degree"} or (
            self._adverb_endings and word.text.endswith(self._adverb_endings)
        )
        return bool(by_form) or word.is_mostly("adv")

    def _union(self, forms: Iterable[Form]) -> Cells:
        return frozenset(cell for form in forms for cell in self.expand(form.gender, form.number))

    def _unknown(self, token: str) -> Cells:
        """Return the cells of a noun that no lexicon has, if its ending betrays them; that of a name does not."""
        guess = None if token[:1].isupper() else self._nouns.guess(token)
        return self.expand(*guess) if guess else NOTHING

    def _is_participle(self, text: str, readings: Sequence[Form]) -> bool:
        """Tell whether an adjective is a form of a verb as well: of that in its lemma, or by a reading of its own."""
        verbs = [form for form in readings if form.pos == "verb"]
        if verbs:
            return all(form.number is None and form.lemma != text for form in verbs)
        adjectives = (form for form in readings if form.pos == "adj")
        return any(all(one.pos != "adj" for one in self._listed(form.lemma)) for form in adjectives)

    def _shares(self, token: str, readings: Sequence[Form]) -> dict[str, float]:
        weights = {form.pos: PRIOR for form in readings}
        for pos, count in self._analyser.tally(token).items():
            weights[pos] = weights.get(pos, 0.0) + count
        total = sum(weights.values())
        return {pos: weight / total for pos, weight in weights.items()}

    def _numbers(self, text: str, readings: Sequence[Form]) -> frozenset[Number]:
        """Return the numbers that *text* has as a finite verb; none where it may be an infinitive (*viajar*).

        The ending tells that of a verb whose number nobody has noted, and of a word that nobody knows.
        """
        verbs = [form for form in readings if form.pos == "verb"]
        stated = self._stated.get(text, frozenset())
        if not stated and any(form.lemma == text for form in verbs):
            return frozenset()
        found = stated | {form.number for form in verbs if form.number}
        if found or (readings and (not verbs or any(form.pos == "adj" for form in readings))):
            return found
        for singular, plural in self.language.verb_endings:
            if text.endswith(plural):
                return frozenset({"pl"})
            if text.endswith(singular):
                return frozenset({"sg"})
        return frozenset()


def _steps(one: Cell, other: Cell) -> int:
    """Return in how many features two cells differ."""
    return (one[0] != other[0]) + (one[1] != other[1])


def _closed_classes(paradigms: Iterable[Paradigm]) -> dict[str, tuple[frozenset[str], Cells]]:
    """Return the kinds and cells of every form of *paradigms*."""
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    cells: defaultdict[str, set[Cell]] = defaultdict(set)
    for paradigm in paradigms:
        for cell, word in paradigm.cells.items():
            kinds[word].add(paradigm.kind)
            cells[word].add(cell)
    return {word: (frozenset(kinds[word]), frozenset(cells[word])) for word in kinds}
