"""The results file: one assignment a row, in the columns of Mechanical Turk's results CSV.

Written aside and renamed, sorted, all cells quoted: collecting twice gives the same bytes. A row that was collected
once stays, even when the service has forgotten it. A cell that a spreadsheet would take for a formula gets an
apostrophe before it. The file names workers: it stays with the user, and `ncimp annotate import` anonymises it.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ncimp.builder.annotation.launch.batch import LaunchBatch, read_csv
from ncimp.builder.annotation.launch.errors import LaunchError
from ncimp.builder.annotation.launch.journal import PRIVATE_FOLDER
from ncimp.schemas.errors import Place
from ncimp.schemas.files import atomic_path

BEFORE = (
    "HITId",
    "HITTypeId",
    "Title",
    "Description",
    "Keywords",
    "Reward",
    "CreationTime",
    "MaxAssignments",
    "RequesterAnnotation",
    "AssignmentDurationInSeconds",
    "AutoApprovalDelayInSeconds",
    "Expiration",
    "NumberOfSimilarHITs",
    "LifetimeInSeconds",
    "AssignmentId",
    "WorkerId",
    "AssignmentStatus",
    "AcceptTime",
    "SubmitTime",
    "AutoApprovalTime",
    "ApprovalTime",
    "RejectionTime",
    "RequesterFeedback",
    "WorkTimeInSeconds",
    "LifetimeApprovalRate",
    "Last30DaysApprovalRate",
    "Last7DaysApprovalRate",
)
AFTER = ("Approve", "Reject")
"""The columns of a results file around its `Input.*` and `Answer.*`."""

UNREADABLE = "Answer.unreadable"
"""Where answers stand, as they came, that could not be read."""

Cells = Mapping[str, str]


def merge(path: Path, rows: Iterable[Cells], batch: LaunchBatch) -> list[Cells]:
    """Return *rows*, and those in the file at *path* that are not among them, in the order of tasks and assignments.

    A row of another project is a `LaunchError`: nothing foreign gets into the file.
    """
    held = read_csv(path)[1] if path.exists() else []
    if any("AssignmentId" not in row for _, row in held):
        raise LaunchError(
            "not a results file: no column AssignmentId", fix="give another --out", place=Place(str(path))
        )
    merged: dict[str, Cells] = {row["AssignmentId"]: row for _, row in held}
    for row in rows:
        merged[row["AssignmentId"]] = row
    order = {task: number for number, task in enumerate(batch.rows)}
    for row in merged.values():
        if row.get("Input.task_id") not in order:
            what = f"assignment {row.get('AssignmentId')!r} is of a task that is not in the batch"
            raise LaunchError(what, fix="collect into the records of its own batch", place=Place(str(path)))
    return sorted(merged.values(), key=lambda row: (order[row["Input.task_id"]], _natural(row["AssignmentId"])))


def _natural(identity: str) -> tuple[int, str]:
    """Order ids that are numbers by their value, others by their characters."""
    return (int(identity), "") if identity.isascii() and identity.isdigit() else (0, identity)


def write_results(path: Path, rows: Iterable[Cells], batch: LaunchBatch) -> None:
    """Write *rows* to *path* with every column that one of them has, for the eyes of the user only."""
    rows = list(rows)
    columns = _columns(rows, batch)
    before = os.umask(0o777 & ~PRIVATE_FOLDER)  # it names workers: nobody else may read it, not for a moment
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, columns, rows)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise LaunchError(what, fix="make room, or give another --out", place=Place(str(path))) from None
    finally:
        os.umask(before)


def _write(path: Path, columns: Sequence[str], rows: Iterable[Cells]) -> None:
    with atomic_path(path) as aside, aside.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="", quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _columns(rows: Iterable[Cells], batch: LaunchBatch) -> list[str]:
    known = [*BEFORE, *(f"Input.{name}" for name in batch.columns)]
    found = {name for row in rows for name in row} - set(known) - set(AFTER)
    answers = sorted((name for name in found if name.startswith("Answer.")), key=_numbered)
    others = sorted(found - set(answers))
    return [*known, *answers, *others, *AFTER]


def _numbered(name: str) -> tuple[int, str]:
    """Order the fields of a form by the number of their sentence, then by name."""
    number = re.search(r"_(\d+)(?:\.\d+)?$", name, re.ASCII)
    return int(number[1]) if number else 0, name
