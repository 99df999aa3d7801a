"""Records of the senses of compounds: what a pack says of them, its sentences, and paraphrases put into these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from ncimp.builder.records.words import LITERAL, NATURALISTIC, Gender, Genre, Number
from ncimp.schemas.records import Day, Span, one_of
from ncimp.schemas.suites import SenseId, SenseKind

MEANT = ("idiomatic", "literal")  # kinds of senses whose paraphrases are put into sentences


@dataclass(frozen=True, slots=True)
class PackSense:
    """One sense of a compound (`pack_sense`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    sense: Annotated[SenseId, "Short name: idiomatic, literal, name or meta, with a number from the second on."]
    kind: Annotated[SenseKind, "Idiomatic, literal, part of a name, or literal inside a metaphor."]
    text: str | None
    """Paraphrase that can stand in the NC's place; of a literal sense, with as few other words as can be (night hooter
    for night owl). Empty where none can."""
    modifier: Annotated[str | None, "Lemma of its modifier; empty for one word."]
    head: Annotated[str | None, "Lemma of its head; without it, the paraphrase is put in as it is."]
    pattern: Annotated[str | None, "Id of its pattern in pack.toml; N for one word."]
    gender: Annotated[Gender | None, "Grammatical gender; empty in a language without."]
    gloss: Annotated[str | None, "One line saying what the NC means in this sense."]
    author: Annotated[str, "Who wrote the row."]
    date: Annotated[Day, "When it was written or last changed."]


@dataclass(frozen=True, slots=True)
class PackExample:
    """One sentence with a compound in one of its senses (`pack_example`)."""

    compound: Annotated[str, "Text of the NC in compounds.tsv."]
    sense: Annotated[SenseId, "Sense of the NC here, as senses.tsv has it."]
    context: Annotated[str, one_of((*NATURALISTIC, LITERAL))] | None
    """Context whose sentence it is; then `sentence` is empty."""
    number: Annotated[Number | None, "Number of the NC in the sentence; that of the context where it is one."]
    genre: Annotated[Genre | None, "The kind of text it is written as."]
    previous: Annotated[str | None, "The sentence before."]
    sentence: Annotated[str | None, "The sentence, marked like those of contexts.tsv; empty for one of a context."]
    next: Annotated[str | None, "The sentence after."]
    source: Annotated[Literal["authored", "corpus"], "Where the sentences are from."]
    licence: Annotated[str, "SPDX id of the licence of the sentences."]
    author: Annotated[str, "Who wrote them."]
    date: Annotated[Day, "When."]


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence whose markup has been read: the NC's span, and carrier words that do or do not agree with it."""

    text: str
    span: Span
    agreeing: tuple[Span, ...] = ()
    fixed: tuple[Span, ...] = ()
    paradigms: Annotated[Mapping[Span, str], "The paradigms of agreeing words that may be of several."] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True)
class MarkedExample:
    """A row of examples.tsv, its sentence parsed, with the number of the compound in it."""

    row: PackExample
    marked: MarkedSentence
    number: Number


@dataclass(frozen=True, slots=True)
class Rephrased:
    """The sentence of an example with the paraphrase of a sense in the place of the compound."""

    compound: str
    example: Annotated[int, "Place of the example in the pack, from 0."]
    sense: str
    sentence: str
    span: Span
