"""`ncimp validate` from end to end: planted errors in a folder, exit codes, output, damaged folders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.validation.folder import read_content
from ncimp.builder.validation.validate import CODES
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.release_folder import ReleaseFolder
from tests.validation.planters_agreement import AGREEMENT
from tests.validation.planters_folder import PAIRS, change_manifest
from tests.validation.planters_grid import GRID
from tests.validation.planters_sentences import SENTENCES
from tests.validation.planting import Planter, World, read_world, write_world

ERRORS: dict[str, Planter] = {}
for _code, _, _planter in [*AGREEMENT, *GRID, *SENTENCES]:
    ERRORS.setdefault(_code, _planter)
IN_TABLES = ("A101", "A102", "A103", "A105", "C301", "C302", "S201", "S204", "P601", "R703", "B503")
"""Codes planted into a folder here: their planters change tables and no pack."""

TABLE = """\
    orig  PSyn  PComp  PWordsSyn  PRand  all
en    30    30     60        150    150  420
pt    30    30     60        150    150  420
"""
"""What the mini release holds: 6 compounds of each language in 5 contexts."""

Output = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def world(mini_release: Path, mini_packs: Path) -> World:
    return read_world(mini_release, mini_packs)


def validated(folder: Path, packs: Path, *options: str) -> int:
    return main(["validate", str(folder), "--packs", str(packs), *options])


@pytest.mark.parametrize("code", IN_TABLES)
def test_a_planted_error_in_a_folder_fails_with_code_place_and_meaning(
    world: World, mini_packs: Path, tmp_path: Path, capsys: Output, code: str
) -> None:
    planted = ERRORS[code](world)
    folder = write_world(planted.world, tmp_path / "ncimp")
    assert validated(folder, mini_packs) == 1
    output = capsys.readouterr()
    lines = output.out.splitlines()
    assert {line.split(" ")[1].rstrip(":") for line in lines if line.startswith(code)} == set(planted.places)
    assert all(f": {CODES[line.split(' ')[0]]}: " in line for line in lines)
    assert f"{len(lines)} incidents, 0 waived: " in output.err
    assert f" {code}" in output.err


def test_a_clean_release_passes_and_says_so_on_stderr_only(
    mini_release: Path, mini_packs: Path, capsys: Output
) -> None:
    assert validated(mini_release, mini_packs) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"{TABLE}840 sentences, 0 incidents, 0 waived\n")


def test_a_waiver_in_the_pack_turns_failure_into_success_and_stale_it_fails(
    world: World, packs_copy: Path, tmp_path: Path, mini_release: Path, capsys: Output
) -> None:
    planted = ERRORS["A102"](world)
    (place,) = planted.places
    with (packs_copy / "pt" / "waivers.tsv").open("a", encoding="utf-8") as table:
        table.write(f"A102\t{place}\taccepted for the test\ttests\t2026-01-01\n")
    folder = write_world(planted.world, tmp_path / "ncimp")
    assert validated(folder, packs_copy) == 0
    output = capsys.readouterr()
    assert output.out.startswith(f"A102 {place}: ")
    assert output.out.endswith(" (waived)\n")
    assert output.err == f"{TABLE}840 sentences, 0 incidents, 1 waived: 1 A102\n"
    assert validated(mini_release, packs_copy) == 1
    assert capsys.readouterr().out.startswith(f"W801 {place}: {CODES['W801']}: ")


def test_json_has_one_object_per_incident(release_copy: Path, mini_packs: Path, capsys: Output) -> None:
    (release_copy / "LICENSE-DATA").unlink()
    (release_copy / "README.md").write_text("nothing", "utf-8")
    assert validated(release_copy, mini_packs, "--json") == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [(row["code"], row["place"], row["waived"]) for row in rows]
    damaged = [("M901", "LICENSE-DATA", False), ("M901", "README.md", False)]
    assert told == [*damaged, ("D101", "README.md", False)]
    assert set(rows[0]) == {"code", "place", "message", "waived"}


def test_select_reports_only_codes_with_these_prefixes(release_copy: Path, mini_packs: Path, capsys: Output) -> None:
    (release_copy / "LICENSE-DATA").unlink()
    (release_copy / "README.md").write_text("nothing", "utf-8")
    assert validated(release_copy, mini_packs, "--select", "D,K") == 1
    assert [line[:4] for line in capsys.readouterr().out.splitlines()] == ["D101"]
    assert validated(release_copy, mini_packs, "--select", "K,T8") == 0
    assert validated(release_copy, mini_packs, "--select", "X1") == 2
    assert "knows no code that begins with 'X1'" in capsys.readouterr().err


def test_codes_lists_every_code_with_its_meaning(capsys: Output) -> None:
    assert main(["validate", "--codes"]) == 0
    assert capsys.readouterr().out == "".join(f"{code}  {meaning}\n" for code, meaning in CODES.items())


def _no_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def _cut_manifest(folder: Path) -> None:
    text = (folder / "manifest.json").read_text("utf-8")
    (folder / "manifest.json").write_text(text[: len(text) // 2], "utf-8")


def _list_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("[]", "utf-8")


def _poor_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("{}", "utf-8")


def _binary_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"\xff\xfe\x00")


def _unknown_language(folder: Path) -> None:
    change_manifest(folder, lambda manifest: manifest.update({"languages": ["en", "pt", "gl"]}))


def _no_folder(folder: Path) -> None:
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("damage", "code", "words"),
    [
        (_no_folder, 2, "is not a release"),
        (_no_manifest, 2, "is not a release"),
        (_cut_manifest, 1, "not JSON"),
        (_list_manifest, 1, "not an object"),
        (_poor_manifest, 1, "are missing"),
        (_binary_manifest, 1, "byte 0 is not UTF-8"),
        (_unknown_language, 2, "no language pack 'gl'"),
    ],
)
def test_a_folder_without_a_manifest_to_go_by_is_refused_in_one_line(
    release_copy: Path, mini_packs: Path, capsys: Output, damage: Callable[[Path], None], code: int, words: str
) -> None:
    damage(release_copy)
    assert validated(release_copy, mini_packs) == code
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("ncimp validate: ")
    assert words in output.err
    assert output.err.count("\n") == 1


def test_no_flipped_byte_of_a_table_passes_and_none_ends_in_a_traceback(release_copy: Path) -> None:
    """A damaged download: one byte of a parquet file is another, at places from the first to the last."""
    path, folder = release_copy / PAIRS, ReleaseFolder(release_copy)
    whole = path.read_bytes()
    alone = [entry for entry in folder.manifest.files if entry.path == PAIRS]
    folder.manifest = replace(folder.manifest, files=tuple(alone))
    for place in [0, 3, len(whole) - 1, *range(5, len(whole), len(whole) // 60)]:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        assert PAIRS in dict(folder.faults()), place
        read_content(folder)  # rows that can be read and make no sense


def test_both_tables_and_folder_are_checked_before_the_first_error_ends_it(
    release_copy: Path, mini_packs: Path, capsys: Output
) -> None:
    """A row that does not fit its schema is one more incident: the missing file beside it is told as well."""
    rows = read_parquet(release_copy / PAIRS)
    rows[0]["probe"] = "PNone"
    write_parquet(release_copy / PAIRS, rows, "pair")
    (release_copy / "LICENSE-DATA").unlink()
    assert validated(release_copy, mini_packs) == 1
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    assert "LICENSE-DATA" in output.out
    assert PAIRS in output.out + output.err
