"""The folder of a campaign: import results of a service so that nothing is lost, added twice, or named.

judgements.jsonl    one judgement a line (`annotation`), sorted; names nobody
rejected.jsonl      answers that are not judgements, each with the reason; names nobody
import.json         files that were read, counts, the rules of exclusion with their hash, the fingerprint of the salt
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ncimp.builder.annotation.answers.annotators import Rules, rules_of, sort_key
from ncimp.builder.annotation.answers.returned import SAME_SALT, Pseudonyms, Rejected, Returned, judgements_of
from ncimp.builder.annotation.services.label_studio import LABEL_STUDIO
from ncimp.builder.annotation.services.mturk import MTURK
from ncimp.builder.annotation.services.prolific import PROLIFIC
from ncimp.builder.annotation.services.service import Service
from ncimp.builder.annotation.services.turkle import TURKLE
from ncimp.builder.annotation.task.batch import ReadBatch
from ncimp.builder.records import Judgement
from ncimp.schemas import Place, Row, SchemaError, SourceError, UsageError, files
from ncimp.schemas.journal import file_lock
from ncimp.schemas.records import read_records, to_row

SERVICES = {service.name: service for service in (MTURK, TURKLE, LABEL_STUDIO, PROLIFIC)}
JUDGEMENTS, REJECTED, IMPORT = "judgements.jsonl", "rejected.jsonl", "import.json"
LOCK = ".lock"  # the file in the campaign that an import locks, so that another one waits

ITS_BATCH = "give the batch that was answered with --batch"
DIFFERS = "differs from the answer that was imported earlier, which is kept"

Waiting = Callable[[str], object]  # called with the id of another process that imports into the campaign
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
    paths: Sequence[Path], batch: ReadBatch, names: Pseudonyms, folder: Path, rules: Rules | None, waiting: Waiting
) -> Imported:
    """Add the results in *paths* to the campaign in *folder*; one that is not a results file is a `SchemaError`.

    *rules* are declared with the first import; others later are a `UsageError`, None keeps them or means the defaults.
    So is another salt, and a file of another batch or service is a `SchemaError`: its answers would count twice. While
    another process imports into *folder*, this one waits, and calls *waiting*.
    """
    services = [(service_of_results(path), path) for path in paths]
    answers = [(row, _platform(row, service, batch)) for service, path in services for row in service.read(path)]
    with file_lock(folder / LOCK, waiting):
        declared = declared_rules(folder)
        if declared and files.read_json(folder / IMPORT).get("salt") != names.fingerprint:
            what = f"{folder} was made with another salt: people and answers would count twice"
            raise UsageError(what, fix=SAME_SALT)
        if None not in (declared, rules) and declared != rules:
            what = f"other rules of exclusion were declared when {folder} was first imported"
            raise UsageError(what, fix="leave --rules out; a report may be made with others, and says so")
        rows = {identity(row): row for row in (read_judgements(folder) if (folder / JUDGEMENTS).is_file() else ())}
        earlier = {replace(row, campaign="", task_id="") for row in rows.values()}
        platforms = {row.platform for row in earlier}
        result = Imported(assignments=len(answers))
        for returned, platform in answers:
            for name in sorted(platforms - {platform}):
                twins = (row for row in judgements_of(returned, batch, name, names) if isinstance(row, Judgement))
                if any(replace(row, campaign="", task_id="") in earlier for row in twins):
                    what = f"this answer is in the campaign already, from {name}"
                    raise SchemaError(what, fix=ITS_BATCH, place=returned.place)
            for row in judgements_of(returned, batch, platform, names):
                _add(row, returned, rows, result)
        result.judgements = list(rows.values())
        _write(folder, paths, result, declared or rules or Rules(), names.fingerprint)
    return result


def _platform(returned: Returned, service: Service, batch: ReadBatch) -> str:
    """Return the service that gave the answers *returned*; raise `SchemaError` unless they are to *batch*."""
    name, info = returned.service or service.name, batch.info
    if returned.batch not in ("", info.batch) or (not returned.batch and name != info.to):
        which = f"to batch {returned.batch}" if returned.batch else f"from {name}"
        what = f"these answers are {which}, and batch {info.batch} was exported for {info.to}"
        raise SchemaError(what, fix=ITS_BATCH, place=returned.place)
    return name


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


def _write(folder: Path, paths: Sequence[Path], result: Imported, rules: Rules, salt: str) -> None:
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
        "salt": salt,
    }
    files.write_json(folder / IMPORT, summary)
