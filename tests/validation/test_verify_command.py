"""`ncimp validate --folder-only`: what a stranger finds in a copy of a release, without packs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.validation.folder import verify
from ncimp.schemas import file_hash
from ncimp.schemas.arrow import read_parquet, write_parquet
from tests.validation.planters_card import worded
from tests.validation.planters_folder import PAIRS, SENTENCES, change_manifest, sign

Output = pytest.CaptureFixture[str]
Told = set[tuple[str, str]]


def _flip_a_byte(folder: Path) -> Told:
    data = bytearray((folder / PAIRS).read_bytes())
    data[len(data) // 3] ^= 1
    (folder / PAIRS).write_bytes(bytes(data))
    return {("M901", PAIRS)}


def _flip_a_byte_of_the_licence(folder: Path) -> Told:
    data = bytearray((folder / "LICENSE-DATA").read_bytes())
    data[0] ^= 1
    (folder / "LICENSE-DATA").write_bytes(bytes(data))
    return {("M901", "LICENSE-DATA")}


def _drop_a_row(folder: Path) -> Told:
    write_parquet(folder / SENTENCES, read_parquet(folder / SENTENCES)[:-1], "item")
    return {("M901", SENTENCES), ("M902", SENTENCES)}


def _mix_versions(folder: Path) -> Told:
    """One row of another version, in a folder that is otherwise signed as it should be."""
    rows = read_parquet(folder / PAIRS)
    rows[5]["release"] = "0.0.9"
    write_parquet(folder / PAIRS, rows, "pair")
    sign(folder, PAIRS, rows=rows)
    return {("M903", PAIRS), ("D106", "README.md")}


def _add_a_file(folder: Path) -> Told:
    (folder / "sentences" / "bridge-00000-of-00001.parquet").write_bytes(b"more")
    return {("M901", "sentences/bridge-00000-of-00001.parquet")}


def _miscount_in_the_card(folder: Path) -> Told:
    text = (folder / "README.md").read_text("utf-8")
    assert "840 sentences" in text
    (folder / "README.md").write_text(text.replace("840 sentences", "850 sentences"), "utf-8")
    return {("M901", "README.md"), ("D108", "README.md")}


def _miscount_in_the_header(folder: Path) -> Told:
    text = (folder / "README.md").read_text("utf-8")
    (folder / "README.md").write_text(text.replace("num_examples: 390", "num_examples: 391", 1), "utf-8")
    return {("M901", "README.md"), ("D106", "README.md")}


def _miscount_cells(folder: Path) -> Told:
    def change(manifest: dict[str, dict[str, dict[str, dict[str, dict[str, int]]]]]) -> None:
        manifest["counts"]["languages"]["pt"]["cells"]["neutral/PRand"] += 1

    change_manifest(folder, change)
    return {("M904", "manifest.json")}


def _misstate_the_bytes(folder: Path) -> Told:
    def change(manifest: dict[str, list[dict[str, int]]]) -> None:
        manifest["files"][-1]["bytes"] += 1

    change_manifest(folder, change)
    return {("M901", json.loads((folder / "manifest.json").read_text("utf-8"))["files"][-1]["path"])}


DAMAGES = [
    _misstate_the_bytes,
    _flip_a_byte,
    _flip_a_byte_of_the_licence,
    _drop_a_row,
    _mix_versions,
    _add_a_file,
    _miscount_in_the_card,
    _miscount_in_the_header,
    _miscount_cells,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.strip("_"))
def test_what_differs_is_named_and_nothing_else(
    release_copy: Path, capsys: Output, damage: Callable[[Path], Told]
) -> None:
    told = damage(release_copy)
    assert main(["validate", str(release_copy), "--folder-only", "--json"]) == 1
    output = capsys.readouterr()
    found = {(row["code"], row["place"]) for row in map(json.loads, output.out.splitlines())}
    assert told <= found
    assert {place for _, place in found} == {place for _, place in told}
    assert f"{len(output.out.splitlines())} incidents: " in output.err


def test_a_whole_copy_passes_and_says_what_it_is(mini_release: Path, capsys: Output) -> None:
    assert main(["validate", str(mini_release), "--folder-only"]) == 0
    output = capsys.readouterr()
    manifest = json.loads((mini_release / "manifest.json").read_text("utf-8"))
    assert output.out == ""
    assert output.err.splitlines() == [
        f"release 0.1.0, {len(manifest['files'])} files, 1632 rows: 0 incidents",
        f"logical sha256 {manifest['logical_sha256']} (of the rows alone: not of card, licences, metadata, loading "
        "script, inputs and options)",
        f"sha256 of manifest.json {file_hash(mini_release / 'manifest.json')} (of every file of the release)",
    ]


def test_texts_of_another_version_of_the_code_are_not_compared_and_this_is_said(
    release_copy: Path, capsys: Output
) -> None:
    worded("license: cc-by-4.0\n", "license: mit\n")(release_copy)
    change_manifest(release_copy, lambda manifest: manifest.update(code_version="0.0.9"))
    assert main(["validate", str(release_copy), "--folder-only"]) == 0
    assert "written by ncimp 0.0.9: card, licences and loading script are not compared" in capsys.readouterr().err


def test_a_manifest_without_a_figure_of_the_card_is_one_error(release_copy: Path, capsys: Output) -> None:
    change_manifest(release_copy, lambda manifest: manifest["counts"].pop("waived"))
    assert main(["validate", str(release_copy), "--folder-only"]) == 1
    assert "the texts of the release cannot be made from it" in capsys.readouterr().err


def test_every_single_flipped_byte_of_a_table_is_found(release_copy: Path) -> None:
    """Not only those that make the file unreadable."""
    whole = (release_copy / PAIRS).read_bytes()
    for place in range(0, len(whole), len(whole) // 7):
        damaged = bytearray(whole)
        damaged[place] ^= 0x80
        (release_copy / PAIRS).write_bytes(bytes(damaged))
        assert ("M901", PAIRS) in {(row.code, row.place) for row in verify(release_copy).incidents}, place


def test_a_folder_that_is_no_release_is_wrong_use(tmp_path: Path, capsys: Output) -> None:
    assert main(["validate", str(tmp_path), "--folder-only"]) == 2
    assert "is not a release" in capsys.readouterr().err
