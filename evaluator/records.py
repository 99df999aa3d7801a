"""Records of an evaluation: the rows of its files, each described by the JSON schema of its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

LevelName = Literal["sentence", "nc"]
"""Whole sentences, or the spans of the NC and its replacements."""

ClassName = Literal["idiomatic", "partly_compositional", "compositional"]
"""Expert class of a compound."""

ContextKind = Literal["naturalistic", "neutral", "all"]
"""Which contexts a figure is over."""

Context = Literal["nat1", "nat2", "nat3", "neut_short", "neut_long"]
"""One of the five sentences of a compound."""

Variant = Literal[
    "orig", "syn", "head", "mod", "ws1", "ws2", "ws3", "ws4", "ws5", "rand1", "rand2", "rand3", "rand4", "rand5"
]
"""What stands in the place of the NC."""

Score = Literal["human", "expert_class"]
"""What rho is with."""

Outcome = Literal["met", "not met", "undecided"]
"""What a rule of the scorecard decides."""


@dataclass(frozen=True, slots=True)
class Model:
    """What the vectors are from (`model`); without a hash where there are no files."""

    name: str
    kind: str
    sha256: str | None
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Signature:
    """All that an evaluation depends on (`signature`)."""

    release: str
    logical_sha256: str
    model: Model
    options: Mapping[str, Any]
    seed: int
    code_version: str


@dataclass(frozen=True, slots=True)
class Result:
    """One figure (`result`)."""

    release: str
    model: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    measure: str
    mean: float | None
    rho: float | None
    p: float | None
    p_holm: float | None
    low: float | None
    high: float | None
    n: int
    missing: int
    score: Score


@dataclass(frozen=True, slots=True)
class ScorecardLine:
    """One linguistic prediction, tested (`scorecard_line`)."""

    model: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    measure: str
    aspect: Literal["level", "correlation"]
    wanted: str
    published: bool
    outcome: Outcome
    compound_class: ClassName | None
    effect: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a measure is distributed over the compounds of a class (`distribution`)."""

    model: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    measure: str
    compound_class: Literal["idiomatic", "partly_compositional", "compositional", "all"]
    n: int
    missing: int
    mean: float | None
    low: float | None
    high: float | None
    sd: float | None
    minimum: float | None
    q05: float | None
    q25: float | None
    median: float | None
    q75: float | None
    q95: float | None
    maximum: float | None


@dataclass(frozen=True, slots=True)
class Partial:
    """Rho of a measure with the score when something else is held constant (`partial`)."""

    model: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    measure: str
    given: Literal["overlap", "length", "frequency", "all"]
    rho: float | None
    rho_plain: float | None
    p: float | None
    p_holm: float | None
    low: float | None
    high: float | None
    n: int
    missing: int


@dataclass(frozen=True, slots=True)
class Standardised:
    """A figure before and after the vectors are standardised (`standardised`)."""

    model: str
    method: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    measure: str
    mean_before: float | None
    mean_after: float | None
    rho_before: float | None
    rho_after: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Experiment:
    """One figure of the experiments of NCTTI (`experiment`)."""

    model: str
    lang: str
    experiment: Literal["phrase", "words", "nuance", "spread"]
    level: LevelName
    unit: Literal["token", "type"]
    rho: float | None
    p: float | None
    p_holm: float | None
    low: float | None
    high: float | None
    n: int
    compounds: int
    missing: int


@dataclass(frozen=True, slots=True)
class Missing:
    """How many items of one kind have no vector (`missing`)."""

    lang: str
    level: LevelName
    context: Context
    variant: Variant
    items: int
    missing: int


@dataclass(frozen=True, slots=True)
class Document:
    """What `results.json` holds (`evaluation`)."""

    format: Literal[1]
    signature: Signature
    results: tuple[Result, ...]
    scorecard: tuple[ScorecardLine, ...]
    distributions: tuple[Distribution, ...]
    baselines: tuple[Result, ...]
    baseline_scorecard: tuple[ScorecardLine, ...]
    partial: tuple[Partial, ...]
    overlap_free: tuple[Result, ...]
    standardised: tuple[Standardised, ...]
    experiments: tuple[Experiment, ...]
    missing: tuple[Missing, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvaluatedItem:
    """One item at one level: a row of `items.parquet` (`evaluated_item`)."""

    id: str
    lang: str
    compound_id: str
    compound: str
    compound_class: ClassName
    comp: float | None
    context: str
    context_kind: Literal["naturalistic", "neutral"]
    probe: Literal["orig", "PSyn", "PComp", "PWordsSyn", "PRand"]
    variant: str
    level: LevelName
    similarity: float | None
    has_vector: bool
    overlap: float | None
    tokens: int


@dataclass(frozen=True, slots=True)
class EvaluatedSentence:
    """One measure of one compound in one sentence: a row of `sentences.parquet` (`evaluated_sentence`)."""

    lang: str
    compound_id: str
    compound: str
    compound_class: ClassName
    comp: float | None
    context: str
    context_kind: Literal["naturalistic", "neutral"]
    level: LevelName
    measure: str
    value: float | None


@dataclass(frozen=True, slots=True)
class EvaluatedCompound:
    """One measure of one compound: a row of `compounds.parquet` (`evaluated_compound`)."""

    lang: str
    compound_id: str
    compound: str
    compound_class: ClassName
    comp: float | None
    context_kind: ContextKind
    level: LevelName
    measure: str
    value: float | None
    sentences: int


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """One model on one kind of contexts at one level (`leaderboard_line`)."""

    place: int
    model: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    met: int
    not_met: int
    undecided: int
    rho: float | None
    low: float | None
    high: float | None
    affinity: float | None
    scaled: float | None
    n: int
    missing: int


@dataclass(frozen=True, slots=True)
class CorrelogramCell:
    """How alike two models order the compounds (`correlogram_cell`)."""

    first: str
    second: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    measure: str
    rho: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Two models on the same compounds (`difference`)."""

    first: str
    second: str
    lang: str
    context_kind: ContextKind
    level: LevelName
    measure: str
    quantity: Literal["mean", "rho"]
    first_value: float | None
    second_value: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `comparison.json` holds (`comparison`)."""

    format: Literal[1]
    release: str
    logical_sha256: str
    code_version: str
    resamples: int
    seed: int
    signatures: tuple[Signature, ...]
    leaderboard: tuple[LeaderboardLine, ...]
    correlogram: tuple[CorrelogramCell, ...]
    differences: tuple[Difference, ...]
