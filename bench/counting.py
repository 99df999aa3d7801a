"""Time `ncimp corpus count` and other tools on the same generated corpus, in turn, and check that they agree.

    python bench/counting.py --tokens 20000000 --rounds 3 --tools ncimp polars duckdb mawk
    python bench/counting.py --tokens 100000000 --tasks packed --keep corpora
    python bench/counting.py --sizes 20000000 100000000 500000000 --rounds 1 --tasks t2 --keep corpora

Three tasks, all with files written and everything below five occurrences left out:

* `t1`: words as written, and all pairs of adjacent words of a sentence;
* `t2`: lemmas, and pairs of lemmas whose parts of speech make a noun compound (NN, NNS or JJ, then NN or NNS);
* `packed`: t2 from the corpus packed with gzip, beside `pigz -dc`, which only unpacks it and counts nothing.

Every tool is a process of its own, so that start-up and imports count. Rounds are interleaved: each tool runs once per
round, so that what else the machine does hits all alike; medians, and ratios within a round, are what to look at.
Before each run its corpus is read once, memory is asked for and given back, and the tool runs on a small corpus. So
none waits for the disk, for what is compiled once, or for memory that the host of a virtual machine took back: where a
machine forgets within a minute what it has read, a tool would be slower for what ran before it. Every run is printed
when it ends, with the load of the machine before it. Tools that are not installed are named and left out.

With `--sizes` only `ncimp` runs, on corpora of these sizes, in files of 100 million tokens; the table says what a
million tokens costs.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from counting_tools import TASKS, TOOLS, can, command, digester, missing
from measuring import Run, ToolError, measured, prepared
from wac_corpus import corpus_files, one_file, packed

SMALL = 100_000
"""Tokens of the corpus of the first runs."""
Runs = dict[str, list[Run]]
"""The runs of each tool."""


def run(tool: str, task: str, corpus: Sequence[Path], folder: Path, *, small: Path, compared: bool = True) -> Run:
    """Run *tool* once with a fresh output *folder*, after `prepared` and a run on the *small* corpus."""
    prepared(corpus)
    measured(command(tool, task, [small], _emptied(folder)))
    return measured(command(tool, task, corpus, _emptied(folder)), digester(tool, task, folder) if compared else str)


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def bench(corpus: Path, task: str, tools: Sequence[str], rounds: Sequence[str], folder: Path, *, small: Path) -> Runs:
    """Run the rounds of that names and return the runs of each tool that did not fail in any."""
    runs: Runs = {tool: [] for tool in tools}
    for name in rounds:
        for tool in list(runs):
            try:
                done = run(tool, task, [corpus], folder, small=small)
            except ToolError as error:
                print(f"{task} {name} {tool:10} FAILED: {error}", flush=True)
                del runs[tool]
                continue
            print(f"{task} {name} {tool:10} {done}", flush=True)
            runs[tool].append(done)
    return runs


def disagreement(runs: Runs) -> str:
    """Return which tools found what, or nothing where all found the same."""
    found: dict[str, set[str]] = {}
    for tool, done in runs.items():
        for one in done:
            found.setdefault(one.digest, set()).add(tool)
    found.pop("", None)
    return "; ".join(f"{digest}: {', '.join(sorted(by))}" for digest, by in found.items()) if len(found) > 1 else ""


def report(task: str, tokens: int, runs: Runs) -> None:
    """Print one line a tool: medians, and what each round of ours took against its round, in the middle and in each."""
    heads = ("wall s", "CPU s", "M tok/s", "MB", "ours/its")
    columns = " ".join(f"{head:>8}" for head in heads)
    print(f"\n{task}: {tokens:,} tokens\n{'tool':10} {columns}  each round; of CPU; of MB")
    for tool, done in runs.items():
        wall, cpu = (statistics.median(getattr(run, name) for run in done) for name in ("wall", "cpu"))
        memory = max(run.memory for run in done)
        line = f"{tool:10} {wall:8.2f} {cpu:8.2f} {tokens / wall / 1e6:8.2f} {memory / 1e6:8.0f}"
        if ours := runs.get("ncimp"):
            walls = [mine.wall / its.wall for mine, its in zip(ours, done, strict=True)]
            cpus = statistics.median(mine.cpu / its.cpu for mine, its in zip(ours, done, strict=True))
            memories = max(run.memory for run in ours) / memory
            each = " ".join(f"{ratio:.2f}" for ratio in walls)
            line += f" {statistics.median(walls):8.2f}  {each}; {cpus:.2f}; {memories:.2f}"
        print(line, flush=True)


def compare(args: argparse.Namespace, folder: Path) -> bool:
    """Run all tools on one corpus; tell whether none failed and all agree."""
    few, keep = min(SMALL, args.tokens), args.keep or folder
    small, corpus = corpus_files(keep, few)[0], args.corpus or one_file(keep, args.tokens)
    numbers, good = [f"round {number}" for number in range(1, args.rounds + 1)], True
    for task in args.tasks:
        tools = [tool for tool in args.tools if can(tool, task) and not missing(tool)]
        one, other = (packed(path) if task == "packed" else path for path in (small, corpus))
        first = bench(one, task, tools, [f"second, {few:,} tokens,"], folder / "out", small=one)
        runs = bench(other, task, list(first), numbers, folder / "out", small=one)
        report(task, args.tokens, runs)
        for which in (first, runs):
            if said := disagreement(which):
                print(f"THE TOOLS DO NOT AGREE: {said}", flush=True)
                good = False
        good = good and len(runs) == len(tools)
    return good


def flatness(args: argparse.Namespace, folder: Path) -> None:
    """Print what a million tokens costs `ncimp` at each size, and the dearest over the cheapest."""
    for task in args.tasks:
        corpora = {size: corpus_files(args.keep or folder, size) for size in (SMALL, *args.sizes)}
        if task == "packed":
            corpora = {size: [packed(path) for path in files] for size, files in corpora.items()}
        runs: dict[int, list[Run]] = {size: [] for size in corpora}
        (small,) = corpora[SMALL]
        for number in range(1, args.rounds + 1):
            for size, files in corpora.items():
                runs[size].append(run("ncimp", task, files, folder / "out", small=small, compared=False))
                print(f"{task} round {number} {size:>13,} tokens {runs[size][-1]}", flush=True)
        _print_flatness(task, runs)


def _print_flatness(task: str, runs: dict[int, list[Run]]) -> None:
    """Print medians for a million tokens: of the whole run, and without what the small corpus takes."""
    heads = ("wall s", "CPU s", "wall s", "CPU s", "MB")
    print(f"\n{task}, for a million tokens; in all, and without the start\n{'tokens':>13}", *(f"{h:>8}" for h in heads))
    totals = {
        size: [statistics.median(getattr(run, name) for run in done) for name in ("wall", "cpu")]
        for size, done in runs.items()
    }
    starts, rows = totals.pop(SMALL), list[list[float]]()
    for size, found in totals.items():
        marginal = [(whole - start) / (size - SMALL) for whole, start in zip(found, starts, strict=True)]
        rows.append([1e6 * cost for cost in (*(whole / size for whole in found), *marginal)])
        memory = max(run.memory for run in runs[size]) / 1e6
        print(f"{size:>13,}", *(f"{cost:8.4f}" for cost in rows[-1]), f"{memory:8.0f}")
    print("dearest/least", *(f"{max(costs) / min(costs):8.2f}" for costs in zip(*rows, strict=True)), flush=True)


def main() -> None:
    """Read the command line, generate the corpus, run the rounds, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--sizes", type=int, nargs="+", help="run ncimp alone at these numbers of tokens")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=("t1", "t2"))
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=TOOLS)
    parser.add_argument("--keep", type=Path, help="a folder for generated corpora, which are used again")
    parser.add_argument("--corpus", type=Path, help="a corpus of --tokens tokens to use instead of a generated one")
    args = parser.parse_args()
    absent = [f"{tool} ({why})" for tool in args.tools if (why := missing(tool))]
    print("not installed:", ", ".join(absent) or "none", flush=True)
    with tempfile.TemporaryDirectory() as name:
        if args.sizes:
            flatness(args, Path(name))
        elif not compare(args, Path(name)):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
