"""A batch in the formats of Amazon Mechanical Turk, which closed on 2026-09-30; servers of its protocol read them.

tasks.csv                   one task a row; the header names the placeholders of the template
template.html               the task as a piece of HTML for a form of the service (Requester UI, Turkle)
question.xml.template       the task as HTMLQuestion XML for `CreateHIT`, with the same placeholders
qualification_test.xml      consent and a few questions (QuestionForm)
qualification_answers.xml   their AnswerKey
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ncimp.builder.annotation.task.batch import Sheet
from ncimp.builder.annotation.task.cells import cell, csv_text
from ncimp.builder.annotation.task.page import document, resource, task_page
from ncimp.builder.annotation.task.preview import fill_template
from ncimp.builder.annotation.task.qualification import answer_key, question_form
from ncimp.builder.annotation.task.tasks import Planned
from ncimp.builder.annotation.task.wording import Wording
from ncimp.schemas.errors import SelectionError

CSV, TEMPLATE, QUESTION = "tasks.csv", "template.html", "question.xml.template"
TEST, ANSWERS = "qualification_test.xml", "qualification_answers.xml"

HTML_QUESTION = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"
MAX_QUESTION = 65_535
"""Longest question in bytes that the service took."""

SUBMIT = "https://www.mturk.com/mturk/externalSubmit"
"""Where a form goes when the page is not told of another place, as the sandbox tells it."""


def mturk_files(tasks: Sequence[Planned], wording: Wording, *, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file; a question that would be too long raises `SelectionError`."""
    template = task_page(wording, tasks[0].task.mode, contact=contact)
    question = question_template(template, wording)
    for planned in tasks:
        filled_question(question, {name: cell(value) for name, value in planned.sheet.fields().items()})
    return {
        **form_files([planned.sheet for planned in tasks], template),
        QUESTION: question,
        TEST: question_form(wording, contact=contact),
        ANSWERS: answer_key(wording),
    }


def form_files(sheets: Sequence[Sheet], template: str) -> dict[str, str]:
    """Return the table of tasks and the piece of HTML, which are all that a Requester UI or Turkle takes."""
    columns = list(sheets[0].fields())
    return {CSV: csv_text((sheet.fields() for sheet in sheets), columns), TEMPLATE: template}


def question_template(template: str, wording: Wording) -> str:
    """Return *template* as HTMLQuestion XML, its placeholders left."""
    page = document(
        '<input type="hidden" name="assignmentId" value="">\n' + template,
        wording,
        action=SUBMIT,
        extra=f"<script>\n{resource('submit.js')}</script>\n",
    )
    return (
        f'<HTMLQuestion xmlns="{HTML_QUESTION}"><HTMLContent><![CDATA[\n{page}]]></HTMLContent>'
        "<FrameHeight>0</FrameHeight></HTMLQuestion>\n"
    )


def filled_question(question: str, cells: Mapping[str, str]) -> str:
    """Return the HTMLQuestion of one task; *cells* are as `tasks.csv` has them. Too long raises `SelectionError`."""
    filled = fill_template(question, cells)
    size = len(filled.encode("utf-8"))
    if size > MAX_QUESTION:
        what = f"the question of task {cells['task_id']} has {size:,} bytes, and at most {MAX_QUESTION:,} are taken"
        raise SelectionError(what, fix="shorten annotation.toml, or leave the compound out")
    return filled
