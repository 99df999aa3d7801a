"""The service answers badly, late, or not at all: what it has cost, what is recorded, and a second run.

Each case is a row of the table in docs/reference/launching.md, with what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ncimp.builder.annotation.launch import LaunchEvent, open_manifest
from ncimp.builder.cli import main
from tests.annotation.launch_runs import APPROVE, HIT, TYPE, documented, finish, first_cells, outcome, prepared
from tests.annotation.launch_world import launch, make_batch, records, use_account
from tests.annotation.loopback_mturk import Fault, LoopbackTurk, serving


@dataclass(frozen=True)
class Case:
    """A fault of the service while a command runs."""

    command: str
    words: str
    faults: tuple[Fault, ...]
    knows_tokens: bool = True
    lists_hits: bool = True


CASES = (
    Case("start", "asked to be patient, once", (Fault(HIT, "throttle", 1),)),
    Case("start", "asked to be patient, every time", (Fault(HIT, "throttle"),)),
    Case("start", "500, once", (Fault(HIT, "500", 1),)),
    Case("start", "500 from the second HIT on", (Fault(HIT, "500", skip=1),)),
    Case("start", "connection cut before a HIT is made, once", (Fault(HIT, "cut", 1),)),
    Case("start", "connection cut before a HIT is made, every time", (Fault(HIT, "cut"),)),
    Case("start", "connection cut after the HIT is made, once", (Fault(HIT, "lost", 1),)),
    Case("start", "connection cut after the HIT is made, every time", (Fault(HIT, "lost"),)),
    Case("start", "the answer comes after the longest wait", (Fault(HIT, "slow", 1),)),
    Case("start", "the HIT is made after the longest wait", (Fault(HIT, "late", 1),)),
    Case("start", "the answer is garbage, once", (Fault(HIT, "garbage", 1),)),
    Case("start", "the answer is garbage, every time", (Fault(HIT, "garbage"),)),
    Case("start", "the answer is JSON of another kind", (Fault(HIT, "strange", 1),)),
    Case("start", "duplicate token: the HIT is not listed yet", (Fault(HIT, "lost", 1),), lists_hits=False),
    Case("start", "server without tokens, connection cut once", (Fault(HIT, "lost", 1),), knows_tokens=False),
    Case(
        "start",
        "HIT made, then 500 to every look at the list",
        (Fault(HIT, "lost", 1), Fault("ListHITs", "500", skip=1)),
    ),
    Case("start", "500 to the first look at the list", (Fault("ListHITs", "500"),)),
    Case("start", "the list is garbage", (Fault("ListHITs", "garbage"),)),
    Case("start", "connection cut after the HIT type is made, once", (Fault(TYPE, "lost", 1),)),
    Case("start", "500 to the HIT type, every time", (Fault(TYPE, "500"),)),
    Case("approve", "asked to be patient, once", (Fault(APPROVE, "throttle", 1),)),
    Case("approve", "connection cut after an approval, once", (Fault(APPROVE, "lost", 1),)),
    Case("approve", "500 from the third approval on", (Fault(APPROVE, "500", skip=2),)),
)


@pytest.fixture
def turk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackTurk]:
    use_account(monkeypatch, tmp_path)
    with serving(LoopbackTurk(page=2)) as made:
        yield made


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.command}: {case.words}")
def test_fault_costs_nothing_twice(
    case: Case, turk: LoopbackTurk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = make_batch(tmp_path / "pilot")
    arguments = prepared(case.command, turk, batch)
    turk.faults = [replace(fault) for fault in case.faults]
    turk.knows_tokens, turk.lists_hits = case.knows_tokens, case.lists_hits
    capsys.readouterr()
    code = main(arguments)
    said = capsys.readouterr().err
    turk.settle()
    found = outcome(case.command, turk, batch)
    turk.faults.clear()
    turk.lists_hits = True
    finish(case.command, arguments, turk, batch)
    assert code in (0, 1)
    assert "Traceback" not in said
    assert "\x1b" not in said
    if code:
        assert "run the same command again" in said
    assert f"| `{case.command}` | {case.words} | {'fails' if code else 'succeeds'} | {found} |" in documented()


def test_table_of_faults_is_complete() -> None:
    assert first_cells("| command | fault |") == [[f"| `{case.command}`", case.words] for case in CASES]


def test_a_hit_that_the_service_has_forgotten_stops_nothing(
    turk: LoopbackTurk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = make_batch(tmp_path / "pilot")
    prepared("approve", turk, batch)  # six answers wait
    lost = next(iter(turk.hits))
    with open_manifest(records(batch) / "manifest.jsonl") as manifest:
        manifest.add(LaunchEvent("asked", "expire", lost))  # an attempt without an answer, before it was deleted
    turk.hits.pop(lost)
    turk.hits["3HIT000001"]["MaxAssignments"] = 3  # can still be taken
    for command in ("status", "collect", "approve", "stop"):
        send = ["--send"] if command in ("approve", "stop") else []
        capsys.readouterr()
        code = main(["launch", command, str(batch), *send])
        said = capsys.readouterr()
        (row,) = [line for line in documented() if line.startswith(f"| `{command}` | a HIT was deleted")]
        ends, lines = row.strip("| ").split(" | ")[2:]
        assert ends == f"exit code {code}"
        for line in lines.split("<br>"):
            assert line.strip("`") in said.out + said.err
    assert turk.hits["3HIT000001"]["Expiration"] < turk.hits["3HIT000002"]["Expiration"]


def test_endless_list_is_an_error(turk: LoopbackTurk, tmp_path: Path) -> None:
    batch = make_batch(tmp_path / "pilot")
    assert launch(turk, batch) == 0
    turk.endless = True
    assert main(["launch", "collect", str(batch), "--timeout", "1"]) == 1
