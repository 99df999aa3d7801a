"""Results of a service into the folder of a campaign: nothing is lost, nothing is added twice, and nobody is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from ncimp.builder.annotation.answers.anonymity import Anonymiser
from ncimp.builder.annotation.answers.judgements import (
    IMPORT,
    JUDGEMENTS,
    REJECTED,
    declared_rules,
    identity,
    read_judgements,
    read_rejected,
    write_judgements,
)
from ncimp.builder.annotation.answers.returned import Rejected, Returned, judgements_of
from ncimp.builder.annotation.answers.rules import Rules
from ncimp.builder.annotation.services.label_studio_import import read_label_studio
from ncimp.builder.annotation.services.mturk_import import read_mturk
from ncimp.builder.annotation.services.prolific_import import read_prolific
from ncimp.builder.annotation.task.batch import ReadBatch
from ncimp.builder.records import Judgement
from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import Row, read_json, write_json, write_jsonl
from ncimp.schemas.hashing import file_hash, value_hash

Format = Literal["csv", "label-studio", "prolific"]

READERS: dict[Format, Callable[[Path], Iterator[Returned]]] = {
    "csv": read_mturk,
    "label-studio": read_label_studio,
    "prolific": read_prolific,
}
SUFFIXES: dict[str, Format] = {".csv": "csv", ".json": "label-studio", ".jsonl": "prolific"}

DIFFERS = "differs from the answer that was imported earlier, which is kept"


@dataclass(slots=True)
class Imported:
    """What became of the answers of one import."""

    judgements: list[Judgement] = field(default_factory=list)
    """All of the campaign, those of earlier imports too."""
    rejected: list[Rejected] = field(default_factory=list)
    """Of this import."""
    assignments: int = 0
    """Rows read now."""
    answers: int = 0
    """Judgements read now."""
    known: int = 0
    """Judgements read now that had been imported before."""


def format_of(path: Path) -> Format:
    """Return the format of *path* by its suffix, or raise `UsageError`."""
    if path.suffix.lower() not in SUFFIXES:
        fix = "give .csv (Mechanical Turk, Turkle), .json (Label Studio) or .jsonl (Prolific)"
        raise UsageError(f"{path}: no format of results ends in {path.suffix!r}", fix=fix)
    return SUFFIXES[path.suffix.lower()]


def import_results(
    paths: Sequence[Path], batch: ReadBatch, names: Anonymiser, folder: Path, rules: Rules | None
) -> Imported:
    """Add the results in *paths* to the campaign in *folder* and return what became of them.

    *rules* are declared with the first import and may not change later; None declares the defaults, or keeps those
    that were declared. Raises `UsageError` for other rules, `SchemaError` for a file that is no results.
    """
    declared = declared_rules(folder)
    if None not in (declared, rules) and declared != rules:
        what = f"other rules of exclusion were declared when {folder} was first imported"
        raise UsageError(what, fix="leave --rules out; a report may be asked for with others, and says so")
    earlier = read_judgements(folder) if (folder / JUDGEMENTS).is_file() else []
    found = Imported(judgements=list(earlier))
    held = {identity(row): row for row in earlier}
    for path in paths:
        _import_file(path, batch, names, held, found)
    found.judgements = list(held.values())
    _write(folder, paths, found, declared or rules or Rules())
    return found


def _import_file(
    path: Path, batch: ReadBatch, names: Anonymiser, held: dict[tuple[str, str, str, str], Judgement], found: Imported
) -> None:
    kind = format_of(path)
    platform = batch.info.to if kind != "csv" or batch.info.to in ("mturk", "turkle") else "mturk"
    for returned in READERS[kind](path):
        found.assignments += 1
        for row in judgements_of(returned, batch, platform, names):
            if isinstance(row, Rejected):
                found.rejected.append(row)
                continue
            found.answers += 1
            before = held.setdefault(identity(row), row)
            if before == row and before is not row:
                found.known += 1
            elif before != row:
                found.answers -= 1
                found.rejected.append(_conflict(row, returned))


def _conflict(row: Judgement, returned: Returned) -> Rejected:
    said = {name: str(getattr(row, name)) for name in ("status", "comp", "head", "modifier")}
    place = returned.place
    return Rejected(place.file, place.line, row.task_id, None, row.assignment, f"{row.item_id}: {DIFFERS}", said)


def _write(folder: Path, paths: Sequence[Path], found: Imported, rules: Rules) -> None:
    aside = _all_rejected(folder, found)
    files = {entry["sha256"]: entry for entry in _known_files(folder)}
    files |= {file_hash(path): {"name": path.name, "sha256": file_hash(path)} for path in paths}
    write_judgements(folder / JUDGEMENTS, found.judgements)
    write_jsonl(folder / REJECTED, aside)
    summary = {
        "files": [files[digest] for digest in sorted(files)],
        "judgements": len(found.judgements),
        "rejected": len(aside),
        "rules": rules.as_row(),
        "rules_sha256": value_hash(rules.as_row()),
    }
    write_json(folder / IMPORT, summary)


def _known_files(folder: Path) -> list[Row]:
    path = folder / IMPORT
    return list(read_json(path)["files"]) if path.is_file() else []


def _all_rejected(folder: Path, found: Imported) -> list[Row]:
    """Return what is set aside, of this import and of earlier ones, without what has come back mended."""
    fresh = [{**asdict(row), "file": Path(row.file).name} for row in found.rejected]
    mended = {(row.assignment, row.task_id) for row in found.judgements}
    rows = [row for row in (*read_rejected(folder), *fresh) if row in fresh or not _is_mended(row, mended)]
    unique = {value_hash(row): row for row in rows}
    return sorted(unique.values(), key=_rejected_order)


def _is_mended(row: Row, mended: Iterable[tuple[str, str]]) -> bool:
    return row["sentence"] is None and DIFFERS not in row["problem"] and (row["assignment"], row["task_id"]) in mended


def _rejected_order(row: Row) -> tuple[str, int, int, str]:
    return row["file"], row["line"] or 0, row["sentence"] or 0, row["problem"]
