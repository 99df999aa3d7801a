"""Read `annotation.toml` of a language pack: every word that annotators read, and the worked examples.

The wording is authored for this project. Names in braces are filled in: words of the task (`{head}`, `{modifier}`,
`{nc}`), a place (`{number}`, `{count}`), or the requester (`{contact}`); any other name in braces is an error.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from ncimp.builder.annotation.task.batch import QUESTIONS, STATUSES, SYNONYMS, Sheet
from ncimp.schemas import Place, Row, SchemaError, SourceError, read_text
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
    _check_braces(row, path)
    test = wording.qualification
    if test.enough > len(test.questions):
        what = f"{test.enough} right answers are asked of {len(test.questions)} questions"
        raise SchemaError(what, fix="lower `enough`", place=Place(str(path)))
    for number, question in enumerate(test.questions, start=1):
        if max(question.right) > len(question.options):
            what = f"question {number} of the qualification has no answer {max(question.right)}"
            raise SchemaError(what, fix="count the answers from 1", place=Place(str(path)))
    return wording


def _check_braces(row: Row, path: Path) -> None:
    for trail, text in _texts(row, ""):
        allowed = next(
            (names for start, names in FILLED_IN.items() if f"{trail}/".startswith(f"{start}/")), frozenset()
        )
        for name in BRACES.findall(text):
            if name not in allowed:
                what = f"nothing fills in {{{name}}} in {trail}"
                fix = f"there you may write {', '.join(sorted(allowed))}" if allowed else "take the braces out"
                raise SchemaError(what, fix=fix, place=Place(str(path)))


def _texts(value: Any, trail: str) -> Iterator[tuple[str, str]]:
    """Yield (place, text) for every text below *value*; all elements of a list have the place of the list."""
    if isinstance(value, str):
        yield trail, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _texts(part, f"{trail}/{name}".lstrip("/"))
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, trail)


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """A question about one sentence as plain text, for services that make pages of their own."""

    field: str
    text: str
    choices: tuple[tuple[str, str], ...] = ()  # value and text of each answer; none for free text


def plain_questions(wording: Wording, sheet: Sheet) -> Iterator[PlainQuestion]:
    """Yield every question of the task, sentence by sentence, with its words filled in."""
    statuses = tuple((status, str(getattr(wording.status, status))) for status in STATUSES)
    points = tuple((str(point), f"{point} – {text}") for point, text in enumerate(wording.scale.points))
    for number, (_, span, _) in enumerate(sheet.parts, start=1):
        words = {"head": sheet.head, "modifier": sheet.modifier, "nc": span}
        yield PlainQuestion(f"status_{number}", fill_in(wording.status.ask, **words), statuses)
        for name in QUESTIONS:
            question: Question = getattr(wording.questions, name)
            ask, low, high = (fill_in(text, **words) for text in (question.ask, question.low, question.high))
            yield PlainQuestion(f"{name}_{number}", f"{ask} (0: {low} 5: {high})", points)
        for place in range(1, SYNONYMS + 1):
            label = fill_in(wording.synonyms.label, number=place)
            first = f"{fill_in(wording.synonyms.ask, **words)} {wording.synonyms.hint}"
            yield PlainQuestion(f"synonym{place}_{number}", first if place == 1 else label)


def fill_in(text: str, **values: object) -> str:
    """Return *text* with each `{name}` replaced; braces inside a value stay as they are.

    >>> fill_in("Is {nc} a {head}?", nc="{head} owl", head="owl")
    'Is {head} owl a owl?'
    """
    return BRACES.sub(lambda match: str(values.get(match[1], match[0])), text)
