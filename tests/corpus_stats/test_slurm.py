"""The example of `docs/how-to/cluster.md` for SLURM as it stands there, with a SLURM that starts jobs here."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "cluster.md"
NCIMP = [sys.executable, "-m", "ncimp.builder.cli"]
FREE = ("one", "two")
"""Nodes of the cluster; jobs that get none wait for ever."""

SBATCH = f"""#!/bin/sh
job=9999999$$
for node in {" ".join(FREE)}; do
    if mkdir "$node" 2> /dev/null; then  # several are called at once
        cp "$1" "$node/script"
        setsid sh "$node/script" > "$node/log" 2>&1 &
        job=$!
        break
    fi
done
touch "jobs/$job"
echo "Submitted batch job $job"
"""
SCANCEL = """#!/bin/sh
for job in "$@"; do rm "jobs/$job"; kill -s TERM -- "-$job" 2> /dev/null; done
exit 0
"""


def sentences(first: int) -> str:
    found = (f"<s>\nred\tJJ\tred\nrat{n % 7}\tNNS\trat{n % 3}\n</s>\n" for n in range(first, first + 50))
    return "<text>\n" + "".join(found) + "</text>\n"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder with a corpus and the programs of a cluster; what they started ends with the test."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "jobs").mkdir()
    (tmp_path / "corpus").mkdir()
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL), ("ncimp", f'#!/bin/sh\n{shlex.join(NCIMP)} "$@"\n')):
        (tmp_path / "bin" / name).write_text(text, encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    for number in range(4):
        (tmp_path / "corpus" / f"{number}.xml").write_text(sentences(50 * number), encoding="utf-8")
    yield tmp_path
    for job in (tmp_path / "jobs").iterdir():
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(int(job.name), signal.SIGKILL)


def example() -> str:
    (found,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def tables(store: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(store.glob("*.arrow"))}


@pytest.mark.slow
def test_the_example_for_slurm_counts_the_same(site: Path) -> None:
    pytest.importorskip("dask_jobqueue", exc_type=ImportError)
    settings = {
        "PATH": f"{site / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "DASK_CONFIG": str(site / "config"),  # the package writes its defaults there
    }
    code = example()
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=site, env=os.environ | settings, capture_output=True, text=True, timeout=150
    )
    logs = "".join((site / node / "log").read_text(encoding="utf-8") for node in FREE)
    assert done.returncode == 0, done.stderr + logs
    assert "#SBATCH --mem=2G" in (site / FREE[0] / "script").read_text(encoding="utf-8")
    assert list((site / "jobs").iterdir()) == []  # all were cancelled
    (command,) = re.findall(r'command = "ncimp (.*?) --engine dask --out stats --scheduler"', code)
    subprocess.run([*NCIMP, *command.split(), "--out", "here"], cwd=site, capture_output=True, check=True)
    assert tables(site / "stats") == tables(site / "here") != {}
