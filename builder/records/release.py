"""Records of items, of human judgements, and of the tables of a release that come of both."""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.records import words
from ncimp.schemas.records import (
    CompoundId,
    Count,
    Day,
    HeadIndex,
    IncidentCode,
    ItemId,
    Lang,
    MeanRating,
    Ordinal,
    Rating,
    Sha256,
    ShortHash,
    Span,
    Version,
    matching,
)


@dataclass(frozen=True, slots=True)
class SynonymCandidate:
    """A synonym of a component as a lexicon offers it, before any choice."""

    lemma: str
    pos: str
    synset: str
    relation: words.Relation
    sense: Annotated[int, "Rank of the component's sense, from 1; 0 where the lexicon does not rank them."]
    position: Annotated[int, "Place in the synset, from 1; 0 where the lexicon does not rank them."]
    start: str = ""
    """Synset of the component's own sense, from which the word was reached; for `indirect`, the word before it."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The words that replace a compound in one variant, and their source."""

    compound_id: Annotated[CompoundId, "The NC it replaces."]
    variant: Annotated[words.Variant, "Its variant."]
    text: Annotated[str, "Citation form."]
    modifier: Annotated[str | None, "Lemma of its modifier, when it has one."]
    head: Annotated[str | None, "Lemma of its head, when it has one."]
    pattern: Annotated[str | None, "Pattern it follows; empty for a single component taken over as it stands."]
    gender: Annotated[words.Gender | None, "Grammatical gender of its head."]
    source: Annotated[str, "Lexicon or table it was drawn from."]
    modifier_synset: Annotated[str | None, "Synset the modifier was found in."] = None
    head_synset: Annotated[str | None, "Synset the head was found in."] = None
    modifier_relation: Annotated[words.Relation | None, "How the modifier stands to the NC's modifier."] = None
    head_relation: Annotated[words.Relation | None, "How the head stands to the NC's head."] = None
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
    compound_class: Annotated[words.CompoundClass, "Class that the authors of the pack gave the NC."]
    context: words.SentenceContext
    """Which sentence; `literal` has the NC in its literal sense, outside the grid."""
    context_kind: Annotated[Literal["naturalistic", "neutral"], "Naturalistic or neutral."]
    probe: Annotated[words.Probe, "Which probe the variant belongs to; `orig` for the original."]
    variant: Annotated[words.Variant, "What stands in the place of the NC."]
    sentence: Annotated[str, "The sentence."]
    span: Annotated[Span, "Characters [start, end) of the NC or its replacement in the sentence."]
    tokens: Annotated[tuple[str, ...], "The sentence in tokens."]
    token_span: Annotated[Span, "Tokens [start, end) of the span."]
    replacement: Annotated[str, "The text of the span in its citation form; empty where it was published elsewhere."]
    pattern: Annotated[str | None, "Pattern the span follows; empty for a single component."]
    gender: Annotated[words.Gender | None, "Gender of the span."]
    number: Annotated[words.Number, "Number of the span in this sentence."]
    carrier_edits: Annotated[tuple[CarrierEdit, ...], "What was changed outside the span, and by which rule."]
    uncertain: tuple[str, ...]
    """Rules of agreement that could not decide on a word of the carrier; a person should look."""
    context_source: Annotated[words.ContextSource, "Where the carrier is from."]
    genre: Annotated[words.Genre | None, "The kind of text the carrier is written as; empty for a neutral frame."]
    licence: Annotated[str, "SPDX id of the licence of the sentence."]
    origin: Annotated[words.ItemOrigin, "How the sentence came about: generated here, or published elsewhere."]
    published: Annotated[str | None, "What was published where the sentence is a mended one."]


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


@dataclass(frozen=True, slots=True)
class Item(FilledItem):
    """One sentence of the release: compound x context x variant."""

    head: Annotated[str | None, "Lemma of the head of the span, when it has one."]
    modifier: Annotated[str | None, "Lemma of the modifier of the span, when it has one."]
    source: Annotated[str, "Lexicon or table the replacement was drawn from."]
    modifier_synset: Annotated[str | None, "Synset the modifier was found in."]
    head_synset: Annotated[str | None, "Synset the head was found in."]
    modifier_relation: Annotated[words.Relation | None, "How the modifier stands to the NC's modifier."]
    head_relation: Annotated[words.Relation | None, "How the head stands to the NC's head."]
    rank: Annotated[int | None, "Place among the candidates, from 1."]
    modifier_zipf: Annotated[float | None, "Zipf value (log10 of the frequency per billion words) of the modifier."]
    head_zipf: Annotated[float | None, "Zipf value of the head."]
    modifier_delta: Annotated[float | None, "Zipf value of the modifier minus that of the NC's modifier."]
    head_delta: Annotated[float | None, "Zipf value of the head minus that of the NC's head."]
    mean_delta: Annotated[float | None, "log10 of the mean frequency of both words minus the same of the NC."]
    explanation: Annotated[str, "Why this one, in a sentence."]
    split: Annotated[words.Split, "Split of the compound."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class AttestedItem(Item):
    """One sentence of the config `attested`: an item around a compound that was found in an open corpus."""

    sense: Annotated[words.Sense, "Sense of the NC there: that of the sense note, the literal one, or part of a name."]
    corpus: Annotated[str, "Corpus that the carrier is from."]
    document: Annotated[str, "Document of the corpus, and where it is known the sentence in it."]
    attribution: Annotated[str, "Whom to credit for the carrier."]


@dataclass(frozen=True, slots=True)
class Pair:
    """The original item of a context and another item of the same context."""

    id: Annotated[str, "Id of the second item."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[CompoundId, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    compound_class: Annotated[words.CompoundClass, "Class that the authors of the pack gave the NC."]
    comp: float | None
    """Human compositionality score, 0 (idiomatic) to 5 (compositional), where a scores source was given."""
    context: Annotated[words.GridContext, "Which sentence."]
    context_kind: Annotated[Literal["naturalistic", "neutral"], "Naturalistic or neutral."]
    probe: Annotated[words.Probe, "Which probe the variant belongs to; `orig` for the original."]
    variant: Annotated[words.Variant, "What stands in the place of the NC."]
    sentence1: Annotated[str, "The sentence with the original NC."]
    span1: Annotated[Span, "Characters [start, end) of the NC in it."]
    sentence2: Annotated[str, "The sentence with the replacement."]
    span2: Annotated[Span, "Characters [start, end) of the replacement in it."]
    replacement: Annotated[str, "The text of the span in its citation form."]
    split: Annotated[words.Split, "Split of the compound."]
    context_source: Annotated[words.ContextSource, "Where the carrier of both sentences is from."]
    origin: Annotated[words.ItemOrigin, "How the second sentence came about."]
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
class TextPlace:
    """A part of a document of a corpus."""

    document: Annotated[str, "Id of the document in its corpus."]
    start: Annotated[Count, "Characters of the document before it."]
    length: Annotated[Ordinal, "Its length, in characters."]


@dataclass(frozen=True, slots=True)
class Standoff:
    """A sentence that is released without its text: where that stands in its corpus, and what to do with it."""

    id: Annotated[ItemId, "Id of the item in `sentences` or `sense_sentences`."]
    lang: Annotated[Lang, "Language id."]
    document: Annotated[str, "Id of the document in its corpus."]
    start: Annotated[Count, "Characters of the document before the text."]
    length: Annotated[Ordinal, "Length of the text there, in characters."]
    edits: tuple[TextEdit, ...]
    """Changes that make the item's sentence of the text, in order; they hold no word of it."""
    elsewhere: tuple[TextPlace, ...]
    """Beginnings of words that stand elsewhere in the corpus; each U+FFFC of the changed text is the next of them."""
    tokens: Annotated[tuple[TextSpan, ...], "The tokens of the item's sentence, by place."]
    sha256: Annotated[Sha256, "The sha256 (hex) of the item's sentence in UTF-8."]
    licence: Annotated[str, "Licence of the text."]
    split: Annotated[words.Split, "Split of the compound."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class ReleasedSynonym:
    """A true synonym as the table `compounds` lists it."""

    text: Annotated[str, "A true synonym of the NC; empty where its sentences were published elsewhere."]
    overlap_free: Annotated[bool, "Whether it shares no lemma with the NC."]
    relation: Annotated[words.SynonymRelation, "Whether it means the same as the NC, or nearly."]
    countability: Annotated[Literal["count", "mass"], "Whether it counts as a count or a mass noun."]
    register: Annotated[words.Register, "The kind of language that it belongs to."]


@dataclass(frozen=True, slots=True)
class SentenceComp:
    """The published score of one sentence of a compound."""

    context: Annotated[words.GridContext, "Which sentence."]
    comp: Annotated[float, "Mean compositionality over its annotators, 0 (idiomatic) to 5 (compositional)."]


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
    gender: Annotated[words.Gender | None, "Grammatical gender."]
    number: Annotated[words.Number, "Number of the citation form."]
    countability: Annotated[words.Countability, "Count or mass, or with a/an and without a plural."]
    compound_class: Annotated[words.CompoundClass, "Class that the authors of the pack gave the NC."]
    sense_note: Annotated[str, "What the NC means."]
    comp: Annotated[float | None, "Human compositionality score of the whole; empty without a scores source."]
    comp_head: Annotated[float | None, "Human score of the head's contribution; empty without a scores source."]
    comp_modifier: Annotated[float | None, "Human score of the modifier's contribution; empty without a scores source."]
    comp_sd: float | None
    """Standard deviation (n - 1) of the judgements behind `comp`; empty without a scores source."""
    comp_n: Annotated[int | None, "Judgements behind `comp`; empty without a scores source."]
    class_from_scores: words.CompoundClass | None
    """Class by `comp` (idiomatic below 1.5, partly_compositional below 3.5, compositional above), beside the
    authors' class; empty without a scores source."""
    comp_source: str | None
    """Mode and campaigns of the judgements behind `comp`, after `simulated` where a program gave them; empty without a
    scores source."""
    comp_type: float | None
    """Published score of the NC judged by itself, beside `comp`, which is of its sentences; empty without one."""
    comp_sentences: Annotated[tuple[SentenceComp, ...], "Published scores of its sentences, where there are any."]
    synonyms: Annotated[tuple[ReleasedSynonym, ...], "True synonyms, best first."]
    modifier_zipf: Annotated[float | None, "Zipf value of the modifier."]
    head_zipf: Annotated[float | None, "Zipf value of the head."]
    zipf_source: Annotated[str, "Where the Zipf values are from."]
    compound_count: Annotated[int | None, "Count of the NC; empty where no corpus was counted."]
    pmi: Annotated[float | None, "Pointwise mutual information of the components; empty where no corpus was counted."]
    ppmi: Annotated[float | None, "Positive PMI; empty where no corpus was counted."]
    count_source: Annotated[str | None, "Corpus the count, PMI and PPMI are from."]
    benchmarks: Annotated[tuple[str, ...], "Other benchmarks that hold the NC, where known."]
    split: Annotated[words.Split, "Split of the compound."]
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


Kind = Literal["item", "gold", "attention"]
Mode = Literal["token", "type"]
Status = Literal["judged", "unknown", "nonsense"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One anonymised answer of one annotator (`annotation`)."""

    campaign: Annotated[str, "Id of the batch the judgement is from."]
    platform: Annotated[str, "Service it was given on."]
    annotator: Annotated[ShortHash, "Keyed hash of the service's id of the annotator; the key is not published."]
    assignment: Annotated[ShortHash, "Keyed hash of the service's id of the assignment."]
    task_id: Annotated[str, "Task of the batch."]
    kind: Annotated[Kind, "Whether the answer is asked for, or checks the annotator."]
    mode: Annotated[Mode, "One sentence at a time, or the sentences of the compound together."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[str, "Compound that was judged."]
    item_id: Annotated[str | None, "Item that was judged; empty where one answer is for all sentences."]
    context: Annotated[str | None, "Context of the item."]
    status: Status
    """What the annotator answered: a judgement, not knowing the expression, or a sentence that makes no sense."""
    head: Rating | None
    """How literally the NC is its head, 0 (not at all) to 5 (completely); empty unless judged."""
    modifier: Annotated[Rating | None, "How literally the NC is its modifier, 0 to 5; empty unless judged."]
    comp: Annotated[Rating | None, "How compositional the whole is, 0 to 5; empty unless judged."]
    synonyms: Annotated[tuple[str, ...], "Synonyms given for the NC in this sentence, as they were written."]
    day: Annotated[Day | None, "Day on which it was submitted."]
    seconds: Annotated[Count | None, "Seconds spent on the assignment."]
    passed: Annotated[bool | None, "Whether the answer to a check is what was expected; empty for what is no check."]
    excluded: str | None
    """Rules by which scores leave the annotator out, separated by spaces; empty where they do not."""
    simulated: Annotated[bool, "Whether a program gave the answer."]


@dataclass(frozen=True, slots=True)
class ReleasedAnnotation:
    """One anonymised human judgement of a sentence of the release."""

    id: Annotated[ShortHash, "Keyed hash of campaign, assignment and sentence."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[str, "Compound that was judged."]
    item_id: Annotated[str | None, "Item that was judged; empty where one answer is for all sentences."]
    context: Annotated[str | None, "Context of the item."]
    mode: Annotated[Mode, "One sentence at a time, or the sentences of the compound together."]
    campaign: Annotated[str, "Id of the batch the judgement is from."]
    platform: Annotated[str, "Service it was given on."]
    annotator: Annotated[ShortHash, "Keyed hash of the service's id of the annotator; the key is not published."]
    status: Status
    """What the annotator answered: a judgement, not knowing the expression, or a sentence that makes no sense."""
    head: Rating | None
    """How literally the NC is its head, 0 (not at all) to 5 (completely); empty unless judged."""
    modifier: Annotated[Rating | None, "How literally the NC is its modifier, 0 to 5; empty unless judged."]
    comp: Annotated[Rating | None, "How compositional the whole is, 0 to 5; empty unless judged."]
    synonyms: Annotated[tuple[str, ...], "Synonyms given for the NC in this sentence, as they were written."]
    day: Annotated[Day | None, "Day on which it was submitted."]
    seconds: Annotated[Count | None, "Seconds spent on the assignment."]
    excluded: str | None
    """Rules by which scores leave the annotator out, separated by spaces; empty where they do not."""
    simulated: Annotated[bool, "Whether a program gave the answer."]
    split: Annotated[words.Split, "Split of the compound."]
    licence: Annotated[str, "SPDX id."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class Score:
    """One row of a scores file (`score`)."""

    level: Annotated[Literal["compound", "sentence"], "Whether the row is of a compound or of one of its sentences."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[str, "Compound."]
    item_id: Annotated[str | None, "Item, of a sentence."]
    comp: MeanRating | None
    """Mean compositionality of the whole, 0 to 5; of a compound, the mean over sentences of the means over annotators
    (Eq. 1)."""
    comp_sd: Annotated[float, Meta(ge=0)] | None
    """Standard deviation (n - 1) of the judgements of the compositionality of the whole."""
    comp_n: Annotated[Count, "Judgements of the compositionality of the whole."]
    comp_low: Annotated[MeanRating | None, "Lower end of the 95 % interval of the mean, over annotators."]
    comp_high: Annotated[MeanRating | None, "Upper end of the 95 % interval of the mean, over annotators."]
    head: MeanRating | None
    """Mean contribution of the head, 0 to 5; of a compound, the mean over sentences of the means over annotators (Eq.
    1)."""
    head_sd: Annotated[float, Meta(ge=0)] | None
    """Standard deviation (n - 1) of the judgements of the contribution of the head."""
    head_n: Annotated[Count, "Judgements of the contribution of the head."]
    modifier: MeanRating | None
    """Mean contribution of the modifier, 0 to 5; of a compound, the mean over sentences of the means over annotators
    (Eq. 1)."""
    modifier_sd: Annotated[float, Meta(ge=0)] | None
    """Standard deviation (n - 1) of the judgements of the contribution of the modifier."""
    modifier_n: Annotated[Count, "Judgements of the contribution of the modifier."]
    soft: Annotated[str, matching("[0-9]+( [0-9]+){5}")]
    """Judgements of the whole at 0, 1, 2, 3, 4 and 5, separated by spaces."""
    class_from_scores: words.CompoundClass | None
    """Class by the mean: idiomatic below 1.5, partly_compositional below 3.5, compositional above; not the authors'.
"""
    type_paraphrases: str | None
    """Synonyms of the compound in general, most frequent first, separated by `; `."""
    token_paraphrases: Annotated[str | None, "Synonyms in one sentence only, most frequent first, separated by `; `."]
    simulated: Annotated[bool, "Whether a program gave any of the answers."]
    source: Annotated[str, "Campaigns and mode of the judgements."]
