"""`scripts/pretrain.py`: the loss falls, tokens are learnt, the evaluator reads the model, and a killed run goes on."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
import transformers

from ncimp.builder.cli import main
from ncimp.evaluator.models.idioms import IdiomTokens
from ncimp.schemas import SourceError, file_hash, read_json
from tests.evaluator.tiny_models import make
from tests.sources.astitch_copy import SPLITS, examples, write_copy

SCRIPT = Path(__file__).parents[2] / "scripts" / "pretrain.py"
OPTIONS = ["--cpu", "--learning-rate", "3e-3", "--epochs", "4", "--save-steps", "10"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite, texts, and a random BERT of two layers with a token for masking."""
    folder = tmp_path_factory.mktemp("world")
    assert main(["suite", "import", "astitch", str(write_copy(folder / "copy")), "--out", str(folder / "suite")]) == 0
    rows = [one for split in SPLITS for one in examples(split)]
    texts = [f"{row.sentence} {row.next} Two {row.compound}s." for row in rows]
    (folder / "texts.txt").write_text("\n".join([*texts, "No compound here."]), encoding="utf-8")
    model = make(folder / "bert", "bert", layers=2, sentences=[row.context for row in rows])
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    tokenizer.add_special_tokens({"mask_token": "[MASK]"})
    tokenizer.save_pretrained(model)
    torch.manual_seed(1)
    config = transformers.AutoConfig.from_pretrained(model)
    config.vocab_size = len(tokenizer)
    transformers.BertForMaskedLM(config).save_pretrained(model)
    return folder


def test_compounds_are_tokens_where_a_text_is_said_to_be_idiomatic(tmp_path: Path) -> None:
    name = importlib.util.spec_from_file_location("pretrain", SCRIPT)
    assert name is not None
    assert name.loader is not None
    script = importlib.util.module_from_spec(name)
    name.loader.exec_module(script)
    idioms, texts = IdiomTokens({"salt mine": ["salt mines"]}), tmp_path / "texts.jsonl"
    rows: list[dict[str, object]] = [{"text": "My salt mine.", "label": label} for label in (0, 1)]
    rows += [{"text": "Two salt mines. A dam. One salt mine."}, {"text": "A dam.", "label": 0}]
    texts.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert list(script.read_sentences([texts], idioms, select=True)) == [
        "My IDsaltmineID.", "My salt mine.", "Two salt mines.", "One salt mine.",
    ]  # fmt: skip
    assert list(script.read_sentences([texts], idioms, select=False)) == [
        "My IDsaltmineID.", "My IDsaltmineID.", "Two IDsaltmineID.", "One IDsaltmineID.",
    ]  # fmt: skip
    texts.write_text('{"text": "My salt mine.", "label": 2}\n', encoding="utf-8")
    with pytest.raises(SourceError, match="not a text") as caught:
        list(script.read_sentences([texts], idioms, select=True))
    assert str(caught.value.place) == f"{texts}:1"


def command(world: Path, out: Path, texts: str = "texts.txt") -> list[str]:
    names = ["--model", str(world / "bert"), "--release", str(world / "suite"), "--out", str(out)]
    return [sys.executable, "-P", str(SCRIPT), *names, "--texts", str(world / texts), *OPTIONS]


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    return subprocess.run(arguments, capture_output=True, text=True, check=False, env=environment)


def test_a_model_learns_tokens_and_can_be_evaluated(world: Path, tmp_path: Path) -> None:
    told = run(command(world, tmp_path / "bert-idioms"))
    assert told.returncode == 0, told.stderr
    count, _, rest = told.stdout.partition(" sentences with compounds; loss ")
    first, last = map(float, rest.partition(";")[0].split(" to "))
    assert last < first - 0.5
    sentences = {one.sentence for split in SPLITS for one in examples(split)}
    assert int(count) == len(sentences) + 7  # "Two tin whistles.", but no "Two hot potatos."
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "bert-idioms")
    rows = transformers.AutoModel.from_pretrained(tmp_path / "bert-idioms").get_input_embeddings().weight
    before = transformers.AutoModel.from_pretrained(world / "bert").get_input_embeddings().weight
    old = transformers.AutoTokenizer.from_pretrained(world / "bert")
    for compound in SPLITS["train_zero_shot"][0]:
        token = tokenizer.convert_tokens_to_ids(f"ID{compound.replace(' ', '')}ID")
        assert token >= len(old)
        mean = before[old(f" {compound}", add_special_tokens=False)["input_ids"]].mean(dim=0)
        assert not torch.allclose(rows[token], mean, atol=1e-3)
    place = ["--suite", "astitch", "--release", str(world / "suite"), "--lang", "en", "--resamples", "100"]
    results = tmp_path / "results"
    model = ["--model", str(tmp_path / "bert-idioms"), "--device", "cpu", "--idiom-tokens", "all"]
    assert main(["evaluate", *place, *model, "--out", str(results)]) == 0
    assert read_json(results / "results.json")["signature"]["model"]["name"] == "bert-idioms"
    assert "has a model" in run(command(world, tmp_path / "bert-idioms")).stderr


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_weights(world: Path, tmp_path: Path) -> None:
    assert run(command(world, tmp_path / "whole")).returncode == 0
    with subprocess.Popen(
        command(world, tmp_path / "killed"), env=os.environ | {"OMP_NUM_THREADS": "1"}, stderr=subprocess.DEVNULL
    ) as process:
        for _ in range(3000):
            if any((tmp_path / "killed" / ".checkpoints").glob("checkpoint-*/trainer_state.json")):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "killed" / "config.json").exists()
    other = run([*command(world, tmp_path / "killed"), "--seed", "1"])
    assert (other.returncode, "has checkpoints of another run" in other.stderr) == (1, True)
    assert run(command(world, tmp_path / "killed")).returncode == 0
    assert not (tmp_path / "killed" / ".checkpoints").exists()
    hashes = [file_hash(tmp_path / name / "model.safetensors") for name in ("whole", "killed")]
    assert hashes[0] == hashes[1]
