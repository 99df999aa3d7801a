"""The scope of a check: the rows of a language, and its pack as tables to look words up in; the registry of checks.

A check is a small function over one scope; its docstring, if it has one, is the note on the page of incident codes.
"""

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from ncimp.builder.config import Matching, Pool
from ncimp.builder.records import (
    WITH_NEXT,
    AttestedItem,
    Compound,
    Context,
    Form,
    Gender,
    Incident,
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
from ncimp.builder.validation.agreement.sound import SoundChecker, plain
from ncimp.schemas.suites import CompositionItem, ConsistencyPair, ReleasedSense, SenseExample

S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., object])

Cell = tuple[Gender | None, Number | None]  # None stands for any
Found = Iterator[tuple[str, str]]  # place and message of every incident of a code

CONTENT = frozenset({"noun", "adj", "verb"})  # parts of speech of words that carry a meaning
FIRST_LINE = 2  # of the rows of a table, below the header
PARADIGM = re.compile(
    rf"<([^<>:]+)(?:{WITH_NEXT})?> ?"
)  # in a join, with the space behind it, which its form has or has not
INNER_MARK = re.compile(r"[-']")  # joins the parts of one word: knee-deep, grandfather's

MEANINGS: dict[str, str] = {}  # by code
NOTES: dict[tuple[str, ...], str] = {}  # for the page, by the codes of a check


def reports(note: str | None = None, **codes: str) -> Callable[[F], F]:
    """Record that the decorated function reports *codes*, each with its meaning, and a *note* for the page."""

    def register(function: F) -> F:
        twice = sorted(MEANINGS.keys() & codes.keys())
        if twice:
            raise ValueError(f"{twice} are the codes of two checks")
        MEANINGS.update(codes)
        if note:
            NOTES[tuple(codes)] = " ".join(inspect.cleandoc(note).split())
        return function

    return register


class Registry(Generic[S]):
    """The checks of one kind of scope."""

    def __init__(self) -> None:
        self._checks: list[tuple[tuple[str, ...], Callable[[S], Iterable[Incident]]]] = []

    def check(self, code: str, meaning: str) -> Callable[[Callable[[S], Found]], object]:
        """Register a function that yields the place and the message of every incident of *code*."""

        def register(function: Callable[[S], Found]) -> object:
            reports(function.__doc__, **{code: meaning})(function)
            self._checks.append(((code,), lambda scope: (Incident(code, *finding) for finding in function(scope))))
            return function

        return register

    def checks(self, **codes: str) -> Callable[[Callable[[S], Iterable[Incident]]], object]:
        """Register a function that yields incidents of several *codes*, which one look at the data finds."""

        def register(function: Callable[[S], Iterable[Incident]]) -> object:
            self._checks.append((tuple(codes), reports(function.__doc__, **codes)(function)))
            return function

        return register

    def incidents(self, scope: S, prefixes: tuple[str, ...]) -> Iterator[Incident]:
        """Yield the incidents in *scope* whose codes begin with one of *prefixes*."""
        for codes, run in self._checks:
            if any(code.startswith(prefixes) for code in codes):
                yield from (incident for incident in run(scope) if incident.code.startswith(prefixes))


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a release, or of one language of it."""

    items: Sequence[Item]
    pairs: Sequence[Pair]
    compounds: Sequence[ReleasedCompound]
    literal: Sequence[Item] = ()  # items in literal contexts: sentences like the others, outside the grid
    attested: Sequence[AttestedItem] = ()  # items in sentences of corpora, outside it, too
    senses: Sequence[ReleasedSense] = ()
    examples: Sequence[SenseExample] = ()  # of the senses
    consistency: Sequence[ConsistencyPair] = ()  # of these with paraphrases
    composition: Sequence[CompositionItem] = ()

    def of(self, lang: str) -> "Tables":
        """Return the rows of the language *lang*."""
        return Tables(
            [row for row in self.items if row.lang == lang],
            [row for row in self.pairs if row.lang == lang],
            [row for row in self.compounds if row.lang == lang],
            [row for row in self.literal if row.lang == lang],
            [row for row in self.attested if row.lang == lang],
            [row for row in self.senses if row.lang == lang],
            [row for row in self.examples if row.lang == lang],
            [row for row in self.consistency if row.lang == lang],
            [row for row in self.composition if row.lang == lang],
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
        self.pack, self.language = pack, pack.language
        self._by_form: defaultdict[str, tuple[Form, ...]] = defaultdict(tuple)  # in small letters
        self._by_lemma: defaultdict[tuple[str, str], list[Form]] = defaultdict(list)
        self.genders: dict[str, Gender | None] = {}  # by noun lemma, of its first row
        for form in pack.forms:
            self._by_form[form.form.lower()] += (form,)
            self._by_lemma[form.lemma, form.pos].append(form)
            if form.pos == "noun":
                self.genders.setdefault(form.lemma, form.gender)
        self.slots = {(row.compound, row.context): row.slot or "" for row in pack.contexts}
        entries: tuple[Compound | TrueSynonym, ...] = (*pack.compounds, *pack.synonyms)
        self.recorded = {row.text: row.parts for row in entries if row.parts}  # one word, cut into its components
        # of a pack that gives nearly every word its first sound, a word without one is an oversight
        self.states_sounds = 2 * sum(form.onset is not None for form in pack.forms) > len(pack.forms)
        self.determiners: defaultdict[str, set[Cell]] = defaultdict(set)  # cells of a closed-class form
        self.kinds: defaultdict[str, set[str]] = defaultdict(set)  # of the paradigms that a form belongs to
        self.families: defaultdict[str, set[str]] = defaultdict(set)  # ids of its paradigms
        for paradigm in (row for row in self.language.paradigms if row.kind != "adj"):  # forms.tsv has its words
            for variant in paradigm.words:
                word = self.key(variant)
                cells = (cell for cell in paradigm.cells if variant in cell.forms)
                self.determiners[word] |= {one for cell in cells for one in self.language.cells(cell)}
                self.kinds[word].add(paradigm.kind)
                self.families[word].add(paradigm.id)
        self.closed = {token for word in self.families for token in word.split()}  # *de* and *la* of *de la*
        self._longest = max((len(word.split()) for word in self.families), default=1)
        self._joins: dict[str, re.Pattern[str]] = {}
        self.sounds = SoundChecker(self.language, self)

    def key(self, text: str) -> str:
        """Return *text* as the tables of closed classes have it: *De l’* is `de l'`."""
        return " ".join(self.tokens(plain(text)))

    def form_at(self, words: Sequence[str], index: int) -> tuple[str, int]:
        """Return the closed-class form of several tokens that begins at *index*, or the word there, and its size."""
        for size in range(self._longest, 1, -1):
            form = self.key(" ".join(words[index : index + size]))
            if form in self.families and len(form.split()) == size:
                return form, size
        return plain(words[index]), 1

    def has_stray_space(self, text: str) -> bool:
        """Tell whether two spaces stand side by side, or one before a mark that has none in this language."""
        marks = "".join(mark for mark in ",.;:!?" if mark not in self.language.content.spaced)
        return re.search(rf"\s\s|\s[{marks}]", text) is not None

    def readings(self, word: str, *pos: str) -> tuple[Form, ...]:
        """Return the readings of *word*, of parts of speech *pos* when any are given."""
        forms = self._by_form.get(word.lower(), ())
        return tuple(form for form in forms if form.pos in pos) if pos else forms

    def knows(self, form: str) -> bool:
        """Tell whether forms.tsv lists *form*."""
        return form.lower() in self._by_form

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
        if self.language.sound is None:
            return ""
        shapes, sound = (word, word.lower()), self.language.sound[1]
        matches = (rule.value for rule in sound.patterns if any(re.match(rule.match, one) for one in shapes))
        return next(matches, sound.default or "")

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
        """Tell whether two words are forms of one lemma or one paradigm."""
        if not self.families.get(self.key(one), set()).isdisjoint(self.families.get(self.key(other), ())):
            return True
        lemmas = {(form.lemma, form.pos) for form in self.readings(one)}
        return bool(lemmas & {(form.lemma, form.pos) for form in self.readings(other)})

    def split(
        self, text: str, pattern: Pattern | None, modifier: str | None, head: str | None, parts: str | None = None
    ) -> list[str] | None:
        """Return the components of *text* in order, or None when it does not split as *pattern* says.

        One word is cut where *parts* has it, or else where it is a form of *modifier* and one of *head*.
        """
        if pattern is None or len(pattern.parts) == 1:
            return [text] if pattern else None
        if pattern.join:
            varies = PARADIGM.search(pattern.join)
            pieces = self._join(pattern.join).split(text.replace("’", "'")) if varies else text.split(pattern.join)
            return pieces if len(pieces) == len(pattern.parts) else None
        first, mark, _ = (parts or "").partition("|")
        lemmas = (modifier, head) if pattern.head else (head, modifier)
        for place in range(1, len(text)):
            cut = [text[:place], text[place:]]
            if cut[0].lower() == first.lower() if mark else all(map(self.is_part, cut, lemmas)):
                return cut
        return None

    def split_item(self, item: Item, text: str | None = None) -> list[str] | None:
        """Return the components of *text*, or of the span of *item*, or None when it is no phrase of its pattern."""
        pattern = self.language.patterns.get(item.pattern or "")
        parts = self.recorded.get(item.replacement)
        return self.split(text or span_text(item), pattern, item.modifier, item.head, parts)

    def is_part(self, part: str, lemma: str | None) -> bool:
        """Tell whether *part* of a word is a form of *lemma*, whichever of them has a capital (*Schwarz|markt*)."""
        return self.is_form(part, lemma) or part.lower() == (lemma or "").lower()

    def misplaced(self, pattern: Pattern | None, modifier: str | None) -> str | None:
        """Return on which side of its noun an adjective stands by *pattern*, if that is the wrong one."""
        places = self.language.adjectives
        if places is None or pattern is None or sorted(pattern.parts) != ["adj", "noun"] or modifier in places.both:
            return None
        before = pattern.parts[0] == "adj"
        return None if before == (modifier in places.before) else f"stands {'before' if before else 'behind'} its noun"

    def is_closed(self, word: str) -> bool:
        """Tell whether *word* is in a form of a closed class: *de* and *la* are in *de la*."""
        return plain(word) in self.closed

    def _join(self, join: str) -> re.Pattern[str]:
        """Return the expression of a *join* that holds a paradigm: any of its forms, with a space where one belongs."""
        if join not in self._joins:
            before, name, after = PARADIGM.split(join, maxsplit=1)
            cells = (cell for row in self.language.paradigms if row.id == name for cell in row.cells)
            forms = {cell.spaced(form) for cell in cells for form in cell.forms}
            choice = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
            self._joins[join] = re.compile(f"{re.escape(before)}(?:{choice}){re.escape(after)}")
        return self._joins[join]

    def parts_of_speech(self, word: str) -> set[str]:
        """Return the parts of speech that forms.tsv knows of *word*."""
        return {form.pos for form in self.readings(word)}

    def may_be(self, word: str, pos: Set[str]) -> bool:
        """Tell whether *word* may be one of these parts of speech; a word that nobody knows (T809) may be."""
        kinds = self.parts_of_speech(word)
        return word not in self.families and (not kinds or not kinds.isdisjoint(pos))

    def lemmas(self, word: str) -> set[str]:
        """Return all that *word* as a whole may be a form of, itself included, in small letters."""
        return {word.lower(), *(form.lemma.lower() for form in self.readings(word))}

    def lemmas_of_parts(self, word: str) -> set[str]:
        """Return the lemmas of *word* and of its parts (*half-opened*)."""
        return set().union(*(self.lemmas(part) for part in {word, *INNER_MARK.split(word)} if part))


@dataclass(frozen=True)
class Scope:
    """The rows of one language and its pack; without rows, the pack alone."""

    pack: LanguagePack
    tables: Tables = Tables((), (), ())
    match: Matching = "components"  # how the random compounds of the release were matched in frequency
    pool: Pool = "composed"  # where they come from

    @cached_property
    def lookup(self) -> Lookup:
        """The forms and paradigms of the pack."""
        return Lookup(self.pack)

    @property
    def lang(self) -> str:
        """Code of the language."""
        return self.pack.language.code

    @cached_property
    def sentences(self) -> Sequence[Item]:
        """The items of the grid, of the literal contexts and of attested ones."""
        return [*self.tables.items, *self.tables.literal, *self.tables.attested]

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


PACK: Registry[Scope] = Registry()  # checks of a pack by itself
LANGUAGE: Registry[Scope] = Registry()  # of the rows of one language against its pack
RELEASE: Registry[Release] = Registry()  # of the tables of all languages together


def fits(cells: Iterable[Cell], gender: Gender | None, number: Number) -> bool:
    """Tell whether one of *cells* allows *gender* and *number*."""
    return any(cell[0] in (None, "c", gender) and cell[1] in (None, number) for cell in cells)


def cells_of(readings: Iterable[Form]) -> list[Cell]:
    """Return the cells of *readings*."""
    return [(form.gender, form.number) for form in readings]


def is_word(token: str) -> bool:
    """Tell whether *token* is a word or a number and not a mark."""
    return any(letter.isalnum() for letter in token)


def span_text(item: Item) -> str:
    """Return the characters of the span of *item*."""
    return item.sentence[item.span[0] : item.span[1]]
