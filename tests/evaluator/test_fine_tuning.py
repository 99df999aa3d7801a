"""Fine-tuning: what is learnt, watched and judged; figures over seeds; the same bytes; and wrong use."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from ncimp.builder.cli import main
from ncimp.evaluator.evaluation import Options
from ncimp.evaluator.models import FineTuning, LabelledTexts, ModelOptions, open_tuner
from ncimp.evaluator.suites import evaluate_suite
from ncimp.evaluator.vectors import open_file
from ncimp.schemas import EvaluationError, UsageError, file_hash, read_json
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.release_folder import ReleaseFolder
from tests.evaluator.tiny import write_vec
from tests.evaluator.tiny_models import make
from tests.sources.astitch_copy import SPLITS, examples, write_copy

QUICK = ["--learning-rate", "3e-3", "--epochs", "9", "--batch-size", "4", "--seeds", "2", "--inputs", "sentence"]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An imported copy of AStitch in miniature; not to be changed."""
    folder = tmp_path_factory.mktemp("suite")
    assert main(["suite", "import", "astitch", str(write_copy(folder / "copy")), "--out", str(folder / "suite")]) == 0
    return folder / "suite"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BERT of two layers that knows the words of the suite; not to be changed."""
    sentences = [one.context for split in SPLITS for one in examples(split)]
    return make(tmp_path_factory.mktemp("models") / "tiny-bert", "bert", layers=2, sentences=sentences)


def test_a_model_learns_the_same_every_time(
    suite: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--suite", "astitch", "--release", str(suite), "--lang", "en", "--split", "validation"]
    command = ["evaluate", *place, "--model", str(model), "--device", "cpu", "--resamples", "100", "--fine-tune"]
    settings = ["zero_shot", "few_shot"]
    for name in ("one", "again"):
        assert main([*command, *settings, *QUICK, "--out", str(tmp_path / name)]) == 0
    for path in (tmp_path / "one").iterdir():
        assert file_hash(path) == file_hash(tmp_path / "again" / path.name), path
    document = read_json(tmp_path / "one" / "results.json")
    assert document["signature"]["options"]["fine_tune"] == {
        "settings": settings, "inputs": ["sentence"], "epochs": 9, "learning_rate": 0.003, "batch_size": 4,
        "max_length": 128, "seeds": 2,
    }  # fmt: skip
    rows = [row for row in document["suites"] if row["inputs"] == "sentence/fine-tuned"]
    assert {(row["task"], row["setting"]) for row in rows} == {
        (task, setting) for task in ("detection_coarse", "detection_fine") for setting in settings
    }
    answers = defaultdict(list)
    for row in read_parquet(tmp_path / "one" / "answers.parquet", "suite_answer"):
        if row["inputs"] == "sentence/fine-tuned":
            answers[row["task"], row["setting"], row["id"].rpartition("/")[2]].append((row["gold"], row["predicted"]))
    for row in rows:
        assert (row["seeds"], row["n"]) == (2, 2 * len(answers[row["task"], row["setting"], "0"]))
        if row["metric"] == "macro_f1":
            of_seeds = [zip(*answers[row["task"], row["setting"], seed], strict=True) for seed in ("0", "1")]
            assert row["value"] == pytest.approx(np.mean([f1_score(*seed, average="macro") for seed in of_seeds]))
    assert min(row["value"] for row in rows if row["task"] == "detection_coarse") > 0.7  # a garden, or a senate
    page = (tmp_path / "one" / "report.html").read_text(encoding="utf-8")
    assert "sentence/fine-tuned" in page
    assert main([*command, *settings, *QUICK, "--epochs", "1", "--out", str(tmp_path / "other")]) == 0
    folders = [str(tmp_path / name) for name in ("one", "other")]
    assert main(["compare", *folders, "--resamples", "100", "--out", str(tmp_path / "both")]) == 0
    compared = [row for row in read_json(tmp_path / "both" / "comparison.json")["suites"] if "/" in row["inputs"]]
    first = {(row["task"], row["setting"], row["metric"]): row["value"] for row in rows}
    assert {(row["task"], row["setting"], row["metric"]): row["first_value"] for row in compared} == first
    assert "epochs" not in capsys.readouterr().err  # no line where a minute has not passed


class RecordedTuner:
    """A tuner that keeps what it is given, and answers 1."""

    def __init__(self, training: FineTuning) -> None:
        self.training = training
        self.calls: list[tuple[Mapping[str, Sequence[LabelledTexts]], list[LabelledTexts], list[tuple[str, ...]]]] = []

    def __call__(
        self,
        stages: Mapping[str, Sequence[LabelledTexts]],
        watched: Sequence[LabelledTexts],
        judged: Sequence[tuple[str, ...]],
        _progress: Callable[[int, int], None],
    ) -> dict[str, list[list[int]]]:
        self.calls.append((stages, list(watched), list(judged)))
        return {name: [[1] * len(judged)] * self.training.seeds for name in stages}


def test_nobody_learns_from_what_is_watched_or_judged(suite: Path, tmp_path: Path) -> None:
    tuner = RecordedTuner(FineTuning(settings=("one_shot",), seeds=3))
    opened = open_file(write_vec(tmp_path / "words.vec", {"garden": [1.0, 0.0], "senate": [0.0, 1.0]}), ())
    options = Options(languages=("en",), resamples=100)
    found = evaluate_suite("astitch", ReleaseFolder.open(suite), opened, options=options, tuner=tuner)
    assert len(tuner.calls) == 6  # four kinds of input in the coarse task, two in the fine one
    zero, later = SPLITS["train_zero_shot"][0], SPLITS["train_one_shot"][0]
    for stages, watched, judged in tuner.calls:
        assert list(stages) == ["zero_shot", "one_shot"]
        texts = {name: " ".join(row.texts[0] for row in rows) for name, rows in stages.items()}
        seen = {name for name in zero if name in " ".join(row.texts[0] for row in watched)}
        assert 0 < len(seen) < len(zero)
        assert {name for name in zero if name in texts["zero_shot"]} == set(zero) - seen
        assert {name for name in (*zero, *later) if name in texts["one_shot"]} == set(later)
        learnt = {row.texts for row in (*stages["zero_shot"], *stages["one_shot"], *watched)}
        assert not learnt & set(judged)
    tuned = [row for row in found.document.suites if row.inputs.endswith("/fine-tuned")]
    assert {(row.setting, row.seeds) for row in tuned} == {("one_shot", 3)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--epochs", "2"], "--epochs means nothing with a model that is not fine-tuned (--fine-tune)"),
        (["--fine-tune", "--vectors", "words.vec"], "only a model of files is fine-tuned"),
        (["--fine-tune", "--learning-rate", "3"], "a learning rate of 3; give one between 0 and 1"),
        (["--fine-tune", "many_shot"], "--fine-tune cannot be 'many_shot'; choose from"),
    ],
)
def test_wrong_use_is_one_line(
    suite: Path, model: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = [] if "--vectors" in options else ["--model", str(model)]
    (suite.parent / "words.vec").write_text("1 1\ngarden 1\n", encoding="utf-8")
    options = [str(suite.parent / option) if option.endswith(".vec") else option for option in options]
    try:
        code = main(["evaluate", "--suite", "astitch", "--release", str(suite), *source, *options])
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err


def test_a_missing_library_names_its_extra(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(EvaluationError, match=r"'accelerate' is not installed; run pip install \"ncimp\[training\]\""):
        open_tuner(str(model), ModelOptions(), FineTuning())


def test_models_that_cannot_be_trained(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the device 'cuda:7' cannot be used"):
        open_tuner(str(make(tmp_path / "gpt2", "gpt2", layers=1)), ModelOptions(device="cuda:7"), FineTuning())
    tuner = open_tuner(str(tmp_path / "gpt2"), ModelOptions(device="cpu"), FineTuning(seeds=1, epochs=1))
    one = LabelledTexts(("A dam.",), 1)
    with pytest.raises(EvaluationError, match="its tokeniser has no token for padding"):
        tuner({"zero_shot": [one]}, [one], [one.texts], lambda *_: None)
