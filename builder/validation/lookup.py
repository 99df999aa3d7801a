"""What validation knows of a language: forms and paradigms of its pack, as sets to look things up in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ncimp.builder.records import Form, Gender, Item, LanguagePack, Number, Paradigm

Cell = tuple[Gender | None, Number | None]
"""Gender and number; None stands for any."""


OPEN_KINDS = ("quantifier", "numeral")
"""Kinds of determiners that may stand between an adjective and its noun (*as últimas duas semanas*)."""


BEGINNING = ("article", "contraction", "demonstrative", "relative")
"""Kinds of determiners that begin a noun phrase."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Look-ups in one language pack."""

    pack: LanguagePack
    forms: Mapping[str, tuple[Form, ...]]
    """Readings by lower-cased form."""
    determiners: Mapping[str, frozenset[Cell]]
    """Cells in which a closed-class form stands, by form."""
    closing: frozenset[str]
    """Determiners left of which no adjective of the same noun phrase stands: all but quantifiers and numerals."""
    articles: frozenset[str]
    """Determiners of which never two stand side by side."""
    determining: frozenset[str]
    """Determiners that begin a noun phrase: left of them only quantifiers agree (*todas as*)."""
    quantifiers: frozenset[str]
    partitives: frozenset[str]
    """Words that may name some of a plural: *uma das*, *nenhum dos*."""
    families: Mapping[str, frozenset[str]]
    """Ids of the paradigms and alternations a form belongs to."""
    genders: Mapping[str, Gender | None]
    """Gender by noun lemma, of its first row."""

    @classmethod
    def of(cls, pack: LanguagePack) -> Lookup:
        """Return the look-ups of *pack*."""
        forms: defaultdict[str, list[Form]] = defaultdict(list)
        for form in pack.forms:
            forms[form.form.lower()].append(form)
        nouns = (form for rows in forms.values() for form in rows if form.pos == "noun")
        genders: dict[str, Gender | None] = {}
        for noun in nouns:
            genders.setdefault(noun.lemma, noun.gender)
        cells: defaultdict[str, set[Cell]] = defaultdict(set)
        families: defaultdict[str, set[str]] = defaultdict(set)
        paradigms = pack.language.paradigms
        for paradigm in paradigms:
            for cell, word in paradigm.cells.items():
                cells[word].add(cell)
                families[word].add(paradigm.id)
        for alternation in pack.language.alternations:
            for word in (alternation.consonant, alternation.vowel):
                families[word].add(alternation.rule)
        return cls(
            pack,
            {form: tuple(readings) for form, readings in forms.items()},
            {word: frozenset(found) for word, found in cells.items()},
            _words(row for row in paradigms if row.kind not in OPEN_KINDS),
            _words(row for row in paradigms if row.kind == "article"),
            _words(row for row in paradigms if row.kind in BEGINNING),
            _words(row for row in paradigms if row.kind == "quantifier"),
            frozenset(pack.language.words.get("partitive", ())),
            {word: frozenset(found) for word, found in families.items()},
            genders,
        )

    @property
    def agrees(self) -> bool:
        """Tell whether words of this language agree at all."""
        return bool(self.pack.language.features)

    def readings(self, word: str, *pos: str) -> tuple[Form, ...]:
        """Return the readings of *word*, of parts of speech *pos* when any are given."""
        found = self.forms.get(word.lower(), ())
        return tuple(form for form in found if not pos or form.pos in pos)

    def gender_of(self, lemma: str) -> Gender | None:
        """Return the gender of the noun *lemma* in forms.tsv."""
        return self.genders.get(lemma)

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of *text* by the pack's expression."""
        return re.findall(self.pack.language.token, text)

    def same_word(self, one: str, other: str) -> bool:
        """Tell whether two words are forms of one lemma, one paradigm or one alternation."""
        first, second = one.lower(), other.lower()
        if self.families.get(first, frozenset()) & self.families.get(second, frozenset()):
            return True
        lemmas = {(form.lemma, form.pos) for form in self.readings(one)}
        return bool(lemmas & {(form.lemma, form.pos) for form in self.readings(other)})


def _words(paradigms: Iterable[Paradigm]) -> frozenset[str]:
    return frozenset(word for paradigm in paradigms for word in paradigm.cells.values())


def fits(cells: Iterable[Cell], gender: Gender | None, number: Number) -> bool:
    """Tell whether one of *cells* allows *gender* and *number*."""
    return any(cell[0] in (None, gender) and cell[1] in (None, number) for cell in cells)


def cells_of(readings: Iterable[Form]) -> list[Cell]:
    """Return the cells of *readings*."""
    return [(form.gender, form.number) for form in readings]


def span_text(item: Item) -> str:
    """Return the characters of the span of *item*."""
    return item.sentence[item.span[0] : item.span[1]]
