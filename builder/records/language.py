"""A language as `pack.toml` has it: its features, its closed classes by cells, and its patterns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, cast

from ncimp.builder.records.pack_file import AdjectivePlaces, Content, Feature, Inflection, Pattern
from ncimp.builder.records.words import Gender, Number

LINK = "link"  # what a form is for that only begins a closed compound (*Esels*)
WITH_NEXT = ":next"  # behind the paradigm of a join that agrees with the part behind it


@dataclass(frozen=True, slots=True)
class ParadigmCell:
    """A cell of a paradigm: the values of features that it is for, and its forms, of which the first is written."""

    values: Mapping[str, frozenset[str]]
    forms: tuple[str, ...]
    joined: frozenset[str] = frozenset()
    """The forms that have no space behind them (*l'*)."""

    def spaced(self, form: str) -> str:
        """Return *form* with the space behind it, where it has one."""
        return form if form in self.joined else f"{form} "

    def fits(self, features: Mapping[str, str | None]) -> bool:
        """Tell whether the cell is for *features*; a feature that either side leaves open may have any value."""
        return all(features.get(name) in (None, *allowed) for name, allowed in self.values.items())


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A closed-class word that agrees: its forms by the values of features."""

    id: str
    kind: str
    cells: tuple[ParadigmCell, ...]
    governs: Mapping[str, str] = field(default_factory=dict)
    """Values that it gives to the words behind it, by feature."""

    @property
    def words(self) -> frozenset[str]:
        """Return its forms."""
        return frozenset(form for cell in self.cells for form in cell.forms)

    def cell(self, features: Mapping[str, str | None]) -> ParadigmCell | None:
        """Return the first cell for *features*, or None without one."""
        return next((cell for cell in self.cells if cell.fits(features)), None)

    def form(self, features: Mapping[str, str | None]) -> str | None:
        """Return the form that is written for *features*, or None without one; of several cells, that of the first."""
        cell = self.cell(features)
        return cell.forms[0] if cell else None

    def turned(self, word: str, old: Mapping[str, str | None], new: Mapping[str, str | None]) -> str | None:
        """Return the form for *new* features of *word*, which stands for *old* ones; it stays where its cell does."""
        cell = self.cell(new)
        if cell is None:
            return None
        return word if word in cell.forms and cell.fits(old) else cell.forms[0]

    def stands(self, word: str, features: Mapping[str, str | None]) -> bool:
        """Tell whether *word* may stand where *features* are asked for."""
        return any(word in cell.forms and cell.fits(features) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Language:
    """A language, from its `pack.toml`; `AgreementSection` describes the fields on agreement."""

    code: str
    name: str
    bcp47: str
    edition: str
    version: str
    licence: str
    author: str
    lexicon: str
    token: str
    components: str
    patterns: Mapping[str, Pattern]
    frames: Mapping[str, Mapping[str, str]]
    features: Mapping[str, Feature]
    paradigms: tuple[Paradigm, ...]
    pronouns: tuple[Paradigm, ...]
    words: Mapping[str, tuple[str, ...]]
    verb_forms: tuple[tuple[str, str], ...]
    verb_endings: tuple[tuple[str, str], ...]
    endings: tuple[tuple[str, Gender, Number, float], ...]
    content: Content
    tag_classes: Mapping[str, str] = field(default_factory=dict)
    """Expressions over the tags of corpora, by part of speech (`noun`, `adj`, `prep`)."""
    inflection: Inflection = field(default_factory=Inflection)
    withheld: Annotated[tuple[str, ...], "Licences that forbid to pass the sentence of a context on."] = ()
    never: tuple[str, ...] = ()
    adjectives: AdjectivePlaces | None = None

    @property
    def agrees(self) -> bool:
        """Whether words agree with a noun in anything but its first sound."""
        return any(feature.source in ("head", "slot") for feature in self.features.values())

    def cells(self, cell: ParadigmCell | None = None) -> tuple[tuple[Gender | None, Number], ...]:
        """Return every gender and number of a noun, those of *cell* where one is given; none where nothing agrees."""
        genders, numbers = (
            [value for value in feature.values if cell is None or value in cell.values.get(name, feature.values)]
            if (feature := self.features.get(name)) else [None]
            for name in ("gender", "number")
        )  # fmt: skip
        pairs = ((gender, number or "sg") for number in numbers for gender in genders)
        return tuple(cast(tuple[Gender | None, Number], pair) for pair in pairs) if self.agrees else ()

    @property
    def citation(self) -> tuple[tuple[str, str], ...]:
        """The features besides gender and number of a phrase that stands alone: the first value or default of each."""
        rows = ((name, row) for name, row in self.features.items() if name not in ("gender", "number"))
        stable = ((name, row) for name, row in rows if row.source in ("slot", "determiner"))
        return tuple((name, row.usual) for name, row in stable)

    def joins(self, pattern: Pattern) -> tuple[str, ...]:
        """Return every text that *pattern* may have between its parts: *de* and *d'* with their spaces."""
        before, mark, rest = pattern.join.partition("<")
        if not mark:
            return (pattern.join,)
        name, _, after = rest.partition(">")
        cells = (cell for row in self.paradigms if row.id == name.removesuffix(WITH_NEXT) for cell in row.cells)
        forms = (cell.spaced(form) for cell in cells for form in cell.forms)
        return tuple(dict.fromkeys(f"{before}{form}{after}" for form in forms))

    def cut(self, text: str, pattern: Pattern, parts: str | None = None) -> tuple[str, ...] | None:
        """Return the parts of the phrase *text*, those of one word by its recorded *parts*; None where it differs."""
        if len(pattern.parts) == 1:
            return (text,)
        if not pattern.join:
            cut = tuple((parts or "").split("|"))
            lengths = len(cut) == len(pattern.parts)
            start = len(cut[0])  # of another form of the word, the first part is as long
            return (text[:start], text[start:]) if lengths and len(text) > start else None
        several = (tuple(text.split(join)) for join in self.joins(pattern))
        return next((words for words in several if len(words) == len(pattern.parts)), None)

    @property
    def says_more(self) -> bool:
        """Whether words agree in more than gender and number, so that one may change where both stay."""
        return self.agrees and len(self.features) > len({"gender", "number"} & self.features.keys())

    @property
    def sound(self) -> tuple[str, Feature] | None:
        """The feature of the next sound with its name, where words depend on it (*a, an*)."""
        return next((row for row in self.features.items() if row[1].source == "next sound"), None)
