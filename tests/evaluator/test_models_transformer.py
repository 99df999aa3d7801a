"""Vectors of transformers: against one sentence at a time, for every kind of tokeniser, at edges and when cut off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from ncimp.evaluator.models import ModelOptions
from ncimp.evaluator.models.store import Encoded, EncodedPassage
from ncimp.evaluator.models.transformer import Tokeniser, TransformerEncoder, layer_numbers
from ncimp.schemas.errors import EvaluationError, UsageError
from tests.evaluator.tiny_models import KINDS, SENTENCES, make
from tests.frozen import load_reference

reference = load_reference("transformer_reference")

CASES = (
    ("The eager beaver built a dam beside the river.", "eager beaver"),
    ("eager beaver first", "eager beaver"),
    ("last comes the eager beaver", "eager beaver"),
    ("beaver", "beaver"),
    ("Não é o olho gordo que me dá medo", "olho gordo"),
    ("é a pá-de-cal.", "pá-de-cal"),
    ("“coração”—três", "coração"),
    ("12,5 % of café crème", "café crème"),
    ("an über-naïve 狐 fox 🦊 here", "狐 fox"),
    ("“Another rat”", "Another rat"),
    ("rat races", "rat"),
)


def passage(sentence: str, phrase: str, number: int = 0) -> EncodedPassage:
    start = -1
    for _ in range(number + 1):
        start = sentence.index(phrase, start + 1)
    return EncodedPassage(sentence, ((start, start + len(phrase)),))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: make(tmp_path_factory.mktemp("models") / kind, kind) for kind in KINDS}


def naive(folder: Path) -> tuple[Any, Any]:
    model = transformers.AutoModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    return (model.get_encoder() if model.config.is_encoder_decoder else model), tokenizer


def encode(folder: Path, passages: list[EncodedPassage], **options: Any) -> Encoded:
    return TransformerEncoder(folder, ModelOptions(device="cpu", **options)).encode(passages)


@pytest.mark.parametrize("kind", KINDS)
def test_batches_equal_one_sentence_at_a_time(folders: dict[str, Path], kind: str) -> None:
    passages = [passage(*case) for case in CASES]
    model, tokenizer = naive(folders[kind])
    expected = [reference.vectors(model, tokenizer, one.sentence, one.spans[0]) for one in passages]
    for budget in (1, 40, 100_000):
        encoded = encode(folders[kind], passages, batch_tokens=budget)
        assert encoded.present.all()
        assert encoded.span is not None
        for place, (sentence, span) in enumerate(expected):
            np.testing.assert_allclose(encoded.sentence[place], sentence, rtol=2e-5, atol=2e-5)
            np.testing.assert_allclose(encoded.span[place], span, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_repeated_words_have_vectors_of_their_own_place(folders: dict[str, Path], kind: str) -> None:
    sentence = SENTENCES[1]
    places = [passage(sentence, "eager beaver", number).spans[0] for number in range(3)]
    found = encode(folders[kind], [EncodedPassage(sentence, tuple(places))])
    model, tokenizer = naive(folders[kind])
    assert found.span is not None
    for row, span in zip(found.span, places, strict=True):
        np.testing.assert_allclose(row, reference.vectors(model, tokenizer, sentence, span)[1], rtol=2e-5, atol=2e-5)
    assert np.abs(found.span[0] - found.span[2]).max() > 1e-3
    np.testing.assert_array_equal(found.sentence[0], found.sentence[2])


@pytest.mark.parametrize("kind", KINDS)
def test_the_tokens_of_a_span_spell_it(folders: dict[str, Path], kind: str) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folders[kind])
    tokeniser = Tokeniser(tokenizer, 128, "mean", special_tokens=True)
    for one in (passage(*case) for case in CASES):
        mask = tokeniser([one])[0].masks[1]
        offsets = tokenizer(one.sentence, return_offsets_mapping=True)["offset_mapping"]
        covered = {
            place for (start, end), inside in zip(offsets, mask, strict=True) if inside for place in range(start, end)
        }
        start, end = one.spans[0]
        assert {place for place in range(start, end) if not one.sentence[place].isspace()} <= covered, one
        # byte-level BPE counts the space before a word to it; nothing else may be there
        assert {one.sentence[place] for place in covered - set(range(start, end))} <= {" "}, one


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "llama"])
def test_an_item_whose_span_is_cut_off_is_missing(tmp_path: Path, kind: str) -> None:
    folder = make(tmp_path / kind, kind, layers=2, positions=24)
    filler = "dam " * 40
    whole, cut = passage("The eager beaver built a " + filler, "eager beaver"), passage(filler + "rat", "rat")
    edge = EncodedPassage(whole.sentence, (*whole.spans, (len(whole.sentence) - 4, len(whole.sentence) - 1)))
    found = encode(folder, [edge, cut, passage("The rat", "rat")])
    assert found.present.tolist() == [True, False, False, True]
    assert np.isfinite(found.sentence[0]).all()


def test_a_span_half_cut_off_is_missing(tmp_path: Path) -> None:
    folder = make(tmp_path / "bert", "bert", layers=2)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    one = passage("eager beaver here", "eager beaver")
    length = sum(end <= 12 for _, end in tokenizer(one.sentence, return_offsets_mapping=True)["offset_mapping"][1:-1])
    present = [bool(encode(folder, [one], max_tokens=length + 2 - less).present[0]) for less in (0, 1)]
    assert present == [True, False]


@pytest.mark.slow
def test_layers_are_those_the_model_calls_its_hidden_states(folders: dict[str, Path]) -> None:
    one = passage(*CASES[0])
    for kind in KINDS:
        model, tokenizer = naive(folders[kind])
        encoded = tokenizer(one.sentence, return_tensors="pt")
        with torch.no_grad():
            states = model(**encoded, output_hidden_states=True).hidden_states
        for layers, numbers in {"0": [0], "1,3": [1, 3], "0,6": [0, 6], "last1": [6], "all": range(1, 7)}.items():
            found = encode(folders[kind], [one], layers=layers).sentence[0]
            expected = torch.stack([states[number][0].double() for number in numbers]).mean(0).mean(0)
            np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5, err_msg=f"{kind} {layers}")


def test_only_the_layers_asked_for_are_watched(folders: dict[str, Path]) -> None:
    # ALBERT runs one layer several times, so its states are kept by the model and then chosen
    hooks = {kind: TransformerEncoder(folders[kind], ModelOptions(device="cpu"))._hooks for kind in KINDS}
    assert {kind: None if of_kind is None else len(of_kind) for kind, of_kind in hooks.items()} == {
        kind: None if kind == "albert" else 3 for kind in KINDS
    }


@pytest.mark.parametrize("kind", ["bert", "gpt2", "albert"])
def test_batches_side_by_side_do_not_mix(folders: dict[str, Path], kind: str) -> None:
    passages = [passage(*case) for case in CASES] * 5
    encoder = TransformerEncoder(folders[kind], ModelOptions(device="cpu", layers="0,3,6", batch_tokens=20))
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        alone = encoder.encode(passages)
        torch.set_num_threads(4)
        together = encoder.encode(passages)
        assert torch.get_num_threads() == 4
    finally:
        torch.set_num_threads(threads)
    np.testing.assert_array_equal(alone.sentence, together.sentence)
    np.testing.assert_array_equal(alone.span, together.span)


def test_pooling_and_special_tokens(folders: dict[str, Path]) -> None:
    one = passage(*CASES[0])
    model, tokenizer = naive(folders["bert"])
    with torch.no_grad():
        states = model(**tokenizer(one.sentence, return_tensors="pt"), output_hidden_states=True).hidden_states
    average = torch.stack(states[-4:]).double().mean(0)[0]
    expected = {
        (True, "mean"): average.mean(0),
        (False, "mean"): average[1:-1].mean(0),
        (True, "cls"): average[0],
        (True, "last"): average[-1],
        (False, "last"): average[-2],
    }
    for (special, pooling), vector in expected.items():
        found = encode(folders["bert"], [one], pooling=pooling, special_tokens=special)
        np.testing.assert_allclose(found.sentence[0], vector, rtol=2e-5, atol=2e-5)


def test_bf16_is_near_fp32(folders: dict[str, Path]) -> None:
    passages = [passage(*case) for case in CASES]
    exact, near = (encode(folders["bert"], passages, dtype=dtype).sentence for dtype in ("fp32", "bf16"))
    cosine = (exact * near).sum(1) / np.linalg.norm(exact, axis=1) / np.linalg.norm(near, axis=1)
    assert near.dtype == np.float32
    assert (cosine > 0.999).all()
    assert (exact != near).any()


@pytest.mark.parametrize(("layers", "depth", "fault"), [("7", 6, "no layer 7: the model has 6")])
def test_layers_that_the_model_lacks(layers: str, depth: int, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        layer_numbers(layers, depth)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"layers": "-1"}, "unknown layers '-1'; give lastN, all, or numbers such as 1,2,6"),
        ({"layers": "last0"}, "unknown layers 'last0'"),
        ({"batch_tokens": 0}, "numbers of tokens must be positive"),
        ({"pooling": "own", "layers": "all"}, "--pooling own is the model's own choice"),
        ({"device": "cuda:9"}, "the device 'cuda:9' cannot be used"),
        ({"device": "abacus"}, "the device 'abacus' cannot be used"),
    ],
)
def test_options_that_make_no_sense(folders: dict[str, Path], options: dict[str, Any], fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        TransformerEncoder(folders["bert"], ModelOptions(**options))
    assert fault in str(caught.value)


def broken_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:2000])


def broken_config(folder: Path) -> None:
    (folder / "config.json").write_text("{", encoding="utf-8")


def unknown_architecture(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"model_type": "abacus"}), encoding="utf-8")


def no_tokenizer(folder: Path) -> None:
    for path in folder.glob("*token*"):
        path.unlink()


@pytest.mark.parametrize("breaking", [broken_weights, broken_config, unknown_architecture, no_tokenizer])
def test_a_damaged_model_is_one_message(tmp_path: Path, breaking: Any) -> None:
    folder = make(tmp_path / "bert", "bert", layers=2)
    breaking(folder)
    with pytest.raises(EvaluationError) as caught:
        TransformerEncoder(folder, ModelOptions(device="cpu"))
    assert str(caught.value).startswith(f"{folder}: ")
    assert "\n" not in str(caught.value)
