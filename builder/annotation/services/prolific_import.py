"""Results of Prolific's task builder: JSON lines, one response set of one participant on one task each.

    {"participant_id": ..., "submission_id": ..., "task_id": ..., "completed_at": "2026-11-20T10:00:00Z",
     "time_taken": 41, "responses": {"head_1": "3", ...}}

Responses may also be a list of objects with a value and the name of its field, or with a description that ends with it
in brackets, and the task's id may stand in `metadata`. The service names things differently in its several exports;
those in `SYNONYMS`, `NAMES`, `TOLD` and `VALUES` are known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.answers.text import read_results
from ncimp.schemas.errors import Place
from ncimp.schemas.files import Row

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "worker": ("participant_id", "PROLIFIC_PID"),
    "assignment": ("response_id", "submission_id", "id"),
    "task": ("task_id",),
    "submitted": ("completed_at", "created_at"),
    "seconds": ("time_taken", "seconds"),
}
"""What each fact may be called, the most exact first."""

NAMES = ("field", "name", "dataset_field")
"""What the name of the field of a response in a list may be called."""

TOLD = ("description", "instruction")
"""Where a batch of ours says the name of the field in brackets: `[head_1]` at the end."""

VALUES = ("value", "response", "answer", "text")
"""What the value of a response may be called."""

BRACKETED = re.compile(r"\[([a-z]+[1-3]?_\d)\]\s*$")


def read_prolific(path: Path) -> Iterator[Returned]:
    """Yield every line of the export in *path*; one that is no JSON object comes with its problem."""
    for number, line in enumerate(read_results(path).removesuffix("\n").split("\n"), start=1):
        place = Place(str(path), number)
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        yield _returned(row, place) if isinstance(row, dict) else Returned(place, problem="not a JSON object")


def _returned(row: Row, place: Place) -> Returned:
    meta = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
    known = {**(meta or {}), **row}
    task_id = _first(known, "task")
    submission = _first(known, "assignment")
    try:
        fields, problem = _fields(row), None
    except (KeyError, TypeError, ValueError):
        fields, problem = {}, "responses that are neither fields by name nor a list of fields"
    if row.get("status") == "REJECTED":
        problem = "the submission was rejected by its requester"
    return Returned(
        place,
        worker=_first(known, "worker"),
        assignment=submission and f"{submission}/{task_id}",  # a submission holds many tasks
        task_id=str((meta or {}).get("task_id") or fields.get("task_id") or task_id),
        fields=fields,
        submitted=_first(known, "submitted"),
        seconds=_first(known, "seconds"),
        problem=problem,
    )


def _first(row: Row, fact: str) -> str:
    found = (row[name] for name in SYNONYMS[fact] if row.get(name) not in (None, ""))
    return str(next(found, ""))


def _fields(row: Row) -> dict[str, str]:
    given = row["responses"]
    pairs = list(given.items()) if isinstance(given, dict) else [(_name(entry), _held(entry)) for entry in given]
    return {str(name): _text(value) for name, value in pairs}


def _name(entry: Row) -> str:
    for name in NAMES:
        if name in entry:
            return str(entry[name])
    for name in TOLD:
        told = entry.get(name)
        said = BRACKETED.search(str(told.get("description", "")) if isinstance(told, dict) else str(told or ""))
        if said:
            return said[1]
    raise KeyError(NAMES)


def _held(entry: Row) -> Any:
    held = [name for name in VALUES if name in entry]
    if not held:
        raise KeyError(VALUES)
    return entry[held[0]]


def _text(value: Any) -> str:
    if isinstance(value, list):
        (value,) = value  # the one answer that a question allows
    if isinstance(value, dict):
        value = _held(value)
    return "" if value is None else str(value)
