"""Word-by-word changes to a sentence: applied together, with spans that follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ncimp.builder.records import CarrierEdit, MarkedSentence, Span


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one stretch of a sentence: its old span, its new text, and the rule that asked for it."""

    span: Span
    after: str
    rule: str


def apply_edits(sentence: MarkedSentence, edits: Iterable[Edit]) -> tuple[MarkedSentence, tuple[CarrierEdit, ...]]:
    """Return the sentence with *edits* made, its spans moved along, and the changes outside the NC as records.

    The edit whose span is the NC's own is the replacement; it is not recorded as a carrier edit.
    """
    ordered = sorted(edits, key=lambda edit: edit.span)
    text, moved = sentence.text, dict[Span, Span]()
    shift = 0
    for edit in ordered:
        start, end = edit.span[0] + shift, edit.span[1] + shift
        text = text[:start] + edit.after + text[end:]
        moved[edit.span] = (start, start + len(edit.after))
        shift += len(edit.after) - (edit.span[1] - edit.span[0])
    records = tuple(
        CarrierEdit(moved[edit.span][0], sentence.text[slice(*edit.span)], edit.after, edit.rule)
        for edit in ordered
        if edit.span != sentence.span and sentence.text[slice(*edit.span)] != edit.after
    )
    return _move_spans(sentence, text, ordered), records


def _move_spans(sentence: MarkedSentence, text: str, edits: list[Edit]) -> MarkedSentence:
    def move(span: Span) -> Span:
        before = sum(len(edit.after) - (edit.span[1] - edit.span[0]) for edit in edits if edit.span < span)
        own = next((edit for edit in edits if edit.span == span), None)
        start = span[0] + before
        return start, start + (len(own.after) if own else span[1] - span[0])

    return MarkedSentence(
        text, move(sentence.span), tuple(map(move, sentence.agreeing)), tuple(map(move, sentence.fixed))
    )


def same_case(word: str, model: str) -> str:
    """Return *word* with a capital first letter where *model* has one, in capitals where *model* is in capitals.

    >>> same_case("an", "A"), same_case("uma", "um"), same_case("estas", "ESTE")
    ('An', 'uma', 'ESTAS')
    """
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
