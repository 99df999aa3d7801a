"""Planters of R7xx, S2xx, U4xx and W8xx: random compounds, shape of a sentence, its text, waivers."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from ncimp.builder.records import CONTEXTS, CarrierEdit, PoolEntry, TrueSynonym, Waiver
from tests.validation.planters_grid import FORM, PARTNER, PLAIN, RACE
from tests.validation.planting import Planted, Planter, World, everywhere, remarked, respan, settle

DAMAGED = frozenset({"T809"})
"""A damaged word is one that no table knows."""


def random_shares_a_word_with_a_synonym(world: World) -> Planted:
    pack = world.packs["en"]
    drawn = world.item(f"{RACE}/nat1/rand2")
    row = TrueSynonym(
        "rat race", 9, "made up", drawn.modifier, "made", "A_N", None, True, "synonym", "count", "neutral"
    )
    return Planted(world.with_pack("en", synonyms=(*pack.synonyms, row)), (drawn.id,), frozenset({"K008", "K009"}))


def random_shares_a_word_with_its_compound(world: World) -> Planted:
    return Planted(_redrawn(world, RACE, "rand1", "race"), (f"{RACE}/nat1/rand1",), frozenset({"R704"}))


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


def foreign_replacement(world: World) -> Planted:
    """The column says `hard worker` in every context; span, head and modifier say something else."""
    items = [replace(world.item(f"{RACE}/{context}/ws1"), replacement="hard worker") for context in CONTEXTS]
    return Planted(world.with_items(items), tuple(item.id for item in items))


def token_span_beside(world: World) -> Planted:
    item = world.item(PLAIN)
    start, end = item.token_span
    return Planted(
        world.with_items([replace(item, token_span=(start + 1, end + 1))]),
        (PLAIN,),
        frozenset({"S204", "A104", "A102"}),
    )


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
    return Planted(world.with_items([replace(item, span=(start, start + 3))]), (item.id,), frozenset({"S201", "S204"}))


def _context(context_id: str, old: str, new: str, besides: frozenset[str] = frozenset()) -> Planter:
    def plant(world: World) -> Planted:
        planted = everywhere(world, context_id, old, new)
        return Planted(planted, tuple(item.id for item in planted.cell(context_id)), besides)

    return plant


SHAPE = frozenset({"T811"})
"""The pack has the same fault as its sentence in the release."""


def no_final_stop(world: World) -> Planted:
    items = world.cell(f"{RACE}/nat1")
    base = settle(world, items[0], items[0].sentence[:-1], items[0].span, items[0])
    cut = [settle(world, item, item.sentence[:-1], item.span, base) for item in items]
    return Planted(remarked(world, base, base.sentence).with_items(cut), tuple(item.id for item in items), SHAPE)


def space_lost(world: World) -> Planted:
    """The tokens are the same, the sentence is not."""
    item = world.item(f"{RACE}/nat1/ws1")
    sentence = item.sentence.replace("finance, and", "finance,and")
    span = (item.span[0] - 1, item.span[1] - 1)
    return Planted(world.with_items([settle(world, item, sentence, span)]), (item.id,))


def changed_in_every_variant(world: World) -> Planted:
    """All 14 sentences agree with each other, and not with the pack's context."""
    changed = everywhere(world, f"{RACE}/nat1", "farm", "ranch")
    return Planted(replace(changed, packs=world.packs), (f"{RACE}/nat1/orig",))


def frame_changed_in_every_variant(world: World) -> Planted:
    """A frame may have been made to agree, and nothing else: `um` may be `uma`, but `Isto` not `Isso`."""
    context = "pt/pé-frio/neut_long"
    changed = everywhere(world, context, "Isto", "Isso")
    return Planted(replace(changed, packs=world.packs), (f"{context}/orig",))


def unrecorded_edit(world: World) -> Planted:
    return Planted(world.with_items([replace(world.item(f"{FORM}/nat1/ws1"), carrier_edits=())]), (f"{FORM}/nat1/ws1",))


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
    return _context("pt/greve-geral/nat2", word, unicodedata.normalize("NFD", word), DAMAGED)(world)


def random_in_the_sense_note(world: World) -> Planted:
    item = world.item(f"{RACE}/nat1/rand1")
    return Planted(_race(world, sense_note=f"to run like a {item.modifier}"), (item.id,))


def head_of_a_fitting_class(world: World) -> Planted:
    item = world.item(f"{RACE}/nat1/rand1")
    entry = PoolEntry(str(item.head), "noun", None, "animal", "both")
    return Planted(_race(world, fitting_classes="act animal").with_pack("en", pool=(entry,)), (item.id,))


def _race(world: World, **columns: str) -> World:
    rows = (replace(row, **columns) if row.text == "rat race" else row for row in world.packs["en"].compounds)  # type: ignore[arg-type]
    return world.with_pack("en", compounds=tuple(rows))


def word_of_five_randoms(world: World) -> Planted:
    rows = [row for row in world.tables.of("en").items if row.context == "nat1" and row.variant == "rand1"][:5]
    changed = world.with_items([replace(row, modifier=rows[0].modifier) for row in rows])
    return Planted(changed, tuple(row.id for row in rows), frozenset({"S201", "C307"}))


def lost_letter(world: World) -> Planted:
    item = world.item(f"{RACE}/neut_short/rand1")
    end = item.span[1]
    text = f"{item.sentence[: end - 1]}?{item.sentence[end:]}"
    return Planted(world.with_items([replace(item, sentence=text)]), (item.id,), DAMAGED | {"A106", "S201", "S202"})


def random_in_the_plural(world: World) -> Planted:
    item = world.item(f"{RACE}/nat1/rand1")
    return Planted(world.with_items([replace(item, number="pl")]), (item.id,), frozenset({"A108"}))


def stale_waiver(world: World) -> Planted:
    waiver = Waiver("A102", "en/rat-race/nat1/ws1", "none", "tests", "2026-01-01")
    return Planted(world.with_pack("en", waivers=(waiver,)), ("en/rat-race/nat1/ws1",))


SENTENCES: list[tuple[str, str, Planter]] = [
    ("R701", "a word of a synonym", random_shares_a_word_with_a_synonym),
    ("R701", "a word of its compound", random_shares_a_word_with_its_compound),
    ("R701", "a word of another random", randoms_share_a_word),
    ("R702", "one random of two compounds", random_used_twice),
    ("R704", "a word of the sense note", random_in_the_sense_note),
    ("R705", "a class that fits the sentences", head_of_a_fitting_class),
    ("R706", "a word in five random compounds", word_of_five_randoms),
    ("R707", "a random compound in the plural", random_in_the_plural),
    ("R703", "modifier too frequent", _delta(modifier_delta=0.76)),
    ("R703", "head too rare", _delta(head_delta=-0.76)),
    ("R703", "no difference known", _delta(modifier_delta=None)),
    ("S201", "another modifier", other_word),
    ("S201", "head and modifier exchanged", head_and_modifier_exchanged),
    ("S201", "no phrase of its pattern", unknown_shape),
    ("S201", "a replacement that is not in the span", foreign_replacement),
    ("S201", "a component that is none", _span(f"{RACE}/nat1/head", "mouse")),
    ("S202", "tokens of another sentence", tokens_of_another_sentence),
    ("S202", "token span beside the span", token_span_beside),
    ("S202", "token span outside the tokens", token_span_outside),
    ("S202", "span beside the token span", span_beside),
    ("S203", "a small first letter", _context(f"{RACE}/nat1", "We", "we", SHAPE)),
    ("S203", "no final stop", no_final_stop),
    ("S203", "two spaces", _context(f"{RACE}/nat1", "quiet farm", "quiet  farm", SHAPE)),
    ("S203", "a space before a comma", _context(f"{RACE}/nat1", "finance, and", "finance , and", SHAPE)),
    ("S203", "a no-break space", _context(f"{RACE}/nat1", "quiet farm", "quiet\u00a0farm")),
    ("S204", "a change without a record", unrecorded_edit),
    ("S204", "a recorded change that is no agreement", _carrier("Rosa", "Rita")),
    ("S204", "a space lost", space_lost),
    ("S204", "a sentence that is not the pack's", changed_in_every_variant),
    ("S204", "a frame that is not the pack's", frame_changed_in_every_variant),
    ("S204", "a word more", _carrier("Aunt Rosa", "Aunt Rosa never")),
    ("S204", "a word less", _carrier("Aunt Rosa", "Rosa")),
    ("S204", "a record without a change", edit_not_made),
    ("S204", "a record of another place", edit_elsewhere),
    ("U401", "mojibake", _context("pt/greve-geral/nat2", "pão", "pÃ£o", DAMAGED)),
    ("U401", "a replacement character", _context(f"{RACE}/nat1", "lake", "l\ufffdke", DAMAGED)),
    ("U401", "a control character", _context(f"{RACE}/nat1", "lake", "la\x07ke", DAMAGED)),
    ("U401", "a letter lost in a phrase", lost_letter),
    ("U401", "a zero-width space", _context(f"{RACE}/nat1", "lake", "la\u200bke", DAMAGED)),
    ("U401", "a soft hyphen", _context(f"{RACE}/nat1", "lake", "la\u00adke", DAMAGED)),
    ("U402", "decomposed accents", decomposed),
    ("W801", "a waiver of nothing", stale_waiver),
]
"""Code, what is wrong, and the planter."""
