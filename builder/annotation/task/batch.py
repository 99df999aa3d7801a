"""Write and read the folder of a batch of annotation tasks.

    batch.json     description of the batch and its sources, with the hash of every other file
    key.jsonl      one task a line, with its purpose and the expected answer: never shown, never uploaded
    ...            the files of the service: tasks.csv and template.html, tasks.json, dataset.jsonl ...

The part of a task that annotators see (`Sheet`) reveals neither its purpose nor the class of its compound.
"""

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from ncimp.builder.records import Kind, Mode, Status
from ncimp.schemas import Place, Row, SourceError, file_hash, keyed_hash, read_json, write_json, write_text
from ncimp.schemas.records import Lang, Ordinal, Rating, Sha256, ShortHash, from_row, read_records, to_row

Platform = Literal["mturk", "turkle", "label-studio", "prolific"]
Scores = tuple[Rating, Rating]  # lowest and highest score, both included
KINDS: tuple[Kind, ...] = ("item", "gold", "attention")
MODES: tuple[Mode, ...] = ("token", "type")
STATUSES: tuple[Status, ...] = ("judged", "unknown", "nonsense")
QUESTIONS = ("head", "modifier", "comp")  # the three scores of a sentence, in the order in which they are asked
SCALE = range(6)  # the points of a score: 0 not at all, 5 completely; never reversed
SYNONYMS = 3  # synonyms that an annotator may give for one sentence
INFO, KEY = "batch.json", "key.jsonl"  # the two files that every batch has
ID_LENGTH = 16  # hexadecimal digits of an id: 64 bits


@dataclass(frozen=True, slots=True)
class TaskSentence:
    """One sentence of a task."""

    item_id: Annotated[str, "The item of the release."]
    context: Annotated[str, "Its context."]
    sentence: Annotated[str, "The sentence as it is shown."]
    nc: Annotated[str, "The expression that is marked in it."]


@dataclass(frozen=True, slots=True)
class Expected:
    """Answer of a careful annotator to a check; None where any score is right."""

    comp: Annotated[Scores | None, "Lowest and highest score of the whole of a careful answer; null where any will do."]
    head: Annotated[Scores | None, "Lowest and highest score of the head of a careful answer; null where any will do."]
    modifier: Scores | None
    """Lowest and highest score of the modifier of a careful answer; null where any will do."""
    answer: Annotated[Status, "Status that a careful annotator gives each sentence."]


@dataclass(frozen=True, slots=True)
class Task:
    """One task in the key of its batch (`annotation_task`)."""

    task_id: ShortHash
    """Opaque id of the task: a keyed hash that begins with a letter, so that no spreadsheet reads a number."""
    kind: Annotated[Kind, "What the task is for: a judgement to keep, or a check of the annotator."]
    mode: Annotated[Mode, "One sentence, or the three naturalistic ones together."]
    lang: Annotated[Lang, "Language."]
    compound_id: Annotated[str, "The compound whose sentences are shown."]
    sentences: Annotated[tuple[TaskSentence, ...], Meta(min_length=1)]
    """The sentences of the task, in the order in which they are shown."""
    expected: Annotated[Expected | None, "What a careful annotator answers; null for an item, of which nobody knows."]


@dataclass(frozen=True, slots=True)
class Batch:
    """Description of a batch and its sources (`annotation_batch`)."""

    batch: Annotated[ShortHash, "Id of the batch: a keyed hash over everything else in this file."]
    to: Annotated[Platform, "Service that takes the batch."]
    mode: Annotated[Mode, "One sentence a task, or the three naturalistic ones of a compound together."]
    lang: Annotated[Lang, "Language."]
    per_item: Annotated[Ordinal, "Judgements asked for each task."]
    release: Annotated[str, "Version of the release."]
    release_logical_sha256: Annotated[Sha256, "Logical hash of the release."]
    pack_sha256: Annotated[Sha256, "Hash of the pack's annotation.toml, all that a batch takes from it."]
    options: Mapping[str, object]
    """Options that change what is in the batch; title, description and keywords (separated by commas) of its tasks in
    a service's list, in the words of the pack."""
    code_version: Annotated[str, "Version of the code that made it."]
    tasks: Annotated[Ordinal, "Number of tasks."]
    counts: Annotated[Mapping[str, int], "Number of tasks of each kind."]
    files: Annotated[Mapping[str, str], "Hash of every other file of the folder, by name."]
    cost: Annotated[Mapping[str, object], "Estimate of the cost by the rate card; amounts are decimal text."]
    simulated: Annotated[bool, "Whether the answers are made by a program; left out where people give them."] = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """The part of a task that annotators see: the two words, the expression, and each sentence in three parts."""

    task_id: str
    modifier: str
    head: str
    nc: str
    parts: tuple[tuple[str, str, str], ...]
    """For each sentence the text before the expression, the expression as it stands there, the text after it."""

    def fields(self) -> dict[str, str]:
        """Return the values by the names of their placeholders, in the order of the columns."""
        cells = {"task_id": self.task_id, "modifier": self.modifier, "head": self.head, "nc": self.nc}
        for number, (before, span, after) in enumerate(self.parts, start=1):
            cells |= {f"before_{number}": before, f"span_{number}": span, f"after_{number}": after}
        return cells


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch folder in memory: its description and its key."""

    folder: Path
    info: Batch
    tasks: tuple[Task, ...]
    by_id: Mapping[str, Task] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {task.task_id: task for task in self.tasks})  # derived, of a frozen record


def task_id(*parts: str) -> str:
    """Return the id of the task that *parts* name: 16 hexadecimal digits, the first of which is a letter.

    A spreadsheet would read `12345678e9012345` as a number and never give it back.
    """
    hashes = (keyed_hash("task", *parts, str(n)) for n in range(1 << 20))
    return next(digest for digest in hashes if digest[0] in "abcdef")[:ID_LENGTH]


def batch_id(row: Row) -> str:
    """Return the id of the batch that *row* describes: a keyed hash over all but the id and `simulated`."""
    facts = {name: value for name, value in row.items() if name not in ("batch", "simulated")}
    return keyed_hash("batch", json.dumps(facts, ensure_ascii=False, sort_keys=True))[:ID_LENGTH]


def count_kinds(tasks: Sequence[Task]) -> dict[str, int]:
    """Return the number of *tasks* of each kind."""
    counts = Counter(task.kind for task in tasks)
    return {kind: counts[kind] for kind in KINDS}


def write_batch(folder: Path, about: Row, tasks: Sequence[Task], files: Mapping[str, str]) -> Batch:
    """Write *tasks* and the service's *files* (text by name) to *folder*, and return the description of the batch.

    *about* has the fields of `batch.json` besides id, counts and hashes. A folder that holds anything but the same
    batch raises `SourceError`, because the key of answers that are on their way must not be lost.
    """
    key = "".join(json.dumps(to_row(task), ensure_ascii=False) + "\n" for task in tasks)
    texts = {name: unicodedata.normalize("NFC", text) for name, text in {**files, KEY: key}.items()}
    hashes = {name: hashlib.sha256(texts[name].encode("utf-8")).hexdigest() for name in sorted(texts)}
    facts = {**about, "tasks": len(tasks), "counts": count_kinds(tasks), "files": hashes}
    row = {name: facts[name] for name in Batch.__slots__ if name in facts}
    row = {"batch": batch_id(row), **row}
    info = from_row(Batch, row, table="annotation_batch", place=Place(str(folder / INFO)))
    # free: empty, or this batch, or a part of it after an interrupted write
    if (folder / INFO).is_file():
        other = read_json(folder / INFO)
        is_free = isinstance(other, dict) and other.get("batch") == info.batch
    else:
        entries = list(folder.iterdir()) if folder.is_dir() else []
        is_free = all(path.is_file() and file_hash(path) == info.files.get(path.name) for path in entries)
    if not is_free:
        what = "the folder is not empty, and is not this batch"
        raise SourceError(what, fix="give another folder with --out", place=Place(str(folder)))
    for name, text in texts.items():
        write_text(folder / name, text)
    write_json(folder / INFO, row)  # last: it vouches for the rest
    return info


def read_batch(folder: Path) -> ReadBatch:
    """Return the batch in *folder* after checking every file that it lists, or raise `SourceError` or `SchemaError`."""
    info = read_checked_info(folder)
    if batch_id(to_row(info)) != info.batch:
        what = f"the id {info.batch} does not fit the other fields"
        raise SourceError(what, fix="export it again", place=Place(str(folder / INFO)))
    tasks = tuple(read_tasks(folder / KEY))
    if len(tasks) != info.tasks:
        what = f"{len(tasks)} tasks where batch.json has {info.tasks}"
        raise SourceError(what, fix="export the batch again", place=Place(str(folder / KEY)))
    return ReadBatch(folder, info, tasks)


def read_key(folder: Path) -> ReadBatch:
    """Return the batch in *folder* with its key, without a look at its other files, which may be elsewhere."""
    info = read_info(folder)
    return ReadBatch(folder, info, tuple(read_tasks(_existing(folder, KEY))))


def read_checked_info(folder: Path) -> Batch:
    """Return the description of the batch in *folder* after checking the hash of every file that it lists."""
    info = read_info(folder)
    for name, sha256 in info.files.items():
        path = folder / name
        if not path.is_file():
            what = "batch.json lists this file, but it is missing"
        elif file_hash(path) != sha256:
            what = "its sha256 is not the one in batch.json: the file is not the one that was exported"
        else:
            continue
        raise SourceError(what, fix="export the batch again, or take the folder as it was", place=Place(str(path)))
    return info


def read_info(folder: Path) -> Batch:
    """Return the description of the batch in *folder*."""
    path = _existing(folder, INFO)
    return from_row(Batch, read_json(path), table="annotation_batch", place=Place(str(path)))


def _existing(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        fix = "give the folder that `ncimp annotate export --write` made"
        raise SourceError(f"not a batch: it has no {name}", fix=fix, place=Place(str(folder)))
    return folder / name


def read_tasks(path: Path) -> Iterator[Task]:
    """Yield the tasks of the key at *path*; a task that is there twice is a `SourceError` at its second line."""
    lines: dict[str, int] = {}
    for number, task in read_records(path, Task, "annotation_task"):
        first = lines.setdefault(task.task_id, number)
        if first != number:
            what = f"the same task {task.task_id!r} as line {first}"
            raise SourceError(what, fix="export the batch again", place=Place(str(path), number, "task_id"))
        yield task
