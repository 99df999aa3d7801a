"""Every incident code has planted errors that it reports, at their places, and nothing else; the clean mini world has none."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from planters_agreement import AGREEMENT
from planters_folder import FOLDER, FolderPlanter
from planters_tables import TABLES
from planting import Planter, World, read_world

import ncimp.builder.validation
from ncimp.builder.commands.validate import check
from ncimp.builder.validation.codes import CODES
from ncimp.builder.validation.validate import validate

PLANTED = [*AGREEMENT, *TABLES]
SOURCES = sorted(Path(ncimp.builder.validation.__path__[0]).glob("*.py"))


@pytest.fixture(scope="module")
def world(mini_release: Path, mini_packs: Path) -> World:
    return read_world(mini_release, mini_packs)


def names(rows: list[tuple[str, str, Planter]] | list[tuple[str, str, FolderPlanter]]) -> list[str]:
    return [f"{code} {label}" for code, label, _ in rows]


@pytest.mark.parametrize(("code", "label", "planter"), PLANTED, ids=names(PLANTED))
def test_a_planted_error_is_reported_at_its_place_and_nothing_else(
    world: World, code: str, label: str, planter: Planter
) -> None:
    planted = planter(world)
    found = validate(planted.world.tables, planted.world.packs)
    assert label
    assert planted.places
    assert {row.place for row in found if row.code == code} == set(planted.places)
    assert {row.code for row in found} <= {code} | planted.besides, [row for row in found if row.code != code]
    assert not any(row.waived for row in found)


@pytest.mark.parametrize(("code", "label", "planter"), FOLDER, ids=names(FOLDER))
def test_damage_of_a_folder_is_reported_at_its_file(
    release_copy: Path, mini_packs: Path, code: str, label: str, planter: FolderPlanter
) -> None:
    places, besides = planter(release_copy)
    assert label
    found, _ = check(release_copy, mini_packs)
    assert {row.place for row in found if row.code == code} == set(places)
    assert {row.code for row in found} <= {code} | besides, [row for row in found if row.code != code][:5]


def test_the_clean_world_has_no_incident(world: World, mini_release: Path, mini_packs: Path) -> None:
    assert validate(world.tables, world.packs) == []
    assert check(mini_release, mini_packs) == ([], 840)


def test_every_code_has_a_planter_and_every_planter_a_code() -> None:
    planted = {code for code, _, _ in PLANTED} | {code for code, _, _ in FOLDER}
    assert planted == set(CODES)


def test_the_checks_report_exactly_the_codes_of_the_list() -> None:
    mentioned: set[str] = set()
    for path in SOURCES:
        if path.name != "codes.py":
            constants = [node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)]
            mentioned |= {text for text in constants if isinstance(text, str) and re.fullmatch(r"[A-Z]\d{3}", text)}
    assert len(SOURCES) > 5
    assert mentioned == set(CODES)


def test_docstrings_of_the_checks_name_only_codes_of_the_list() -> None:
    for path in SOURCES:
        assert set(re.findall(r"\b[A-Z]\d{3}\b", path.read_text("utf-8"))) <= set(CODES), path.name


def test_no_planted_error_is_planted_twice() -> None:
    labels = [*names(PLANTED), *names(FOLDER)]
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize(("code", "label", "planter"), PLANTED, ids=names(PLANTED))
def test_a_waiver_accepts_a_planted_error_and_only_that(
    world: World, code: str, label: str, planter: Planter
) -> None:
    """Kept cheap: only the first planter of each code."""
    from ncimp.builder.records import Waiver

    if code == "W801" or label != next(other for name, other, _ in PLANTED if name == code):
        pytest.skip("another variant of the code is waived")
    planted = planter(world)
    waivers = tuple(Waiver(code, place, "planted", "tests", "2026-01-01") for place in planted.places)
    known = planted.world.with_pack("en", waivers=waivers)
    found = validate(known.tables, known.packs)
    assert {(row.place, row.waived) for row in found if row.code == code} == {(place, True) for place in planted.places}
    assert not any(row.waived for row in found if row.code != code)
    assert "W801" not in {row.code for row in found}
