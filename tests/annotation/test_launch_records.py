"""The manifest and the results file: nothing is lost, nothing foreign gets in, the same answers give the same bytes."""

from __future__ import annotations

import doctest
import errno
import json
import os
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.annotation.launch import (
    BEFORE,
    LaunchError,
    LaunchEvent,
    Once,
    RefusedError,
    open_manifest,
    read_manifest,
)
from ncimp.builder.annotation.services import mturk, mturk_format
from ncimp.builder.annotation.services.mturk import cost_of_hit
from ncimp.builder.annotation.services.mturk_format import read_answers
from ncimp.builder.annotation.task import cells
from ncimp.builder.annotation.task.cells import as_typed, safe
from ncimp.builder.cli import main
from ncimp.schemas.errors import SchemaError
from tests.annotation.launch_world import TASKS, annotation_of, collected, launch, make_batch, records, use_account
from tests.annotation.loopback_mturk import Fault, LoopbackTurk, answers_xml, serving


@pytest.fixture
def turk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackTurk]:
    use_account(monkeypatch, tmp_path)
    with serving(LoopbackTurk(page=2)) as made:
        yield made


@pytest.fixture
def batch(turk: LoopbackTurk, tmp_path: Path) -> Path:
    made = make_batch(tmp_path / "pilot")
    assert launch(turk, made) == 0
    return made


def collect(batch: Path) -> int:
    return main(["launch", "collect", str(batch), "--timeout", "1"])


class TestManifest:
    def make_one(self, path: Path) -> None:
        with open_manifest(path) as manifest:
            manifest.add(LaunchEvent("asked", "hit", "k", amount="0.36"))
            manifest.add(LaunchEvent("done", "hit", "k", "3HIT", "made", "0.36"))
            manifest.add(LaunchEvent("asked", "hit", "l"))

    def test_it_reads_back_what_was_added(self, tmp_path: Path) -> None:
        path = tmp_path / "a" / "manifest.jsonl"
        self.make_one(path)
        manifest = read_manifest(path)
        done = manifest.done("hit", "k")
        assert done is not None
        assert (done.id, done.amount) == ("3HIT", "0.36")
        assert [event.key for event in manifest.unanswered()] == ["l"]
        assert manifest.done("approve", "k") is None

    @given(cut=st.integers(0, 1000))
    def test_wherever_a_crash_cuts_it_whole_lines_remain(
        self, tmp_path_factory: pytest.TempPathFactory, cut: int
    ) -> None:
        path = tmp_path_factory.mktemp("cut") / "manifest.jsonl"
        self.make_one(path)
        whole = path.read_bytes()
        path.write_bytes(whole[: cut % (len(whole) + 1)])
        lines = path.read_bytes().count(b"\n")
        with open_manifest(path) as manifest:
            assert len(manifest.events) == lines
            manifest.add(LaunchEvent("asked", "hit", "m"))
        assert [event.key for event in read_manifest(path).events] == [*["k", "k", "l"][:lines], "m"]

    def test_a_damaged_line_is_named_and_nothing_is_done(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = records(batch) / "manifest.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join([*lines[:3], "{damaged\n", *lines[4:]]), encoding="utf-8")
        asked = len(turk.asked)
        assert launch(turk, batch) == 1
        assert f"{path}:4: not an event of a log" in capsys.readouterr().err
        assert len(turk.asked) == asked

    @pytest.mark.parametrize("line", ['{"event": "done"}', "[]", "7", '{"event": "paid", "call": "hit"}'])
    def test_a_line_of_another_shape_is_an_error(self, tmp_path: Path, line: str) -> None:
        path = tmp_path / "manifest.jsonl"
        path.write_text(line + "\n", encoding="utf-8")
        with pytest.raises(SchemaError, match="manifest"):
            read_manifest(path)

    def test_two_processes_do_not_launch_at_a_time(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with open_manifest(records(batch) / "manifest.jsonl"):
            assert launch(turk, batch) == 1
            assert "another ncimp is writing this file" in capsys.readouterr().err
            assert main(["launch", "status", str(batch)]) == 0  # looking is allowed

    def test_a_refusal_is_recorded_and_the_call_is_made_again(self, tmp_path: Path) -> None:
        answers: list[Callable[[], str]] = [lambda: refuse(), lambda: "3HIT"]

        def refuse() -> str:
            raise RefusedError("no", code="AWS.No")

        with open_manifest(tmp_path / "manifest.jsonl") as manifest:
            step = Once("hit", "k", lambda: answers.pop(0)(), lambda: None)
            with pytest.raises(RefusedError):
                manifest.once(step)
            assert manifest.unanswered() == []
            assert manifest.once(step) == "3HIT"
            assert manifest.once(step) == "3HIT"
        assert [event.event for event in manifest.events] == ["asked", "refused", "asked", "done"]

    def test_a_full_disk_is_told_and_what_was_made_is_found_again(
        self, turk: LoopbackTurk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        batch = make_batch(tmp_path / "full")
        honest, room = os.fsync, iter(range(5))  # the folder, begun, asked and done of the type, asked of the first HIT

        def full(handle: int) -> None:
            if next(room, None) is None:
                raise OSError(errno.ENOSPC, "No space left on device")
            honest(handle)

        monkeypatch.setattr(os, "fsync", full)
        assert launch(turk, batch) == 1
        assert "the records cannot be written (No space left on device)" in capsys.readouterr().err
        assert len(turk.hits) == 1
        monkeypatch.setattr(os, "fsync", honest)
        turk.forget_tokens()
        assert launch(turk, batch) == 0
        assert len(turk.hits) == 3

    def test_a_folder_that_cannot_be_written_is_told(self, turk: LoopbackTurk, tmp_path: Path) -> None:
        batch = make_batch(tmp_path / "pilot")
        (tmp_path / "file").write_text("")
        assert launch(turk, batch, "--records", str(tmp_path / "file")) == 1
        assert turk.hits == {}

    def test_one_that_is_read_only_is_not_added_to(self, tmp_path: Path) -> None:
        self.make_one(tmp_path / "manifest.jsonl")
        with pytest.raises(LaunchError, match="reading only"):
            read_manifest(tmp_path / "manifest.jsonl").add(LaunchEvent("asked", "hit", "m"))


class TestCollecting:
    def test_a_row_has_hit_assignment_input_and_answers(self, turk: LoopbackTurk, batch: Path) -> None:
        hits = {annotation_of(hit): name for name, hit in turk.hits.items()}
        answers = {
            "task_id": TASKS[1],
            "status_1": "judged",
            "comp_1": "4",
            "synonym1_1": "terremoto; “sismo”\nà noite",
        }
        turk.work(hits[TASKS[1]], "AWORKER", answers)
        assert collect(batch) == 0
        (row,) = collected(batch)
        assert list(row)[: len(BEFORE)] == list(BEFORE)
        assert list(row)[-2:] == ["Approve", "Reject"]
        assert {name: value for name, value in row.items() if name.startswith("Answer.")} == {
            f"Answer.{name}": value for name, value in answers.items()
        }
        assert (row["Input.task_id"], row["Input.after_1"]) == (TASKS[1], " à noite.")
        assert (row["WorkerId"], row["AssignmentStatus"], row["Reward"]) == ("AWORKER", "Submitted", "$0.15")
        assert (row["AcceptTime"], row["WorkTimeInSeconds"]) == ("Fri Nov 20 15:53:20 UTC 2026", "75")
        assert row["ApprovalTime"] == ""

    def test_collecting_again_gives_the_same_bytes_and_what_is_new(self, turk: LoopbackTurk, batch: Path) -> None:
        path = records(batch) / "collected.csv"
        for number, hit in enumerate(reversed(turk.hits)):
            turk.work(hit, f"A{number}", {"comp_1": str(number)})
        assert collect(batch) == 0
        first = path.read_bytes()
        assert collect(batch) == 0
        assert path.read_bytes() == first
        turk.work(next(iter(turk.hits)), "A9", {"comp_1": "0", "synonym1_1": "new"})
        assert collect(batch) == 0
        rows = collected(batch)
        assert [row["Input.task_id"] for row in rows] == [TASKS[0], TASKS[0], TASKS[1], TASKS[2]]
        assert [row["Answer.synonym1_1"] for row in rows] == ["", "new", "", ""]

    def test_more_than_a_page_of_assignments_comes_whole(self, turk: LoopbackTurk, tmp_path: Path) -> None:
        batch = make_batch(tmp_path / "many", per_item=9, tasks=1)
        turk.page = 4
        assert launch(turk, batch) == 0
        for number in range(9):
            turk.work(next(iter(turk.hits)), f"A{number}", {"comp_1": "1"})
        assert collect(batch) == 0
        assert [row["WorkerId"] for row in collected(batch)] == [f"A{number}" for number in range(9)]
        assert turk.count("ListAssignmentsForHIT") == 3

    def test_what_the_service_has_forgotten_stays(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        turk.work(next(iter(turk.hits)), "A1", {"comp_1": "1"})
        assert collect(batch) == 0
        before = collected(batch)
        turk.assignments.clear()
        capsys.readouterr()
        assert collect(batch) == 0
        assert collected(batch) == before
        assert "1 assignments, 1 of them no longer on the service" in capsys.readouterr().err

    def test_a_failure_leaves_the_file_as_it_was(self, turk: LoopbackTurk, batch: Path) -> None:
        for hit in turk.hits:
            turk.work(hit, "A1", {"comp_1": "1"})
        assert collect(batch) == 0
        before = (records(batch) / "collected.csv").read_bytes()
        for kind in ("500", "garbage", "cut", "strange"):
            turk.faults = [Fault("ListAssignmentsForHIT", kind, skip=1)]
            assert collect(batch) == 1
            assert (records(batch) / "collected.csv").read_bytes() == before

    def test_answers_that_cannot_be_read_are_kept_and_told(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        bomb = '<!DOCTYPE a [<!ENTITY b "bbbb">]><a><Answer><QuestionIdentifier>x</QuestionIdentifier>&b;</Answer></a>'
        first, second, _ = turk.hits
        turk.work(first, "A1", {}, xml=bomb)
        turk.work(second, "A1", {"comp_1": "2"})
        assert collect(batch) == 1
        assert "assignment 3ASSIGN00000: the answers cannot be read" in capsys.readouterr().err
        rows = collected(batch)
        assert [(row["Answer.unreadable"], row["Answer.comp_1"]) for row in rows] == [(bomb, ""), ("", "2")]

    @pytest.mark.slow
    def test_an_answer_of_ten_megabytes_comes_back_whole(self, turk: LoopbackTurk, batch: Path) -> None:
        long = "é" * 5_000_000
        turk.work(next(iter(turk.hits)), "A1", {"synonym1_1": long})
        assert collect(batch) == 0
        assert collect(batch) == 0  # it is read back, too
        import csv

        csv.field_size_limit(1 << 27)
        assert collected(batch)[0]["Answer.synonym1_1"] == long

    def test_what_a_spreadsheet_would_run_is_made_harmless(self, turk: LoopbackTurk, batch: Path) -> None:
        turk.work(
            next(iter(turk.hits)), "A1", {"synonym1_1": "=cmd|' /C calc'!A0", "comp_1": "-1", "synonym2_1": "a=b"}
        )
        assert collect(batch) == 0
        (row,) = collected(batch)
        assert (row["Answer.synonym1_1"], row["Answer.comp_1"]) == ("'=cmd|' /C calc'!A0", "-1")
        assert row["Answer.synonym2_1"] == "a=b"

    def test_a_hit_that_was_deleted_does_not_keep_the_others_back(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for hit in turk.hits:
            turk.work(hit, "A1", {"comp_1": "1"})
        assert collect(batch) == 0
        del turk.hits["3HIT000000"]
        turk.work("3HIT000001", "A2", {"comp_1": "2"})
        capsys.readouterr()
        assert collect(batch) == 0
        assert f"HIT 3HIT000000 of task {TASKS[0]} is no longer on the service" in capsys.readouterr().err
        assert [row["Answer.comp_1"] for row in collected(batch)] == ["1", "1", "2", "1"]

    def test_the_results_are_readable_by_their_owner_alone(
        self, turk: LoopbackTurk, batch: Path, tmp_path: Path
    ) -> None:
        turk.work(next(iter(turk.hits)), "A1", {"comp_1": "1"})
        out = tmp_path / "new" / "answers.csv"
        assert main(["launch", "collect", str(batch), "--out", str(out)]) == 0
        assert out.stat().st_mode & 0o777 == 0o600
        assert main(["launch", "collect", str(batch), "--out", str(tmp_path)]) == 1

    def test_a_table_that_is_no_results_file_is_not_overwritten(
        self, turk: LoopbackTurk, batch: Path, tmp_path: Path
    ) -> None:
        turk.work(next(iter(turk.hits)), "A1", {"comp_1": "1"})
        other = tmp_path / "other.csv"
        other.write_text(f'"Input.task_id"\n"{TASKS[0]}"\n', encoding="utf-8")
        assert main(["launch", "collect", str(batch), "--out", str(other)]) == 1
        assert other.read_text(encoding="utf-8").startswith('"Input.task_id"\n')

    def test_a_results_file_of_another_project_is_not_merged(
        self, turk: LoopbackTurk, batch: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        turk.work(next(iter(turk.hits)), "A1", {"comp_1": "1"})
        foreign = tmp_path / "foreign.csv"
        foreign.write_text('"AssignmentId","Input.task_id"\n"3X","of-another"\n', encoding="utf-8")
        assert main(["launch", "collect", str(batch), "--out", str(foreign)]) == 1
        assert "assignment '3X' is of a task that is not in the batch" in capsys.readouterr().err
        assert "of-another" in foreign.read_text(encoding="utf-8")


class TestAnswers:
    @given(
        st.dictionaries(
            st.text("abc_123", min_size=1), st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]))
        )
    )
    def test_what_was_answered_is_read(self, answers: dict[str, str]) -> None:
        assert read_answers(answers_xml(answers)) == answers

    def test_several_answers_to_one_question_are_joined(self) -> None:
        each = "<SelectionIdentifier>a</SelectionIdentifier><SelectionIdentifier>b</SelectionIdentifier>"
        xml = f"<r><Answer><QuestionIdentifier>q</QuestionIdentifier>{each}</Answer></r>"
        assert read_answers(xml) == {"q": "a|b"}

    def test_what_is_no_xml_of_answers_is_not_read(self) -> None:
        for xml in [
            "",
            "text",
            "<a>",
            "<a><Answer/></a>",
            '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>&x;</a>',
            "\ud800",
        ]:
            assert read_answers(xml) is None


class TestPayments:
    @pytest.fixture
    def done(self, turk: LoopbackTurk, batch: Path) -> list[str]:
        assert batch.is_dir()
        return [turk.work(hit, worker, {"comp_1": "1"}) for hit in turk.hits for worker in ("A1", "A2")]

    def test_looking_approves_and_pays_nothing(self, turk: LoopbackTurk, batch: Path, done: list[str]) -> None:
        assert len(done) == 6
        assert main(["launch", "approve", str(batch)]) == 0
        assert main(["launch", "stop", str(batch)]) == 0
        assert not {"ApproveAssignment", "UpdateExpirationForHIT"} & set(turk.asked)

    def test_those_held_back_are_not_approved_and_nobody_is_rejected(
        self, turk: LoopbackTurk, batch: Path, done: list[str]
    ) -> None:
        held = batch.parent / "held.txt"
        held.write_text(f"{done[1]}\n\n", encoding="utf-8")
        only = batch.parent / "only.txt"
        only.write_text(f"{done[0]}\n{done[1]}\n", encoding="utf-8")
        assert main(["launch", "approve", str(batch), "--only", str(only), "--hold-back", str(held), "--send"]) == 0
        states = [one["AssignmentStatus"] for one in turk.assignments.values()]
        assert states == ["Approved"] + ["Submitted"] * 5
        assert main(["launch", "approve", str(batch), "--hold-back", str(held), "--send"]) == 0
        assert [one["AssignmentStatus"] for one in turk.assignments.values()].count("Submitted") == 1
        assert "RejectAssignment" not in turk.asked

    def test_one_that_is_held_back_after_a_crash_is_looked_up_and_not_approved(
        self, turk: LoopbackTurk, batch: Path, done: list[str]
    ) -> None:
        with open_manifest(records(batch) / "manifest.jsonl") as manifest:
            manifest.add(LaunchEvent("asked", "approve", done[0], facts={"task_id": TASKS[0]}))
        held = batch.parent / "held.txt"
        held.write_text(done[0], encoding="utf-8")
        assert main(["launch", "approve", str(batch), "--hold-back", str(held), "--send"]) == 0
        assert turk.assignments[done[0]]["AssignmentStatus"] == "Submitted"
        assert main(["launch", "status", str(batch)]) == 0  # nothing is unknown

    def test_expiring_ends_what_is_open(self, batch: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["launch", "stop", str(batch), "--send"]) == 0
        assert "3 HITs were ended" in capsys.readouterr().err
        assert main(["launch", "status", str(batch), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert {hit["state"] for hit in told["hits"]} == {"Reviewable"}
        assert main(["launch", "stop", str(batch), "--send"]) == 0
        assert "0 HITs were ended" in capsys.readouterr().err


class TestFigures:
    @pytest.mark.parametrize("module", [cells, mturk_format, mturk], ids=lambda m: m.__name__)
    def test_the_examples_are_true(self, module: ModuleType) -> None:
        found = doctest.testmod(module)
        assert (found.failed, found.attempted > 0) == (0, True)

    @given(st.decimals("0.01", "20", places=2), st.integers(1, 30))
    def test_the_cost_is_in_cents_and_never_below_the_rewards_and_a_fifth(self, reward: Decimal, people: int) -> None:
        cost = cost_of_hit(reward, people)
        assert cost == cost.quantize(Decimal("0.01"))
        assert cost >= people * reward * Decimal("1.2")

    @given(st.text() | st.text("'=+-@|%\t\r 1.", max_size=6))
    def test_a_safe_cell_begins_like_no_formula_and_loses_nothing(self, cell: str) -> None:
        made = safe(cell)
        assert as_typed(made) == cell
        assert made in (cell, f"'{cell}")
        assert not made.strip().startswith(("=", "@", "＝"))
