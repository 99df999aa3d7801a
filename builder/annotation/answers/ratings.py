"""Judgements as a matrix: a row per annotator, a column per judged sentence, empty (NaN) where nobody was asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ncimp.builder.records import Judgement

FloatArray: TypeAlias = npt.NDArray[np.float64]
Question = Literal["comp", "head", "modifier"]
QUESTIONS: tuple[Question, ...] = ("comp", "head", "modifier")
SCALE = range(6)
"""The points of a score."""

Unit = tuple[str, str | None]
"""What was judged: compound and item (None where one answer is for all its sentences)."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The scores of one question."""

    annotators: tuple[str, ...]
    units: tuple[Unit, ...]
    values: FloatArray
    """Shape (annotators, units)."""

    def of(self, annotators: Sequence[str]) -> Ratings:
        """Return the ratings of *annotators* on the sentences that all of them judged."""
        rows = self.values[[self.annotators.index(name) for name in annotators]]
        common = np.atleast_1d(~np.isnan(rows).any(axis=0))
        units = tuple(unit for unit, held in zip(self.units, common, strict=True) if held)
        return Ratings(tuple(annotators), units, rows[:, common])

    def among(self, compounds: Iterable[str]) -> Ratings:
        """Return the ratings of the sentences of *compounds*."""
        wanted = set(compounds)
        held = np.array([unit[0] in wanted for unit in self.units], dtype=bool)
        units = tuple(unit for unit in self.units if unit[0] in wanted)
        return Ratings(self.annotators, units, self.values[:, held])


def first_answers(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Return the judgements of items, of an annotator's several answers about one thing only the first (by day)."""
    ordered = sorted((row for row in judgements if row.kind == "item"), key=order)
    held: dict[tuple[str, str, str | None], Judgement] = {}
    for row in ordered:
        held.setdefault((row.annotator, row.compound_id, row.item_id), row)
    return sorted(held.values(), key=order)


def order(row: Judgement) -> tuple[str, ...]:
    """Return what judgements are sorted by: nothing of the order in which files were read."""
    parts = (row.lang, row.compound_id, row.item_id or "", row.annotator, row.day or "", row.campaign, row.assignment)
    return (row.kind, *parts, row.task_id)


def rate(judgements: Iterable[Judgement], question: Question) -> Ratings:
    """Return the scores that items got for *question*, annotators and units sorted."""
    rows = [row for row in first_answers(judgements) if getattr(row, question) is not None]
    annotators = tuple(sorted({row.annotator for row in rows}))
    units = tuple(sorted({(row.compound_id, row.item_id) for row in rows}, key=lambda unit: (unit[0], unit[1] or "")))
    places = {name: place for place, name in enumerate(annotators)}, {unit: place for place, unit in enumerate(units)}
    values = np.full((len(annotators), len(units)), np.nan)
    for row in rows:
        values[places[0][row.annotator], places[1][row.compound_id, row.item_id]] = getattr(row, question)
    return Ratings(annotators, units, values)
