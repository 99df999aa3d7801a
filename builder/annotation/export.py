"""Describe the batches of an export: their `batch.json` and the lines that a user reads before they are written."""

from collections.abc import Sequence
from dataclasses import dataclass

from ncimp.builder.annotation.services.service import Service
from ncimp.builder.annotation.task.batch import count_kinds
from ncimp.builder.annotation.task.cost import Estimate
from ncimp.builder.annotation.task.page import SENTENCES
from ncimp.builder.annotation.task.tasks import BLOCKS, Design, Material, Planned
from ncimp.builder.annotation.task.wording import Wording
from ncimp.schemas.files import Row


@dataclass(frozen=True, slots=True)
class Export:
    """Parameters of an export beside the design of the tasks."""

    service: Service
    lang: str
    per_item: int
    contact: str | None
    pack_sha256: str
    release: str
    code_version: str


def about_batch(
    export: Export, design: Design, material: Material, number: int, *, cost: Estimate, wording: Wording
) -> Row:
    """Return the fields of `batch.json` of list *number* besides id, counts and hashes.

    Title, description and keywords come from the pack, so that a launch needs no pack.
    """
    return {
        "to": export.service.name,
        "mode": design.mode,
        "lang": export.lang,
        "per_item": export.per_item,
        "release": export.release,
        "release_logical_sha256": material.release,
        "pack_sha256": export.pack_sha256,
        "options": {
            "gold_rate": str(design.gold_rate),
            "attention_rate": str(design.attention_rate),
            "seed": design.seed,
            "lists": design.lists,
            "list": number,
            "contact": export.contact,
            "title": wording.task.title,
            "description": wording.task.description,
            "keywords": ", ".join(wording.task.keywords),
        },
        "code_version": export.code_version,
        "cost": cost.row(),
    }


def plan_lines(lists: Sequence[Sequence[Planned]], export: Export, design: Design) -> list[str]:
    """Return the contents of the batches in words, a line each, notes last."""
    rates = f"gold rate {design.gold_rate}, attention rate {design.attention_rate} of the item tasks"
    lines = [f"{export.service.name}, {design.mode} mode, {export.lang}, {rates}"]
    for number, tasks in enumerate(lists, start=1):
        kinds = ", ".join(f"{count} {kind}" for kind, count in count_kinds([one.task for one in tasks]).items())
        sentences = f"{SENTENCES[design.mode]} sentence(s) each"
        lines.append(f"list {number} of {len(lists)}: {len(tasks)} tasks ({kinds}), {sentences}")
    if design.mode == "token" and design.lists == BLOCKS:
        lines.append(f"so that different people judge the sentences of a compound: {export.service.separate_lists}")
    elif design.mode == "token" and not export.service.splits_compounds:
        lines.append(
            "note: one person may judge all sentences of a compound; --lists 3 makes lists for different people"
        )
    planned = [one.task for tasks in lists for one in tasks]
    inside = {task.compound_id for task in planned if task.kind == "item"}
    twice = sum(task.compound_id in inside for task in planned if task.kind != "item")
    if twice:
        lines.append(f"note: {twice} checks are about compounds of the batch, because too few stand outside it")
    return lines


def answered_by_examples(wording: Wording, material: Material, selection: Sequence[str]) -> list[str]:
    """Return the compounds of the batch whose answer a worked example of *wording* gives."""
    shown = {example.compound.lower() for example in wording.examples}
    return [name for name in selection if material.compounds[name].compound.lower() in shown]
