"""A batch folder: written once, read back whole, refused when it was changed."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.annotation.task.batch import (
    Expected,
    Sheet,
    Task,
    TaskSentence,
    batch_id,
    read_batch,
    task_id,
    write_batch,
)
from ncimp.schemas.errors import SchemaError, SourceError

HOSTILE = (
    "=cmd()|' /C calc'!A0",
    "<script>alert(1)</script>",
    "\u202eright to left",
    "]]>",
    "a \"b\" 'c'",
    "two\nlines",
)
GOLD = Expected(comp=(3, 5), head=(3, 5), modifier=(3, 5), answer="judged")
CHECK = Expected(comp=(0, 1), head=None, modifier=None, answer="nonsense")
ABOUT: dict[str, Any] = {
    "to": "turkle",
    "mode": "token",
    "lang": "en",
    "per_item": 10,
    "release": "0.1.0",
    "release_logical_sha256": "0" * 64,
    "pack_sha256": "1" * 64,
    "options": {"seed": "a"},
    "code_version": "0.1.0",
    "cost": {"total": "1.20"},
}


def task(name: str, sentence: str = "It is a night owl.", **more: Any) -> Task:
    sentences = (TaskSentence(f"en/{name}/nat1/orig", "nat1", sentence, "night owl"),)
    found = Task(task_id(name), "item", "token", "en", f"en/{name}", sentences, None)
    return dataclasses.replace(found, **more)


TASKS = (task("a"), task("b", kind="gold", expected=GOLD), task("c", kind="attention", expected=CHECK))


def test_a_batch_reads_back_as_it_was_written(tmp_path: Path) -> None:
    info = write_batch(tmp_path / "b", ABOUT, TASKS, {"tasks.csv": '"x"\n'})
    read = read_batch(tmp_path / "b")
    assert (read.info, read.tasks) == (info, TASKS)
    assert read.by_id[TASKS[1].task_id].expected == GOLD
    assert info.counts == {"item": 1, "gold": 1, "attention": 1}
    assert sorted(info.files) == ["key.jsonl", "tasks.csv"]
    assert not info.simulated


@pytest.mark.parametrize("value", HOSTILE)
def test_any_sentence_comes_back_from_the_key(tmp_path: Path, value: str) -> None:
    written = task("a", f"It is {value} there.")
    write_batch(tmp_path / "b", ABOUT, [written], {})
    assert read_batch(tmp_path / "b").tasks == (written,)


def test_the_id_follows_from_everything_else(tmp_path: Path) -> None:
    info = write_batch(tmp_path / "b", ABOUT, TASKS, {})
    assert write_batch(tmp_path / "c", ABOUT, TASKS, {}).batch == info.batch
    assert write_batch(tmp_path / "d", {**ABOUT, "per_item": 9}, TASKS, {}).batch != info.batch
    assert write_batch(tmp_path / "e", ABOUT, TASKS[:2], {}).batch != info.batch
    row = json.loads((tmp_path / "b" / "batch.json").read_text(encoding="utf-8"))
    assert batch_id(row) == batch_id({**row, "simulated": True}) == info.batch


def test_the_same_batch_may_be_written_twice_and_no_other_over_it(tmp_path: Path) -> None:
    write_batch(tmp_path / "b", ABOUT, TASKS, {})
    write_batch(tmp_path / "b", ABOUT, TASKS, {})
    with pytest.raises(SourceError, match="not empty"):
        write_batch(tmp_path / "b", {**ABOUT, "per_item": 9}, TASKS, {})
    assert read_batch(tmp_path / "b").info.per_item == 10


def test_what_an_interrupted_write_left_is_completed(tmp_path: Path) -> None:
    info = write_batch(tmp_path, ABOUT, TASKS, {"tasks.csv": '"x"\n'})
    (tmp_path / "batch.json").unlink()
    (tmp_path / "key.jsonl").unlink()
    assert write_batch(tmp_path, ABOUT, TASKS, {"tasks.csv": '"x"\n'}) == read_batch(tmp_path).info == info
    (tmp_path / "batch.json").unlink()
    with pytest.raises(SourceError, match="not empty"):
        write_batch(tmp_path, ABOUT, TASKS, {"tasks.csv": '"y"\n'})


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(SourceError, match="not empty"):
        write_batch(tmp_path, ABOUT, TASKS, {})
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["tasks.csv", "key.jsonl"])
def test_a_file_that_was_changed_or_lost_is_named(tmp_path: Path, name: str) -> None:
    write_batch(tmp_path, ABOUT, TASKS, {"tasks.csv": '"x"\n'})
    (tmp_path / name).write_text("changed")
    with pytest.raises(SourceError, match=rf"{name}: its sha256 is not"):
        read_batch(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(SourceError, match=rf"{name}: .*missing"):
        read_batch(tmp_path)


def test_a_batch_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    write_batch(tmp_path, ABOUT, TASKS, {})
    path = tmp_path / "batch.json"
    path.write_text(path.read_text().replace('"per_item": 10', '"per_item": 11'))
    with pytest.raises(SourceError, match="does not fit"):
        read_batch(tmp_path)
    path.write_text(path.read_text().replace('"to": "turkle"', '"to": "elsewhere"'))
    with pytest.raises(SchemaError, match="elsewhere"):
        read_batch(tmp_path)


def test_a_folder_without_batch_is_no_batch(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not a batch"):
        read_batch(tmp_path)


def test_two_tasks_with_one_id_are_an_error_at_the_second(tmp_path: Path) -> None:
    write_batch(tmp_path, ABOUT, [TASKS[0], TASKS[0]], {})
    with pytest.raises(SourceError, match=r"key\.jsonl:2:task_id"):
        read_batch(tmp_path)


def test_ids_of_tasks_are_opaque_and_no_spreadsheet_reads_a_number() -> None:
    found = [task_id(str(n)) for n in range(500)]
    assert len(set(found)) == 500
    assert all(len(one) == 16 and one[0] in "abcdef" and set(one) <= set("0123456789abcdef") for one in found)


def test_the_fields_of_a_sheet_are_the_placeholders_in_order() -> None:
    sheet = Sheet("a" * 16, "night", "owl", "night owl", (("A ", "night owl", "."), ("Two ", "night owls", "!")))
    assert list(sheet.fields()) == [
        *("task_id", "modifier", "head", "nc"),
        *("before_1", "span_1", "after_1", "before_2", "span_2", "after_2"),
    ]
    assert sheet.fields()["span_2"] == "night owls"
