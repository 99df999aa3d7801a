"""A batch for Label Studio: `config.xml` is the project's labelling interface, `tasks.json` its tasks.

    [{"data": {"task_id": "c0…", "modifier": "night", …, "html_1": "A <mark>night owl</mark>.", "ask_head_1": "…"}}]

A sentence is shown as HTML made here, every value escaped; the questions, with their words filled in, are values
of the task, because the interface of a project is the same for all. Answers come back with the names of the fields
as `from_name`. Scores are choices, not `Rating`, whose stars begin at 1.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ncimp.builder.annotation.task.batch import Sheet
from ncimp.builder.annotation.task.questions import Asked, questions
from ncimp.builder.annotation.task.tasks import Planned
from ncimp.builder.annotation.task.wording import Wording, fill_in
from ncimp.schemas.files import Row

TASKS, CONFIG = "tasks.json", "config.xml"


def label_studio_files(tasks: Sequence[Planned], wording: Wording, *, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file."""
    rows = [{"data": _data(planned.sheet, wording)} for planned in tasks]
    return {
        TASKS: json.dumps(rows, ensure_ascii=False, indent=1) + "\n",
        CONFIG: _config(tasks[0].sheet, wording, contact),
    }


def _data(sheet: Sheet, wording: Wording) -> Row:
    shown = {f"html_{number}": marked_html(parts) for number, parts in enumerate(sheet.parts, start=1)}
    asked = {f"ask_{one.field}": one.text for one in questions(wording, sheet)}
    return {**sheet.fields(), **shown, **asked}


def marked_html(parts: tuple[str, str, str]) -> str:
    """Return a sentence as HTML with its expression marked; each part keeps its own direction of writing."""
    before, span, after = (f"<bdi>{html.escape(part)}</bdi>" for part in parts)
    return f'<p style="font-size:1.3em;white-space:pre-line">{before}<mark>{span}</mark>{after}</p>'


def _config(sheet: Sheet, wording: Wording, contact: str | None) -> str:
    """Return the labelling interface; *sheet* only says how many sentences a task has."""
    view = Element("View")
    SubElement(view, "Header", value=wording.task.title, size="3")
    told = SubElement(view, "Collapse")
    for title, texts in _told(wording, contact):
        panel = SubElement(told, "Panel", value=title)
        for text in texts:
            SubElement(panel, "Header", value=text, size="5")
    asked = list(questions(wording, sheet))
    for number in range(1, len(sheet.parts) + 1):
        SubElement(view, "HyperText", name=f"sentence_{number}", value=f"$html_{number}", inline="true")
        for one in asked:
            if one.field.endswith(f"_{number}"):
                _control(view, one, number, wording)
    indent(view)
    return tostring(view, encoding="unicode") + "\n"


def _told(wording: Wording, contact: str | None) -> Iterator[tuple[str, list[str]]]:
    yield wording.task.steps_title, [*wording.task.steps, wording.scale.note]
    yield wording.examples_title, [wording.examples_note, *(_example(wording))]
    who = contact or wording.consent.contact
    yield wording.consent.title, [fill_in(text, contact=who) for text in wording.consent.text]


def _example(wording: Wording) -> Iterator[str]:
    for one in wording.examples:
        scores = f"{one.head} {one.head_score}, {one.modifier} {one.modifier_score}, {one.compound} {one.comp_score}"
        yield f"{one.sentence} – {scores}. {one.why}"


def _control(view: Element, one: Asked, number: int, wording: Wording) -> None:
    """Add the question *one* and the field of its answer; scores are asked only of sentences that can be judged."""
    place = view
    if not one.field.startswith("status"):
        place = SubElement(
            view, "View", visibleWhen="choice-selected", whenTagName=f"status_{number}", whenChoiceValue="judged"
        )
    SubElement(place, "Header", value=f"$ask_{one.field}", size="4")
    target = f"sentence_{number}"
    if not one.choices:
        SubElement(place, "TextArea", name=one.field, toName=target, rows="1", maxSubmissions="1", required="false")
        return
    message = wording.messages.status if place is view else wording.messages.score
    choices = SubElement(
        place, "Choices", name=one.field, toName=target, choice="single-radio", required="true", requiredMessage=message
    )
    for value, text in one.choices:
        SubElement(choices, "Choice", value=value, html=html.escape(text))
