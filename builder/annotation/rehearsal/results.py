"""Simulated answers in the files that the services give back, so that a rehearsal goes the whole way."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ncimp.builder.annotation.rehearsal.crowd import Assignment
from ncimp.schemas.hashing import keyed_hash

Shape = Literal["flat", "dotted", "taskAnswers"]
SHAPES: tuple[Shape, ...] = ("flat", "dotted", "taskAnswers")
"""How Mechanical Turk writes a question with radio buttons."""

DAY = "Mon Jan 01 12:00:00 UTC 2001"
"""When simulated answers are submitted: never, so on a day before the scale was thought of."""
ISO_DAY = "2001-01-01T12:00:00Z"

HEAD = ("HITId", "HITTypeId", "Title", "CreationTime", "MaxAssignments", "AssignmentDurationInSeconds")
TAIL = ("AssignmentId", "WorkerId", "AcceptTime", "SubmitTime", "WorkTimeInSeconds")
"""Columns that Mechanical Turk and Turkle have in common."""

BUTTONS = ("status", "comp", "head", "modifier")


def results_csv(done: Sequence[Assignment], shape: Shape, *, turkle: bool) -> str:
    """Return the results as Mechanical Turk (or Turkle, which is always flat) gives them."""
    rows = [_csv_row(one, shape) for one in done]
    if turkle:
        rows = [{**row, "Turkle.Username": row["WorkerId"]} for row in rows]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _csv_row(one: Assignment, shape: Shape) -> dict[str, str]:
    place = keyed_hash(one.task.task_id, one.worker.name)[:20].upper()
    head = dict.fromkeys(HEAD, "") | {"HITId": one.task.task_id, "Title": "SIMULATED", "CreationTime": DAY}
    tail = dict.fromkeys(TAIL, DAY) | {
        "AssignmentId": place,
        "WorkerId": one.worker.name,
        "WorkTimeInSeconds": str(one.seconds),
    }
    return {**head, **tail, "Input.task_id": one.task.task_id, **_answers(one.fields, shape)}


def _answers(fields: Mapping[str, str], shape: Shape) -> dict[str, str]:
    if shape == "taskAnswers":
        return {"Answer.taskAnswers": json.dumps([fields], ensure_ascii=False)}
    if shape == "flat":
        return {f"Answer.{name}": value for name, value in fields.items()}
    buttons = {name: value for name, value in fields.items() if name.split("_")[0] in BUTTONS}
    texts = {f"Answer.{name}": value for name, value in fields.items() if name not in buttons}
    return {**texts, **{f"Answer.{name}.{value}": "true" for name, value in buttons.items()}}


def results_label_studio(done: Sequence[Assignment]) -> str:
    """Return the results as Label Studio exports them."""
    tasks: dict[str, list[Any]] = {}
    for number, one in enumerate(done, start=1):
        result = [_label(name, value) for name, value in one.fields.items() if name != "task_id"]
        annotation = {"id": number, "completed_by": {"email": f"{one.worker.name}@example.org"}, "result": result}
        annotation |= {"created_at": ISO_DAY, "lead_time": float(one.seconds), "was_cancelled": False}
        tasks.setdefault(one.task.task_id, []).append(annotation)
    records = [{"id": n, "data": {"task_id": name}, "annotations": tasks[name]} for n, name in enumerate(tasks, 1)]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _label(name: str, value: str) -> dict[str, Any]:
    kind = name.split("_")[0]
    if kind == "status":
        given: dict[str, Any] = {"choices": [value]}
    else:
        given = {"rating": int(value)} if kind in BUTTONS else {"text": [value]}
    return {"from_name": name, "to_name": "sentence", "type": next(iter(given)), "value": given}


def results_prolific(done: Sequence[Assignment]) -> str:
    """Return the results as JSON lines of Prolific."""
    lines = []
    for one in done:
        responses = {name: value for name, value in one.fields.items() if name != "task_id"}
        row = {"participant_id": one.worker.name, "submission_id": f"s-{one.worker.name}", "completed_at": ISO_DAY}
        row |= {"time_taken": str(one.seconds)}
        lines.append(json.dumps({**row, "metadata": {"task_id": one.task.task_id}, "responses": responses}))
    return "\n".join(lines) + "\n"


def results(done: Sequence[Assignment], platform: str, shape: Shape = "flat") -> str:
    """Return the results in the format of *platform*."""
    writers: dict[str, Callable[[], str]] = {
        "mturk": lambda: results_csv(done, shape, turkle=False),
        "turkle": lambda: results_csv(done, "flat", turkle=True),
        "label-studio": lambda: results_label_studio(done),
        "prolific": lambda: results_prolific(done),
    }
    return writers[platform]()
