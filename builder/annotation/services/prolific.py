"""Prolific's Task Builder: a dataset with a schema (version 4) and the layout of a task, and its JSON lines.

    dataset.jsonl       one task a line
    schema.json         the type of each field, for `POST /datasets`
    batch_items.json    pages, rows, columns and items of a task, for `POST /batches`

A participant answers one group of tasks, so the groups decide who judges what: in token mode no group has two
sentences of one compound, and every group has all the checks that the rules of exclusion need. The layout is the same
for all tasks, so questions about single words are values of the dataset, shown above the answers. The description of an
answer ends with the name of its field in brackets, `[head_1]`, by which the import knows it. Results are one response
set of one participant on one task a line:

    {"participant_id": ..., "submission_id": ..., "task_id": ..., "completed_at": "2026-11-20T10:00:00Z",
     "time_taken": 41, "responses": {"head_1": "3", ...}}

Responses may also be a list of objects with a value and the name of its field, or with a description that ends with it
in brackets, and the task's id may stand in `metadata`. The service names things differently in its several exports;
the names in `SYNONYMS`, `NAMES`, `DESCRIPTIONS` and `VALUES` are known.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.rehearsal import ISO_DAY, Assignment
from ncimp.builder.annotation.services.service import Service
from ncimp.builder.annotation.task.batch import Planned, Sheet
from ncimp.builder.annotation.task.cells import read_utf8
from ncimp.builder.annotation.task.page import PlainQuestion, Wording, plain_questions
from ncimp.builder.records import Mode
from ncimp.schemas import Place, Row

DATASET, SCHEMA, LAYOUT = "dataset.jsonl", "schema.json", "batch_items.json"

GROUP_SIZES: Mapping[Mode, int] = {"token": 26, "type": 16}  # most tasks of one participant: 20 and 36 minutes
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "worker": ("participant_id", "PROLIFIC_PID"),
    "assignment": ("response_id", "submission_id", "id"),
    "task": ("task_id",),
    "submitted": ("completed_at", "created_at"),
    "seconds": ("time_taken", "seconds"),
}  # names of each fact, the most exact first
NAMES = ("field", "name", "dataset_field")  # names of the field of a response in a list
DESCRIPTIONS = ("description", "instruction")  # texts that have it in brackets at their end, in a batch of ours
VALUES = ("value", "response", "answer", "text")  # names of the value of a response
BRACKETED = re.compile(r"\[([a-z]+[1-3]?_\d)\]\s*$")


def prolific_files(tasks: Sequence[Planned], wording: Wording, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file of a batch."""
    rows: list[Row] = []
    for planned in tasks:
        sheet = planned.sheet
        sentences = {f"sentence_{n}": f"{a}**{span}**{b}" for n, (a, span, b) in enumerate(sheet.parts, start=1)}
        texts = {f"ask_{one.field}": one.text for questions in plain_questions(wording, sheet) for one in questions}
        rows.append({"task_id": sheet.task_id, "group": planned.task.group, **sentences, **texts})
    special = {"task_id": "metadata", "group": "task_group_id"}
    schema = {"strict": True, "fields": {name: {"type": special.get(name, "text")} for name in rows[0]}}
    return {
        DATASET: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
        SCHEMA: json.dumps(schema, ensure_ascii=False, indent=2) + "\n",
        LAYOUT: json.dumps(_layout(tasks[0].sheet, wording, contact), ensure_ascii=False, indent=2) + "\n",
    }


def _layout(sheet: Sheet, wording: Wording, contact: str | None) -> list[Row]:
    task = wording.task
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(task.steps, start=1))
    consent = "\n\n".join(wording.consent.texts(contact))
    text = (
        f"# {task.title}\n\n{task.intro}\n\n## {task.steps_title}\n\n{steps}\n\n{wording.scale.note}\n\n"
        f"## {wording.consent.title}\n\n{consent}"
    )
    pages = []
    for number, questions in enumerate(plain_questions(wording, sheet), start=1):
        items: list[Row] = [{"type": "dataset_field", "field": f"sentence_{number}"}]
        if number == 1:
            items.insert(0, {"type": "rich_text", "content": text, "content_format": "markdown"})
        for question in questions:
            items += [{"type": "dataset_field", "field": f"ask_{question.field}"}, _answer(question, wording)]
        pages.append({"rows": [{"columns": [{"items": [item]}]} for item in items]})
    return pages


def _answer(question: PlainQuestion, wording: Wording) -> Row:
    if not question.choices:
        return {"type": "free_text", "description": f"{wording.synonyms.legend} [{question.field}]"}
    message = wording.messages.status if question.field.startswith("status") else wording.messages.score
    return {
        "type": "multiple_choice",
        "description": f"{message} [{question.field}]",
        "answer_limit": 1,
        "options": [{"label": text, "value": value} for value, text in question.choices],
    }


def read_prolific(path: Path) -> Iterator[Returned]:
    """Yield every line of the export in *path*; a line that is not a JSON object comes with its problem."""
    for number, line in enumerate(read_utf8(path).removesuffix("\n").split("\n"), start=1):
        place = Place(str(path), number)
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        yield _returned(row, place) if isinstance(row, dict) else Returned(place, problem="not a JSON object")


def _returned(row: Row, place: Place) -> Returned:
    meta = row["metadata"] if isinstance(row.get("metadata"), dict) else {}
    facts = {
        fact: str(next((value for name in names if (value := {**meta, **row}.get(name)) not in (None, "")), ""))
        for fact, names in SYNONYMS.items()
    }
    fields: dict[str, str] = {}
    problem = None
    try:
        responses = row["responses"]
        pairs = responses.items() if isinstance(responses, dict) else [(_name(one), _value(one)) for one in responses]
        fields = {str(name): _text(value) for name, value in pairs}
    except (KeyError, TypeError, ValueError):
        problem = "responses that are neither fields by name nor a list of fields"
    if row.get("status") == "REJECTED":
        problem = "the submission was rejected by its requester"
    assignment = facts["assignment"] and f"{facts['assignment']}/{facts['task']}"  # a submission has many tasks
    task_id = str(meta.get("task_id") or fields.get("task_id") or facts["task"])
    return Returned(place, facts["worker"], assignment, task_id, fields, facts["submitted"], facts["seconds"], problem)


def _name(entry: Row) -> str:
    for name in NAMES:
        if name in entry:
            return str(entry[name])
    for text in map(entry.get, DESCRIPTIONS):
        match = BRACKETED.search(str(text.get("description", "")) if isinstance(text, dict) else str(text or ""))
        if match:
            return match[1]
    raise KeyError(NAMES)


def _value(entry: Row) -> Any:
    return entry[next((name for name in VALUES if name in entry), VALUES[0])]


def _text(value: Any) -> str:
    if isinstance(value, list):
        (value,) = value  # the one answer that a question allows
    if isinstance(value, dict):
        value = _value(value)
    return "" if value is None else str(value)


def simulate_prolific(assignments: Sequence[Assignment], _shape: str) -> str:
    """Return simulated *assignments* as JSON lines of Prolific."""
    lines = []
    for one in assignments:
        name, responses = one.worker.name, {name: value for name, value in one.fields.items() if name != "task_id"}
        row: Row = {"participant_id": name, "submission_id": f"s-{name}", "completed_at": ISO_DAY}
        row |= {"time_taken": str(one.seconds), "metadata": {"task_id": one.task.task_id}, "responses": responses}
        lines.append(json.dumps(row) + "\n")
    return "".join(lines)


PROLIFIC = Service(
    name="prolific",
    export=prolific_files,
    suffix=".jsonl",
    read=read_prolific,
    simulate=simulate_prolific,
    rate_card="prolific",
    separate_lists="publish each list as a study that excludes the participants of the others",
    group_sizes=GROUP_SIZES,
)
