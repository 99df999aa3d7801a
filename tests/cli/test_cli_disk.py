"""Disks that are full or cannot be written: one line, exit code 1, nothing lost, nothing left over."""

from __future__ import annotations

import errno
import os
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from tests.release.small_world import Place, small_packs

Output = pytest.CaptureFixture[str]
COMMAND = [sys.executable, "-m", "ncimp.builder.cli"]


def sqlite_error(message: str, code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


FAULTS = {
    "full": OSError(errno.ENOSPC, "No space left on device", "a/b.parquet"),
    "read-only": OSError(errno.EROFS, "Read-only file system", "a/.ncimp.new-1"),
    "limit": OSError(errno.EFBIG, "File too large"),
    "database": sqlite_error("disk I/O error", sqlite3.SQLITE_IOERR_WRITE),
    "full database": sqlite_error("database or disk is full", sqlite3.SQLITE_FULL),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_disk_that_refuses_is_told_in_one_line(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    def failing(*_: object) -> None:
        raise FAULTS[fault]

    monkeypatch.setattr("ncimp.builder.commands.build.build_release", failing)
    assert main(["build", "--out", str(tmp_path / "ncimp")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    reason = str(getattr(FAULTS[fault], "strerror", None) or FAULTS[fault])
    assert line.startswith("ncimp build: ")
    assert reason in line
    assert line.endswith("; check the folder and the space on the disk, and run the command again")


def test_another_error_is_not_taken_for_one_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (sqlite_error("no such table: forms", sqlite3.SQLITE_ERROR), IsADirectoryError(errno.EISDIR, "x")):
        monkeypatch.setattr(
            "ncimp.builder.commands.build.build_release", lambda *_, error=error: (_ for _ in ()).throw(error)
        )
        with pytest.raises(type(error)):
            main(["build", "--out", str(tmp_path / "ncimp")])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_cannot_be_written_is_told_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "validate", "--codes"], stdout=full, stderr=-1, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("ncimp validate: No space left on device; ")


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "workers"), [(1_000, "1"), (30_000, "2"), (60_000, "1"), (200_000, "2")])
def test_a_build_that_may_write_no_more_loses_nothing(
    mini_packs: Path, tmp_path: Path, limit: int, workers: str
) -> None:
    """The longest file that a process may write stands for the space on the disk."""
    place = Place(tmp_path / "place")
    small_packs(mini_packs, place.packs)
    place.build()
    before = place.content()
    command = [*COMMAND, "build", "--packs", str(place.packs), "--out", str(place.out), "--workers", workers]
    command += ["--work", str(tmp_path / "new"), "--as-version", "0.2.0"]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env=env, preexec_fn=limited, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    problems = [line for line in done.stderr.splitlines() if not line.endswith((": running", ": up to date"))]
    assert len(problems) == 1, done.stderr
    assert "check the folder and the space on the disk" in problems[0]
    assert place.content() == before
    assert [path for path in tmp_path.rglob(".*") if ".new-" in path.name] == []
    assert place.build(work="../new", release="0.2.0")
