"""Run by the kill tests in a process of its own: builds that are killed at chosen steps, and the builds after them.

python kill_builds.py PACKS FOLDER

Each build runs in a fork of this process, which imports everything once and starts no thread. A fork that
is to die counts what it does to files, by the interpreter's audit events, and kills itself before step k.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ncimp.builder.build.stages import Build, build_release
from ncimp.builder.commands.validate import check
from ncimp.builder.config import BuildOptions
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.schemas.files import file_hash

CHANGES = ("os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree", "sqlite3.connect")
"""Audit events that come before a change of files or folders, `open` for writing aside."""


def step_of(event: str, args: tuple[Any, ...]) -> str | None:
    """Name what is about to happen to a file or folder, or None when it is nothing of the kind."""
    if event == "open":
        path, mode, flags = args
        written = bool(flags & (os.O_WRONLY | os.O_RDWR)) if isinstance(flags, int) else "w" in str(mode)
        return f"write {path}" if written and isinstance(path, str) else None
    if event == "ctypes.dlsym":
        return f"call {args[1]}" if "rename" in str(args[1]) else None
    return " ".join(map(str, (event, *args))) if event in CHANGES else None


def forked(work: Callable[[], object]) -> int:
    """Run *work* in a fork; return its exit code, -9 when it was killed."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def build(packs: Path, folder: Path, seed: str) -> None:
    options = BuildOptions(seed=seed)
    build_release(Build(("en",), packs, folder / "ncimp", folder / "work", options), lambda *_: None)


def steps(packs: Path, folder: Path, seed: str) -> list[str]:
    """The steps of a whole build, in order; they are counted in the fork that is killed just as here."""
    log = folder.with_suffix(".steps")

    def work() -> None:
        found: list[str] = []
        sys.addaudithook(lambda event, args: found.extend(filter(None, [step_of(event, args)])))
        build(packs, folder, seed)
        whole = list(found)
        log.write_text(json.dumps(whole))

    assert forked(work) == 0
    loaded: list[str] = json.loads(log.read_text())
    return loaded


def build_until(packs: Path, folder: Path, seed: str, last: int) -> int:
    count = 0

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal count
        if step_of(event, args):
            if count == last:
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1

    def work() -> None:
        sys.addaudithook(hook)
        build(packs, folder, seed)

    return forked(work)


def content(folder: Path) -> dict[str, str]:
    """Hash of every file of the release in *folder*, by path; empty when there is none."""
    release = folder / "ncimp"
    return {path.relative_to(release).as_posix(): file_hash(path) for path in release.rglob("*") if path.is_file()}


def hidden(folder: Path) -> list[str]:
    """Files and folders with a leading dot: what is written aside and then renamed."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob(".*"))


def moments(found: list[str]) -> list[int]:
    """Steps to kill a build at.

    A first build: the lexicon is added but not in its place, the release is whole but not in its place, it is
    in its place and not recorded. An update: in a stage, between two tables, before and after the swap.
    """
    swap = next(place for place, step in enumerate(found) if "renameat2" in step or step.endswith("/ncimp -1 -1"))
    renames = [place for place, step in enumerate(found) if step.startswith("os.rename")]
    lexicon = [place for place in renames if "/work/wn/." in found[place]]
    tables = next(place for place in renames if "parquet" in found[place])
    removal = [place for place, step in enumerate(found) if place > swap and step.startswith("os.rmdir")][:1]
    if lexicon:
        return [lexicon[0], swap, renames[-1]]
    return [tables // 2, tables, swap, *removal]


def scenario(packs: Path, root: Path, start: Path | None) -> dict[str, Any]:
    """Kill builds that begin with the content of *start* (nothing for None) at all moments; tell what was and came."""

    def fresh(name: str) -> Path:
        if start is None:
            (root / name).mkdir(parents=True)
        else:
            shutil.copytree(start, root / name)
        return root / name

    whole = fresh("whole")
    before = content(whole)
    found = steps(packs, whole, "new")
    log = whole.with_suffix(".check")
    assert forked(lambda: log.write_text(json.dumps(len(check(whole / "ncimp", packs)[0])))) == 0
    told = [killed(packs, fresh(f"k{last}"), last) | {"step": found[last]} for last in moments(found)]
    return {"before": before, "whole": content(whole), "incidents": json.loads(log.read_text()), "killed": told}


def killed(packs: Path, folder: Path, last: int) -> dict[str, Any]:
    """Kill a build in *folder* at the step *last*, build again, and tell what was there in between and after."""
    code = build_until(packs, folder, "new", last)
    after = content(folder)
    again = forked(lambda: build(packs, folder, "new"))
    return {"code": code, "after": after, "again": again, "then": content(folder), "left": hidden(folder)}


def main(packs: Path, root: Path) -> None:
    WordfreqTable("en").frequency("warm")  # read once here, so that no fork has to
    start = root / "start"
    start.mkdir(parents=True)
    assert forked(lambda: build(packs, start, "old")) == 0
    update, first = scenario(packs, root / "update", start), scenario(packs, root / "first", None)
    sys.stdout.write(json.dumps({"update": update, "first": first}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
