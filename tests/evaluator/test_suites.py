"""Suites: the answers to AStitch's tasks and what shortcuts get, their figures, files, pages and comparison."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import accuracy_score, f1_score

from ncimp.builder.cli import main
from ncimp.evaluator import correlation
from ncimp.evaluator.answers import Answers, sample_of, suite_results
from ncimp.evaluator.evaluation import Evaluation, Options
from ncimp.evaluator.records import OfAnswers
from ncimp.evaluator.release import Item
from ncimp.evaluator.suites import evaluate_suite
from ncimp.evaluator.suites.astitch.consistency import of_pairs, overlap
from ncimp.evaluator.suites.astitch.detection import MajorityByKey, SenseQuestion, coarse
from ncimp.evaluator.vectors import open_file
from ncimp.schemas import file_hash, keyed_hash, read_json
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import ConsistencyPair, SenseExample
from tests.evaluator.tiny import write_vec
from tests.schemas.checking import check_row
from tests.sources.astitch_copy import SPLITS, examples, meanings, write_copy

PLACE = OfAnswers("astitch", "en", "detection_coarse", "test", "few_shot", "sentence", "m", False)


def word_vector(word: str) -> list[float]:
    """A direction of its own for each word; the words of a garden and of a senate also point to their side."""
    digits = keyed_hash(word)
    side = {"garden": 4.0, "stood": 4.0, "senate": -4.0, "voted": -4.0}.get(word, 0.0)
    return [side] * 4 + [int(digits[place], 16) / 15 - 0.5 for place in range(3)]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An imported copy of AStitch in miniature; not to be changed."""
    folder = tmp_path_factory.mktemp("suite")
    copy = write_copy(folder / "copy")
    assert main(["suite", "import", "astitch", str(copy), "--out", str(folder / "suite")]) == 0
    return folder / "suite"


@pytest.fixture(scope="module")
def words(suite: Path) -> Path:
    """Word vectors that tell a garden from a senate, and know every word of the suite."""
    known = {word for split in SPLITS for one in examples(split) for word in one.context.replace(".", "").split()}
    known |= {"object", "matter", "man", "sings", "aloud", "dog", "rains", "rained", "a", "of", "second"}
    known |= {f"{word}s" for word in known}
    vectors = {word.lower(): word_vector(word.lower()) for word in sorted(known)}
    return write_vec(suite.parent / "words.vec", vectors)


@pytest.fixture(scope="module")
def evaluation(suite: Path, words: Path) -> Evaluation:
    opened = open_file(words, ())
    return evaluate_suite("astitch", ReleaseFolder.open(suite), opened, options=Options(resamples=200))


def value(evaluation: Evaluation, metric: str = "macro_f1", **columns: object) -> float:
    """The figure of the row with these columns, of English and the validation split unless they say otherwise."""
    wanted = {"lang": "en", "split": "validation", "metric": metric} | columns
    rows = [row for row in evaluation.document.suites if all(getattr(row, key) == wanted[key] for key in wanted)]
    assert len(rows) == 1, rows
    assert rows[0].value is not None
    return rows[0].value


def test_a_model_that_knows_the_senses_is_right_and_shortcuts_are_what_they_are(evaluation: Evaluation) -> None:
    coarse = {"task": "detection_coarse", "setting": "few_shot"}
    for inputs in ("sentence", "sentence+compound", "context", "context+compound"):
        assert value(evaluation, **coarse, model="words.vec", inputs=inputs) == 1.0
    # as many sentences of each sense: nobody learns anything from the compound, and ties decide
    for tie in (0, 1):
        assert value(evaluation, **coarse, model=f"compound majority, ties to {tie}") == pytest.approx(1 / 3)
    assert value(evaluation, **coarse, model="majority") == pytest.approx(1 / 3)
    tasks = Counter((row.task, row.baseline) for row in evaluation.document.suites if row.lang == "en")
    # splits x settings x inputs x metrics; splits x parts
    assert tasks["detection_coarse", False] == 2 * 3 * 4 * 2
    assert tasks["detection_fine", False] == 2 * 3 * 2 * 2
    assert tasks["consistency_self", False] == tasks["consistency_frozen", False] == 2 * 3
    assert evaluation.document.notes == (
        "The copy that was imported lacks 1 published files, such as TaskIndependentData/en_TaskIndependentData.json.",
    )


def test_the_majority_of_a_compound_has_two_rules_for_ties() -> None:
    def example(compound: str, label: int) -> SenseExample:
        return SenseExample(
            id="", lang="en", compound_id=compound, compound=compound, sense=None, kind=None, label=label,
            previous=None, sentence="", next=None, span=None, item=None, shot="none", genre=None, split="test",
            source=None, licence="", release="1.0.0",
        )  # fmt: skip

    trained: list[SenseQuestion] = coarse(
        [example("en/a", 0), example("en/a", 1), example("en/b", 1), example("en/b", 1), example("en/b", 0)], {}
    )
    asked = coarse([example(name, 0) for name in ("en/a", "en/b", "en/c")], {})
    for tie in (0, 1):
        rule = MajorityByKey(trained, usual=1, tie=tie)
        assert [rule(question) for question in asked] == [tie, 1, 1]


def test_figures_and_resamples_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(5)
    gold, predicted = rng.integers(0, 3, 60).astype(float), rng.integers(0, 3, 60).astype(float)
    groups = [f"en/{number % 7}" for number in range(60)]
    answers = Answers(PLACE, ("macro_f1",), list(map(str, range(60))), groups, gold, predicted)
    weights = correlation.resample_weights(7, 50)
    for metric, naive in (("macro_f1", lambda *sides: f1_score(*sides, average="macro")), ("accuracy", accuracy_score)):
        sample = sample_of(metric, answers, 50)  # type: ignore[arg-type]
        assert sample is not None
        assert sample.value == pytest.approx(naive(gold, predicted))
        for column, drawn in enumerate(weights.T):
            # every item of a compound as often as the compound is drawn
            chosen = np.repeat(np.arange(60), drawn[[number % 7 for number in range(60)]].astype(int))
            assert sample.resampled[column] == pytest.approx(naive(gold[chosen], predicted[chosen]))


def test_a_contrast_of_one_class_is_undefined() -> None:
    answers = Answers(PLACE, ("contrast",), list("abc"), list("xyz"), np.ones(3), np.array([1.0, 2, 3]))
    assert next(iter(suite_results([answers], resamples=100))).value is None


def test_a_missing_answer_is_wrong() -> None:
    gold = np.array([0.0, 0, 1, 1])
    answers = Answers(PLACE, ("accuracy",), list("abcd"), list("wxyz"), gold, np.array([0, np.nan, 1, 1]))
    sample = sample_of("accuracy", answers, 100)
    assert sample is not None
    assert sample.value == 0.75
    f1 = sample_of("macro_f1", answers, 100)
    assert f1 is not None
    assert f1.value == pytest.approx((2 / 3 + 1) / 2)


def test_consistency_is_that_of_a_naive_reference(suite: Path, words: Path, evaluation: Evaluation) -> None:
    source = open_file(words, ()).source
    pairs = [row for row in ReleaseFolder.open(suite).records("consistency", ConsistencyPair) if row.lang == "en"]

    def similar(one: str, other: str) -> float:
        tokens = [tuple(text.replace(".", "").split()) for text in (one, other)]
        items = [Item("", "", "", "", "", row, (0, 1), " ".join(row), (0, 1)) for row in tokens]
        first, second = source.sentence(items)
        return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))

    for split, role in (("validation", "all"), ("validation", "idiom"), ("test", "sts")):
        rows = [row for row in pairs if row.split == split]
        rows = [row for row in rows if role == "all" or (row.role == "sts") == (role == "sts")]
        predicted = [similar(row.sentence1, row.sentence2) for row in rows]
        own = [similar(str(row.correct), row.sentence2) if row.role == "incorrect" else row.similarity for row in rows]
        for task, wanted in (("self", own), ("frozen", [row.similarity for row in rows])):
            rho = spearmanr(np.round(predicted, 12), np.round(np.array(wanted, dtype=float), 12)).statistic
            where = {"task": f"consistency_{task}", "setting": role, "model": "words.vec", "split": split}
            assert value(evaluation, "rho", **where) == pytest.approx(rho)


def test_without_similarities_of_a_reference_there_is_the_models_own(suite: Path) -> None:
    rows = list(ReleaseFolder.open(suite).records("consistency", ConsistencyPair))
    bare = [row for row in rows if row.role != "sts" and (row.lang, row.split) == ("en", "validation")]
    unknown = [dataclasses.replace(row, similarity=1.0 if row.role == "correct" else None) for row in bare]
    found = list(of_pairs(PLACE, unknown, overlap))
    assert [(one.place.task, one.place.setting) for one in found] == [("consistency_self", "idiom")]


def test_files_page_and_comparison(
    suite: Path, words: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--suite", "astitch", "--release", str(suite), "--lang", "en"]
    other = write_vec(tmp_path / "other.vec", {"object": [1.0, 0.0], "matter": [0.0, 1.0], "garden": [1.0, 0.2]})
    for name, vectors in (("one", words), ("again", words), ("two", other)):
        assert (
            main(
                [
                    "evaluate",
                    *place,
                    "--vectors",
                    str(vectors),
                    "--resamples",
                    "200",
                    "--out",
                    str(tmp_path / name),
                    "--tables",
                ]
            )
            == 0
        )
        assert "words.vec is above every shortcut in" in capsys.readouterr().out or name == "two"
    assert {path.name for path in (tmp_path / "one").iterdir()} == {
        "answers.parquet", "compounds.parquet", "items.parquet", "report.html", "results.json", "sentences.parquet",
    }  # fmt: skip
    for path in (tmp_path / "one").iterdir():
        assert file_hash(path) == file_hash(tmp_path / "again" / path.name), path
    document = read_json(tmp_path / "one" / "results.json")
    check_row("evaluation", document)
    assert document["signature"]["options"] == {"suite": "astitch", "languages": ["en"], "resamples": 200}
    rows = read_parquet(tmp_path / "one" / "answers.parquet", "suite_answer")
    assert {row["model"] for row in rows} == {"words.vec"}
    page = (tmp_path / "one" / "report.html").read_text(encoding="utf-8")
    assert "detection_fine, English, validation" in page
    folders = [str(tmp_path / name) for name in ("one", "two")]
    assert main(["compare", *folders, "--resamples", "200", "--out", str(tmp_path / "both")]) == 0
    comparison = read_json(tmp_path / "both" / "comparison.json")
    check_row("comparison", comparison)
    row = next(row for row in comparison["suites"] if (row["task"], row["metric"]) == ("detection_coarse", "macro_f1"))
    assert row["difference"] == pytest.approx(row["first_value"] - row["second_value"])
    assert row["n"] == len(examples(row["split"].replace("validation", "dev")))
    assert "Differences on the same items" in (tmp_path / "both" / "compare.html").read_text(encoding="utf-8")
    assert main(["compare", folders[0], folders[0]]) == 2


def test_a_planted_leak_is_found(words: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = write_copy(tmp_path / "copy", independent=())
    leaked = next(one for one in examples("dev") if one.label == "1")
    task = copy / "Dataset" / "Task1"
    for path in task.rglob("train_zero_shot.csv"):
        text = leaked.context if "ContextIncluded" in str(path) else leaked.sentence
        ends = [f",{leaked.compound}"] if "IdiomIncluded" in str(path) else [""]
        if "SubTaskB" in str(path):
            ends = [f",{meaning}" for meaning in meanings(leaked.compound) if meaning != "None"]
        rows = [f"{int(end == ends[0])},{text}{end}\n" for end in ends]
        path.write_text(path.read_text(encoding="utf-8") + "".join(rows), encoding="utf-8")
    assert main(["suite", "import", "astitch", str(copy), "--out", str(tmp_path / "suite")]) == 0
    place = ["--release", str(tmp_path / "suite"), "--vectors", str(words), "--lang", "en", "--resamples", "100"]
    assert main(["evaluate", "--suite", "astitch", *place]) == 0
    out = capsys.readouterr().out
    assert "Warning: 1 of 24 judged sentences stand in training, too" in out
    assert "Warning: 6 of 24 judged sentences are of compounds of zero-shot training" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--limit", "3"], "--limit means nothing with --suite"),
        (["--experiments", "--split", "test"], "--experiments means nothing with --suite"),
        (["--lang", "de"], "the release has no language 'de'; choose among en, pt"),
        (["--split", "train"], "nothing of the split 'train' is judged; choose validation or test"),
        (["--sts", "pairs.csv"], "names no language and file; write --sts en=pairs.csv"),
        (["--resamples", "9"], "9 resamples are too few"),
    ],
)
def test_wrong_use_is_one_line(
    suite: Path, words: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["evaluate", "--suite", "astitch", "--release", str(suite), "--vectors", str(words), *options]
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_pairs_that_people_judged_come_from_a_file_of_the_user(
    mini_release: Path, suite: Path, words: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["evaluate", "--suite", "astitch", "--release", str(suite), "--vectors", str(words), "--lang", "en"]
    judged = tmp_path / "sts.csv"
    judged.write_text('5,A man sings.,"A man, aloud, sings."\n0.5,A dog.,The senate voted.\n', encoding="utf-8")
    options = ["--sts", f"en={judged}", "--resamples", "100", "--out", str(tmp_path / "results")]
    assert main([*arguments, *options]) == 0
    rows = read_json(tmp_path / "results" / "results.json")["suites"]
    assert {row["n"] for row in rows if row["setting"] == "sts"} == {3 + 2}
    judged.write_text("6,too much,here\n", encoding="utf-8")
    assert main([*arguments, "--sts", f"en={judged}"]) == 1
    assert "sts.csv:1: not a judged pair: '6,too much,here'" in capsys.readouterr().err
    assert main(["evaluate", "--suite", "astitch", "--release", str(mini_release), "--vectors", str(words)]) == 2
    assert "has no items of the suite 'astitch'" in capsys.readouterr().err


@pytest.mark.shared
def test_the_majority_of_compounds_in_the_published_files(shared: Path, tmp_path: Path) -> None:
    archive, vectors = shared / "sources" / "suites" / "astitch.zip", tmp_path / "words.vec"
    assert main(["suite", "import", "astitch", str(archive), "--out", str(tmp_path / "suite")]) == 0
    opened = open_file(write_vec(vectors, {"a": [1.0], "o": [2.0]}), ())
    found = evaluate_suite("astitch", ReleaseFolder.open(tmp_path / "suite"), opened, options=Options(resamples=100))
    figures = {
        (row.lang, row.split, row.setting, row.model[-1], row.metric): round(row.value or 0, 3)
        for row in found.document.suites
        if row.task == "detection_coarse" and row.model.startswith("compound majority")
    }
    expected = {
        ("pt", "few_shot", "0"): (0.861, 0.864),
        ("pt", "few_shot", "1"): (0.839, 0.839),
        ("pt", "itself", "0"): (0.861, 0.864),
    }
    for (lang, setting, tie), pair in expected.items():
        assert tuple(figures[lang, "validation", setting, tie, name] for name in ("macro_f1", "accuracy")) == pair
    assert figures["pt", "test", "itself", "0", "accuracy"] == 0.857  # as the audit of the same files has it
