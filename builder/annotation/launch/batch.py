"""Read an exported batch for launching, and merge collected answers into its results file.

The results file has one assignment a row in the columns of Mechanical Turk's results CSV. It is sorted, all cells are
quoted, and it is written aside and renamed: collecting twice gives the same bytes. A row that was collected once stays,
even when the service has deleted it. The file names workers: it stays with the user, and `ncimp annotate import`
pseudonymises it.
"""

import csv
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ncimp.builder.annotation.launch.journal import PRIVATE_FOLDER, LaunchError
from ncimp.builder.annotation.task.batch import INFO, Batch, read_checked_info
from ncimp.builder.annotation.task.cells import read_csv
from ncimp.schemas.errors import Place, SchemaError, SourceError, UsageError
from ncimp.schemas.files import atomic_path

TASKS = "tasks.csv"
AGAIN = "export the batch again"

BEFORE = (
    *("HITId", "HITTypeId", "Title", "Description", "Keywords", "Reward", "CreationTime", "MaxAssignments"),
    *("RequesterAnnotation", "AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds", "Expiration"),
    *("NumberOfSimilarHITs", "LifetimeInSeconds", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime"),
    *("SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime", "RequesterFeedback", "WorkTimeInSeconds"),
    *("LifetimeApprovalRate", "Last30DaysApprovalRate", "Last7DaysApprovalRate"),
)
AFTER = ("Approve", "Reject")
"""Columns of a results file before and after its `Input.*` and `Answer.*`."""

UNREADABLE = "Answer.unreadable"
"""Column of answers that could not be read, as they came."""

Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LaunchBatch:
    """An exported batch: its folder, its description, and one row per task by the name of the placeholder it fills."""

    folder: Path
    info: Batch
    columns: tuple[str, ...]
    rows: Mapping[str, Cells]
    """Cells by column, by task id, in the order of the file."""

    def text(self, name: str) -> str:
        """Return the text of the file *name* of the batch, which it must have."""
        if name not in self.info.files:
            what = f"the batch has no {name}: it is for {self.info.to!r}"
            raise UsageError(what, fix="export it for the service to which it goes")
        try:
            return (self.folder / name).read_bytes().decode("utf-8")  # not NFC: a sentence stays as it was written
        except (OSError, UnicodeDecodeError) as error:
            raise SourceError(
                f"cannot be read ({type(error).__name__})", fix=AGAIN, place=Place(str(self.folder / name))
            ) from None


def read_launch_batch(folder: Path) -> LaunchBatch:
    """Return the batch in *folder*; a file that is missing, or that was changed after export, is a `SourceError`."""
    info = read_checked_info(folder)
    if TASKS not in info.files:
        what = f"the batch has no {TASKS}: it is for {info.to!r}"
        raise SourceError(what, fix="export it with --to mturk or --to turkle", place=Place(str(folder / INFO)))
    columns, rows = read_csv(folder / TASKS)
    if "task_id" not in columns or not rows:
        raise SchemaError("no column task_id, or no task", fix=AGAIN, place=Place(str(folder / TASKS), 1))
    by_task = {row["task_id"]: row for _, row in rows}
    if len(by_task) != len(rows):
        raise SchemaError("a task id stands twice", fix=AGAIN, place=Place(str(folder / TASKS)))
    return LaunchBatch(folder, info, columns, by_task)


def merge_results(path: Path, rows: Iterable[Cells], batch: LaunchBatch) -> list[Cells]:
    """Return *rows*, and those in the file at *path* that are not among them, in the order of tasks and assignments.

    A row of another project is a `LaunchError`: nothing foreign gets into the file.
    """
    earlier = [row for _, row in read_csv(path)[1]] if path.exists() else []
    if any("AssignmentId" not in row for row in earlier):
        what = "not a results file: no column AssignmentId"
        raise LaunchError(what, fix="give another --out", place=Place(str(path)))
    merged: dict[str, Cells] = {row["AssignmentId"]: row for row in [*earlier, *rows]}
    order = {task: number for number, task in enumerate(batch.rows)}
    for row in merged.values():
        if row.get("Input.task_id") not in order:
            what = f"assignment {row.get('AssignmentId')!r} is of a task that is not in the batch"
            raise LaunchError(what, fix="collect into the records of its own batch", place=Place(str(path)))

    def natural(row: Cells) -> tuple[int, int, str]:
        identity = row["AssignmentId"]  # ids that are numbers by their value, others by their characters
        is_number = identity.isascii() and identity.isdigit()
        return order[row["Input.task_id"]], int(identity) if is_number else 0, "" if is_number else identity

    return sorted(merged.values(), key=natural)


def write_results(path: Path, rows: Iterable[Cells], batch: LaunchBatch) -> None:
    """Write *rows* to *path* with every column that one of them has, readable by the user alone."""
    rows = list(rows)
    columns = [*BEFORE, *(f"Input.{name}" for name in batch.columns)]
    others = sorted({name for row in rows for name in row} - set(columns) - set(AFTER))
    answers = sorted((name for name in others if name.startswith("Answer.")), key=_sentence_and_name)
    columns += [*answers, *(name for name in others if name not in answers), *AFTER]
    umask = os.umask(0o777 & ~PRIVATE_FOLDER)  # it names workers: nobody else may read it, not for a moment
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as aside, aside.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, restval="", quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise LaunchError(what, fix="make room, or give another --out", place=Place(str(path))) from None
    finally:
        os.umask(umask)


def _sentence_and_name(field: str) -> tuple[int, str]:
    number = re.search(r"_(\d+)(?:\.\d+)?$", field, re.ASCII)
    return int(number[1]) if number else 0, field
