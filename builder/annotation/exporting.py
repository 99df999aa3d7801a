"""From the material of a release to the batches that are written: one for each list of tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ncimp.builder.annotation.services.label_studio_export import label_studio_files
from ncimp.builder.annotation.services.mturk_export import mturk_files
from ncimp.builder.annotation.services.prolific_export import prolific_files
from ncimp.builder.annotation.services.turkle_export import turkle_files
from ncimp.builder.annotation.task.batch import Platform, count_kinds
from ncimp.builder.annotation.task.cost import Estimate
from ncimp.builder.annotation.task.page import SENTENCES
from ncimp.builder.annotation.task.tasks import BLOCKS, Design, Material, Planned
from ncimp.builder.annotation.task.wording import Wording
from ncimp.schemas.files import Row

EXPORTERS: Mapping[Platform, Callable[..., dict[str, str]]] = {
    "mturk": mturk_files,
    "turkle": turkle_files,
    "label-studio": label_studio_files,
    "prolific": prolific_files,
}

APART: Mapping[Platform, str] = {
    "mturk": "launch one list after the other, and keep out who did an earlier one with a qualification of yours",
    "turkle": "open the project of each list to a group of users of its own, in Turkle's admin pages",
    "label-studio": "make each list a project with members of its own",
    "prolific": "publish each list as a study that excludes the participants of the others",
}
"""How different people come to judge the three lists, by service."""


@dataclass(frozen=True, slots=True)
class Export:
    """What is asked, beside the design of the tasks."""

    to: Platform
    lang: str
    per_item: int
    contact: str | None
    pack_sha256: str
    release: str
    code_version: str


def about_batch(
    export: Export, design: Design, material: Material, number: int, *, cost: Estimate, wording: Wording
) -> Row:
    """Return what `batch.json` of list *number* says, besides id, counts and hashes.

    What workers see in a list of tasks is there in the words of the pack, so that a launch needs no pack.
    """
    return {
        "to": export.to,
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


def files_of(export: Export, tasks: Sequence[Planned], wording: Wording) -> dict[str, str]:
    """Return the files of the service for *tasks*, by name."""
    return EXPORTERS[export.to](tasks, wording, contact=export.contact)


def plan_lines(lists: Sequence[Sequence[Planned]], export: Export, design: Design) -> list[str]:
    """Return what the batches will hold, in words, a line each."""
    lines = []
    for number, tasks in enumerate(lists, start=1):
        counts = count_kinds([planned.task for planned in tasks])
        named = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        lines.append(
            f"list {number} of {len(lists)}: {len(tasks)} tasks ({named}), {SENTENCES[design.mode]} sentence(s) each"
        )
    rates = f"gold rate {design.gold_rate}, attention rate {design.attention_rate} of the item tasks"
    return [f"{export.to}, {design.mode} mode, {export.lang}, {rates}", *lines, *_notes(lists, export, design)]


def _notes(lists: Sequence[Sequence[Planned]], export: Export, design: Design) -> list[str]:
    notes = []
    if design.mode == "token" and design.lists == BLOCKS:
        notes.append(f"so that different people judge the sentences of a compound: {APART[export.to]}")
    elif design.mode == "token" and export.to != "prolific":
        notes.append(
            "note: one person may judge all sentences of a compound; --lists 3 makes lists for different people"
        )
    tasks = [planned.task for held in lists for planned in held]
    inside = {task.compound_id for task in tasks if task.kind == "item"}
    twice = sum(task.compound_id in inside for task in tasks if task.kind != "item")
    if twice:
        notes.append(f"note: {twice} checks are about compounds of the batch, because too few stand outside it")
    return notes


def given_away(wording: Wording, material: Material, chosen: Sequence[str]) -> list[str]:
    """Return the compounds of the batch that the worked examples of *wording* give an answer for."""
    shown = {example.compound.lower() for example in wording.examples}
    return [name for name in chosen if material.compounds[name].compound.lower() in shown]
