"""Read `annotation.toml` of a pack, every word that annotators read, and make the judging task as a piece of HTML5.

The wording is authored for this project. Names in braces are filled in: words of the task (`{head}`, `{modifier}`,
`{nc}`), a place (`{number}`, `{count}`), or the requester (`{contact}`); any other name in braces is an error.

The piece needs no file from elsewhere, and is usable by keyboard, screen reader and phone. It stands inside a form, the
service's or our own. Values of a task stand as `${name}`, once for every placeholder of `Sheet.fields`; the names of
the form's fields are the contract with the import:

    task_id (hidden), and for sentence n: status_n, head_n, modifier_n, comp_n, synonym1_n, synonym2_n, synonym3_n

Everything that the wording or a task says is escaped, dollars too, because a dollar would begin a placeholder. Services
put values in as they are, so the values in `tasks.csv` are escaped already (`cells.py`).
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from jinja2 import Environment
from markupsafe import Markup, escape
from msgspec import Meta

from ncimp.builder.annotation.task.batch import QUESTIONS, STATUSES, SYNONYMS, QuestionName, Sheet
from ncimp.builder.annotation.task.cells import cell
from ncimp.builder.records import Mode
from ncimp.schemas import Place, SchemaError, SourceError, read_text
from ncimp.schemas.pages.kit import environment
from ncimp.schemas.records import Ordinal, Rating, Text, from_row, matching

FILE = "annotation.toml"  # name of the wording inside a pack; a pack may be without, and then asks nobody
BRACES = re.compile(r"\{(\w*)\}")
WORDS = frozenset({"head", "modifier", "nc"})
FILLED_IN: dict[str, frozenset[str]] = {
    "task/sentence": frozenset({"number", "count"}),
    "status/ask": frozenset({"nc"}),
    **{f"questions/{name}": WORDS for name in ("head", "modifier", "comp")},
    "synonyms/ask": frozenset({"nc"}),
    "synonyms/label": frozenset({"number"}),
    "messages/summary": frozenset({"count"}),
    "consent/text": frozenset({"contact"}),
}  # names allowed in braces, by the place in the file; none anywhere else

SENTENCES: dict[Mode, int] = {"token": 1, "type": 3}  # sentences of a task by mode
LONGEST_SYNONYM = 80  # characters of one suggestion; an expression is short
PLACEHOLDER = re.compile(r"\$\{(\w+)\}", re.ASCII)  # a value of the task, as in the templates of the services
# target of the form of an HTMLQuestion, unless the address of the page names another
SUBMIT = "https://www.mturk.com/mturk/externalSubmit"
HTML_QUESTION = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"


@dataclass(frozen=True, slots=True)
class About:
    """Author and licence of the wording, and the direction of its script."""

    language: Annotated[Text, "BCP 47 tag of the wording, for screen readers."]
    direction: Annotated[Literal["ltr", "rtl"], "Direction of the script."]
    author: Annotated[Text, "Who wrote the wording."]
    licence: Annotated[Text, "SPDX identifier."]


@dataclass(frozen=True, slots=True)
class TaskWording:
    """The task as a whole."""

    title: Annotated[Text, "Title, also in lists of tasks."]
    description: Annotated[Text, "One sentence for lists of tasks."]
    keywords: Annotated[tuple[Text, ...], Meta(min_length=1), "Words by which the task is found."]
    intro: Annotated[Text, "What it is about, in two or three sentences."]
    intro_type: Annotated[Text, "The same where three sentences are shown together."]
    steps_title: Annotated[Text, "Heading of the instructions."]
    steps: Annotated[tuple[Text, ...], Meta(min_length=1), "What to do, step by step."]
    sentence: Annotated[Text, "Heading of a sentence; {number} and {count} stand for its place."]
    marked: Annotated[Text, "Read aloud before the expression."]
    marked_end: Annotated[Text, "Read aloud after the expression."]
    submit: Annotated[Text, "Label of the button."]


@dataclass(frozen=True, slots=True)
class StatusWording:
    """The question whether a sentence can be judged at all."""

    ask: Annotated[Text, "The question; {nc} stands for the expression."]
    judged: Annotated[Text, "It can."]
    unknown: Annotated[Text, "The expression is not known."]
    nonsense: Annotated[Text, "The sentence makes no sense."]
    note: Annotated[Text, "Said when the scores are switched off."]


@dataclass(frozen=True, slots=True)
class ScaleWording:
    """Meanings of the points of every score, from 0 to 5."""

    points: Annotated[tuple[Text, Text, Text, Text, Text, Text], "What 0, 1, 2, 3, 4 and 5 mean, in words."]
    note: Annotated[Text, "How the scale runs; said before the first score."]


@dataclass(frozen=True, slots=True)
class Question:
    """One score: its heading, the question, and the meanings of the two ends of the scale."""

    legend: Annotated[Text, "Its heading, in a word or two."]
    ask: Annotated[Text, "The question; {head}, {modifier} and {nc} stand for the words."]
    low: Annotated[Text, "What 0 means."]
    high: Annotated[Text, "What 5 means."]


@dataclass(frozen=True, slots=True)
class Questions:
    """The three scores."""

    head: Annotated[Question, "The question about the head."]
    modifier: Annotated[Question, "The question about the modifier."]
    comp: Annotated[Question, "The question about the whole."]
    order: tuple[QuestionName, ...] = QUESTIONS
    """The order in which the three are asked: that of the words in most compounds of the language, the whole last."""


@dataclass(frozen=True, slots=True)
class SynonymWording:
    """Other expressions for the same thing."""

    legend: Annotated[Text, "Heading."]
    ask: Annotated[Text, "The question; {nc} stands for the expression."]
    hint: Annotated[Text, "How many, and that they may be left out."]
    label: Annotated[Text, "Label of a field; {number} stands for its number."]


@dataclass(frozen=True, slots=True)
class Messages:
    """Messages of the page when something is missing."""

    status: Annotated[Text, "No answer whether the sentence can be judged."]
    score: Annotated[Text, "A score is missing."]
    summary: Annotated[Text, "Above the form; {count} stands for the number of missing answers."]
    preview: Annotated[Text, "The task has not been accepted yet."]
    shown: Annotated[Text, "In the local preview: the answers that would be sent."]


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example; its expression stands in square brackets."""

    sentence: Annotated[str, matching(r"[^\[\]]*\[[^\[\]]+\][^\[\]]*")]
    """A sentence with the expression in square brackets."""
    compound: Annotated[Text, "The compound."]
    head: Annotated[Text, "Its head."]
    modifier: Annotated[Text, "Its modifier."]
    head_score: Annotated[Rating, "A good answer for the head."]
    modifier_score: Annotated[Rating, "A good answer for the modifier."]
    comp_score: Annotated[Rating, "A good answer for the whole."]
    synonyms: Annotated[tuple[Text, ...], Meta(max_length=3), "Synonyms that fit."]
    why: Annotated[Text, "Why these answers are good."]

    @property
    def parts(self) -> tuple[str, str, str]:
        """The text before the expression, the expression, the text after it."""
        before, rest = self.sentence.split("[", 1)
        span, after = rest.split("]", 1)
        return before, span, after


@dataclass(frozen=True, slots=True)
class Consent:
    """Information that people need before they take part."""

    title: Annotated[Text, "Heading."]
    text: Annotated[tuple[Text, ...], Meta(min_length=1), "Paragraphs; {contact} stands for who asks."]
    contact: Annotated[Text, "Who asks, where the export does not say."]
    ask: Annotated[Text, "The question for consent."]
    yes: Annotated[Text, "Consent."]
    no: Annotated[Text, "No consent."]

    def texts(self, contact: str | None) -> list[str]:
        """Return the paragraphs with *contact*, or the pack's own, filled in."""
        return [fill_in(text, contact=contact or self.contact) for text in self.text]


@dataclass(frozen=True, slots=True)
class TestQuestion:
    """One question of the qualification; right answers are counted from 1."""

    __test__ = False  # its name is not for pytest

    text: Annotated[Text, "The question."]
    options: Annotated[tuple[Text, ...], Meta(min_length=1), "The answers to choose from."]
    right: Annotated[tuple[Ordinal, ...], Meta(min_length=1), "Numbers of the right answers, from 1."]


@dataclass(frozen=True, slots=True)
class Qualification:
    """A short test before the first task."""

    title: Annotated[Text, "Title."]
    description: Annotated[Text, "One sentence for lists of tests."]
    intro: Annotated[Text, "What the test is for."]
    enough: Annotated[Ordinal, "Right answers, consent aside, that are enough."]
    questions: Annotated[tuple[TestQuestion, ...], Meta(min_length=1), "The questions."]


@dataclass(frozen=True, slots=True)
class Wording:
    """Everything that annotators read in one language (`annotation_wording`)."""

    format: Annotated[Literal[1], "Version of this file format."]
    about: Annotated[About, "Where the wording is from, and how the language is written."]
    task: Annotated[TaskWording, "The task as a whole."]
    status: Annotated[StatusWording, "The question whether the sentence can be judged at all."]
    scale: Annotated[ScaleWording, "The points of every score."]
    questions: Annotated[Questions, "The three scores."]
    synonyms: Annotated[SynonymWording, "Other expressions for the same thing."]
    messages: Annotated[Messages, "What the page says when something is missing."]
    examples_title: Annotated[Text, "Heading of the worked examples."]
    examples_note: Annotated[Text, "Said before the worked examples."]
    examples: Annotated[tuple[Example, ...], Meta(min_length=1), "Worked examples, whose compounds are in no edition."]
    consent: Annotated[Consent, "What people must know before they take part."]
    qualification: Annotated[Qualification, "A short test before the first task."]


def read_wording(pack: Path) -> Wording:
    """Return the wording of the language pack in the folder *pack*, or raise `SourceError` or `SchemaError`."""
    path = pack / FILE
    if not path.is_file():
        fix = "write one as docs/how-to/annotate.md says, or take the project's packs"
        raise SourceError(f"the pack has no {FILE}, so nobody can be asked", fix=fix, place=Place(str(pack)))
    try:
        row = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="repair the line it names", place=Place(str(path))) from None
    wording = from_row(Wording, row, table="annotation_wording", place=Place(str(path)))
    for trail, text in _texts(row, ""):
        starts = (names for start, names in FILLED_IN.items() if f"{trail}/".startswith(f"{start}/"))
        allowed = next(starts, frozenset())
        for name in (name for name in BRACES.findall(text) if name not in allowed):
            what = f"nothing fills in {{{name}}} in {trail}"
            fix = f"there you may write {', '.join(sorted(allowed))}" if allowed else "take the braces out"
            raise SchemaError(what, fix=fix, place=Place(str(path)))
    if sorted(wording.questions.order) != sorted(QUESTIONS):
        what = f"the order of the questions is {', '.join(wording.questions.order)}"
        raise SchemaError(what, fix=f"name each of {', '.join(QUESTIONS)} once", place=Place(str(path)))
    test = wording.qualification
    if test.enough > len(test.questions):
        what = f"{test.enough} right answers are asked of {len(test.questions)} questions"
        raise SchemaError(what, fix="lower `enough`", place=Place(str(path)))
    for number, question in enumerate(test.questions, start=1):
        if max(question.right) > len(question.options):
            what = f"question {number} of the qualification has no answer {max(question.right)}"
            raise SchemaError(what, fix="count the answers from 1", place=Place(str(path)))
    return wording


def _texts(value: Any, trail: str) -> Iterator[tuple[str, str]]:
    """Yield (place, text) for every text below *value*; all elements of a list have the place of the list."""
    if isinstance(value, str):
        yield trail, value
    elif isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else (("", part) for part in value)
        for name, part in parts:
            yield from _texts(part, f"{trail}/{name}".strip("/"))


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """A question about one sentence as plain text, for services that make pages of their own."""

    field: str
    text: str
    choices: tuple[tuple[str, str], ...] = ()  # value and text of each answer; none for free text


def plain_questions(wording: Wording, sheet: Sheet) -> Iterator[list[PlainQuestion]]:
    """Yield the questions about each sentence of the task, with their words filled in."""
    statuses = tuple((status, str(getattr(wording.status, status))) for status in STATUSES)
    points = tuple((str(point), f"{point} – {text}") for point, text in enumerate(wording.scale.points))
    for number, (_, span, _) in enumerate(sheet.parts, start=1):
        words = {"head": sheet.head, "modifier": sheet.modifier, "nc": span}
        questions = [PlainQuestion(f"status_{number}", fill_in(wording.status.ask, **words), statuses)]
        for name in wording.questions.order:
            question: Question = getattr(wording.questions, name)
            text = fill_in(f"{question.ask} (0: {question.low} 5: {question.high})", **words)
            questions.append(PlainQuestion(f"{name}_{number}", text, points))
        labels = [fill_in(wording.synonyms.label, number=place) for place in range(1, SYNONYMS + 1)]
        labels[0] = f"{fill_in(wording.synonyms.ask, **words)} {wording.synonyms.hint}"
        questions += [PlainQuestion(f"synonym{place}_{number}", label) for place, label in enumerate(labels, start=1)]
        yield questions


def fill_in(text: str, **values: object) -> str:
    """Return *text* with each `{name}` replaced; braces inside a value stay as they are.

    >>> fill_in("Is {nc} a {head}?", nc="{head} owl", head="owl")
    'Is {head} owl a owl?'
    """
    return BRACES.sub(lambda match: str(values.get(match[1], match[0])), text)


def resource(name: str) -> str:
    """Return the text of a file of this room's `resources`."""
    return (files("ncimp.builder.annotation") / "resources" / name).read_text(encoding="utf-8")


def _escape(value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(str(escape(value)).replace("$", "&#36;"))  # noqa: S704 (escaped)


def _placed(text: str, number: int) -> Markup:
    places = {"head": "head", "modifier": "modifier", "nc": f"span_{number}"}
    values = {name: f"<bdi>${{{field}}}</bdi>" for name, field in places.items()}
    return Markup(fill_in(str(_escape(text)), **values))  # noqa: S704 (escaped)


@cache
def _templates() -> Environment:
    # dollars are escaped too: one would begin a placeholder
    templates = environment("ncimp.builder.annotation").overlay(finalize=_escape)
    templates.filters |= {"fill_in": fill_in, "placed": _placed}
    return templates


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
        questions=wording.questions.order,
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
