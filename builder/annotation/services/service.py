"""What the project knows of a service: its files, its results, and how a campaign runs on it.

Adding a service is adding one module with a `Service`, and one entry in `ncimp.builder.annotation.services.SERVICES`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from ncimp.builder.annotation.answers.returned import Returned
from ncimp.builder.annotation.launch.batch import Cells, LaunchBatch
from ncimp.builder.annotation.launch.journal import LaunchManifest
from ncimp.builder.annotation.launch.place import LaunchPlace
from ncimp.builder.annotation.rehearsal import Assignment
from ncimp.builder.annotation.task.tasks import Planned
from ncimp.builder.annotation.task.wording import Wording
from ncimp.schemas.files import Row

Say = Callable[[str], None]
"""Shows a line of progress to the user."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The offer to workers: what they see and get, who may work, and how long the offer stays."""

    title: str
    description: str
    keywords: str
    reward: str | None
    """US dollars for one assignment."""
    minutes: int
    """Longest time for one assignment."""
    days: int
    """How long a task can be found."""
    approve_after_days: int
    """Days after which the service approves and pays an assignment by itself."""
    locales: tuple[str, ...] = ()
    approved_percent: int | None = None
    approved_count: int | None = None
    test_score: int | None = None
    """Least score in the batch's own test; None without the test."""


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What a launch will do and cost, before anything is sent."""

    lines: tuple[str, ...]
    cost: Decimal
    facts: Row
    """Facts that must not change between two runs of the same launch."""


class Campaign(Protocol):
    """A batch on a service. A method that calls the service raises `RefusedError` or `UnansweredError`."""

    def plan(self, offer: Offer) -> LaunchPlan:
        """Return what a launch with *offer* will do; nothing is sent."""

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
    export: Callable[[Sequence[Planned], Wording, str | None], dict[str, str]]
    """Files of a batch by name, from tasks, wording, and the contact in the text on consent."""
    suffix: str
    """Suffix of its files of results."""
    read: Callable[[Path], Iterator[Returned]]
    simulate: Callable[[Sequence[Assignment], str], str]
    """Results file of simulated assignments; the second argument is the shape of a CSV of Mechanical Turk."""
    rate_card: str
    separate_lists: str
    """How different people come to judge the three lists of a batch."""
    splits_compounds: bool = False
    """Whether the service itself gives the sentences of a compound to different people."""
    place: Callable[[str | None, bool, bool], LaunchPlace] | None = None
    """Place of a launch from endpoint, live, and allow_http; None where batches are uploaded by hand."""
    campaign: Callable[[LaunchBatch, LaunchPlace, float], Campaign] | None = None
    """Campaign of a batch at a place; the last argument is the longest wait for an answer in seconds."""
