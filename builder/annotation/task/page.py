"""Make the judging task as one piece of HTML5: no file from elsewhere, usable by keyboard, screen reader and phone.

The piece stands inside a form, the service's or our own. Values of a task stand as `${name}`, once for every
placeholder of `Sheet.fields`; the names of the form's fields are the contract with the import:

    task_id (hidden), and for sentence n: status_n, head_n, modifier_n, comp_n, synonym1_n, synonym2_n, synonym3_n

Everything that the wording or a task says is escaped, dollars too, because a dollar would begin a placeholder. Services
put values in as they are, so the values in `tasks.csv` are escaped already (`cells.py`).
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from jinja2 import Environment
from markupsafe import Markup, escape

from ncimp.builder.annotation.task.batch import QUESTIONS, SYNONYMS
from ncimp.builder.annotation.task.cells import cell
from ncimp.builder.annotation.task.wording import Wording, fill_in
from ncimp.builder.records import Mode
from ncimp.schemas.pages.kit import environment

SENTENCES: dict[Mode, int] = {"token": 1, "type": 3}  # sentences of a task by mode
LONGEST_SYNONYM = 80  # characters of one suggestion; an expression is short
PLACEHOLDER = re.compile(r"\$\{(\w+)\}", re.ASCII)  # a value of the task, as in the templates of the services
# target of the form of an HTMLQuestion, unless the address of the page names another, as in the sandbox
SUBMIT = "https://www.mturk.com/mturk/externalSubmit"
HTML_QUESTION = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"


def resource(name: str) -> str:
    """Return the text of a file of this room's `resources`."""
    return (files("ncimp.builder.annotation") / "resources" / name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    # dollars are escaped too: one would begin a placeholder
    templates = environment("ncimp.builder.annotation").overlay(finalize=_escape)
    templates.filters |= {"fill_in": fill_in, "placed": _placed}
    return templates


def _escape(value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(str(escape(value)).replace("$", "&#36;"))  # noqa: S704 (escaped)


def _placed(text: str, number: int) -> Markup:
    """Return a question about sentence *number*, escaped, with placeholders for the words in braces."""
    names = {"head": "head", "modifier": "modifier", "nc": f"span_{number}"}
    values = {name: f"<bdi>${{{field}}}</bdi>" for name, field in names.items()}
    return Markup(fill_in(str(_escape(text)), **values))  # noqa: S704 (escaped)


def render(template: str, wording: Wording, **values: object) -> str:
    """Return *template* of this room with *wording* and *values*."""
    return _templates().get_template(template).render(wording=wording, **values) + "\n"


def task_page(wording: Wording, mode: Mode, *, contact: str | None = None) -> str:
    """Return the task as a piece of HTML with placeholders; *contact* names the requester in the text on consent."""
    return render(
        "task.jinja",
        wording,
        mode=mode,
        count=SENTENCES[mode],
        consent=wording.consent.texts(contact),
        questions=QUESTIONS,
        synonyms=SYNONYMS,
        longest=LONGEST_SYNONYM,
        css=Markup(resource("task.css")),  # noqa: S704 (our own file)
        script=Markup(resource("task.js")),  # noqa: S704
    )


def document(page: str, wording: Wording, *, action: str = "", extra: str = "") -> str:
    """Return *page* as a document, in a form that goes to *action*; *extra* stands at the end of its body."""
    parts = {"page": Markup(page), "extra": Markup(extra)}  # noqa: S704 (made by task_page)
    return render("document.jinja", wording, action=action, **parts)


def question_template(template: str, wording: Wording) -> str:
    """Return the task *template* as HTMLQuestion XML for `CreateHIT`, its placeholders left."""
    field = '<input type="hidden" name="assignmentId" value="">\n'
    script = f"<script>\n{resource('submit.js')}</script>\n"
    page = document(field + template, wording, action=SUBMIT, extra=script)
    return (
        f'<HTMLQuestion xmlns="{HTML_QUESTION}"><HTMLContent><![CDATA[\n{page}]]></HTMLContent>'
        "<FrameHeight>0</FrameHeight></HTMLQuestion>\n"
    )


def fill_template(template: str, cells: Mapping[str, str]) -> str:
    """Return *template* with its placeholders filled from *cells*, which are written as in `tasks.csv`."""
    return PLACEHOLDER.sub(lambda match: cells[match[1]], template)


def preview_page(template: str, fields: Mapping[str, str], wording: Wording) -> str:
    """Return a document that shows *template* with the values *fields*, which shows answers instead of sending."""
    extra = render("preview.jinja", wording, script=Markup(resource("preview.js")))  # noqa: S704 (our own file)
    page = fill_template(template, {name: cell(value) for name, value in fields.items()})
    return document(page, wording, extra=extra)
