"""Records between selection, filling and the release's tables."""

from dataclasses import dataclass
from typing import Annotated, Literal

from ncimp.builder.records.words import (
    CompoundClass,
    ContextSource,
    Gender,
    Genre,
    Number,
    Probe,
    Relation,
    SentenceContext,
    Variant,
)
from ncimp.schemas.tables import CompoundId, Count, ItemId, Lang, Ordinal, Span


@dataclass(frozen=True, slots=True)
class SynonymCandidate:
    """A synonym of a component as a lexicon offers it, before any choice."""

    lemma: str
    pos: str
    synset: str
    relation: Relation
    sense: Annotated[int, "Rank of the component's sense, from 1; 0 where the lexicon does not rank them."]
    position: Annotated[int, "Place in the synset, from 1; 0 where the lexicon does not rank them."]
    start: str = ""
    """Synset of the component's own sense, from which the word was reached; for `indirect`, the word before it."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The words that replace a compound in one variant, and their source."""

    compound_id: Annotated[CompoundId, "The NC it replaces."]
    variant: Annotated[Variant, "Its variant."]
    text: Annotated[str, "Citation form."]
    modifier: Annotated[str | None, "Lemma of its modifier, when it has one."]
    head: Annotated[str | None, "Lemma of its head, when it has one."]
    pattern: Annotated[str | None, "Pattern it follows; empty for a single component taken over as it stands."]
    gender: Annotated[Gender | None, "Grammatical gender of its head."]
    source: Annotated[str, "Lexicon or table it was drawn from."]
    modifier_synset: Annotated[str | None, "Synset the modifier was found in."] = None
    head_synset: Annotated[str | None, "Synset the head was found in."] = None
    modifier_relation: Annotated[Relation | None, "How the modifier stands to the NC's modifier."] = None
    head_relation: Annotated[Relation | None, "How the head stands to the NC's head."] = None
    rank: Annotated[int | None, "Place among the candidates, from 1."] = None
    modifier_zipf: float | None = None
    """Zipf value (log10 of the frequency per billion words) of the modifier."""
    head_zipf: Annotated[float | None, "Zipf value of the head."] = None
    modifier_delta: Annotated[float | None, "Zipf value of the modifier minus that of the NC's modifier."] = None
    head_delta: Annotated[float | None, "Zipf value of the head minus that of the NC's head."] = None
    mean_delta: Annotated[float | None, "log10 of the mean frequency of both words minus the same of the NC."] = None
    explanation: Annotated[str, "Why this one, in a sentence."] = ""


@dataclass(frozen=True, slots=True)
class CarrierEdit:
    """One change outside the span: where the word now starts, before, after, and the rule."""

    start: Annotated[Count, "Character offset in the item's sentence where the changed word now starts."]
    before: Annotated[str, "The word as the context had it."]
    after: Annotated[str, "The word now."]
    rule: Annotated[str, "Name of the rule that changed it."]


@dataclass(frozen=True, slots=True)
class FilledItem:
    """One sentence of the grid as filling makes it (`filled`)."""

    id: Annotated[ItemId, "lang/compound/context/variant."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[CompoundId, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    compound_class: Annotated[CompoundClass, "Expert class of the NC."]
    context: Annotated[SentenceContext, "Which sentence; `literal` has the NC in its literal sense, outside the grid."]
    context_kind: Annotated[Literal["naturalistic", "neutral"], "Naturalistic or neutral."]
    probe: Annotated[Probe, "Which probe the variant belongs to; `orig` for the original."]
    variant: Annotated[Variant, "What stands in the place of the NC."]
    sentence: Annotated[str, "The sentence."]
    span: Annotated[Span, "Characters [start, end) of the NC or its replacement in the sentence."]
    tokens: Annotated[tuple[str, ...], "The sentence in tokens."]
    token_span: Annotated[Span, "Tokens [start, end) of the span."]
    replacement: Annotated[str, "The text of the span in its citation form."]
    pattern: Annotated[str | None, "Pattern the span follows; empty for a single component."]
    gender: Annotated[Gender | None, "Gender of the span."]
    number: Annotated[Number, "Number of the span in this sentence."]
    carrier_edits: Annotated[tuple[CarrierEdit, ...], "What was changed outside the span, and by which rule."]
    uncertain: tuple[str, ...]
    """Rules of agreement that could not decide on a word of the carrier; a person should look."""
    context_source: Annotated[ContextSource, "Where the carrier is from."]
    genre: Annotated[Genre | None, "The kind of text the carrier is written as; empty for a neutral frame."]
    licence: Annotated[str, "SPDX id of the licence of the sentence."]


@dataclass(frozen=True, slots=True)
class CorpusContext:
    """One sentence of a corpus that holds a compound (`corpus_context`)."""

    lang: Annotated[Lang, "Language id."]
    compound: Annotated[str, "The compound as the list of compounds has it."]
    matched: Annotated[str, "The compound as it is written in the sentence."]
    file: Annotated[str, "Name of the corpus file, without folders."]
    document: Annotated[str | None, "Id of the document as the corpus names it; empty where it names none."]
    position: Ordinal
    """Number of the sentence in its document (in the file, where the corpus names no documents), from 1."""
    text: str | None
    """The sentence as it was written, or its tokens with spaces between them where the corpus keeps no more; empty
    when only its place may be passed on."""
    span: Span | None
    """Characters of the compound in the sentence, [start, end); empty where the corpus does not say."""
    licence: Annotated[str, "Licence of the corpus, as the user states it."]
