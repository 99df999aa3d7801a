"""Describe a service (its files, its results, how a campaign runs on it) and the batches of an export to it.

Adding a service is adding one module with a `Service`, and one entry in `ncimp.builder.annotation.campaign.SERVICES`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.launch import Cells, LaunchBatch, LaunchManifest, LaunchPlace
from ncimp.builder.annotation.rehearsal import Assignment
from ncimp.builder.annotation.task.batch import BLOCKS, CHECKS, TASKS_EACH, Design, Material, Planned, count_kinds
from ncimp.builder.annotation.task.cost import Estimate
from ncimp.builder.annotation.task.page import SENTENCES, Wording
from ncimp.builder.records import Mode
from ncimp.schemas import Row

Say = Callable[[str], None]  # shows a line of progress to the user


@dataclass(frozen=True, slots=True)
class Offer:
    """The offer to workers: texts, reward, times and requirements."""

    title: str
    description: str
    keywords: str
    reward: str | None  # US dollars for one assignment
    minutes: int  # longest time for one assignment
    days: int  # how long a task can be found
    approve_after_days: int  # days after which the service approves and pays an assignment by itself
    locales: tuple[str, ...] = ()
    approved_percent: int | None = None
    approved_count: int | None = None
    test_score: int | None = None  # least score in the batch's own test; None without the test


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """The plan and the cost of a launch, before anything is sent; *facts* must be the same when it is resumed."""

    lines: tuple[str, ...]
    cost: Decimal
    facts: Row


class Campaign(Protocol):
    """A batch on a service. A method that calls the service raises `RefusedError` or `UnansweredError`."""

    def plan(self, offer: Offer) -> LaunchPlan:
        """Return the plan of a launch with *offer*; nothing is sent."""

    def connect(self) -> None:
        """Check the keys or the token before anything is recorded; nothing is sent."""

    def start(self, offer: Offer, manifest: LaunchManifest, say: Say) -> None:
        """Make everything that is missing on the service."""

    def status(self, manifest: LaunchManifest) -> Row:
        """Return counts of tasks and assignments."""

    def collect(self, manifest: LaunchManifest, say: Say) -> Iterator[Cells]:
        """Yield a row of results for each assignment."""

    def stop(self, manifest: LaunchManifest) -> str:
        """End the campaign, and return one line about it."""

    def submitted(self, manifest: LaunchManifest) -> list[str]:
        """Return the ids of the assignments that wait for approval."""

    def approve(self, manifest: LaunchManifest, assignments: Sequence[str]) -> int:
        """Approve *assignments*, and return how many are approved now that were not before."""


@dataclass(frozen=True, slots=True)
class Service:
    """One service that takes batches and gives answers back."""

    name: str
    export: Callable[[Sequence[Planned], Wording, str | None], dict[str, str]]  # files by name; the text is the contact
    suffix: str  # suffix of its files of results
    read: Callable[[Path], Iterator[Returned]]
    simulate: Callable[[Sequence[Assignment], str], str]  # results; the text is the shape of a CSV of Mechanical Turk
    rate_card: str
    separate_lists: str  # how different people come to judge the three lists of a batch
    group_sizes: Mapping[Mode, int] = field(default_factory=dict)  # most tasks of a group, where a person answers one
    place: Callable[[str | None, bool, bool], LaunchPlace] | None = None  # from endpoint, live and allow_http
    campaign: Callable[[LaunchBatch, LaunchPlace, float], Campaign] | None = None  # the number is the timeout


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
    """Return the fields of `batch.json` of list *number* besides id, counts and hashes; a launch needs no pack."""
    facts = {name: getattr(export, name) for name in ("lang", "per_item", "release", "pack_sha256", "code_version")}
    options = {
        "gold_rate": str(design.gold_rate),
        "attention_rate": str(design.attention_rate),
        "seed": design.seed,
        "lists": design.lists,
        "list": number,
        "min_checks": design.min_checks,
        "contact": export.contact,
        "title": wording.task.title,
        "description": wording.task.description,
        "keywords": ", ".join(wording.task.keywords),
    }
    about = {"to": export.service.name, "mode": design.mode, "release_logical_sha256": material.release}
    return {**about, **facts, "options": options, "cost": cost.row()}


def plan_lines(lists: Sequence[Sequence[Planned]], export: Export, design: Design) -> list[str]:
    """Return a description of the batches, a line each, notes last."""
    rates = f"gold rate {design.gold_rate}, attention rate {design.attention_rate} of the item tasks"
    lines = [f"{export.service.name}, {design.mode} mode, {export.lang}, {rates}"]
    for number, tasks in enumerate(lists, start=1):
        kinds = ", ".join(f"{count} {kind}" for kind, count in count_kinds([one.task for one in tasks]).items())
        size = f"{len(tasks)} tasks ({kinds}), {SENTENCES[design.mode]} sentence(s) each"
        lines += [f"list {number} of {len(lists)}: {size}", _checks_line(tasks, design)]
    if design.mode == "token" and design.lists == BLOCKS:
        lines.append(f"so that different people judge the sentences of a compound: {export.service.separate_lists}")
    elif design.mode == "token" and not design.group_size:
        what = "one person may judge all sentences of a compound"
        lines.append(f"note: {what}; --lists 3 makes lists for different people")
    planned = [one.task for tasks in lists for one in tasks]
    inside = {task.compound_id for task in planned if task.kind == "item"}
    twice = sum(task.compound_id in inside for task in planned if task.kind != "item")
    if twice:
        lines.append(f"note: {twice} checks are about compounds of the batch, because too few stand outside it")
    return lines


def _checks_line(tasks: Sequence[Planned], design: Design) -> str:
    """Return one line on the checks that an annotator of *tasks* gets, or can expect."""
    counts = Counter((one.task.group, one.task.kind) for one in tasks)
    groups = sorted({one.task.group for one in tasks if one.task.group})
    if groups:
        fewest = " and ".join(f"{min(counts[name, kind] for name in groups)} {kind}" for kind in CHECKS)
        return f"{len(groups)} groups, of which a participant answers one; each has at least {fewest} checks"
    share = {kind: counts[None, kind] / len(tasks) for kind in CHECKS}
    sizes = [*(count for count in (10, 20, TASKS_EACH) if count < len(tasks)), len(tasks)]
    means = [" and ".join(f"{n * share[kind]:.1f} {kind}" for kind in CHECKS) + f" in {n} tasks" for n in sizes]
    return f"checks that an annotator can expect ({design.min_checks} of a kind are needed): {'; '.join(means)}"


def answered_by_examples(wording: Wording, material: Material, selection: Sequence[str]) -> list[str]:
    """Return the compounds of *selection* that are also worked examples of *wording*."""
    shown = {example.compound.lower() for example in wording.examples}
    return [name for name in selection if material.compounds[name].compound.lower() in shown]
