"""Run a command as a process of its own and say what it took: wall time, CPU time, peak of memory, load before."""

from __future__ import annotations

import mmap
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

POLL = 0.02
"""Seconds between looks at the memory of a process."""
PAGE = os.sysconf("SC_PAGE_SIZE")
FRESH = 2 << 30
"""Bytes that most tools need less of. What a virtual machine has not used for a while its host may have taken back."""
COMPLAINT = 2000
"""Characters of the end of what a tool that failed wrote."""


class ToolError(Exception):
    """A tool ended with an error; the text is the end of what it wrote."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of one tool took."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of user and system time, with children."""
    memory: int
    """Peak of resident bytes of the process and its children."""
    load: float
    """Load average over a minute before it began."""
    digest: str = ""
    """Hash over what it wrote; empty where nothing is to be compared."""

    def __str__(self) -> str:
        """Return one line, as it is printed when the run ends."""
        found = f"{self.wall:8.2f} s {self.cpu:8.2f} CPU s {self.memory / 1e6:7.0f} MB  load {self.load:.1f}"
        return f"{found}  {self.digest}".rstrip()


def prepared(paths: Sequence[Path]) -> None:
    """Read the files at *paths* into the memory of the system, and have it ready to give out `FRESH` bytes more."""
    room = bytearray(1 << 24)
    for path in paths:
        with path.open("rb", buffering=0) as stream:
            while stream.readinto(room):
                pass
    with mmap.mmap(-1, FRESH) as memory:
        memory[::PAGE] = bytes(FRESH // PAGE)


def measured(arguments: Sequence[str], digest: Callable[[], str] = str) -> Run:
    """Run a command and return what it took; *digest* is called afterwards and not timed. Raises `ToolError`."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=errors)  # noqa: S603
        peak = 0
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            peak = max(peak, resident(process.pid))
            time.sleep(POLL)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(ended[1])  # or Popen would wait for it again
        if process.returncode:
            errors.seek(0)
            text = errors.read().decode(errors="replace")
            raise ToolError(f"exit status {process.returncode}: {text[-COMPLAINT:].strip()}")
    used = ended[2]
    # not used.ru_maxrss: before a program is loaded, the new process has the memory of this one, which is counted too
    return Run(wall, used.ru_utime + used.ru_stime, peak, load, digest())


def resident(process: int) -> int:
    """Return the resident bytes of a process and its children."""
    total = 0
    try:
        total = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
        for thread in Path(f"/proc/{process}/task").iterdir():
            total += sum(resident(int(child)) for child in (thread / "children").read_text().split())
    except OSError:  # it has ended meanwhile
        pass
    return total
