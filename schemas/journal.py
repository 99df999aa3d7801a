"""Records of finished work, so that a killed command resumes where it stopped.

A *step record* stands beside the outputs of one step. It is written last and atomically, and believed only while
its key and the hashes of all outputs still hold:

    {"key": "5f2c…", "outputs": {"items.jsonl": "9b1d…"}, "facts": {"rows": 70}}

An *event log* is a file of JSON objects, one a line, that only grows. A line is on the disk before the caller
continues. A last line without its line end was cut off by a crash; it is dropped.
"""

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ncimp.schemas.errors import NcimpError, Place, SchemaError
from ncimp.schemas.files import Row, atomic_path, file_hash, read_json

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

Hashes = dict[str, str]  # sha256 by file name
BUSY = (errno.EAGAIN, errno.EACCES)  # the answers of systems where another process has a lock
LOCK_POLL_SECONDS = 0.1  # time between two tries to get a lock
LOCKED_BYTE = 1 << 30  # place of the one byte that is locked on Windows, where nobody can read what is locked


class JournalBusyError(NcimpError):
    """Another process has the event log open."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """A finished step: the hash of everything it depends on, its outputs, and what else a resumed run needs."""

    key: str
    outputs: Hashes
    facts: Row = field(default_factory=dict)


def write_step(path: Path, key: str, outputs: Iterable[str] = (), facts: Mapping[str, Any] | None = None) -> StepRecord:
    """Record at *path* that the step *key* has written *outputs*, files in the folder of *path*; return the record."""
    record = StepRecord(key, {name: file_hash(path.parent / name) for name in outputs}, dict(facts or {}))
    row = {"key": record.key, "outputs": record.outputs, "facts": record.facts}
    with atomic_path(path) as aside, aside.open("w", encoding="ascii") as stream:
        json.dump(row, stream, allow_nan=False)
        stream.flush()
        os.fsync(stream.fileno())
    return record


def read_step(path: Path, key: str) -> StepRecord | None:
    """Return the record at *path*, or None when the step *key* has to run again.

    A step runs again when it never ran, was killed, had another key, or when one of its outputs was changed.
    """
    try:
        row = read_json(path)
        record = StepRecord(row["key"], dict(row["outputs"]), dict(row["facts"]))
        intact = all(file_hash(path.parent / name) == digest for name, digest in record.outputs.items())
    except (NcimpError, OSError, KeyError, TypeError, ValueError):
        return None
    return record if intact and record.key == key else None


@dataclass(frozen=True, slots=True)
class EventLog:
    """An event log that is open for writing; see `open_log`."""

    path: Path
    events: list[Row]  # all so far, in order
    _stream: IO[bytes]

    def append(self, event: Mapping[str, Any]) -> None:
        """Put *event* on the disk, and only then into `events`."""
        rest = (json.dumps(dict(event), ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
        while rest:  # an unbuffered write to a disk that is nearly full takes a part
            rest = rest[self._stream.write(rest) or 0 :]
        os.fsync(self._stream.fileno())
        self.events.append(dict(event))

    def clear(self) -> None:
        """Remove all events, on the disk too."""
        self._stream.truncate(0)
        os.fsync(self._stream.fileno())
        self.events.clear()


@contextmanager
def open_log(path: Path, mode: int = 0o666) -> Iterator[EventLog]:
    """Yield the log at *path*, created with the permissions *mode* if missing, and locked against other processes.

    Raise `JournalBusyError` when another process has it open.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, mode), "r+b", buffering=0) as stream:
        if not _lock(stream):
            fix = "wait until it has ended"
            raise JournalBusyError("another ncimp is writing this file", fix=fix, place=Place(str(path)))
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # puts the name of a new file on the disk; `append` does so for its content
        finally:
            os.close(folder)
        events, size = _read(path)
        stream.truncate(size)
        yield EventLog(path, events, stream)


def read_log(path: Path) -> list[Row]:
    """Return the events of the log at *path* without locking it."""
    return _read(path)[0]


def _read(path: Path) -> tuple[list[Row], int]:
    """Return the events in *path* and the number of bytes of its whole lines."""
    content = path.read_bytes()
    size = content.rfind(b"\n") + 1
    events = list[Row]()
    for number, line in enumerate(content[:size].split(b"\n")[:-1], 1):
        try:
            event = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            fix = "repair the line, or move the file away"
            raise SchemaError("not an event of a log", fix=fix, place=Place(str(path), number))
        events.append(event)
    return events, size


@contextmanager
def file_lock(path: Path, waiting: Callable[[str], object]) -> Iterator[None]:
    """Lock the file at *path* for the block, or until the process is killed; while another process has it, wait.

    *waiting* is called with the id of each process that this one waits for.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b", buffering=0) as stream:
        process = ""
        while not _lock(stream):
            time.sleep(LOCK_POLL_SECONDS)  # before the first look: the other one has just begun, and writes its id
            before, process = process, path.read_text("ascii")
            if process not in ("", before):
                waiting(process)
        stream.truncate(0)
        stream.write(str(os.getpid()).encode("ascii"))
        yield


def _lock(stream: IO[bytes]) -> bool:
    """Lock *stream*, for as long as it is open, and return True; False where another process has locked its file."""
    try:
        if sys.platform == "win32":
            stream.seek(LOCKED_BYTE)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in BUSY  # some network file systems have no locks
    return True
