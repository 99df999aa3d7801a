"""The scripts that measure run, on little, with figures that can be right."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluator.tiny_models import make

ROOT = Path(__file__).parents[2]
NUMBER = r"([\d.e+-]+)"


@pytest.mark.slow
def test_the_comparison_of_speed_runs(mini_release: Path, tmp_path: Path) -> None:
    model = make(tmp_path / "bert", "bert", layers=4)
    command = [sys.executable, str(ROOT / "bench" / "evaluator.py"), "--release", str(mini_release)]
    command += ["--model", str(model), "--compounds", "1", "--rounds", "1", "--peak-items", "20", "--limit-tries", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    told = done.stdout
    # one compound of each of two languages: 5 contexts, each with 13 variants beside the original
    assert told.startswith("130 pairs, ")
    for name in ("published", "originals once", "fp32", "bf16"):
        found = re.search(
            rf"^{name} +wall +{NUMBER} s, CPU +{NUMBER} s \| over published {NUMBER}x", told, re.MULTILINE
        )
        assert found, (name, told)
        assert all(float(number) > 0 for number in found.groups())
    for name, most in (("fp32", 1e-5), ("bf16", 0.1)):
        found = re.search(rf"^{name}: largest difference of a similarity: sentence {NUMBER}, NC {NUMBER}$", told, re.M)
        assert found, told
        assert all(float(number) < most for number in found.groups())
        assert re.search(rf"^{name}: \d+ of [1-9]\d* GFLOP a CPU second, \d+%$", told, re.MULTILINE), told
    for what in ("20 sentences", "this comparison"):
        found = re.search(rf"^peak memory of {what}: {NUMBER} MiB$", told, re.MULTILINE)
        assert found, told
        assert float(found[1]) > 50


@pytest.mark.slow
def test_random_vectors_do_not_differ_from_random_vectors() -> None:
    command = [sys.executable, str(ROOT / "bench" / "simulations.py"), "--compounds", "60", "--simulations", "60"]
    command += ["--pages", "40", "--page-resamples", "1000"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    *coverages, pages = done.stdout.splitlines()
    # of 60, 48 or fewer would be a chance in a million for a coverage of 95 %; two in a hundred thousand for 92 %
    assert all(float(line.split("coverage ")[1].split()[0]) > 0.8 for line in coverages), coverages
    found = re.fullmatch(r"pages: n 60, any p below .05: (\d+) of 40, after Holm's correction (\d+)", pages)
    assert found, pages
    assert int(found[1]) >= 30  # nearly every page without a correction, which is what it was with one for each figure
    assert int(found[2]) <= 7  # more would be a chance in five hundred if 5 % of pages had a difference
