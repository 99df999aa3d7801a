"""The folder of a campaign: what was imported, what was set aside, and the rules that were declared beforehand.

judgements.jsonl    one judgement a line (`annotation`), sorted; names nobody
rejected.jsonl      answers that are no judgements, each with the reason; names nobody
import.json         files that were read, counts, and the rules of exclusion with their hash
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ncimp.builder.annotation.answers.quality import measure_annotators
from ncimp.builder.annotation.answers.ratings import order
from ncimp.builder.annotation.answers.rules import Rules, broken_rules, rules_of
from ncimp.builder.records import Judgement
from ncimp.schemas.errors import Place, SchemaError, SourceError
from ncimp.schemas.files import Row, read_json, read_jsonl, write_jsonl
from ncimp.schemas.records import read_records, to_row

JUDGEMENTS, REJECTED, IMPORT = "judgements.jsonl", "rejected.jsonl", "import.json"

TABLE = "annotation"


def identity(row: Judgement) -> tuple[str, str, str, str]:
    """Return what makes two judgements the same answer: batch, assignment, task and sentence."""
    return row.campaign, row.assignment, row.task_id, row.item_id or ""


def write_judgements(path: Path, rows: Iterable[Judgement]) -> None:
    """Write *rows* to *path*, sorted, so that the order in which files were imported does not show."""
    write_jsonl(path, (to_row(row) for row in sorted(rows, key=order)))


def read_judgements(path: Path) -> list[Judgement]:
    """Return the judgements of the file, or of the folder of a campaign, *path*.

    Raises `SchemaError` or `SourceError` with the line of what is no judgement, or is there twice.
    """
    file = path / JUDGEMENTS if path.is_dir() else path
    if not file.is_file():
        fix = "give the folder that `ncimp annotate import` made"
        raise SourceError("there are no judgements", fix=fix, place=Place(str(file)))
    seen: dict[tuple[str, ...], int] = {}
    rows = []
    for number, row in read_records(file, Judgement, TABLE):
        first = seen.setdefault(identity(row), number)
        if first != number:
            what = f"the same answer as line {first}"
            raise SchemaError(what, fix="import the results again into a new folder", place=Place(str(file), number))
        if (row.status == "judged") != (None not in (row.comp, row.head, row.modifier)):
            what = f"{row.status}, and {'not all scores' if row.status == 'judged' else 'scores'}"
            raise SchemaError(what, fix="import the results again", place=Place(str(file), number))
        rows.append(row)
    return rows


def read_rejected(folder: Path) -> list[Row]:
    """Return the answers that were set aside, none where nothing was imported yet."""
    path = folder / REJECTED
    return [row for _, row in read_jsonl(path)] if path.is_file() else []


def declared_rules(folder: Path) -> Rules | None:
    """Return the rules that were declared when the campaign in *folder* was first imported, if they are known."""
    path = folder / IMPORT
    if not path.is_file():
        return None
    row = read_json(path)
    if not isinstance(row, dict) or not isinstance(row.get("rules"), dict):
        raise SchemaError("no rules", fix="import into a new folder", place=Place(str(path)))
    return rules_of(row["rules"], Place(str(path)))


def mark_excluded(judgements: Sequence[Judgement], rules: Rules) -> list[Judgement]:
    """Return *judgements* with the rules by which *rules* leave their annotator out."""
    broken = {row.annotator: " ".join(broken_rules(row, rules)) or None for row in measure_annotators(judgements)}
    return [replace(row, excluded=broken[row.annotator]) for row in judgements]
