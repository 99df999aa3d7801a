"""What readers said: whether it still holds, how it gets into a pack, and what the card makes of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import binomtest

from ncimp.builder.cli import main
from ncimp.builder.release.card import render_card
from ncimp.builder.release.contents import count_readings, wilson
from ncimp.builder.sources.packs.packs import pack_names, packs_folder, read_pack
from ncimp.builder.validation.card import figures_in
from ncimp.builder.validation.validate import validate
from ncimp.schemas import SchemaError
from ncimp.schemas.records import columns
from tests.release.test_release_card import figures
from tests.validation.planters_agreement import verdict
from tests.validation.planting import World, read_world

ITEM = "en/rat-race/nat1/ws2"
ROW = ("blind-1", ITEM, "ws", "language model", "fault", "2", "WS", "_", "a part of it", "2026-01-01")


@pytest.fixture(scope="module")
def world(mini_release: Path, mini_packs: Path) -> World:
    return read_world(mini_release, mini_packs)


def form(folder: Path, *cells: str) -> Path:
    path = folder / "verdicts.tsv"
    path.write_text("\t".join(columns("reading")) + "\n" + "\t".join(cells) + "\n", "utf-8")
    return path


def test_a_verdict_holds_until_its_sentence_changes_or_a_later_one_settles_it(world: World) -> None:
    fault = verdict(world, ITEM, "ws")
    settling = replace(fault, reading="third", verdict="ok", severity=0, reason=None)
    for rows, codes in (
        ([fault], ["V101"]),
        ([fault, settling], []),
        ([settling, fault], ["V101"]),
        ([replace(fault, text="0" * 12)], []),
        ([replace(fault, severity=1)], []),
    ):
        planted = world.with_pack("en", readings=tuple(rows))
        assert [row.code for row in validate(planted.tables, planted.packs)] == codes


def test_a_reader_gets_no_reasons_and_the_program_takes_the_hash(
    mini_release: Path, packs_copy: Path, tmp_path: Path, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", ITEM, "--release", str(mini_release), "--form"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert list(line) == ["item", "family", "compound", "sense_note", "sentence", "span"]
    into = ["--packs", str(packs_copy), "--release", str(mini_release)]
    assert main(["pack", "readings", "en", str(form(tmp_path, *ROW)), *into]) == 0
    assert main(["pack", "readings", "en", str(form(tmp_path, "blind-2", *ROW[1:])), *into]) == 0
    readings = read_pack(packs_copy / "en").readings
    assert [row.reading for row in readings] == ["blind-1", "blind-2"]
    assert {row.text for row in readings} == {verdict(world, ITEM, "ws").text}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({1: "en/rat-race/nat1/ws9"}, "is no item or compound"),
        ({2: "syn"}, "with the family 'syn'"),
        ({4: "ok"}, "does not go with severity and reason"),
        ({6: "_"}, "does not go with severity and reason"),
    ],
)
def test_a_verdict_on_nothing_and_one_that_contradicts_itself_are_refused(
    mini_release: Path,
    packs_copy: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[int, str],
    told: str,
) -> None:
    path = form(tmp_path, *(changes.get(place, cell) for place, cell in enumerate(ROW)))
    assert main(["pack", "readings", "en", str(path), "--packs", str(packs_copy), "--release", str(mini_release)]) > 0
    assert told in capsys.readouterr().err
    assert not (packs_copy / "en" / "readings.tsv").exists()


def test_rows_without_a_hash_are_no_readings_of_a_pack(packs_copy: Path) -> None:
    form(packs_copy / "en", *ROW).rename(packs_copy / "en" / "readings.tsv")
    with pytest.raises(SchemaError, match="has no hash of what was read"):
        read_pack(packs_copy / "en")


def test_the_card_gives_rates_of_blind_samples_and_calls_their_readers_by_their_kind(world: World) -> None:
    rows = [verdict(world, ITEM, "ws"), verdict(world, ITEM.replace("ws2", "ws1"), "ws", verdict="ok", severity=0)]
    rows += [replace(rows[0], reading="own", item="en/rat-race/nat1/ws3"), replace(rows[1], text="0" * 12)]
    counted = count_readings({"en": rows}, world.tables.items)
    numbers = {"items": 3, "faults": 1, "standing": 2, "people": 0}
    assert counted == [{"family": "ws", "lang": "en", "samples": ["blind-1"], **numbers}]
    of_card = figures()
    counts = {**of_card.manifest.counts, "readings": [{**row, "lang": "no"} for row in counted]}
    later = [replace(rows[1], reading=f"blind-{number}") for number in (2, 3, 4)]
    (row,) = count_readings({"en": [*rows, *later]}, world.tables.items)
    assert row["samples"] == ["blind-2", "blind-3", "blind-4"]
    text = render_card("{{readings_note}}", figures(counts=counts))
    assert "| ws | Norwegian | blind-1 | 33.3% | 6.1% to 79.2% | 3 | 1 | 2 |" in text
    assert "language models, not a panel of people" in text
    assert figures_in("\n".join(line for line in text.split("---\n", 2)[2].split("\n") if line[:1] != "|")) == []
    assert "No blind sample" in render_card("{{readings_note}}", of_card)


@pytest.mark.parametrize(("count", "total"), [(0, 300), (3, 300), (7, 7), (1, 2)])
def test_the_interval_is_that_of_wilson(count: int, total: int) -> None:
    expected = binomtest(count, total).proportion_ci(method="wilson")
    assert wilson(count, total) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_every_pack_of_the_edition_lists_the_changes_that_were_read() -> None:
    for lang in pack_names(packs_folder()):
        assert read_pack(packs_folder() / lang).changes
