"""Builds with other options in one work folder at the same time: each waits for the one before it, and ends right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ncimp.builder.validation.folder import verify
from ncimp.schemas.files import read_json
from tests.release.small_world import Place, small_packs

pytestmark = pytest.mark.slow

OPTIONS: tuple[list[str], ...] = (["--as-version", "0.2.0"], [], ["--lang", "pt", "--as-version", "0.3.0"])


@pytest.mark.parametrize("count", [2, 3])
def test_builds_at_once_do_not_mix(mini_packs: Path, tmp_path: Path, count: int) -> None:
    place = Place(tmp_path)
    small_packs(mini_packs, place.packs)
    command = [sys.executable, "-m", "ncimp.builder.cli", "build", "--packs", str(place.packs), "--workers", "1"]
    command += ["--out", str(place.out), "--work", str(place.work)]
    builds = [subprocess.Popen([*command, *options], stderr=-1, stdout=-1, text=True) for options in OPTIONS[:count]]
    errors = [build.communicate()[1] for build in builds]
    assert [build.returncode for build in builds] == [0] * count, errors
    waited_for = set(re.findall(r"waiting for process (\d+), which uses the work folder", "".join(errors)))
    assert waited_for
    assert waited_for < {str(build.pid) for build in builds}
    assert verify(place.out).incidents == []
    for version in ("0.1.0", "0.2.0"):  # later builds are right, too
        place.build(release=version)
        assert read_json(place.out / "manifest.json")["release"] == version
        assert verify(place.out).incidents == []
