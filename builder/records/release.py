"""Records of a release: the rows of its tables, its manifest, and what validation finds in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ncimp.builder.records.items import FilledItem
from ncimp.builder.records.words import CompoundClass, ContextSource, Gender, Number, Relation, Span, Split


@dataclass(frozen=True, slots=True)
class Item(FilledItem):
    """One row of the table `sentences` (`item`): a filled item, where its replacement is from, and its split."""

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
    split: Split
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
    context_source: ContextSource
    licence: str
    release: str


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One change of a text: the characters from start to end give way to others."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A part of a text, in characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Standoff:
    """One row of the release's table `standoff`: an item without its text, and how to make it of its corpus."""

    id: str
    lang: str
    document: str
    start: int
    length: int
    edits: tuple[TextEdit, ...]
    tokens: tuple[TextSpan, ...]
    sha256: str
    licence: str
    split: Split
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
    comp_sd: float | None
    comp_n: int | None
    class_from_scores: CompoundClass | None
    comp_source: str | None
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
    source: str
    licence: str
    release: str


@dataclass(frozen=True, slots=True)
class Incident:
    """One problem that validation found (`incident`)."""

    code: str
    place: str
    message: str
    waived: bool = False
