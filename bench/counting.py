"""Time `ncimp stats count` and other tools on the same generated corpus, in turn, and check that they agree.

    python bench/counting.py --tokens 20000000 --rounds 3 --tools ncimp polars duckdb mawk

Two tasks, both with files written and everything below five occurrences left out:

* `t1`: words as written, and all pairs of adjacent words of a sentence;
* `t2`: lemmas, and pairs of lemmas whose parts of speech make a noun compound (NN, NNS or JJ, then NN or NNS).

Every tool is a process of its own, so that start-up and imports count. Rounds are interleaved: each tool runs once
per round, so that what else the machine does hits all alike; medians and ratios of a round are what to look at. A
first run of `ncimp` that compiles is timed apart. Tools that are not installed are named and left out.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from counting_peers import PROGRAMS
from wac_corpus import write_corpus

TASKS = ("t1", "t2")
LEAST = 5
"""Occurrences below which nothing is written."""
POLL = 0.02
"""Seconds between looks at the memory of a process."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of one tool took."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of user and system time, with children."""
    memory: int
    """Peak of resident bytes of the process and its children."""
    digest: str
    """Hash over the sorted rows it wrote."""


def command(tool: str, task: str, corpus: Path, folder: Path) -> list[str]:
    """Return the command of *tool*; `folder` gets its files."""
    if tool == "ncimp":
        what = ["--layers", "surface", "--no-candidates"] if task == "t1" else ["--layers", "lemma", "--pairs", "none"]
        options = ["--lang", "en", "--format", "wac", "--min-count", str(LEAST), "--out", str(folder / "stats"), *what]
        return [sys.executable, "-m", "ncimp.builder.cli", "stats", "count", str(corpus), *options]
    if tool == "mawk":
        return ["sh", "-c", PROGRAMS[tool][task].format(corpus=corpus, folder=folder, least=LEAST)]
    return [sys.executable, "-c", PROGRAMS[tool][task].format(corpus=str(corpus), folder=str(folder), least=LEAST)]


def available(tool: str) -> bool:
    """Tell whether *tool* is installed."""
    modules = {"sklearn": "sklearn", "ncimp": "numba"}
    return bool(shutil.which(tool)) if tool == "mawk" else find_spec(modules.get(tool, tool)) is not None


def measured(arguments: list[str], folder: Path, rows: Callable[[Path], list[str]]) -> Run:
    """Run a command and return what it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # noqa: S603
    peak = 0
    while process.poll() is None:
        peak = max(peak, resident(process.pid))
        time.sleep(POLL)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        message = process.stderr.read().decode() if process.stderr else ""
        raise SystemExit(f"{' '.join(arguments)[:200]}\n{message}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, cpu, peak, hashlib.sha256("\n".join(rows(folder)).encode()).hexdigest()[:12])


def resident(process: int) -> int:
    """Return the resident bytes of a process and its children."""
    total, page = 0, os.sysconf("SC_PAGE_SIZE")
    try:
        total = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * page
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            total += resident(int(child))
    except (FileNotFoundError, ProcessLookupError):
        pass
    return total


def tsv_rows(folder: Path) -> list[str]:
    """Return the sorted rows of the two files that the other tools write."""
    return sorted(line for name in ("words", "pairs") for line in (folder / name).read_text().split("\n") if line)


def store_rows(folder: Path) -> list[str]:
    """Return the rows of our store as the other tools write them."""
    from ncimp.corpus_stats.store import StatisticsStore

    with StatisticsStore.open(folder / "stats") as store:
        (layer,) = store.layers
        table = store.words(layer)
        rows = [f"{word}\t{count}" for word, count in table]
        if store.header.adjacent:
            rows += [f"{first}\t{second}\t{count}" for first, second, count in store.pairs(layer)]
        else:
            kept = {"N_N": "N", "A_N": "J"}
            found = [one for one in store.candidates(layer) if one.pattern in kept]
            rows += [f"{one.words[0]}\t{kept[one.pattern]}\t{one.words[1]}\t{one.count}" for one in found]
    return sorted(rows)


def bench(corpus: Path, task: str, tools: list[str], rounds: int, folder: Path) -> dict[str, list[Run]]:
    """Return the runs of each tool."""
    runs: dict[str, list[Run]] = {tool: [] for tool in tools}
    for _ in range(rounds):
        for tool in tools:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            rows = store_rows if tool == "ncimp" else tsv_rows
            runs[tool].append(measured(command(tool, task, corpus, folder), folder, rows))
    return runs


def report(task: str, tokens: int, runs: dict[str, list[Run]]) -> None:
    """Print one line a tool: medians, and the ratio of our wall time to its, round by round."""
    heads = ("wall s", "CPU s", "M tok/s", "MB", "ours/its")
    print(f"\n{task}: {tokens:,} tokens\n{'tool':10} {' '.join(f'{head:>8}' for head in heads)}  rows")
    for tool, done in runs.items():
        wall, cpu = (statistics.median(getattr(run, name) for run in done) for name in ("wall", "cpu"))
        ours = runs.get("ncimp", done)
        ratio = statistics.median(mine.wall / its.wall for mine, its in zip(ours, done, strict=True))
        memory = max(run.memory for run in done) / 1e6
        digests = ",".join(sorted({run.digest for run in done}))
        print(f"{tool:10} {wall:8.2f} {cpu:8.2f} {tokens / wall / 1e6:8.2f} {memory:8.0f} {ratio:8.2f}  {digests}")
    if len({run.digest for done in runs.values() for run in done}) > 1:
        raise SystemExit("the tools do not agree")


def main() -> None:
    """Read the command line, generate the corpus, run the rounds, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS)
    parser.add_argument("--tools", nargs="+", choices=("ncimp", *PROGRAMS), default=("ncimp", *PROGRAMS))
    parser.add_argument("--corpus", type=Path, help="a generated corpus to use again")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        corpus = args.corpus or Path(name) / "corpus.vert"
        if not corpus.exists():
            write_corpus(corpus, tokens=args.tokens, seed=args.tokens)
        for task in args.tasks:
            tools = [tool for tool in args.tools if available(tool) and (tool == "ncimp" or task in PROGRAMS[tool])]
            print("not installed:", ", ".join(sorted({tool for tool in args.tools if not available(tool)})) or "none")
            if "ncimp" in tools:
                first = bench(corpus, task, ["ncimp"], 1, Path(name) / "out")["ncimp"][0]
                print(f"ncimp, first run, which compiles where nothing is kept: {first.wall:.2f} s")
            report(task, args.tokens, bench(corpus, task, tools, args.rounds, Path(name) / "out"))


if __name__ == "__main__":
    main()
