"""Every incident code has planted errors that it reports, at their places, and nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import ncimp.builder.validation
from ncimp.builder.commands.validate import check
from ncimp.builder.config import Matching
from ncimp.builder.records import Incident
from ncimp.builder.validation.folder import verify
from ncimp.builder.validation.scope import Tables
from ncimp.builder.validation.validate import CODES, validate
from tests.validation.planters_agreement import AGREEMENT
from tests.validation.planters_card import CARDS, TOGETHER
from tests.validation.planters_content import CONTENT
from tests.validation.planters_folder import FOLDER, FolderPlanter
from tests.validation.planters_grid import GRID
from tests.validation.planters_senses import SENSES
from tests.validation.planters_sentences import SENTENCES
from tests.validation.planting import Planted, Planter, World, read_world

PLANTED = [*AGREEMENT, *GRID, *SENTENCES, *SENSES, *CONTENT]
SOURCES = sorted(Path(ncimp.builder.validation.__path__[0]).rglob("*.py"))


@pytest.fixture(scope="module")
def world(mini_release: Path, mini_packs: Path) -> World:
    return read_world(mini_release, mini_packs)


def names(rows: list[tuple[str, str, Planter]] | list[tuple[str, str, FolderPlanter]]) -> list[str]:
    return [f"{code} {label}" for code, label, _ in rows]


def found_in(planted: Planted) -> list[Incident]:
    """The incidents of the languages that the error was planted in."""
    langs = {place.split("/")[0] for place in planted.places}
    tables = planted.world.tables
    halves = [tables.of(lang) for lang in sorted(langs)]
    rows = Tables(
        [row for half in halves for row in half.items],
        [row for pair in tables.pairs for row in [pair] if pair.id.split("/")[0] in langs],
        [row for half in halves for row in half.compounds],
        examples=[row for half in halves for row in half.examples],
        composition=[row for half in halves for row in half.composition],
    )
    return validate(rows, {lang: planted.world.packs[lang] for lang in sorted(langs)})


@pytest.mark.parametrize(("code", "label", "planter"), PLANTED, ids=names(PLANTED))
def test_a_planted_error_is_reported_at_its_place_and_nothing_else(
    world: World, code: str, label: str, planter: Planter
) -> None:
    planted = planter(world)
    assert planted.places, label
    found = found_in(planted)
    assert {row.place for row in found if row.code == code} == set(planted.places)
    assert {row.code for row in found} <= {code} | planted.besides, [row for row in found if row.code != code]
    assert not any(row.waived for row in found)


FOLDERS = [*FOLDER, *CARDS]


@pytest.mark.parametrize(("code", "label", "planter"), FOLDERS, ids=names(FOLDERS))
def test_damage_of_a_folder_is_reported_at_its_file(
    release_copy: Path, mini_packs: Path, code: str, label: str, planter: FolderPlanter
) -> None:
    places, besides = planter(release_copy)
    found, _ = check(release_copy, mini_packs)
    assert {row.place for row in found if row.code == code} == set(places), label
    assert {row.code for row in found} <= {code} | besides, [row for row in found if row.code != code][:5]


@pytest.mark.parametrize(("label", "codes", "planter"), TOGETHER, ids=[label for label, _, _ in TOGETHER])
def test_damage_of_a_card_that_several_checks_see_is_told_by_each(
    release_copy: Path, label: str, codes: frozenset[str], planter: FolderPlanter
) -> None:
    places, _ = planter(release_copy)
    found = verify(release_copy).incidents
    assert {row.code for row in found} == codes, label
    assert {row.place for row in found} == set(places)


@pytest.mark.parametrize(
    ("match", "changes", "codes"),
    [
        ("mean", {"modifier_delta": 0.76}, set()),
        ("mean", {"mean_delta": -0.76}, {"R703"}),
        ("mean", {"mean_delta": None}, {"R703"}),
        ("components", {"modifier_delta": 0.76}, {"R703"}),
        ("components", {"mean_delta": -0.76}, set()),
    ],
)
def test_a_random_is_held_to_the_rule_that_it_was_matched_by(
    world: World, match: Matching, changes: dict[str, float | None], codes: set[str]
) -> None:
    rows = [item for item in world.tables.items if item.compound == "rat race" and item.variant == "rand1"]
    planted = world.with_items([replace(item, **changes) for item in rows])  # type: ignore[arg-type]
    found = validate(planted.tables, planted.packs, match)
    assert [(row.code, row.place) for row in found] == [(code, "en/rat-race/nat1/rand1") for code in codes]


def test_the_clean_world_has_no_incident(world: World, mini_release: Path, mini_packs: Path) -> None:
    assert validate(world.tables, world.packs) == []
    found, verified = check(mini_release, mini_packs)
    assert (found, len(verified.tables.items)) == ([], 840)


def test_every_code_has_a_planter_and_every_planter_a_code() -> None:
    planted = {code for code, _, _ in PLANTED} | {code for code, _, _ in FOLDERS}
    assert planted == set(CODES)


def test_docstrings_of_the_checks_name_only_codes_of_the_list() -> None:
    for path in SOURCES:
        assert set(re.findall(r"\b[A-Z]\d{3}\b", path.read_text("utf-8"))) <= set(CODES), path.name


def test_no_planted_error_is_planted_twice() -> None:
    labels = [*names(PLANTED), *names(FOLDERS)]
    assert len(labels) == len(set(labels))
