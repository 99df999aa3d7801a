"""The figures of the house style: bounds between the best codebases of the field, kept here and nowhere else."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

import pytest

from .style import (
    Source,
    code_lines,
    find_cycle,
    function_lines,
    functions,
    imports,
    is_annotated,
    public_definitions,
    read_sources,
)

ROOT = Path(__file__).parents[2]
ROOMS = ("builder", "corpus_stats", "evaluator", "schemas")

MAX_FILE = 300  # code lines of one module
MAX_P95 = 35  # source lines of a function, 95th percentile, docstring excluded
MIN_TYPED = 98  # percent of functions fully annotated
MIN_DOCUMENTED = 90  # percent of public modules, classes, functions and methods with a docstring


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return read_sources(ROOT, ROOMS)


def test_there_is_code_to_measure(sources: list[Source]) -> None:
    assert {source.name.split(".")[1] for source in sources} == set(ROOMS)
    assert sum(code_lines(source) for source in sources) > 3000


def test_no_module_is_too_large(sources: list[Source]) -> None:
    assert {source.name: n for source in sources if (n := code_lines(source)) > MAX_FILE} == {}


def test_functions_are_short(sources: list[Source]) -> None:
    lengths = [function_lines(function) for source in sources for function in functions(source)]
    assert statistics.quantiles(lengths, n=20)[-1] <= MAX_P95


def test_functions_are_annotated(sources: list[Source]) -> None:
    found = [
        (source.name, function.name, is_annotated(function)) for source in sources for function in functions(source)
    ]
    share = 100 * sum(typed for *_, typed in found) / len(found)
    assert share >= MIN_TYPED, [f"{module}.{name}" for module, name, typed in found if not typed]


def test_public_names_are_documented(sources: list[Source]) -> None:
    found = [(name, ast.get_docstring(node)) for source in sources for name, node in public_definitions(source)]
    share = 100 * sum(doc is not None for _, doc in found) / len(found)
    assert share >= MIN_DOCUMENTED, [name for name, doc in found if doc is None]


def test_no_import_cycle(sources: list[Source]) -> None:
    known = {source.name for source in sources}
    assert find_cycle({source.name: imports(source, known) for source in sources}) == []


def test_a_planted_cycle_is_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = 1\n\n# note\n", 1),
        ('"""Doc."""\nx = 1\n', 1),
        ("x = [\n 1,\n]\n", 3),
        ('def f():\n    """Doc."""\n    y\n', 2),
    ],
)
def test_code_lines_are_neither_blank_nor_comment_nor_docstring(text: str, lines: int) -> None:
    assert code_lines(Source("m", Path("m.py"), text, ast.parse(text))) == lines


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("def f(a: int) -> int: ...", True),
        ("def f(a) -> int: ...", False),
        ("def f(a: int): ...", False),
        ("def f(*a, **b: int) -> int: ...", False),
        ("class C:\n  def __init__(self, a: int): ...", True),
    ],
)
def test_a_missing_annotation_is_seen(text: str, typed: bool) -> None:
    (function,) = functions(Source("m", Path("m.py"), text, ast.parse(text)))
    assert is_annotated(function) == typed
