"""A batch folder written by hand, as `ncimp annotate export` makes one: items, gold and attention checks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.returned import Pseudonyms, Rejected, Returned, judgements_of
from ncimp.builder.annotation.rehearsal import Assignment
from ncimp.builder.annotation.task.batch import ReadBatch, read_key
from ncimp.builder.records import Judgement
from ncimp.schemas.errors import Place
from ncimp.schemas.files import keyed_hash

CONTEXTS = ("nat1", "nat2", "nat3")
SALT = bytes(range(32))
LITERAL = {"comp": [4, 5], "head": [4, 5], "modifier": [4, 5], "answer": "judged"}
NONSENSE = {"comp": None, "head": None, "modifier": None, "answer": "nonsense"}


def task_name(*parts: str) -> str:
    return "a" + keyed_hash(*parts)[:15]


def task(kind: str, compound_id: str, items: Sequence[str], mode: str, expected: object = None) -> dict[str, Any]:
    """A row of the key."""
    nc = compound_id.split("/")[1].replace("-", " ")
    return {
        "task_id": task_name(kind, mode, *items),
        "kind": kind,
        "mode": mode,
        "lang": compound_id.split("/")[0],
        "compound_id": compound_id,
        "sentences": [
            {"item_id": item, "context": item.split("/")[2], "sentence": f"A {nc}.", "nc": nc} for item in items
        ],
        "expected": expected,
    }


def tasks_of(compounds: Sequence[str], mode: str, checks: int) -> list[dict[str, Any]]:
    """The tasks of *compounds*, with as many gold items and as many attention checks."""
    rows = []
    for compound in compounds:
        items = [f"{compound}/{context}/orig" for context in CONTEXTS]
        groups = [items] if mode == "type" else [[item] for item in items]
        rows += [task("item", compound, group, mode) for group in groups]
    for number in range(checks):
        rows.append(task("gold", "en/gold-case", [f"en/gold-case/nat{number}/rand1"], mode, LITERAL))
        rows.append(task("attention", "en/no-sense", [f"en/no-sense/nat{number}/rand2"], mode, NONSENSE))
    return rows


def write_batch(
    folder: Path,
    compounds: Sequence[str],
    *,
    to: str = "mturk",
    mode: str = "token",
    per_item: int = 10,
    checks: int = 5,
    simulated: bool = True,
) -> Path:
    """Write a batch of *compounds* to *folder* and return it."""
    rows = tasks_of(compounds, mode, checks)
    info: dict[str, Any] = {
        "batch": keyed_hash("batch", to, mode, *compounds)[:16],
        "to": to,
        "mode": mode,
        "lang": compounds[0][:2],
    }
    info |= {"per_item": per_item, "release": "0.1.0", "tasks": len(rows), "simulated": simulated}
    info |= {"release_logical_sha256": "a" * 64, "pack_sha256": "b" * 64, "code_version": "0.1.0"}
    info |= {"options": {}, "counts": {}, "files": {}, "cost": {}}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "batch.json").write_text(json.dumps(info), encoding="utf-8")
    (folder / "key.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def key_of(folder: Path, compounds: Sequence[str], **options: Any) -> ReadBatch:
    return read_key(write_batch(folder, compounds, **options))


def judged(done: Sequence[Assignment], key: ReadBatch) -> list[Judgement]:
    """The judgements of simulated assignments, without the way over a file."""
    rows: list[Judgement] = []
    for number, one in enumerate(done):
        returned = Returned(
            Place("memory", number), one.worker.name, f"{number}", one.task.task_id, one.fields, "", f"{one.seconds}"
        )
        for row in judgements_of(returned, key, key.info.to, Pseudonyms(SALT)):
            assert not isinstance(row, Rejected), row.problem
            rows.append(row)
    return rows
