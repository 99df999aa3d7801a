"""What an import needs of a batch folder: which task is what, and what is expected of a check.

batch.json     the id of the batch, the service, whether it is simulated
key.jsonl      the tasks, as `batches.read_tasks` reads them

The other files of the folder are not looked at: who imports has answers, and may have left the template elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ncimp.builder.annotation.batches import INFO, KEY, Task, read_tasks
from ncimp.schemas.errors import Place, SchemaError, SourceError
from ncimp.schemas.files import read_json


@dataclass(frozen=True, slots=True)
class BatchKey:
    """A batch, and its tasks by id."""

    batch: str
    to: str
    per_item: int
    simulated: bool
    tasks: Mapping[str, Task]


def read_key(folder: Path) -> BatchKey:
    """Return the key of the batch in *folder*, or raise `SourceError` or `SchemaError` for a folder that has none."""
    for name in (INFO, KEY):
        if not (folder / name).is_file():
            fix = "give the folder that `ncimp annotate export` made"
            raise SourceError(f"not a batch: it has no {name}", fix=fix, place=Place(str(folder)))
    info = read_json(folder / INFO)
    place = Place(str(folder / INFO))
    if not isinstance(info, dict):
        raise SchemaError("not an object", fix="export the batch again", place=place)
    said = {name: info[name] for name in ("batch", "to", "per_item", "simulated") if name in info}
    tasks = {task.task_id: task for task in read_tasks(folder / KEY)}
    try:
        key = msgspec.convert({"simulated": False, **said, "tasks": {}}, BatchKey)
    except msgspec.ValidationError as error:
        raise SchemaError(str(error), fix="export the batch again", place=place) from None
    return BatchKey(key.batch, key.to, key.per_item, key.simulated, tasks)
