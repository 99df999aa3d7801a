"""How a launch stands: what the service has of each HIT, and what the manifest does not know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from ncimp.builder.annotation.launch.errors import RefusedError
from ncimp.builder.annotation.launch.journal import LaunchEvent, Manifest
from ncimp.builder.annotation.services.mturk_client import Turk, part
from ncimp.builder.annotation.services.mturk_launch import FRESH

PAST = datetime(2005, 11, 2, tzinfo=UTC)
"""An expiry long ago: the service takes it as now. (The day on which Mechanical Turk opened.)"""


@dataclass(frozen=True, slots=True)
class HitStanding:
    """One HIT as the service describes it."""

    task_id: str
    round: int
    hit: str
    state: str
    assignments: int
    available: int
    """Assignments that nobody has taken."""
    pending: int
    """Assignments at which somebody works."""

    @property
    def submitted(self) -> int:
        """Assignments that were handed in."""
        return self.assignments - self.available - self.pending


def standing(turk: Turk, manifest: Manifest) -> list[HitStanding]:
    """Return how every HIT of a launch stands, in the order in which they were launched."""
    found = []
    for event in manifest.all_done("hit"):
        hit = part(turk.ask("get_hit", HITId=event.id), "HIT", dict)
        found.append(
            HitStanding(
                task_id=str(event.facts["task_id"]),
                round=int(event.facts["round"]),
                hit=str(event.id),
                state=str(hit.get("HITStatus")),
                assignments=int(hit.get("MaxAssignments") or 0),
                available=int(hit.get("NumberOfAssignmentsAvailable") or 0),
                pending=int(hit.get("NumberOfAssignmentsPending") or 0),
            )
        )
    return found


def expire(turk: Turk, manifest: Manifest) -> int:
    """End every HIT that could still be taken; return how many. What was taken before can be handed in."""
    open_ones = [one.hit for one in standing(turk, manifest) if one.state in FRESH and one.available]
    unknown = [event.key for event in manifest.unanswered() if event.call == "expire"]
    ending = list(dict.fromkeys([*open_ones, *unknown]))
    for hit in ending:
        manifest.add(LaunchEvent("asked", "expire", hit))  # each time: somebody may have prolonged it meanwhile
        _end(turk, hit)
        manifest.add(LaunchEvent("done", "expire", hit, hit, "made"))
    return len(ending)


def _end(turk: Turk, hit: str) -> None:
    try:
        turk.ask("update_expiration_for_hit", HITId=hit, ExpireAt=PAST)
    except RefusedError:
        ends = part(turk.ask("get_hit", HITId=hit), "HIT", dict).get("Expiration")
        if not isinstance(ends, datetime) or ends.astimezone(UTC) > datetime.now(UTC):
            raise  # else the service refuses to do the same twice, which is as good
