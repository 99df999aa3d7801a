"""Records of human judgements: one answer, the scores that answers come to, and the row a release has of an answer."""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.records.words import CompoundClass, Split
from ncimp.schemas.tables import Count, Day, Lang, MeanRating, Rating, ShortHash, Version, matching

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
    split: Annotated[Split, "Split of the compound."]
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
    class_from_scores: CompoundClass | None
    """Class by the mean: idiomatic below 1.5, partly_compositional below 3.5, compositional above; no expert's class.
"""
    type_paraphrases: str | None
    """Synonyms of the compound in general, most frequent first, separated by `; `."""
    token_paraphrases: Annotated[str | None, "Synonyms in one sentence only, most frequent first, separated by `; `."]
    simulated: Annotated[bool, "Whether a program gave any of the answers."]
    source: Annotated[str, "Campaigns and mode of the judgements."]
