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
from pathlib import Path

import pytest

from tests.annotation.launch_runs import (
    APPROVE,
    COMPLETE,
    DOC,
    HIT,
    TYPE,
    documented,
    finish,
    first_cells,
    outcome,
    prepared,
)
from tests.annotation.launch_world import environment, events, launch, make_batch, use_account
from tests.annotation.loopback_mturk import Fault, LoopbackTurk, serving

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


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


PAID = 9
"""Lines of the manifest when three HITs are launched."""

KILLS = (
    Kill("start", "before the first line is on the disk", "before", 0),
    Kill("start", "the launch is recorded as begun", "after", 0),
    Kill("start", "the HIT type is announced", "after", 1),
    Kill("start", "the HIT type is made, not answered", "stop-after", 0, TYPE),
    Kill("start", "the HIT type is recorded", "after", 2),
    Kill("start", "half of the line that announces the first HIT is on the disk", "middle", 3),
    Kill("start", "the first HIT is announced", "after", 3),
    Kill("start", "the first HIT is asked for, not made", "stop-before", 0, HIT),
    Kill("start", "the first HIT is made, not answered", "stop-after", 0, HIT),
    Kill("start", "the first HIT is made and answered, not recorded", "before", 4),
    Kill("start", "half of the line that records the first HIT is on the disk", "middle", 4),
    Kill("start", "the first HIT is recorded", "after", 4),
    Kill("start", "the second HIT is made, not answered", "stop-after", 1, HIT),
    Kill("start", "the last HIT is made, not answered", "stop-after", 2, HIT),
    Kill("start", "the last HIT is recorded", "after", 8),
    Kill("approve", "the first approval is announced", "after", PAID),
    Kill("approve", "the first approval is asked for, not done", "stop-before", 0, APPROVE),
    Kill("approve", "the first approval is done, not answered", "stop-after", 0, APPROVE),
    Kill("approve", "the first approval is done and answered, not recorded", "before", PAID + 1),
    Kill("approve", "the first approval is recorded", "after", PAID + 1),
)


@pytest.fixture
def turk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackTurk]:
    use_account(monkeypatch, tmp_path)
    with serving(LoopbackTurk(page=2)) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("kill", KILLS, ids=lambda kill: f"{kill.command}: {kill.words}")
def test_crash_costs_nothing_twice(kill: Kill, turk: LoopbackTurk, tmp_path: Path) -> None:
    batch = make_batch(tmp_path / "pilot")
    arguments = prepared(kill.command, turk, batch)
    run_and_kill(kill, turk, arguments, tmp_path)
    crashed = outcome(kill.command, turk, batch)
    turk.faults.clear()
    finish(kill.command, arguments, turk, batch)
    assert f"| `{kill.command}` | {kill.words} | {crashed} |" in documented()


def test_table_of_crashes_is_complete() -> None:
    assert first_cells("| command | killed when |") == [[f"| `{kill.command}`", kill.words] for kill in KILLS]


def test_reference_names_the_end_of_a_second_run() -> None:
    text = DOC.read_text(encoding="utf-8")
    assert [ending for ending in COMPLETE.values() if f"`{ending.replace(' | ', '; ')}`" not in text] == []


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


def test_manifest_has_one_pair_of_lines_per_call(turk: LoopbackTurk, tmp_path: Path) -> None:
    batch = make_batch(tmp_path / "pilot")
    assert launch(turk, batch) == 0
    lines = [(event["event"], event["call"]) for event in events(batch)]
    assert lines == [("begun", "launch"), ("asked", "hit_type"), ("done", "hit_type")] + 3 * [
        ("asked", "hit"),
        ("done", "hit"),
    ]
