"""The rows of the statistics of a release: what each figure counts, and its unit."""

from __future__ import annotations

from dataclasses import dataclass

from ncimp.builder.records import CompoundClass, Genre, Split
from ncimp.builder.release.statistics.values import Summary


@dataclass(frozen=True, slots=True)
class CompoundRow:
    """How many compounds of a language, class, split and pattern there are."""

    lang: str
    compound_class: CompoundClass
    split: Split
    pattern: str
    compounds: int


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """How many sentences of a language, variant and kind of context (naturalistic, neutral, literal) there are."""

    lang: str
    probe: str
    variant: str
    context_kind: str
    sentences: int


@dataclass(frozen=True, slots=True)
class LengthRow:
    """Words of the original sentences of a context; `naturalistic` is nat1 to nat3 together."""

    lang: str
    context: str
    words: Summary


@dataclass(frozen=True, slots=True)
class PositionRow:
    """Where the NC stands in the original sentences of a context: relative (0 to 1), and how many in each third."""

    lang: str
    context: str
    relative: Summary
    first: int
    middle: int
    last: int
    at_start: int
    """Sentences in which no word stands before the NC; they are counted in `first`, too."""
    after_one_word: int
    """Sentences in which one word, such as an article, stands before it."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """|Difference of log10 frequency| of the random compounds of a class (`all`: of every class)."""

    lang: str
    compound_class: str
    worse: Summary
    """The larger difference of the two components."""
    mean: Summary
    """The difference of the mean frequency of both words."""
    within_median_target: int
    """Random compounds whose worse difference is at most 0.10."""
    within_p90_target: int
    """Random compounds whose worse difference is at most 0.25."""


@dataclass(frozen=True, slots=True)
class RelationRow:
    """How the words of one variant (ws1 to ws5) stand to one component, over the compounds, and their ranks."""

    lang: str
    component: str
    variant: str
    synonym: int
    similar: int
    hypernym: int
    other: int
    """Farther relations, and words that a pack has chosen."""
    unknown: int
    rank: Summary | None


@dataclass(frozen=True, slots=True)
class EditRow:
    """How often one rule changed the carrier, and in how many sentences of the grid."""

    lang: str
    rule: str
    edits: int
    sentences: int


@dataclass(frozen=True, slots=True)
class SynonymRow:
    """True synonyms per compound, and the overlap-free ones: those that share no lemma with the compound."""

    lang: str
    per_compound: Summary
    """Synonyms of a compound."""
    synonyms: int
    overlap_free: int
    compounds_with_overlap_free: int
    first_overlap_free: int
    """Compounds whose first synonym, the variant `syn`, is overlap-free."""


@dataclass(frozen=True, slots=True)
class GenreRow:
    """How many original sentences of the naturalistic contexts, and of the literal ones, are of a genre."""

    lang: str
    genre: Genre | None
    naturalistic: int
    literal: int


@dataclass(frozen=True, slots=True)
class LiteralRow:
    """How many compounds of a class have a context in the literal sense, and its sentences."""

    lang: str
    compound_class: CompoundClass
    compounds: int
    sentences: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything that `ncimp describe` tells of a release."""

    release: str
    edition: str
    logical_sha256: str
    languages: tuple[str, ...]
    compounds: tuple[CompoundRow, ...]
    sentences: tuple[SentenceRow, ...]
    lengths: tuple[LengthRow, ...]
    positions: tuple[PositionRow, ...]
    matching: tuple[MatchRow, ...]
    relations: tuple[RelationRow, ...]
    carrier_edits: tuple[EditRow, ...]
    synonyms: tuple[SynonymRow, ...]
    genres: tuple[GenreRow, ...]
    literal: tuple[LiteralRow, ...]
