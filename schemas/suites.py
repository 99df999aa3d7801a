"""Tables of the evaluation suites: senses of compounds, sentences with the sense they use, pairs, phrases to be judged.

A release and a folder of imported published files hold them alike:

    senses/<split>-*.parquet                a sense a row, with a paraphrase that can stand in the compound's place
    sense_sentences/<split>-*.parquet       of a release: a sentence of a sense with its variants, as items of the pairs
    detection/<split>-*.parquet             sentences to be judged (validation, test)
    detection_zero_shot/train-*.parquet     sentences of compounds that are not judged
    detection_one_shot/train-*.parquet      one sentence a sense of the compounds that are judged
    detection_further/train-*.parquet       more of these
    consistency/<split>-*.parquet           a sentence and the same with another phrase in the compound's place
    phrases/<split>-*.parquet               questions about a phrase, for language models
    composition/<split>-*.parquet           phrases in sentences, with a question about their meaning or their type
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta

from ncimp.schemas.records import CompoundId, Lang, Span, Version, matching

SenseKind = Literal["idiomatic", "literal", "proper_noun", "meta"]
SuiteSplit = Literal["train", "validation", "test", "bridge"]
Shot = Literal["zero", "one", "further", "none"]  # the training set a sentence is in; none: it is to be judged
SenseId = Annotated[str, matching("[a-z]+[0-9]*")]
Label = Annotated[int, Meta(ge=0, le=1)]
CompositionTask = Literal["vpc", "lvc", "nc_literality", "nc_relations", "an_attributes", "phrase_type"]

LITERALLY = ("literal", "proper_noun")  # kinds that have label 1; a literal use inside a metaphor (meta) has 0
CONSISTENCY, PHRASES, COMPOSITION = "consistency", "phrases", "composition"
SHOTS: Mapping[Shot, str] = {
    "none": "detection",
    "zero": "detection_zero_shot",
    "one": "detection_one_shot",
    "further": "detection_further",
}
"""The folder of the sentences of each training set."""
SUITE_TABLES: Mapping[str, str] = {
    "senses": "released_sense",
    **dict.fromkeys((*SHOTS.values(), "detection_few_shot"), "sense_example"),
    CONSISTENCY: "consistency_pair",
    PHRASES: "phrase_item",
    COMPOSITION: "composition_item",
}
"""Table of each folder, and of the config that has two of them."""
DETECTION_CONFIGS: Mapping[str, tuple[str, ...]] = {
    "detection_zero_shot": (SHOTS["zero"], SHOTS["none"]),
    "detection_one_shot": (SHOTS["one"], SHOTS["none"]),
    "detection_few_shot": (SHOTS["one"], SHOTS["further"], SHOTS["none"]),
}
"""The folders that each config is made of: no sentence is stored twice."""


@dataclass(frozen=True, slots=True)
class ReleasedSense:
    """One sense of a compound (`released_sense`)."""

    id: Annotated[str, "lang/compound/sense."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[CompoundId, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    sense: Annotated[SenseId, "Short name of the sense, such as idiomatic2."]
    kind: Annotated[SenseKind, "Idiomatic, literal, part of a name, or literal inside a metaphor."]
    text: Annotated[str | None, "Paraphrase that can stand in the NC's place; empty where none can."]
    modifier: Annotated[str | None, "Lemma of its modifier, when it has one."]
    head: Annotated[str | None, "Lemma of its head, where somebody has said."]
    gloss: Annotated[str | None, "What the NC means in this sense."]
    split: Annotated[SuiteSplit, "Split of the compound."]
    source: Annotated[str, "What the row is from."]
    licence: Annotated[str, "SPDX id of the licence of the row."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class SenseExample:
    """One sentence with a compound in one of its senses (`sense_example`)."""

    id: Annotated[str, "lang/compound/ and a hash of the sentences."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[CompoundId, "lang/compound."]
    compound: Annotated[str, "The NC in its citation form."]
    sense: Annotated[SenseId | None, "Sense of the NC here, as `senses` names it; empty where nobody has said."]
    kind: Annotated[SenseKind | None, "Kind of that sense."]
    label: Annotated[Label, "1 for literal and as part of a name, 0 for idiomatic and for literal inside a metaphor."]
    previous: Annotated[str | None, "The sentence before."]
    sentence: Annotated[str, "The sentence with the NC."]
    next: Annotated[str | None, "The sentence after."]
    span: Annotated[Span | None, "Characters [start, end) of the NC; empty where it stands in another form."]
    item: Annotated[str | None, "Id of the item that is the sentence, in `sentences` or `sense_sentences`."]
    shot: Annotated[Shot, "Training set: zero, one or further (few-shot has both); none if it is to be judged."]
    genre: Annotated[str | None, "The kind of text."]
    split: Annotated[SuiteSplit, "Part of its config: train, validation or test."]
    source: Annotated[str | None, "Address, or what else it is from."]
    licence: Annotated[str, "Licence of the sentence."]
    release: Annotated[Version, "Version of the release the row belongs to."]

    @property
    def context(self) -> str:
        """The three sentences, as one text."""
        return " ".join(filter(None, (self.previous, self.sentence, self.next)))


@dataclass(frozen=True, slots=True)
class ConsistencyPair:
    """A sentence and another one that is to be as near as `similarity` says (`consistency_pair`)."""

    id: Annotated[str, "Id of the sentence, and what is put in."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[CompoundId | None, "lang/compound; empty for a pair of `sts`."]
    compound: Annotated[str | None, "The NC in its citation form; empty for a pair of `sts`."]
    role: Literal["correct", "incorrect", "sts"]
    """A paraphrase of the sense that is meant, or of another one; or any two sentences that people have judged."""
    sentence1: Annotated[str, "The sentence with the NC."]
    span1: Annotated[Span | None, "Characters [start, end) of the NC."]
    sentence2: Annotated[str, "The sentence with the paraphrase."]
    span2: Annotated[Span | None, "Characters [start, end) of the paraphrase."]
    correct: Annotated[str | None, "Of an incorrect pair: the sentence with the paraphrase of the sense that is meant."]
    similarity: float | None
    """Similarity wanted: 1 for a correct pair; for an incorrect one that of `correct` and `sentence2` to a reference
    model, where there is one; for `sts` that of people, 0 to 1."""
    reference: Annotated[str | None, "The reference model."]
    split: Annotated[SuiteSplit, "Split: that of the compound."]
    source: Annotated[str | None, "Where it is from."]
    licence: Annotated[str, "Licence of the sentences."]
    release: Annotated[Version, "Version of the release the row belongs to."]


VMWE_TYPES = ("LVC", "VID", "VPC")  # of PARSEME, which has finer ones: `LVC.full`; some are misspelt: `LVC.fulll`
PhraseKind = Literal["choice", "category", "extraction", "interpretation", "rating", "continuation"]


@dataclass(frozen=True, slots=True)
class PhraseItem:
    """One question about a phrase (`phrase_item`)."""

    id: Annotated[str, "lang/task/ and a hash of the question."]
    lang: Annotated[Lang, "Language id."]
    task: Annotated[str, "The task, such as idiom_detection."]
    kind: PhraseKind
    """An option to choose, a label to give, a phrase of the sentence to find, a meaning to put in words, 0 to 5, or the
    other half of the sentence."""
    phrase: Annotated[str, "The phrase it is about; in an extraction it is the answer."]
    sentence: Annotated[str | None, "The sentence with the phrase; empty where there is none."]
    options: Annotated[tuple[str, ...], "Texts to choose from, A first, or the labels; none where words are free."]
    gold: Annotated[tuple[str, ...], "The right answer: a letter, a label or a phrase; or every reference."]
    split: Annotated[SuiteSplit, "Part of its config."]
    source: Annotated[str | None, "Where it is from."]
    licence: Annotated[str, "Licence of the item."]
    release: Annotated[Version, "Version of the release the row belongs to."]
    literal: Annotated[tuple[str, ...], "Of an idiom's meaning: texts that take its words literally."] = ()
    benchmarks: Annotated[tuple[str, ...], "Other benchmarks that hold the compound."] = ()
    category: Annotated[
        str | None, "Type of the phrase, such as VPC, Magn or idiomatic; empty where none is given."
    ] = None


@dataclass(frozen=True, slots=True)
class PlausibilityItem:
    """One sentence whose likelihood is asked for, with a variant in the compound's place (`plausibility_item`)."""

    id: Annotated[str, "lang/compound/context/variant."]
    lang: Annotated[Lang, "Language id."]
    compound_id: Annotated[CompoundId, "lang/compound."]
    compound_class: Literal["idiomatic", "partly_compositional", "compositional"]
    """Class that the authors of the pack gave the NC."""
    sentence: Annotated[str, "The sentence."]
    span: Annotated[Span, "Characters [start, end) of the compound, or of what stands in its place."]
    benchmarks: Annotated[tuple[str, ...], "Other benchmarks that hold the compound."] = ()

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The words before the span, the span, and the rest, each after all before it; one that is empty is left out.

        A space belongs to the word behind it. No two parts end at the same place: models of lm-evaluation-harness take
        the likelihood of one for that of the other where they do.
        """
        before = len(self.sentence[: self.span[0]].rstrip())
        ends = ((0, before), (before, self.span[1]), (self.span[1], len(self.sentence)))
        return [(self.sentence[:start], self.sentence[start:end]) for start, end in ends if start < end]


Rule = Literal[
    "strict", "caseless", "lenient", "articles", "spacing", "order", "inflection", "first_option",
    "rouge_l", "bleu", "meteor_stems", "bertscore", "nearness", "exact", "head", "literal",
]  # fmt: skip
"""By which an answer in words is worth 0 to 1; the figure is the mean over items."""

InBits = Literal["surprisal", "difference", "contrast"]
"""The mean surprisal, the mean difference of two of a sentence, or that of such differences of two classes."""


@dataclass(frozen=True, slots=True)
class UnparsedAnswer:
    """An answer in words that is wrong because it has none of the accepted shapes (`unparsed_answer`)."""

    lang: Annotated[Lang, "Language id."]
    task: Annotated[str, "Task of the suite."]
    setting: Annotated[str, "How many examples the model was shown, such as 3_shot."]
    model: Annotated[str, "Name of the model."]
    id: Annotated[str, "Id of the item."]
    phrase: Annotated[str, "The phrase that the item is about."]
    status: Annotated[Literal["refused", "unparsed"], "A refusal, or something else."]
    answer: Annotated[str, "The answer, or its beginning."]


@dataclass(frozen=True, slots=True)
class CompositionItem:
    """One sentence with a phrase and a question about it, or with a tag a word (`composition_item`)."""

    id: Annotated[str, "lang/task/ and the part and row of the source; or compound, context and question."]
    lang: Annotated[Lang, "Language id."]
    task: Annotated[CompositionTask, "Task that the item is of."]
    words: Annotated[tuple[str, ...], "The words of the sentence."]
    span: Annotated[Span | None, "Words [start, end) of the phrase; empty where there are tags."]
    phrase: Annotated[str | None, "The phrase in its citation form."]
    target: Annotated[int | None, "Place of the word that is asked about, where it is not the whole phrase."]
    paraphrase: Annotated[str | None, "Paraphrase of the phrase that is true or false."]
    label: Annotated[Label | None, "1 for such a construction, a literal word, a true paraphrase; empty for tags."]
    tags: Annotated[tuple[str, ...] | None, "Of each word: O, B- and a type where a phrase begins, or I inside it."]
    word: Annotated[str | None, "The verb, head or adjective that stands in one lexical split only."]
    split: Annotated[SuiteSplit, "Split of the source, in a release that of the compound."]
    lexical: Annotated[SuiteSplit | None, "Split by `word`; empty for what is left out of it to balance the labels."]
    source: Annotated[str, "What it is from."]
    licence: Annotated[str, "Licence of the sentence."]
    release: Annotated[Version, "Version of the release the row belongs to."]


@dataclass(frozen=True, slots=True)
class SuiteTables:
    """The rows of all tables of a suite, and what its source lacks."""

    senses: Sequence[ReleasedSense] = ()
    examples: Sequence[SenseExample] = ()
    pairs: Sequence[ConsistencyPair] = ()
    composition: Sequence[CompositionItem] = ()
    gaps: Sequence[str] = ()
    phrases: Sequence[PhraseItem] = ()

    def folders(self) -> dict[str, list[Any]]:
        """Return the rows of each folder."""
        examples = {name: [row for row in self.examples if row.shot == shot] for shot, name in SHOTS.items()}
        further: dict[str, list[Any]] = {CONSISTENCY: list(self.pairs), COMPOSITION: list(self.composition)}
        further[PHRASES] = list(self.phrases)
        return {"senses": list(self.senses), **examples, **further}
