"""Records of a pack of published data: its sentences as they stand in the files, scores, holes and memberships."""

from dataclasses import dataclass
from typing import Annotated, Literal

from ncimp.builder.records import words
from ncimp.schemas.records import Count, Ordinal, SourceName, Span, matching

ScoreLayer = Literal[
    "expert_class", "class_by_type", "class_by_token", "comp_type", "comp_token", "comp_token_pooled",
    "head", "modifier", "paraphrases", "corpus_place",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PublishedItem:
    """One sentence of published data, or one made where its files lack it (`published_item`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    context: Annotated[words.GridContext, "Which of the contexts of the NC it stands in."]
    variant: Annotated[words.Variant, "What stands in the place of the NC."]
    number: Annotated[words.Number, "Number of the NC, or of what replaces it, in this sentence."]
    sentence: Annotated[str, "The sentence, with the spaces and the case that it has in the file."]
    start: Annotated[Count, "Characters before the NC or what replaces it."]
    end: Annotated[Count, "Characters up to its end."]
    origin: Annotated[words.ItemOrigin, "Whether it is as published, mended, or made for a hole in the files."]
    published: str | None
    """What the file has where the sentence is another: the sentence that was mended, or that this one was made of."""
    rule: Annotated[str | None, "What mended or made it, in a few words; empty for a sentence as published."]
    document: Annotated[str, "Path of the file in the copy of the published data; or id of the document in its corpus."]
    offset: Annotated[Count, "Characters before the cell in the file; or before the sentence in the document."]
    row: Annotated[Ordinal, "Row of the table, the header being the first; or number of the sentence in the document."]
    column: Annotated[str | None, "Column of the table; empty for a sentence of a corpus."]
    phrase_of: Annotated[str | None, "The cell whose phrase it has, as context/variant, where that is another."] = None

    @property
    def span(self) -> Span:
        """The characters of the NC, or of what replaces it, in the sentence."""
        return self.start, self.end

    @property
    def text(self) -> str:
        """The text that was published, which is the sentence unless it was mended or made."""
        return self.published or self.sentence


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """One published figure, label or list of a compound, as its file has it (`published_score`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    source: Annotated[SourceName, "The published data that it is from."]
    layer: ScoreLayer
    """Class by experts, or by thresholds of a score; score of the NC by itself, in one sentence, or over its sentences
    pooled; of what head or modifier contribute; what annotators gave for it; where an unpublished sentence stands."""
    context: Annotated[str, matching("nat[1-3]")] | None
    """The sentence that a score is of; empty for the NC as a whole."""
    value: Annotated[str, "The figure, label or list, or document and number of a sentence."]


@dataclass(frozen=True, slots=True)
class Hole:
    """Cells of the grid that published data lack (`hole`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    context: Annotated[words.GridContext, "The context."]
    variants: Annotated[str, "The variants that are missing there, with spaces between them."]
    reason: Annotated[str, "Why: no such file, no such column, an empty cell."]


@dataclass(frozen=True, slots=True)
class Membership:
    """Another benchmark that holds a compound of the pack (`membership`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    benchmark: Annotated[SourceName, "The benchmark, with its part behind a full stop: AStitch.train."]
