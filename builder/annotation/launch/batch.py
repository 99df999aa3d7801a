"""What launching needs of a batch folder: what it is, and its rows, checked by their hashes."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ncimp.builder.annotation.task.batch import INFO, Batch, read_files
from ncimp.schemas.errors import Place, SchemaError, SourceError

TASKS = "tasks.csv"
TEMPLATE = "template.html"
QUESTION = "question.xml.template"
TEST, TEST_ANSWERS = "qualification_test.xml", "qualification_answers.xml"

LARGEST_CELL = 1 << 27
"""Longest cell that is read from a CSV file, in characters; Python's own limit is 128 KiB."""


@dataclass(frozen=True, slots=True)
class LaunchBatch:
    """An exported batch: its folder, what it is, and one row per task by the name of the placeholder it fills."""

    folder: Path
    info: Batch
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, str]]
    """Cells by column, by task id, in the order of the file."""

    def text(self, name: str) -> str:
        """Return the text of the file *name* of the batch."""
        try:
            return (self.folder / name).read_bytes().decode("utf-8")  # not NFC: a sentence stays as it was written
        except (OSError, UnicodeDecodeError) as error:
            what = f"cannot be read ({type(error).__name__})"
            raise SourceError(what, fix="export the batch again", place=Place(str(self.folder / name))) from None

    def has(self, name: str) -> bool:
        """Tell whether the batch has a file *name*."""
        return name in self.info.files


def read_launch_batch(folder: Path) -> LaunchBatch:
    """Return the batch in *folder*; a file that is missing, or that was changed after export, is a `SourceError`."""
    info = read_files(folder)
    if TASKS not in info.files:
        what = f"the batch has no {TASKS}: it is for {info.to!r}"
        raise SourceError(what, fix="export it with --to mturk or --to turkle", place=Place(str(folder / INFO)))
    return LaunchBatch(folder, info, *_read_tasks(folder / TASKS))


def _read_tasks(path: Path) -> tuple[tuple[str, ...], dict[str, dict[str, str]]]:
    columns, rows = read_csv(path)
    if "task_id" not in columns or not rows:
        fix = "export the batch again"
        raise SchemaError("no column task_id, or no task", fix=fix, place=Place(str(path), 1))
    by_task = {row["task_id"]: row for _, row in rows}
    if len(by_task) != len(rows):
        raise SchemaError("a task id stands twice", fix="export the batch again", place=Place(str(path)))
    return columns, by_task


def read_csv(path: Path) -> tuple[tuple[str, ...], list[tuple[int, dict[str, str]]]]:
    """Return the columns of *path*, and (number of its last line, row) for each row; every row has every column."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", fix="check the path", place=Place(str(path))) from None
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise SourceError(what, fix="save the file as UTF-8", place=Place(str(path))) from None
    return parse_csv(text, place=str(path))


def parse_csv(text: str, *, place: str) -> tuple[tuple[str, ...], list[tuple[int, dict[str, str]]]]:
    """Return what `read_csv` does, of *text*, which is called *place* in errors."""
    before = csv.field_size_limit(LARGEST_CELL)
    try:
        reader = csv.reader(io.StringIO(text, newline=""))
        columns = tuple(next(reader, ()))
        rows = [(reader.line_num, _row(columns, cells, Place(place, reader.line_num))) for cells in reader if cells]
    except csv.Error as error:
        raise SchemaError(f"not CSV ({error})", fix="fetch or export the file again", place=Place(place)) from None
    finally:
        csv.field_size_limit(before)
    return columns, rows


def _row(columns: tuple[str, ...], cells: list[str], place: Place) -> dict[str, str]:
    if len(cells) != len(columns):
        what = f"{len(cells)} cells where the header has {len(columns)}"
        raise SchemaError(what, fix="fetch or export the file again", place=place)
    return dict(zip(columns, cells, strict=True))
