"""`ncimp describe`: the page, JSON, figures, and what is said of a folder that is no whole release."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main
from ncimp.builder.commands.validate import check
from ncimp.builder.release.figures import FIGURES
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.files import file_hash, read_json, write_json

Output = pytest.CaptureFixture[str]
SENTENCES = "sentences/train-00000-of-00001.parquet"


def described(release: Path, *argv: str) -> int:
    return main(["describe", str(release), *argv])


def test_the_page_has_a_table_for_each_part_and_goes_to_standard_output(mini_release: Path, capsys: Output) -> None:
    assert described(mini_release) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.startswith("ncimp 0.1.0, open edition (data ")
    assert "): 12 compounds, 840 sentences, 0 more literal ones, 0 found\n" in output.out
    titles = [line for line in output.out.splitlines()[1:] if line.strip() and not line.startswith("|")]
    assert [" ".join(title.split()[:2]) for title in titles] == [
        *("Compounds by", "Compounds by", "Sentences by", "Length of", "Position of", "Frequency match"),
        *("Component synonyms", "True synonyms", "Carrier edits", "Genres of"),
    ]
    assert "\x1b" not in output.out
    assert max(map(len, output.out.splitlines())) <= 160


def test_json_has_the_statistics_of_the_release_in_the_order_of_its_languages(
    mini_release: Path, capsys: Output
) -> None:
    assert described(mini_release, "--json") == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (told["release"], told["edition"], told["languages"]) == ("0.1.0", "open", ["en", "pt"])
    assert told["logical_sha256"] == read_json(mini_release / "manifest.json")["logical_sha256"]
    for name in ("compounds", "sentences", "lengths", "positions", "matching", "relations", "carrier_edits", "genres"):
        langs = [row["lang"] for row in told[name]]
        assert langs == sorted(langs)
        assert set(langs) == {"en", "pt"}
    assert sum(row["sentences"] for row in told["sentences"]) == 840
    assert set(told["lengths"][0]["words"]) == {
        *("n", "mean", "sd", "minimum", "p10", "p25", "median", "p75", "p90", "maximum")
    }


def test_figures_are_written_only_where_they_are_asked_for(
    mini_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    assert described(mini_release) == 0
    assert list(tmp_path.iterdir()) == []
    capsys.readouterr()
    assert described(mini_release, "--json", "--figures", "new/figures") == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["release"] == "0.1.0"
    assert output.err == "".join(f"wrote {Path('new/figures', name)}.png\n" for name in FIGURES)
    assert {path.stem for path in (tmp_path / "new" / "figures").iterdir()} == set(FIGURES)


@pytest.mark.parametrize("inside", [".", "figures", "../ncimp/figures"])
def test_figures_inside_the_release_are_refused_because_they_would_damage_it(
    release_copy: Path, mini_packs: Path, capsys: Output, inside: str
) -> None:
    assert described(release_copy, "--figures", str(release_copy / inside)) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "is inside the release; name a folder outside" in output.err
    assert check(release_copy, mini_packs)[0] == []


def test_a_file_in_the_place_of_the_folder_is_told_in_one_line(
    mini_release: Path, tmp_path: Path, capsys: Output
) -> None:
    (tmp_path / "file").write_text("a file", "utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "figures"):
        assert described(mini_release, "--figures", str(folder)) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith(f"ncimp describe: {folder}: no figure can be written there (")
        assert output.err.endswith("); give another --figures\n")
    assert (tmp_path / "file").read_text("utf-8") == "a file"


def test_without_matplotlib_figures_are_refused_with_the_command_that_installs_it(
    mini_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert described(mini_release, "--figures", str(tmp_path / "figures")) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == (
        "ncimp describe: figures need the library 'matplotlib', which is not installed; "
        'run pip install "ncimp[plots]", or leave --figures out\n'
    )
    assert not (tmp_path / "figures").exists()
    assert described(mini_release) == 0


@pytest.mark.slow
def test_neither_the_command_line_nor_the_page_loads_matplotlib(mini_release: Path) -> None:
    code = (
        "import sys; from ncimp.builder.cli import main; "
        f"main(['describe', {str(mini_release)!r}]); "
        "import ncimp.builder.release.figures; "
        "sys.exit('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def refusal(release: Path, capsys: Output) -> str:
    """The one line in which the command refuses *release*."""
    assert described(release) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("ncimp describe: ")
    assert output.err.count("\n") == 1
    return output.err.removeprefix("ncimp describe: ").strip()


def test_a_folder_that_is_no_release(tmp_path: Path, capsys: Output) -> None:
    told = refusal(tmp_path / "nowhere", capsys)
    assert told.endswith("not a release: it has no manifest; give the folder of a release; `ncimp build` makes one")


def test_a_file_that_is_missing(release_copy: Path, capsys: Output) -> None:
    (release_copy / SENTENCES).unlink()
    told = refusal(release_copy, capsys)
    assert told.startswith(f"{release_copy / SENTENCES}: the manifest lists this file, but it is missing; ")


def test_a_file_that_was_changed(release_copy: Path, capsys: Output) -> None:
    (release_copy / "README.md").write_text("mine", "utf-8")
    assert "README.md: its sha256 is not the one in the manifest; build or" in refusal(release_copy, capsys)


def test_a_manifest_that_is_cut_off(release_copy: Path, capsys: Output) -> None:
    text = (release_copy / "manifest.json").read_text("utf-8")
    (release_copy / "manifest.json").write_text(text[: len(text) // 2], "utf-8")
    assert "not JSON" in refusal(release_copy, capsys)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("release", "9.9.9", "is of release '9.9.9', the manifest of '0.1.0'; do not mix releases"),
        ("lang", "gl", "is in 'gl', which is not among the manifest's languages"),
        ("context_kind", "odd", "'odd' is not one of ['naturalistic', 'neutral']; context_kind: "),
    ],
)
def test_a_row_that_does_not_belong_though_its_file_is_the_manifest_s(
    release_copy: Path, capsys: Output, column: str, value: str, words: str
) -> None:
    rows = read_parquet(release_copy / SENTENCES, "item")
    rows[0][column] = value
    write_parquet(release_copy / SENTENCES, rows, "item")
    manifest = read_json(release_copy / "manifest.json")
    for entry in manifest["files"]:
        if entry["path"] == SENTENCES:
            entry["sha256"] = file_hash(release_copy / SENTENCES)
    write_json(release_copy / "manifest.json", manifest)
    told = refusal(release_copy, capsys)
    assert words in told
    assert rows[0]["id"] in told
