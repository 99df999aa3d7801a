"""Collecting from Mechanical Turk's API: every assignment of every HIT of a launch, as rows of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from ncimp.builder.annotation.launch.batch import LaunchBatch
from ncimp.builder.annotation.launch.errors import RefusedError, UnansweredError
from ncimp.builder.annotation.launch.journal import LaunchEvent, Manifest
from ncimp.builder.annotation.services.mturk_answers import read_answers
from ncimp.builder.annotation.services.mturk_client import Turk, part
from ncimp.builder.annotation.services.results import UNREADABLE, Cells
from ncimp.builder.annotation.services.results_cells import safe

STATUSES = ("Submitted", "Approved", "Rejected")

GONE = "AWS.MechanicalTurk.HITDoesNotExist"
"""What is answered about a HIT that its requester has deleted."""

OF_HIT = (
    "HITId",
    "HITTypeId",
    "Title",
    "Description",
    "Keywords",
    "MaxAssignments",
    "RequesterAnnotation",
    "AssignmentDurationInSeconds",
    "AutoApprovalDelayInSeconds",
)
"""What results files say of a HIT in the words of the service."""

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""Names as results files have them, whatever the language of the machine."""


def assignments_of(
    turk: Turk, manifest: Manifest, report: Callable[[str], None] = lambda _: None
) -> Iterator[tuple[LaunchEvent, dict[str, Any]]]:
    """Yield the event of each HIT that was launched with each of its assignments, in the order of the service.

    A HIT that was deleted there is told to *report*, and passed over: what was collected of it stays.
    """
    for hit in manifest.all_done("hit"):
        listed = turk.pages("list_assignments_for_hit", "Assignments", HITId=hit.id, AssignmentStatuses=list(STATUSES))
        try:
            for assignment in listed:
                yield hit, assignment
        except RefusedError as error:
            if error.code != GONE:
                raise
            report(f"HIT {hit.id} of task {hit.facts['task_id']} is no longer on the service")


def collected_rows(
    turk: Turk, manifest: Manifest, batch: LaunchBatch, report: Callable[[str], None]
) -> Iterator[Cells]:
    """Yield a row of results for each assignment; what is no longer there is told to *report*."""
    hits: dict[str, dict[str, str]] = {}
    for event, assignment in assignments_of(turk, manifest, report):
        if event.id not in hits:
            hits[str(event.id)] = _of_hit(part(turk.ask("get_hit", HITId=event.id), "HIT", dict))
        task_id = str(event.facts["task_id"])
        inputs = {f"Input.{name}": cell for name, cell in batch.rows[task_id].items()}
        yield {**hits[str(event.id)], **_of_assignment(assignment), **inputs, **_answers(assignment)}


def _of_hit(hit: dict[str, Any]) -> dict[str, str]:
    return {name: str(hit.get(name) or "") for name in OF_HIT} | {
        "Reward": f"${hit.get('Reward') or ''}",
        "CreationTime": _time(hit.get("CreationTime")),
        "Expiration": _time(hit.get("Expiration")),
    }


def _of_assignment(assignment: dict[str, Any]) -> dict[str, str]:
    accepted, submitted = assignment.get("AcceptTime"), assignment.get("SubmitTime")
    times = ("AcceptTime", "SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime")
    return {
        "AssignmentId": str(part(assignment, "AssignmentId", str)),
        "WorkerId": str(part(assignment, "WorkerId", str)),
        "AssignmentStatus": str(assignment.get("AssignmentStatus") or ""),
        **{name: _time(assignment.get(name)) for name in times},
        "RequesterFeedback": safe(str(assignment.get("RequesterFeedback") or "")),
        "WorkTimeInSeconds": _seconds(accepted, submitted),
    }


def _answers(assignment: dict[str, Any]) -> dict[str, str]:
    """Return the answers as cells; those that cannot be read as they came, so that nothing is lost."""
    xml = assignment.get("Answer")
    if not isinstance(xml, str):
        raise UnansweredError(f"assignment {assignment['AssignmentId']} came without answers")
    answers = read_answers(xml)
    if answers is None:
        return {UNREADABLE: safe(xml)}
    return {f"Answer.{name}": safe(value) for name, value in answers.items()}


def _seconds(accepted: object, submitted: object) -> str:
    if not isinstance(accepted, datetime) or not isinstance(submitted, datetime):
        return ""
    return str(int((submitted - accepted).total_seconds()))


def _time(value: object) -> str:
    """Return a time as results files have it, `Fri Nov 20 16:13:53 UTC 2026`; nothing for none."""
    if not isinstance(value, datetime):
        return ""
    utc = value.astimezone(UTC)
    return f"{DAYS[utc.weekday()]} {MONTHS[utc.month - 1]} {utc:%d %H:%M:%S} UTC {utc.year}"
