"""Measure how long `load_dataset` takes on a release: cold, with an empty cache, and warm, once it is cached.

    python bench/loading_time.py [--release ncimp] [--runs 5] [--python PYTHON]

Every load is a process of its own. The import of `datasets` is told apart from the load. `--python` is the
interpreter of an environment with another version of `datasets`; it needs nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

CONFIGS = ("pairs", "sentences", "compounds", "en_nat")
LOAD = """
import json, sys, time
start = time.perf_counter()
import datasets
imported = time.perf_counter()
datasets.disable_progress_bars()
begun = time.perf_counter()
loaded = datasets.load_dataset(*sys.argv[1:])
end = time.perf_counter()
rows = sum(loaded.num_rows.values())
print(json.dumps({"version": datasets.__version__, "rows": rows, "import": imported - start, "load": end - begun}))
"""


def load(python: str, release: Path, config: str, cache: str) -> dict[str, float]:
    """Return what one process measured, in seconds."""
    quiet = {"HF_HOME": cache, "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    command = [python, "-c", LOAD, str(release), config]
    done = subprocess.run(command, env=os.environ | quiet, capture_output=True, text=True, check=True)  # noqa: S603
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def main() -> None:
    """Print a Markdown table: rows, and median and worst seconds of import, cold and warm load."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", type=Path, default=Path("ncimp"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--python", default=sys.executable)
    args = parser.parse_args()
    print("| datasets | config | rows | import | cold | warm |\n| --- | --- | --- | --- | --- | --- |")
    for config in CONFIGS:
        cold, warm = [], []
        for _ in range(args.runs):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(load(args.python, args.release, config, cache))
                warm.append(load(args.python, args.release, config, cache))
        told = [seconds(cold + warm, "import"), seconds(cold, "load"), seconds(warm, "load")]
        print(f"| {cold[0]['version']} | `{config}` | {cold[0]['rows']:,} | {' | '.join(told)} |")


def seconds(measured: list[dict[str, float]], part: str) -> str:
    """Return median and worst of one *part*."""
    values = [one[part] for one in measured]
    return f"{statistics.median(values):.2f} / {max(values):.2f}"


if __name__ == "__main__":
    main()
