"""Label Studio: a project's labelling interface and tasks, and its JSON export.

`config.xml` is the labelling interface, `tasks.json` the tasks:

    [{"data": {"task_id": "c0…", "modifier": "night", …, "html_1": "A <mark>night owl</mark>.", "ask_head_1": "…"}}]

A sentence is HTML, every value escaped; the questions, with their words filled in, are values of the task, because the
interface of a project is the same for all tasks. Scores are choices, not `Rating`, whose stars begin at 1. The export
has one record per task with the annotations of everybody who did it, which name the fields as `from_name`:

    [{"data": {"task_id": ...}, "annotations": [{"id": 7, "completed_by": 3, "lead_time": 41.2, "result": [
        {"from_name": "head_1", "type": "rating", "value": {"rating": 3}}, ...]}]}]
"""

import html
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.rehearsal import ISO_DAY, Assignment
from ncimp.builder.annotation.services.service import Service
from ncimp.builder.annotation.task.batch import QUESTIONS, Planned, Sheet
from ncimp.builder.annotation.task.cells import read_utf8
from ncimp.builder.annotation.task.page import PlainQuestion, Wording, plain_questions
from ncimp.schemas import Place, SchemaError

TASKS, CONFIG = "tasks.json", "config.xml"
KINDS = ("rating", "number", "choices", "text")  # names of the answer in the value of a result


def label_studio_files(tasks: Sequence[Planned], wording: Wording, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file of a batch."""
    rows = []
    for sheet in (planned.sheet for planned in tasks):
        sentences = {f"html_{number}": marked_html(parts) for number, parts in enumerate(sheet.parts, start=1)}
        texts = {f"ask_{one.field}": one.text for questions in plain_questions(wording, sheet) for one in questions}
        rows.append({"data": {**sheet.fields(), **sentences, **texts}})
    text = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    return {TASKS: text, CONFIG: _config(tasks[0].sheet, wording, contact)}


def marked_html(parts: tuple[str, str, str]) -> str:
    """Return a sentence as HTML with its expression marked; each part keeps its own direction of writing."""
    before, span, after = (f"<bdi>{html.escape(part)}</bdi>" for part in parts)
    return f'<p style="font-size:1.3em;white-space:pre-line">{before}<mark>{span}</mark>{after}</p>'


def _config(sheet: Sheet, wording: Wording, contact: str | None) -> str:
    view = Element("View")
    SubElement(view, "Header", value=wording.task.title, size="3")
    instructions = SubElement(view, "Collapse")
    examples = []
    for one in wording.examples:
        scores = {"head": (one.head, one.head_score), "modifier": (one.modifier, one.modifier_score)}
        scores["comp"] = one.compound, one.comp_score
        told = ", ".join("{} {}".format(*scores[name]) for name in wording.questions.order)
        examples.append(f"{one.sentence} – {told}. {one.why}")
    for title, texts in (
        (wording.task.steps_title, [*wording.task.steps, wording.scale.note]),
        (wording.examples_title, [wording.examples_note, *examples]),
        (wording.consent.title, wording.consent.texts(contact)),
    ):
        panel = SubElement(instructions, "Panel", value=title)
        for text in texts:
            SubElement(panel, "Header", value=text, size="5")
    for number, questions in enumerate(plain_questions(wording, sheet), start=1):
        SubElement(view, "HyperText", name=f"sentence_{number}", value=f"$html_{number}", inline="true")
        for question in questions:
            _add_question(view, question, number, wording)
    indent(view)
    return tostring(view, encoding="unicode") + "\n"


def _add_question(view: Element, question: PlainQuestion, number: int, wording: Wording) -> None:
    """Add *question* and its answers; scores are asked only for sentences that can be judged."""
    parent, message = view, wording.messages.status
    if not question.field.startswith("status"):
        message = wording.messages.score
        visible = {"visibleWhen": "choice-selected", "whenTagName": f"status_{number}", "whenChoiceValue": "judged"}
        parent = SubElement(view, "View", visible)
    SubElement(parent, "Header", value=f"$ask_{question.field}", size="4")
    common = {"name": question.field, "toName": f"sentence_{number}"}
    if not question.choices:
        SubElement(parent, "TextArea", common, rows="1", maxSubmissions="1", required="false")
        return
    choices = SubElement(parent, "Choices", common, choice="single-radio", required="true", requiredMessage=message)
    for value, text in question.choices:
        SubElement(choices, "Choice", value=value, html=html.escape(text))


def read_label_studio(path: Path) -> Iterator[Returned]:
    """Yield every annotation of the export in *path*; the place is the number of its record, counted from 1."""
    try:
        records = json.loads(read_utf8(path))
    except (ValueError, RecursionError) as error:
        what = f"not JSON ({error})"
        raise SchemaError(what, fix="take the file as it was exported", place=Place(str(path))) from None
    if not isinstance(records, list):
        raise SchemaError("not a list of tasks", fix="export as JSON, not as JSON-MIN or CSV", place=Place(str(path)))
    for number, record in enumerate(records, start=1):
        place = Place(str(path), number)
        facts = record if isinstance(record, dict) else {}
        annotations, data = facts.get("annotations"), facts.get("data")
        if not isinstance(annotations, list) or not isinstance(data, dict):
            yield Returned(place, problem="a record without data and annotations")
            continue
        for annotation in annotations:
            yield _returned(annotation, str(data.get("task_id", "")), place)


def _returned(annotation: Any, task_id: str, place: Place) -> Returned:
    if not isinstance(annotation, dict):
        return Returned(place, task_id=task_id, problem="an annotation that is not an object")
    worker = annotation.get("completed_by")
    if isinstance(worker, dict):
        worker = worker.get("id", worker.get("email", ""))
    problem = "the annotator skipped the task" if annotation.get("was_cancelled") else None
    fields: dict[str, str] = {}
    try:
        for result in annotation.get("result", ()):
            answers = result["value"][next((kind for kind in KINDS if kind in result["value"]), "")]
            (answer,) = answers if isinstance(answers, list) else [answers]
            fields[str(result["from_name"])] = str(answer)
    except (KeyError, TypeError, ValueError, AttributeError):
        problem = problem or "a result that is not a rating, choice or text"
    name, assignment = "" if worker is None else str(worker), str(annotation.get("id", ""))
    submitted, seconds = (str(annotation.get(fact) or "") for fact in ("created_at", "lead_time"))
    return Returned(place, name, assignment, task_id, fields, submitted, seconds, problem)


def simulate_label_studio(assignments: Sequence[Assignment], _shape: str) -> str:
    """Return simulated *assignments* as Label Studio exports them."""
    tasks: dict[str, list[Any]] = {}
    for number, one in enumerate(assignments, start=1):
        results = []
        for name, answer in one.fields.items():
            kind = name.split("_")[0]
            value: Any = {"choices" if kind == "status" else "text": [answer]}
            value = {"rating": int(answer)} if kind in QUESTIONS else value
            if name != "task_id":
                results.append({"from_name": name, "to_name": "sentence", "type": next(iter(value)), "value": value})
        annotation = {"id": number, "completed_by": {"email": f"{one.worker.name}@example.org"}, "result": results}
        annotation |= {"created_at": ISO_DAY, "lead_time": float(one.seconds), "was_cancelled": False}
        tasks.setdefault(one.task.task_id, []).append(annotation)
    records = [{"id": n, "data": {"task_id": name}, "annotations": tasks[name]} for n, name in enumerate(tasks, 1)]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


LABEL_STUDIO = Service(
    name="label-studio",
    export=label_studio_files,
    suffix=".json",
    read=read_label_studio,
    simulate=simulate_label_studio,
    rate_card="turkle",
    separate_lists="make each list a project with members of its own",
)
