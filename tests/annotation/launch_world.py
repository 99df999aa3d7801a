"""A batch folder by hand, small enough to be read, and the account that launches it."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.annotation.services import mturk_client
from ncimp.builder.cli import main
from tests.annotation.loopback_mturk import KEY, SECRET, LoopbackTurk

NAMESPACE = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"
QUESTION = (
    f'<HTMLQuestion xmlns="{NAMESPACE}"><HTMLContent><![CDATA[<!DOCTYPE html><html><body><form name="mturk_form">'
    '<input type="hidden" name="task_id" value="${task_id}"><p>${before_1}<mark>${span_1}</mark>${after_1}</p>'
    '<input name="comp_1"></form></body></html>]]></HTMLContent><FrameHeight>0</FrameHeight></HTMLQuestion>'
)
TEMPLATE = (
    '<input type="hidden" name="task_id" value="${task_id}"><p>${before_1}<mark>${span_1}</mark>${after_1}</p>'
    '<label>0–5 <input type="number" name="comp_1" min="0" max="5"></label><input name="synonym1_1">'
)
COLUMNS = ("task_id", "modifier", "head", "nc", "before_1", "span_1", "after_1")
ROWS = (
    ("a000000000000001", "eager", "beaver", "eager beaver", "She is an ", "eager beaver", " &amp; proud."),
    ("a000000000000002", "sísmico", "abalo", "abalo sísmico", "Houve um ", "abalo sísmico", " à noite."),
    ("a000000000000003", "red", "tape", "red tape", "Cut the ", "red tape", " of ${head}!"),
)
TASKS = tuple(row[0] for row in ROWS)


def make_batch(folder: Path, *, per_item: int = 2, tasks: int = 3, to: str = "mturk", **more: Any) -> Path:
    """Write a batch of the first *tasks* rows to *folder*; *more* are entries of `batch.json`."""
    folder.mkdir(parents=True)
    with (folder / "tasks.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([COLUMNS, *ROWS[:tasks]])
    own = {"mturk": {"question.xml.template": QUESTION}, "turkle": {}}[to]
    for name, text in {"template.html": TEMPLATE, **own, **more.pop("texts", {})}.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}
    about = {"batch": f"b{per_item:03}{tasks:012}", "to": to, "mode": "token", "lang": "en", "per_item": per_item}
    about |= {"release": "0.1.0", "release_logical_sha256": "a" * 64, "pack_sha256": "b" * 64, "code_version": "0.1.0"}
    about |= {"options": {}, "tasks": tasks, "counts": {"item": tasks}, "files": files, "cost": {}, **more}
    (folder / "batch.json").write_text(json.dumps(about, indent=2), encoding="utf-8")
    return folder


def use_account(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give boto3 the keys of the loopback server and nothing of this machine, and let nobody wait for long."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(mturk_client, "PAUSES", (0.0, 0.0))
    monkeypatch.setattr(mturk_client, "ATTEMPTS", 2)


def environment(tmp_path: Path) -> dict[str, str]:
    """Return the environment variables of the requester."""
    return {
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_CONFIG_FILE": str(tmp_path / "no-config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "no-credentials"),
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL_MTURK": "http://127.0.0.1:1/nowhere",  # must not be listened to
    }


def launch_command(turk: LoopbackTurk, batch: Path, *more: str) -> list[str]:
    """Return the arguments that launch *batch* on the loopback server."""
    arguments = ["launch", "start", str(batch), "--to", "mturk", "--endpoint", turk.url]
    return [*arguments, "--reward", "0.15", "--timeout", "1", "--send", *more]


def launch(turk: LoopbackTurk, batch: Path, *more: str) -> int:
    """Launch *batch* on the loopback server; return the exit code."""
    return main(launch_command(turk, batch, *more))


def records(batch: Path) -> Path:
    """Return the folder of the one launch of *batch*."""
    (found,) = batch.with_name(f"{batch.name}.launch").iterdir()
    return found


def events(batch: Path) -> list[dict[str, Any]]:
    """Return the lines of the manifest of the one launch of *batch*."""
    return [json.loads(line) for line in (records(batch) / "manifest.jsonl").read_text(encoding="utf-8").splitlines()]


def collected(batch: Path) -> list[dict[str, str]]:
    """Return the rows of the results file of the one launch of *batch*."""
    with (records(batch) / "collected.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def annotation_of(hit: dict[str, Any]) -> str:
    """Return the task of a HIT on the server."""
    return str(hit["RequesterAnnotation"]).split()[2]
