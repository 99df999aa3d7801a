"""A command that something disturbs: what comes before it, what has come of it, and the runs after it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from ncimp.builder.annotation.launch.journal import read_manifest
from ncimp.builder.cli import main
from tests.annotation.launch_world import launch, launch_command
from tests.annotation.loopback_mturk import LoopbackTurk

DOC = Path(__file__).parents[2] / "docs" / "reference" / "launching.md"
"""The page whose tables have a row for each disturbance."""

HIT, TYPE, BONUS, APPROVE = "CreateHITWithHITType", "CreateHITType", "SendBonus", "ApproveAssignment"
CHANGING = {HIT, TYPE, BONUS, APPROVE}
"""Operations that make or pay something."""

COMPLETE = {
    "launch": "3 HITs, 0.90 | 3 HITs, nothing unknown",
    "approve": "6 of 6 approved | 6 approvals, nothing unknown",
    "bonus": "2 bonuses, 0.75 | 2 bonuses, nothing unknown",
}
"""What a command has done at its end, on the service and in the manifest."""


def prepared(command: str, turk: LoopbackTurk, batch: Path, folder: Path) -> list[str]:
    """Return the arguments of *command*, after what comes before it."""
    if command == "launch":
        return launch_command(turk, batch)
    assert launch(turk, batch) == 0
    done = [turk.work(hit, worker, {"comp_1": "3"}) for hit in turk.hits for worker in ("AONE", "ATWO")]
    if command == "approve":
        return ["annotate", "approve", str(batch), "--send", "--timeout", "1"]
    source = folder / "bonuses.csv"
    source.write_text(f"assignment_id,amount,reason\n{done[0]},0.50,Good words\n{done[1]},0.25,Good words\n")
    return ["annotate", "bonus", str(batch), "--from", str(source), "--send", "--timeout", "1"]


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
    if command == "launch":
        return f"{len(turk.hits)} HITs, {turk.promised():.2f}"
    if command == "approve":
        approved = sum(one["AssignmentStatus"] == "Approved" for one in turk.assignments.values())
        return f"{approved} of {len(turk.assignments)} approved"
    paid = sum((Decimal(one["BonusAmount"]) for one in turk.bonuses), Decimal(0))
    return f"{len(turk.bonuses)} bonuses, {paid:.2f}"


def _recorded(command: str, batch: Path) -> str:
    """Return what the manifest has of a command: how much is done, and what it does not know the end of."""
    (path,) = batch.with_name("pilot.launch").glob("*/manifest.jsonl")
    manifest = read_manifest(path)
    call = {"launch": "hit"}.get(command, command)
    words = {"launch": "HITs", "approve": "approvals", "bonus": "bonuses"}[command]
    unknown = {"hit": "a HIT", "hit_type": "the HIT type", "approve": "an approval", "bonus": "a bonus"}
    open_ones = [unknown[event.call] for event in manifest.unanswered()]
    done = sum(event.call == call for event in manifest.events if event.event == "done")
    return f"{done} {words}, {' and '.join(open_ones) or 'nothing'} unknown"
