"""Records of a language pack: its tables, and what `pack.toml` says of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ncimp.builder.records.inflection import Inflection
from ncimp.builder.records.words import CompoundClass, Gender, Genre, Number, Onset, Span, Split

ANY = "*"
"""In exclusions.tsv: any word."""


@dataclass(frozen=True, slots=True)
class Compound:
    """One noun compound of a language pack (`pack_compound`)."""

    text: str
    modifier: str
    head: str
    head_index: int
    pattern: str
    gender: Gender | None
    number: Number
    countability: Literal["count", "mass"]
    compound_class: CompoundClass
    sense_note: str
    author: str
    date: str


@dataclass(frozen=True, slots=True)
class TrueSynonym:
    """One true synonym of a whole compound (`pack_synonym`)."""

    compound: str
    rank: int
    text: str
    modifier: str | None
    head: str
    pattern: str
    gender: Gender | None
    overlap_free: bool


@dataclass(frozen=True, slots=True)
class Context:
    """One marked-up sentence around a compound (`context`)."""

    compound: str
    context: str
    number: Number
    genre: Genre
    sentence: str
    source: Literal["authored", "corpus"]
    licence: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in a corpus the sentence of a context stands that must not be passed on (`origin`)."""

    compound: str
    context: str
    document: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Form:
    """One inflected form of one lemma (`form`)."""

    form: str
    lemma: str
    pos: str
    gender: Gender | None
    number: Number | None
    onset: Onset | None


@dataclass(frozen=True, slots=True)
class SplitAssignment:
    """The recorded split of a compound (`split`)."""

    compound: str
    split: Split


@dataclass(frozen=True, slots=True)
class Waiver:
    """An incident that a person has looked at and accepts (`waiver`)."""

    code: str
    place: str
    reason: str
    author: str
    date: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A pair of words that must not stand in for a compound (`exclusion`)."""

    modifier: str
    head: str
    reason: str
    author: str
    date: str


@dataclass(frozen=True, slots=True)
class Override:
    """What a person decided about the synonyms of one component: a word, or the sense that is meant (`override`)."""

    compound: str
    part: Literal["head", "modifier"]
    rank: int
    word: str | None
    sense: str | None
    reason: str
    author: str
    date: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """The shape of a compound: its parts in order, and what stands between them."""

    id: str
    parts: tuple[str, ...]
    head: int
    join: str
    replacement: str
    modifier: Literal["agrees", "number", "fixed"]
    random_modifiers: tuple[str, ...] = ()
    """When not empty, the only modifiers of random compounds of this pattern."""


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A closed-class word that agrees: its forms by (gender, number)."""

    id: str
    kind: str
    cells: Mapping[tuple[Gender, Number], str]


@dataclass(frozen=True, slots=True)
class Alternation:
    """A word whose form depends on the first sound of the next word, such as a / an."""

    rule: str
    consonant: str
    vowel: str


@dataclass(frozen=True, slots=True)
class Content:
    """What the checks of the content of sentences must know of a language."""

    mean_words: float
    """Aim for the mean length of the naturalistic contexts, in words."""
    hedges: tuple[str, ...]
    profanity: tuple[str, ...]
    names: Mapping[str, str]
    """Names of more than one word that a person has looked at, and what each is."""


@dataclass(frozen=True, slots=True)
class Language:
    """What `pack.toml` says of a language."""

    code: str
    name: str
    bcp47: str
    edition: str
    version: str
    licence: str
    author: str
    lexicon: str
    token: str
    patterns: Mapping[str, Pattern]
    frames: Mapping[str, Mapping[str, str]]
    features: tuple[str, ...]
    paradigms: tuple[Paradigm, ...]
    pronouns: tuple[Paradigm, ...]
    """Pronouns that agree with what they stand for; unlike determiners they never stand beside a noun."""
    words: Mapping[str, tuple[str, ...]]
    """Closed-class words by the part they play in a clause (`relative`, `copula`, `clitic` ...)."""
    verb_forms: tuple[tuple[str, str], ...]
    """Irregular finite verbs of the third person: singular and plural of the same tense."""
    verb_endings: tuple[tuple[str, str], ...]
    """Endings of regular finite verbs of the third person, tried in order: singular and plural."""
    endings: tuple[tuple[str, Gender, Number, float], ...]
    """Endings of nouns that no table knows, tried in order: ending, gender, number, how sure that is (0 to 1)."""
    alternations: tuple[Alternation, ...]
    onset_patterns: tuple[tuple[str, Onset], ...]
    content: Content
    tag_classes: Mapping[str, str] = field(default_factory=dict)
    """Expressions over the tags of corpora, by part of speech (`noun`, `adj`, `prep`)."""
    inflection: Inflection = field(default_factory=Inflection)
    withheld: tuple[str, ...] = ()
    """Licences that forbid to pass the sentence of a context on."""


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence whose markup has been read: the NC's span, and carrier words that do or do not agree with it."""

    text: str
    span: Span
    agreeing: tuple[Span, ...] = ()
    fixed: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguagePack:
    """A language pack in memory: its tables checked, its sentences parsed."""

    language: Language
    compounds: tuple[Compound, ...]
    synonyms: tuple[TrueSynonym, ...]
    contexts: tuple[Context, ...]
    forms: tuple[Form, ...]
    splits: tuple[SplitAssignment, ...]
    waivers: tuple[Waiver, ...]
    exclusions: tuple[Exclusion, ...]
    marked: Mapping[tuple[str, str], MarkedSentence]
    """Parsed sentence by (compound, context), neutral frames included."""
    numbers: Mapping[tuple[str, str], Number]
    """Number of the NC by (compound, context)."""
    overrides: tuple[Override, ...] = ()
    origins: tuple[Origin, ...] = ()
    """Where the sentences stand that are released without their text."""
    excluded: frozenset[tuple[str, str]] = field(init=False)
    """The pairs of `exclusions`, which are asked for many times."""

    def __post_init__(self) -> None:
        pairs = frozenset((row.modifier, row.head) for row in self.exclusions)
        object.__setattr__(self, "excluded", pairs)  # the way to set a derived field of a frozen record

    def excludes(self, modifier: str, head: str) -> bool:
        """Tell whether a person has ruled this pair of lemmas out as a random compound, by itself or by one word."""
        return bool(self.excluded & {(modifier, head), (modifier, ANY), (ANY, head)})

    def compound_id(self, text: str) -> str:
        """Return the id `lang/compound` of the compound *text*."""
        return f"{self.language.code}/{text.replace(' ', '-')}"
