"""Launch an exported batch: choose the place, record every call, and merge collected answers into a results file.

The manifest of a launch is an event log (`ncimp.schemas.journal`) of rows of the table `launch_event`. A line is on the
disk before the call that it announces is made, and another after its answer, so that a crash never pays or launches
twice:

    {"event": "asked", "call": "hit", "key": "5f2c…", "id": null, "how": null, "amount": "1.08", "facts": {…}}
    {"event": "done", "call": "hit", "key": "5f2c…", "id": "3ICO…", "how": "made", "amount": "1.08", "facts": {}}

A call without an answer is looked up on the service before it is made again. A last line that a crash has cut off is
dropped: the call that it announced was not made, and the call that it reported is looked up.

The results file has one assignment a row in the columns of Mechanical Turk's results CSV, sorted, all cells quoted:
collecting twice gives the same bytes. A row that was collected once stays, even when the service has deleted it. The
file names workers: it stays with the user, and `ncimp annotate import` pseudonymises it.
"""

import ipaddress
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from ncimp.builder.annotation.task.batch import INFO, Batch, read_info
from ncimp.builder.annotation.task.cells import csv_text, read_csv
from ncimp.schemas import NcimpError, Place, Row, SchemaError, SourceError, UsageError, atomic_path, keyed_hash
from ncimp.schemas.journal import EventLog, open_log, read_log
from ncimp.schemas.records import Text, from_row, matching, to_row

Event = Literal["begun", "asked", "done", "refused"]
Call = Literal["launch", "test", "hit_type", "hit", "approve", "expire", "project", "batch"]

MANIFEST, COLLECTED, TASKS = "manifest.jsonl", "collected.csv", "tasks.csv"
AGAIN = "run the same command again: it looks up what was done, and nothing is paid twice"
EXPORT_AGAIN = "export the batch again"
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600  # permissions of the records of a launch, which name workers

BEFORE = (
    *("HITId", "HITTypeId", "Title", "Description", "Keywords", "Reward", "CreationTime", "MaxAssignments"),
    *("RequesterAnnotation", "AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds", "Expiration"),
    *("NumberOfSimilarHITs", "LifetimeInSeconds", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime"),
    *("SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime", "RequesterFeedback", "WorkTimeInSeconds"),
    *("LifetimeApprovalRate", "Last30DaysApprovalRate", "Last7DaysApprovalRate"),
)
AFTER = ("Approve", "Reject")  # columns of a results file before and after its `Input.*` and `Answer.*`
UNREADABLE = "Answer.unreadable"  # column of answers that could not be read, as they came

Cells = Mapping[str, str]


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
    make: Callable[[], str]  # make the call and return the id of its result
    find: Callable[[], str | None]  # return the id of the result of an earlier call, None without one
    amount: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


class LaunchManifest:
    """The events of one launch; made by `open_manifest` or `read_manifest`."""

    def __init__(self, path: Path, rows: list[Row], log: EventLog | None) -> None:
        self.path, self._log = path, log
        self.events: list[LaunchEvent] = []
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
        """Return the event that records *call* for *key* as done, None without one."""
        return self._results.get((call, key))

    def all_done(self, call: Call) -> list[LaunchEvent]:
        """Return every event that records *call* as done, in order."""
        return [event for (name, _), event in self._results.items() if name == call]

    def unanswered(self) -> list[LaunchEvent]:
        """Return every announcement of a call whose result is unknown."""
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
        pairs = {name: (earlier.get(name), facts[name]) for name in sorted(facts)}
        changes = "; ".join(f"{name} was {old!r}, is {new!r}" for name, (old, new) in pairs.items() if old != new)
        if changes:
            fix = "use the same options, or export a batch of its own"
            raise LaunchError(f"the launch began with other options: {changes}", fix=fix)

    def once(self, step: Once, *, look_first: bool = False) -> str:
        """Make the call of *step* unless it is done already; return the id of its result.

        A call without an answer is looked up first; with *look_first* every call is.
        """
        if (earlier := self.done(step.call, step.key)) is not None:
            return str(earlier.id)
        last = self._last.get((step.call, step.key))
        is_open = last is not None and last.event == "asked"
        if (look_first or is_open) and (identity := step.find()) is not None:
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
        if (identity := step.find()) is None:
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
    try:
        yield
    except OSError as error:
        what = f"the records cannot be written ({error.strerror})"
        raise LaunchError(what, fix=f"make room or give --records; then {AGAIN}", place=Place(str(path))) from None


@dataclass(frozen=True, slots=True)
class LaunchPlace:
    """A service at an address."""

    platform: str
    endpoint: str
    live: bool  # whether money may move there

    @property
    def name(self) -> str:
        """Name of its folder of records, such as `mturk-127.0.0.1-8000` or `turkle-example.org`."""
        parts = urlsplit(self.endpoint)
        host = re.sub(r"[^\w.-]", "_", f"{parts.netloc}{parts.path}".strip("/").replace(":", "-"), flags=re.ASCII)
        return f"{self.platform}-{host}{'-live' if self.live else ''}"


def check_endpoint(endpoint: str, *, allow_http: bool) -> str:
    """Return *endpoint* without a slash at its end; raise `UsageError` where a token or password could be lost."""
    parts = urlsplit(endpoint)
    try:
        has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        has_host = False
    if parts.scheme not in ("https", "http") or not has_host:
        raise UsageError("--endpoint must be an address such as https://example.org")
    if parts.username or parts.password or parts.query or parts.fragment:
        # not quoted: it may hold a password
        raise UsageError("--endpoint must be an address alone", fix="leave user, password, ? and # out of it")
    if parts.scheme == "http" and not is_this_machine(endpoint) and not allow_http:
        what = "--endpoint is http: others can read tokens and answers on the way"
        raise UsageError(what, fix="use https, or --allow-http in a network that you trust")
    return endpoint.rstrip("/")


def is_this_machine(endpoint: str) -> bool:
    """Test for an address of this machine."""
    host = str(urlsplit(endpoint).hostname)
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def records_folder(batch: Path, records: Path | None) -> Path:
    """Return the folder of a batch's records: *records*, else `BATCH.launch` beside it, because they name workers."""
    return records or batch.resolve().with_name(f"{batch.resolve().name}.launch")


def find_launch(batch: Path, records: Path | None, at: str | None) -> Path:
    """Return the folder of the one launch of *batch*, or of the one named *at*."""
    folder = records_folder(batch, records)
    launches = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    matches = [path for path in launches if at is None or path.name == at]
    if len(matches) == 1:
        return matches[0]
    if not launches:
        raise UsageError(f"the batch has not been launched: nothing in {folder}", fix="`ncimp launch start`")
    names = ", ".join(path.name for path in launches)
    if at is None:
        raise UsageError(f"the batch was launched at several places: {names}", fix="choose one with --at")
    raise UsageError(f"the batch was not launched at {at!r}", fix=f"--at takes one of: {names}")


@dataclass(frozen=True, slots=True)
class LaunchBatch:
    """An exported batch: its folder, its description, and one row per task by the name of the placeholder it fills."""

    folder: Path
    info: Batch
    columns: tuple[str, ...]
    rows: Mapping[str, Cells]  # cells by column, by task id, in the order of the file

    def text(self, name: str) -> str:
        """Return the text of the file *name* of the batch, which it must have."""
        if name not in self.info.files:
            what = f"the batch has no {name}: it is for {self.info.to!r}"
            raise UsageError(what, fix="export it for the service to which it goes")
        try:
            return (self.folder / name).read_bytes().decode("utf-8")  # not NFC: a sentence stays as it was written
        except (OSError, UnicodeDecodeError) as error:
            what, place = f"cannot be read ({type(error).__name__})", Place(str(self.folder / name))
            raise SourceError(what, fix=EXPORT_AGAIN, place=place) from None


def read_launch_batch(folder: Path) -> LaunchBatch:
    """Return the batch in *folder*; a file that is missing, or that was changed after export, is a `SourceError`."""
    info = read_info(folder)
    if TASKS not in info.files:
        what = f"the batch has no {TASKS}: it is for {info.to!r}"
        raise SourceError(what, fix="export it with --to mturk or --to turkle", place=Place(str(folder / INFO)))
    columns, rows = read_csv(folder / TASKS)
    if "task_id" not in columns or not rows:
        raise SchemaError("no column task_id, or no task", fix=EXPORT_AGAIN, place=Place(str(folder / TASKS), 1))
    by_task = {row["task_id"]: row for _, row in rows}
    if len(by_task) != len(rows):
        raise SchemaError("a task id stands twice", fix=EXPORT_AGAIN, place=Place(str(folder / TASKS)))
    return LaunchBatch(folder, info, columns, by_task)


def merge_results(path: Path, rows: Iterable[Cells], batch: LaunchBatch) -> list[Cells]:
    """Return *rows*, and those in the file at *path* that are not among them, in the order of tasks and assignments."""
    earlier = [row for _, row in read_csv(path)[1]] if path.exists() else []
    if any("AssignmentId" not in row for row in earlier):
        what = "not a results file: no column AssignmentId"
        raise LaunchError(what, fix="give another --out", place=Place(str(path)))
    merged: dict[str, Cells] = {row["AssignmentId"]: row for row in [*earlier, *rows]}
    order = {task: number for number, task in enumerate(batch.rows)}
    for row in merged.values():
        if row.get("Input.task_id") not in order:  # nothing foreign gets into the file
            what = f"assignment {row.get('AssignmentId')!r} is of a task that is not in the batch"
            raise LaunchError(what, fix="collect into the records of its own batch", place=Place(str(path)))

    def natural(row: Cells) -> tuple[int, int, str]:
        identity = row["AssignmentId"]
        if identity.isascii() and identity.isdigit():
            return order[row["Input.task_id"]], int(identity), ""
        return order[row["Input.task_id"]], 0, identity

    return sorted(merged.values(), key=natural)


def write_results(path: Path, rows: Collection[Cells], batch: LaunchBatch) -> None:
    """Write *rows* to *path* with every column that one of them has, readable by the user alone."""
    columns = [*BEFORE, *(f"Input.{name}" for name in batch.columns)]

    def place(field: str) -> tuple[bool, int, str]:
        number = re.search(r"_(\d+)(?:\.\d+)?$", field, re.ASCII)
        is_answer = field.startswith("Answer.")  # answers come first, sentence by sentence
        return not is_answer, int(number[1]) if number and is_answer else 0, field

    columns += [*sorted({name for row in rows for name in row} - {*columns, *AFTER}, key=place), *AFTER]
    umask = os.umask(0o777 & ~PRIVATE_FOLDER)  # it names workers: nobody else may read it, not for a moment
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as aside:
            aside.write_bytes(csv_text(rows, columns).encode("utf-8"))
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise LaunchError(what, fix="make room, or give another --out", place=Place(str(path))) from None
    finally:
        os.umask(umask)
