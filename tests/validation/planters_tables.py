"""Planters of B5xx, C3xx, P6xx, R7xx, S2xx, U4xx and W8xx: classes, grid, pairs, randoms, shape, text, waivers."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace

from planting import Planted, Planter, World, everywhere, respan, settle

from ncimp.builder.records import (
    CONTEXTS,
    CarrierEdit,
    Compound,
    CompoundClass,
    Item,
    Pair,
    SplitAssignment,
    TrueSynonym,
    Waiver,
)

RACE, FORM, PARTNER = "en/rat-race", "en/application-form", "en/silent-partner"
PLAIN = f"{PARTNER}/nat1/ws1"
"""An item without carrier edits, in a language without agreement."""


def compounds(world: World, changes: Mapping[str, Mapping[str, object]]) -> World:
    """Change columns of the table `compounds`, by compound id."""
    rows = [replace(row, **changes.get(row.id, {})) for row in world.tables.compounds]  # type: ignore[arg-type]
    return replace(world, tables=replace(world.tables, compounds=rows))


def class_too_small(world: World) -> Planted:
    """Three idiomatic compounds and one compositional, all in one split."""
    lang = [row for row in world.tables.compounds if row.lang == "en"]
    classes: list[CompoundClass] = ["idiomatic"] * 3 + ["partly_compositional"] * 2 + ["compositional"]
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
    return Planted(world.with_pack("en", splits=splits), (RACE,))


def class_missing_in_a_split(world: World) -> Planted:
    """Two compounds exchange their classes: the classes of the language stay balanced."""
    kinds = {"en/rat-race": "partly_compositional", "en/ghost-town": "idiomatic"}
    return Planted(compounds(world, {place: {"compound_class": kind} for place, kind in kinds.items()}), ("en/train", "en/test"))


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


def _as(world: World, item_id: str, other: Item) -> World:
    """Give an item the words of another one of its context."""
    item = world.item(item_id)
    same = replace(other, id=item.id, variant=item.variant, probe=item.probe)
    return world.with_items([same])


def variants_coincide(world: World) -> Planted:
    return Planted(_as(world, f"{RACE}/nat1/ws2", world.item(f"{RACE}/nat1/ws1")), (f"{RACE}/nat1/ws2",))


def synonym_is_the_original(world: World) -> Planted:
    """Differing by case alone is no difference."""
    item = world.item(f"{RACE}/nat1/orig")
    planted = _as(world, f"{RACE}/nat1/syn", item)
    return Planted(respan(planted, f"{RACE}/nat1/syn", "Rat race"), (f"{RACE}/nat1/syn",))


def row_twice(world: World) -> Planted:
    return Planted(world.with_table([*world.tables.items, world.item(PLAIN)]), (PLAIN,))


def sentences_in_two_contexts(world: World) -> Planted:
    """The second written context of a compound is its first one again."""
    pack = world.packs["en"]
    marked = {**pack.marked, ("rat race", "nat2"): pack.marked["rat race", "nat1"]}
    copies = [replace(item, id=item.id.replace("nat1", "nat2"), context="nat2") for item in world.cell(f"{RACE}/nat1")]
    planted = world.with_pack("en", marked=marked).with_items(copies)
    return Planted(planted, tuple(item.id for item in copies))


def compound_in_the_pack_only(world: World) -> Planted:
    pack = world.packs["en"]
    new: Compound = replace(pack.compounds[0], text="lone wolf", modifier="lone", head="wolf")
    return Planted(world.with_pack("en", compounds=(*pack.compounds, new)), ("en/lone-wolf",))


def compound_not_in_the_pack(world: World) -> Planted:
    """The pack forgets a compound that the tables have; what else depends on the pack's row goes with it."""
    rows = tuple(row for row in world.packs["en"].compounds if row.text != "rat race")
    return Planted(world.with_pack("en", compounds=rows), (RACE,), frozenset({"A107"}))


def _pair(pair_id: str, **columns: object) -> Planter:
    def plant(world: World) -> Planted:
        return Planted(_pairs(world, pair_id, lambda pair: [replace(pair, **columns)]), (pair_id,))  # type: ignore[arg-type]

    return plant


def _pairs(world: World, pair_id: str, change: Callable[[Pair], list[Pair]]) -> World:
    rows = [row for pair in world.tables.pairs for row in (change(pair) if pair.id == pair_id else [pair])]
    return replace(world, tables=replace(world.tables, pairs=rows))


def pair_missing(world: World) -> Planted:
    return Planted(_pairs(world, PLAIN, lambda pair: []), (PLAIN,))


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


def random_shares_a_word_with_a_synonym(world: World) -> Planted:
    pack = world.packs["en"]
    drawn = world.item(f"{RACE}/nat1/rand2")
    row = TrueSynonym("rat race", 9, "made up", drawn.modifier, "made", "A_N", None, True)
    return Planted(world.with_pack("en", synonyms=(*pack.synonyms, row)), (drawn.id,))


def random_shares_a_word_with_its_compound(world: World) -> Planted:
    drawn = world.item(f"{RACE}/nat1/rand1")
    rows = tuple(replace(row, modifier=str(drawn.head)) if row.text == "rat race" else row for row in world.packs["en"].compounds)
    return Planted(world.with_pack("en", compounds=rows), (drawn.id,))


def randoms_share_a_word(world: World) -> Planted:
    """`creature paper` becomes `shade paper` beside `shade door`, in every context."""
    first = world.item(f"{RACE}/nat1/rand1")
    planted = _redrawn(world, f"{RACE}", "rand2", str(first.modifier))
    return Planted(planted, (f"{RACE}/nat1/rand2",))


def _redrawn(world: World, compound: str, variant: str, modifier: str) -> World:
    for context in CONTEXTS:
        item = world.item(f"{compound}/{context}/{variant}")
        held = item.sentence[slice(*item.span)].split()
        name = f"{modifier} {item.head}"
        world = respan(world, item.id, f"{modifier} {held[1]}", modifier=modifier, replacement=name)
    return world


def random_used_twice(world: World) -> Planted:
    """Two compounds with the same `rand1`, in every context; A_N in the one and in the other."""
    for context in CONTEXTS:
        model = world.item(f"{PARTNER}/{context}/rand1")
        item = world.item(f"en/public-library/{context}/rand1")
        words = {name: getattr(model, name) for name in ("modifier", "head", "replacement")}
        text = model.sentence[slice(*model.span)]
        world = respan(world, item.id, text, **words)
    users = {PARTNER: 0, "en/public-library": 0}
    order = [item.compound_id for item in world.tables.items if item.id in {f"{name}/nat1/rand1" for name in users}]
    return Planted(world, (f"{order[1]}/nat1/rand1",))


def _delta(**columns: float | None) -> Planter:
    def plant(world: World) -> Planted:
        drawn = [world.item(f"{RACE}/{context}/rand3") for context in CONTEXTS]
        return Planted(world.with_items([replace(item, **columns) for item in drawn]), (f"{RACE}/nat1/rand3",))  # type: ignore[arg-type]

    return plant


def _span(item_id: str, text: str) -> Planter:
    return lambda world: Planted(respan(world, item_id, text), (item_id,))


def head_and_modifier_exchanged(world: World) -> Planted:
    """Each word is one of the item's, and each stands in the place of the other."""
    return Planted(respan(world, f"{RACE}/nat1/ws1", "contest mouse"), (f"{RACE}/nat1/ws1",), frozenset({"A106"}))


def unknown_shape(world: World) -> Planted:
    return Planted(respan(world, f"{RACE}/nat1/ws1", "mousecontest"), (f"{RACE}/nat1/ws1",))


def other_word(world: World) -> Planted:
    """`gerbil contest` where the item says `mouse contest`."""
    return Planted(respan(world, f"{RACE}/nat1/ws1", "gerbil contest"), (f"{RACE}/nat1/ws1",))


def token_span_beside(world: World) -> Planted:
    item = world.item(PLAIN)
    start, end = item.token_span
    return Planted(world.with_items([replace(item, token_span=(start + 1, end + 1))]), (PLAIN,), frozenset({"S204", "A104", "A102"}))


def tokens_of_another_sentence(world: World) -> Planted:
    changed = replace(world.item(PLAIN), tokens=("Aunt", "Rosa", "."), token_span=(0, 1))
    return Planted(world.with_items([changed]), (PLAIN,), frozenset({"S204"}))


def token_span_outside(world: World) -> Planted:
    changed = replace(world.item(PLAIN), token_span=(90, 92))
    return Planted(world.with_items([changed]), (PLAIN,), frozenset({"S204"}))


def span_beside(world: World) -> Planted:
    """The characters of the span are those of the word before it."""
    item = world.item(f"{RACE}/nat1/head")
    start = item.span[0] - len("the ")
    return Planted(world.with_items([replace(item, span=(start, start + 3))]), (item.id,), frozenset({"S201"}))


def _context(context_id: str, old: str, new: str, besides: frozenset[str] = frozenset()) -> Planter:
    def plant(world: World) -> Planted:
        planted = everywhere(world, context_id, old, new)
        return Planted(planted, tuple(item.id for item in planted.cell(context_id)), besides)

    return plant


def no_final_stop(world: World) -> Planted:
    items = world.cell(f"{RACE}/nat1")
    base = settle(world, items[0], items[0].sentence[:-1], items[0].span, items[0])
    cut = [settle(world, item, item.sentence[:-1], item.span, base) for item in items]
    return Planted(world.with_items(cut), tuple(item.id for item in items))


def unrecorded_edit(world: World) -> Planted:
    return Planted(
        world.with_items([replace(world.item(f"{FORM}/nat1/ws1"), carrier_edits=())]), (f"{FORM}/nat1/ws1",)
    )


def _carrier(old: str, new: str) -> Planter:
    def plant(world: World) -> Planted:
        item = world.item(PLAIN)
        sentence = item.sentence.replace(old, new)
        span = (item.span[0] + len(new) - len(old), item.span[1] + len(new) - len(old))
        return Planted(world.with_items([settle(world, item, sentence, span)]), (PLAIN,))

    return plant


def edit_not_made(world: World) -> Planted:
    item = world.item(PLAIN)
    edit = CarrierEdit(item.span[0] - 2, "an", "a", "planted")
    return Planted(world.with_items([replace(item, carrier_edits=(edit,))]), (PLAIN,))


def edit_elsewhere(world: World) -> Planted:
    item = world.item(f"{FORM}/nat1/ws1")
    (edit,) = item.carrier_edits
    return Planted(world.with_items([replace(item, carrier_edits=(replace(edit, start=edit.start + 1),))]), (item.id,))


def decomposed(world: World) -> Planted:
    word = "pão"
    return _context("pt/greve-geral/nat2", word, unicodedata.normalize("NFD", word))(world)


def stale_waiver(world: World) -> Planted:
    waiver = Waiver("A102", "en/rat-race/nat1/ws1", "none", "tests", "2026-01-01")
    return Planted(world.with_pack("en", waivers=(waiver,)), ("en/rat-race/nat1/ws1",))


TABLES: list[tuple[str, str, Planter]] = [
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
    ("P602", "a pair missing", pair_missing),
    ("P602", "a pair twice", pair_twice),
    ("P602", "a pair of no item", pair_of_no_item),
    ("P602", "a pair of an original with itself", pair_of_an_original),
    ("R701", "a word of a synonym", random_shares_a_word_with_a_synonym),
    ("R701", "a word of its compound", random_shares_a_word_with_its_compound),
    ("R701", "a word of another random", randoms_share_a_word),
    ("R702", "one random of two compounds", random_used_twice),
    ("R703", "modifier too frequent", _delta(modifier_delta=0.51)),
    ("R703", "head too rare", _delta(head_delta=-0.51)),
    ("R703", "no difference known", _delta(modifier_delta=None)),
    ("S201", "another modifier", other_word),
    ("S201", "head and modifier exchanged", head_and_modifier_exchanged),
    ("S201", "no phrase of its pattern", unknown_shape),
    ("S201", "a component that is none", _span(f"{RACE}/nat1/head", "mouse")),
    ("S202", "tokens of another sentence", tokens_of_another_sentence),
    ("S202", "token span beside the span", token_span_beside),
    ("S202", "token span outside the tokens", token_span_outside),
    ("S202", "span beside the token span", span_beside),
    ("S203", "a small first letter", _context(f"{RACE}/nat1", "We", "we")),
    ("S203", "no final stop", no_final_stop),
    ("S203", "two spaces", _context(f"{RACE}/nat1", "quiet farm", "quiet  farm")),
    ("S203", "a space before a comma", _context(f"{RACE}/nat1", "finance, and", "finance , and")),
    ("S203", "a no-break space", _context(f"{RACE}/nat1", "quiet farm", "quiet\u00a0farm")),
    ("S204", "a change without a record", unrecorded_edit),
    ("S204", "a recorded change that is no agreement", _carrier("Rosa", "Rita")),
    ("S204", "a word more", _carrier("Aunt Rosa", "Aunt Rosa never")),
    ("S204", "a word less", _carrier("Aunt Rosa", "Rosa")),
    ("S204", "a record without a change", edit_not_made),
    ("S204", "a record of another place", edit_elsewhere),
    ("U401", "mojibake", _context("pt/greve-geral/nat2", "pão", "pÃ£o")),
    ("U401", "a replacement character", _context(f"{RACE}/nat1", "lake", "l\ufffdke")),
    ("U401", "a control character", _context(f"{RACE}/nat1", "lake", "la\x07ke")),
    ("U402", "decomposed accents", decomposed),
    ("W801", "a waiver of nothing", stale_waiver),
]
"""Code, what is wrong, and the planter."""
