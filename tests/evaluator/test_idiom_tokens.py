"""Tokens of compounds: nothing but compounds gives way to them, spans follow, and models read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import transformers
from hypothesis import example, given
from hypothesis import strategies as st

from ncimp.builder.build.resources import compound_forms
from ncimp.builder.cli import main
from ncimp.evaluator.models import ModelOptions, open_model
from ncimp.evaluator.models.idioms import IdiomTokens
from ncimp.evaluator.suites.texts import SuiteText, text_vectors
from ncimp.schemas import read_json
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.release_folder import ReleaseFolder
from tests.evaluator.tiny_models import make
from tests.sources.astitch_copy import write_copy

FORMS = {"eager beaver": ["eager beavers"], "cold feet": [], "pá-de-cal": ["pás-de-cal"], "rat race": ["rat races"]}
TOKENS = IdiomTokens(FORMS)
WORDS = ["the", "beaver", "eager", "Cold", "feet", "É", "rat", "“", "”", ".", "-", ", ", "races", "IDratraceID", "  "]
PARTS = st.sampled_from([*FORMS, "Eager Beavers", "RAT-RACE", "pá de cal", "eager  beaver", *WORDS])
TEXTS = st.lists(st.tuples(PARTS, st.sampled_from([" ", "-", "", ". "]))).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)


@given(TEXTS)
@example("Eager-beaver rat races, and no rat-racer.")
def test_nothing_but_compounds_is_replaced(text: str) -> None:
    new = TOKENS(text)
    behind, there = 0, 0
    back = ""
    for (start, end), (first, last) in new.places:
        assert new.text[there:first] == text[behind:start]
        assert text[start:end].lower().replace("-", " ").split() in [
            form.replace("-", " ").split() for name, forms in FORMS.items() for form in (name, *forms)
        ]
        assert TOKENS.compounds[new.text[first:last]] in FORMS
        back += new.text[there:first] + text[start:end]
        behind, there = end, last
        for inside in range(start, end):
            assert new.span((inside, inside + 1)) == (first, last)
    assert back + new.text[there:] == text
    outside = set(range(len(text))) - {place for (start, end), _ in new.places for place in range(start, end)}
    assert all(new.text[slice(*new.span((place, place + 1)))] == text[place] for place in outside)


def test_a_sharp_s_is_found_as_it_is_written() -> None:
    tokens = IdiomTokens({"heißes Eisen": []})
    assert [tokens(text).text.endswith("ID") for text in ("Ein heißes Eisen", "Ein HEISSES Eisen")] == [True, True]


@pytest.mark.parametrize("kind", ["bert", "bert-cased", "roberta", "gpt2", "llama", "t5"])
def test_a_tokeniser_reads_the_rest_as_before(kind: str, tmp_path: Path) -> None:
    folder = make(tmp_path / kind, kind, layers=1)
    plain, taught = (transformers.AutoTokenizer.from_pretrained(folder) for _ in range(2))
    model = transformers.AutoModel.from_pretrained(folder)
    before = model.get_input_embeddings().weight.detach().clone()
    TOKENS.teach(model, taught)
    after = model.get_input_embeddings().weight.detach()
    assert len(after) == len(before) + len(FORMS)
    assert np.array_equal(after[: len(before)], before)
    token = taught.convert_tokens_to_ids("IDeagerbeaverID")
    pieces = plain(" eager beaver", add_special_tokens=False)["input_ids"]
    assert np.allclose(after[token], before[pieces].mean(dim=0))
    TOKENS.teach(model, taught)  # it knows them
    assert model.get_input_embeddings().num_embeddings == len(after)

    def ids(tokenizer: transformers.PreTrainedTokenizerBase, text: str) -> list[int]:
        found: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    text = "The eager beaver built a dam beside eager beavers and the river"
    new = ids(taught, TOKENS(text).text)
    rest = [ids(plain, part) for part in ("The", " built a dam beside", " and the river")]
    assert new == [*rest[0], token, *rest[1], token, *rest[2]]
    decoded = taught.decode(new, skip_special_tokens=False)
    assert decoded.count("IDeagerbeaverID") == 2


def test_vectors_follow_the_tokens(tmp_path: Path) -> None:
    folder = make(tmp_path / "bert", "bert", layers=2)
    sentences = ["The eager beaver built a dam.", "Eager beavers sang.", "A dam beside the river."]
    spans = [(4, 16), (0, 13), (2, 5)]
    texts = list(map(SuiteText, sentences, spans))
    only = IdiomTokens(FORMS, [sentences[0]])
    rows = [
        text_vectors(open_model(str(folder), ModelOptions(device="cpu", idioms=idioms)).source, texts)
        for idioms in (None, TOKENS, only)
    ]
    assert not np.isnan(rows).any()
    changed = [[not np.allclose(row, plain) for row, plain in zip(some, rows[0], strict=True)] for some in rows[1:]]
    assert changed == [[True, True, False], [True, False, False]]
    names = [ModelOptions(idioms=idioms).facts().get("idiom_tokens") for idioms in (None, TOKENS, only)]
    assert names[0] is None
    assert [str(name).split()[0] for name in names[1:]] == ["all", "select"]
    assert ModelOptions().facts() == {
        "layers": "last4", "pooling": "mean", "special_tokens": True, "dtype": "fp32", "max_tokens": None,
    }  # fmt: skip


def test_a_suite_is_asked_with_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite, model = tmp_path / "suite", make(tmp_path / "tiny-bert", "bert", layers=2)
    assert main(["suite", "import", "astitch", str(write_copy(tmp_path / "copy")), "--out", str(suite)]) == 0
    forms = compound_forms(ReleaseFolder(suite))
    assert {"wet blanket", "wet blankets"} <= forms["wet blanket"]
    command = ["evaluate", "--suite", "astitch", "--release", str(suite), "--model", str(model), "--lang", "en"]
    command += ["--resamples", "100", "--device", "cpu"]
    answers = tmp_path / "all" / "answers.parquet"
    assert main([*command, "--idiom-tokens", "all", "--out", str(tmp_path / "all")]) == 0
    assert main([*command, "--idiom-tokens", str(answers), "--out", str(tmp_path / "select")]) == 0
    one, two = (read_json(tmp_path / name / "results.json") for name in ("all", "select"))
    assert one["signature"]["model"]["options"]["idiom_tokens"].startswith("all ")
    assert {row["task"] for row in two["suites"]} == {"consistency_self", "consistency_frozen"}
    assert "Detection is left out" in " ".join(two["notes"])
    similar = [
        {row["id"]: row["predicted"] for row in read_parquet(tmp_path / name / "answers.parquet", "suite_answer")
         if row["task"] == "consistency_self"}
        for name in ("all", "select")
    ]  # fmt: skip
    assert similar[0].keys() == similar[1].keys()
    assert 0 < sum(similar[0][key] != similar[1][key] for key in similar[0]) < len(similar[0])
    capsys.readouterr()
    for options, code, message in (
        (["--idiom-tokens", str(tmp_path / "none.parquet")], 1, "no such file"),
        (["--idiom-tokens", str(tmp_path / "select" / "answers.parquet")], 1, "no one-shot answer of detection_coarse"),
        (["--idiom-tokens", str(answers), "--fine-tune"], 2, "answers to detection choose the tokens already"),
    ):
        assert main([*command, *options]) == code
        assert message in capsys.readouterr().err
    assert main(["evaluate", "--model", str(model), "--idiom-tokens", "all"]) == 2
    assert "--idiom-tokens is for --suite astitch" in capsys.readouterr().err
