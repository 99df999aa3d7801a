"""A command that something disturbs: what comes before it, what has come of it, and the runs after it."""

from __future__ import annotations

from pathlib import Path

from ncimp.builder.annotation.launch import read_manifest
from ncimp.builder.cli import main
from tests.annotation.launch_world import launch, launch_command
from tests.annotation.loopback_mturk import LoopbackTurk

DOC = Path(__file__).parents[2] / "docs" / "reference" / "launching.md"
"""The page whose tables have a row for each disturbance."""

HIT, TYPE, APPROVE = "CreateHITWithHITType", "CreateHITType", "ApproveAssignment"
CHANGING = {HIT, TYPE, APPROVE}
"""Operations that make or pay something."""

COMPLETE = {
    "start": "3 HITs, 0.90 | 3 HITs, nothing unknown",
    "approve": "6 of 6 approved | 6 approvals, nothing unknown",
}
"""What a command has done at its end, on the service and in the manifest."""


def prepared(command: str, turk: LoopbackTurk, batch: Path) -> list[str]:
    """Return the arguments of *command*, after what comes before it."""
    if command == "start":
        return launch_command(turk, batch)
    assert launch(turk, batch) == 0
    for hit in turk.hits:
        for worker in ("AONE", "ATWO"):
            turk.work(hit, worker, {"comp_1": "3"})
    return ["launch", "approve", str(batch), "--send", "--timeout", "1"]


def outcome(command: str, turk: LoopbackTurk, batch: Path) -> str:
    """Return what has come of a command, on the service and in the manifest."""
    return f"{_on_service(command, turk)} | {_recorded(command, batch)}"


def finish(command: str, arguments: list[str], turk: LoopbackTurk, batch: Path) -> None:
    """Run the command again, which completes it, and once more, which changes nothing."""
    turk.forget_tokens()
    assert main(arguments) == 0
    assert outcome(command, turk, batch) == COMPLETE[command]
    asked = len(turk.asked)
    assert main(arguments) == 0
    assert not CHANGING & set(turk.asked[asked:])


def documented() -> list[str]:
    """Return the lines of the page."""
    return DOC.read_text(encoding="utf-8").splitlines()


def first_cells(head: str) -> list[list[str]]:
    """Return the first two cells of each row of the table of the page that begins with *head*."""
    table = DOC.read_text(encoding="utf-8").split(head)[1].split("\n\n")[0]
    return [line.split(" | ")[:2] for line in table.splitlines()[2:]]


def _on_service(command: str, turk: LoopbackTurk) -> str:
    """Return what the service has of a command, and what it promises or pays, in US dollars without fees."""
    if command == "start":
        return f"{len(turk.hits)} HITs, {turk.promised():.2f}"
    approved = sum(one["AssignmentStatus"] == "Approved" for one in turk.assignments.values())
    return f"{approved} of {len(turk.assignments)} approved"


def _recorded(command: str, batch: Path) -> str:
    """Return what the manifest has of a command: how much is done, and what it does not know the end of."""
    (path,) = batch.with_name("pilot.launch").glob("*/manifest.jsonl")
    manifest = read_manifest(path)
    call = {"start": "hit"}.get(command, command)
    words = {"start": "HITs", "approve": "approvals"}[command]
    unknown = {"hit": "a HIT", "hit_type": "the HIT type", "approve": "an approval"}
    open_ones = [unknown[event.call] for event in manifest.unanswered()]
    done = sum(event.call == call for event in manifest.events if event.event == "done")
    return f"{done} {words}, {' and '.join(open_ones) or 'nothing'} unknown"
