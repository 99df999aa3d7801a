"""Build the release again in fresh environments and other places, and say whether it is the same release.

    python scripts/compare_builds.py --release ncimp [--keep FOLDER]

One build per environment: the newest and the oldest dependencies that `pyproject.toml` allows, and every
further Python from 3.12 on that is here; each with a locale, a time zone, a hash seed and a number of
workers of its own. What is installed is a wheel of this checkout, and two builds run at a time. Each
release is also published to a loopback hub with the client of its environment. The
logical hashes of all tables, and every file that holds no table, must be those of the release; parquet
files, byte for byte, where the version of pyarrow is the same. Exit code 1 and the names of what differs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.compat.environments import interpreter, make_environment  # noqa: E402 (their folder had to be named first)
from tests.compat.publishing import published  # noqa: E402

NEWEST, OLDEST = ROOT / "constraints.txt", ROOT / "tests" / "compat" / "oldest.txt"
LOCALES = ("C", "C.UTF-8", "pt_BR.UTF-8", "tr_TR.UTF-8")
"""Locales of the builds in turn; one that is not installed is passed over."""
AT_A_TIME = 2
"""How many environments are made and used at a time."""
OF_BYTES = ("download_size:", '"contentSize":', '"sha256":')
"""What stands in lines that tell of the bytes of a parquet file, which depend on the version of pyarrow."""
ZONES = ("UTC", "Pacific/Kiritimati", "America/Los_Angeles")


@dataclass(frozen=True)
class Place:
    """An environment to build in."""

    name: str
    python: str
    pins: Path
    workers: int


PLACES = (
    Place("newest", "3.11", NEWEST, 2),
    Place("oldest", "3.11", OLDEST, 1),
    Place("Python 3.12", "3.12", NEWEST, 1),
    Place("Python 3.13", "3.13", NEWEST, 2),
    Place("Python 3.14", "3.14", NEWEST, 1),
)


def main() -> int:
    """Build everywhere, compare, print a line a build; return 1 when one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", type=Path, default=Path("ncimp"), help="the release to compare with")
    parser.add_argument("--keep", type=Path, help="keep the builds in this folder")
    args = parser.parse_args()
    folder = args.keep or Path(tempfile.mkdtemp(prefix="ncimp-builds-"))
    try:
        wheel = make_wheel(folder / "wheel")
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            tasks = [
                pool.submit(compare, place, args.release, wheel, folder / f"build-{number}", surroundings(number))
                for number, place in enumerate(PLACES)
            ]
            differs = False
            for task in tasks:
                told, unlike = task.result()
                differs |= unlike
                print(told, flush=True)
    finally:
        if not args.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print("the builds differ" if differs else "the same release everywhere")
    return int(differs)


def make_wheel(folder: Path) -> Path:
    """Return a wheel of this checkout, made in *folder* of a copy: setuptools would take in what it left before."""
    copy = folder / "checkout"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=_not_in_a_wheel)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(copy)], check=True)  # noqa: S603 (our own command)
    return next(folder.glob("*.whl"))


def _not_in_a_wheel(place: str, names: list[str]) -> list[str]:
    """Return those of *names* in the folder *place* that are no source: what is hidden, compiled, built or tests it."""
    made = {"ncimp", "build", "dist", "tests", "bench"} if Path(place) == ROOT else set()
    return [name for name in names if name.startswith(".") or name in made or name in ("__pycache__", "ncimp.egg-info")]


def compare(place: Place, expected: Path, wheel: Path, folder: Path, where: dict[str, str]) -> tuple[str, bool]:
    """Build at *place* and return what is to say of it, and whether the release differs from the *expected* one."""
    python = interpreter(place.python)
    if python is None:
        return f"{place.name}: passed over, no Python {place.python} here", False
    start = time.monotonic()
    release = build(place, python, wheel, folder, where)
    found = differences(expected, release)
    told = "; ".join(found) if found else same(expected, release)
    details = f"Python {place.python}, {', '.join(where.values())}, workers {place.workers}"
    return f"{place.name} ({details}; {time.monotonic() - start:.0f} s): {told}", bool(found)


def surroundings(number: int) -> dict[str, str]:
    """Return the locale, time zone and hash seed of the build *number*."""
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.lower()  # noqa: S607
    installed = [name for name in LOCALES if name.lower().replace("utf-8", "utf8") in listed.split()] or ["C"]
    zone, locale = ZONES[number % len(ZONES)], installed[number % len(installed)]
    return {"LC_ALL": locale, "TZ": zone, "PYTHONHASHSEED": str(number + 1)}


def build(place: Place, python: Path, wheel: Path, folder: Path, where: dict[str, str]) -> Path:
    """Build in a fresh environment, publish there to a hub of our own, and return the release."""
    made = make_environment(folder / "venv", python, ["--constraint", str(place.pins), str(wheel)])
    release = folder / "ncimp"
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [made, "-m", "ncimp.builder.cli", "build", "--out", release, "--work", folder / "work"]
    command += ["--workers", str(place.workers)]
    done = subprocess.run(  # noqa: S603 (our own command)
        command, cwd=folder, env=own | where, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{place.name}: the build failed: {done.stderr[-3000:]}")
    published(release, "org/ncimp", made)
    shutil.rmtree(folder / "venv")
    return release


def differences(expected: Path, found: Path) -> list[str]:
    """Return what is not the same in two releases; bytes of tables count when the same pyarrow wrote both."""
    ours, theirs = manifest(expected), manifest(found)
    # what the manifest says of files is compared below: sizes and hashes depend on the version of pyarrow
    parts = [name for name in {**ours, **theirs} if name != "files" and ours.get(name) != theirs.get(name)]
    before, after = files(ours), files(theirs)
    if set(before) != set(after):
        return [*parts, f"other files: {', '.join(sorted(set(before) ^ set(after)))}"]
    bytes_count = writer(expected) == writer(found)
    for path, entry in before.items():
        logical = entry["logical_sha256"] == after[path]["logical_sha256"]
        if not logical:
            parts.append(f"other rows in {path}")
        elif entry["rows"] is not None and bytes_count and entry["sha256"] != after[path]["sha256"]:
            parts.append(f"other bytes in {path}")
        elif entry["rows"] is None and text(expected / path) != text(found / path):
            parts.append(f"other text in {path}")
    return parts


def manifest(release: Path) -> dict[str, Any]:
    """Return the manifest of *release*."""
    read: dict[str, Any] = json.loads((release / "manifest.json").read_text(encoding="utf-8"))
    return read


def files(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the entries of a manifest by path."""
    return {entry["path"]: entry for entry in told["files"]}


def writer(release: Path) -> str:
    """Return the library that wrote the tables of *release*, such as `parquet-cpp-arrow version 26.0.1`."""
    path = next(path for path, entry in files(manifest(release)).items() if entry["rows"] is not None)
    return str(pq.ParquetFile(release / path).metadata.created_by)


def text(path: Path) -> list[str]:
    """Return the lines of a file without sizes and hashes of parquet files, which card and `croissant.json` repeat."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not any(name in line for name in OF_BYTES)]


def same(expected: Path, found: Path) -> str:
    """Return what was found to be the same."""
    entries = files(manifest(expected))
    tables = sum(entry["rows"] is not None for entry in entries.values())
    extent = "and byte" if writer(expected) == writer(found) else f"(bytes are those of {writer(found)})"
    return f"{tables} tables the same by logical hash {extent}, {len(entries) - tables} other files the same"


if __name__ == "__main__":
    sys.exit(main())
