"""Sentences that must not be passed on: released as the place of their text in a corpus, and what to change in it.

An item's sentence differs from the text in the corpus by the words that we put in, and by nothing that the corpus
has and we should not repeat. So the released row needs only where the text stands, and those changes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from ncimp.builder.records import Item, Origin, Standoff, TextEdit, TextSpan

PART = re.compile(r"\w+|\s+|[^\w\s]")
"""What is kept or changed as a whole: a word, a space, a mark."""


def standoff_of(item: Item, origin: Origin) -> Standoff:
    """Return *item* as the place of its text and the changes that make its sentence of it."""
    return Standoff(
        id=item.id,
        lang=item.lang,
        document=origin.document,
        start=origin.start,
        length=len(origin.text),
        edits=find_edits(origin.text, item.sentence),
        tokens=_token_spans(item.sentence, item.tokens),
        sha256=text_hash(item.sentence),
        licence=item.licence,
        split=item.split,
        release=item.release,
    )


def text_hash(text: str) -> str:
    """Return the sha256 (hex) of *text* in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def find_edits(before: str, after: str) -> tuple[TextEdit, ...]:
    """Return the changes, in order, that make *after* of *before*: whole words, and as few parts as can be.

    >>> find_edits("an eager beaver .", "An eager beaver.")
    (TextEdit(start=0, end=2, text='An'), TextEdit(start=15, end=16, text=''))
    """
    old, new = PART.findall(before), PART.findall(after)
    edits: list[TextEdit] = []
    position = 0
    for kept, taken, put in _steps(old, new):
        position += sum(map(len, kept))
        width = sum(map(len, taken))
        if taken or put:
            edits.append(TextEdit(position, position + width, "".join(put)))
        position += width
    return tuple(edits)


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """Return *text* with *edits* made."""
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


Step = tuple[list[str], list[str], list[str]]
"""Parts that are kept, then parts that go, then parts that come."""


def _steps(old: list[str], new: list[str]) -> list[Step]:
    """Return how *old* becomes *new*, with the longest common sequence kept; ties go to the earlier part of *old*."""
    lengths = _common_lengths(old, new)
    steps: list[Step] = [([], [], [])]
    row = column = 0
    while row < len(old) or column < len(new):
        if row < len(old) and column < len(new) and old[row] == new[column]:
            if steps[-1][1] or steps[-1][2]:
                steps.append(([], [], []))
            steps[-1][0].append(old[row])
            row, column = row + 1, column + 1
        elif column == len(new) or (row < len(old) and lengths[row + 1][column] >= lengths[row][column + 1]):
            steps[-1][1].append(old[row])
            row += 1
        else:
            steps[-1][2].append(new[column])
            column += 1
    return steps


def _common_lengths(old: list[str], new: list[str]) -> list[list[int]]:
    """Return the length of the longest common sequence of every pair of endings of *old* and *new*."""
    lengths = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for row in range(len(old) - 1, -1, -1):
        below, own = lengths[row + 1], lengths[row]
        for column in range(len(new) - 1, -1, -1):
            same = old[row] == new[column]
            own[column] = below[column + 1] + 1 if same else max(below[column], own[column + 1])
    return lengths


def _token_spans(sentence: str, tokens: Sequence[str]) -> tuple[TextSpan, ...]:
    spans, position = [], 0
    for token in tokens:
        start = sentence.index(token, position)
        position = start + len(token)
        spans.append(TextSpan(start, position))
    return tuple(spans)
