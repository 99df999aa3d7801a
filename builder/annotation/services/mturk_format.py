"""The files of Mechanical Turk: those of a batch, and results as CSV, which Turkle shares.

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

The API gives the answers of an assignment as XML:

<QuestionFormAnswers xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd">
  <Answer><QuestionIdentifier>comp_1</QuestionIdentifier><FreeText>4</FreeText></Answer>
</QuestionFormAnswers>
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.returned import MONTHS, Returned
from ncimp.builder.annotation.launch import TASKS, UNREADABLE, Cells, LaunchBatch, LaunchError, UnansweredError
from ncimp.builder.annotation.rehearsal import Assignment
from ncimp.builder.annotation.services.mturk_client import entry
from ncimp.builder.annotation.task.batch import QUESTIONS, Planned
from ncimp.builder.annotation.task.cells import as_typed, cell, csv_reader, csv_text, read_utf8, safe
from ncimp.builder.annotation.task.page import PLACEHOLDER, Wording, fill_template, question_template, render, task_page
from ncimp.schemas import Place, Row, SchemaError, SelectionError, keyed_hash

TEMPLATE, QUESTION = "template.html", "question.xml.template"
TEST, ANSWERS = "qualification_test.xml", "qualification_answers.xml"

LARGEST_CELL = 1 << 26  # longest cell of a results file, in characters
MAX_QUESTION = 65_535  # bytes of the longest question that the service took
PASSED = 100  # value of the qualification of a person who has passed; everybody else has 0
NEEDED = ("WorkerId", "AssignmentId", "Input.task_id")
TOGETHER = "Answer.taskAnswers"
OF_TURKLE = "Turkle.Username"  # column that Turkle alone has
NAMED_BATCH = re.compile(r"\bncimp ([0-9a-f]{16})\b")  # in the title or annotation of a task that was launched
LARGEST_ANSWER = 20_000  # characters of the answers of one assignment; a form of ours cannot give as many
DAY = "Mon Jan 01 12:00:00 UTC 2001"  # time of simulated answers: a day before the scale was thought of

OF_HIT = (  # columns about a HIT that the service has in the same words
    *("HITId", "HITTypeId", "Title", "Description", "Keywords", "MaxAssignments", "RequesterAnnotation"),
    *("AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds"),
)
TIMES = ("AcceptTime", "SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime")
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")  # as in results files, whatever the language of the machine
VALUES = ("FreeText", "SelectionIdentifier", "OtherSelectionText", "UploadedFileKey")  # elements that hold an answer


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
    rows = ({name: cell(value) for name, value in planned.sheet.fields().items()} for planned in tasks)
    return {TASKS: csv_text(rows, list(tasks[0].sheet.fields())), TEMPLATE: template}


def filled_question(question: str, cells: Mapping[str, str]) -> str:
    """Return the HTMLQuestion of one task; *cells* are as `tasks.csv` has them. Too long raises `SelectionError`."""
    text = fill_template(question, cells)
    size = len(text.encode("utf-8"))
    if size > MAX_QUESTION:
        what = f"the question of task {cells['task_id']} has {size:,} bytes, and at most {MAX_QUESTION:,} are taken"
        raise SelectionError(what, fix="shorten annotation.toml, or leave the compound out")
    return text


def question_of(batch: LaunchBatch, task_id: str) -> str:
    """Return the question of one task: the batch's template with the cells of its row, filled in in one pass."""
    row = batch.rows[task_id]
    template = batch.text(QUESTION)
    place = Place(str(batch.folder / QUESTION))
    missing = sorted(set(PLACEHOLDER.findall(template)) - set(row))
    if missing:
        raise LaunchError(f"no column for {', '.join(missing)}", fix="export the batch again", place=place)
    question = fill_template(template, row)
    size = len(question.encode("utf-8"))
    if size > MAX_QUESTION:
        what = f"the question of task {task_id} has {size:,} bytes, and {MAX_QUESTION:,} are taken"
        raise LaunchError(what, fix="shorten the instructions or the sentence", place=place)
    if question.count("]]>") != template.count("]]>"):
        raise LaunchError(f"a cell of task {task_id} ends the CDATA section", fix="export it escaped", place=place)
    return question


def read_mturk(path: Path) -> Iterator[Returned]:
    """Yield every assignment of the results in *path*; a row that cannot be read comes with its problem."""
    fix = "take the file as it was downloaded"
    with csv_reader(read_utf8(path), str(path), fix=fix, largest=LARGEST_CELL) as rows:
        header: list[str] = next(rows, [])
        missing = [name for name in NEEDED if name not in header]
        if missing or len(set(header)) != len(header):
            what = f"no column {', '.join(missing)}" if missing else "a column is there twice"
            fix = "give the results of a batch of ours, as they were downloaded"
            raise SchemaError(what, fix=fix, place=Place(str(path), 1))
        service = "turkle" if OF_TURKLE in header else "mturk"
        line = rows.line_num + 1
        for cells in rows:
            place, line = Place(str(path), line), rows.line_num + 1
            if not cells:
                continue  # an empty line
            if len(cells) == len(header):
                yield _assignment(dict(zip(header, cells, strict=True)), place, service)
            else:
                problem = f"{len(cells)} cells where the header has {len(header)}"
                yield Returned(place, problem=problem, service=service)


def _assignment(row: Mapping[str, str], place: Place, service: str) -> Returned:
    size = sum(len(value) for name, value in row.items() if name.startswith("Answer."))
    fields: dict[str, str] = {}
    problem: str | None = f"answers of {size:,} characters, more than {LARGEST_ANSWER:,}"
    if size <= LARGEST_ANSWER:
        fields, problem = _fields(row)
    if row.get("AssignmentStatus") == "Rejected":
        problem = "the assignment was rejected by its requester"
    worker, assignment, task = (row[name].strip() for name in NEEDED)
    submitted, seconds = row.get("SubmitTime", ""), row.get("WorkTimeInSeconds", "")
    batch = "".join(NAMED_BATCH.findall(row.get("RequesterAnnotation") or row.get("Title", ""))[:1])
    return Returned(place, worker, assignment, task, fields, submitted, seconds, problem, service, batch)


def _fields(row: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
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
    # a list of one object, whose values are texts or buttons by their name
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
        if shape == "taskAnswers":
            row[TOGETHER] = json.dumps([one.fields], ensure_ascii=False)
        else:
            for name, value in one.fields.items():
                dotted = shape == "dotted" and name.split("_")[0] in ("status", *QUESTIONS)
                row |= {f"Answer.{name}.{value}": "true"} if dotted else {f"Answer.{name}": value}
        rows.append({**row, OF_TURKLE: one.worker.name} if turkle else row)
    return csv_text(rows, list(dict.fromkeys(name for row in rows for name in row)))


def collected_row(hit: Row, assignment: Row, cells: Cells) -> Cells:
    """Return the row of results of one *assignment* of *hit*; answers that cannot be read stay as they came."""
    identity, worker = (str(entry(assignment, name, str)) for name in ("AssignmentId", "WorkerId"))
    accept, submit = assignment.get("AcceptTime"), assignment.get("SubmitTime")
    seconds = ""
    if isinstance(accept, datetime) and isinstance(submit, datetime):
        seconds = str(int((submit - accept).total_seconds()))
    xml = assignment.get("Answer")
    if not isinstance(xml, str):
        raise UnansweredError(f"assignment {identity} came without answers")
    fields = read_answers(xml)
    answers = {UNREADABLE: xml} if fields is None else {f"Answer.{name}": value for name, value in fields.items()}
    return {
        **{name: str(hit.get(name) or "") for name in OF_HIT},
        "Reward": f"${hit.get('Reward') or ''}",
        **{name: _time(hit.get(name)) for name in ("CreationTime", "Expiration")},
        "AssignmentId": identity,
        "WorkerId": worker,
        "AssignmentStatus": str(assignment.get("AssignmentStatus") or ""),
        **{name: _time(assignment.get(name)) for name in TIMES},
        "RequesterFeedback": safe(str(assignment.get("RequesterFeedback") or "")),
        "WorkTimeInSeconds": seconds,
        **{f"Input.{name}": value for name, value in cells.items()},
        **{name: safe(value) for name, value in answers.items()},
    }


def read_answers(xml: str) -> dict[str, str] | None:
    """Return the answers in *xml* by field, None when it cannot be read; entities are never followed.

    >>> read_answers("<a><Answer><QuestionIdentifier>comp_1</QuestionIdentifier><FreeText>4</FreeText></Answer></a>")
    {'comp_1': '4'}
    """
    import defusedxml.ElementTree
    from defusedxml.common import DefusedXmlException

    try:
        root = defusedxml.ElementTree.fromstring(xml.encode("utf-8", "surrogatepass"))
    except (DefusedXmlException, SyntaxError, ValueError):  # ParseError is a SyntaxError
        return None
    fields: dict[str, list[str]] = {}
    for answer in root:
        parts = [(_local(element.tag), element.text or "") for element in answer]
        if _local(answer.tag) == "Answer":
            name = next((text for tag, text in parts if tag == "QuestionIdentifier"), "")
            if not name:
                return None
            fields.setdefault(name.strip(), []).extend(text for tag, text in parts if tag in VALUES)
    return {name: "|".join(values) for name, values in fields.items()}  # `|` as in the service's own results


def _local(tag: object) -> str:
    return str(tag).rsplit("}", 1)[-1]  # without its namespace, whose date differs between versions


def _time(value: object) -> str:
    """Return a time as results files have it, `Fri Nov 20 16:13:53 UTC 2026`; nothing for None."""
    if not isinstance(value, datetime):
        return ""
    utc = value.astimezone(UTC)
    return f"{DAYS[utc.weekday()]} {MONTHS[utc.month - 1]} {utc:%d %H:%M:%S} UTC {utc.year}"
