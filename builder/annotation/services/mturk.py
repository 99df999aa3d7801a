"""Mechanical Turk: the files of a batch, and results as CSV, which Turkle shares.

Amazon closed the service on 2026-09-30; servers of its protocol read the same files.

    tasks.csv                   one task a row; the header names the placeholders of the template
    template.html               the task as a piece of HTML for a form of the service (Requester UI, Turkle)
    question.xml.template       the task as HTMLQuestion XML for `CreateHIT`, with the same placeholders
    qualification_test.xml      consent and a few questions (QuestionForm)
    qualification_answers.xml   their AnswerKey

In the results `Input.*` is the task and `Answer.*` are the answers. A question with radio buttons has one of three
shapes, which may be mixed in one file:

    Answer.head_1                       3                       the value itself (flat)
    Answer.head_1.3                     true                    one column per button (dotted, crowd-form)
    Answer.taskAnswers                  [{"head_1": "3"}]       everything as JSON; {"head_1": {"3": true, ...}} too

The apostrophe that `ncimp launch collect` puts before an answer that begins like a formula is removed.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.launch.batch import TASKS
from ncimp.builder.annotation.rehearsal import Assignment
from ncimp.builder.annotation.services.mturk_campaign import ANSWERS, QUESTION, TEST, MturkCampaign, mturk_place
from ncimp.builder.annotation.services.service import Service
from ncimp.builder.annotation.task.batch import QUESTIONS
from ncimp.builder.annotation.task.cells import as_typed, cell, csv_text, read_utf8
from ncimp.builder.annotation.task.page import fill_template, question_template, render, task_page
from ncimp.builder.annotation.task.tasks import Planned
from ncimp.builder.annotation.task.wording import Wording
from ncimp.schemas.errors import Place, SchemaError, SelectionError
from ncimp.schemas.files import keyed_hash

TEMPLATE = "template.html"

MAX_QUESTION = 65_535
"""Bytes of the longest question that the service took."""

PASSED = 100
"""Value of the qualification of a person who has passed; everybody else has 0."""

NEEDED = ("WorkerId", "AssignmentId", "Input.task_id")
TOGETHER = "Answer.taskAnswers"
LARGEST_CELL = 1 << 26
"""Bytes of a cell that are still read, so that a huge answer is refused with its line and not with the whole file."""

LARGEST_ANSWER = 20_000
"""Characters of the answers of one assignment; a form of ours cannot give as many."""

DAY = "Mon Jan 01 12:00:00 UTC 2001"
"""Time of simulated answers: a day before the scale was thought of."""


def mturk_files(tasks: Sequence[Planned], wording: Wording, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file; a question that would be too long raises `SelectionError`."""
    template = task_page(wording, tasks[0].task.mode, contact=contact)
    question = question_template(template, wording)
    for planned in tasks:
        filled_question(question, {name: cell(value) for name, value in planned.sheet.fields().items()})
    test, answers = qualification_test(wording, contact)
    return {**form_files(tasks, template), QUESTION: question, TEST: test, ANSWERS: answers}


def qualification_test(wording: Wording, contact: str | None = None) -> tuple[str, str]:
    """Return QuestionForm and AnswerKey: consent, and enough right answers to a few questions."""
    # consent weighs more than all questions together, so nobody passes without it
    weight = len(wording.qualification.questions) + 1
    form = render("question_form.jinja", wording, consent=wording.consent.texts(contact))
    return form, render("answer_key.jinja", wording, weight=weight, passed=PASSED)


def form_files(tasks: Sequence[Planned], template: str) -> dict[str, str]:
    """Return the table of tasks and the piece of HTML, which are all that a Requester UI or Turkle takes."""
    columns = list(tasks[0].sheet.fields())
    rows = ({name: cell(value) for name, value in planned.sheet.fields().items()} for planned in tasks)
    return {TASKS: csv_text(rows, columns), TEMPLATE: template}


def filled_question(question: str, cells: Mapping[str, str]) -> str:
    """Return the HTMLQuestion of one task; *cells* are as `tasks.csv` has them. Too long raises `SelectionError`."""
    text = fill_template(question, cells)
    size = len(text.encode("utf-8"))
    if size > MAX_QUESTION:
        what = f"the question of task {cells['task_id']} has {size:,} bytes, and at most {MAX_QUESTION:,} are taken"
        raise SelectionError(what, fix="shorten annotation.toml, or leave the compound out")
    return text


def read_mturk(path: Path) -> Iterator[Returned]:
    """Yield every assignment of the results in *path*; a row that cannot be read comes with its problem."""
    text = read_utf8(path)
    limit = csv.field_size_limit(LARGEST_CELL)
    try:
        yield from _assignments(csv.reader(io.StringIO(text, newline="")), path)
    except csv.Error as error:
        what = f"not CSV ({error})"
        raise SchemaError(what, fix="take the file as it was downloaded", place=Place(str(path))) from None
    finally:
        csv.field_size_limit(limit)


def _assignments(rows: Any, path: Path) -> Iterator[Returned]:
    header: list[str] = next(rows, [])
    missing = [name for name in NEEDED if name not in header]
    if missing or len(set(header)) != len(header):
        what = f"no column {', '.join(missing)}" if missing else "a column is there twice"
        fix = "give the results of a batch of ours, as they were downloaded"
        raise SchemaError(what, fix=fix, place=Place(str(path), 1))
    line = rows.line_num + 1
    for cells in rows:
        place, line = Place(str(path), line), rows.line_num + 1
        if not cells:
            continue  # an empty line
        if len(cells) != len(header):
            yield Returned(place, problem=f"{len(cells)} cells where the header has {len(header)}")
        else:
            yield _assignment(dict(zip(header, cells, strict=True)), place)


def _assignment(row: Mapping[str, str], place: Place) -> Returned:
    size = sum(len(value) for name, value in row.items() if name.startswith("Answer."))
    fields: dict[str, str] = {}
    problem: str | None = f"answers of {size:,} characters, more than {LARGEST_ANSWER:,}"
    if size <= LARGEST_ANSWER:
        fields, problem = _fields(row)
    if row.get("AssignmentStatus") == "Rejected":
        problem = "the assignment was rejected by its requester"
    return Returned(
        place,
        worker=row["WorkerId"].strip(),
        assignment=row["AssignmentId"].strip(),
        task_id=row["Input.task_id"].strip(),
        fields=fields,
        submitted=row.get("SubmitTime", ""),
        seconds=row.get("WorkTimeInSeconds", ""),
        problem=problem,
    )


def _fields(row: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """Return the answers by field whatever their shape, and the problem with them."""
    fields: dict[str, str] = {}
    for name, value in row.items():
        if not name.startswith("Answer.") or name == TOGETHER:
            continue
        field, _, choice = name.removeprefix("Answer.").partition(".")
        if not choice:
            fields.setdefault(field, as_typed(value))
        elif value.strip().lower() in ("true", "on", "checked"):
            if fields.get(field, "").strip():
                return fields, f"{field} has two answers, {fields[field]} and {choice}"
            fields[field] = choice
    if row.get(TOGETHER, "").strip():
        try:
            fields |= _unpacked(json.loads(row[TOGETHER]))
        except (ValueError, TypeError, RecursionError):
            return fields, "Answer.taskAnswers is not JSON of the kind that a form gives"
    return fields, None


def _unpacked(value: Any) -> dict[str, str]:
    """Return the fields of `taskAnswers`: a list of one object, whose values are texts or buttons by their name."""
    if isinstance(value, list):
        (value,) = value
    if not isinstance(value, dict):
        raise TypeError
    fields = {}
    for name, answer in value.items():
        choices = [choice for choice, on in answer.items() if on is True] if isinstance(answer, dict) else [answer]
        if len(choices) > 1:
            raise ValueError(name)
        fields[name] = "" if choices in ([], [None]) else str(choices[0])
    return fields


def simulate_mturk(assignments: Sequence[Assignment], shape: str, *, turkle: bool = False) -> str:
    """Return simulated *assignments* as Mechanical Turk gives them, or as Turkle, which names its users too."""
    rows = []
    for one in assignments:
        row = dict.fromkeys(("HITTypeId", "MaxAssignments", "AssignmentDurationInSeconds"), "")
        row |= {"HITId": one.task.task_id, "Title": "SIMULATED", "CreationTime": DAY}
        row |= {"AssignmentId": keyed_hash(one.task.task_id, one.worker.name)[:20].upper()}
        row |= {"WorkerId": one.worker.name, "AcceptTime": DAY, "SubmitTime": DAY}
        row |= {"WorkTimeInSeconds": str(one.seconds), "Input.task_id": one.task.task_id}
        row |= _shaped(one.fields, shape)
        rows.append({**row, "Turkle.Username": one.worker.name} if turkle else row)
    return csv_text(rows, list(dict.fromkeys(name for row in rows for name in row)))


def _shaped(fields: Mapping[str, str], shape: str) -> dict[str, str]:
    if shape == "taskAnswers":
        return {TOGETHER: json.dumps([fields], ensure_ascii=False)}
    answers = {}
    for name, value in fields.items():
        is_button = name.split("_")[0] in ("status", *QUESTIONS)
        dotted = shape == "dotted" and is_button
        answers[f"Answer.{name}.{value}" if dotted else f"Answer.{name}"] = "true" if dotted else value
    return answers


MTURK = Service(
    name="mturk",
    export=mturk_files,
    suffix=".csv",
    read=read_mturk,
    simulate=simulate_mturk,
    rate_card="mturk-2026",
    separate_lists=(
        "launch one list after the other, and keep out who did an earlier one with a qualification of yours"
    ),
    place=mturk_place,
    campaign=MturkCampaign,
)
