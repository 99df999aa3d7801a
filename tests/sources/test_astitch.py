"""The published files of AStitch as tables of a suite: both ways to the same rows, partial copies, bad input."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from ncimp.builder.cli import main
from ncimp.builder.sources.published.astitch import read_astitch
from ncimp.builder.sources.published.audit import open_tree
from ncimp.schemas import SourceError
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import SenseExample, SuiteTables
from tests.sources.astitch_copy import examples, replacements, write_copy

TASK_A = "Task1/SubTaskA/EN/ContextExcluded_IdiomIncluded/dev.csv"
TASK_B = "Task1/SubTaskB/EN/ContextExcluded/dev.csv"
SIMILARITIES = "Task2/CreateEvaluationData/EN/WithResults/evalData/dev_similatiries.csv"
INDEPENDENT = "TaskIndependentData/pt_TaskIndependentData.json"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy whose Portuguese has task-independent data; not to be changed."""
    return write_copy(tmp_path_factory.mktemp("astitch") / "copy")


@pytest.fixture(scope="module")
def tables(copy: Path) -> SuiteTables:
    return read_astitch(copy)


def of(tables: SuiteTables, lang: str, **columns: str) -> list[SenseExample]:
    rows = [row for row in tables.examples if row.lang == lang]
    return [row for row in rows if all(getattr(row, name) == value for name, value in columns.items())]


def test_every_sentence_is_there_once_with_its_neighbours_and_its_sense(tables: SuiteTables) -> None:
    judged, published = of(tables, "en", shot="none", split="validation"), examples("dev")
    assert [row.sentence for row in judged] == [one.sentence for one in published]
    assert [row.context for row in judged] == [one.context for one in published]
    assert [str(row.label) for row in judged] == [one.label for one in published]
    senses = {(row.compound_id, row.sense): row.text for row in tables.senses}
    assert [senses[row.compound_id, str(row.sense)] for row in judged] == [one.meaning for one in published]
    assert all(row.span and row.sentence[slice(*row.span)] == row.compound for row in judged)
    one, further = of(tables, "en", shot="one"), of(tables, "en", shot="further")
    few = {one.sentence for one in examples("train_few_shot")}
    assert {row.sentence for row in (*one, *further)} == few
    assert len(one) + len(further) == len(few)
    assert {row.compound for row in of(tables, "en", shot="zero")}.isdisjoint(row.compound for row in judged)
    assert len({row.id for row in tables.examples}) == len(tables.examples)


def test_tables_and_task_independent_data_give_the_same_sentences(tables: SuiteTables) -> None:
    english = [dataclasses.replace(row, id="", source=None) for row in of(tables, "en")]
    portuguese = [
        dataclasses.replace(row, id="", source=None, lang="en", compound_id=f"en/{row.compound_id[3:]}")
        for row in of(tables, "pt")
    ]
    assert sorted(english, key=repr) == sorted(portuguese, key=repr)
    assert {row.source for row in of(tables, "en")} == {None}
    assert all(str(row.source).startswith("https://") for row in of(tables, "pt"))


def test_pairs_are_the_published_ones(tables: SuiteTables) -> None:
    rows = [row for row in tables.pairs if (row.lang, row.split) == ("en", "validation") and row.role != "sts"]
    raw = replacements("dev")
    assert [row.sentence2 for row in rows] == [row["sent_other"] for row in raw]
    wrong = [row for row in rows if row.role == "incorrect"]
    assert [row.correct for row in wrong] == [row["correct"] for row in raw if row["sim"] == "None"]
    numbers = [number % 7 / 10 for number, row in enumerate(raw) if row["sim"] == "None"]
    assert [row.similarity for row in wrong] == numbers
    assert {row.similarity for row in rows if row.role == "correct"} == {1.0}
    assert all(row.span2 and row.sentence2[slice(*row.span2)] not in row.sentence1 for row in rows)
    training = [row for row in tables.pairs if (row.lang, row.split) == ("en", "train")]
    assert Counter(row.role for row in training) == {"correct": 32, "incorrect": 32}


def test_a_partial_copy_is_imported_and_what_it_lacks_is_said(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    partial = Path(shutil.copytree(copy, tmp_path / "copy"))
    for name in (TASK_A.replace("dev", "test"), SIMILARITIES, TASK_B, INDEPENDENT):
        (partial / "Dataset" / name).unlink()
    shutil.make_archive(str(tmp_path / "zipped"), "zip", tmp_path, "copy")
    for source in (partial, tmp_path / "zipped.zip"):
        assert main(["suite", "import", "astitch", str(source), "--out", str(tmp_path / "suite")]) == 0
        missing = [line.rpartition(": ")[2] for line in capsys.readouterr().out.splitlines()]
        english = INDEPENDENT.replace("pt", "en")
        assert missing == sorted([TASK_A.replace("dev", "test"), SIMILARITIES, TASK_B, INDEPENDENT, english])
    folder = ReleaseFolder.open(tmp_path / "suite")
    assert folder.manifest.counts["gaps"] == missing
    rows = list(folder.records("detection", SenseExample))
    assert {row.split for row in rows if row.lang == "en"} == {"validation"}
    assert {row.sense for row in rows if row.lang == "en"} == {None}  # no file says which


def edit(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def apply(base: Path) -> None:
        path = base / "Dataset" / name
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    return apply


def in_json(at: int, value: object) -> Callable[[Path], None]:
    def change(text: str) -> str:
        content = json.loads(text)
        content["dev"][0][0][at] = value
        return json.dumps(content)

    return edit(INDEPENDENT, change)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda base: shutil.rmtree(base / "Dataset"), "copy: no examples of AStitch in it; give a copy"),
        (edit(TASK_A, lambda text: text.replace("label,", "class,")), "dev.csv:1: the header has no column 'label'"),
        (edit(TASK_A, lambda text: text + "1,alone\n"), "cells where the header has 3"),
        (edit(TASK_A, lambda text: text.replace("\n1,", "\n2,", 1)), "dev.csv:2: '2' is neither 0 nor 1"),
        (edit(TASK_A, lambda text: text + "1,More.,hot potato\n"), "18 rows where the table without context has 19"),
        (
            edit(TASK_B, lambda text: text.replace("wet blanket", "wet quilt")),
            "do not stand where task 1A has the sentence",
        ),
        (edit(SIMILARITIES, lambda text: text + "0.1\n"), "numbers, where Task2"),
        (edit(SIMILARITIES, lambda text: "score\n" + text), "similatiries.csv:1: 'score' is no number"),
        (edit(SIMILARITIES, lambda text: "0.1,0.2\n" + text), "similatiries.csv:1: 2 cells where there should be 1"),
        (edit(INDEPENDENT, lambda _: "[]"), "not as expected"),
        (edit(INDEPENDENT, lambda _: '{"dev": [[[1, 2]]]}'), "no list of 14 values"),
        (in_json(1, None), "no list of 14 values"),
        (in_json(8, 2), "example 1 of 'dev' has the label 2"),
        (in_json(9, "another"), "the meaning 'another'; a label is 0 or 1"),
    ],
)
def test_bad_input_is_one_error(copy: Path, tmp_path: Path, damage: Callable[[Path], None], message: str) -> None:
    damaged = Path(shutil.copytree(copy, tmp_path / "copy"))
    damage(damaged)
    with pytest.raises(SourceError) as caught:
        read_astitch(damaged)
    assert message in str(caught.value)
    assert "give a copy" in str(caught.value) or "a label is" in str(caught.value)


def test_nothing_else_is_overwritten(copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("kept")
    assert main(["suite", "import", "astitch", str(copy), "--out", str(tmp_path)]) == 2
    assert "holds something else than an imported suite" in capsys.readouterr().err
    assert (tmp_path / "mine").read_text() == "kept"


@pytest.mark.shared
def test_the_published_files(shared: Path) -> None:
    tables = read_astitch(open_tree(shared / "sources" / "suites" / "astitch.zip", ""))
    counts = Counter((row.lang, row.shot, row.split) for row in tables.examples)
    assert counts["en", "zero", "train"] == 3327
    assert (counts["en", "one", "train"], counts["en", "further", "train"]) == (87, 282 - 87)
    assert [counts["pt", shot, "train"] for shot in ("zero", "one", "further")] == [1164, 53, 156 - 53]
    assert [counts[lang, "none", "validation"] for lang in ("en", "pt")] == [466, 273]
    assert counts["pt", "none", "test"] == 279
    assert sum(row.span is None for row in tables.examples) == 10  # with a hyphen for a space there are 9 and 1
    pairs = Counter((row.lang, row.split, row.role) for row in tables.pairs)
    assert [pairs["en", "validation", role] for role in ("correct", "incorrect", "sts")] == [332, 189, 400]
    assert [pairs["pt", "validation", role] for role in ("correct", "incorrect", "sts")] == [237, 217, 400]
    assert [pairs[lang, "train", "correct"] + pairs[lang, "train", "incorrect"] for lang in ("en", "pt")] == [
        3914,
        1612,
    ]
    assert len(tables.gaps) == 18
