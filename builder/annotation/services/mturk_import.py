"""Results of Mechanical Turk and of Turkle: CSV in which `Input.*` is the task and `Answer.*` is what was answered.

A question with radio buttons has one of three shapes, which may be mixed in one file:

    Answer.head_1                       3                       the value itself
    Answer.head_1.3                     true                    one column per button (crowd-form, flattened)
    Answer.taskAnswers                  [{"head_1": "3"}]       everything as JSON; {"head_1": {"3": true, ...}} too

The apostrophe that `ncimp annotate collect` puts before an answer that begins like a formula is taken away.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.answers.text import read_results
from ncimp.builder.annotation.services.results_cells import as_typed
from ncimp.schemas.errors import Place, SchemaError

NEEDED = ("WorkerId", "AssignmentId", "Input.task_id")
ANSWER = "Answer."
TOGETHER = "Answer.taskAnswers"
TRUE = ("true", "on", "checked")
LARGEST_CELL = 1 << 26
"""Bytes of a cell that are still read, so that a huge answer is refused with its line and not with the whole file."""

LARGEST_ANSWER = 20_000
"""Characters of the answers of one assignment; a form of ours cannot give as many."""


def read_mturk(path: Path) -> Iterator[Returned]:
    """Yield every assignment of the results in *path*; a row that cannot be read comes with its problem."""
    text = read_results(path)
    limit = csv.field_size_limit(LARGEST_CELL)
    try:
        yield from _assignments(csv.reader(io.StringIO(text, newline="")), path)
    except csv.Error as error:
        raise SchemaError(
            f"not CSV ({error})", fix="take the file as it was downloaded", place=Place(str(path))
        ) from None
    finally:
        csv.field_size_limit(limit)


def _assignments(rows: Any, path: Path) -> Iterator[Returned]:
    header: list[str] = next(rows, [])
    missing = [name for name in NEEDED if name not in header]
    if missing or len(set(header)) != len(header):
        what = f"no column {', '.join(missing)}" if missing else "a column is there twice"
        fix = "give the results of a batch of ours, as they were downloaded"
        raise SchemaError(what, fix=fix, place=Place(str(path), 1))
    line = rows.line_num + 1
    for cells in rows:
        place, line = Place(str(path), line), rows.line_num + 1
        if not cells:
            continue  # an empty line
        if len(cells) != len(header):
            yield Returned(place, problem=f"{len(cells)} cells where the header has {len(header)}")
        else:
            yield _assignment(dict(zip(header, cells, strict=True)), place)


def _assignment(row: Mapping[str, str], place: Place) -> Returned:
    size = sum(len(value) for name, value in row.items() if name.startswith(ANSWER))
    problem = None
    fields: dict[str, str] = {}
    if size > LARGEST_ANSWER:
        problem = f"answers of {size:,} characters, more than {LARGEST_ANSWER:,}"
    else:
        fields, problem = _fields(row)
    if row.get("AssignmentStatus") == "Rejected":
        problem = "the assignment was rejected by its requester"
    return Returned(
        place,
        worker=row["WorkerId"].strip(),
        assignment=row["AssignmentId"].strip(),
        task_id=row["Input.task_id"].strip(),
        fields=fields,
        submitted=row.get("SubmitTime", ""),
        seconds=row.get("WorkTimeInSeconds", ""),
        problem=problem,
    )


def _fields(row: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """Return the answers by field whatever their shape, and what is wrong with them."""
    fields: dict[str, str] = {}
    for name, value in row.items():
        if not name.startswith(ANSWER) or name == TOGETHER:
            continue
        own, _, choice = name.removeprefix(ANSWER).partition(".")
        if not choice:
            fields.setdefault(own, as_typed(value))
        elif value.strip().lower() in TRUE:
            if fields.get(own, "").strip():
                return fields, f"{own} has two answers, {fields[own]} and {choice}"
            fields[own] = choice
    if row.get(TOGETHER, "").strip():
        try:
            fields |= _unpacked(json.loads(row[TOGETHER]))
        except (ValueError, TypeError, RecursionError):
            return fields, "Answer.taskAnswers is not JSON of the kind that a form gives"
    return fields, None


def _unpacked(value: Any) -> dict[str, str]:
    """Return the fields of `taskAnswers`: a list of one object, whose values are texts or buttons by their name."""
    if isinstance(value, list):
        (value,) = value
    if not isinstance(value, dict):
        raise TypeError
    fields = {}
    for name, given in value.items():
        if isinstance(given, dict):
            chosen = [choice for choice, on in given.items() if on is True]
            if len(chosen) > 1:
                raise ValueError(name)
            fields[name] = chosen[0] if chosen else ""
        else:
            fields[name] = "" if given is None else str(given)
    return fields
