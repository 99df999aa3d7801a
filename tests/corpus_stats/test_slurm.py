"""The example of `docs/how-to/cluster.md` for SLURM as it stands there, with a SLURM that starts jobs here."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
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
        touch "started/$job"
        break
    fi
done
touch "jobs/$job"
echo "Submitted batch job $job"
"""
SCANCEL = """#!/bin/sh
for job in "$@"; do
    rm "jobs/$job"
    if rm "started/$job" 2> /dev/null; then kill -s TERM -- "-$job" 2> /dev/null; fi
done
exit 0
"""


def sentences(first: int) -> str:
    found = (f"<s>\nred\tJJ\tred\nrat{n % 7}\tNNS\trat{n % 3}\n</s>\n" for n in range(first, first + 50))
    return "<text>\n" + "".join(found) + "</text>\n"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder, with a space in its path, with a corpus and the programs of a cluster; what it started ends with it."""
    site = tmp_path / "a site"
    for name in ("bin", "jobs", "started", "corpus"):
        (site / name).mkdir(parents=True)
    (site / "bin" / "python").symlink_to(sys.executable)
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL), ("ncimp", f'#!/bin/sh\n{shlex.join(NCIMP)} "$@"\n')):
        (site / "bin" / name).write_text(text, encoding="utf-8")
        (site / "bin" / name).chmod(0o755)
    for number in range(4):
        (site / "corpus" / f"{number}.xml").write_text(sentences(50 * number), encoding="utf-8")
    yield site
    end(site)


def end(site: Path) -> None:
    """End the jobs that were started and not cancelled; a job that waits has a number that no process has."""
    for job in (site / "started").iterdir():
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(int(job.name), signal.SIGKILL)
        job.unlink()


def running(process: str) -> bool:
    try:
        return Path("/proc", process, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def example() -> str:
    (found,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def tables(store: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(store.glob("*.arrow"))}


def test_only_jobs_that_were_started_are_ended(site: Path) -> None:
    (site / "job").write_text("exec sleep 60\n", encoding="utf-8")
    for _ in range(3):
        subprocess.run([site / "bin" / "sbatch", "job"], cwd=site, capture_output=True, check=True)
    jobs, started = ({path.name for path in (site / name).iterdir()} for name in ("jobs", "started"))
    (waiting,) = jobs - started
    assert len(started) == 2
    subprocess.run([site / "bin" / "scancel", waiting, min(started)], cwd=site, check=True)
    assert {path.name for path in (site / "started").iterdir()} == {max(started)}
    end(site)
    deadline = time.monotonic() + 20
    while any(running(job) for job in started):
        assert time.monotonic() < deadline
        time.sleep(0.02)


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
        [site / "bin" / "python", "-c", code],
        cwd=site,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=150,
    )
    logs = "".join((site / node / "log").read_text(encoding="utf-8") for node in FREE)
    assert done.returncode == 0, done.stderr + logs
    assert "#SBATCH --mem=2G" in (site / FREE[0] / "script").read_text(encoding="utf-8")
    assert list((site / "jobs").iterdir()) == []  # all were cancelled
    (command,) = re.findall(r'command = "ncimp (.*?) --engine dask --out stats --scheduler"', code)
    subprocess.run([*NCIMP, *command.split(), "--out", "here"], cwd=site, capture_output=True, check=True)
    assert tables(site / "stats") == tables(site / "here") != {}
