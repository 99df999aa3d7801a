"""The judging task as one piece of HTML5: no file from elsewhere, usable by keyboard, screen reader and phone.

The piece stands inside a form, the service's or our own. What a task fills in stands as `${name}`, once for every
placeholder of `Sheet.fields`; the names of the form's fields are the contract with the import:

    task_id (hidden), and for sentence n: status_n, head_n, modifier_n, comp_n, synonym1_n, synonym2_n, synonym3_n

Everything that the wording or a task says is escaped. Services put values in as they are, so the values in
`tasks.csv` are escaped already (`cells.py`).
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from ncimp.builder.annotation.task.batch import QUESTIONS, SYNONYMS, Mode
from ncimp.builder.annotation.task.wording import Example, Question, Wording, fill_in

SENTENCES: dict[Mode, int] = {"token": 1, "type": 3}
"""How many sentences a task shows."""

LONGEST_SYNONYM = 80
"""Characters of one suggestion; an expression is short."""


@cache
def resource(name: str) -> str:
    """Return the text of a file of this room's `resources`."""
    return (files("ncimp.builder.annotation") / "resources" / name).read_text(encoding="utf-8")


def escape(text: str) -> str:
    """Return *text* for HTML, in elements and in attributes; a dollar would begin a placeholder."""
    return html.escape(text, quote=True).replace("$", "&#36;")


def task_page(wording: Wording, mode: Mode, *, contact: str | None = None) -> str:
    """Return the task as a piece of HTML with placeholders; *contact* says who asks, in the text on consent."""
    about, task = wording.about, wording.task
    intro = task.intro if mode == "token" else task.intro_type
    count = SENTENCES[mode]
    parts = [
        f'<div class="ncimp" lang="{escape(about.language)}" dir="{about.direction}" '
        f'data-nc="${{nc}}" {_messages(wording)}>',
        f"<style>\n{resource('task.css')}</style>",
        '<input type="hidden" name="task_id" value="${task_id}">',
        f"<h1>{escape(task.title)}</h1>\n<p>{escape(intro)}</p>",
        _folded(task.steps_title, f"<ol>{''.join(f'<li>{escape(step)}</li>' for step in task.steps)}</ol>", " open"),
        _folded(wording.examples_title, _examples(wording)),
        _folded(wording.consent.title, "".join(_consent(wording, contact))),
        '<p class="alert" role="alert" hidden></p>',
        *(_item(wording, number, count) for number in range(1, count + 1)),
        f'<p class="wrong not-yet" role="status" hidden></p>\n<button type="submit">{escape(task.submit)}</button>',
        f"<script>\n{resource('task.js')}</script>\n</div>",
    ]
    return "\n".join(parts) + "\n"


def _messages(wording: Wording) -> str:
    said = wording.messages
    texts = {
        "status": said.status,
        "score": said.score,
        "summary": said.summary,
        "preview": said.preview,
        "shown": said.shown,
        "note": wording.status.note,
    }
    return " ".join(f'data-{name}="{escape(text)}"' for name, text in texts.items())


def _folded(title: str, inside: str, state: str = "") -> str:
    return f"<details{state}><summary>{escape(title)}</summary><div>{inside}</div></details>"


def _consent(wording: Wording, contact: str | None) -> Iterator[str]:
    for text in wording.consent.text:
        yield f"<p>{escape(fill_in(text, contact=contact or wording.consent.contact))}</p>"


def _examples(wording: Wording) -> str:
    told = [f"<p>{escape(wording.scale.note)} {escape(wording.examples_note)}</p>"]
    return "".join([*told, *(_example(wording, example) for example in wording.examples)])


def _example(wording: Wording, example: Example) -> str:
    before, span, after = (escape(part) for part in example.parts)
    asked = wording.questions
    rows = (
        (fill_in(asked.head.legend, head=example.head), example.head_score),
        (fill_in(asked.modifier.legend, modifier=example.modifier), example.modifier_score),
        (asked.comp.legend, example.comp_score),
    )
    scores = "".join(
        f"<dt>{escape(name)}</dt><dd><b>{score}</b> {escape(wording.scale.points[score])}</dd>" for name, score in rows
    )
    others = f"<dt>{escape(wording.synonyms.legend)}</dt><dd>{escape(', '.join(example.synonyms))}</dd>"
    return (
        f'<div class="example"><p>{before}<mark>{_aloud(wording.task.marked)}{span}{_aloud(wording.task.marked_end)}'
        f'</mark>{after}</p><dl>{scores}{others if example.synonyms else ""}</dl><p class="soft">'
        f"{escape(example.why)}</p></div>"
    )


def _aloud(text: str) -> str:
    """Return *text* for screen readers alone: they do not say that something is marked."""
    return f'<span class="aloud"> {escape(text)} </span>'


def _item(wording: Wording, number: int, count: int) -> str:
    """Return everything about sentence *number*."""
    heading = fill_in(wording.task.sentence, number=str(number), count=str(count))
    told = f'<h2 id="h_{number}">{escape(heading)}</h2>' if count > 1 else ""
    label = f' role="group" aria-labelledby="h_{number}"' if count > 1 else ""
    parts = [
        f'<div class="item"{label}>{told}',
        f'<p class="sentence" id="s_{number}"><bdi>${{before_{number}}}</bdi><mark>{_aloud(wording.task.marked)}'
        f"<bdi>${{span_{number}}}</bdi>{_aloud(wording.task.marked_end)}</mark><bdi>${{after_{number}}}</bdi></p>",
        _status(wording, number),
        '<p class="off" role="status" hidden></p>',
        f'<p class="soft scale-note">{escape(wording.scale.note)}</p>',
        *(_score(wording, name, number) for name in QUESTIONS),
        _synonyms(wording, number),
        "</div>",
    ]
    return "\n".join(parts)


def _placed(text: str, number: int) -> str:
    """Return the question *text* about sentence *number*, escaped, with placeholders for the words in braces."""
    names = {"head": "head", "modifier": "modifier", "nc": f"span_{number}"}
    return fill_in(escape(text), **{name: f"<bdi>${{{field}}}</bdi>" for name, field in names.items()})


def _status(wording: Wording, number: int) -> str:
    status = wording.status
    answers = (("judged", status.judged), ("unknown", status.unknown), ("nonsense", status.nonsense))
    choices = "".join(
        f'<label class="choice"><input type="radio" name="status_{number}" value="{value}" required>'
        f"<span>{escape(text)}</span></label>"
        for value, text in answers
    )
    legend = f"<legend>{_placed(status.ask, number)}</legend>"
    return _group("status", f"status_{number}", f"s_{number}", legend + choices)


def _score(wording: Wording, name: str, number: int) -> str:
    question: Question = getattr(wording.questions, name)
    field = f"{name}_{number}"
    points = "".join(
        f'<label class="point"><input type="radio" name="{field}" value="{point}"><b>{point}</b>'
        f"<span>{escape(text)}</span></label>"
        for point, text in enumerate(wording.scale.points)
    )
    legend = f"<legend><small>{_placed(question.legend, number)}</small>{_placed(question.ask, number)}</legend>"
    ends = "".join(
        f"<span><b>{point}</b> {_placed(text, number)}</span>"
        for point, text in ((0, question.low), (5, question.high))
    )
    inside = f'{legend}<div class="ends" id="d_{field}">{ends}</div><div class="scale">{points}</div>'
    return _group("score", field, f"d_{field}", inside)


def _group(kind: str, field: str, described: str, inside: str) -> str:
    """Return a group of radio buttons; *described* is the id of what is read out with its legend."""
    return (
        f'<fieldset class="{kind}" role="radiogroup" aria-required="true" data-says="{kind}" '
        f'aria-describedby="{described} e_{field}">{inside}<p class="wrong" id="e_{field}" hidden></p></fieldset>'
    )


def _synonyms(wording: Wording, number: int) -> str:
    said = wording.synonyms
    hint = f"x_{number}"
    fields = "".join(
        f'<label>{escape(fill_in(said.label, number=str(place)))}<input type="text" name="synonym{place}_{number}" '
        f'maxlength="{LONGEST_SYNONYM}" autocomplete="off" aria-describedby="{hint}"></label>'
        for place in range(1, SYNONYMS + 1)
    )
    legend = f"<legend><small>{escape(said.legend)}</small>{_placed(said.ask, number)}</legend>"
    told = f'<p class="soft" id="{hint}">{escape(said.hint)}</p>'
    return f'<fieldset class="synonyms">{legend}{told}<div class="words">{fields}</div></fieldset>'


def document(page: str, wording: Wording, *, action: str = "", extra: str = "") -> str:
    """Return *page* as a document, in a form that goes to *action*; *extra* stands at the end of its body."""
    goes = f' action="{escape(action)}"' if action else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(wording.about.language)}" dir="{wording.about.direction}">\n<head>\n'
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(wording.task.title)}</title>\n"
        "<style>body { margin: 0; background: #ffffff; } "
        "@media (prefers-color-scheme: dark) { body { background: #16181d; } }</style>\n"
        f'</head>\n<body>\n<form method="post" id="mturk_form" name="mturk_form"{goes}>\n{page}</form>\n'
        f"{extra}</body>\n</html>\n"
    )
