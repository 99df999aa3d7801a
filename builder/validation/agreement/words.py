"""The words of a language for validation, looked up in the paradigms of its pack and in a source of forms.

A word may be several things at once; the checks ask what it *may* be, and complain only when nothing fits.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from ncimp.builder.records import Form, Gender, Language, Number, Onset, Paradigm

Cell = tuple[Gender, Number]
Cells = frozenset[Cell]
"""Genders and numbers that a word may have in some part of speech; none when it cannot be one."""

NOTHING: Cells = frozenset()

NUMBERS: tuple[Number, Number] = ("sg", "pl")
"""The numbers in the order of the pairs of verbs in `pack.toml`."""

POSSIBLE = 0.1
"""A part of speech that a word has less often than this share of its counted uses is not considered."""

PRIOR = 0.5
"""Counts of a listed reading before any corpus is counted, so that a handful of counts rules nothing out."""

RARE = 0.2
"""A gender counted less often than this share of the noun's usual one is taken for a slip of the lexicon."""

SURE = 0.8
"""Least certainty of an ending that decides where a lexicon leaves the gender open and no corpus was counted."""

KNOWN = 1 << 15
"""Words kept in memory."""


class Forms(Protocol):
    """A source of forms: the part of `Analyser` that agreement is checked with."""

    def readings(self, form: str) -> Sequence[Form]:
        """Return every known reading of *form*, in any case."""
        ...

    def onset(self, word: str) -> Onset:
        """Return the first sound of *word*."""
        ...

    def counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return the form of the same word with these features, or None."""
        ...

    def knows(self, form: str) -> bool:
        """Tell whether a lexicon lists *form*."""
        ...

    def tally(self, form: str) -> Mapping[str, int]:
        """Return the counts of *form* by part of speech."""
        ...

    def count(self, reading: Form) -> int:
        """Return the count of *reading*."""
        ...


@dataclass(frozen=True, slots=True)
class Word:
    """One word and what it may be."""

    text: str
    """In lower case."""
    kinds: frozenset[str]
    """Kinds of the paradigms it stands in: article, contraction, possessive ..."""
    closed: Cells
    """Its cells in those paradigms."""
    noun: Cells
    """As a noun, in the genders that are usual for it."""
    any_noun: Cells
    """As a noun, in every gender that any lexicon gives it."""
    adjective: Cells
    """As an adjective or participle."""
    participle: bool
    """An adjective that is a form of a verb."""
    numbers: frozenset[Number]
    """As a finite verb."""
    shares: Mapping[str, float]
    """Share of each part of speech it may have, of 1; equal shares where no corpus was counted."""
    classes: frozenset[str]
    """Classes of `pack.toml` that list it."""
    adverb: bool
    """By class, ending or use."""
    capital: bool

    def share(self, pos: str) -> float:
        """Return how likely the word is a *pos*, 0 to 1."""
        return self.shares.get(pos, 0.0)

    def may_be(self, pos: str) -> bool:
        """Tell whether *pos* is worth considering."""
        return self.share(pos) >= POSSIBLE

    def is_mostly(self, pos: str) -> bool:
        """Tell whether no other part of speech is likelier than *pos*."""
        return self.share(pos) > 0 and self.share(pos) >= max(self.shares.values())

    @property
    def attributive(self) -> float:
        """Likelihood of an adjective or a participle, 0 to 1; treebanks call the latter verbs as well."""
        return self.share("adj") + (self.share("verb") if self.participle and not self.numbers else 0.0)

    @property
    def is_attribute(self) -> bool:
        """Tell whether the word is an adjective or a participle as often as all else."""
        return self.attributive > 0 and self.attributive >= max(
            self.share("noun"), 1 - self.attributive - self.share("noun")
        )

    @property
    def counting(self) -> bool:
        """Tell whether the word is a numeral or a determiner that never varies (*três*, *cada*)."""
        return self.text.isdigit() or self.is_mostly("num") or self.is_mostly("det")

    @property
    def nominal(self) -> bool:
        """Tell whether the word is part of a noun phrase, and does not begin one with a preposition."""
        return bool(self.kinds - {"contraction"}) or any(map(self.is_mostly, ("noun", "adj", "num")))


class PackVocabulary:
    """The words of a language, looked up once each."""

    def __init__(self, language: Language, forms: Forms) -> None:
        self.language = language
        self._forms = forms
        self.cells: Cells = frozenset(cell for paradigm in language.paradigms for cell in paradigm.cells)
        self._classes = {name: frozenset(words) for name, words in language.words.items()}
        self._adverb_endings = tuple(self.of_class("adverb ending"))
        self._pairs = dict(language.verb_forms) | {plural: singular for singular, plural in language.verb_forms}
        self._stated: defaultdict[str, frozenset[Number]] = defaultdict(frozenset)
        for pair in language.verb_forms:
            for form, number in zip(pair, NUMBERS, strict=True):
                self._stated[form] |= {number}
        self._closed = _closed_classes(language.paradigms)
        interrogatives = [paradigm for paradigm in language.pronouns if paradigm.kind == "interrogative"]
        self.interrogatives = {word: cells for word, (_, cells) in _closed_classes(interrogatives).items()}
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
        """Return the form of *word* in one of *cells*, the nearest to its own, or None where it is not known.

        *pos* tells which word of an open class is meant.
        """
        if not cells:
            return None
        own = word.closed or word.adjective
        gender, number = min(
            sorted(cells),
            key=lambda cell: min(((cell[0] != one[0]) + (cell[1] != one[1]) for one in own), default=0),
        )
        if pos == "verb":
            form = self._forms.counterpart(word.text, "verb", gender=None, number=number)
            finite = form if form and number in self.word(form).numbers else None  # an infinitive has no number
            return self._pairs.get(word.text) or finite
        for paradigm in (*self.language.paradigms, *self.language.pronouns):
            if word.text in paradigm.cells.values():
                return paradigm.cells.get((gender, number))
        return self._forms.counterpart(word.text, pos, gender=gender, number=number)

    def _look_up(self, token: str) -> Word:
        text = token.lower()
        readings = self._listed(token)
        kinds, closed = self._closed.get(text, (frozenset(), NOTHING))
        nouns = [form for form in readings if form.pos == "noun"]
        adjectives = [form for form in readings if form.pos == "adj"]
        guess = None if readings or token[:1].isupper() else self._guess(token)  # that of a name betrays nothing
        word = Word(
            text=text,
            kinds=kinds,
            closed=closed,
            noun=self.expand(*guess) if guess else self._union(self._usual(text, nouns)),
            any_noun=self._union(nouns),
            adjective=self._union(adjectives),
            participle=bool(adjectives) and self._is_participle(text, readings),
            numbers=self._numbers(text, readings),
            shares=self._shares(token, readings),
            classes=frozenset(name for name, words in self._classes.items() if text in words),
            adverb=False,
            capital=token[:1].isupper(),
        )
        return replace(word, adverb=self._is_adverb(word))

    def _listed(self, token: str) -> Sequence[Form]:
        """Return the readings of *token* that a lexicon lists: a guess is no evidence of a fault."""
        return self._forms.readings(token) if self._forms.knows(token) else ()

    def _is_adverb(self, word: Word) -> bool:
        if word.kinds or word.classes & {"wh", "subordinator"}:
            return False
        by_form = self._adverb_endings and word.text.endswith(self._adverb_endings)
        return bool(word.classes & {"adverb", "degree"} or by_form) or word.is_mostly("adv")

    def _union(self, forms: Iterable[Form]) -> Cells:
        return frozenset(cell for form in forms for cell in self.expand(form.gender, form.number))

    def _usual(self, text: str, readings: Sequence[Form]) -> Sequence[Form]:
        """Return the *readings* of the noun *text* in the genders in use: lexicons list too many of them."""
        counts: dict[Gender | None, int] = {}
        for form in readings:
            counts[form.gender] = max(counts.get(form.gender, 0), self._forms.count(form))
        is_open = counts.pop(None, None) is not None
        common_endings = tuple(self.language.words.get("common gender ending", ()))
        if is_open and (text in self.of_class("common gender") or text.endswith(common_endings)):
            return [replace(form, gender=None) for form in readings]
        most = max(counts.values(), default=0)
        if most or (len(counts) == 1 and not is_open):
            return [form for form in readings if form.gender and counts[form.gender] >= RARE * most]
        guess = self._guess(text)
        if guess is None or "-" in text:  # the last part of a compound betrays nothing: o longa-metragem
            return readings
        return [replace(form, gender=guess[0]) for form in readings]

    def _guess(self, text: str) -> tuple[Gender, Number] | None:
        """Return the gender and number that the ending of a noun betrays, or None where it is not sure."""
        endings = (row for row in self.language.endings if text.endswith(row[0]))
        _, gender, number, certainty = next(endings, ("", None, None, 0.0))
        return (gender, number) if gender and number and certainty >= SURE else None

    def _is_participle(self, text: str, readings: Sequence[Form]) -> bool:
        """Tell whether an adjective is a form of a verb as well: of that in its lemma, or by a reading of its own."""
        verbs = [form for form in readings if form.pos == "verb"]
        if verbs:
            return all(form.number is None and form.lemma != text for form in verbs)
        adjectives = (form for form in readings if form.pos == "adj")
        return any(all(one.pos != "adj" for one in self._listed(form.lemma)) for form in adjectives)

    def _shares(self, token: str, readings: Sequence[Form]) -> dict[str, float]:
        weights = {form.pos: PRIOR for form in readings}
        for pos, count in self._forms.tally(token).items():
            weights[pos] = weights.get(pos, 0.0) + count
        total = sum(weights.values())
        return {pos: weight / total for pos, weight in weights.items()}

    def _numbers(self, text: str, readings: Sequence[Form]) -> frozenset[Number]:
        """Return the numbers that *text* has as a finite verb; none where it may be an infinitive (*viajar*).

        The ending decides for a verb whose number no lexicon gives, and for a word that no lexicon has.
        """
        verbs = [form for form in readings if form.pos == "verb"]
        stated = self._stated.get(text, frozenset())
        if not stated and any(form.lemma == text for form in verbs):
            return frozenset()
        numbers = stated | {form.number for form in verbs if form.number}
        if numbers or (readings and (not verbs or any(form.pos == "adj" for form in readings))):
            return numbers
        for singular, plural in self.language.verb_endings:
            if text.endswith(plural):
                return frozenset({"pl"})
            if text.endswith(singular):
                return frozenset({"sg"})
        return frozenset()


def _closed_classes(paradigms: Iterable[Paradigm]) -> dict[str, tuple[frozenset[str], Cells]]:
    """Return the kinds and cells of every form of *paradigms*."""
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    cells: defaultdict[str, set[Cell]] = defaultdict(set)
    for paradigm in paradigms:
        for cell, word in paradigm.cells.items():
            kinds[word].add(paradigm.kind)
            cells[word].add(cell)
    return {word: (frozenset(kinds[word]), frozenset(cells[word])) for word in kinds}
