"""Turkle, the open-source service that its user runs, and that takes the files of Mechanical Turk's Requester UI.

tasks.csv       one task a row; the header names the placeholders of the template
template.html   the task as a piece of HTML: Turkle puts its own form around it, and values in as they are

A launch is a project with the template and a batch with all tasks. Turkle (https://github.com/hltcoe/turkle) gives a
task to as many people as the batch asks for, and to none of them twice. Its REST API takes a token in the header. It
has no request tokens, so project and batch are found again by their names, which hold the batch's id; tasks that a
broken connection has lost are added by a second run.
"""

import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from http.client import HTTPException
from typing import Any

from ncimp.builder.annotation import launch
from ncimp.builder.annotation.launch import LaunchManifest, LaunchPlace, RefusedError, UnansweredError
from ncimp.builder.annotation.services.mturk_format import TEMPLATE, form_files, read_mturk, simulate_mturk
from ncimp.builder.annotation.services.service import LaunchPlan, Offer, Say, Service
from ncimp.builder.annotation.task.batch import Planned
from ncimp.builder.annotation.task.cells import csv_text, parse_csv, safe
from ncimp.builder.annotation.task.page import Wording, task_page
from ncimp.schemas import Row, UsageError
from ncimp.schemas.http import HttpClient, HttpError, is_local, one_line

# environment variable with the token of a Turkle user who may make projects
TOKEN = "TURKLE_TOKEN"  # noqa: S105 (a name, not a token)
MAX_BYTES = 1 << 30  # most bytes of an answer (1 GiB)
MAX_PAGES = 100_000  # most pages of a list; a server with more is broken
PROGRESS = ("total_tasks", "total_task_assignments", "total_finished_tasks", "total_finished_task_assignments")


class Turkle:
    """One Turkle, as one user; every call raises `RefusedError` or `UnansweredError`."""

    def __init__(self, endpoint: str, *, timeout: float) -> None:
        self.endpoint, self._timeout = endpoint, timeout
        self._token = os.environ.get(TOKEN, "").strip()
        if not self._token:
            fix = "an administrator makes one in Turkle: Admin, Auth Token, Tokens"
            raise UsageError(f"{TOKEN} is not set", fix=fix)
        if not self._token.isascii() or not self._token.isprintable() or " " in self._token:
            raise UsageError(f"{TOKEN} is not a token: it holds a space or a strange character", fix="copy it again")
        self._headers = {"Authorization": f"TOKEN {self._token}", "Accept": "application/json, text/csv"}
        self._http = HttpClient(endpoint, timeout=timeout, largest=MAX_BYTES, secret=self._token, headers=self._headers)

    def call(self, method: str, path: str, body: Row | None = None) -> Any:
        """Return the JSON that Turkle answers at *path* of its API, such as `projects/3/`."""
        try:
            content = self._http.request(method, f"{self.endpoint}/api/{path}", body)
        except HttpError as error:
            raise self._failure(method, path, error) from None
        try:
            return json.loads(content.decode("utf-8"))
        except (ValueError, RecursionError):
            raise UnansweredError(f"{self.endpoint} answers something else than JSON; is it a Turkle?") from None

    def send(self, method: str, path: str, body: Row) -> Row:
        """Make (POST) or change (PATCH) the object that *body* describes, and return it as Turkle does."""
        answer = self.call(method, path, body)
        if not isinstance(answer, dict):
            raise UnansweredError(f"{path}: the answer is not an object")
        return answer

    def pages(self, path: str) -> Iterator[Row]:
        """Yield every entry of the list at *path*; `next` is not followed: behind a proxy it may name another host."""
        for number in range(1, MAX_PAGES):
            page = self.call("GET", f"{path}?page={number}")
            entries = page if isinstance(page, list) else page.get("results") if isinstance(page, dict) else None
            if not isinstance(entries, list):
                raise UnansweredError(f"{path}: the answer is not a list")
            yield from entries
            if isinstance(page, list) or not page.get("next"):
                return
        raise UnansweredError(f"{path}: the list does not end")

    def text(self, path: str) -> str:
        """Return the text at *path*, read up to the end of the connection.

        Turkle 3.1 gives the length of its CSV in characters, so that HTTP clients, httpx too, cut off the end of a text
        with accents. urllib can be made to read on.
        """
        request = urllib.request.Request(f"{self.endpoint}/api/{path}", headers=self._headers)  # noqa: S310 (checked)
        proxies = [urllib.request.ProxyHandler({})] if is_local(self.endpoint) else []
        try:
            opener = urllib.request.build_opener(_NoRedirects, *proxies)
            with opener.open(request, timeout=self._timeout) as answer:
                length, answer.length = answer.length, None
                content: bytes = answer.read(MAX_BYTES + 1)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read(2000).decode("utf-8", "replace")
            raise self._failure("GET", path, HttpError(one_line(text, self._token), status=error.code)) from None
        except (OSError, HTTPException) as error:
            raise self._failure("GET", path, HttpError(str(getattr(error, "reason", error)))) from None
        if length is not None and len(content) < length:  # reading a broken connection does not raise
            raise UnansweredError(f"GET {path}: {len(content)} bytes came of {length}")
        if len(content) > MAX_BYTES:
            raise UnansweredError(f"GET {path}: more than {MAX_BYTES} bytes")
        try:
            return content.decode("utf-8")  # Turkle does not name the encoding
        except UnicodeDecodeError:
            raise UnansweredError(f"{path}: the answer is not UTF-8") from None

    def _failure(self, method: str, path: str, error: HttpError) -> launch.LaunchError:
        # the text of an answer is shown only where it looks like Turkle's JSON
        call, status = f"{method} {path}", error.status
        if status is None:
            return UnansweredError(f"{call}: no answer from {self.endpoint} ({error.text})")
        reason = f" {error.text}" if error.text[:1] in ("{", "[") else ""
        if status in (401, 403):
            fix = f"check {TOKEN}: it has to be the token of a user who may make projects"
            return RefusedError(f"{call}: refused (status {status})", code=str(status), fix=fix)
        if 300 <= status < 400:
            fix = "give the address to which it leads with --endpoint"
            return RefusedError(f"{call}: the address leads elsewhere (status {status})", code=str(status), fix=fix)
        if 400 <= status < 500:
            return RefusedError(f"{call}: refused (status {status}){reason}", code=str(status))
        return UnansweredError(f"{call}: status {status}{reason}")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Return no request, which makes the redirect an error."""


class TurkleCampaign:
    """A batch on a Turkle (`Campaign`)."""

    def __init__(self, batch: launch.LaunchBatch, place: LaunchPlace, timeout: float) -> None:
        self.batch, self.place, self._timeout = batch, place, timeout
        self.name = f"ncimp {batch.info.batch}"
        self.people = {"assignments_per_task": batch.info.per_item, "login_required": True}

    @cached_property
    def turkle(self) -> Turkle:
        """The Turkle, connected when it is first used: a dry run needs no token."""
        return Turkle(self.place.endpoint, timeout=self._timeout)

    def connect(self) -> None:
        """Check the token."""
        _ = self.turkle

    def plan(self, _offer: Offer) -> LaunchPlan:
        """Return the number of tasks; Turkle pays nobody."""
        self.batch.text(TEMPLATE)
        tasks, people = len(self.batch.rows), self.batch.info.per_item
        line = f"{tasks} tasks, each for {people} people, at {self.place.endpoint}; Turkle pays nobody"
        return LaunchPlan((line,), Decimal("0.00"), {})

    def start(self, offer: Offer, manifest: LaunchManifest, say: Say) -> None:
        """Make project and batch if they are missing, and add missing tasks."""
        number = self._make_batch(manifest, self._make_project(manifest, offer.title))
        self._add_missing_tasks(number)
        say(f"batch {number} at {self.place.endpoint} holds {len(self.batch.rows)} tasks and is published")

    def _make_project(self, manifest: LaunchManifest, title: str) -> int:
        def make() -> str:
            body = {"name": f"{title} ({self.name})", "html_template": self.batch.text(TEMPLATE), "filename": TEMPLATE}
            return _id(self.turkle.send("POST", "projects/", body | self.people))

        def find() -> str | None:
            projects = self.turkle.pages("projects/")
            return next((_id(one) for one in projects if str(one.get("name")).endswith(f"({self.name})")), None)

        return int(manifest.once(launch.Once("project", self.name, make, find), look_first=True))

    def _make_batch(self, manifest: LaunchManifest, project: int) -> int:
        def make() -> str:
            text = csv_text(self.batch.rows.values(), self.batch.columns)
            body = {"name": self.name, "project": project, "filename": launch.TASKS, "csv_text": text}
            # published now: Turkle's API cannot publish a batch later
            return _id(self.turkle.send("POST", "batches/", body | self.people | {"published": True}))

        def find() -> str | None:
            answer = self.turkle.call("GET", f"projects/{project}/")
            numbers = answer.get("batches", []) if isinstance(answer, dict) else []
            batches = (self.turkle.call("GET", f"batches/{int(number)}/") for number in numbers)
            return next((_id(one) for one in batches if isinstance(one, dict) and one.get("name") == self.name), None)

        return int(manifest.once(launch.Once("batch", self.name, make, find), look_first=True))

    def _add_missing_tasks(self, number: int) -> None:
        if progress(self.turkle, number)["total_tasks"] == len(self.batch.rows):
            return
        text = self.turkle.text(f"batches/{number}/input/")
        tasks = [row.get("task_id", "") for _, row in parse_csv(text, place=f"batches/{number}/input")[1]]
        if set(tasks) - set(self.batch.rows) or len(tasks) != len(set(tasks)):  # not made by us
            what = f"batch {number} of Turkle holds other tasks than were exported"
            raise launch.LaunchError(what, fix="look at it in Turkle's admin pages, and unpublish it there")
        missing = [row for task_id, row in self.batch.rows.items() if task_id not in set(tasks)]
        if missing:
            self.turkle.send("POST", f"batches/{number}/tasks/", {"csv_text": csv_text(missing, self.batch.columns)})
        if progress(self.turkle, number)["total_tasks"] != len(self.batch.rows):
            raise UnansweredError(f"batch {number} of Turkle does not hold all tasks yet")

    def _number(self, manifest: LaunchManifest) -> int:
        events = manifest.all_done("batch")
        if not events:
            raise launch.LaunchError("the launch is not complete", fix="run `ncimp launch start` again")
        return int(str(events[-1].id))

    def status(self, manifest: LaunchManifest) -> Row:
        """Return Turkle's counts of the batch."""
        number = self._number(manifest)
        return {"number": number, **progress(self.turkle, number)}

    def collect(self, manifest: LaunchManifest, _say: Say) -> Iterator[launch.Cells]:
        """Yield a row of results for each assignment that was handed in."""
        return result_rows(self.turkle, self._number(manifest))

    def stop(self, manifest: LaunchManifest) -> str:
        """Close the batch: nobody gets another task of it."""
        number = self._number(manifest)
        self.turkle.send("PATCH", f"batches/{number}/", {"active": False})
        return f"batch {number} is closed"

    def submitted(self, _manifest: LaunchManifest) -> list[str]:
        """Refuse: nothing is paid here."""
        raise UsageError("Turkle pays nobody, so there is nothing to approve")

    def approve(self, manifest: LaunchManifest, _assignments: Sequence[str]) -> int:
        """Refuse: nothing is paid here."""
        return len(self.submitted(manifest))


def progress(turkle: Turkle, number: int) -> dict[str, int]:
    """Return Turkle's counts of its batch *number*, by the names of `PROGRESS`."""
    counts = turkle.call("GET", f"batches/{number}/progress/")
    if not isinstance(counts, dict) or not all(isinstance(counts.get(name), int) for name in PROGRESS):
        raise UnansweredError(f"batches/{number}/progress/: the answer has no counts of tasks")
    return {name: counts[name] for name in PROGRESS}


def result_rows(turkle: Turkle, number: int) -> Iterator[launch.Cells]:
    """Yield a row of results for each assignment of batch *number* that was handed in."""
    finished = progress(turkle, number)["total_finished_task_assignments"]  # before: more may come meanwhile
    text = turkle.text(f"batches/{number}/results/")
    columns, rows = parse_csv(text, place=f"{turkle.endpoint}/api/batches/{number}/results/")
    missing = {"AssignmentId", "WorkerId", "Input.task_id"} - set(columns) if rows else set()
    if missing:
        raise UnansweredError(f"the results of batch {number} have no column {', '.join(sorted(missing))}")
    if len(rows) < finished:
        raise UnansweredError(f"{len(rows)} results of batch {number} came of {finished}")
    for _, row in rows:
        yield {name: safe(text) if name.startswith("Answer.") else text for name, text in row.items()}


def _id(entry: Row) -> str:
    if not isinstance(entry.get("id"), int):
        raise UnansweredError("Turkle answered without an id")
    return str(entry["id"])


def turkle_files(tasks: Sequence[Planned], wording: Wording, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file of a batch."""
    return form_files(tasks, task_page(wording, tasks[0].task.mode, contact=contact))


def turkle_place(endpoint: str | None, live: bool, allow_http: bool) -> LaunchPlace:
    """Return the place of a launch, where no money can move."""
    if endpoint is None:
        raise UsageError("Turkle needs --endpoint", fix="give the address of your Turkle, https://…")
    if live:
        raise UsageError("Turkle pays nobody, so there is no --live", fix="leave it out")
    return LaunchPlace("turkle", launch.check_endpoint(endpoint, allow_http=allow_http), False)


TURKLE = Service(
    name="turkle",
    export=turkle_files,
    suffix=".csv",
    read=read_mturk,
    simulate=lambda assignments, _shape: simulate_mturk(assignments, "flat", turkle=True),
    rate_card="turkle",
    separate_lists="open the project of each list to a group of users of its own, in Turkle's admin pages",
    place=turkle_place,
    campaign=TurkleCampaign,
)
