"""A build with a process per language: the same bytes, the same errors, and nothing left of one that is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.schemas.errors import UsageError
from tests.release.small_world import Place, small_packs

STAGES = {"pack", "select", "fill", "tables", "check"}


def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until *holds* is true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    """Tell whether *process* runs; one that has ended and waits to be collected does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text("utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture(scope="module")
def alone(mini_packs: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A small release that one process built."""
    place = Place(tmp_path_factory.mktemp("alone"))
    small_packs(mini_packs, place.packs)
    place.build()
    return place


@pytest.fixture
def place(alone: Place, tmp_path: Path) -> Place:
    """The same packs in another place, to be built by several."""
    made = Place(tmp_path / "place")
    shutil.copytree(alone.packs, made.packs)
    return made


@pytest.mark.slow
def test_two_workers_write_what_one_writes(alone: Place, place: Place) -> None:
    assert place.build(workers=2) == {f"{name}-{lang}" for name in STAGES for lang in ("en", "pt")} | {
        "validate",
        "release",
    }
    assert place.content() == alone.content()
    assert stage_files(place) == stage_files(alone)
    assert place.build(workers=2) == set()
    assert place.build() == set()


def stage_files(place: Place) -> dict[str, bytes]:
    """The files of the stages but what `wn` keeps, and what names the place."""
    files = (path for path in place.work.rglob("*") if path.is_file() and "wn" not in path.parts)
    return {
        path.relative_to(place.work).as_posix(): path.read_bytes() for path in files if path.parent.name != "release"
    }


@pytest.mark.slow
def test_error_in_a_worker_is_the_error_of_a_single_process(place: Place) -> None:
    place.edit("en/contexts.tsv", "[rat race]", "[rat ride]")
    errors = []
    for workers in (1, 2):
        with pytest.raises(Exception, match="rat ride") as caught:
            place.build(work=f"work-{workers}", workers=workers)
        errors.append((type(caught.value), str(caught.value).replace(f"work-{workers}", "work")))
    assert errors[0] == errors[1]


@pytest.mark.parametrize("number", ["0", "-1"])
def test_number_of_workers_must_be_positive(number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--out", str(tmp_path / "ncimp"), "--workers", number]) == UsageError.exit_code
    assert f"--workers must be a whole number above 0, got {number}" in capsys.readouterr().err


@pytest.fixture
def command(place: Place) -> list[str]:
    return [
        *(sys.executable, "-m", "ncimp.builder.cli", "build", "--workers", "2"),
        *("--packs", str(place.packs), "--out", str(place.out), "--work", str(place.work)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["select-en", "fill-pt", "tables-en", "validate"])
def test_next_build_finishes_a_killed_one(stage: str, alone: Place, place: Place, command: list[str]) -> None:
    process, workers = started(command, stage)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    until(lambda: not any(map(is_alive, workers)), seconds=5)
    assert not place.out.exists()
    place.build(workers=2)
    assert place.content() == alone.content()
    assert stage_files(place) == stage_files(alone)
    assert [path for path in place.folder.rglob(".*") if ".new-" in path.name] == []


@pytest.mark.slow
def test_interrupted_build_ends_in_one_line_and_leaves_no_worker(command: list[str]) -> None:
    process, workers = started(command, "select-pt", start_new_session=True)
    os.killpg(process.pid, signal.SIGINT)
    lines = process.communicate(timeout=30)[1].splitlines()
    assert process.returncode == 1
    assert [line for line in lines if not line.startswith(tuple(STAGES))] == [
        "ncimp build: interrupted; run it again to resume"
    ]
    deadline = time.monotonic() + 10  # a worker looks for its parent every so often
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(is_alive, workers))


@pytest.mark.slow
def test_killed_worker_is_reported(command: list[str]) -> None:
    process, workers = started(command, "select-pt")
    os.kill(max(workers), signal.SIGKILL)
    message = process.communicate(timeout=60)[1].splitlines()[-1]
    assert message.startswith("ncimp build: a worker process was killed; build again")
    assert process.returncode == 1


def started(command: list[str], stage: str, **options: bool) -> tuple[subprocess.Popen[str], list[int]]:
    """Start *command*, wait until it reports *stage*, and return it with the ids of its workers."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]
    for line in process.stderr:
        if line.startswith(f"{stage}: "):
            break
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii")
    return process, [int(child) for child in children.split()]
