"""Records between selection, filling and the release's tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ncimp.builder.records.words import CompoundClass, ContextSource, Gender, Genre, Number, Relation, Span


@dataclass(frozen=True, slots=True)
class Candidate:
    """A synonym of a component as a lexicon offers it, before any choice."""

    lemma: str
    pos: str
    synset: str
    relation: Relation
    sense: int
    """Rank of the component's sense, from 1; 0 where the lexicon does not rank them."""
    position: int
    """Place in the synset, from 1; 0 where the lexicon does not rank them."""
    start: str = ""
    """Synset of the component's own sense, from which the word was reached; for `indirect`, the word before it."""


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
    uncertain: tuple[str, ...]
    """Rules of agreement that could not decide on a word of the carrier."""
    context_source: ContextSource
    genre: Genre | None
    licence: str
