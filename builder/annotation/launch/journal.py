"""Record every call to a service before and after it is made, so that a crash never pays or launches twice.

The manifest of a launch is an event log (`ncimp.schemas.journal`) of rows of the table `launch_event`. A line is on the
disk before the call that it announces is made, and another after its answer:

    {"event": "asked", "call": "hit", "key": "5f2c…", "id": null, "how": null, "amount": "1.08", "facts": {…}}
    {"event": "done", "call": "hit", "key": "5f2c…", "id": "3ICO…", "how": "made", "amount": "1.08", "facts": {}}

A call without an answer may have been done: it is looked up on the service before it is made again. A last line that a
crash has cut off is dropped, which is safe: the call that it announced was not made, and the call that it reported is
looked up.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from ncimp.schemas.errors import NcimpError, Place
from ncimp.schemas.files import Row, keyed_hash
from ncimp.schemas.journal import EventLog, open_log, read_log
from ncimp.schemas.records import from_row, to_row
from ncimp.schemas.tables import Text, matching

Event = Literal["begun", "asked", "done", "refused"]
Call = Literal["launch", "test", "hit_type", "hit", "approve", "expire", "project", "batch"]

AGAIN = "run the same command again: it looks up what was done, and nothing is paid twice"
"""Advice after a failure that may pass."""

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
"""Permissions of the records of a launch, which name workers."""


class LaunchError(NcimpError):
    """A launch, payment or collection cannot continue."""


class RefusedError(LaunchError):
    """The service refused a call and did nothing; `code` is its own code for the reason."""

    def __init__(self, what: str, *, code: str = "", fix: str | None = None) -> None:
        super().__init__(what, fix=fix)
        self.code = code


class UnansweredError(LaunchError):
    """The service gave no usable answer: the call may have been done or not."""

    def __init__(self, what: str) -> None:
        super().__init__(what, fix=AGAIN)


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
    """A call that must happen once: its name, its highest cost, and how to make it and look it up."""

    call: Call
    key: str
    make: Callable[[], str]
    """Make the call and return the id of its result."""
    find: Callable[[], str | None]
    """Return the id of the result of an earlier call, None without one."""
    amount: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


class LaunchManifest:
    """The events of one launch; see `open_manifest` and `read_manifest`."""

    def __init__(self, path: Path, rows: list[Row], log: EventLog | None) -> None:
        self.path = path
        self.events: list[LaunchEvent] = []
        self._log = log
        self._last: dict[tuple[str, str], LaunchEvent] = {}
        self._results: dict[tuple[str, str], LaunchEvent] = {}
        for number, row in enumerate(rows, 1):
            self._index(from_row(LaunchEvent, row, table="launch_event", place=Place(str(path), number)))

    def _index(self, event: LaunchEvent) -> None:
        self.events.append(event)
        self._last[event.call, event.key] = event
        if event.event == "done":
            self._results[event.call, event.key] = event

    def done(self, call: Call, key: str) -> LaunchEvent | None:
        """Return the event by which *call* was done for *key*, None when it was not or nobody knows."""
        return self._results.get((call, key))

    def all_done(self, call: Call) -> list[LaunchEvent]:
        """Return every event by which *call* was done, in order."""
        return [event for (name, _), event in self._results.items() if name == call]

    def unanswered(self) -> list[LaunchEvent]:
        """Return every event that announced a call whose result is unknown."""
        return [event for event in self._last.values() if event.event == "asked"]

    def add(self, event: LaunchEvent) -> None:
        """Put *event* on the disk, and only then into memory."""
        if self._log is None:
            raise LaunchError("the manifest is open for reading only", place=Place(str(self.path)))
        with _disk_errors(self.path):
            self._log.append(to_row(event))
        self._index(event)

    def begin(self, facts: Mapping[str, object], *, cost: str) -> None:
        """Write the first line of a new manifest, or check that an old one begins with the same *facts*."""
        if not self.events:
            key = keyed_hash("launch", str(facts["batch"]))
            self.add(LaunchEvent("begun", "launch", key, amount=cost, facts=facts))
            return
        earlier = self.events[0].facts
        changes = [
            f"{name} was {earlier.get(name)!r}, is {facts[name]!r}"
            for name in sorted(facts)
            if earlier.get(name) != facts[name]
        ]
        if changes:
            fix = "use the same options, or export a batch of its own"
            raise LaunchError(f"the launch began with other options: {'; '.join(changes)}", fix=fix)

    def once(self, step: Once, *, look_first: bool = False) -> str:
        """Make the call of *step* unless it is done already; return the id of its result.

        A call without an answer is looked up first; with *look_first* every call is. A refusal is recorded before it is
        raised.
        """
        earlier = self.done(step.call, step.key)
        if earlier is not None:
            return str(earlier.id)
        last = self._last.get((step.call, step.key))
        if look_first or (last is not None and last.event == "asked"):
            identity = step.find()
            if identity is not None:
                return self._finish(step, identity, "found")
        self.add(LaunchEvent("asked", step.call, step.key, amount=step.amount, facts=step.facts))
        try:
            identity = step.make()
        except RefusedError as error:
            self.add(LaunchEvent("refused", step.call, step.key, facts={"code": error.code}))
            raise
        return self._finish(step, identity, "made")

    def settle(self, step: Once) -> None:
        """Record the result of a call without an answer, without making it again."""
        identity = step.find()
        if identity is None:
            self.add(LaunchEvent("refused", step.call, step.key, facts={"code": "not done"}))
        else:
            self._finish(step, identity, "found")

    def _finish(self, step: Once, identity: str, how: Literal["made", "found"]) -> str:
        self.add(LaunchEvent("done", step.call, step.key, identity, how, step.amount, step.facts))
        return identity


@contextmanager
def open_manifest(path: Path) -> Iterator[LaunchManifest]:
    """Yield the manifest at *path*, created if missing, and locked against other processes."""
    with ExitStack() as stack:
        with _disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
            path.parent.chmod(PRIVATE_FOLDER)
            log = stack.enter_context(open_log(path, PRIVATE_FILE))
        yield LaunchManifest(path, log.events, log)


def read_manifest(path: Path) -> LaunchManifest:
    """Return the manifest at *path* for reading."""
    with _disk_errors(path):
        return LaunchManifest(path, read_log(path), None)


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    """Turn errors of the disk into ours: a call that was made meanwhile is looked up later."""
    try:
        yield
    except OSError as error:
        what = f"the records cannot be written ({error.strerror})"
        raise LaunchError(what, fix=f"make room or give --records; then {AGAIN}", place=Place(str(path))) from None
