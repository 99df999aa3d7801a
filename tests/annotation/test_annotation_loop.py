"""The whole loop with the real pieces: a release, its export, a service with Mechanical Turk's API, and back.

20 English compounds x 3 sentences x 10 judgements by 15 simulated workers, four of whom cheat, each in a way of their
own. Nobody does all tasks, so each meets a part of the checks. The workers answer the HITs of the service on this
machine; boto3 launches, collects and approves.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import pytest

from ncimp.builder.annotation.rehearsal import read_habits, read_truth
from ncimp.builder.annotation.task.page import read_wording
from ncimp.builder.cli import main
from ncimp.builder.records import Score
from ncimp.builder.sources.packs.packs import packs_folder, read_pack
from ncimp.schemas.files import read_json, read_jsonl
from ncimp.schemas.records import read_records
from tests.annotation.launch_world import annotation_of, records, use_account
from tests.annotation.loopback_mturk import LoopbackTurk, serving

pytestmark = pytest.mark.slow

CHEATS = ["random", "reversed", "speeder", "straight"]
FORMULA = "=cmd() thing"
"""What one of the workers gives as a synonym."""


def command(*words: object) -> None:
    assert main([str(word) for word in words]) == 0, words


@dataclass(frozen=True)
class Loop:
    """Where everything is, once the loop has been gone through."""

    folder: Path
    chosen: list[str]
    turk: LoopbackTurk

    @property
    def report(self) -> dict[str, Any]:
        """The report as JSON."""
        found: dict[str, Any] = read_json(self.folder / "report.json")
        return found

    def table(self, config: str) -> list[dict[str, Any]]:
        """Return the rows of a config of the release with scores, of all its splits."""
        parts = datasets.load_dataset(str(self.folder / "scored" / "ncimp"), config).values()
        return [row for part in parts for row in part]


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> Loop:
    """Go through the loop once."""
    folder = tmp_path_factory.mktemp("loop")
    pack = read_pack(packs_folder() / "en")
    chosen = [pack.compound_id(row.text) for row in pack.compounds][::14]
    build = ("build", "--lang", "en", "--work", folder / "work")
    command(*build, "--out", folder / "plain" / "ncimp")
    export(folder, chosen)
    with pytest.MonkeyPatch.context() as patch, serving(LoopbackTurk()) as turk:
        use_account(patch, folder)
        on_the_service(turk, folder)
        scored = evaluate(folder)
    command(*build, "--out", folder / "scored" / "ncimp", *scored, "--allow-simulated")
    return Loop(folder, chosen, turk)


def export(folder: Path, chosen: list[str]) -> None:
    """Export the batch, and let a program answer a copy of it."""
    (folder / "mine.txt").write_text("\n".join(chosen) + "\n", encoding="utf-8")
    which = ("--release", folder / "plain" / "ncimp", "--lang", "en", "--compounds", folder / "mine.txt")
    command("annotate", "export", "--to", "mturk", "--per-item", 10, *which, "--out", folder / "pilot", "--write")
    crowd = ("--cheaters", 0.27)  # four of the fifteen whom the batch needs at 50 tasks each
    command("annotate", "simulate", "--batch", folder / "pilot", "--out", folder / "rehearsal", *crowd)


def on_the_service(turk: LoopbackTurk, folder: Path) -> None:
    """Launch, answer in two goes, with the same command between them, collect, and pay."""
    pilot = folder / "pilot"
    launch = ("launch", "start", pilot, "--to", "mturk", "--endpoint", turk.url, "--timeout", 5, "--send")
    workers = list(read_habits(folder / "rehearsal"))
    for people in (workers[:7], workers[7:]):
        command(*launch)
        answer(turk, folder / "rehearsal" / "results.csv", people)
    command("launch", "collect", pilot)
    command("launch", "approve", pilot, "--send")


def answer(turk: LoopbackTurk, results: Path, people: list[str]) -> None:
    """Let *people* do the open HITs whose tasks they have answered in the simulation, in the same way."""
    with results.open(encoding="utf-8", newline="") as stream:
        given = {(row["Input.task_id"], row["WorkerId"]): row for row in csv.DictReader(stream)}
    for name, hit in list(turk.hits.items()):
        if turk.described(name)["HITStatus"] == "Reviewable":
            continue
        for worker in people:
            if (row := given.get((annotation_of(hit), worker))) is None:
                continue
            answers = {key.removeprefix("Answer."): row[key] for key in row if key.startswith("Answer.") and row[key]}
            if worker == people[-1] and "synonym1_1" in answers:
                answers["synonym1_1"] = FORMULA
            turk.work(name, worker, answers, seconds=int(row["WorkTimeInSeconds"]))


def evaluate(folder: Path) -> tuple[object, ...]:
    """Import what was collected, report, and score; return the options of the build."""
    results, salt = records(folder / "pilot") / "collected.csv", ("--salt", folder / "salt")
    campaign = folder / "campaign"
    command("annotate", "import", results, "--batch", folder / "pilot", *salt, "--out", campaign)
    written = ("--out", folder / "report.html", "--json", folder / "report.json")
    command("annotate", "report", campaign, *written, "--truth", folder / "rehearsal", *salt)
    command("annotate", "scores", campaign, "--out", folder / "scores")
    scores = folder / "scores"
    return "--scores", scores / "scores.tsv", "--annotations", scores / "annotations.jsonl"


def test_the_service_gave_each_task_to_ten_people(loop: Loop) -> None:
    tasks = [row for _, row in read_jsonl(loop.folder / "pilot" / "key.jsonl")]
    assert [sum(row["kind"] == kind for row in tasks) for kind in ("item", "gold", "attention")] == [60, 6, 6]
    assert len(loop.turk.hits) == 72
    assert {hit["MaxAssignments"] for hit in loop.turk.hits.values()} == {10}
    task = read_wording(packs_folder() / "en").task
    shown = (task.title, task.description, ", ".join(task.keywords))
    assert {(hit["Title"], hit["Description"], hit["Keywords"]) for hit in loop.turk.hits.values()} == {shown}
    assert len(loop.turk.assignments) == 720
    assert {one["AssignmentStatus"] for one in loop.turk.assignments.values()} == {"Approved"}


def test_all_that_was_answered_is_imported_as_it_was_typed(loop: Loop) -> None:
    rows = [row for _, row in read_jsonl(loop.folder / "campaign" / "judgements.jsonl")]
    assert len(rows) == 720
    assert (loop.folder / "campaign" / "rejected.jsonl").read_text(encoding="utf-8") == ""
    assert all(row["simulated"] for row in rows)  # by the names of the workers: the batch is not marked
    odd = [row for row in rows if FORMULA in row["synonyms"]]
    assert {row["status"] for row in odd} == {"judged"}
    assert len({row["annotator"] for row in odd}) == 2
    text = (records(loop.folder / "pilot") / "collected.csv").read_text(encoding="utf-8")
    assert text.count(f'"\'{FORMULA}"') == len(odd)
    assert f'"{FORMULA}"' not in text


def test_cheaters_are_found_unless_they_met_too_few_checks_and_nobody_else(loop: Loop) -> None:
    assert sorted(habit for habit in read_habits(loop.folder / "rehearsal").values() if habit != "careful") == CHEATS
    found = loop.report["rehearsal"]
    assert (found["cheaters"], found["precision"]) == (4, 1.0)
    assert found["recall"] >= 0.75  # test_rehearsal.py has the mean over crowds
    assert 4 - len(loop.report["excluded"]) <= loop.report["too_few_checks"]["min_gold"] <= 5
    assert any(one["gold"]["n"] < 6 for one in loop.report["annotators"])


def test_the_scores_are_recovered_within_the_stated_intervals(loop: Loop) -> None:
    found = loop.report["rehearsal"]
    assert (found["compounds"], found["sentences"]) == (20, 60)
    assert found["compounds_covered"] >= 0.9
    assert found["sentences_covered"] >= 0.9
    assert found["mean_error"] < 0.2
    truth = read_truth(loop.folder / "rehearsal")
    rows = [row for _, row in read_records(loop.folder / "scores" / "scores.tsv", Score, "score")]
    stated = {row.item_id: (row.comp_low, row.comp_high) for row in rows if row.level == "sentence"}
    inside = [low <= value <= high for name, (_, value) in truth.items() for low, high in [stated[name]]
              if low is not None and high is not None]  # fmt: skip
    assert len(inside) == 60
    assert sum(inside) / len(inside) == found["sentences_covered"]


def test_the_release_gives_the_scores_to_whoever_loads_it(loop: Loop) -> None:
    scores = {
        row.compound_id: row
        for _, row in read_records(loop.folder / "scores" / "scores.tsv", Score, "score")
        if row.level == "compound"
    }
    compounds = {row["id"]: row for row in loop.table("compounds") if row["comp"] is not None}
    assert set(compounds) == set(scores) == set(loop.chosen)
    for name, row in compounds.items():
        assert (row["comp"], row["comp_n"]) == (scores[name].comp, scores[name].comp_n)
        assert row["comp_source"].startswith("simulated token ")
    annotations = loop.table("annotations")
    assert len(annotations) == 600
    assert {row["annotator"] for row in annotations if row["excluded"]} == set(loop.report["excluded"])


def test_nobody_is_named_beyond_the_records_of_the_launch(loop: Loop) -> None:
    workers = read_habits(loop.folder / "rehearsal")
    folders = [loop.folder / part for part in ("campaign", "scores", "scored")]
    texts = [path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()]
    texts.append((loop.folder / "report.html").read_bytes())
    texts.append(json.dumps(loop.table("annotations")).encode())  # parquet is compressed
    assert len(workers) == 15
    assert not any(name.encode() in text for name in workers for text in texts)
