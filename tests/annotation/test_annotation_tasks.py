"""Which tasks there are, in which order, and which of them check the annotators."""

from __future__ import annotations

import dataclasses
import random
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.builder.annotation.task.batch import ATTENTION, GOLD, Design, Material, Planned, plan
from ncimp.builder.records import Mode
from ncimp.schemas.errors import SelectionError
from tests.annotation.annotation_world import design, material_of

LITERAL = "The real rat race was won by the smallest rat."


@pytest.fixture(scope="module")
def material(mini_release: Path) -> Material:
    """The English half of the mini release: two compounds of each class."""
    return material_of(mini_release, "en")


def planned(material: Material, made: Design) -> list[Planned]:
    return [one for tasks in plan(material, sorted(material.compounds), made) for one in tasks]


def kinds(tasks: list[Planned]) -> list[str]:
    return [one.task.kind for one in tasks]


def test_token_mode_asks_about_each_sentence_once(material: Material) -> None:
    tasks = planned(material, design())
    asked = [one.task.sentences[0].item_id for one in tasks if one.task.kind == "item"]
    assert sorted(asked) == sorted(f"{name}/nat{n}/orig" for name in material.compounds for n in (1, 2, 3))
    assert (kinds(tasks).count("gold"), kinds(tasks).count("attention")) == (2, 3)


def test_type_mode_asks_about_the_three_sentences_together(material: Material) -> None:
    tasks = [one for one in planned(material, design("type")) if one.task.kind == "item"]
    assert len(tasks) == 6
    for one in tasks:
        assert [sentence.context for sentence in one.task.sentences] == ["nat1", "nat2", "nat3"]
        assert len(one.sheet.parts) == 3


def test_what_is_shown_is_the_sentence_in_three_parts(material: Material) -> None:
    for mode in ("token", "type"):
        for one in planned(material, design(mode)):
            for parts, sentence in zip(one.sheet.parts, one.task.sentences, strict=True):
                assert "".join(parts) == sentence.sentence
                assert parts[1] == sentence.nc
            assert one.sheet.task_id == one.task.task_id


def test_the_three_sentences_of_a_compound_are_in_three_lists(material: Material) -> None:
    lists = plan(material, sorted(material.compounds), design(gold="0", attention="1/3", lists=3))
    assert len(lists) == 3
    for tasks in lists:
        about = [one.task.compound_id for one in tasks if one.task.kind == "item"]
        assert sorted(about) == sorted(material.compounds)
        assert kinds(tasks).count("attention") == 2
    ids = [one.task.task_id for tasks in lists for one in tasks]
    assert len(set(ids)) == len(ids)


def test_no_list_has_the_same_context_of_every_compound(material: Material) -> None:
    for tasks in plan(material, sorted(material.compounds), design(gold="0", lists=3)):
        assert len({one.task.sentences[0].context for one in tasks if one.task.kind == "item"}) > 1


def test_one_list_is_the_three_blocks_in_a_row(material: Material) -> None:
    chosen = sorted(material.compounds)
    (one,) = plan(material, chosen, design(gold="0", attention="0"))
    three = [task for tasks in plan(material, chosen, design(gold="0", attention="0", lists=3)) for task in tasks]
    assert one == three


@settings(max_examples=20)
@given(seed=st.integers(), mode=st.sampled_from(["token", "type"]))
def test_the_order_of_compounds_does_not_matter(material: Material, seed: int, mode: str) -> None:
    chosen = sorted(material.compounds)
    shuffled = random.Random(seed).sample(chosen, len(chosen))  # noqa: S311
    backwards = dataclasses.replace(
        material, compounds={name: material.compounds[name] for name in sorted(material.compounds, reverse=True)}
    )
    assert plan(backwards, shuffled, design(mode)) == plan(material, chosen, design(mode))


def test_another_seed_is_another_order(material: Material) -> None:
    def order(seed: str) -> list[str]:
        return [
            one.task.sentences[0].item_id for one in planned(material, design(seed=seed)) if one.task.expected is None
        ]

    assert order("a") != order("b")
    assert sorted(order("a")) == sorted(order("b"))


@pytest.mark.parametrize("mode", ["token", "type"])
def test_gold_is_literal_and_attention_shows_a_random_compound(material: Material, mode: Mode) -> None:
    for one in planned(material, design(mode)):
        task = one.task
        if task.kind == "gold":
            assert task.expected == GOLD
            assert material.compounds[task.compound_id].compound_class == "compositional"
        elif task.kind == "attention":
            assert task.expected == ATTENTION
            for sentence in task.sentences:
                _, _, context, variant = sentence.item_id.split("/")
                item = material.items[task.compound_id, context, variant]
                assert item.probe == "PRand"
                assert (one.sheet.modifier, one.sheet.head) == (item.modifier, item.head)
        else:
            assert task.expected is None


def test_checks_are_about_other_compounds_where_there_are_any(material: Material) -> None:
    chosen = ["en/rat-race", "en/eager-beaver", "en/application-form"]
    tasks = plan(material, chosen, design(gold="1/9", attention="1/3"))[0]
    assert kinds(tasks).count("gold") == 1
    assert kinds(tasks).count("attention") == 3
    assert not {one.task.compound_id for one in tasks if one.task.kind != "item"} & set(chosen)


def test_a_literal_sentence_makes_gold_of_an_idiom(material: Material) -> None:
    original = material.items["en/rat-race", "nat1", "orig"]
    item = dataclasses.replace(
        original, id="en/rat-race/literal/orig", context="literal", sentence=LITERAL, span=(9, 17)
    )
    world = dataclasses.replace(material, literal={"en/rat-race": item})
    tasks = plan(world, ["en/eager-beaver", "en/public-library", "en/application-form"], design(gold="1/9"))[0]
    (gold,) = [one for one in tasks if one.task.kind == "gold"]
    assert gold.sheet.parts == (("The real ", "rat race", " was won by the smallest rat."),)


def test_checks_stand_where_only_the_seed_says_and_never_side_by_side(material: Material) -> None:
    """Five checks among 18 items: one in each fifth of the items, and every seed has places of its own."""
    seen = set()
    for seed in range(40):
        tasks = kinds(planned(material, design(seed=str(seed))))
        checks = [place for place, kind in enumerate(tasks) if kind != "item"]
        assert len(checks) == 5
        assert all(later - earlier > 1 for earlier, later in pairwise(checks))
        before = [place - number for number, place in enumerate(checks)]  # items before each check
        assert all(number * 18 // 5 <= place < (number + 1) * 18 // 5 for number, place in enumerate(before))
        seen.add((*checks, *(kind for kind in tasks if kind != "item")))
    assert len(seen) > 35


def test_each_list_has_places_of_its_own(material: Material) -> None:
    lists = plan(material, sorted(material.compounds), design(gold="0", attention="1/3", lists=3))
    assert len({tuple(kinds(tasks)) for tasks in lists}) > 1


def test_every_list_and_group_has_the_checks_that_the_rules_need(material: Material) -> None:
    chosen = sorted(material.compounds)
    for tasks in plan(material, chosen, design(lists=3, min_checks=2)):
        assert (kinds(tasks).count("gold"), kinds(tasks).count("attention")) == (2, 2)
    (one,) = plan(material, chosen, design(gold="1/18", attention="1/18", min_checks=3))
    assert (kinds(one).count("gold"), kinds(one).count("attention")) == (3, 3)
    (one,) = plan(material, chosen, design(group_size=6, min_checks=1))
    groups: dict[str | None, list[Planned]] = defaultdict(list)
    for task in one:
        groups[task.task.group].append(task)
    assert list(groups) == [f"g{n:03d}" for n in range(1, 7)]
    for tasks in groups.values():
        assert sorted(kinds(tasks)) == ["attention", "gold", "item", "item", "item"]
        assert len({task.task.compound_id for task in tasks if task.task.kind == "item"}) == 3
    assert len({task.task.task_id for task in one}) == 30


@pytest.mark.parametrize(("rate", "count"), [("0", 0), ("1/100", 1), ("1/18", 1), ("1/9", 2), ("0.15", 3)])
def test_the_number_of_checks_is_the_rate_rounded_up(material: Material, rate: str, count: int) -> None:
    made = dataclasses.replace(design(gold="0"), attention_rate=Fraction(rate))
    assert kinds(planned(material, made)).count("attention") == count


def test_checks_that_cannot_be_are_refused(material: Material) -> None:
    with pytest.raises(SelectionError, match=r"3 gold tasks .* for 2; lower --min-checks or --gold-rate"):
        planned(material, design("type", min_checks=3))
    with pytest.raises(SelectionError, match=r"9 gold tasks .* for 6; lower --min-checks or --gold-rate"):
        planned(material, design(lists=3, min_checks=3))
    with pytest.raises(SelectionError, match=r"8 checks would stand side by side among 6 item tasks; lower"):
        planned(material, design("type", gold="1/3", attention="1"))
    with pytest.raises(SelectionError, match=r"4 tasks of a group are too few for checks; lower --min-checks"):
        planned(material, design(group_size=4, min_checks=2))


def test_the_id_of_a_task_depends_on_release_and_sentences(material: Material) -> None:
    other = dataclasses.replace(material, release="f" * 64)
    ours, theirs = ({one.task.task_id for one in planned(world, design())} for world in (material, other))
    assert not ours & theirs
