"""How far left of a span agreement is asked for: past numerals and adjectives, not past the determiner that ends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.builder.records import Gender, Incident, MarkedSentence
from ncimp.builder.validation.validate import validate
from tests.validation.planting import World, read_world, settle

CONTEXT = "pt/pé-frio/nat2"
OLD = {"m": "pela goleada dois", "f": "pela goleada duas"}
"""The words left of the span, by gender; lone components keep those of the original."""


@pytest.fixture(scope="module")
def world(mini_release: Path, mini_packs: Path) -> World:
    return read_world(mini_release, mini_packs)


def told(world: World, left: Mapping[str, str], wrong: Mapping[str, str] | None = None) -> list[Incident]:
    """The incidents of the context with the words *left* of the span, and in the item `ws1` those of *wrong*."""
    original = world.item(f"{CONTEXT}/orig")
    changed = []
    base = original
    for item in world.cell(CONTEXT):
        gender: Gender = item.gender or "m"
        words = (wrong or left)[gender] if item.variant == "ws1" else left[gender]
        shift = len(words) - len(OLD[gender])
        sentence = item.sentence.replace(OLD[gender], words)
        assert sentence != item.sentence
        made = settle(world, item, sentence, (item.span[0] + shift, item.span[1] + shift), base)
        if item.variant == "orig":
            base = made = replace(made, carrier_edits=())
        changed.append(made)
    pack = world.packs["pt"]
    marked = {**pack.marked, ("pé-frio", "nat2"): MarkedSentence(base.sentence, base.span)}
    planted = world.with_pack("pt", marked=marked).with_items(changed)
    found = validate(planted.tables.of("pt"), {"pt": planted.packs["pt"]})
    # the word left of a chain may be one that no mini table needs; that is another matter (A106, T809)
    return [row for row in found if (row.code, row.place) not in (("A106", original.id), ("T809", CONTEXT))]


def test_an_adjective_left_of_a_numeral_is_still_of_the_chain(world: World) -> None:
    """`os primeiros dois pés-frios`, `as primeiras duas patas geladas`."""
    assert world.item(f"{CONTEXT}/ws1").gender == "f"
    left = {"m": "os primeiros dois", "f": "as primeiras duas"}
    assert told(world, left) == []
    found = told(world, left, {"f": "as primeiros duas"})
    assert [(row.code, row.place) for row in found] == [("A104", f"{CONTEXT}/ws1")]
    found = told(world, left, {"f": "os primeiras duas"})
    assert [(row.code, row.place) for row in found] == [("A102", f"{CONTEXT}/ws1")]


def test_two_adjectives_are_both_of_the_chain(world: World) -> None:
    left = {"m": "os primeiros velhos", "f": "as primeiras velhas"}
    assert told(world, left) == []
    found = told(world, left, {"f": "as primeiros velhas"})
    assert [(row.code, row.place) for row in found] == [("A104", f"{CONTEXT}/ws1")]


def test_an_adjective_left_of_the_article_is_of_another_phrase(world: World) -> None:
    """`velhas os pés-frios`: whatever is old there, it is not the noun after the article."""
    assert told(world, {"m": "velhas os", "f": "velhas as"}) == []
    found = told(world, {"m": "velhas os", "f": "velhas as"}, {"f": "velhas os"})
    assert [(row.code, row.place) for row in found] == [("A102", f"{CONTEXT}/ws1")]


def test_a_preposition_before_an_article_stays_as_it_is(world: World) -> None:
    """`a uns pés-frios`, `a umas patas geladas`: `a` is no article there."""
    assert told(world, {"m": "a uns", "f": "a umas"}) == []
    found = told(world, {"m": "a uns", "f": "a umas"}, {"f": "as umas"})
    assert [(row.code, row.place) for row in found if row.code == "A102"] == [("A102", f"{CONTEXT}/ws1")]


def test_an_unknown_word_ends_the_chain(world: World) -> None:
    """Nothing is asked of what stands left of it, though `os` can be no article of `patas geladas`."""
    assert told(world, {"m": "os xyz dois", "f": "os xyz duas"}) == []
