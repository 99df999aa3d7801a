"""Run the checklist of RELEASING.md in order and stop at the first step that fails.

The steps are read from the list itself, so that list and script cannot differ: a step is a line
`- [ ] text`, its command the indented line below it. A step without a command is for a person.

    python scripts/release_check.py 1.0.0
    python scripts/release_check.py 1.0.0 --previous path/to/ncimp-0.9.0 --out build/ncimp
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STEP = re.compile(r"^- \[ \] (?P<text>.+)\n(?:\n {6}(?P<command>\S.*)\n)?", re.MULTILINE)
PREVIOUS = "{previous}"


@dataclass(frozen=True)
class Step:
    """One line of the checklist, with its command when it has one."""

    text: str
    command: str | None


def steps(checklist: str) -> Iterator[Step]:
    """Yield the steps of *checklist* in order."""
    for match in STEP.finditer(checklist):
        yield Step(match["text"], match["command"])


def changelog_fault(changelog: str, release: str) -> str | None:
    """Return what the data part of *changelog* lacks for *release*, or None."""
    data = changelog.split("\n# Data\n", 1)[-1].split("\n# ", 1)[0]
    heading = re.search(rf"^## {re.escape(release)} \(\d{{4}}-\d{{2}}-\d{{2}}\)\n\n(.*)$", data, re.MULTILINE)
    if heading is None:
        return f"the data part of CHANGELOG.md has no heading `## {release} (YYYY-MM-DD)`"
    if not heading[1].startswith("Released items change: "):
        return f"the first line below {release} in CHANGELOG.md does not begin with `Released items change: `"
    return None


def run_steps(checklist: str, values: dict[str, str], folder: Path) -> int:
    """Run the commands of *checklist* in *folder*; return 1 at the first that fails, else 0."""
    for number, step in enumerate(steps(checklist), 1):
        print(f"{number}. {fill(step.text, values)}", flush=True)
        if step.command is None:
            print("   for a person", flush=True)
        elif PREVIOUS in step.command and not values["previous"]:
            print("   left out: there is no previous release", flush=True)
        elif (code := run_command(step.command, values, folder)) != 0:
            print(f"   stopped: the command ended with {code}; mend it and begin again", file=sys.stderr)
            return 1
    return 0


def fill(text: str, values: dict[str, str]) -> str:
    """Return *text* with its `{names}` replaced."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def run_command(command: str, values: dict[str, str], folder: Path) -> int:
    """Run *command*, with the Python that runs this script, and return its exit code."""
    words = [fill(word, values) for word in shlex.split(command)]
    own = {"python": [sys.executable], "ncimp": [sys.executable, "-m", "ncimp.builder.cli"]}
    beside = Path(sys.executable).with_name(words[0])
    first = own.get(words[0], [str(beside)] if beside.is_file() else [words[0]])
    try:
        return subprocess.run([*first, *words[1:]], cwd=folder, check=False).returncode  # noqa: S603 (from our own list)
    except FileNotFoundError:
        print(f"   there is no command {words[0]!r} here", file=sys.stderr)
        return 127


def main() -> int:
    """Read the arguments and run the list; return 0 when every command did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", metavar="X.Y.Z", help="version of the data that is to be released")
    parser.add_argument("--out", default="ncimp", metavar="DIR", help="release folder (default: ncimp)")
    parser.add_argument("--previous", default="", metavar="DIR", help="folder of the last published release")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="DIR", help="checkout with RELEASING.md")
    parser.add_argument("--only-changelog", action="store_true", help="look at CHANGELOG.md and stop")
    args = parser.parse_args()
    if args.only_changelog:
        fault = changelog_fault((args.root / "CHANGELOG.md").read_text("utf-8"), args.release)
        print(fault or f"CHANGELOG.md tells of {args.release}", file=sys.stderr if fault else sys.stdout)
        return int(fault is not None)
    values = {"release": args.release, "folder": args.out, "previous": args.previous}
    return run_steps((args.root / "RELEASING.md").read_text("utf-8"), values, args.root)


if __name__ == "__main__":
    sys.exit(main())
