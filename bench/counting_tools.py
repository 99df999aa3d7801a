"""The tools that `counting.py` compares: how each is called, and whether it is installed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from counting_digests import digest_of_store, digest_of_tables
from counting_peers import PEERS, Peer

LEAST = 5
"""Occurrences below which nothing is written."""
OURS = {
    "t1": ("--layers", "surface", "--no-candidates"),
    "t2": ("--layers", "lemma", "--pairs", "none"),
    "packed": ("--layers", "lemma", "--pairs", "none"),
}
"""Options of `ncimp corpus count`, by task."""
TASKS = tuple(OURS)
TOOLS = ("ncimp", *PEERS)


def missing(tool: str) -> str:
    """Return the program or module that *tool* needs and that is not there, or nothing."""
    peer = PEERS.get(tool, Peer({}, modules=("numba",)))
    absent = [name for name in peer.programs if not shutil.which(name)]
    return ", ".join([*absent, *(name for name in peer.modules if find_spec(name) is None)])


def can(tool: str, task: str) -> bool:
    """Tell whether *tool* does *task* at all."""
    return tool == "ncimp" or task in PEERS[tool].tasks


def command(tool: str, task: str, corpus: Sequence[Path], folder: Path) -> list[str]:
    """Return the command of *tool*; `folder` gets its files. Only `ncimp` reads more than one file."""
    if tool == "ncimp":
        options = ["--lang", "en", "--format", "wac", "--min-count", str(LEAST), "--out", str(folder / "stats")]
        program = [sys.executable, "-m", "ncimp.builder.cli", "corpus", "count"]
        return [*program, *map(str, corpus), *options, *OURS[task]]
    (path,) = map(str, corpus)
    program = ["sh", "-c"] if PEERS[tool].by_shell else [sys.executable, "-c"]
    return [*program, PEERS[tool].tasks[task].format(corpus=path, folder=str(folder), least=LEAST)]


def digester(tool: str, task: str, folder: Path) -> Callable[[], str]:
    """Return what hashes the files that *tool* wrote into *folder*."""
    if tool == "ncimp":
        return partial(digest_of_store, folder / "stats")
    return str if task == "packed" else partial(digest_of_tables, folder)
