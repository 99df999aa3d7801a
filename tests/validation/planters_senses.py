"""Planters of K013 to K016, T814, T815 and B506 to B508: senses and compositions, their paraphrases and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ncimp.builder.records import MarkedExample, MarkedSentence, PackComposition, PackExample, PackSense
from ncimp.schemas.suites import CompositionItem, SenseExample, Shot
from tests.validation.planting import Planted, Planter, World

RACE = "en/rat-race"
IDIOMATIC = PackSense(
    "rat race", "idiomatic", "idiomatic", "daily grind", "daily", "grind", "A_N", None, None, "me", "2026-11-23"
)
OTHER_WORDS = replace(IDIOMATIC, text="mouse contest", modifier="mouse", head="contest", pattern="N_N")
LITERAL = replace(OTHER_WORDS, sense="literal", kind="literal")
NAME = replace(IDIOMATIC, sense="name", kind="proper_noun", text=None, modifier=None, head=None, pattern=None)


def example(sense: str, number: int, previous: str = "It rained.") -> MarkedExample:
    text = f"The rat race of {sense} {number} went on."
    row = PackExample(
        "rat race", sense, None, "sg", "talk", previous, text, None, "authored", "CC0-1.0", "me", "2026-11-23"
    )
    return MarkedExample(row, MarkedSentence(text, (4, 12)), "sg")


EXAMPLES = tuple(example(sense, number) for sense in ("idiomatic", "literal") for number in (1, 2, 3))


def _pack(senses: Sequence[PackSense], examples: Sequence[MarkedExample] = EXAMPLES) -> Planter:
    return lambda world: Planted(world.with_pack("en", senses=tuple(senses), examples=tuple(examples)), (RACE,))


def judged(compound: str, label: int, shot: Shot = "none", sentence: str = "", item: str | None = None) -> SenseExample:
    return SenseExample(
        id=f"en/{compound}/{label}{shot}", lang="en", compound_id=f"en/{compound}", compound=compound,
        sense="literal" if label else "idiomatic", kind="literal" if label else "idiomatic", label=label, previous=None,
        sentence=sentence or f"{compound} {label} {shot}", next=None, span=None, item=item, shot=shot, genre=None,
        split="test", source=None, licence="CC0-1.0", release="0.1.0",
    )  # fmt: skip


def _rows(places: tuple[str, ...], *rows: SenseExample) -> Planter:
    def planted(world: World) -> Planted:
        return Planted(replace(world, tables=replace(world.tables, examples=rows)), places)

    return planted


PARAPHRASE = PackComposition("rat race", "nc_relations", "race that a rat runs", 1, "me", "2026-11-23")


def question(name: str, compound: str, **changes: Any) -> CompositionItem:
    item = CompositionItem(
        id=f"en/nc_relations/{name}", lang="en", task="nc_relations", words=(name, *compound.split()), span=(1, 3),
        phrase=compound, target=None, paraphrase="race of a rat", label=1, tags=None, word=compound.split()[1],
        split="train", lexical="train", source="", licence="CC0-1.0", release="0.1.0",
    )  # fmt: skip
    return replace(item, **changes)


def _questions(*rows: CompositionItem) -> Planter:
    def planted(world: World) -> Planted:
        return Planted(replace(world, tables=replace(world.tables, composition=rows)), (rows[-1].id,))

    return planted


SENSES: list[tuple[str, str, Planter]] = [
    ("K013", "two literal examples", _pack((IDIOMATIC, LITERAL), EXAMPLES[:-1])),
    ("K014", "no paraphrase", _pack((IDIOMATIC, replace(LITERAL, text=None)))),
    ("K014", "a name with a paraphrase", _pack((IDIOMATIC, LITERAL, replace(NAME, text="a bar")))),
    ("K014", "two senses with one paraphrase", _pack((IDIOMATIC, replace(IDIOMATIC, sense="literal", kind="literal")))),
    ("K015", "another head", _pack((IDIOMATIC, replace(LITERAL, head="animal")))),
    ("T814", "a sentence twice", _pack((IDIOMATIC, LITERAL), (*EXAMPLES, EXAMPLES[0]))),
    ("T815", "a paraphrase before", _pack((IDIOMATIC, LITERAL), (*EXAMPLES, example("literal", 4, "Daily grind!")))),
    ("B506", "one label a compound", _rows(("en",), judged("a", 0), judged("b", 1))),
    ("B507", "a compound of zero-shot", _rows(("en/a/0none",), judged("a", 0), judged("a", 0, "zero"))),
    (
        "B507",
        "a sentence trained on",
        _rows(("en/a/0none",), judged("a", 0, sentence="x"), judged("b", 0, "zero", "X")),
    ),
    (
        "K016",
        "a true paraphrase more",
        lambda world: Planted(world.with_pack("en", composition=(PARAPHRASE,)), (RACE,)),
    ),
    ("B507", "a compound in two parts", _questions(question("a", "rat race"), question("b", "rat race", split="test"))),
    ("B507", "a head in two parts", _questions(question("a", "rat race"), question("b", "car race", lexical="test"))),
    (
        "B507",
        "a sentence in two parts",
        _questions(
            question("a", "rat race"), question("b", "a form", words=("a", "rat", "race"), split="test", lexical=None)
        ),
    ),
    ("B507", "two of one-shot", _rows(("en/a/0one",), judged("a", 0, "one"), judged("a", 0, "one", "other"))),
    ("B508", "a sentence of no item", _rows(("en/a/0none",), judged("a", 0, item=f"{RACE}/nat1/orig"))),
]
