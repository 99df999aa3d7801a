"""Work done side by side, each piece in a process of its own that does not outlive the one that asked for it.

Processes are started afresh (`spawn`), so that nothing is shared with them but what they are given; what they
report and return comes back through a pipe. Which error is raised does not depend on who was faster.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from ncimp.schemas.errors import NcimpError, ReleaseError

Result = TypeVar("Result")

Report = Callable[[str, bool], None]
Work = Callable[[Report], Result]
"""A piece of work, which can be pickled, such as a `partial` of a function of a module."""

PR_SET_PDEATHSIG = 1  # Linux, <sys/prctl.h>


@dataclass(frozen=True, slots=True)
class _Running:
    """A process that works, and the number of its piece."""

    number: int
    process: BaseProcess


@dataclass(frozen=True, slots=True)
class _Ended(Generic[Result]):
    """What became of a piece of work."""

    result: Result | None
    error: BaseException | None


class _InOrder:
    """Passes reports on in the order of the pieces: those of a later one are kept until all before it have ended."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._turn = 0
        self._kept: dict[int, list[tuple[str, bool]]] = {}
        self._ended: set[int] = set()

    def add(self, number: int, told: tuple[str, bool]) -> None:
        """Take what the piece *number* reports."""
        if number == self._turn:
            self._report(*told)
        else:
            self._kept.setdefault(number, []).append(told)

    def end(self, number: int) -> None:
        """Note that the piece *number* reports nothing more."""
        self._ended.add(number)
        while self._turn in self._ended:
            self._turn += 1
            for told in self._kept.pop(self._turn, []):
                self._report(*told)


def side_by_side(works: Sequence[Work[Result]], *, workers: int, report: Report) -> list[Result]:
    """Do all *works*, at most *workers* at a time, and return their results in the same order.

    What they report is passed on in their order, too. All are done before an error is raised: that of the first piece
    that has one. A process that was killed is a `ReleaseError`.
    """
    reports = _InOrder(report)
    ended: dict[int, _Ended[Result]] = {}
    running: dict[Connection, _Running] = {}
    waiting = list(enumerate(works))
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                _start(*waiting.pop(0), running)
            ready = wait(list(running))
            for pipe in [one for one in running if one in ready]:
                _receive(pipe, running, ended, reports)
    finally:
        for one in running.values():  # only after an error of our own, or an interruption
            one.process.kill()
    return [_result(ended[number]) for number in range(len(works))]


def _result(ended: _Ended[Result]) -> Result:
    if ended.error is not None:
        raise ended.error
    return ended.result  # type: ignore[return-value] # without an error there is a result


def _start(number: int, work: Work[Result], running: dict[Connection, _Running]) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(work, theirs), daemon=True)
    process.start()
    theirs.close()  # or the end of the process would not be the end of the pipe
    running[ours] = _Running(number, process)


def _receive(
    pipe: Connection, running: dict[Connection, _Running], ended: dict[int, _Ended[Result]], reports: _InOrder
) -> None:
    """Take one message: something to report, how a piece ended, or the end of its process."""
    one = running[pipe]
    try:
        kind, told = pipe.recv()
    except EOFError:
        del running[pipe]
        pipe.close()
        one.process.join()
        what = f"the process of one language ended with {one.process.exitcode}"
        fix = "build again; with --workers 1, which needs less memory, when it is killed again"
        ended.setdefault(one.number, _Ended(None, ReleaseError(what, fix=fix)))
        reports.end(one.number)
        return
    if kind == "report":
        reports.add(one.number, told)
    else:
        ended[one.number] = _Ended(told, None) if kind == "result" else _Ended(None, told)


def _run(work: Work[Result], pipe: Connection) -> None:
    """In the new process: do *work* and tell what comes of it; an error we do not know ends the process as always."""
    _ask_to_be_killed()
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    try:
        result = work(lambda stage, reused: pipe.send(("report", (stage, reused))))
    except NcimpError as error:
        pipe.send(("error", error))
    except KeyboardInterrupt:
        os._exit(1)  # the other process has been interrupted, too, and says so
    else:
        pipe.send(("result", result))


def _ask_to_be_killed() -> None:
    """Have the kernel kill this process together with the one that started it, where the kernel can do so."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_with_the_other() -> None:
    """End this process when the one that started it has ended, as it may have before the kernel was asked."""
    started_by = multiprocessing.parent_process()
    if started_by is not None:  # as it is for the process of a program, and for no other
        started_by.join()
        os._exit(1)
