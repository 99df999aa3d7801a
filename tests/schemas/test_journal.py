from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ncimp.schemas.errors import SchemaError
from ncimp.schemas.journal import JournalBusyError, file_lock, open_log, read_log, read_step, write_step


def _step(folder: Path) -> Path:
    (folder / "a.txt").write_text("one", encoding="utf-8")
    write_step(folder / "step.json", "key", ["a.txt"], {"rows": 3, "text": "e\u0301"})
    return folder / "step.json"


def test_step_record_reads_back(tmp_path: Path) -> None:
    record = read_step(_step(tmp_path), "key")
    assert record is not None
    assert record.facts == {"rows": 3, "text": "e\u0301"}  # as it was: not NFC
    assert list(record.outputs) == ["a.txt"]


@pytest.mark.parametrize("damage", ["changed output", "missing output", "torn record", "no record", "other key"])
def test_damaged_step_runs_again(tmp_path: Path, damage: str) -> None:
    path = _step(tmp_path)
    if damage == "changed output":
        (tmp_path / "a.txt").write_text("two", encoding="utf-8")
    elif damage == "missing output":
        (tmp_path / "a.txt").unlink()
    elif damage == "torn record":
        path.write_bytes(path.read_bytes()[:-9])
    elif damage == "no record":
        path.unlink()
    assert read_step(path, "another" if damage == "other key" else "key") is None


def test_event_log_resumes_and_drops_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "log" / "events.jsonl"
    with open_log(path) as log:
        log.append({"n": 1})
        log.append({"n": "dois é"})
    with path.open("ab") as stream:
        stream.write(b'{"n": 3')
    assert read_log(path) == [{"n": 1}, {"n": "dois é"}]
    with open_log(path) as log:
        log.append({"n": 3})
    assert read_log(path) == [{"n": 1}, {"n": "dois é"}, {"n": 3}]


def test_cleared_log_is_empty_on_disk(tmp_path: Path) -> None:
    with open_log(tmp_path / "log") as log:
        log.append({"n": 1})
        log.clear()
        log.append({"n": 2})
    assert read_log(tmp_path / "log") == [{"n": 2}]


def test_damaged_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b'{"n": 1}\nnonsense\n')
    with pytest.raises(SchemaError, match="log:2: not an event"):
        read_log(tmp_path / "log")


def test_second_process_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with open_log(tmp_path / "log"), pytest.raises(JournalBusyError, match="another ncimp"), open_log(tmp_path / "log"):
        pass


def test_private_log_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    with open_log(tmp_path / "log", 0o600):
        assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


def test_killed_writer_loses_no_whole_event(tmp_path: Path) -> None:
    code = (
        "import sys, os; from pathlib import Path; from ncimp.schemas.journal import open_log\n"
        "with open_log(Path(sys.argv[1])) as log:\n log.append({'n': 1}); os.kill(os.getpid(), 9)"
    )
    result = subprocess.run([sys.executable, "-c", code, str(tmp_path / "log")], check=False)
    assert result.returncode == -9 if os.name == "posix" else result.returncode
    with open_log(tmp_path / "log") as log:
        assert log.events == [{"n": 1}]


HOLDER = """
import sys
from pathlib import Path
from ncimp.schemas.journal import file_lock
with file_lock(Path(sys.argv[1]), print):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_lock_is_waited_for_and_ends_with_its_process_even_when_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "work" / "lock"
    other = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdin=-1, stdout=-1, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "locked\n"
    processes = []

    def waiting(process: str) -> None:
        processes.append(process)
        other.kill()

    with file_lock(path, waiting):
        assert processes == [str(other.pid)]
        assert path.read_text("ascii") == str(os.getpid())
    other.communicate()
    with file_lock(path, processes.append):
        assert len(processes) == 1


WINDOWS = """
import errno, fcntl, os, sys, types

def locking(descriptor, mode, size):
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, size, os.lseek(descriptor, 0, os.SEEK_CUR))
    except BlockingIOError:
        raise OSError(errno.EACCES, "Permission denied") from None

import ncimp.schemas.files
sys.platform, sys.modules["fcntl"] = "win32", None
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
"""
"""A stand-in for the locks of Windows: of bytes, from the place where the file stands."""


def test_lock_holds_on_a_system_without_fcntl(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WINDOWS + HOLDER, str(tmp_path / "lock")]
    first = subprocess.Popen(command, stdin=-1, stdout=-1, text=True)
    assert first.stdout is not None
    assert first.stdout.readline() == "locked\n"
    second = subprocess.Popen(command, stdin=-1, stdout=-1, text=True)
    assert second.stdout is not None
    assert second.stdout.readline() == f"{first.pid}\n"
    first.communicate()
    assert second.communicate()[0] == "locked\n"
