"""Word-by-word changes to a sentence: applied together, with spans that follow."""

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

    def move(span: Span) -> Span:
        start = span[0] + sum(len(edit.after) - (edit.span[1] - edit.span[0]) for edit in ordered if edit.span < span)
        return start, start + next((len(edit.after) for edit in ordered if edit.span == span), span[1] - span[0])

    text = sentence.text
    for edit in reversed(ordered):
        text = text[: edit.span[0]] + edit.after + text[edit.span[1] :]
    records = tuple(
        CarrierEdit(move(edit.span)[0], sentence.text[slice(*edit.span)], edit.after, edit.rule)
        for edit in ordered
        if edit.span != sentence.span and sentence.text[slice(*edit.span)] != edit.after
    )
    agreeing, fixed = (tuple(map(move, spans)) for spans in (sentence.agreeing, sentence.fixed))
    return MarkedSentence(text, move(sentence.span), agreeing, fixed), records


def same_case(word: str, model: str) -> str:
    """Return *word* with a capital first letter where *model* has one, in capitals where *model* is in capitals.

    >>> same_case("an", "A"), same_case("uma", "um"), same_case("estas", "ESTE")
    ('An', 'uma', 'ESTAS')
    """
    if len(model) > 1 and model.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
