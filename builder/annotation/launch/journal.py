"""The launch manifest: what is about to be asked of a service, and what came of it, so that a crash never pays twice.

One JSON object a line (table `launch_event`), only ever added to. A line is on the disk (fsync) before the call it
announces is made, and another after its answer:

    {"event": "asked", "call": "hit", "key": "5f2c…", "id": null, "how": null, "amount": "1.08", "facts": {…}}
    {"event": "done", "call": "hit", "key": "5f2c…", "id": "3ICO…", "how": "made", "amount": "1.08", "facts": {}}

A call that was asked and has no answer may have been done: it is looked up on the service before it is made again.
A last line without its line end was cut off by a crash. It is dropped, which is safe: what it announced
was not begun, and what it reported is looked up.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from ncimp.builder.annotation.launch.errors import AGAIN, LaunchError, RefusedError
from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.records import from_row, to_row
from ncimp.schemas.tables import Text, matching

Event = Literal["begun", "asked", "done", "refused"]
Call = Literal[
    "launch",
    "test",
    "exclusion",
    "hit_type",
    "hit",
    "exclude",
    "approve",
    "bonus",
    "expire",
    "project",
    "batch",
]

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
"""Who may read the records of a launch: they name workers."""


@dataclass(frozen=True, slots=True)
class LaunchEvent:
    """One line of a launch manifest (`launch_event`)."""

    event: Event
    """What happened: the launch was begun, a call is about to be made, it was done, or it was refused and nothing came
    of it."""
    call: Annotated[Call, "Kind of call."]
    key: Text
    """What the call is for: a request token, an id of the service, or another name that no other call of its kind has.
"""
    id: Annotated[str | None, "Id that the service gave, once the call is done."] = None
    how: Literal["made", "found"] | None = None
    """Whether this call made it, or it was found on the service because an earlier call had."""
    amount: Annotated[str, matching(r"[0-9]+\.[0-9][0-9]")] | None = None
    """Most US dollars that the call can cost, fees included, as a decimal number."""
    facts: Annotated[Mapping[str, Any], "What else is worth knowing, by name."] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Once:
    """A call that must happen once: its name, the most it can cost, and how to make it and to find it made."""

    call: Call
    key: str
    make: Annotated[Callable[[], str], "Make the call and return the id of what it made."]
    find: Callable[[], str | None]
    """Return the id of what an earlier call has made, None when there was none."""
    amount: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


class Manifest:
    """The manifest of one launch, opened by `opened`: its events so far, and the way to add to them."""

    def __init__(self, path: Path, events: list[LaunchEvent], stream: IO[bytes] | None) -> None:
        self.path = path
        self.events = events
        self._stream = stream
        self._last: dict[tuple[str, str], LaunchEvent] = {}
        self._done: dict[tuple[str, str], LaunchEvent] = {}
        for event in events:
            self._index(event)

    def _index(self, event: LaunchEvent) -> None:
        self._last[event.call, event.key] = event
        if event.event == "done":
            self._done[event.call, event.key] = event

    @property
    def beginning(self) -> LaunchEvent | None:
        """The event that says what was launched where, None in a new manifest."""
        return self.events[0] if self.events else None

    def done(self, call: Call, key: str) -> LaunchEvent | None:
        """Return the event by which *call* was done for *key*, None when it was not or nobody knows."""
        return self._done.get((call, key))

    def all_done(self, call: Call) -> list[LaunchEvent]:
        """Return every event by which *call* was done, in order."""
        return [event for (name, _), event in self._done.items() if name == call]

    def unanswered(self) -> list[LaunchEvent]:
        """Return every event that announced a call of which nobody knows what came."""
        return [event for event in self._last.values() if event.event == "asked"]

    def add(self, event: LaunchEvent) -> None:
        """Put *event* on the disk, and only then into memory."""
        if self._stream is None:
            raise LaunchError("the manifest is open for reading only", place=Place(str(self.path)))
        line = json.dumps(to_row(event), ensure_ascii=False, allow_nan=False) + "\n"
        with _told(self.path):
            left = line.encode("utf-8")
            while left:  # without a buffer, a disk that is nearly full takes a part
                left = left[self._stream.write(left) or 0 :]
            os.fsync(self._stream.fileno())
        self.events.append(event)
        self._index(event)

    def once(self, step: Once, *, look_first: bool = False) -> str:
        """Make the call of *step* unless it is done already; return the id of what it made.

        A call that was announced and not answered is looked up first; with *look_first* every one is.
        A refusal is recorded before it is raised.
        """
        known = self.done(step.call, step.key)
        if known is not None:
            return str(known.id)
        last = self._last.get((step.call, step.key))
        if look_first or (last is not None and last.event == "asked"):
            found = step.find()
            if found is not None:
                return self._finish(step, found, "found")
        self.add(LaunchEvent("asked", step.call, step.key, amount=step.amount, facts=step.facts))
        try:
            made = step.make()
        except RefusedError as error:
            self.add(LaunchEvent("refused", step.call, step.key, facts={"code": error.code}))
            raise
        return self._finish(step, made, "made")

    def settle(self, step: Once) -> None:
        """Record what came of a call that was not answered, without making it again."""
        found = step.find()
        if found is None:
            self.add(LaunchEvent("refused", step.call, step.key, facts={"code": "not done"}))
        else:
            self._finish(step, found, "found")

    def _finish(self, step: Once, made: str, how: Literal["made", "found"]) -> str:
        self.add(LaunchEvent("done", step.call, step.key, made, how, step.amount, step.facts))
        return made


@contextmanager
def opened(path: Path) -> Iterator[Manifest]:
    """Yield the manifest at *path*, made if it is not there; nobody else can open it to write meanwhile."""
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        path.parent.chmod(PRIVATE_FOLDER)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, PRIVATE_FILE)
    with os.fdopen(handle, "r+b", buffering=0) as stream:
        _lock(stream, path)
        _sync_folder(path.parent)
        events, whole = _read(path)
        stream.truncate(whole)  # a line that a crash has cut off
        yield Manifest(path, events, stream)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest at *path* to look at only."""
    events, _ = _read(path)
    return Manifest(path, events, None)


def _read(path: Path) -> tuple[list[LaunchEvent], int]:
    """Return the events in *path*, and how many of its bytes hold whole lines."""
    with _told(path):
        content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    lines = content[:whole].split(b"\n")[:-1]
    return [_event(line, Place(str(path), number)) for number, line in enumerate(lines, 1)], whole


def _event(line: bytes, place: Place) -> LaunchEvent:
    try:
        row = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        fix = "mend the line, or move the file away: what was launched is then looked up on the service"
        raise SchemaError("not a line of a launch manifest", fix=fix, place=place)
    return from_row(LaunchEvent, row, table="launch_event", place=place)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what the disk refuses in the block into our error: a call that was made meanwhile is looked up later."""
    try:
        yield
    except OSError as error:
        what = f"the records cannot be kept ({error.strerror})"
        raise LaunchError(what, fix=f"make room or give --records; then {AGAIN}", place=Place(str(path))) from None


def _lock(stream: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: request tokens alone guard two launches at a time there
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        what = "another ncimp is at work on this launch"
        raise LaunchError(what, fix="wait until it has ended", place=Place(str(path))) from None


def _sync_folder(folder: Path) -> None:
    """Put the name of a new file on the disk; its content is synchronised with each line."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
