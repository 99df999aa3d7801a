"""The process is killed at every step of launching and paying: what it has cost, what is recorded, and a second run.

Each case is a row of the table in docs/reference/launching.md, with what is found here. The process is a real one, and
the signal is SIGKILL. Before the second run the service forgets its request tokens, as it does after 24 hours.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from launch_world import environment, events, launch, launch_command, make_batch, use_account
from loopback_mturk import Fault, LoopbackTurk, serving

from ncimp.builder.cli import main

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DOC = ROOT / "docs" / "reference" / "launching.md"
CHANGING = {"CreateHITType", "CreateHITWithHITType", "ApproveAssignment", "SendBonus"}


@dataclass(frozen=True)
class Kill:
    """A moment of a command: at a line of the manifest, or while the service is at an operation."""

    command: str
    words: str
    when: str
    """`before`, `middle` or `after` a line; `stop-before` or `stop-after` the service has done it."""
    at: int
    """The line of the manifest, or how many calls of the operation go well before."""
    operation: str = ""


HIT, TYPE, BONUS, APPROVE = "CreateHITWithHITType", "CreateHITType", "SendBonus", "ApproveAssignment"
PAID = 9
"""Lines of the manifest when three HITs are launched."""

KILLS = (
    Kill("launch", "before the first line is on the disk", "before", 0),
    Kill("launch", "the launch is recorded as begun", "after", 0),
    Kill("launch", "the HIT type is announced", "after", 1),
    Kill("launch", "the HIT type is made, not answered", "stop-after", 0, TYPE),
    Kill("launch", "the HIT type is recorded", "after", 2),
    Kill("launch", "half of the line that announces the first HIT is on the disk", "middle", 3),
    Kill("launch", "the first HIT is announced", "after", 3),
    Kill("launch", "the first HIT is asked for, not made", "stop-before", 0, HIT),
    Kill("launch", "the first HIT is made, not answered", "stop-after", 0, HIT),
    Kill("launch", "the first HIT is made and answered, not recorded", "before", 4),
    Kill("launch", "half of the line that records the first HIT is on the disk", "middle", 4),
    Kill("launch", "the first HIT is recorded", "after", 4),
    Kill("launch", "the second HIT is made, not answered", "stop-after", 1, HIT),
    Kill("launch", "the last HIT is made, not answered", "stop-after", 2, HIT),
    Kill("launch", "the last HIT is recorded", "after", 8),
    Kill("approve", "the first approval is announced", "after", PAID),
    Kill("approve", "the first approval is asked for, not done", "stop-before", 0, APPROVE),
    Kill("approve", "the first approval is done, not answered", "stop-after", 0, APPROVE),
    Kill("approve", "the first approval is done and answered, not recorded", "before", PAID + 1),
    Kill("approve", "the first approval is recorded", "after", PAID + 1),
    Kill("bonus", "the first bonus is announced", "after", PAID),
    Kill("bonus", "the first bonus is asked for, not paid", "stop-before", 0, BONUS),
    Kill("bonus", "the first bonus is paid, not answered", "stop-after", 0, BONUS),
    Kill("bonus", "the first bonus is paid and answered, not recorded", "before", PAID + 1),
    Kill("bonus", "half of the line that records the first bonus is on the disk", "middle", PAID + 1),
    Kill("bonus", "the first bonus is recorded", "after", PAID + 1),
    Kill("bonus", "the last bonus is paid, not answered", "stop-after", 1, BONUS),
)


@pytest.fixture
def turk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackTurk]:
    use_account(monkeypatch, tmp_path)
    with serving(LoopbackTurk(page=2)) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("kill", KILLS, ids=lambda kill: f"{kill.command}: {kill.words}")
def test_a_crash_costs_nothing_twice_and_a_second_run_completes_it(
    kill: Kill, turk: LoopbackTurk, tmp_path: Path
) -> None:
    batch = make_batch(tmp_path / "pilot")
    arguments = prepared(kill.command, turk, batch, tmp_path)
    run_and_kill(kill, turk, arguments, tmp_path)
    crashed = f"{on_service(kill.command, turk)} | {recorded(kill.command, batch)}"
    turk.faults.clear()
    turk.forget_tokens()
    assert main(arguments) == 0
    completed = f"{on_service(kill.command, turk)} | {recorded(kill.command, batch)}"
    assert completed == COMPLETE[kill.command]
    asked = len(turk.asked)
    assert main(arguments) == 0
    assert not CHANGING & set(turk.asked[asked:])  # the third one has nothing to do
    row = f"| `{kill.command}` | {kill.words} | {crashed} |"
    assert row in DOC.read_text(encoding="utf-8").splitlines()


COMPLETE = {
    "launch": "3 HITs, 0.90 | 3 HITs, nothing unknown",
    "approve": "6 of 6 approved | 6 approvals, nothing unknown",
    "bonus": "2 bonuses, 0.75 | 2 bonuses, nothing unknown",
}


def test_the_table_of_crashes_holds_no_other_rows() -> None:
    table = DOC.read_text(encoding="utf-8").split("| command | killed when |")[1].split("\n\n")[0]
    found = [line.split(" | ")[:2] for line in table.splitlines()[2:]]
    assert found == [[f"| `{kill.command}`", kill.words] for kill in KILLS]


def test_the_reference_names_what_a_second_run_ends_with() -> None:
    text = DOC.read_text(encoding="utf-8")
    assert [ending for ending in COMPLETE.values() if f"`{ending.replace(' | ', '; ')}`" not in text] == []


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


def run_and_kill(kill: Kill, turk: LoopbackTurk, arguments: list[str], folder: Path) -> None:
    """Run the command in a process of its own until it is killed."""
    start = [sys.executable, str(HERE / "crash_driver.py"), "after", "1000000", *arguments]
    if not kill.operation:
        start[2:4] = [kill.when, str(kill.at)]
    env = {**os.environ, **environment(folder), "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(start, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        turk.on_stop = process.kill
        if kill.operation:
            turk.faults.append(Fault(kill.operation, kill.when, 1, skip=kill.at))
        _, said = process.communicate(timeout=60)
    assert process.returncode == -9, said


def on_service(command: str, turk: LoopbackTurk) -> str:
    """Return what the service has of a command, and what it promises or pays, in US dollars without fees."""
    if command == "launch":
        return f"{len(turk.hits)} HITs, {turk.promised():.2f}"
    if command == "approve":
        approved = sum(one["AssignmentStatus"] == "Approved" for one in turk.assignments.values())
        return f"{approved} of {len(turk.assignments)} approved"
    paid = sum((Decimal(one["BonusAmount"]) for one in turk.bonuses), Decimal(0))
    return f"{len(turk.bonuses)} bonuses, {paid:.2f}"


def recorded(command: str, batch: Path) -> str:
    """Return what the manifest has of a command: how much is done, and what it does not know the end of."""
    from ncimp.builder.annotation.launch_manifest import read_manifest

    (path,) = batch.with_name("pilot.launch").glob("*/manifest.jsonl")
    manifest = read_manifest(path)
    call = {"launch": "hit"}.get(command, command)
    words = {"launch": "HITs", "approve": "approvals", "bonus": "bonuses"}[command]
    unknown = {"hit": "a HIT", "hit_type": "the HIT type", "approve": "an approval", "bonus": "a bonus"}
    open_ones = [unknown[event.call] for event in manifest.unanswered()]
    done = sum(event.call == call for event in manifest.events if event.event == "done")
    return f"{done} {words}, {' and '.join(open_ones) or 'nothing'} unknown"


def test_the_manifest_is_never_longer_than_what_was_done(turk: LoopbackTurk, tmp_path: Path) -> None:
    batch = make_batch(tmp_path / "pilot")
    assert launch(turk, batch) == 0
    lines = [(event["event"], event["call"]) for event in events(batch)]
    assert lines == [("begun", "launch"), ("asked", "hit_type"), ("done", "hit_type")] + 3 * [
        ("asked", "hit"),
        ("done", "hit"),
    ]
