"""What an import needs of a batch folder: which task is what, and what is expected of a check.

batch.json     the id of the batch, the service, the mode, whether it is simulated
key.jsonl      one task a line: its kind, its sentences, and what a check expects
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ncimp.builder.records import Kind, Mode, Status
from ncimp.schemas.errors import Place, SchemaError, SourceError
from ncimp.schemas.files import read_json, read_jsonl

INFO, KEY = "batch.json", "key.jsonl"

Bounds = tuple[int, int]
"""Lowest and highest score, both included."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a task."""

    item_id: str
    context: str
    nc: str = ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a careful annotator answers to a check; None where any score will do."""

    comp: Bounds | None = None
    head: Bounds | None = None
    modifier: Bounds | None = None
    answer: Status = "judged"


@dataclass(frozen=True, slots=True)
class KeyedTask:
    """One task of the key."""

    task_id: str
    kind: Kind
    mode: Mode
    lang: str
    compound_id: str
    sentences: tuple[Sentence, ...]
    expected: Expectation | None = None


@dataclass(frozen=True, slots=True)
class BatchKey:
    """A batch, and its tasks by id."""

    batch: str
    to: str
    per_item: int
    simulated: bool
    tasks: Mapping[str, KeyedTask]


def read_key(folder: Path) -> BatchKey:
    """Return the key of the batch in *folder*, or raise `SourceError` or `SchemaError` for a folder that has none."""
    for name in (INFO, KEY):
        if not (folder / name).is_file():
            fix = "give the folder that `ncimp annotate export` made"
            raise SourceError(f"not a batch: it has no {name}", fix=fix, place=Place(str(folder)))
    info = read_json(folder / INFO)
    tasks: dict[str, KeyedTask] = {}
    for number, row in read_jsonl(folder / KEY):
        task = _converted(row, KeyedTask, Place(str(folder / KEY), number))
        if task.task_id in tasks:
            what = f"the task {task.task_id!r} is there twice"
            raise SourceError(what, fix="export the batch again", place=Place(str(folder / KEY), number))
        tasks[task.task_id] = task
    place = Place(str(folder / INFO))
    if not isinstance(info, dict):
        raise SchemaError("not an object", fix="export the batch again", place=place)
    known = {"simulated": False, "tasks": tasks} | {
        name: info.get(name) for name in ("batch", "to", "per_item", "simulated") if name in info
    }
    key: BatchKey = _converted({**known, "tasks": tasks}, BatchKey, place)
    return key


def _converted(row: Mapping[str, Any], kind: type[Any], place: Place) -> Any:
    try:
        return msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise SchemaError(str(error), fix="export the batch again", place=place) from None
