"""Likelihoods of sentences: asked through lm-evaluation-harness, the same as naive ones, and read into figures."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import transformers

from ncimp.builder.cli import main
from ncimp.evaluator.ecosystem import plausibility_rows, task_folder
from ncimp.evaluator.release import read_release
from ncimp.evaluator.suites.plausibility import plausibility_answers, read_surprisals, surprisals
from ncimp.schemas import EvaluationError, read_json
from ncimp.schemas.suites import PlausibilityItem
from tests.evaluator.test_ecosystem import causal_model, outside
from tests.evaluator.tiny_models import word_piece
from tests.schemas.checking import check_row

ASKED = """
import torch, transformers
import lm_eval
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager
from pathlib import Path
from ncimp.builder.cli import main
release, causal, masked, tasks, out = sys.argv[1:]
manager = TaskManager(include_path=tasks, include_defaults=False, metadata={"release": release, "lang": "en"})
samples = {}
found = lm_eval.simple_evaluate(
    model=HFLM(pretrained=causal, device="cpu", batch_size=4), tasks=["ncimp_plausibility"], task_manager=manager,
    limit=24, bootstrap_iters=0,
)
samples["gpt"] = found["samples"]["ncimp_plausibility"]
Path(out, "gpt").mkdir(parents=True)
with open(f"{out}/gpt/samples_ncimp_plausibility_2026-01-01T00-00-00.000001.jsonl", "w") as stream:
    for sample in samples["gpt"]:
        stream.write(json.dumps(sample, default=str) + "\\n")
Path(out, "gpt", "results_2026-01-01T00-00-00.000001.json").write_text('{\\n  "results": {}\\n}')
Path(out, "gpt", "journal.jsonl").write_text('{"question": "?", "answer": "!"}')
asked = ["suite", "ask", "--model", masked, "--tasks", "ncimp_plausibility", "--release", release, "--lang", "en"]
assert main([*asked, "--limit", "24", "--out", out]) == 0
written = Path(out, "bert", "samples_ncimp_plausibility.jsonl").read_text("utf-8")
samples["bert"] = [json.loads(line) for line in written.splitlines()]

def of_causal(context, continuation):  # of the tokens that the continuation adds
    before, ids = (tokenizer(text)["input_ids"] for text in (context, context + continuation))
    before = before or [tokenizer.bos_token_id]
    ids = ids if context else before + ids
    scores = model(torch.tensor([ids])).logits[0, :-1].log_softmax(-1)
    return sum(scores[place - 1, ids[place]].item() for place in range(len(before), len(ids)))

def of_masked(context, continuation):  # one token at a time, in the whole sentence
    encoded = tokenizer(text, return_offsets_mapping=True)
    ids, total = encoded["input_ids"], 0.0
    tokens = tokenizer.convert_ids_to_tokens(ids)
    for place in range(1, len(ids) - 1):
        if not len(context) < encoded["offset_mapping"][place][1] <= len(context + continuation):
            continue
        end = place + 1
        while tokens[end].startswith("##"):  # the rest of the word
            end += 1
        hidden = ids[:place] + [tokenizer.mask_token_id] * (end - place) + ids[end:]
        total += model(torch.tensor([hidden])).logits[0, place].log_softmax(-1)[ids[place]].item()
    return total

far, pieces = {}, 0
for name, folder, kind, naive in (
    ("gpt", causal, transformers.AutoModelForCausalLM, of_causal),
    ("bert", masked, transformers.AutoModelForMaskedLM, of_masked),
):
    tokenizer, model = transformers.AutoTokenizer.from_pretrained(folder), kind.from_pretrained(folder).eval()
    far[name] = 0.0
    with torch.inference_mode():
        for sample in samples[name][::3]:
            text, (start, end) = sample["doc"]["sentence"], sample["doc"]["span"]
            before = text[:start].rstrip()
            parts = [("", before), (before, text[len(before):end]), (text[:end], text[end:])]
            logged = [float(response[0]) for response in sample["filtered_resps"]]
            pieces += sum(token.startswith("##") for token in tokenizer.tokenize(text))
            far[name] = max(far[name], *(abs(one - naive(*pair)) for one, pair in zip(logged, parts, strict=True)))
print()
print(json.dumps({"far": far, "pieces": pieces, "bits": found["results"]["ncimp_plausibility"]["bits,none"]}))
"""


def masked_model(folder: Path, seed: int = 1) -> Path:
    """A BERT of two layers with random weights, whose words are of several pieces."""
    special = {f"{name.lower()}_token": f"[{name}]" for name in ("PAD", "UNK", "CLS", "SEP", "MASK")}
    pieces = transformers.PreTrainedTokenizerFast(tokenizer_object=word_piece(strip=False), **special)
    pieces.save_pretrained(folder)
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 32, "intermediate_size": 64}
    transformers.set_seed(seed)
    config = transformers.BertConfig(vocab_size=len(pieces), max_position_embeddings=128, **sizes)
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_likelihoods_of_the_harness_are_the_naive_ones(mini_release: Path, tmp_path: Path) -> None:
    causal = causal_model(tmp_path / "gpt2", ["The eager beaver built a dam."])
    masked = masked_model(tmp_path / "bert")
    found = outside(ASKED, mini_release, causal, masked, task_folder(), tmp_path / "answers")
    assert found["far"]["gpt"] < 1e-4 * found["bits"]
    assert found["far"]["bert"] < 1e-4 * found["bits"]
    assert found["pieces"] > 100  # words are masked in parts
    arguments = ["evaluate", "--suite", "lexbench", "--answers", str(tmp_path / "answers"), "--resamples", "100"]
    assert main([*arguments, "--out", str(tmp_path / "results")]) == 0
    rows = read_json(tmp_path / "results" / "results.json")["suites"]
    assert {row["model"] for row in rows} == {"gpt", "bert", "length in characters"}
    assert {row["task"] for row in rows} == {f"surprisal_{part}" for part in ("sentence", "span", "rest")}


KEPT = """
import os, signal
from pathlib import Path
from ncimp.builder.cli import main
from ncimp.evaluator.ecosystem.masked import MaskedModel
release, one, other, killed_at, folder = sys.argv[1:]
texts, tokens = [], MaskedModel._tokens

def counted(self, text):
    texts.append(text)
    if len(texts) == int(killed_at):
        os.kill(os.getpid(), signal.SIGKILL)
    return tokens(self, text)

MaskedModel._tokens = counted
asked = ["suite", "ask", "--tasks", "ncimp_plausibility", "--release", release, "--lang", "en", "--limit", "12"]
runs = (one, "killed"), (one, "whole"), (other, "killed"), (other, "other")
counts = []
for model, out in runs[:1] if int(killed_at) else runs:
    assert main([*asked, "--model", model, "--out", f"{folder}/{out}"]) == 0
    lines = Path(folder, out, "journal.jsonl").read_text("utf-8").splitlines()
    written = Path(folder, out, Path(model).name, "samples_ncimp_plausibility.jsonl").read_text("utf-8")
    counts.append([len(texts), lines, written])
    assert len(set(texts)) == len(texts)
    texts.clear()
print()
print(json.dumps(counts))
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(mini_release: Path, tmp_path: Path) -> None:
    models = [masked_model(tmp_path / name / "bert", seed) for seed, name in enumerate(("one", "other"))]
    with pytest.raises(AssertionError):
        outside(KEPT, mini_release, *models, 8, tmp_path)
    found = outside(KEPT, mini_release, *models, 0, tmp_path)
    (resumed, lines, samples), (whole, lines_of_whole, samples_of_whole), beside, alone = found
    assert (whole, resumed) == (12, 12 - 7)
    assert (lines, samples) == (lines_of_whole, samples_of_whole)
    # another model takes no answer of the first, though it has the same name
    assert beside == [12, lines + alone[1], alone[2]]
    assert alone[2] != samples


SENTENCE, SPAN = "He saw red tape there.", (7, 15)


def rows_of(
    bits: dict[str, tuple[float, float]], compound: str, kind: str, benchmarks: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Samples of one sentence, in which each variant has the *bits* of its span and of the rest behind it."""
    rows = []
    for variant, (of_span, rest) in bits.items():
        doc: dict[str, Any] = {"id": f"{compound}/nat1/{variant}", "lang": "en", "benchmarks": benchmarks}
        doc |= {"compound_id": compound, "compound_class": kind}
        logs = [-math.log(2) * part for part in (10, of_span, rest)]
        responses = [[str(value), "False"] for value in logs]
        rows.append({"doc": doc | {"sentence": SENTENCE, "span": SPAN}, "filtered_resps": responses})
    return rows


def write(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "one" / "samples_ncimp_plausibility_2026-01-01T00-00-00.000001.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_differences_are_of_the_mean_variants_of_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = []
    for number in range(8):
        kind = ("idiomatic", "compositional")[number % 2]
        words = 20.0 if kind == "idiomatic" else 9.0
        bits = {"orig": (5.0, 3.0), "syn": (8.0, 3.0), "ws1": (words, 3.0), "ws2": (words + 2, 4.0)}
        bits |= {"rand1": (30.0 + number, 6.0)} | ({} if number else {"rand2": (math.inf, 1.0)})
        rows += rows_of(bits, f"en/c{number}", kind, benchmarks=["NCTTI"] if number < 4 else [])
    folder = write(tmp_path / "answers", rows).parents[1]
    assert main(["evaluate", "--suite", "lexbench", "--answers", str(folder), "--resamples", "200",
                 "--out", str(tmp_path / "results")]) == 0  # fmt: skip
    document = read_json(tmp_path / "results" / "results.json")
    check_row("evaluation", document)
    found = {(row["task"], row["setting"], row["inputs"]): row for row in document["suites"] if not row["baseline"]}
    span, both = "surprisal_span", "idiomatic − compositional"
    assert found[span, "idiomatic", "ws"]["value"] == pytest.approx(21)
    assert found[span, "idiomatic", "ws − syn"]["value"] == pytest.approx(13)
    assert found[span, "compositional", "rand − ws"]["value"] == pytest.approx(30 + 4 - 10)
    assert found[span, both, "ws − syn"]["value"] == pytest.approx(13 - 2)
    assert found["surprisal_rest", "idiomatic", "ws − syn"]["value"] == pytest.approx(0.5)
    assert found["surprisal_sentence", "idiomatic", "orig"]["value"] == pytest.approx(18)
    assert found[span, "compositional", "rand − ws"]["outcome"] == "met"
    assert found[span, "idiomatic", "ws"]["outcome"] is None
    listed, others = (found[span, "compositional", f"rand − ws, benchmarks: {name}"] for name in ("some", "none"))
    assert (listed["value"], others["value"]) == (pytest.approx(30 + 2 - 10), pytest.approx(30 + 6 - 10))
    assert (found[span, both, "ws − syn"]["n"], found[span, both, "ws − syn"]["compounds"]) == (8, 8)
    told = capsys.readouterr().out
    assert "English, surprisal_span, one: " in told
    assert f"{sum(row['outcome'] == 'met' for row in found.values() if 'bench' not in row['inputs'])} of " in told


def test_a_sentence_without_a_finite_likelihood_is_missing(tmp_path: Path) -> None:
    kinds = {"en/a": (math.inf, 1.0), "en/b": (4.0, 1.0), "en/c": (6.0, 1.0)}
    rows = [row for name, bits in kinds.items() for row in rows_of({"orig": bits}, name, "idiomatic")]
    answers = plausibility_answers(read_surprisals([write(tmp_path, rows)]))
    (one,) = (one for one in answers if one.place.task == "surprisal_span" and not one.place.baseline)
    assert one.predicted.tolist()[1:] == pytest.approx([4, 6])
    assert math.isnan(one.predicted[0])


def test_the_parts_of_a_sentence_are_all_of_it(mini_release: Path) -> None:
    rows = list(plausibility_rows(read_release(mini_release)))
    assert {row["id"].rpartition("/")[2].rstrip("12345") for row in rows} == {"orig", "syn", "ws", "rand"}
    for row in rows:
        check_row("plausibility_item", row)
        item = PlausibilityItem(**row | {"span": tuple(row["span"])})
        assert "".join(words for _, words in item.parts) == item.sentence
        assert item.sentence[slice(*item.span)] in {words.strip() for _, words in item.parts}
        assert len({context + words for context, words in item.parts}) == len(item.parts)
    for sentence, span, bits in (("Red tape.", (0, 8), (3, 1, 2)), ("No red tape", (3, 11), (3, 2, 0))):
        item = PlausibilityItem("en/a/nat1/orig", "en", "en/a", "idiomatic", sentence, span)
        assert surprisals(item, [(-math.log(2), False), (-2 * math.log(2), False)]) == pytest.approx(bits)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"filtered_resps": [[-1.0, False]]}, "1 log-likelihoods for 3 parts"),
        ({"filtered_resps": ["B", "C", "D"]}, "no log-likelihoods"),
        ({"doc": None}, "no log-likelihoods"),
        ({}, "was asked of 'en/a/nat1/orig' twice"),
    ],
)
def test_a_bad_sample_is_one_clear_error(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    (row,) = rows_of({"orig": (1.0, 1.0)}, "en/a", "idiomatic")
    with pytest.raises(EvaluationError) as caught:
        read_surprisals([write(tmp_path, [row, row | change])])
    assert message in str(caught.value)
