"""One assignment as a service gives it back, and the judgements that its fields say.

Every reader of a results format makes a `Returned` of each assignment; what the fields of the form mean is known here
alone: `status_1`, `head_1`, `modifier_1`, `comp_1`, `synonym1_1` and so on, one set per sentence of the task.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ncimp.builder.annotation.answers.anonymity import Anonymiser
from ncimp.builder.annotation.task.batch import STATUSES, SYNONYMS, ReadBatch, Scores, Task, TaskSentence
from ncimp.builder.records import Judgement, Status
from ncimp.schemas.errors import Place

QUESTIONS = ("comp", "head", "modifier")
SIMULATED = "simulated-"
"""How names of simulated annotators begin: their answers stay marked whatever batch they are imported with."""

LONGEST = 200
"""Characters of a synonym; a longer one is no synonym."""

SCORE = re.compile(r"[0-5](?:\.0+)?")
"""A score as a form or a spreadsheet writes it."""

ADDRESS = re.compile(r"\S@\S|https?://|www\.")
"""What says who wrote it: an address has no place among synonyms."""

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=$|[T ])")
UNIX_DATE = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) [\d:]{5,8} (?:\S+ )?(\d{4})")


@dataclass(frozen=True, slots=True)
class Returned:
    """One assignment as it came back; `problem` says why it cannot be read, where it cannot."""

    place: Place
    worker: str = ""
    assignment: str = ""
    task_id: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Answers by the name of the field, all as text."""
    submitted: str = ""
    seconds: str = ""
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """An answer that is set aside, with the reason; it names nobody."""

    file: str
    line: int | None
    task_id: str
    sentence: int | None
    assignment: str
    problem: str
    answers: Mapping[str, str]


class UnfitError(Exception):
    """An answer that is no judgement; its text says why."""


def judgements_of(
    returned: Returned, batch: ReadBatch, platform: str, names: Anonymiser
) -> Iterator[Judgement | Rejected]:
    """Yield a judgement, or why there is none, for each sentence of the assignment *returned*."""
    assignment = names.assignment(platform, returned.assignment)
    task = batch.by_id.get(returned.task_id)
    try:
        _check(returned)
        if task is None:
            raise UnfitError(
                f"the task {returned.task_id!r} is not one of batch {batch.info.batch}: another project's answer?"
            )
        day, seconds = _day(returned.submitted), _seconds(returned.seconds)
    except UnfitError as error:
        yield _rejected(returned, None, assignment, str(error))
        return
    for number, sentence in _asked(task, returned.fields):
        try:
            status = _status(returned.fields, number)
            scores = {name: _score(returned.fields, name, number, status) for name in QUESTIONS}
            synonyms = tuple(_synonyms(returned, number))
        except UnfitError as error:
            yield _rejected(returned, number, assignment, str(error))
            continue
        yield Judgement(
            campaign=batch.info.batch,
            platform=platform,
            annotator=names.annotator(platform, returned.worker),
            assignment=assignment,
            task_id=task.task_id,
            kind=task.kind,
            mode=task.mode,
            lang=task.lang,
            compound_id=task.compound_id,
            item_id=sentence.item_id if sentence else None,
            context=sentence.context if sentence else None,
            status=status,
            **scores,
            synonyms=synonyms,
            day=day,
            seconds=seconds,
            passed=_passed(task, status, scores),
            excluded=None,
            simulated=batch.info.simulated or returned.worker.startswith(SIMULATED),
        )


def _check(returned: Returned) -> None:
    if returned.problem is not None:
        raise UnfitError(returned.problem)
    for name in ("worker", "assignment", "task_id"):
        if not getattr(returned, name):
            raise UnfitError(f"no {name}")
    said = returned.fields.get("task_id", returned.task_id)
    if said != returned.task_id:
        raise UnfitError(f"the answer names the task {said!r}, its input {returned.task_id!r}")


def _asked(task: Task, fields: Mapping[str, str]) -> Iterator[tuple[int, TaskSentence | None]]:
    """Yield the number of each sentence that the form asked about; None where one answer is for all of them."""
    together = len(task.sentences) > 1 and not any(re.fullmatch(r"[a-z]+_[2-9]", name) for name in fields)
    if together:
        yield 1, None
        return
    yield from enumerate(task.sentences, start=1)


def _status(fields: Mapping[str, str], number: int) -> Status:
    value = fields.get(f"status_{number}", "").strip()
    if value == "" and fields.get(f"comp_{number}", "").strip():
        return "judged"  # forms without the question
    for status in STATUSES:
        if value == status:
            return status
    raise UnfitError(f"status_{number} is {_short(value)!r}, not one of {', '.join(STATUSES)}")


def _score(fields: Mapping[str, str], name: str, number: int, status: Status) -> int | None:
    text = fields.get(f"{name}_{number}", "").strip()
    if status != "judged":
        return None  # a score chosen before "I don't know" was
    if not SCORE.fullmatch(text):
        raise UnfitError(f"{name}_{number} is {_short(text)!r}, not a score from 0 to 5")
    return int(text[0])


def _synonyms(returned: Returned, number: int) -> Iterator[str]:
    for place in range(1, SYNONYMS + 1):
        text = clean_text(returned.fields.get(f"synonym{place}_{number}", ""))
        if len(text) > LONGEST:
            raise UnfitError(f"synonym{place}_{number} has {len(text):,} characters, more than {LONGEST}")
        if ADDRESS.search(text) or (returned.worker and returned.worker in text):
            raise UnfitError(f"synonym{place}_{number} holds an address or a name, which may not be kept")
        if text:
            yield text


def clean_text(text: str) -> str:
    """Return *text* in Unicode form NFC on one line, without characters that turn its direction or cannot be seen."""
    spaced = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    seen = "".join(char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return unicodedata.normalize("NFC", " ".join(seen.split()))


def _day(text: str) -> str | None:
    """Return the day of a moment as a service writes it; finer than a day nothing is kept."""
    text = text.strip()
    if not text:
        return None
    if iso := ISO_DAY.match(text):
        return iso[0]
    if (unix := UNIX_DATE.fullmatch(text)) and unix[1] in MONTHS:
        return f"{unix[3]}-{MONTHS.index(unix[1]) + 1:02}-{int(unix[2]):02}"
    raise UnfitError(f"{_short(text)!r} is no date that is known")


def _seconds(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not re.fullmatch(r"\d{1,7}(?:\.\d+)?", text):
        raise UnfitError(f"the time {_short(text)!r} is no number of seconds")
    return round(float(text))


def _passed(task: Task, status: Status, scores: Mapping[str, int | None]) -> bool | None:
    expected = task.expected
    if task.kind == "item" or expected is None:
        return None
    if status != expected.answer:
        return False
    bounds: dict[str, Scores | None] = {name: getattr(expected, name) for name in QUESTIONS}
    return all(_within(scores[name], bound) for name, bound in bounds.items())


def _within(score: int | None, bounds: Scores | None) -> bool:
    return score is None or bounds is None or bounds[0] <= score <= bounds[1]


def _rejected(returned: Returned, number: int | None, assignment: str, problem: str) -> Rejected:
    kept = {name: _short(clean_text(value), 80) for name, value in sorted(returned.fields.items())}
    place = returned.place
    hidden = {name: "(hidden)" if _tells(value, returned) else value for name, value in kept.items()}
    return Rejected(place.file, place.line, _short(returned.task_id), number, assignment, problem, hidden)


def _tells(value: str, returned: Returned) -> bool:
    return bool(ADDRESS.search(value)) or bool(returned.worker and returned.worker in value)


def _short(text: str, length: int = 40) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
