"""A batch for Prolific's Task Builder: a dataset with a schema (version 4), and the layout of a task.

    dataset.jsonl       one task a line
    schema.json         the type of each field, for `POST /datasets`
    batch_items.json    pages, rows, columns and items of a task, for `POST /batches`

A participant answers one group of tasks, so the groups decide who judges what: in token mode no group has two
sentences of one compound, and every group has its share of the checks. The layout is the same for all tasks, so
questions about single words are values of the dataset, shown above the answers. The description of an answer ends
with the name of its field in brackets, `[head_1]`, which the import goes by.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ncimp.builder.annotation.task.batch import Sheet
from ncimp.builder.annotation.task.questions import Asked, questions
from ncimp.builder.annotation.task.tasks import Planned
from ncimp.builder.annotation.task.wording import Wording, fill_in
from ncimp.schemas.files import Row

DATASET, SCHEMA, LAYOUT = "dataset.jsonl", "schema.json", "batch_items.json"

GROUP_SIZE = 20
"""Tasks that one participant is given, about a quarter of an hour in token mode."""


def prolific_files(tasks: Sequence[Planned], wording: Wording, *, contact: str | None = None) -> dict[str, str]:
    """Return the text of each file."""
    groups = task_groups(tasks)
    rows = [_row(planned.sheet, wording, groups[planned.task.task_id]) for planned in tasks]
    layout = _layout(tasks[0].sheet, wording, contact)
    return {
        DATASET: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
        SCHEMA: json.dumps(_schema(rows[0]), ensure_ascii=False, indent=2) + "\n",
        LAYOUT: json.dumps(layout, ensure_ascii=False, indent=2) + "\n",
    }


def task_groups(tasks: Sequence[Planned], size: int = GROUP_SIZE) -> dict[str, str]:
    """Return the group of each task: near-equal groups, checks shared out, no compound twice in one."""
    count = max(-(-len(tasks) // size), _most_of_one_compound(tasks))
    held: list[set[str]] = [set() for _ in range(count)]
    sizes = [0] * count
    groups: dict[str, str] = {}
    for planned in sorted(tasks, key=lambda one: one.task.kind == "item"):  # checks first: each group gets its share
        task = planned.task
        free = [n for n in range(count) if task.compound_id not in held[n]] or list(range(count))
        chosen = min(free, key=lambda n: (sizes[n], n))
        held[chosen].add(task.compound_id)
        sizes[chosen] += 1
        groups[task.task_id] = f"g{chosen + 1:03d}"
    return groups


def _most_of_one_compound(tasks: Sequence[Planned]) -> int:
    about = [planned.task.compound_id for planned in tasks]
    return max(about.count(compound) for compound in set(about))


def _row(sheet: Sheet, wording: Wording, group: str) -> Row:
    shown = {
        f"sentence_{n}": f"{before}**{span}**{after}" for n, (before, span, after) in enumerate(sheet.parts, start=1)
    }
    asked = {f"ask_{one.field}": one.text for one in questions(wording, sheet)}
    return {"task_id": sheet.task_id, "group": group, **shown, **asked}


def _schema(row: Row) -> Row:
    special = {"task_id": "metadata", "group": "task_group_id"}
    return {"strict": True, "fields": {name: {"type": special.get(name, "text")} for name in row}}


def _layout(sheet: Sheet, wording: Wording, contact: str | None) -> list[Row]:
    """Return the pages of a task: one for each sentence; the first begins with the instructions."""
    asked = list(questions(wording, sheet))
    pages = []
    for number in range(1, len(sheet.parts) + 1):
        items = [_told(wording, contact)] if number == 1 else []
        items.append({"type": "dataset_field", "field": f"sentence_{number}"})
        for one in asked:
            if one.field.endswith(f"_{number}"):
                items += [{"type": "dataset_field", "field": f"ask_{one.field}"}, _answer(one, wording)]
        pages.append({"rows": [{"columns": [{"items": [item]}]} for item in items]})
    return pages


def _told(wording: Wording, contact: str | None) -> Row:
    task, who = wording.task, contact or wording.consent.contact
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(task.steps, start=1))
    consent = "\n\n".join(fill_in(text, contact=who) for text in wording.consent.text)
    text = (
        f"# {task.title}\n\n{task.intro}\n\n## {task.steps_title}\n\n{steps}\n\n{wording.scale.note}\n\n"
        f"## {wording.consent.title}\n\n{consent}"
    )
    return {"type": "rich_text", "content": text, "content_format": "markdown"}


def _answer(one: Asked, wording: Wording) -> Row:
    if not one.choices:
        return {"type": "free_text", "description": f"{wording.synonyms.legend} [{one.field}]"}
    said = wording.messages.status if one.field.startswith("status") else wording.messages.score
    return {
        "type": "multiple_choice",
        "description": f"{said} [{one.field}]",
        "answer_limit": 1,
        "options": [{"label": text, "value": value} for value, text in one.choices],
    }
