"""Errors that no single check looks for, and that a release must not have all the same: some code has to report each."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from planters_folder import COMPOUNDS, change_manifest, sign
from planting import Planter, Planted, World, everywhere, read_world, respan, settle

from ncimp.builder.cli import main
from ncimp.builder.commands.validate import check
from ncimp.builder.records import Item
from ncimp.builder.validation.validate import validate
from ncimp.schemas.arrow import read_parquet, write_parquet

RACE, PARTNER = "en/rat-race", "en/silent-partner"
WS1, WS2 = f"{RACE}/nat1/ws1", f"{RACE}/nat1/ws2"


@pytest.fixture(scope="module")
def world(mini_release: Path, mini_packs: Path) -> World:
    return read_world(mini_release, mini_packs)


def change(world: World, ids: list[str], **columns: object) -> World:
    """Change columns of items and of their pairs alike, so that no pair contradicts its items."""
    items = [replace(item, **columns) if item.id in ids else item for item in world.tables.items]  # type: ignore[arg-type]
    own = {name: value for name, value in columns.items() if name in type(world.tables.pairs[0]).__dataclass_fields__}
    pairs = [replace(pair, **own) if pair.id in ids else pair for pair in world.tables.pairs]  # type: ignore[arg-type]
    return replace(world, tables=replace(world.tables, items=items, pairs=pairs))


def of_compound(world: World, compound_id: str) -> list[str]:
    return [item.id for item in world.tables.items if item.compound_id == compound_id]


def sentences_in_another_split(world: World) -> Planted:
    """The leak that matters: rows of a training compound among the test rows, the table `compounds` untouched."""
    return Planted(change(world, of_compound(world, RACE), split="test"), (RACE,))


def sentences_of_another_class(world: World) -> Planted:
    return Planted(change(world, of_compound(world, RACE), compound_class="compositional"), (RACE,))


def another_probe(world: World) -> Planted:
    return Planted(change(world, [WS1], probe="PRand"), (WS1,))


def another_kind_of_context(world: World) -> Planted:
    ids = [item.id for item in world.cell(f"{RACE}/nat1")]
    return Planted(change(world, ids, context_kind="neutral"), (f"{RACE}/nat1",))


def another_compound_text(world: World) -> Planted:
    """The id says `rat-race`, the column another compound; the lists of the pack go by the column."""
    return Planted(change(world, [WS1], compound="ghost town"), (WS1,))


def replacement_that_is_not_in_the_span(world: World) -> Planted:
    return Planted(change(world, [WS1], replacement="hard worker"), (WS1,))


def ids_exchanged(world: World) -> Planted:
    """The row `.../ws1` has the variant `ws2` and the other way round."""
    names = {WS1: WS2, WS2: WS1}
    items = [replace(item, id=names.get(item.id, item.id)) for item in world.tables.items]
    pairs = [replace(pair, id=names.get(pair.id, pair.id)) for pair in world.tables.pairs]
    return Planted(replace(world, tables=replace(world.tables, items=items, pairs=pairs)), (WS1,))


def plural_in_a_singular_context(world: World) -> Planted:
    """Span and claimed number agree with each other; the context asks for the other number."""
    plural = world.item(f"{RACE}/nat3/ws1")
    text = plural.sentence[slice(*plural.span)]
    return Planted(respan(world, WS1, text, number="pl"), (WS1,))


def another_random_in_one_context(world: World) -> Planted:
    """The five randoms are the same in all contexts of a compound."""
    item, other = world.item(f"{RACE}/nat2/rand1"), world.item(f"{RACE}/nat2/rand2")
    words = {name: getattr(other, name) for name in ("head", "modifier", "replacement")}
    exchanged = respan(world, item.id, other.sentence[slice(*other.span)], **words)
    back = {name: getattr(item, name) for name in ("head", "modifier", "replacement")}
    return Planted(respan(exchanged, other.id, item.sentence[slice(*item.span)], **back), (item.id,))


def unmatched_random_in_one_context(world: World) -> Planted:
    return Planted(change(world, [f"{RACE}/nat2/rand1"], modifier_delta=2.0), (f"{RACE}/nat2/rand1",))


def rows_of_an_unknown_compound(world: World) -> Planted:
    """Seventy sentences and their pairs of a compound that neither pack nor `compounds` has."""
    place = "en/rat-trap"

    def renamed(row_id: str) -> str:
        return row_id.replace(RACE, place)

    items = [replace(row, id=renamed(row.id), compound_id=place) for row in world.tables.items if row.compound_id == RACE]
    pairs = [replace(row, id=renamed(row.id), compound_id=place) for row in world.tables.pairs if row.compound_id == RACE]
    # other sentences, so that they do not coincide with those of the compound they were made from
    items = [_told(world, item) for item in items]
    by_id = {item.id: item for item in items}
    firsts = {item.context: item for item in items if item.variant == "orig"}
    pairs = [
        replace(
            pair,
            sentence1=firsts[pair.context].sentence,
            span1=firsts[pair.context].span,
            sentence2=by_id[pair.id].sentence,
            span2=by_id[pair.id].span,
        )
        for pair in pairs
    ]
    tables = replace(world.tables, items=[*world.tables.items, *items], pairs=[*world.tables.pairs, *pairs])
    return Planted(replace(world, tables=tables), (place,))


def _told(world: World, item: Item) -> Item:
    sentence = "Rosa: " + item.sentence
    base = world.item(f"{RACE}/{item.context}/orig")
    told = settle(world, base, "Rosa: " + base.sentence, (base.span[0] + 6, base.span[1] + 6), base)
    return settle(world, item, sentence, (item.span[0] + 6, item.span[1] + 6), told)


def spaces_lost_in_the_carrier(world: World) -> Planted:
    """The tokens are the same, the sentence is not."""
    item = world.item(WS1)
    sentence = item.sentence.replace("finance, and", "finance,and")
    assert sentence != item.sentence
    return Planted(world.with_items([settle(world, item, sentence, (item.span[0] - 1, item.span[1] - 1))]), (WS1,))


def carrier_changed_in_every_variant(world: World) -> Planted:
    """All 14 sentences agree with each other, and not with the pack's context."""
    changed = everywhere(world, f"{RACE}/nat1", "farm", "ranch")
    return Planted(replace(changed, packs=world.packs), (f"{RACE}/nat1",))


def invisible_character(world: World) -> Planted:
    """A zero-width space, in the pack's sentence too: it parts a word for every model, and no reader sees it."""
    return Planted(everywhere(world, f"{RACE}/nat1", "lake", "la\u200bke"), (f"{RACE}/nat1",))


def pair_with(**columns: object) -> Planter:
    def plant(world: World) -> Planted:
        pairs = [replace(pair, **columns) if pair.id == WS1 else pair for pair in world.tables.pairs]  # type: ignore[arg-type]
        return Planted(replace(world, tables=replace(world.tables, pairs=pairs)), (WS1,))

    return plant


SPOTS: list[tuple[str, Planter]] = [
    ("sentences and pairs in another split than their compound", sentences_in_another_split),
    ("sentences and pairs of another class than their compound", sentences_of_another_class),
    ("a probe that is not the variant's", another_probe),
    ("a kind of context that is not the context's", another_kind_of_context),
    ("a compound text that is not the id's", another_compound_text),
    ("a replacement that is not in the span", replacement_that_is_not_in_the_span),
    ("two ids exchanged", ids_exchanged),
    ("a plural in a singular context that claims to be plural", plural_in_a_singular_context),
    ("another random compound in one context", another_random_in_one_context),
    ("a random compound that is not matched, told in one context", unmatched_random_in_one_context),
    ("rows of a compound that nobody knows", rows_of_an_unknown_compound),
    ("a space lost in the carrier", spaces_lost_in_the_carrier),
    ("a carrier changed alike in every variant", carrier_changed_in_every_variant),
    ("an invisible character", invisible_character),
    ("a pair of another kind of context", pair_with(context_kind="neutral")),
    ("a pair of another compound text", pair_with(compound="ghost town")),
    ("a pair of another licence", pair_with(licence="none")),
    ("a pair of another compound id", pair_with(compound_id="en/ghost-town")),
]


@pytest.mark.parametrize(("label", "planter"), SPOTS, ids=[label for label, _ in SPOTS])
def test_an_inconsistent_row_is_reported(world: World, label: str, planter: Planter) -> None:
    planted = planter(world)
    found = validate(planted.world.tables.of("en"), {"en": planted.world.packs["en"]})
    assert any(row.place.startswith(planted.places[0]) for row in found), label


@pytest.mark.parametrize(
    ("key", "value"), [("logical_sha256", "0" * 64), ("counts", {"compounds": 99, "sentences": 1, "pairs": 1})]
)
def test_a_manifest_whose_own_figures_are_false_is_reported(
    release_copy: Path, mini_packs: Path, key: str, value: object
) -> None:
    change_manifest(release_copy, lambda manifest: manifest.update({key: value}))
    found, _ = check(release_copy, mini_packs)
    assert found


def test_a_number_that_is_none_is_reported_and_ends_in_no_traceback(release_copy: Path, mini_packs: Path) -> None:
    rows = read_parquet(release_copy / COMPOUNDS)
    rows[0]["modifier_zipf"] = math.nan
    write_parquet(release_copy / COMPOUNDS, rows, "compound")
    sign(release_copy, COMPOUNDS)
    assert main(["validate", str(release_copy), "--packs", str(mini_packs)]) == 1
