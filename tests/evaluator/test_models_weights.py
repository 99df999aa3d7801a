"""A model whose files lack weights is refused, and one that merely differs in what its vectors do not need is not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from ncimp.evaluator.models import ModelOptions, Pooling, open_model
from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError
from tests.evaluator.tiny_models import SENTENCES, make

Weights = dict[str, Any]
ITEMS = [Item("en/c/nat1/orig", "en", "en/c", "nat1", "orig", ("x",), (0, 1), text, (4, 9)) for text in SENTENCES]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("weights") / "bert", "bert", layers=2)


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("weights") / "t5", "t5", layers=2)


def copied(model: Path, folder: Path, change: Callable[[Weights], Weights]) -> Path:
    """Copy *model* with other weights."""
    shutil.copytree(model, folder)
    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path, metadata={"format": "pt"})
    return folder


def vectors(folder: Path, pooling: Pooling = "mean") -> NDArray[np.float32]:
    return open_model(str(folder), ModelOptions(pooling=pooling, device="cpu")).source.sentence(ITEMS)


def prefixed(prefix: str) -> Callable[[Weights], Weights]:
    return lambda weights: {prefix + name: weight for name, weight in weights.items()}


def renamed(weights: Weights) -> Weights:
    return {name.replace("layer.", "block."): weight for name, weight in weights.items()}


def without_a_layer(weights: Weights) -> Weights:
    return {name: weight for name, weight in weights.items() if "layer.1." not in name}


def narrower(weights: Weights) -> Weights:
    name = "encoder.layer.1.output.dense.weight"
    return weights | {name: weights[name][:, :16].contiguous()}


LAYER = "encoder.layer.{}.attention.output."
EMBEDDINGS = "(embeddings.LayerNorm.bias, embeddings.LayerNorm.weight, embeddings.position_embeddings.weight, …)"
FAULTS: list[tuple[Callable[[Weights], Weights], int, str, str]] = [
    (prefixed("module."), 37, EMBEDDINGS, "take 'module.' off the names"),
    (prefixed("model."), 37, EMBEDDINGS, "take 'model.' off the names"),
    (prefixed("module.bert."), 37, EMBEDDINGS, "take 'module.bert.' off the names"),
    (renamed, 32, LAYER.format(0) + "LayerNorm.weight", "save the whole model again"),
    (without_a_layer, 16, LAYER.format(1) + "LayerNorm.bias", "save the whole model again"),
    (narrower, 1, "(encoder.layer.1.output.dense.weight): they", "save the whole model again"),
]


@pytest.mark.parametrize(("change", "count", "names", "fix"), FAULTS, ids=range(len(FAULTS)))
def test_weights_that_would_be_random_are_refused(
    bert: Path, tmp_path: Path, change: Callable[[Weights], Weights], count: int, names: str, fix: str
) -> None:
    folder = copied(bert, tmp_path / "m", change)
    with pytest.raises(EvaluationError) as caught:
        vectors(folder)
    told = str(caught.value)
    assert told.startswith(f"{folder}: its files lack {count} of 39 weights, or have them in another shape")
    assert names in told
    assert fix in told


@pytest.mark.slow
def test_also_for_sentence_transformers(bert: Path, tmp_path: Path) -> None:
    assert np.isfinite(vectors(bert, "own")).all()
    with pytest.raises(EvaluationError, match=r"lack 37 of 39 weights.*take 'module\.' off"):
        vectors(copied(bert, tmp_path / "m", prefixed("module.")), "own")


def test_also_when_gradients_are_switched_off(bert: Path, tmp_path: Path) -> None:
    with torch.no_grad(), pytest.raises(EvaluationError, match="lack 16 of 39 weights"):
        vectors(copied(bert, tmp_path / "m", without_a_layer))


def with_position_ids(weights: Weights) -> Weights:
    return weights | {"embeddings.position_ids": torch.arange(128)[None]}


def of_a_model_with_a_head(weights: Weights) -> Weights:
    head = {"cls.predictions.bias": torch.zeros(5), "classifier.weight": torch.ones(2, 32)}
    return prefixed("bert.")(weights) | head


def with_a_pooler_of_another_width(weights: Weights) -> Weights:
    return weights | {"pooler.dense.weight": torch.zeros(2, 2)}


@pytest.mark.parametrize("change", [with_position_ids, of_a_model_with_a_head, with_a_pooler_of_another_width])
def test_other_keys_outside_the_encoder_change_nothing(
    bert: Path, tmp_path: Path, change: Callable[[Weights], Weights]
) -> None:
    assert "pooler.dense.weight" not in load_file(bert / "model.safetensors")  # not even the plain one has a pooler
    np.testing.assert_array_equal(vectors(copied(bert, tmp_path / "m", change)), vectors(bert))


def under_its_other_name(weights: Weights) -> Weights:
    name = "encoder.embed_tokens.weight"  # tied to the shared weights
    return {name if key == "shared.weight" else key: weight for key, weight in weights.items()}


def without_its_decoder(weights: Weights) -> Weights:
    return {name: weight for name, weight in weights.items() if not name.startswith("decoder.")}


@pytest.mark.parametrize("change", [under_its_other_name, without_its_decoder])
def test_an_encoder_needs_no_decoder_and_tied_weights_once(
    t5: Path, tmp_path: Path, change: Callable[[Weights], Weights]
) -> None:
    np.testing.assert_array_equal(vectors(copied(t5, tmp_path / "m", change)), vectors(t5))


def test_tied_weights_that_are_nowhere_are_refused(t5: Path, tmp_path: Path) -> None:
    folder = copied(t5, tmp_path / "m", lambda weights: {k: w for k, w in weights.items() if k != "shared.weight"})
    with pytest.raises(EvaluationError, match=r"lack 1 of 47 weights.*\(shared\.weight\)"):
        vectors(folder)


@pytest.mark.parametrize("is_encoder_decoder", [False, True])
def test_an_encoder_of_t5_that_was_saved_alone(t5: Path, tmp_path: Path, is_encoder_decoder: bool) -> None:
    folder = tmp_path / "encoder"
    shutil.copytree(t5, folder)
    (folder / "model.safetensors").unlink()
    transformers.T5EncoderModel.from_pretrained(t5).save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert (config["architectures"], config.get("is_encoder_decoder", True)) == (["T5EncoderModel"], False)
    config["is_encoder_decoder"] = is_encoder_decoder
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    np.testing.assert_array_equal(vectors(folder), vectors(t5))


def test_a_model_that_needs_more_than_tokens_is_one_message(t5: Path, tmp_path: Path) -> None:
    shutil.copytree(t5, tmp_path / "m")
    config = json.loads((tmp_path / "m/config.json").read_text("utf-8")) | {"is_encoder_decoder": False}
    (tmp_path / "m/config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(EvaluationError, match="the model cannot be loaded") as caught:
        vectors(tmp_path / "m")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("kind", "positions"), [("bert", 3), ("gpt2", 1), ("gpt2", 2)])
def test_few_positions_lose_items_and_nothing_else(tmp_path: Path, kind: str, positions: int) -> None:
    rows = vectors(make(tmp_path / kind, kind, layers=2, positions=positions))
    is_lost = np.isnan(rows).all(axis=1)
    assert is_lost.any()
    assert np.isfinite(rows[~is_lost]).all()


@pytest.mark.parametrize(("kind", "positions"), [("bert", 1), ("bert", 2), ("roberta", 2)])
def test_no_position_for_a_word_is_one_message(tmp_path: Path, kind: str, positions: int) -> None:
    with pytest.raises(EvaluationError, match=f"has {positions} tokens, which leaves none for a word"):
        vectors(make(tmp_path / kind, kind, layers=2, positions=positions))


@pytest.mark.parametrize("name", ["ByT5Tokenizer", "CanineTokenizer"])
def test_a_tokeniser_of_bytes_or_characters_is_refused_for_its_offsets(bert: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "m"
    transformers.AutoModel.from_pretrained(bert).save_pretrained(folder)
    getattr(transformers, name)().save_pretrained(folder)
    with pytest.raises(EvaluationError) as caught:
        vectors(folder)
    assert f"its tokeniser {name} does not know where its tokens are in the text" in str(caught.value)
    assert "bring vectors as .npz" in str(caught.value)
