"""Results of Label Studio: its JSON export, one record per task with the annotations of all who did it.

[{"data": {"task_id": ...}, "annotations": [{"id": 7, "completed_by": 3, "lead_time": 41.2, "result": [
    {"from_name": "head_1", "type": "rating", "value": {"rating": 3}}, ...]}]}]
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.answers.text import read_results
from ncimp.schemas.errors import Place, SchemaError


def read_label_studio(path: Path) -> Iterator[Returned]:
    """Yield every annotation of the export in *path*; the place is the number of its record, counted from 1."""
    records = _records(path)
    if not isinstance(records, list):
        raise SchemaError("not a list of tasks", fix="export as JSON, not as JSON-MIN or CSV", place=Place(str(path)))
    for number, record in enumerate(records, start=1):
        place = Place(str(path), number)
        annotations = record.get("annotations") if isinstance(record, dict) else None
        data = record.get("data") if isinstance(record, dict) else None
        if not isinstance(annotations, list) or not isinstance(data, dict):
            yield Returned(place, problem="a record without data and annotations")
            continue
        for annotation in annotations:
            yield _returned(annotation, str(data.get("task_id", "")), place)


def _records(path: Path) -> Any:
    try:
        return json.loads(read_results(path))
    except (ValueError, RecursionError) as error:
        raise SchemaError(
            f"not JSON ({error})", fix="take the file as it was exported", place=Place(str(path))
        ) from None


def _returned(annotation: Any, task_id: str, place: Place) -> Returned:
    if not isinstance(annotation, dict):
        return Returned(place, task_id=task_id, problem="an annotation that is no object")
    who = annotation.get("completed_by")
    worker = who.get("id", who.get("email", "")) if isinstance(who, dict) else who
    problem = "the annotator skipped the task" if annotation.get("was_cancelled") else None
    fields: dict[str, str] = {}
    try:
        for result in annotation.get("result", ()):
            fields[str(result["from_name"])] = _value(result["value"])
    except (KeyError, TypeError, ValueError, AttributeError):
        problem = problem or "a result that is no rating, choice or text"
    return Returned(
        place,
        worker="" if worker is None else str(worker),
        assignment=str(annotation.get("id", "")),
        task_id=task_id,
        fields=fields,
        submitted=str(annotation.get("created_at") or ""),
        seconds=str(annotation.get("lead_time") or ""),
        problem=problem,
    )


def _value(value: dict[str, Any]) -> str:
    """Return the one answer in the value of a result."""
    for kind in ("rating", "number"):
        if kind in value:
            return str(value[kind])
    for kind in ("choices", "text"):
        if kind in value:
            given = value[kind]
            (one,) = given if isinstance(given, list) else [given]
            return str(one)
    raise ValueError(sorted(value))
