"""Planters of B5xx, C3xx and P6xx: classes and splits, the cells of the grid, pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ncimp.builder.records import (
    CLASSES,
    CONTEXTS,
    Compound,
    Pair,
    SplitAssignment,
)
from tests.validation.planting import Planted, Planter, World, respan

RACE, FORM, PARTNER = "en/rat-race", "en/application-form", "en/silent-partner"
PLAIN = f"{PARTNER}/nat1/ws1"
"""An item without carrier edits, in a language without agreement."""


def compounds(world: World, changes: Mapping[str, Mapping[str, object]]) -> World:
    """Change columns of the table `compounds`, by compound id, and what the other tables have of them."""
    rows = [replace(row, **changes.get(row.id, {})) for row in world.tables.compounds]  # type: ignore[arg-type]
    named = {row.id: {"split": row.split, "compound_class": row.compound_class} for row in rows}
    items = [replace(item, **named[item.compound_id]) for item in world.tables.items]  # type: ignore[arg-type]
    changed = world.with_table(items)
    return replace(changed, tables=replace(changed.tables, compounds=rows))


def class_too_small(world: World) -> Planted:
    """Three idiomatic compounds and one compositional, all in one split."""
    lang = [row for row in world.tables.compounds if row.lang == "en"]
    # three of the first class, two of the second, one of the third
    classes = [CLASSES[number] for number in (0, 0, 0, 1, 1, 2)]
    planted = compounds(
        world, {row.id: {"split": "train", "compound_class": name} for row, name in zip(lang, classes, strict=True)}
    )
    splits = tuple(SplitAssignment(row.compound, "train") for row in lang)
    return Planted(planted.with_pack("en", splits=splits), ("en",))


def lemma_in_two_splits(world: World) -> Planted:
    """A modifier of the train split that is also one of the test split."""
    return Planted(compounds(world, {RACE: {"modifier": "ghost"}}), ("en/ghost-town", RACE))


def modifier_that_is_a_head_elsewhere(world: World) -> Planted:
    return Planted(compounds(world, {RACE: {"modifier": "town"}}), ("en/ghost-town", RACE))


def moved_compounds(world: World) -> Planted:
    """Two compounds of one class change places: every other count stays as it was."""
    changes = {RACE: {"split": "test"}, "en/eager-beaver": {"split": "train"}}
    return Planted(compounds(world, changes), tuple(changes))


def unrecorded_split(world: World) -> Planted:
    splits = tuple(row for row in world.packs["en"].splits if row.compound != "rat race")
    return Planted(world.with_pack("en", splits=splits), (RACE,), frozenset({"K005"}))


def class_missing_in_a_split(world: World) -> Planted:
    """Two compounds exchange their classes: the classes of the language stay balanced."""
    kinds = {"en/rat-race": "partly_compositional", "en/ghost-town": "idiomatic"}
    return Planted(
        compounds(world, {place: {"compound_class": kind} for place, kind in kinds.items()}), ("en/train", "en/test")
    )


def empty_cell(world: World) -> Planted:
    items = [item for item in world.tables.items if item.id != PLAIN]
    return Planted(world.with_table(items), (PLAIN,))


def empty_original(world: World) -> Planted:
    items = [item for item in world.tables.items if item.id != f"{RACE}/nat1/orig"]
    return Planted(world.with_table(items), (f"{RACE}/nat1/orig",))


def empty_compound(world: World) -> Planted:
    items = [item for item in world.tables.items if item.compound_id != RACE]
    places = tuple(item.id for item in world.tables.items if item.compound_id == RACE)
    return Planted(world.with_table(items), places)


def _as(world: World, item_id: str, other_id: str) -> World:
    """Give an item the words of another one of its context."""
    item, other = world.item(item_id), world.item(other_id)
    return world.with_items([replace(other, id=item.id, variant=item.variant, probe=item.probe)])


def variants_coincide(world: World) -> Planted:
    """Two pairs of component synonyms are the same, in every context."""
    for context in CONTEXTS:
        world = _as(world, f"{RACE}/{context}/ws2", f"{RACE}/{context}/ws1")
    return Planted(world, tuple(f"{RACE}/{context}/ws2" for context in CONTEXTS))


def synonym_is_the_original(world: World) -> Planted:
    """Differing by case alone is no difference."""
    for context in CONTEXTS:
        world = _as(world, f"{RACE}/{context}/syn", f"{RACE}/{context}/orig")
        item = world.item(f"{RACE}/{context}/syn")
        world = respan(world, item.id, item.sentence[slice(*item.span)].capitalize())
    return Planted(world, tuple(f"{RACE}/{context}/syn" for context in CONTEXTS))


def row_twice(world: World) -> Planted:
    return Planted(world.with_table([*world.tables.items, world.item(PLAIN)]), (PLAIN,))


def sentences_in_two_contexts(world: World) -> Planted:
    """The second written context of a compound is its first one again."""
    pack = world.packs["en"]
    marked = {**pack.marked, ("rat race", "nat2"): pack.marked["rat race", "nat1"]}
    copies = [replace(item, id=item.id.replace("nat1", "nat2"), context="nat2") for item in world.cell(f"{RACE}/nat1")]
    planted = world.with_pack("en", marked=marked).with_items(copies)
    return Planted(planted, tuple(item.id for item in copies), frozenset({"T801", "T802"}))


def compound_in_the_pack_only(world: World) -> Planted:
    pack = world.packs["en"]
    new: Compound = replace(pack.compounds[0], text="lone wolf", modifier="lone", head="wolf")
    bare = frozenset({"K001", "K002", "K005", "K007"})
    return Planted(world.with_pack("en", compounds=(*pack.compounds, new)), ("en/lone-wolf",), bare)


def compound_not_in_the_pack(world: World) -> Planted:
    """The pack forgets a compound that the tables have; what else depends on the pack's row goes with it."""
    rows = tuple(row for row in world.packs["en"].compounds if row.text != "rat race")
    return Planted(world.with_pack("en", compounds=rows), (RACE,), frozenset({"A107", "R704"}))


def _rows(choose: Callable[[World], list[str]], **columns: object) -> Planter:
    """Change columns of the items that *choose* names, and of their pairs alike."""

    def plant(world: World) -> Planted:
        ids = choose(world)
        changed = [replace(world.item(item_id), **columns) for item_id in ids]  # type: ignore[arg-type]
        return Planted(world.with_items(changed), tuple(ids))

    return plant


def _of_compound(world: World) -> list[str]:
    return [item.id for item in world.tables.items if item.compound_id == RACE]


def _components(world: World) -> list[str]:
    return [item.id for item in world.tables.items if (item.compound_id, item.variant) == (RACE, "mod")]


def ids_exchanged(world: World) -> Planted:
    """The row `.../ws1` has the variant `ws2` and the other way round."""
    names = {f"{RACE}/nat1/ws1": f"{RACE}/nat1/ws2", f"{RACE}/nat1/ws2": f"{RACE}/nat1/ws1"}
    items = [replace(item, id=names.get(item.id, item.id)) for item in world.tables.items]
    pairs = [replace(pair, id=names.get(pair.id, pair.id)) for pair in world.tables.pairs]
    return Planted(replace(world, tables=replace(world.tables, items=items, pairs=pairs)), tuple(names))


def rows_of_an_unknown_compound(world: World) -> Planted:
    """Seventy sentences and their pairs of a compound that neither pack nor `compounds` has."""
    place = "en/rat-trap"
    own = [item for item in world.tables.items if item.compound_id == RACE]
    items = [replace(row, id=row.id.replace(RACE, place), compound_id=place) for row in own]
    pairs = [
        replace(row, id=row.id.replace(RACE, place), compound_id=place)
        for row in world.tables.pairs
        if row.compound_id == RACE
    ]
    tables = replace(world.tables, items=[*world.tables.items, *items], pairs=[*world.tables.pairs, *pairs])
    copied = frozenset({"C304", "R702", "R701", "C307"})
    return Planted(replace(world, tables=tables), tuple(item.id for item in items), copied)


def another_random_in_one_context(world: World) -> Planted:
    """Two random compounds change places in one of the five contexts."""
    one, other = world.item(f"{RACE}/nat2/rand1"), world.item(f"{RACE}/nat2/rand2")
    exchanged = _as(_as(world, one.id, other.id), other.id, other.id)
    back = replace(one, id=other.id, variant=other.variant)
    return Planted(exchanged.with_items([back]), (one.id, other.id))


def _pair(pair_id: str, **columns: object) -> Planter:
    def plant(world: World) -> Planted:
        return Planted(_pairs(world, pair_id, lambda pair: [replace(pair, **columns)]), (pair_id,))  # type: ignore[arg-type]

    return plant


def _pairs(world: World, pair_id: str, change: Callable[[Pair], list[Pair]]) -> World:
    rows = [row for pair in world.tables.pairs for row in (change(pair) if pair.id == pair_id else [pair])]
    return replace(world, tables=replace(world.tables, pairs=rows))


def pair_missing(world: World) -> Planted:
    return Planted(_pairs(world, PLAIN, lambda _: []), (PLAIN,))


def pair_twice(world: World) -> Planted:
    return Planted(_pairs(world, PLAIN, lambda pair: [pair, pair]), (PLAIN,))


def pair_of_no_item(world: World) -> Planted:
    place = f"{PARTNER}/nat1/ws6"
    return Planted(_pairs(world, PLAIN, lambda pair: [pair, replace(pair, id=place)]), (place,))


def pair_of_an_original(world: World) -> Planted:
    place = f"{PARTNER}/nat1/orig"
    original = world.item(place)
    return Planted(
        _pairs(
            world,
            PLAIN,
            lambda pair: [
                pair,
                replace(
                    pair,
                    id=place,
                    variant="orig",
                    probe="orig",
                    sentence2=original.sentence,
                    span2=original.span,
                    replacement=original.replacement,
                ),
            ],
        ),
        (place,),
    )


GRID: list[tuple[str, str, Planter]] = [
    ("B501", "three, two and one compounds of a class", class_too_small),
    ("B502", "a modifier in two splits", lemma_in_two_splits),
    ("B502", "a modifier that is a head in another split", modifier_that_is_a_head_elsewhere),
    ("B503", "two compounds moved", moved_compounds),
    ("B503", "a split that is not recorded", unrecorded_split),
    ("B504", "a class missing in a split", class_missing_in_a_split),
    ("C301", "one cell empty", empty_cell),
    ("C301", "an original missing", empty_original),
    ("C301", "a compound without sentences", empty_compound),
    ("C302", "two variants the same", variants_coincide),
    ("C302", "a synonym that is the original in capitals", synonym_is_the_original),
    ("C303", "a row twice", row_twice),
    ("C304", "one sentence in two written contexts", sentences_in_two_contexts),
    ("C305", "a compound in the pack only", compound_in_the_pack_only),
    ("C305", "a compound in the release only", compound_not_in_the_pack),
    ("C306", "sentences and pairs in another split than their compound", _rows(_of_compound, split="test")),
    ("C306", "sentences of another class", _rows(_of_compound, compound_class="compositional")),
    ("C306", "another probe", _rows(lambda _: [PLAIN], probe="PRand")),
    ("C306", "another kind of context", _rows(lambda _: [PLAIN], context_kind="neutral")),
    ("C306", "another compound text", _rows(lambda _: [f"{RACE}/nat1/ws1"], compound="silent partner")),
    ("C306", "another component than the compound's", _rows(_components, replacement="mouse")),
    ("C306", "two ids exchanged", ids_exchanged),
    ("C306", "rows of a compound that nobody knows", rows_of_an_unknown_compound),
    ("C307", "two randoms exchanged in one context", another_random_in_one_context),
    ("C307", "another distance in one context", _rows(lambda _: [f"{RACE}/nat2/rand1"], modifier_delta=2.0)),
    ("C307", "another distance of the head", _rows(lambda _: [f"{RACE}/neut_long/rand1"], head_delta=0.25)),
    ("C307", "another source in one context", _rows(lambda _: [f"{RACE}/nat2/ws1"], source="none")),
    ("P601", "another first sentence", _pair(PLAIN, sentence1="This is another sentence.")),
    ("P601", "another second sentence", _pair(PLAIN, sentence2="This is another sentence.")),
    ("P601", "another first span", _pair(PLAIN, span1=(0, 3))),
    ("P601", "another second span", _pair(PLAIN, span2=(0, 3))),
    ("P601", "another replacement", _pair(PLAIN, replacement="hard worker")),
    ("P601", "another probe", _pair(PLAIN, probe="PRand")),
    ("P601", "another variant", _pair(PLAIN, variant="ws2")),
    ("P601", "another split", _pair(PLAIN, split="test")),
    ("P601", "another class", _pair(PLAIN, compound_class="idiomatic")),
    ("P601", "another language", _pair(PLAIN, lang="pt")),
    ("P601", "another kind of context", _pair(PLAIN, context_kind="neutral")),
    ("P601", "another compound text", _pair(PLAIN, compound="ghost town")),
    ("P601", "another compound id", _pair(PLAIN, compound_id="en/ghost-town")),
    ("P601", "another licence", _pair(PLAIN, licence="none")),
    ("P602", "a pair missing", pair_missing),
    ("P602", "a pair twice", pair_twice),
    ("P602", "a pair of no item", pair_of_no_item),
    ("P602", "a pair of an original with itself", pair_of_an_original),
]
"""Code, what is wrong, and the planter."""
