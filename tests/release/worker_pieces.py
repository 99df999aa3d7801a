"""Pieces of work for other processes; a module of their own, so that these import nothing else."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from ncimp.builder.build.processes import Report
from ncimp.schemas.errors import SelectionError


def square(number: int, report: Report) -> int:
    report(f"square of {number}", False)
    return number * number


def refuse(number: int, seconds: float, report: Report) -> int:
    time.sleep(seconds)
    report(f"refused {number}", True)
    raise SelectionError(f"no {number}", fix="give another")


def die(report: Report) -> int:
    report("last words", False)
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def work_for_ever(path: Path, _report: Report) -> int:
    path.with_suffix(".new").write_text(str(os.getpid()), encoding="utf-8")
    path.with_suffix(".new").rename(path)
    while True:
        time.sleep(0.01)
