"""The second opinion on the experts' sentences: how many planted errors it finds, and how often it is wrong."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.shared

BENCH = Path(__file__).parents[2] / "bench" / "linguistics_validator.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location(BENCH.stem, BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[BENCH.stem] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_portuguese_errors_of_each_category_are_found(bench: ModuleType, shared: Path, tmp_path: Path) -> None:
    figures = bench.measure(shared, "pt", data=tmp_path)
    assert figures.clean > 2000
    assert set(figures.planted) == {
        *("article", "contraction", "demonstrative", "possessive", "quantifier"),
        *("adjective", "participle", "verb number"),
    }
    assert figures.precision >= 0.97
    assert figures.recall >= 0.95
    assert figures.false_alarms <= 0.01
    assert all(figures.found[category] / count >= 0.9 for category, count in figures.planted.items())
    assert figures.listed_found / figures.listed > 0.7


def test_english_articles_are_found_both_ways(bench: ModuleType, shared: Path, tmp_path: Path) -> None:
    figures = bench.measure(shared, "en", data=tmp_path)
    assert figures.clean > 6000
    assert set(figures.planted) == {"a to an", "an to a"}
    assert figures.precision >= 0.97
    assert figures.recall >= 0.95
    assert figures.listed_found / figures.listed > 0.95
