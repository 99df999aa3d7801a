"""The tools that `counting.py` compares: how each is called, and whether it is installed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from counting_digests import digest_of_store, digest_of_tables
from counting_peers import NEEDS, PROGRAMS

LEAST = 5
"""Occurrences below which nothing is written."""
OURS = {
    "t1": ("--layers", "surface", "--no-candidates"),
    "t2": ("--layers", "lemma", "--pairs", "none"),
    "packed": ("--layers", "lemma", "--pairs", "none"),
}
"""Options of `ncimp stats count`, by task."""
TASKS = tuple(OURS)
TOOLS = ("ncimp", *PROGRAMS)


def missing(tool: str) -> str:
    """Return the program or module that *tool* needs and that is not there, or nothing."""
    programs, modules = NEEDS.get(tool, ((), ("numba",)))
    absent = [name for name in programs if not shutil.which(name)]
    return ", ".join([*absent, *(name for name in modules if find_spec(name) is None)])


def can(tool: str, task: str) -> bool:
    """Tell whether *tool* does *task* at all."""
    return tool == "ncimp" or task in PROGRAMS[tool]


def command(tool: str, task: str, corpus: Sequence[Path], folder: Path) -> list[str]:
    """Return the command of *tool*; `folder` gets its files. Only `ncimp` reads more than one file."""
    if tool == "ncimp":
        options = ["--lang", "en", "--format", "wac", "--min-count", str(LEAST), "--out", str(folder / "stats")]
        program = [sys.executable, "-m", "ncimp.builder.cli", "stats", "count"]
        return [*program, *map(str, corpus), *options, *OURS[task]]
    (path,) = map(str, corpus)
    program = ["sh", "-c"] if NEEDS[tool][0] else [sys.executable, "-c"]
    return [*program, PROGRAMS[tool][task].format(corpus=path, folder=str(folder), least=LEAST)]


def digester(tool: str, task: str, folder: Path) -> Callable[[], str]:
    """Return what hashes the files that *tool* wrote into *folder*."""
    if tool == "ncimp":
        return partial(digest_of_store, folder / "stats")
    return str if task == "packed" else partial(digest_of_tables, folder)
