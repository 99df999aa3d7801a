"""Every item of the mini world: the surface at its span, and a carrier that can be turned back into the original."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.filling.repair import NEAR, Repairer, apply_edits
from ncimp.builder.grammar import Features
from ncimp.builder.records import CONTEXTS, NEUTRAL, VARIANTS, FilledItem

Items = dict[str, list[FilledItem]]
Shops = dict[str, LanguageResources]

NEUTRAL_SENTENCES = {
    "en/eager-beaver": ("This is an eager beaver.", "This is what an eager beaver is supposed to be."),
    "en/rat-race": ("This is a rat race.", "This is what a rat race is supposed to be."),
    "en/application-form": ("This is an application form.", "This is what an application form is supposed to be."),
    "pt/maçã-podre": ("Esta é uma maçã podre.", "Isto é o que uma maçã podre deveria ser."),
    "pt/pé-frio": ("Este é um pé-frio.", "Isto é o que um pé-frio deveria ser."),
    "pt/casa-de-campo": ("Esta é uma casa de campo.", "Isto é o que uma casa de campo deveria ser."),
}


def every(items: Items) -> Iterator[FilledItem]:
    """Yield all items; fewer than the mini world has is an error of the test."""
    found = [item for rows in items.values() for item in rows]
    assert len(found) == 840
    yield from found


def originals(items: Items) -> dict[tuple[str, str], FilledItem]:
    return {(item.compound_id, item.context): item for item in every(items) if item.variant == "orig"}


def plain(marked: str) -> str:
    """Return a context of contexts.tsv without its markup."""
    return re.sub(r"\{=?|[\[\]}]", "", marked)


def span_of(item: FilledItem) -> str:
    return item.sentence[slice(*item.span)]


def test_every_cell_of_the_grid_is_filled_once(mini_items: Items) -> None:
    cells = Counter((item.compound_id, item.context, item.variant) for item in every(mini_items))
    ids = {item.compound_id for item in every(mini_items)}
    assert cells == Counter({(i, c, v): 1 for i in ids for c in CONTEXTS for v in VARIANTS})
    assert all(item.id == f"{item.compound_id}/{item.context}/{item.variant}" for item in every(mini_items))


def test_originals_equal_contexts_of_pack(mini_items: Items, mini_langs: Shops) -> None:
    found = originals(mini_items)
    rows = [(lang, row) for lang, shop in mini_langs.items() for row in shop.pack.contexts]
    assert len(rows) == 36
    for lang, row in rows:
        item = found[f"{lang}/{row.compound.replace(' ', '-')}", row.context]
        assert item.sentence == plain(row.sentence)
        nc = re.search(r"\[(.*)\]", row.sentence)
        assert nc is not None
        assert span_of(item) == nc[1]
        assert item.carrier_edits == ()


@pytest.mark.parametrize(("compound_id", "sentences"), NEUTRAL_SENTENCES.items())
def test_neutral_frames_agree_with_their_compound(
    compound_id: str, sentences: tuple[str, str], mini_items: Items
) -> None:
    found = [originals(mini_items)[compound_id, context] for context in NEUTRAL]
    assert tuple(item.sentence for item in found) == sentences
    assert [item.carrier_edits for item in found] == [(), ()]


def test_singular_slot_holds_citation_form(mini_items: Items) -> None:
    checked = 0
    for item in every(mini_items):
        if item.number == "sg" and item.variant not in ("orig", "head", "mod"):
            original = span_of(originals(mini_items)[item.compound_id, item.context])
            lowered = span_of(item)[:1].lower() + span_of(item)[1:]
            assert (lowered if original[:1].isupper() else span_of(item)) == item.replacement
            checked += 1
    assert checked > 400


def test_plural_slot_holds_plural_head_and_agreeing_modifiers(mini_items: Items, mini_langs: Shops) -> None:
    checked = 0
    for lang, shop in mini_langs.items():
        for item in mini_items[lang]:
            if item.number == "pl" and item.pattern and item.context not in NEUTRAL:
                pattern = shop.pack.language.patterns[item.pattern]
                parts = span_of(item).lower().split(pattern.join)
                assert len(parts) == len(pattern.parts)
                for index, (word, pos) in enumerate(zip(parts, pattern.parts, strict=True)):
                    readings = [form for form in shop.morphology.readings(word) if form.pos == pos]
                    if index == pattern.head:
                        assert any(form.number in ("pl", None) for form in readings), item.id
                    elif pattern.modifier == "agrees":
                        fits = [f for f in readings if f.number in ("pl", None) and f.gender in (item.gender, None)]
                        assert fits, item.id
                checked += 1
    assert checked > 100


def test_components_keep_their_form(mini_items: Items) -> None:
    found = {(item.compound_id, item.context, item.variant): span_of(item) for item in every(mini_items)}
    assert found["en/eager-beaver", "nat2", "head"] == "beavers"
    assert found["en/eager-beaver", "nat2", "mod"] == "eager"
    assert found["pt/maçã-podre", "nat2", "head"] == "maçãs"
    assert found["pt/maçã-podre", "nat2", "mod"] == "podres"
    assert found["pt/pé-frio", "nat2", "head"] == "pés"
    assert found["pt/primeira-dama", "nat1", "mod"] == "primeira"
    assert found["pt/casa-de-campo", "nat2", "head"] == "casas"
    assert found["pt/casa-de-campo", "nat2", "mod"] == "campo"


def test_components_change_only_a_and_an(mini_items: Items) -> None:
    """The mini world has both kinds: *an eager* and *a beaver*, and Portuguese determiners that would not agree."""
    components = [item for item in every(mini_items) if item.variant in ("head", "mod")]
    edits = [
        (item.lang, edit.before.lower(), edit.after.lower())
        for item in components
        for edit in item.carrier_edits
        if item.context_kind == "naturalistic"
    ]
    assert set(edits) == {("en", "an", "a"), ("en", "a", "an")} & set(edits)
    assert ("en", "an", "a") in edits


def test_neutral_frame_agrees_with_component(mini_items: Items) -> None:
    found = {item.id: item for item in every(mini_items)}
    assert found["pt/casa-de-campo/neut_short/head"].sentence == "Esta é uma casa."
    alone = found["pt/casa-de-campo/neut_short/mod"]
    assert (alone.sentence, alone.gender, alone.number) == ("Este é um campo.", "m", "sg")
    assert found["pt/casa-de-campo/neut_long/mod"].sentence == "Isto é o que um campo deveria ser."
    assert found["pt/casa-de-campo/nat1/mod"].gender == "f"


def undone(item: FilledItem, original: str) -> str:
    """Return the sentence of *item* with its edits undone and *original* back at its span."""
    changes = [(edit.start, edit.start + len(edit.after), edit.after, edit.before) for edit in item.carrier_edits]
    changes.append((*item.span, span_of(item), original))
    text = item.sentence
    for start, end, after, before in sorted(changes, reverse=True):
        assert text[start:end] == after, item.id
        text = text[:start] + before + text[end:]
    return text


def test_undoing_edits_restores_original(mini_items: Items) -> None:
    found = originals(mini_items)
    for item in every(mini_items):
        original = found[item.compound_id, item.context]
        assert undone(item, span_of(original)) == original.sentence


def test_edits_change_distinct_places_outside_span(mini_items: Items) -> None:
    for item in every(mini_items):
        places = sorted([(e.start, e.start + len(e.after)) for e in item.carrier_edits] + [item.span])
        assert all(one[1] <= other[0] for one, other in pairwise(places)), item.id
        assert all(edit.before != edit.after and edit.rule for edit in item.carrier_edits)


def test_same_gender_leaves_portuguese_carrier_unchanged(mini_items: Items) -> None:
    genders = {item.compound_id: item.gender for item in mini_items["pt"] if item.variant == "orig"}
    same = [item for item in mini_items["pt"] if item.gender == genders[item.compound_id]]
    other = [item for item in mini_items["pt"] if item.gender not in (None, genders[item.compound_id])]
    assert len(same) > 200
    assert len(other) > 20
    assert not any(item.carrier_edits for item in same)
    assert sum(bool(item.carrier_edits) for item in other) > len(other) / 2


def test_item_tokens_cover_sentence_and_span(mini_items: Items) -> None:
    for item in every(mini_items):
        assert "".join(item.tokens) == re.sub(r"\s", "", item.sentence)
        first, last = item.token_span
        assert "".join(item.tokens[first:last]) == re.sub(r"\s", "", span_of(item)), item.id


def test_sentences_are_well_formed(mini_items: Items) -> None:
    for item in every(mini_items):
        assert item.sentence[0].isupper(), item.id
        assert item.sentence[-1] in ".!?", item.id
        assert "  " not in item.sentence


@pytest.mark.parametrize("lang", ["pt", "en"])
def test_other_gender_and_back_restores_carrier(lang: str, mini_langs: Shops) -> None:
    pack, morphology = mini_langs[lang].pack, mini_langs[lang].morphology
    repairer = Repairer(pack.language, morphology, NEAR)
    genders = {compound.text: compound.gender for compound in pack.compounds}
    changed = 0
    for (compound, context), marked in pack.marked.items():
        if context in NEUTRAL:
            continue
        own = Features(genders[compound], pack.numbers[compound, context])
        other = Features({"m": "f", "f": "m"}.get(own.gender or "-"), own.number)  # type: ignore[arg-type]
        nc = marked.text[slice(*marked.span)]
        turned, edits = apply_edits(marked, repairer.repair(marked, nc, own, other).edits)
        assert apply_edits(turned, repairer.repair(turned, nc, other, own).edits)[0] == marked
        changed += bool(edits)
    assert changed >= (12 if lang == "pt" else 0)
    assert lang == "pt" or changed == 0


def test_items_record_their_provenance(mini_items: Items, mini_langs: Shops) -> None:
    packs = [(lang, shop.pack) for lang, shop in mini_langs.items()]
    genres = {(lang, row.compound, row.context): row.genre for lang, pack in packs for row in pack.contexts}
    probes = {"orig": "orig", "syn": "PSyn", "head": "PComp", "mod": "PComp", "ws3": "PWordsSyn", "rand5": "PRand"}
    for item in every(mini_items):
        assert item.context_kind == ("neutral" if item.context.startswith("neut") else "naturalistic")
        assert item.context_source == ("frame" if item.context_kind == "neutral" else "authored")
        assert item.genre == genres.get((item.lang, item.compound, item.context))
        assert item.licence == "CC-BY-4.0"
        assert item.lang == item.id[:2]
        assert item.probe == probes.get(item.variant, item.probe)
        assert item.number == mini_langs[item.lang].pack.numbers[item.compound, item.context]
