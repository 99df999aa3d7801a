"""Launching as a user meets it: what is refused before anything is sent, what is said, and what is never shown."""

from __future__ import annotations

import builtins
import io
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.annotation.services.mturk import mturk_place
from ncimp.builder.annotation.services.mturk_client import LIVE, SANDBOX
from ncimp.builder.annotation.services.turkle import turkle_place
from ncimp.builder.cli import main
from ncimp.schemas.errors import UsageError
from ncimp.schemas.http import one_line
from tests.annotation.launch_world import (
    COLUMNS,
    QUESTION,
    TASKS,
    annotation_of,
    events,
    launch,
    launch_command,
    make_batch,
    records,
    use_account,
)
from tests.annotation.loopback_mturk import KEY, SECRET, Fault, LoopbackTurk, serving


@pytest.fixture
def turk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackTurk]:
    use_account(monkeypatch, tmp_path)
    with serving(LoopbackTurk(page=2)) as made:
        yield made


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    return make_batch(tmp_path / "pilot")


def without_send(arguments: list[str]) -> list[str]:
    return [argument for argument in arguments if argument != "--send"]


class Terminal(io.StringIO):
    """Standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


def test_without_send_nothing_is_sent_and_the_cost_is_told(
    turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(without_send(launch_command(turk, batch))) == 0
    said = capsys.readouterr()
    # three tasks, two people each: 6 x (0.15 + 0.03)
    assert "3 tasks, each for 2 people, 3 HITs" in said.out
    assert "rewards and fees 1.08 US dollars at most" in said.out
    assert "nothing was sent" in said.err
    assert turk.asked == []
    assert not batch.with_name("pilot.launch").exists()


@pytest.mark.parametrize(
    ("reward", "cost", "warning"),
    [
        ("0.05", {}, "warning: 4.00 USD an hour is less than 7.25, at 45 s a task; raise --reward\n"),
        ("0.15", {}, ""),
        ("0.15", {"seconds_per_task": 135}, "warning: 4.00 USD an hour is less than 7.25, at 135 s a task;"),
    ],
)
def test_a_low_wage_is_told_before_anything_is_sent(
    turk: LoopbackTurk, tmp_path: Path, capsys: pytest.CaptureFixture[str], reward: str, cost: Any, warning: str
) -> None:
    arguments = launch_command(turk, make_batch(tmp_path / "pilot", cost=cost), "--reward", reward)
    assert main(without_send(arguments)) == 0
    said = capsys.readouterr().out
    assert warning in said
    assert ("warning" in said) == bool(warning)


def test_a_hit_has_the_offer_and_a_question_with_its_cells(turk: LoopbackTurk, batch: Path) -> None:
    offer = [
        "--title",
        "Título",
        "--minutes",
        "20",
        "--days",
        "3",
        "--approve-after-days",
        "5",
        "--locale",
        "US",
        "BR-SP",
    ]
    assert launch(turk, batch, *offer, "--approved-percent", "98", "--approved-count", "500") == 0
    (values,) = turk.hit_types.values()
    assert (values["Title"], values["Reward"], values["AssignmentDurationInSeconds"]) == ("Título", "0.15", 1200)
    assert values["AutoApprovalDelayInSeconds"] == 432_000
    places = [{"Country": "US"}, {"Country": "BR", "Subdivision": "SP"}]
    asked = {one["QualificationTypeId"]: one for one in values["QualificationRequirements"]}
    assert asked["00000000000000000071"]["LocaleValues"] == places
    assert asked["000000000000000000L0"]["IntegerValues"] == [98]
    assert asked["00000000000000000040"]["IntegerValues"] == [500]
    hits = {annotation_of(hit): hit for hit in turk.hits.values()}
    assert list(hits) == list(TASKS)
    assert "<p>Houve um <mark>abalo sísmico</mark> à noite.</p>" in hits[TASKS[1]]["Question"]
    # a cell that looks like a placeholder stays as it is
    assert " of ${head}!" in hits[TASKS[2]]["Question"]
    assert {hit["MaxAssignments"] for hit in hits.values()} == {2}


def test_the_tokens_follow_from_batch_task_and_round_alone(turk: LoopbackTurk, batch: Path, tmp_path: Path) -> None:
    assert launch(turk, batch) == 0
    tokens = [event["key"] for event in events(batch) if event["call"] == "hit" and event["event"] == "asked"]
    assert all(re.fullmatch(r"[0-9a-f]{64}", token) for token in tokens)
    assert len(set(tokens)) == 3
    # the same batch in another place, as after the loss of a disk: all is found, nothing is made
    again = make_batch(tmp_path / "elsewhere" / "pilot")
    turk.forget_tokens()
    assert launch(turk, again) == 0
    assert len(turk.hits) == 3
    assert [event["how"] for event in events(again) if event["event"] == "done" and event["call"] == "hit"] == [
        "found"
    ] * 3


def test_two_batches_share_nothing(turk: LoopbackTurk, batch: Path, tmp_path: Path) -> None:
    assert launch(turk, batch) == 0
    assert launch(turk, make_batch(tmp_path / "other", batch="c000000000000000")) == 0
    assert len(turk.hits) == 6


class TestMoney:
    def test_live_without_a_terminal_needs_the_amount(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert launch(turk, batch, "--live") == 2
        assert "add --confirm-amount 1.08" in capsys.readouterr().err
        assert turk.asked == []

    def test_another_amount_is_refused(self, turk: LoopbackTurk, batch: Path) -> None:
        for amount in ["1.07", "1.09", "10.8", "0", "-1.08", "1,08", "1.080", "", "NaN", "１.08"]:
            assert launch(turk, batch, "--live", "--confirm-amount", amount) == 2
            assert turk.asked == []

    def test_the_right_amount_launches(self, turk: LoopbackTurk, batch: Path) -> None:
        assert launch(turk, batch, "--live", "--confirm-amount", "1.08") == 0
        assert len(turk.hits) == 3
        assert records(batch).name.endswith("-live")
        assert events(batch)[0]["facts"]["live"] is True

    @pytest.mark.parametrize(("typed", "code"), [("1.08\n", 0), ("1.8\n", 2), ("yes\n", 2), ("\n", 2), ("", 2)])
    def test_at_a_terminal_the_amount_is_typed(
        self, turk: LoopbackTurk, batch: Path, monkeypatch: pytest.MonkeyPatch, typed: str, code: int
    ) -> None:
        monkeypatch.setattr("sys.stdin", Terminal(typed))
        assert launch(turk, batch, "--live") == code
        assert len(turk.hits) == (0 if code else 3)

    def test_after_a_crash_the_same_command_line_goes_on(self, turk: LoopbackTurk, batch: Path) -> None:
        turk.faults = [Fault("CreateHITWithHITType", "500", skip=2)]
        assert launch(turk, batch, "--live", "--confirm-amount", "1.08") == 1
        turk.faults.clear()
        assert launch(turk, batch, "--live", "--confirm-amount", "1.08") == 0
        assert len(turk.hits) == 3

    def test_a_launch_goes_on_with_its_offer_only(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert launch(turk, batch) == 0
        assert launch(turk, batch, "--reward", "0.20") == 1
        assert "the launch began with other options" in capsys.readouterr().err
        assert len(turk.hits) == 3

    def test_another_reward_after_the_records_are_lost_is_noticed(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert launch(turk, batch) == 0
        (records(batch) / "manifest.jsonl").unlink()
        assert launch(turk, batch, "--reward", "0.20") == 1
        assert f"task {TASKS[0]} was launched before, for 2 people at 0.15" in capsys.readouterr().err
        assert len(turk.hits) == 3

    def test_a_service_that_says_no_for_want_of_money_is_asked_again_later(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        turk.balance = Decimal("0.75")  # the loopback server takes rewards without fees: two HITs
        assert launch(turk, batch) == 1
        assert "AWS.MechanicalTurk.InsufficientFunds: not enough money" in capsys.readouterr().err
        assert len(turk.hits) == 2
        assert events(batch)[-1]["event"] == "refused"
        turk.balance = Decimal("10.00")
        assert launch(turk, batch) == 0
        assert len(turk.hits) == 3

    def test_a_simulated_batch_is_never_live(self, turk: LoopbackTurk, tmp_path: Path) -> None:
        batch = make_batch(tmp_path / "toy", simulated=True)
        assert launch(turk, batch, "--live", "--confirm-amount", "1.08") == 2
        assert launch(turk, batch) == 0

    def test_a_time_that_the_service_does_not_take_is_refused(self, turk: LoopbackTurk, batch: Path) -> None:
        for wrong in (["--minutes", "0"], ["--days", "366"], ["--approve-after-days", "31"]):
            assert launch(turk, batch, *wrong) == 2
        assert turk.asked == []


class TestPlaces:
    def test_the_sandbox_is_the_default(self) -> None:
        place = mturk_place(None, False, False)
        assert (place.endpoint, place.name) == (SANDBOX, "mturk-mturk-requester-sandbox.us-east-1.amazonaws.com")
        place = mturk_place(None, True, False)
        assert (place.endpoint, place.name) == (LIVE, "mturk-mturk-requester.us-east-1.amazonaws.com-live")

    def test_an_address_that_may_pay_needs_live(self) -> None:
        for endpoint in [
            LIVE,
            "https://turk.example.org",
            "https://example.org/sandbox",
            "https://turk.sandbox.example.org",
            "https://127.0.0.1.example.org",
            "https://localhost.example.org",
        ]:
            with pytest.raises(UsageError, match="may pay real money"):
                mturk_place(endpoint, False, False)
            assert mturk_place(endpoint, True, False).live

    def test_this_machine_and_sandboxes_do_not(self) -> None:
        for endpoint in ["http://127.0.0.1:8000/", "http://localhost", "http://[::1]:1", "https://sandbox.a.org"]:
            place = mturk_place(endpoint, False, False)
            assert not place.live
            assert re.fullmatch(r"mturk-[\w.-]+", place.name)

    def test_a_strange_or_open_address_is_refused(self) -> None:
        for endpoint in [
            "http://turkle.example.org",
            "ftp://a.org",
            "turkle.example.org",
            "https://",
            "https://a.org:x",
            "https://a.org/?a=1",
        ]:
            with pytest.raises(UsageError):
                turkle_place(endpoint, False, False)

    def test_a_password_in_an_address_is_refused_and_not_repeated(self) -> None:
        with pytest.raises(UsageError) as error:
            turkle_place("https://me:hunter2@a.org", False, False)
        assert "hunter2" not in str(error.value)

    def test_http_may_be_allowed(self) -> None:
        place = turkle_place("http://turkle.lan:8000", False, True)
        assert place.name == "turkle-turkle.lan-8000"

    def test_two_launches_of_one_batch_are_told_apart(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert launch(turk, batch) == 0
        with serving(LoopbackTurk()) as other:
            assert launch(other, batch) == 0
            assert main(["launch", "status", str(batch)]) == 2
            assert "choose one with --at" in capsys.readouterr().err
            name = f"mturk-{other.url.removeprefix('http://').replace(':', '-')}"
            assert main(["launch", "status", str(batch), "--at", name]) == 0
            assert main(["launch", "status", str(batch), "--at", "nowhere"]) == 2


def test_the_batchs_own_test_is_asked_for(turk: LoopbackTurk, tmp_path: Path) -> None:
    texts = {"qualification_test.xml": "<QuestionForm/>", "qualification_answers.xml": "<AnswerKey/>"}
    batch = make_batch(tmp_path / "pilot", texts=texts)
    assert launch(turk, batch, "--test-score", "80") == 0
    ((name, made),) = turk.qualifications.items()
    assert (made["Test"], made["AnswerKey"]) == ("<QuestionForm/>", "<AnswerKey/>")
    (values,) = turk.hit_types.values()
    (asked,) = values["QualificationRequirements"]
    assert (asked["QualificationTypeId"], asked["IntegerValues"]) == (name, [80])
    # anybody has to see the HIT to take its test
    assert asked["ActionsGuarded"] == "Accept"
    assert launch(turk, make_batch(tmp_path / "plain", batch="d000000000000000"), "--test-score", "80") == 2


class TestBatches:
    def test_a_changed_file_is_refused(
        self, turk: LoopbackTurk, batch: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (batch / "tasks.csv").write_text('"task_id"\n"a"\n', encoding="utf-8")
        assert launch(turk, batch) == 1
        told = capsys.readouterr().err
        assert "tasks.csv: its sha256 is not the one in batch.json: the file is not the one that was exported" in told
        assert turk.asked == []

    @pytest.mark.parametrize(
        "text", ["{}", "[]", '{"batch": "b", "per_item": 0, "files": {}}', "not json", '{"batch": "b"']
    )
    def test_a_folder_that_is_no_batch_is_refused(self, turk: LoopbackTurk, tmp_path: Path, text: str) -> None:
        (tmp_path / "none").mkdir()
        (tmp_path / "none" / "batch.json").write_text(text, encoding="utf-8")
        assert launch(turk, tmp_path / "none") == 1
        assert launch(turk, tmp_path / "nowhere") == 1

    def test_a_question_that_is_too_long_is_refused(
        self, turk: LoopbackTurk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        long = QUESTION.replace("</body>", "é" * 33_000 + "</body>")
        batch = make_batch(tmp_path / "long", texts={"question.xml.template": long})
        assert launch(turk, batch) == 1
        assert "65,535 are taken" in capsys.readouterr().err
        assert turk.asked == []

    def test_a_cell_that_ends_the_cdata_section_is_refused(self, turk: LoopbackTurk, tmp_path: Path) -> None:
        header = ",".join(f'"{name}"' for name in COLUMNS)
        text = f'{header}\n"a000000000000001","a","b","a b","]]>","a b","."\n'
        assert launch(turk, make_batch(tmp_path / "bad", texts={"tasks.csv": text})) == 1
        assert turk.asked == []

    def test_a_batch_for_another_service_is_not_launched(self, turk: LoopbackTurk, tmp_path: Path) -> None:
        batch = make_batch(tmp_path / "hand", to="turkle")
        assert launch(turk, batch) == 2  # it has no question for mturk
        described = json.loads((batch / "batch.json").read_text())
        (batch / "batch.json").write_text(json.dumps(described | {"to": "prolific"}))
        assert main(["launch", "start", str(batch)]) == 2

    def test_without_a_reward_nothing_is_launched(self, turk: LoopbackTurk, batch: Path, tmp_path: Path) -> None:
        arguments = [one for one in launch_command(turk, batch) if one not in ("--reward", "0.15")]
        assert main(arguments) == 2
        priced = make_batch(tmp_path / "priced", cost={"reward": "0.11"})
        arguments[2] = str(priced)
        assert main(arguments) == 0
        assert {hit["Reward"] for hit in turk.hits.values()} == {"0.11"}


class TestSecrets:
    def test_a_refused_key_is_told_and_not_shown(
        self, turk: LoopbackTurk, batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIASOMEBODYELSE")
        monkeypatch.setenv("AWS_SESSION_TOKEN", "session-token-that-is-secret")
        assert launch(turk, batch) == 1
        said = capsys.readouterr().err
        assert "the keys are refused (UnrecognizedClientException); check AWS_ACCESS_KEY_ID" in said
        assert not [secret for secret in ("AKIASOMEBODYELSE", "session-token", SECRET) if secret in said]

    def test_what_a_server_repeats_of_keys_is_not_shown(
        self, turk: LoopbackTurk, batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("AWS_SESSION_TOKEN", "session-token-that-is-secret")
        turk.faults = [Fault("ListHITs", "echo")]
        assert launch(turk, batch) == 1
        said = capsys.readouterr().err
        assert "The Canonical String should have been" in said
        assert not [secret for secret in (KEY, "session-token", SECRET) if secret in said]

    def test_no_keys_is_one_message(
        self, turk: LoopbackTurk, batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.delenv(name)
        assert launch(turk, batch) == 2
        assert capsys.readouterr().err.startswith("ncimp launch start: there are no keys for the account")
        monkeypatch.setenv("AWS_PROFILE", "nobody")
        assert launch(turk, batch) == 2

    def test_no_key_is_in_the_records(self, turk: LoopbackTurk, batch: Path) -> None:
        assert launch(turk, batch) == 0
        assert main(["launch", "collect", str(batch)]) == 0
        for path in records(batch).iterdir():
            assert KEY.encode() not in path.read_bytes()
            assert SECRET.encode() not in path.read_bytes()
            assert path.stat().st_mode & 0o077 == 0, path
        assert records(batch).stat().st_mode & 0o077 == 0

    def test_what_a_service_says_is_shown_on_one_line_without_control_characters(self) -> None:
        assert one_line("a\x1b[31mb\n\u202ec\x00" + "d" * 400) == "a [31mb c " + "d" * 289 + "…"


class TestClient:
    def test_a_botocore_without_the_service_names_what_to_do(
        self, turk: LoopbackTurk, batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from botocore.exceptions import UnknownServiceError

        def gone(*_: object, **__: object) -> None:
            raise UnknownServiceError(service_name="mturk", known_service_names="s3")

        monkeypatch.setattr("boto3.session.Session.client", gone)
        assert launch(turk, batch) == 2
        said = capsys.readouterr().err
        assert "no longer has the client `mturk`: Amazon Mechanical Turk closed on 2026-09-30; use Turkle" in said

    def test_without_boto3_one_line_says_how_to_have_it(
        self, turk: LoopbackTurk, batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        honest = builtins.__import__

        def refuse(name: str, *rest: Any, **named: Any) -> Any:
            if name.split(".")[0] in ("boto3", "botocore"):
                raise ImportError(name)
            return honest(name, *rest, **named)

        monkeypatch.setattr(builtins, "__import__", refuse)
        assert launch(turk, batch) == 2
        said = capsys.readouterr().err
        assert said == 'ncimp launch start: boto3 is not installed; pip install "ncimp[crowd]"\n'

    def test_a_server_that_is_not_there_is_told(
        self, batch: Path, turk: LoopbackTurk, capsys: pytest.CaptureFixture[str]
    ) -> None:
        turk.url = "http://127.0.0.1:1"
        assert launch(turk, batch) == 1
        said = capsys.readouterr().err
        assert "no answer from http://127.0.0.1:1 (EndpointConnectionError); run the same command again" in said
