"""A batch goes out to a real Turkle, three people answer it by HTTP, and their answers come back.

It needs a package index, for an environment of its own from the pins in `turkle.txt`; CI, which sets NCIMP_TURKLE to
`required`, may not skip.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import datasets
import pytest

from ncimp.builder.annotation.campaign import read_judgements
from ncimp.builder.annotation.launch import open_manifest
from ncimp.builder.annotation.services.service import Offer
from ncimp.builder.annotation.services.turkle import Turkle, TurkleCampaign, turkle_place
from ncimp.builder.cli import main
from ncimp.schemas.files import keyed_hash
from tests.annotation.launch_world import COLUMNS, ROWS, TASKS, collected, events, make_batch, records
from tests.annotation.turkle_world import PINS, RunningTurkle, Worker, running
from tests.compat.environments import interpreter, make_environment

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
WORKERS = ["ana", "bento", "célia"]
HOSTILE = "=cmd() <script>alert(1)</script>, “aspas”; \u202eleft\nsecond line"


def give_up(reason: str) -> NoReturn:
    """Skip for *reason*, or fail where the test is required."""
    if os.environ.get("NCIMP_TURKLE") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def turkle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningTurkle]:
    python = interpreter("3.11") or interpreter("3.12")
    if python is None:
        give_up("Turkle needs Python 3.11 or 3.12")
    folder = tmp_path_factory.mktemp("turkle")
    try:
        made = make_environment(folder / "env", python, ["--requirement", str(PINS)])
    except (RuntimeError, subprocess.CalledProcessError) as error:
        give_up(f"no environment for Turkle; is there a package index? {str(error)[-300:]}")
    with running(made, folder, WORKERS) as found:
        yield found


@pytest.fixture
def batch(
    turkle: RunningTurkle, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> Path:
    monkeypatch.setenv("TURKLE_TOKEN", turkle.token)
    # every test has a batch of its own on the one Turkle
    return make_batch(tmp_path / "pilot", to="turkle", per_item=3, batch=keyed_hash(request.node.name)[:16])


@pytest.fixture
def api(turkle: RunningTurkle, batch: Path) -> Turkle:
    assert batch.is_dir()  # it sets the token
    return Turkle(turkle.url, timeout=20)


def launch(turkle: RunningTurkle, batch: Path) -> list[str]:
    return ["launch", "start", str(batch), "--to", "turkle", "--endpoint", turkle.url, "--title", "Título", "--send"]


def made(api: Turkle, batch: Path) -> tuple[list[str], list[int]]:
    """Return the names of the projects of *batch* on Turkle, and the numbers of their batches."""
    identity = events(batch)[0]["facts"]["batch"]
    mine = [one for one in api.pages("projects/") if identity in one["name"]]
    return [one["name"] for one in mine], [number for one in mine for number in one["batches"]]


def test_three_people_answer_and_their_answers_come_back(
    turkle: RunningTurkle, batch: Path, api: Turkle, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(launch(turkle, batch)) == 0
    (name,), (number,) = made(api, batch)
    assert name.startswith("Título (ncimp ")
    assert main(launch(turkle, batch)) == 0  # finds that all is there
    assert made(api, batch) == ([name], [number])
    given = {}
    for worker in WORKERS:
        person = Worker(turkle, worker)
        while (task := person.next_task(number)) is not None:
            path, form = task
            task_id = form.fields["task_id"]
            row = ROWS[TASKS.index(task_id)]
            assert row[5] in form.text
            assert "& proud" in form.text or task_id != TASKS[0]
            answers = {"comp_1": str(TASKS.index(task_id)), "synonym1_1": f"{worker} disse: {HOSTILE} ação"}
            person.hand_in(path, form, answers)
            given[worker, task_id] = answers
    assert len(given) == 9  # each task to each of them, and to nobody twice
    assert main(["launch", "status", str(batch)]) == 0
    assert "total_finished_task_assignments: 9" in capsys.readouterr().out
    assert main(["launch", "collect", str(batch)]) == 0
    rows = collected(batch)
    back = {
        (row["Turkle.Username"], row["Input.task_id"]): {
            "comp_1": row["Answer.comp_1"],
            "synonym1_1": row["Answer.synonym1_1"],
        }
        for row in rows
    }
    # a browser sends line ends as CR LF; urlencode sends what it is given
    assert back == given
    assert {row["Input.before_1"] for row in rows} == {row[COLUMNS.index("before_1")] for row in ROWS}
    assert [row["Input.task_id"] for row in rows] == [task for task in TASKS for _ in WORKERS]
    first = (records(batch) / "collected.csv").read_bytes()
    assert main(["launch", "collect", str(batch)]) == 0
    assert (records(batch) / "collected.csv").read_bytes() == first


def test_what_was_collected_before_the_end_stays(turkle: RunningTurkle, batch: Path, api: Turkle) -> None:
    assert main(launch(turkle, batch)) == 0
    assert main(["launch", "collect", str(batch)]) == 0
    assert collected(batch) == []
    _, (number,) = made(api, batch)
    person = Worker(turkle, WORKERS[0])
    task = person.next_task(number)
    assert task is not None
    person.hand_in(*task, {"comp_1": "5"})
    assert main(["launch", "collect", str(batch)]) == 0
    assert [row["Answer.comp_1"] for row in collected(batch)] == ["5"]
    assert main(["launch", "stop", str(batch), "--send"]) == 0
    assert person.next_task(number) is None  # nobody gets another one
    assert main(["launch", "collect", str(batch)]) == 0
    assert [row["Answer.comp_1"] for row in collected(batch)] == ["5"]


def export_and_rehearse(release: Path, packs: Path, folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    """Export two compounds, and return what three simulated people answer, by the name on Turkle and task."""
    (folder / "mine.txt").write_text("eager beaver\nrat race\n", encoding="utf-8")
    which = ["--release", str(release), "--lang", "en", "--compounds", str(folder / "mine.txt"), "--per-item", "3"]
    pilot, rehearsal = folder / "pilot", folder / "rehearsal"
    assert main(["annotate", "export", "--to", "turkle", *which, "--out", str(pilot), "--write"]) == 0
    crowd = ["--workers", "3", "--cheaters", "0", "--packs", str(packs)]
    assert main(["annotate", "simulate", "--batch", str(pilot), "--out", str(rehearsal), *crowd]) == 0
    with (rehearsal / "results.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    name_of = dict(zip(sorted({row["WorkerId"] for row in rows}), WORKERS, strict=True))
    return {
        (name_of[row["WorkerId"]], row["Input.task_id"]): {
            name.removeprefix("Answer."): row[name] for name in row if name.startswith("Answer.") and row[name]
        }
        for row in rows
    }


def test_an_exported_batch_goes_the_whole_way(
    turkle: RunningTurkle, mini_release: Path, mini_packs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a release to a release with scores; answers of a program are handed in as people hand them in."""
    monkeypatch.setenv("TURKLE_TOKEN", turkle.token)
    given = export_and_rehearse(mini_release, mini_packs, tmp_path)
    pilot, packs = tmp_path / "pilot", ["--packs", str(mini_packs)]
    assert len(given) == 3 * 12  # six sentences, three gold items, three attention checks
    assert main(["launch", "start", str(pilot), "--endpoint", turkle.url, "--send"]) == 0
    (name,), (number,) = made(Turkle(turkle.url, timeout=20), pilot)
    assert name.startswith("How literal is this expression? (ncimp ")
    for worker in WORKERS:
        person = Worker(turkle, worker)
        while (task := person.next_task(number)) is not None:
            answers = dict(given[worker, task[1].fields["task_id"]])
            if worker == WORKERS[0] and "synonym1_1" in answers:
                answers["synonym1_1"] = "=cmd() ação"
            person.hand_in(*task, answers)
    assert main(["launch", "collect", str(pilot)]) == 0
    campaign, scores = tmp_path / "campaign", tmp_path / "scores"
    names = ["--batch", str(tmp_path / "rehearsal" / "batch"), "--salt", str(tmp_path / "salt")]
    rules = tmp_path / "rules.toml"
    rules.write_text("[exclusion]\nmin_seconds = false\n", encoding="utf-8")  # nobody has read anything here
    results = str(records(pilot) / "collected.csv")
    assert main(["annotate", "import", results, *names, "--out", str(campaign), "--rules", str(rules)]) == 0
    rows = read_judgements(campaign)
    assert Counter((row.task_id, row.status, row.comp, row.head, row.modifier) for row in rows) == Counter(
        (task, answer["status_1"], *(_score(answer.get(f"{name}_1")) for name in ("comp", "head", "modifier")))
        for (_, task), answer in given.items()
    )
    assert {row.synonyms for row in rows if "cmd" in str(row.synonyms)} == {("=cmd() ação",)}
    assert main(["annotate", "report", str(campaign), "--out", str(tmp_path / "r.html"), *packs]) == 0
    assert main(["annotate", "scores", str(campaign), "--out", str(scores), *packs]) == 0
    build = ["build", *packs, "--lang", "en", "--out", str(tmp_path / "ncimp"), "--allow-simulated"]
    files = ["--scores", str(scores / "scores.tsv"), "--annotations", str(scores / "annotations.jsonl")]
    assert main([*build, *files]) == 0
    compounds = [row for part in datasets.load_dataset(str(tmp_path / "ncimp"), "compounds").values() for row in part]
    assert {row["id"] for row in compounds if row["comp"] is not None} == {"en/eager-beaver", "en/rat-race"}


def _score(text: str | None) -> int | None:
    return None if text is None else int(text)


@pytest.mark.parametrize(
    ("when", "line"),
    [("after", 0), ("after", 1), ("before", 2), ("after", 2), ("after", 3), ("before", 4), ("middle", 4), ("after", 4)],
)
def test_a_crash_makes_nothing_twice(turkle: RunningTurkle, batch: Path, api: Turkle, when: str, line: int) -> None:
    start = [sys.executable, str(HERE / "crash_driver.py"), when, str(line), *launch(turkle, batch)]
    env = {**os.environ, "PYTHONPATH": str(HERE.parents[1] / "src")}
    assert subprocess.run(start, env=env, capture_output=True, check=False).returncode == -9
    assert main(launch(turkle, batch)) == 0
    projects, numbers = made(api, batch)
    assert (len(projects), len(numbers)) == (1, 1)
    assert api.call("GET", f"batches/{numbers[0]}/progress/")["total_tasks"] == 3


def test_tasks_that_a_broken_server_has_lost_are_added(turkle: RunningTurkle, batch: Path, api: Turkle) -> None:
    assert main(launch(turkle, batch)) == 0
    _, (number,) = made(api, batch)
    from ncimp.builder.annotation.launch import read_launch_batch

    whole = read_launch_batch(batch).info.batch
    more = make_batch(batch.parent / "more", to="turkle", per_item=3, batch=whole)
    extra = (more / "tasks.csv").read_text(encoding="utf-8") + '"b000000000000004","a","b","a b","x ","a b","."\n'
    grown = make_batch(batch.parent / "grown", to="turkle", per_item=3, batch=whole, texts={"tasks.csv": extra})
    offer = Offer("Título", "", "", None, 30, 7, 7)
    with open_manifest(records(batch) / "manifest.jsonl") as manifest:
        campaign = TurkleCampaign(read_launch_batch(grown), turkle_place(turkle.url, False, False), 20)
        campaign.start(offer, manifest, print)
    assert api.call("GET", f"batches/{number}/progress/")["total_tasks"] == 4


def test_a_wrong_token_is_told_and_not_shown(
    turkle: RunningTurkle, batch: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TURKLE_TOKEN", "wrong-and-secret")
    assert main(launch(turkle, batch)) == 1
    said = capsys.readouterr()
    assert "check TURKLE_TOKEN" in said.err
    assert "wrong-and-secret" not in said.err + said.out
    assert "Traceback" not in said.err


def test_nothing_is_paid_on_turkle(turkle: RunningTurkle, batch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(launch(turkle, batch)) == 0
    assert main(["launch", "approve", str(batch), "--send"]) == 2
    assert "Turkle pays nobody" in capsys.readouterr().err
    for path in [*records(batch).iterdir()]:
        assert turkle.token.encode() not in path.read_bytes()
