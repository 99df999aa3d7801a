"""The service answers badly, late, or not at all: what it has cost, what is recorded, and a second run.

Each case is a row of the table in docs/reference/launching.md, with what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from tests.annotation.launch_runs import APPROVE, BONUS, HIT, TYPE, documented, finish, first_cells, outcome, prepared
from tests.annotation.launch_world import launch, make_batch, use_account
from tests.annotation.loopback_mturk import Fault, LoopbackTurk, serving


@dataclass(frozen=True)
class Case:
    """A fault of the service while a command runs."""

    command: str
    words: str
    faults: tuple[Fault, ...]
    knows_tokens: bool = True
    lists_hits: bool = True
    poor: bool = False


CASES = (
    Case("launch", "asked to be patient, once", (Fault(HIT, "throttle", 1),)),
    Case("launch", "asked to be patient, every time", (Fault(HIT, "throttle"),)),
    Case("launch", "500, once", (Fault(HIT, "500", 1),)),
    Case("launch", "500 from the second HIT on", (Fault(HIT, "500", skip=1),)),
    Case("launch", "connection cut before a HIT is made, once", (Fault(HIT, "cut", 1),)),
    Case("launch", "connection cut before a HIT is made, every time", (Fault(HIT, "cut"),)),
    Case("launch", "connection cut after the HIT is made, once", (Fault(HIT, "lost", 1),)),
    Case("launch", "connection cut after the HIT is made, every time", (Fault(HIT, "lost"),)),
    Case("launch", "the answer comes after the longest wait", (Fault(HIT, "slow", 1),)),
    Case("launch", "the HIT is made after the longest wait", (Fault(HIT, "late", 1),)),
    Case("launch", "the answer is garbage, once", (Fault(HIT, "garbage", 1),)),
    Case("launch", "the answer is garbage, every time", (Fault(HIT, "garbage"),)),
    Case("launch", "the answer is JSON of another kind", (Fault(HIT, "strange", 1),)),
    Case("launch", "duplicate token: the HIT is not listed yet", (Fault(HIT, "lost", 1),), lists_hits=False),
    Case("launch", "server without tokens, connection cut once", (Fault(HIT, "lost", 1),), knows_tokens=False),
    Case(
        "launch",
        "HIT made, then 500 to every look at the list",
        (Fault(HIT, "lost", 1), Fault("ListHITs", "500", skip=1)),
    ),
    Case("launch", "500 to the first look at the list", (Fault("ListHITs", "500"),)),
    Case("launch", "the list is garbage", (Fault("ListHITs", "garbage"),)),
    Case("launch", "the balance is garbage", (Fault("GetAccountBalance", "strange"),)),
    Case("launch", "connection cut after the HIT type is made, once", (Fault(TYPE, "lost", 1),)),
    Case("launch", "500 to the HIT type, every time", (Fault(TYPE, "500"),)),
    Case("launch", "the account holds too little", (), poor=True),
    Case("approve", "asked to be patient, once", (Fault(APPROVE, "throttle", 1),)),
    Case("approve", "connection cut after an approval, once", (Fault(APPROVE, "lost", 1),)),
    Case("approve", "500 from the third approval on", (Fault(APPROVE, "500", skip=2),)),
    Case("bonus", "asked to be patient, once", (Fault(BONUS, "throttle", 1),)),
    Case("bonus", "connection cut before a bonus is paid, every time", (Fault(BONUS, "cut"),)),
    Case("bonus", "connection cut after a bonus is paid, once", (Fault(BONUS, "lost", 1),)),
    Case("bonus", "connection cut after a bonus is paid, every time", (Fault(BONUS, "lost"),)),
    Case(
        "bonus", "server without tokens, connection cut after a bonus", (Fault(BONUS, "lost", 1),), knows_tokens=False
    ),
    Case("bonus", "500 to the list of bonuses", (Fault("ListBonusPayments", "500"),)),
    Case("bonus", "the answer comes after the longest wait", (Fault(BONUS, "slow", 1),)),
    Case("bonus", "a bonus is paid after the longest wait", (Fault(BONUS, "late", 1),)),
)


@pytest.fixture
def turk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackTurk]:
    use_account(monkeypatch, tmp_path)
    with serving(LoopbackTurk(page=2)) as made:
        yield made


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.command}: {case.words}")
def test_a_fault_costs_nothing_twice_and_a_second_run_completes_it(
    case: Case, turk: LoopbackTurk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = make_batch(tmp_path / "pilot")
    arguments = prepared(case.command, turk, batch, tmp_path)
    turk.faults = [replace(fault) for fault in case.faults]
    turk.knows_tokens, turk.lists_hits = case.knows_tokens, case.lists_hits
    held = turk.balance
    turk.balance = Decimal("1.07") if case.poor else held
    capsys.readouterr()
    code = main(arguments)
    said = capsys.readouterr().err
    turk.settle()
    found = outcome(case.command, turk, batch)
    turk.faults.clear()
    turk.lists_hits, turk.balance = True, held
    finish(case.command, arguments, turk, batch)
    assert code in (0, 1)
    assert "Traceback" not in said
    assert "\x1b" not in said
    if code and not case.poor:
        assert "run the same command again" in said
    assert f"| `{case.command}` | {case.words} | {'fails' if code else 'succeeds'} | {found} |" in documented()


def test_the_table_of_faults_holds_no_other_rows() -> None:
    assert first_cells("| command | fault |") == [[f"| `{case.command}`", case.words] for case in CASES]


def test_a_server_whose_list_does_not_end_is_noticed(turk: LoopbackTurk, tmp_path: Path) -> None:
    batch = make_batch(tmp_path / "pilot")
    assert launch(turk, batch) == 0
    turk.endless = True
    assert main(["annotate", "collect", str(batch), "--timeout", "1"]) == 1
