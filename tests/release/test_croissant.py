"""`croissant.json`: read by `mlcroissant` from the folder, offline; the same bytes every time; honest fields only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.records import Manifest, ReleaseFile
from ncimp.builder.release.card import CardFigures, DataFile
from ncimp.builder.release.contents import configs
from ncimp.builder.release.croissant import croissant
from ncimp.schemas.arrow import read_parquet

READER = Path(__file__).with_name("read_croissant.py")
FIXED = {"name": "ncimp", "rai:dataBiases": "Some."}
DAY = '[Metadata(ncimp)] Property "https://schema.org/datePublished" is recommended, but does not exist.'


def read(path: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(READER), str(path)],
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def found(mini_release: Path) -> dict[str, Any]:
    return read(mini_release / "croissant.json")


def made(release: str = "1.0.0", edition: str = "open") -> dict[str, Any]:
    entry = ReleaseFile("en_nat/test-00000-of-00001.parquet", 10, "ab" * 32, 1, "cd" * 32)
    manifest = Manifest(1, "ncimp", release, "0", edition, ("en",), {}, (), (entry,), "", {})
    figures = CardFigures(manifest, {"en": "English"}, {entry.path: DataFile(1, 10, 20)}, "none")
    return croissant(FIXED, figures, "## 1.1.0 (unreleased)\n\n## 1.0.0 (2027-03-01)\n")


@pytest.mark.slow
def test_it_is_valid_and_lacks_nothing_but_the_day_of_publication(found: dict[str, Any]) -> None:
    assert found["errors"] == []
    assert found["warnings"] == [DAY]
    assert found["version"] == "0.1.0"
    assert "written" in str(found["biases"]).lower()


@pytest.mark.slow
def test_every_config_has_its_records(found: dict[str, Any], mini_release: Path) -> None:
    files = {path.relative_to(mini_release).as_posix() for path in mini_release.rglob("*.parquet")}
    held = configs(["en", "pt"], files)
    assert list(found["records"]) == [config.name for config in held]
    for config in held:
        paths = [mini_release / path for files in config.files.values() for path in files]
        rows = {row["id"]: row for path in paths for row in read_parquet(path)}
        records = {row["id"]: row for row in found["records"][config.name]}
        assert len(records) == len(found["records"][config.name])
        assert records == rows, config.name


@pytest.mark.slow
def test_a_published_version_has_its_day_and_no_warning(release_copy: Path) -> None:
    path = release_copy / "croissant.json"
    written = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**written, "datePublished": "2027-03-01"}), "utf-8")
    assert read(path)["warnings"] == []


def test_its_files_are_those_of_the_manifest_with_their_hashes(mini_release: Path) -> None:
    written = json.loads((mini_release / "croissant.json").read_text("utf-8"))
    manifest = json.loads((mini_release / "manifest.json").read_text("utf-8"))
    files = {part["@id"]: part["sha256"] for part in written["distribution"] if part["@type"] == "cr:FileObject"}
    assert files == {entry["path"]: entry["sha256"] for entry in manifest["files"] if entry["rows"] is not None}
    assert "croissant.json" in {entry["path"] for entry in manifest["files"]}


def test_the_day_is_the_changelog_s_and_there_is_none_before() -> None:
    assert made()["datePublished"] == "2027-03-01"
    assert "datePublished" not in made(release="1.1.0")


def test_what_is_true_of_the_open_edition_is_said_of_no_other() -> None:
    assert made()["rai:dataBiases"] == "Some."
    assert not [key for key in made(edition="own") if key.startswith("rai:")]
    assert made(edition="own")["name"] == "ncimp"


def test_configs_without_files_are_left_out() -> None:
    assert [part["name"] for part in made()["recordSet"]] == ["pairs", "en", "en_nat"]
