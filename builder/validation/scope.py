"""The scope of a check: the rows of a language, and its pack as tables to look words up in."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ncimp.builder.config import Matching
from ncimp.builder.records import (
    Compound,
    Context,
    Form,
    Gender,
    Item,
    LanguagePack,
    Number,
    Onset,
    Pair,
    Pattern,
    ReleasedCompound,
    Span,
    TrueSynonym,
)
from ncimp.builder.validation.registry import Registry

Cell = tuple[Gender | None, Number | None]
"""Gender and number; None stands for any."""

FIRST_LINE = 2  # of the rows of a table, below the header

INNER_MARK = re.compile(r"[-']")
"""Joins the parts of one word: *knee-deep*, *grandfather's*."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a release, or of one language of it."""

    items: Sequence[Item]
    pairs: Sequence[Pair]
    compounds: Sequence[ReleasedCompound]
    literal: Sequence[Item] = ()
    """Items in literal contexts: sentences like the others, outside the grid."""

    def of(self, lang: str) -> "Tables":
        """Return the rows of the language *lang*."""
        return Tables(
            [row for row in self.items if row.lang == lang],
            [row for row in self.pairs if row.lang == lang],
            [row for row in self.compounds if row.lang == lang],
            [row for row in self.literal if row.lang == lang],
        )


@dataclass(frozen=True, slots=True)
class Carrier:
    """One authored sentence of a pack around a compound."""

    place: str  # id of the context, such as `en/rat-race/nat1`
    line: int  # of contexts.tsv
    compound: Compound
    context: str
    number: Number
    text: str
    span: Span
    left: Sequence[str]  # tokens
    right: Sequence[str]

    def located(self, message: str) -> tuple[str, str]:
        """Return the place and *message* with the line of this sentence."""
        return self.place, f"contexts.tsv:{self.line}: {message}"


class Lookup:
    """The forms and paradigms of a language pack, by form; an `Analyser` whose forms nobody has counted."""

    def __init__(self, pack: LanguagePack) -> None:
        self.pack = pack
        self.language = pack.language
        self.forms: defaultdict[str, tuple[Form, ...]] = defaultdict(tuple)
        """Readings by lower-cased form."""
        self.genders: dict[str, Gender | None] = {}
        """Gender by noun lemma, of its first row."""
        self._by_lemma: defaultdict[tuple[str, str], list[Form]] = defaultdict(list)
        for form in pack.forms:
            self.forms[form.form.lower()] += (form,)
            self._by_lemma[form.lemma, form.pos].append(form)
            if form.pos == "noun":
                self.genders.setdefault(form.lemma, form.gender)
        self.determiners: defaultdict[str, set[Cell]] = defaultdict(set)
        """Cells in which a closed-class form stands, by form."""
        self.kinds: defaultdict[str, set[str]] = defaultdict(set)
        """Kinds of the paradigms that a form belongs to."""
        self.families: defaultdict[str, set[str]] = defaultdict(set)
        """Ids of the paradigms and alternations that a form belongs to."""
        for paradigm in self.language.paradigms:
            for cell, word in paradigm.cells.items():
                self.determiners[word].add(cell)
                self.kinds[word].add(paradigm.kind)
                self.families[word].add(paradigm.id)
        for alternation in self.language.alternations:
            for word in (alternation.consonant, alternation.vowel):
                self.families[word].add(alternation.rule)

    @property
    def agrees(self) -> bool:
        """Tell whether words of this language agree at all."""
        return bool(self.language.features)

    def readings(self, word: str, *pos: str) -> tuple[Form, ...]:
        """Return the readings of *word*, of parts of speech *pos* when any are given."""
        forms = self.forms.get(word.lower(), ())
        return tuple(form for form in forms if form.pos in pos) if pos else forms

    def knows(self, form: str) -> bool:
        """Tell whether forms.tsv lists *form*."""
        return form.lower() in self.forms

    def counterpart(self, form: str, pos: str, *, gender: Gender | None, number: Number) -> str | None:
        """Return a form of the same lemma with these features, or None."""
        lemmas = dict.fromkeys(reading.lemma for reading in self.readings(form, pos))
        rows = (row for lemma in lemmas for row in self._by_lemma[lemma, pos])
        return next((row.form for row in rows if fits(cells_of([row]), gender, number)), None)

    def onset(self, word: str) -> Onset:
        """Return the first sound of *word*, by forms.tsv, else by the patterns of the pack."""
        for form in self.readings(word):
            if form.onset is not None:
                return form.onset
        shapes, patterns = (word, word.lower()), self.language.onset_patterns
        return next((onset for match, onset in patterns if any(re.match(match, one) for one in shapes)), "consonant")

    def has_plural(self, lemma: str, pos: str) -> bool:
        """Tell whether forms.tsv lists a form of *lemma* that may be a plural."""
        return any(form.number in (None, "pl") for form in self._by_lemma[lemma, pos])

    def tally(self, form: str) -> Mapping[str, int]:  # noqa: ARG002 (a pack counts nothing)
        """Return no counts."""
        return {}

    def count(self, reading: Form) -> int:  # noqa: ARG002
        """Return 0."""
        return 0

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of *text* by the pack's expression."""
        return re.findall(self.language.token, text)

    def is_form(self, word: str, lemma: str | None, *pos: str) -> bool:
        """Tell whether *word* is *lemma* or, by forms.tsv, a form of it."""
        return word == lemma or any(form.lemma == lemma for form in self.readings(word, *pos))

    def same_word(self, one: str, other: str) -> bool:
        """Tell whether two words are forms of one lemma, one paradigm or one alternation."""
        if not self.families.get(one.lower(), set()).isdisjoint(self.families.get(other.lower(), ())):
            return True
        lemmas = {(form.lemma, form.pos) for form in self.readings(one)}
        return bool(lemmas & {(form.lemma, form.pos) for form in self.readings(other)})

    def lemmas(self, word: str) -> set[str]:
        """Return all that *word* as a whole may be a form of, itself included, in small letters."""
        return {word.lower(), *(form.lemma.lower() for form in self.readings(word))}

    def lemmas_of_parts(self, word: str) -> set[str]:
        """Return the lemmas of *word* and of its parts (*half-opened*)."""
        return set().union(*(self.lemmas(part) for part in {word, *INNER_MARK.split(word)} if part))


@dataclass(frozen=True)
class Scope:
    """The rows of one language and its pack; without rows, the pack alone."""

    lookup: Lookup
    tables: Tables = Tables((), (), ())
    match: Matching = "components"
    """How the random compounds of the release were matched in frequency."""

    @property
    def pack(self) -> LanguagePack:
        """The language pack."""
        return self.lookup.pack

    @property
    def lang(self) -> str:
        """Code of the language."""
        return self.pack.language.code

    @cached_property
    def sentences(self) -> Sequence[Item]:
        """The items of the grid and of the literal contexts."""
        return [*self.tables.items, *self.tables.literal]

    @cached_property
    def cells(self) -> Sequence[tuple[Item, Item]]:
        """Every item with the `orig` item of its context; C301 reports a context without one."""
        originals = {(item.compound_id, item.context): item for item in self.sentences if item.variant == "orig"}
        pairs = ((item, originals.get((item.compound_id, item.context))) for item in self.sentences)
        return [(item, original) for item, original in pairs if original is not None]

    @cached_property
    def contexts(self) -> Mapping[str, Sequence[Context]]:
        """The rows of contexts.tsv by compound."""
        rows: defaultdict[str, list[Context]] = defaultdict(list)
        for row in self.pack.contexts:
            rows[row.compound].append(row)
        return rows

    @cached_property
    def synonyms(self) -> Mapping[str, Sequence[tuple[int, TrueSynonym]]]:
        """The rows of synonyms.tsv and their lines, by compound."""
        rows: defaultdict[str, list[tuple[int, TrueSynonym]]] = defaultdict(list)
        for line, row in enumerate(self.pack.synonyms, start=FIRST_LINE):
            rows[row.compound].append((line, row))
        return rows

    @cached_property
    def carriers(self) -> Sequence[Carrier]:
        """The authored sentences of the pack, in its order; a writer cannot mend the sentences of a corpus."""
        compounds = {row.text: row for row in self.pack.compounds}
        carriers = []
        for line, row in enumerate(self.pack.contexts, start=FIRST_LINE):
            compound = compounds.get(row.compound)
            if compound is None or row.source != "authored":
                continue
            marked = self.pack.marked[row.compound, row.context]
            text, span, place = marked.text, marked.span, f"{self.pack.compound_id(row.compound)}/{row.context}"
            left, right = self.lookup.tokens(text[: span[0]]), self.lookup.tokens(text[span[1] :])
            carriers.append(Carrier(place, line, compound, row.context, row.number, text, span, left, right))
        return carriers

    def by_compound(self) -> Iterator[tuple[str, Compound]]:
        """Yield the id of every compound of the pack, and the compound."""
        return ((self.pack.compound_id(row.text), row) for row in self.pack.compounds)


@dataclass(frozen=True, slots=True)
class Release:
    """The rows of all languages, and their packs."""

    tables: Tables
    packs: Sequence[LanguagePack]


PACK: Registry[Scope] = Registry()
"""Checks of a pack by itself."""

LANGUAGE: Registry[Scope] = Registry()
"""Checks of the rows of one language against its pack."""

RELEASE: Registry[Release] = Registry()
"""Checks of the tables of all languages together."""


def fits(cells: Iterable[Cell], gender: Gender | None, number: Number) -> bool:
    """Tell whether one of *cells* allows *gender* and *number*."""
    return any(cell[0] in (None, gender) and cell[1] in (None, number) for cell in cells)


def cells_of(readings: Iterable[Form]) -> list[Cell]:
    """Return the cells of *readings*."""
    return [(form.gender, form.number) for form in readings]


def is_word(token: str) -> bool:
    """Tell whether *token* is a word or a number and not a mark."""
    return any(letter.isalnum() for letter in token)


def span_text(item: Item) -> str:
    """Return the characters of the span of *item*."""
    return item.sentence[item.span[0] : item.span[1]]


def split_phrase(text: str, pattern: Pattern | None) -> list[str] | None:
    """Return the components of *text* in order, or None when it does not split as *pattern* says."""
    if pattern is None:
        return None
    parts = text.split(pattern.join) if len(pattern.parts) > 1 else [text]
    return parts if len(parts) == len(pattern.parts) else None
