"""Launching a batch on Turkle, and collecting from it: a project with the template, a batch with all tasks.

Turkle hands a task to as many people as the batch asks for, and to none of them twice. What was made is found again by
its name, which holds the batch's id; tasks that a broken connection has lost are added by a second run.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ncimp.builder.annotation.launch.batch import TASKS, TEMPLATE, LaunchBatch, parse_csv
from ncimp.builder.annotation.launch.errors import LaunchError, UnansweredError
from ncimp.builder.annotation.launch.journal import Call, Manifest, Once
from ncimp.builder.annotation.services.results import Cells
from ncimp.builder.annotation.services.results_cells import safe
from ncimp.builder.annotation.services.turkle_client import Turkle

PROGRESS = ("total_tasks", "total_task_assignments", "total_finished_tasks", "total_finished_task_assignments")
"""What Turkle counts of a batch."""


class TurkleLaunch:
    """One launch: a batch, a manifest that is open, and a Turkle."""

    def __init__(self, batch: LaunchBatch, manifest: Manifest, turkle: Turkle) -> None:
        self.batch, self.manifest, self.turkle = batch, manifest, turkle
        self.name = f"ncimp {batch.info.batch}"

    def run(self, title: str) -> tuple[int, int]:
        """Make project and batch if they are not there, complete the tasks; return batch id and number of tasks."""
        project = int(self._made("project", self._make_project(title), self._find_project))
        made = int(self._made("batch", self._make_batch(project), lambda: self._find_batch(project)))
        self._complete(made)
        return made, len(self.batch.rows)

    def _made(self, call: Call, make: Callable[[], str], find: Callable[[], str | None]) -> str:
        return self.manifest.once(Once(call, self.name, make, find), look_first=True)

    def _make_project(self, title: str) -> Callable[[], str]:
        body: dict[str, object] = {
            "name": f"{title} ({self.name})",
            "html_template": self.batch.text(TEMPLATE),
            "filename": TEMPLATE,
            "assignments_per_task": self.batch.info.per_item,
            "login_required": True,
        }
        return lambda: _id(self.turkle.post("projects/", body))

    def _find_project(self) -> str | None:
        listed = self.turkle.pages("projects/")
        return next((_id(one) for one in listed if str(one.get("name")).endswith(f"({self.name})")), None)

    def _make_batch(self, project: int) -> Callable[[], str]:
        body: dict[str, object] = {
            "name": self.name,
            "project": project,
            "filename": TASKS,
            "csv_text": _written(self.batch.columns, self.batch.rows.values()),
            "assignments_per_task": self.batch.info.per_item,
            "login_required": True,
            "published": True,  # Turkle's API cannot publish a batch later
        }
        return lambda: _id(self.turkle.post("batches/", body))

    def _find_batch(self, project: int) -> str | None:
        listed = self.turkle.get(f"projects/{project}/")
        numbers = listed.get("batches", []) if isinstance(listed, dict) else []
        batches = (self.turkle.get(f"batches/{int(number)}/") for number in numbers)
        return next((_id(one) for one in batches if isinstance(one, dict) and one.get("name") == self.name), None)

    def _complete(self, made: int) -> None:
        """Add the tasks that the batch lacks; one that holds others was not made by us."""
        if self.progress(made)["total_tasks"] == len(self.batch.rows):
            return
        text = self.turkle.text(f"batches/{made}/input/")
        held = [row.get("task_id", "") for _, row in parse_csv(text, place=f"batches/{made}/input")[1]]
        if set(held) - set(self.batch.rows) or len(held) != len(set(held)):
            what = f"batch {made} of Turkle holds other tasks than were exported"
            raise LaunchError(what, fix="look at it in Turkle's admin pages, and unpublish it there")
        missing = [row for task_id, row in self.batch.rows.items() if task_id not in set(held)]
        if missing:
            self.turkle.post(f"batches/{made}/tasks/", {"csv_text": _written(self.batch.columns, missing)})
        if self.progress(made)["total_tasks"] != len(self.batch.rows):
            raise UnansweredError(f"batch {made} of Turkle does not hold all tasks yet")

    def progress(self, made: int) -> dict[str, int]:
        """Return what Turkle counts of the batch, by the names of `PROGRESS`."""
        return progress(self.turkle, made)


def progress(turkle: Turkle, made: int) -> dict[str, int]:
    """Return what Turkle counts of its batch *made*, by the names of `PROGRESS`."""
    told = turkle.get(f"batches/{made}/progress/")
    if not isinstance(told, dict) or not all(isinstance(told.get(name), int) for name in PROGRESS):
        raise UnansweredError(f"batches/{made}/progress/: the answer is not what Turkle counts")
    return {name: told[name] for name in PROGRESS}


def turkle_batch(manifest: Manifest) -> int:
    """Return the number of the batch on Turkle that a manifest records."""
    done = manifest.all_done("batch")
    if not done:
        raise LaunchError("the launch is not complete", fix="run `ncimp annotate launch` again")
    return int(str(done[-1].id))


def turkle_rows(turkle: Turkle, made: int) -> Iterator[Cells]:
    """Yield a row of results for each assignment that was handed in."""
    finished = progress(turkle, made)["total_finished_task_assignments"]  # before: more may come meanwhile
    text = turkle.text(f"batches/{made}/results/")
    columns, rows = parse_csv(text, place=f"{turkle.endpoint}/api/batches/{made}/results/")
    missing = {"AssignmentId", "WorkerId", "Input.task_id"} - set(columns) if rows else set()
    if missing:
        raise UnansweredError(f"the results of batch {made} have no column {', '.join(sorted(missing))}")
    if len(rows) < finished:
        raise UnansweredError(f"{len(rows)} results of batch {made} came of {finished}")
    for _, row in rows:
        yield {name: safe(cell) if name.startswith("Answer.") else cell for name, cell in row.items()}


def close(turkle: Turkle, made: int) -> None:
    """End a batch: nobody gets another task of it."""
    turkle.patch(f"batches/{made}/", {"active": False})


def _id(entry: dict[str, Any]) -> str:
    found = entry.get("id")
    if not isinstance(found, int):
        raise UnansweredError("Turkle answered without an id")
    return str(found)


def _written(columns: Iterable[str], rows: Iterable[Cells]) -> str:
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(columns), quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
