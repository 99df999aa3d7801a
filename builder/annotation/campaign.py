"""The folder of a campaign: import results of a service so that nothing is lost, added twice, or named.

judgements.jsonl    one judgement a line (`annotation`), sorted; names nobody
rejected.jsonl      answers that are not judgements, each with the reason; names nobody
import.json         files that were read, counts, and the rules of exclusion with their hash
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ncimp.builder.annotation.answers.annotators import Rules, rules_of, sort_key
from ncimp.builder.annotation.answers.returned import Pseudonyms, Rejected, Returned, judgements_of
from ncimp.builder.annotation.services.label_studio import LABEL_STUDIO
from ncimp.builder.annotation.services.mturk import MTURK
from ncimp.builder.annotation.services.prolific import PROLIFIC
from ncimp.builder.annotation.services.service import Service
from ncimp.builder.annotation.services.turkle import TURKLE
from ncimp.builder.annotation.task.batch import ReadBatch
from ncimp.builder.records import Judgement
from ncimp.schemas import Place, Row, SchemaError, SourceError, UsageError, files
from ncimp.schemas.records import read_records, to_row

SERVICES = {service.name: service for service in (MTURK, TURKLE, LABEL_STUDIO, PROLIFIC)}
JUDGEMENTS, REJECTED, IMPORT = "judgements.jsonl", "rejected.jsonl", "import.json"

DIFFERS = "differs from the answer that was imported earlier, which is kept"

Identity = tuple[str, str, str, str]  # batch, assignment, task and sentence: the same answer has the same


@dataclass(slots=True)
class Imported:
    """The result of one import."""

    judgements: list[Judgement] = field(default_factory=list)  # all of the campaign, those of earlier imports too
    rejected: list[Rejected] = field(default_factory=list)  # of this import
    assignments: int = 0  # rows of this import
    answers: int = 0  # judgements of this import
    known: int = 0  # judgements of this import that had been imported before


def identity(row: Judgement) -> Identity:
    """Return the identity of the answer *row*."""
    return row.campaign, row.assignment, row.task_id, row.item_id or ""


def write_judgements(path: Path, rows: Iterable[Judgement]) -> None:
    """Write *rows* to *path*, sorted, so that the order in which files were imported does not show."""
    files.write_jsonl(path, (to_row(row) for row in sorted(rows, key=sort_key)))


def read_judgements(path: Path) -> list[Judgement]:
    """Return the judgements of a file or campaign; a row that is none, or is there twice, is a `SchemaError`."""
    file = path / JUDGEMENTS if path.is_dir() else path
    if not file.is_file():
        fix = "give the folder that `ncimp annotate import` made"
        raise SourceError("there are no judgements", fix=fix, place=Place(str(file)))
    lines: dict[Identity, int] = {}
    rows = []
    for number, row in read_records(file, Judgement, "annotation"):
        first = lines.setdefault(identity(row), number)
        if first != number:
            what = f"the same answer as line {first}"
            raise SchemaError(what, fix="import the results again into a new folder", place=Place(str(file), number))
        if (row.status == "judged") != (None not in (row.comp, row.head, row.modifier)):
            what = f"{row.status}, and {'not all scores' if row.status == 'judged' else 'scores'}"
            raise SchemaError(what, fix="import the results again", place=Place(str(file), number))
        rows.append(row)
    return rows


def read_rejected(folder: Path) -> list[Row]:
    """Return the answers that imports into *folder* set aside."""
    return [row for _, row in files.read_jsonl(folder / REJECTED)] if (folder / REJECTED).is_file() else []


def declared_rules(folder: Path) -> Rules | None:
    """Return the rules that the first import into *folder* declared, None before it."""
    path = folder / IMPORT
    if not path.is_file():
        return None
    row = files.read_json(path)
    if not isinstance(row, dict) or not isinstance(row.get("rules"), dict):
        raise SchemaError("no rules", fix="import into a new folder", place=Place(str(path)))
    return rules_of(row["rules"], Place(str(path)))


def service_of_results(path: Path) -> Service:
    """Return the first service whose results have the suffix of *path*, or raise `UsageError`."""
    service = next((one for one in SERVICES.values() if one.suffix == path.suffix.lower()), None)
    if service is None:
        fix = "give .csv (Mechanical Turk, Turkle), .json (Label Studio) or .jsonl (Prolific)"
        raise UsageError(f"{path}: no format of results ends in {path.suffix!r}", fix=fix)
    return service


def import_results(
    paths: Sequence[Path], batch: ReadBatch, names: Pseudonyms, folder: Path, rules: Rules | None
) -> Imported:
    """Add the results in *paths* to the campaign in *folder*; one that is not a results file is a `SchemaError`.

    *rules* are declared with the first import; others later are a `UsageError`, None keeps them or means the defaults.
    """
    declared = declared_rules(folder)
    if None not in (declared, rules) and declared != rules:
        what = f"other rules of exclusion were declared when {folder} was first imported"
        raise UsageError(what, fix="leave --rules out; a report may be made with others, and says so")
    earlier = read_judgements(folder) if (folder / JUDGEMENTS).is_file() else ()
    rows = {identity(row): row for row in earlier}
    result = Imported()
    for path in paths:
        service = service_of_results(path)
        shared = SERVICES[batch.info.to].suffix == service.suffix
        platform = batch.info.to if shared or service.suffix != ".csv" else service.name
        for returned in service.read(path):
            result.assignments += 1
            for row in judgements_of(returned, batch, platform, names):
                _add(row, returned, rows, result)
    result.judgements = list(rows.values())
    _write(folder, paths, result, declared or rules or Rules())
    return result


def _add(row: Judgement | Rejected, returned: Returned, rows: dict[Identity, Judgement], result: Imported) -> None:
    if isinstance(row, Rejected):
        result.rejected.append(row)
    elif (earlier := rows.setdefault(identity(row), row)) == row:
        result.answers += 1
        result.known += earlier is not row
    else:
        scores = {name: str(getattr(row, name)) for name in ("status", "comp", "head", "modifier")}
        place, problem = returned.place, f"{row.item_id}: {DIFFERS}"
        result.rejected.append(Rejected(place.file, place.line, row.task_id, None, row.assignment, problem, scores))


def _write(folder: Path, paths: Sequence[Path], result: Imported, rules: Rules) -> None:
    earlier = files.read_json(folder / IMPORT)["files"] if (folder / IMPORT).is_file() else []
    imports = [{"name": path.name, "sha256": files.file_hash(path)} for path in paths]
    entries = {entry["sha256"]: entry for entry in [*earlier, *imports]}
    fresh = [{**asdict(row), "file": Path(row.file).name} for row in result.rejected]
    judged = {(row.assignment, row.task_id) for row in result.judgements}

    def is_repaired(row: Row) -> bool:
        whole = row["sentence"] is None and DIFFERS not in row["problem"]
        return whole and (row["assignment"], row["task_id"]) in judged

    # also those of earlier imports, without those that were repaired since
    rows = [row for row in (*read_rejected(folder), *fresh) if row in fresh or not is_repaired(row)]
    unique = {files.value_hash(row): row for row in rows}.values()
    rejected = sorted(unique, key=lambda row: (row["file"], row["line"] or 0, row["sentence"] or 0, row["problem"]))
    write_judgements(folder / JUDGEMENTS, result.judgements)
    files.write_jsonl(folder / REJECTED, rejected)
    summary = {
        "files": [entries[digest] for digest in sorted(entries)],
        "judgements": len(result.judgements),
        "rejected": len(rejected),
        "rules": asdict(rules),
        "rules_sha256": files.value_hash(asdict(rules)),
    }
    files.write_json(folder / IMPORT, summary)
