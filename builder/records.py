"""The records that rooms hand to each other: frozen, and the same, field by field, as their JSON Schemas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

CompoundClass = Literal["idiomatic", "partly_compositional", "compositional"]
Gender = Literal["m", "f", "n", "c"]
Number = Literal["sg", "pl"]
Onset = Literal["vowel", "consonant"]
Relation = Literal["synonym", "similar", "hypernym"]
ContextSource = Literal["authored", "corpus", "frame"]
Split = Literal["train", "validation", "test", "bridge"]
Span = tuple[int, int]
"""Half-open [start, end)."""

CLASSES: tuple[CompoundClass, ...] = ("idiomatic", "partly_compositional", "compositional")
NATURALISTIC = ("nat1", "nat2", "nat3")
NEUTRAL = ("neut_short", "neut_long")
CONTEXTS = NATURALISTIC + NEUTRAL
WORDS_SYN = tuple(f"ws{k}" for k in range(1, 6))
RANDOMS = tuple(f"rand{k}" for k in range(1, 6))
COMPONENTS = ("head", "mod")
VARIANTS = ("orig", "syn", *COMPONENTS, *WORDS_SYN, *RANDOMS)
"""The 14 variants of a context, in the order of the release."""

PROBES: Mapping[str, str] = {
    "orig": "orig",
    "syn": "PSyn",
    **dict.fromkeys(COMPONENTS, "PComp"),
    **dict.fromkeys(WORDS_SYN, "PWordsSyn"),
    **dict.fromkeys(RANDOMS, "PRand"),
}
"""Probe of each variant (design, section 2)."""


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
    genre: str
    sentence: str
    source: Literal["authored", "corpus"]
    licence: str


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
class Source:
    """One input of a build (`source`)."""

    name: str
    kind: str
    version: str
    licence: str
    citation: str
    address: str | None
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Pattern:
    """The shape of a compound: its parts in order, and what stands between them."""

    id: str
    parts: tuple[str, ...]
    head: int
    join: str
    replacement: str
    modifier: Literal["agrees", "fixed"]


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
    alternations: tuple[Alternation, ...]
    onset_patterns: tuple[tuple[str, Onset], ...]


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

    def excludes(self, modifier: str, head: str) -> bool:
        """Tell whether this pair of lemmas is one that a person has ruled out."""
        return any(row.modifier == modifier and row.head == head for row in self.exclusions)

    def compound_id(self, text: str) -> str:
        """Return the id `lang/compound` of the compound *text*."""
        return f"{self.language.code}/{text.replace(' ', '-')}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A synonym of a component as a lexicon offers it, before any choice."""

    lemma: str
    pos: str
    synset: str
    relation: Relation
    sense: int
    """Rank of the component's sense, from 1."""
    position: int
    """Place in the synset, from 1."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """What stands in the place of a compound in one variant, and why (`replacement`)."""

    compound_id: str
    variant: str
    text: str
    modifier: str | None
    head: str | None
    pattern: str | None
    gender: Gender | None
    source: str
    modifier_synset: str | None = None
    head_synset: str | None = None
    modifier_relation: Relation | None = None
    head_relation: Relation | None = None
    rank: int | None = None
    modifier_zipf: float | None = None
    head_zipf: float | None = None
    modifier_delta: float | None = None
    head_delta: float | None = None
    mean_delta: float | None = None
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class CarrierEdit:
    """One change outside the span: where the word now starts, before, after, and the rule."""

    start: int
    before: str
    after: str
    rule: str


@dataclass(frozen=True, slots=True)
class FilledItem:
    """One sentence of the grid as filling makes it (`filled`)."""

    id: str
    lang: str
    compound_id: str
    compound: str
    compound_class: CompoundClass
    context: str
    context_kind: Literal["naturalistic", "neutral"]
    probe: str
    variant: str
    sentence: str
    span: Span
    tokens: tuple[str, ...]
    token_span: Span
    replacement: str
    pattern: str | None
    gender: Gender | None
    number: Number
    carrier_edits: tuple[CarrierEdit, ...]
    context_source: ContextSource
    licence: str


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the release's table `sentences` (`item`)."""

    id: str
    lang: str
    compound_id: str
    compound: str
    compound_class: CompoundClass
    context: str
    context_kind: Literal["naturalistic", "neutral"]
    probe: str
    variant: str
    sentence: str
    span: Span
    tokens: tuple[str, ...]
    token_span: Span
    replacement: str
    pattern: str | None
    gender: Gender | None
    number: Number
    carrier_edits: tuple[CarrierEdit, ...]
    head: str | None
    modifier: str | None
    source: str
    modifier_synset: str | None
    head_synset: str | None
    modifier_relation: Relation | None
    head_relation: Relation | None
    rank: int | None
    modifier_zipf: float | None
    head_zipf: float | None
    modifier_delta: float | None
    head_delta: float | None
    mean_delta: float | None
    explanation: str
    context_source: ContextSource
    split: Split
    licence: str
    release: str


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the release's table `pairs` (`pair`): the original and another item of the same context."""

    id: str
    lang: str
    compound_id: str
    compound: str
    compound_class: CompoundClass
    comp: float | None
    context: str
    context_kind: Literal["naturalistic", "neutral"]
    probe: str
    variant: str
    sentence1: str
    span1: Span
    sentence2: str
    span2: Span
    replacement: str
    split: Split
    licence: str
    release: str


@dataclass(frozen=True, slots=True)
class ReleasedSynonym:
    """A true synonym as the table `compounds` lists it."""

    text: str
    overlap_free: bool


@dataclass(frozen=True, slots=True)
class ReleasedCompound:
    """One row of the release's table `compounds` (`compound`)."""

    id: str
    lang: str
    compound: str
    modifier: str
    head: str
    head_index: int
    pattern: str
    gender: Gender | None
    number: Number
    countability: Literal["count", "mass"]
    compound_class: CompoundClass
    sense_note: str
    comp: float | None
    comp_head: float | None
    comp_modifier: float | None
    synonyms: tuple[ReleasedSynonym, ...]
    modifier_zipf: float | None
    head_zipf: float | None
    zipf_source: str
    compound_count: int | None
    pmi: float | None
    ppmi: float | None
    count_source: str | None
    benchmarks: tuple[str, ...]
    split: Split
    licence: str
    release: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """One anonymised human judgement of one sentence (`annotation`)."""

    item_id: str
    annotator: str
    campaign: str
    head: int | None
    modifier: int | None
    comp: int | None
    paraphrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """One file of a release, as its manifest lists it."""

    path: str
    bytes: int
    sha256: str
    rows: int | None
    logical_sha256: str | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a release is, file by file, and what it was made from (`manifest`)."""

    format: Literal[1]
    name: Literal["ncimp"]
    release: str
    code_version: str
    edition: str
    languages: tuple[str, ...]
    options: Mapping[str, object]
    inputs: tuple[Source, ...]
    files: tuple[ReleaseFile, ...]
    logical_sha256: str
    counts: Mapping[str, object]
    matching: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Incident:
    """One problem that validation found (`incident`)."""

    code: str
    place: str
    message: str
    waived: bool = False
