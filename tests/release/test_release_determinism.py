"""The same inputs give the same bytes, in another folder, locale, time zone and hash seed, and the golden hashes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ncimp.schemas.files import read_json, write_json

GOLDEN = Path(__file__).parents[1] / "golden" / "mini_manifest.json"
PLACES = {
    "one": {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"},
    "a/longer/path/two": {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "America/Los_Angeles", "COLUMNS": "40"},
}


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def releases(mini_packs: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two releases of the mini world, each built by a process of its own at the same time."""
    root = tmp_path_factory.mktemp("determinism")
    folders = [root / place / "ncimp" for place in PLACES]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "ncimp.builder.cli", "build", "--packs", str(mini_packs), "--out", str(folder)],
            env={**os.environ, **PLACES[folder.parent.relative_to(root).as_posix()]},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    return folders


@pytest.mark.slow
def test_two_builds_in_unlike_places_give_the_same_bytes_of_every_file(
    releases: list[Path], mini_release: Path
) -> None:
    one, two = (bytes_of(folder) for folder in releases)
    here = bytes_of(mini_release)
    assert len(here) == 18
    assert [name for name in here if one.get(name) != two.get(name)] == []
    assert [name for name in here if one.get(name) != here[name]] == []
    assert set(one) == set(two) == set(here)


@pytest.mark.slow
def test_nothing_of_the_machine_is_in_a_release(releases: list[Path]) -> None:
    for folder in releases:
        hints = [str(folder.parent).encode(), os.uname().nodename.encode() + b"/", str(Path.home()).encode() + b"/"]
        for name, data in bytes_of(folder).items():
            assert not any(hint in data for hint in hints), name


def test_the_mini_release_is_the_golden_one(mini_release: Path, pytestconfig: pytest.Config) -> None:
    """`UPDATE_GOLDEN=1 pytest tests/release` (or `--update-golden`) writes the golden file anew; read its diff."""
    manifest = read_json(mini_release / "manifest.json")
    found = {entry["path"]: entry["logical_sha256"] for entry in manifest["files"] if entry["rows"] is not None}
    assert len(found) == 12
    assert len(set(found.values())) == 12
    made = {"rows": {entry["path"]: entry["rows"] for entry in manifest["files"] if entry["path"] in found}}
    made |= {"logical_sha256": found}
    if os.environ.get("UPDATE_GOLDEN") == "1" or pytestconfig.getoption("--update-golden", default=False):
        write_json(GOLDEN, made)
    golden = json.loads(GOLDEN.read_text("utf-8"))
    assert golden["logical_sha256"]
    assert golden == made
