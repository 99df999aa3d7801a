"""`annotation.toml` of a language pack: every word that annotators read, and the worked examples.

The wording is authored for this project. Braces stand for what a task fills in (`{head}`, `{modifier}`, `{nc}`),
for a place (`{number}`, `{count}`), or for who asks (`{contact}`); a name in braces that nothing fills in is an error.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ncimp.schemas.errors import Place, SchemaError, SourceError
from ncimp.schemas.files import Row, read_text
from ncimp.schemas.records import from_row

FILE = "annotation.toml"
"""Name of the wording inside a pack; a pack may be without, and then asks nobody."""

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
}
"""What may stand in braces, by the place in the file; nothing anywhere else."""


@dataclass(frozen=True, slots=True)
class About:
    """Where the wording is from, and how its language is written."""

    language: str
    direction: Literal["ltr", "rtl"]
    author: str
    licence: str


@dataclass(frozen=True, slots=True)
class TaskWording:
    """The task as a whole."""

    title: str
    description: str
    keywords: tuple[str, ...]
    intro: str
    intro_type: str
    steps_title: str
    steps: tuple[str, ...]
    sentence: str
    marked: str
    marked_end: str
    submit: str


@dataclass(frozen=True, slots=True)
class StatusWording:
    """The question whether a sentence can be judged at all."""

    ask: str
    judged: str
    unknown: str
    nonsense: str
    note: str


@dataclass(frozen=True, slots=True)
class ScaleWording:
    """What the points of every score mean, from 0 to 5."""

    points: tuple[str, str, str, str, str, str]
    note: str


@dataclass(frozen=True, slots=True)
class Question:
    """One score: its heading, the question, and what the two ends of the scale mean."""

    legend: str
    ask: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Questions:
    """The three scores."""

    head: Question
    modifier: Question
    comp: Question


@dataclass(frozen=True, slots=True)
class SynonymWording:
    """Other expressions for the same thing."""

    legend: str
    ask: str
    hint: str
    label: str


@dataclass(frozen=True, slots=True)
class Messages:
    """What the page says when something is missing."""

    status: str
    score: str
    summary: str
    preview: str
    shown: str


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example; its expression stands in square brackets."""

    sentence: str
    compound: str
    head: str
    modifier: str
    head_score: int
    modifier_score: int
    comp_score: int
    synonyms: tuple[str, ...]
    why: str

    @property
    def parts(self) -> tuple[str, str, str]:
        """The text before the expression, the expression, the text after it."""
        before, rest = self.sentence.split("[", 1)
        span, after = rest.split("]", 1)
        return before, span, after


@dataclass(frozen=True, slots=True)
class Consent:
    """What people must know before they take part."""

    title: str
    text: tuple[str, ...]
    contact: str
    ask: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class TestQuestion:
    """One question of the qualification; right answers are counted from 1."""

    __test__ = False  # its name is not for pytest

    text: str
    options: tuple[str, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Qualification:
    """A short test before the first task."""

    title: str
    description: str
    intro: str
    enough: int
    questions: tuple[TestQuestion, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """Everything that annotators read in one language (`annotation_wording`)."""

    format: Literal[1]
    about: About
    task: TaskWording
    status: StatusWording
    scale: ScaleWording
    questions: Questions
    synonyms: SynonymWording
    messages: Messages
    examples_title: str
    examples_note: str
    examples: tuple[Example, ...]
    consent: Consent
    qualification: Qualification


def read_wording(pack: Path) -> Wording:
    """Return the wording of the language pack in the folder *pack*, or raise `SourceError` or `SchemaError`."""
    path = pack / FILE
    if not path.is_file():
        fix = "write one as docs/how-to/annotate.md says, or take the project's packs"
        raise SourceError(f"the pack has no {FILE}, so nobody can be asked", fix=fix, place=Place(str(pack)))
    try:
        row = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SchemaError(f"not TOML ({error})", fix="mend the line it names", place=Place(str(path))) from None
    wording = from_row(Wording, row, table="annotation_wording", place=Place(str(path)))
    _check_braces(row, path)
    _check_test(wording.qualification, path)
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


def _check_test(test: Qualification, path: Path) -> None:
    if test.enough > len(test.questions):
        what = f"{test.enough} right answers are asked of {len(test.questions)} questions"
        raise SchemaError(what, fix="lower `enough`", place=Place(str(path)))
    for number, question in enumerate(test.questions, start=1):
        if max(question.right) > len(question.options):
            what = f"question {number} of the qualification has no answer {max(question.right)}"
            raise SchemaError(what, fix="count the answers from 1", place=Place(str(path)))


def fill_in(text: str, **values: str) -> str:
    """Return *text* with each `{name}` replaced; what a value holds is not looked at again.

    >>> fill_in("Is {nc} a {head}?", nc="{head} owl", head="owl")
    'Is {head} owl a owl?'
    """
    return BRACES.sub(lambda match: values.get(match[1], match[0]), text)
