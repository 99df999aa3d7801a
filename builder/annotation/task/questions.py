"""The questions of a task as plain text, for services that make pages of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ncimp.builder.annotation.task.batch import QUESTIONS, STATUSES, SYNONYMS, Sheet
from ncimp.builder.annotation.task.wording import Question, Wording, fill_in


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about one sentence: the field of its answer, the text, and the answers to choose from."""

    field: str
    text: str
    choices: tuple[tuple[str, str], ...] = ()
    """Value and text of each; none for free text."""


def status_choices(wording: Wording) -> tuple[tuple[str, str], ...]:
    """Return value and text of each answer to the question whether a sentence can be judged."""
    return tuple((status, str(getattr(wording.status, status))) for status in STATUSES)


def score_choices(wording: Wording) -> tuple[tuple[str, str], ...]:
    """Return value and text of each point of the scale, from 0 to 5."""
    return tuple((str(point), f"{point} – {text}") for point, text in enumerate(wording.scale.points))


def questions(wording: Wording, sheet: Sheet) -> Iterator[Asked]:
    """Yield every question of the task, sentence by sentence, with its words filled in."""
    for number, (_, span, _) in enumerate(sheet.parts, start=1):
        words = {"head": sheet.head, "modifier": sheet.modifier, "nc": span}
        yield Asked(f"status_{number}", fill_in(wording.status.ask, **words), status_choices(wording))
        for name in QUESTIONS:
            yield Asked(f"{name}_{number}", score_text(getattr(wording.questions, name), words), score_choices(wording))
        for place in range(1, SYNONYMS + 1):
            label = fill_in(wording.synonyms.label, number=str(place))
            text = f"{fill_in(wording.synonyms.ask, **words)} {wording.synonyms.hint}" if place == 1 else label
            yield Asked(f"synonym{place}_{number}", text)


def score_text(question: Question, words: dict[str, str]) -> str:
    """Return a question about a score with the meaning of both ends of its scale."""
    ask, low, high = (fill_in(text, **words) for text in (question.ask, question.low, question.high))
    return f"{ask} (0: {low} 5: {high})"
