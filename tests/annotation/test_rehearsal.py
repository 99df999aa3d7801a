"""Simulated annotators get the tasks as a service hands them out, and the default design finds those who cheat."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from ncimp.builder.annotation.answers.annotators import Rules, mark_excluded
from ncimp.builder.annotation.answers.returned import Pseudonyms
from ncimp.builder.annotation.rehearsal import Crowd, count_workers, recruit, simulate
from ncimp.builder.cli import main
from tests.annotation.scores_world import SALT, judged, key_of, write_batch
from tests.annotation.test_aggregation import COMPOUNDS, EXPERTS


def test_a_check_is_answered_by_as_many_people_as_an_item(tmp_path: Path) -> None:
    key = key_of(tmp_path, COMPOUNDS, per_item=5)
    answers = simulate(key, Crowd(workers=20), EXPERTS)
    assert set(Counter(one.task.task_id for one in answers).values()) == {5}
    load = Counter(one.worker.name for one in answers)
    assert len(load) == 20
    assert max(load.values()) - min(load.values()) <= 1


def test_a_group_is_answered_whole_by_people_who_answer_no_other(tmp_path: Path) -> None:
    key = key_of(tmp_path, COMPOUNDS, per_item=5)
    key = replace(key, tasks=tuple(replace(task, group=f"g{n // 20}") for n, task in enumerate(key.tasks)))
    assert count_workers(key) == 5 * 4
    answers = simulate(key, Crowd(workers=20), EXPERTS)
    assert set(Counter(one.task.task_id for one in answers).values()) == {5}
    assert len({(one.worker.name, one.task.group) for one in answers}) == 20


def test_the_default_design_finds_nine_cheaters_in_ten(tmp_path: Path) -> None:
    """Rates of 0.1 and 50 tasks each, as `annotate simulate` hands them out: few are missed, and nobody is accused."""
    key = key_of(tmp_path, COMPOUNDS, checks=6)
    assert count_workers(key) == 15  # 72 tasks x 10 judgements
    names, hits, cheaters = Pseudonyms(SALT), 0, 0
    for seed in range(8):
        crowd = Crowd(15, cheaters=0.27, seed=f"design {seed}")
        excluded = {
            row.annotator for row in mark_excluded(judged(simulate(key, crowd, EXPERTS), key), Rules()) if row.excluded
        }
        cheats = {names.annotator("mturk", one.name) for one in recruit(crowd) if one.habit != "careful"}
        assert excluded <= cheats
        hits, cheaters = hits + len(excluded), cheaters + len(cheats)
    assert hits >= 0.9 * cheaters


def test_fewer_annotators_than_judgements_of_a_task_are_refused(
    tmp_path: Path, mini_packs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = write_batch(tmp_path / "batch", COMPOUNDS[:2], per_item=4)
    command = ["annotate", "simulate", "--batch", str(batch), "--out", str(tmp_path / "r"), "--packs", str(mini_packs)]
    assert main([*command, "--workers", "3"]) == 2
    assert "--workers must be from 4 to 10000, got 3" in capsys.readouterr().err
    assert main(command) == 0
    assert "64 assignments of 4 simulated annotators" in capsys.readouterr().out
