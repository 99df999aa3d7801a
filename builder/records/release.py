"""Records of a release: the rows of its tables, its manifest, and what validation finds in it."""

from dataclasses import dataclass
from typing import Annotated, Literal

from ncimp.builder.records.items import FilledItem
from ncimp.builder.records.words import (
    CompoundClass,
    ContextSource,
    Gender,
    GridContext,
    Number,
    Probe,
    Relation,
    Split,
    Variant,
)
from ncimp.schemas.tables import (
    CompoundId,
    Count,
    HeadIndex,
    IncidentCode,
    ItemId,
    Lang,
    Ordinal,
    Sha256,
    Span,
    Version,
)


@dataclass(frozen=True, slots=True)
class Item(FilledItem):
    """One sentence of the release: compound x context x variant."""

    head: Annotated[str | None, "Lemma of the head of the span, when it has one."]
    modifier: Annotated[str | None, "Lemma of the modifier of the span, when it has one."]
    source: Annotated[str, "Lexicon or table the replacement was drawn from."]
    modifier_synset: Annotated[str | None, "Synset the modifier was found in."]
    head_synset: Annotated[str | None, "Synset the head was found in."]
    modifier_relation: Annotated[Relation | None, "How the modifier stands to the NC's modifier."]
    head_relation: Annotated[Relation | None, "How the head stands to the NC's head."]
    rank: Annotated[int | None, "Place among the candidates, from 1."]
    modifier_zipf: Annotated[float | None, "Zipf value (log10 of the frequency per billion words) of the modifier."]
    head_zipf: Annotated[float | None, "Zipf value of the head."]
    modifier_delta: Annotated[float | None, "Zipf value of the modifier minus that of the NC's modifier."]
    head_delta: Annotated[float | None, "Zipf value of the head minus that of the NC's head."]
    mean_delta: Annotated[float | None, "log10 of the mean frequency of both words minus the same of the NC."]
    explanation: Annotated[str, "Why this one, in a sentence."]
    split: Annotated[Split, "Split of the compound."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class Pair:
    """The original item of a context and another item of the same context."""

    id: Annotated[str, "Id of the second item."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[CompoundId, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    compound_class: Annotated[CompoundClass, "Expert class of the NC."]
    comp: float | None
    """Human compositionality score, 0 (idiomatic) to 5 (compositional), where a scores source was given."""
    context: Annotated[GridContext, "Which sentence."]
    context_kind: Annotated[Literal["naturalistic", "neutral"], "Naturalistic or neutral."]
    probe: Annotated[Probe, "Which probe the variant belongs to; `orig` for the original."]
    variant: Annotated[Variant, "What stands in the place of the NC."]
    sentence1: Annotated[str, "The sentence with the original NC."]
    span1: Annotated[Span, "Characters [start, end) of the NC in it."]
    sentence2: Annotated[str, "The sentence with the replacement."]
    span2: Annotated[Span, "Characters [start, end) of the replacement in it."]
    replacement: Annotated[str, "The text of the span in its citation form."]
    split: Annotated[Split, "Split of the compound."]
    context_source: Annotated[ContextSource, "Where the carrier of both sentences is from."]
    licence: Annotated[str, "SPDX id of the licence of both sentences."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One change of a text: the characters from start to end give way to others."""

    start: Annotated[Count, "Where the part that goes starts, in characters."]
    end: Annotated[Count, "Where that part ends, in characters."]
    text: Annotated[str, "What stands there instead."]


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A part of a text, in characters."""

    start: Annotated[Count, "Where it starts, in characters."]
    end: Annotated[Count, "Where it ends, in characters."]


@dataclass(frozen=True, slots=True)
class Standoff:
    """A sentence that is released without its text: where that stands in its corpus, and what to do with it."""

    id: Annotated[ItemId, "Id of the item in `sentences` or `literal`."]
    lang: Annotated[Lang, "Language id."]
    document: Annotated[str, "Id of the document in its corpus."]
    start: Annotated[Count, "Characters of the document before the text."]
    length: Annotated[Ordinal, "Length of the text there, in characters."]
    edits: tuple[TextEdit, ...]
    """Changes that make the item's sentence of the text, in order; they hold no word of it."""
    tokens: Annotated[tuple[TextSpan, ...], "The tokens of the item's sentence, by place."]
    sha256: Annotated[Sha256, "The sha256 (hex) of the item's sentence in UTF-8."]
    licence: Annotated[str, "Licence of the text."]
    split: Annotated[Split, "Split of the compound."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class ReleasedSynonym:
    """A true synonym as the table `compounds` lists it."""

    text: Annotated[str, "A true synonym of the NC."]
    overlap_free: Annotated[bool, "Whether it shares no lemma with the NC."]


@dataclass(frozen=True, slots=True)
class ReleasedCompound:
    """One noun compound of the release."""

    id: Annotated[CompoundId, "lang/compound."]
    lang: Annotated[Lang, "Language id."]
    compound: Annotated[str, "The NC in its citation form."]
    modifier: Annotated[str, "Lemma of the modifier."]
    head: Annotated[str, "Lemma of the head."]
    head_index: Annotated[HeadIndex, "Position of the head among the two components."]
    pattern: Annotated[str, "Pattern of the NC."]
    gender: Annotated[Gender | None, "Grammatical gender."]
    number: Annotated[Number, "Number of the citation form."]
    countability: Annotated[Literal["count", "mass"], "Count or mass."]
    compound_class: Annotated[CompoundClass, "Expert class of the NC."]
    sense_note: Annotated[str, "What the NC means."]
    comp: Annotated[float | None, "Human compositionality score of the whole; empty without a scores source."]
    comp_head: Annotated[float | None, "Human score of the head's contribution; empty without a scores source."]
    comp_modifier: Annotated[float | None, "Human score of the modifier's contribution; empty without a scores source."]
    comp_sd: float | None
    """Standard deviation (n - 1) of the judgements behind `comp`; empty without a scores source."""
    comp_n: Annotated[int | None, "Judgements behind `comp`; empty without a scores source."]
    class_from_scores: CompoundClass | None
    """Class by `comp` (idiomatic below 1.5, partly_compositional below 3.5, compositional above), beside the expert
    class; empty without a scores source."""
    comp_source: str | None
    """Mode and campaigns of the judgements behind `comp`, after `simulated` where a program gave them; empty without a
    scores source."""
    synonyms: Annotated[tuple[ReleasedSynonym, ...], "True synonyms, best first."]
    modifier_zipf: Annotated[float | None, "Zipf value of the modifier."]
    head_zipf: Annotated[float | None, "Zipf value of the head."]
    zipf_source: Annotated[str, "Where the Zipf values are from."]
    compound_count: Annotated[int | None, "Count of the NC; empty where no corpus was counted."]
    pmi: Annotated[float | None, "Pointwise mutual information of the components; empty where no corpus was counted."]
    ppmi: Annotated[float | None, "Positive PMI; empty where no corpus was counted."]
    count_source: Annotated[str | None, "Corpus the count, PMI and PPMI are from."]
    benchmarks: Annotated[tuple[str, ...], "Other benchmarks that hold the NC, where known."]
    split: Annotated[Split, "Split of the compound."]
    source: Annotated[str, "Input of the manifest that the compound is from, with its version."]
    licence: Annotated[str, "SPDX id."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class Incident:
    """One problem that validation found (`incident`)."""

    code: Annotated[IncidentCode, "Stable code."]
    place: Annotated[str, "Item id, table row or file with line and column."]
    message: Annotated[str, "What is wrong and what to do."]
    waived: Annotated[bool, "Whether a waiver in the pack accepts it."] = False
