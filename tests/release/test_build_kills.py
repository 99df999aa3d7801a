"""A build that is killed leaves the old release, the new one or none, always whole; the next one finishes the work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.build.stages import Build, build_release
from ncimp.builder.config import BuildOptions
from ncimp.schemas import files
from tests.release.small_world import small_packs

pytestmark = pytest.mark.slow

KILLER = Path(__file__).with_name("kill_builds.py")


@pytest.fixture(scope="module")
def told(mini_packs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happened to builds that were killed; see `kill_builds.py`."""
    root = tmp_path_factory.mktemp("kills")
    packs = small_packs(mini_packs, root / "packs")
    command = [sys.executable, str(KILLER), str(packs), str(root / "builds")]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


@pytest.mark.parametrize("scenario", ["update", "first"])
def test_a_killed_build_leaves_the_old_release_the_new_one_or_none(told: dict[str, Any], scenario: str) -> None:
    builds = told[scenario]
    assert builds["incidents"] == 0
    assert len(builds["whole"]) == 10
    assert builds["before"] != builds["whole"]
    assert len(builds["killed"]) == {"update": 4, "first": 3}[scenario]
    for build in builds["killed"]:
        assert build["code"] == -9, build["step"]
        assert build["after"] in (builds["before"], builds["whole"]), build["step"]
    assert any(build["after"] == builds["before"] for build in builds["killed"])
    assert any(build["after"] == builds["whole"] for build in builds["killed"])


@pytest.mark.parametrize("scenario", ["update", "first"])
def test_the_build_after_a_killed_one_makes_the_release_of_an_undisturbed_build(
    told: dict[str, Any], scenario: str
) -> None:
    for build in told[scenario]["killed"]:
        assert build["again"] == 0, build["step"]
        assert build["then"] == told[scenario]["whole"], build["step"]


@pytest.mark.parametrize("scenario", ["update", "first"])
def test_the_build_after_a_killed_one_leaves_nothing_beside_the_release(told: dict[str, Any], scenario: str) -> None:
    left = {name: build["step"] for build in told[scenario]["killed"] for name in build["left"]}
    assert {name: step for name, step in left.items() if not name.startswith("work/")} == {}


@pytest.mark.parametrize("scenario", ["update", "first"])
def test_the_build_after_a_killed_one_leaves_nothing_half_written_in_the_work_folder(
    told: dict[str, Any], scenario: str
) -> None:
    left = {name: build["step"] for build in told[scenario]["killed"] for name in build["left"]}
    assert {name: step for name, step in left.items() if name.startswith("work/")} == {}


def test_builds_were_killed_while_adding_the_lexicon_and_around_the_swap(told: dict[str, Any]) -> None:
    """Guards the tests above: they prove nothing if the moments were all in one place."""
    first, update = ([build["step"] for build in told[name]["killed"]] for name in ("first", "update"))
    assert first[0].startswith("os.rename")
    assert "/work/wn/." in first[0]
    assert first[1].endswith("/ncimp -1 -1")
    assert first[2].endswith("/work/release/stage.json -1 -1")
    assert "/work/tables-en" in update[0]
    assert ".new-" in update[1]
    assert update[2] == "call renameat2"
    assert update[3].startswith("os.rmdir")


@pytest.mark.parametrize("moved", [False, True])
def test_where_folders_cannot_be_exchanged_the_old_release_waits_under_a_name_that_is_found_again(
    mini_packs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: bool
) -> None:
    """Without `renameat2` there is a moment with no release; a build that finds it puts the old one back first."""
    monkeypatch.setattr(files, "exchange", lambda *_: False)
    packs = small_packs(mini_packs, tmp_path / "packs")
    out = tmp_path / "ncimp"
    made = Build(("en",), packs, out, tmp_path / "work", BuildOptions())
    build_release(made, lambda *_: None)
    old = (out / "manifest.json").read_bytes()
    if moved:
        out.rename(files.previous_name(out))
    ran = []
    build_release(made, lambda stage, reused: None if reused else ran.append(stage))
    assert ran == []
    assert (out / "manifest.json").read_bytes() == old
    build_release(Build(("en",), packs, out, tmp_path / "work", BuildOptions(seed="new")), lambda *_: None)
    assert json.loads((out / "manifest.json").read_text("utf-8"))["options"]["seed"] == "new"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
