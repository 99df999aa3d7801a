"""A folder written aside: never left behind, and never taken from a process that is still writing it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ncimp.schemas.files import folder_aside


@pytest.fixture(scope="module")
def dead() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen((sys.executable, "-c", "")) as process:
        pass
    return process.pid


def left(target: Path, process: object) -> Path:
    """Make what a process of this number left beside *target*."""
    folder = target.parent / f".{target.name}.new-{process}-abc"
    (folder / "inside").mkdir(parents=True)
    return folder


def test_the_folder_is_beside_its_place_and_gone_afterwards(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "ncimp"
    with folder_aside(target) as aside:
        (aside / "file").write_text("x", encoding="utf-8")
        assert aside.parent == target.parent
        assert aside.name.startswith(f".ncimp.new-{os.getpid()}-")
        assert not target.exists()
    assert list(target.parent.iterdir()) == []


def test_a_folder_that_was_renamed_to_its_place_stays_there(tmp_path: Path) -> None:
    with folder_aside(tmp_path / "ncimp") as aside:
        aside.rename(tmp_path / "ncimp")
    assert list(tmp_path.iterdir()) == [tmp_path / "ncimp"]


def fail_inside(target: Path, error: type[BaseException]) -> None:
    with folder_aside(target) as aside:
        (aside / "file").write_text("x", encoding="utf-8")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_block_that_raises_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error):
        fail_inside(tmp_path / "ncimp", error)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_what_a_running_one_writes_is_not(tmp_path: Path, dead: int) -> None:
    target = tmp_path / "ncimp"
    killed, running, nameless = left(target, dead), left(target, os.getpid()), left(target, "old")
    with folder_aside(target):
        assert not killed.exists()
        assert not nameless.exists()
        assert (running / "inside").is_dir()
    assert (running / "inside").is_dir()


def test_what_belongs_to_another_place_is_not_removed(tmp_path: Path, dead: int) -> None:
    other = left(tmp_path / "other", dead)
    with folder_aside(tmp_path / "ncimp"):
        assert other.is_dir()


def answer(error: type[OSError]) -> Callable[[int, int], None]:
    def kill(_process: int, _signal: int) -> None:
        raise error

    return kill


def test_a_process_of_another_user_counts_as_running(
    tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = left(tmp_path / "ncimp", dead)
    monkeypatch.setattr(os, "kill", answer(PermissionError))
    with folder_aside(tmp_path / "ncimp"):
        assert theirs.is_dir()
