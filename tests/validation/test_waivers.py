"""Waivers: an accepted incident is marked and does not fail; a waiver of nothing is an incident itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.builder.build.stages import Build, build_release
from ncimp.builder.config import BuildOptions
from ncimp.builder.records import Incident, Waiver
from ncimp.builder.validation.validate import refuse, validate
from ncimp.schemas.errors import ReleaseError
from ncimp.schemas.files import read_json, read_jsonl
from tests.validation.planters_agreement import AGREEMENT
from tests.validation.planters_content import CONTENT
from tests.validation.planters_grid import GRID
from tests.validation.planters_sentences import SENTENCES, stale_waiver
from tests.validation.planting import Planted, Planter, World, read_world

FIRST: dict[str, Planter] = {}
for _code, _, _planter in [*AGREEMENT, *GRID, *SENTENCES, *CONTENT]:
    FIRST.setdefault(_code, _planter)
WAIVABLE = sorted(set(FIRST) - {"W801"})


@pytest.fixture(scope="module")
def world(mini_release: Path, mini_packs: Path) -> World:
    return read_world(mini_release, mini_packs)


def waived(planted: Planted, *waivers: Waiver) -> list[Incident]:
    """The incidents of the language that the error was planted in, with *waivers* in its pack."""
    (lang,) = {place.split("/")[0] for place in planted.places}
    known = planted.world.with_pack(lang, waivers=waivers)
    return validate(known.tables.of(lang), {lang: known.packs[lang]})


def waiver(code: str, place: str) -> Waiver:
    return Waiver(code, place, "accepted for the test", "tests", "2026-01-01")


@pytest.mark.parametrize("code", WAIVABLE)
def test_an_incident_of_every_code_can_be_waived_at_its_place(world: World, code: str) -> None:
    planted = FIRST[code](world)
    found = waived(planted, *(waiver(code, place) for place in planted.places))
    assert {(row.place, row.waived) for row in found if row.code == code} == {(place, True) for place in planted.places}
    assert not any(row.waived for row in found if row.code != code)
    assert "W801" not in {row.code for row in found}


def test_a_waiver_accepts_one_place_of_one_code_and_no_other(world: World) -> None:
    planted = FIRST["B502"](world)
    first, second = sorted(planted.places)
    found = waived(planted, waiver("B502", first), waiver("B503", second))
    assert [(row.code, row.place, row.waived) for row in found] == [
        ("B502", first, True),
        ("B502", second, False),
        ("W801", second, False),
    ]


def test_a_waiver_that_matches_nothing_is_an_incident_that_names_its_code(world: World) -> None:
    planted = stale_waiver(world)
    (stale,) = validate(planted.world.tables.of("en"), {"en": planted.world.packs["en"]})
    assert (stale.code, stale.place, stale.waived) == ("W801", planted.places[0], False)
    assert "A102" in stale.message


def test_incidents_come_in_one_order_whatever_the_order_of_the_rows(world: World) -> None:
    planted = FIRST["B502"](world)
    tables, packs = planted.world.tables.of("en"), {"en": planted.world.packs["en"]}
    turned = type(tables)(tables.items[::-1], tables.pairs[::-1], tables.compounds[::-1])
    assert validate(tables, packs) == validate(turned, packs) != []


def test_a_build_is_kept_back_by_an_incident_and_goes_on_once_it_is_waived(packs_copy: Path, tmp_path: Path) -> None:
    """The whole way: an unrecorded class balance, its message, the waiver, the figure in the card."""
    compounds = packs_copy / "en" / "compounds.tsv"
    text = compounds.read_text("utf-8").replace("\tidiomatic\t", "\tcompositional\t", 1)
    compounds.write_text(text, "utf-8")
    made = Build(("en",), packs_copy, tmp_path / "ncimp", tmp_path / "work", BuildOptions())
    with pytest.raises(ReleaseError) as caught:
        build_release(made, lambda *_: None)
    assert "2 incidents keep the release back: B501 en: " in str(caught.value)
    assert "incidents.jsonl" in str(caught.value)
    assert not (tmp_path / "ncimp").exists()
    found = [row for _, row in read_jsonl(tmp_path / "work" / "validate" / "incidents.jsonl")]
    with (packs_copy / "en" / "waivers.tsv").open("a", encoding="utf-8") as table:
        table.writelines(f"{row['code']}\t{row['place']}\taccepted\ttests\t2026-01-01\n" for row in found)
    release = build_release(made, lambda *_: None)
    assert "with 2 waived incidents" in (release / "README.md").read_text("utf-8")
    assert read_json(release / "manifest.json")["counts"]["languages"]["en"]["classes"] == {
        "idiomatic": 1,
        "partly_compositional": 2,
        "compositional": 3,
    }


def test_the_message_of_a_refused_release_counts_all_and_quotes_five() -> None:
    rows = [Incident("A102", f"en/x/nat1/ws{k}", "wrong", waived=k == 0) for k in range(9)]
    with pytest.raises(ReleaseError, match="8 incidents keep") as caught:
        refuse(rows, "mend it")
    assert str(caught.value).count("A102 en/x") == 5
    assert "ws0" not in str(caught.value)
    refuse([rows[0]], "mend it")
    refuse([], "mend it")
