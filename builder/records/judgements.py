"""Records of human judgements: one answer, the scores that answers come to, and the row a release has of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ncimp.builder.records.words import CompoundClass, Split

Kind = Literal["item", "gold", "attention"]
Mode = Literal["token", "type"]
Status = Literal["judged", "unknown", "nonsense"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One anonymised answer of one annotator (`annotation`)."""

    campaign: str
    platform: str
    annotator: str
    assignment: str
    task_id: str
    kind: Kind
    mode: Mode
    lang: str
    compound_id: str
    item_id: str | None
    context: str | None
    status: Status
    head: int | None
    modifier: int | None
    comp: int | None
    synonyms: tuple[str, ...]
    day: str | None
    seconds: int | None
    passed: bool | None
    excluded: str | None
    simulated: bool


@dataclass(frozen=True, slots=True)
class ReleasedAnnotation:
    """One row of the release's table `annotations` (`released_annotation`)."""

    id: str
    lang: str
    compound_id: str
    item_id: str | None
    context: str | None
    mode: Mode
    campaign: str
    platform: str
    annotator: str
    status: Status
    head: int | None
    modifier: int | None
    comp: int | None
    synonyms: tuple[str, ...]
    day: str | None
    seconds: int | None
    excluded: str | None
    simulated: bool
    split: Split
    licence: str
    release: str


@dataclass(frozen=True, slots=True)
class Score:
    """One row of a scores file (`score`)."""

    level: Literal["compound", "sentence"]
    lang: str
    compound_id: str
    item_id: str | None
    comp: float | None
    comp_sd: float | None
    comp_n: int
    comp_low: float | None
    comp_high: float | None
    head: float | None
    head_sd: float | None
    head_n: int
    modifier: float | None
    modifier_sd: float | None
    modifier_n: int
    soft: str
    class_from_scores: CompoundClass | None
    type_paraphrases: str | None
    token_paraphrases: str | None
    simulated: bool
    source: str
