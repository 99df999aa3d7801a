"""One stage of a build: a folder of outputs, and the rule by which an unchanged stage is not run again.

`stage.json` in the folder holds the key of what made the outputs (inputs, options, code) and their
hashes. It is written last, so that a killed stage is simply run again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ncimp.schemas.errors import NcimpError
from ncimp.schemas.files import read_json, write_json
from ncimp.schemas.hashing import file_hash, value_hash

STAGE_FORMAT = 1
"""Version of the layout of stage folders; a change makes every stage run again."""

RECORD = "stage.json"
SHARED_FILES = ("ports.py", "config.py")
SHARED_ROOMS = ("records", "grammar", "build")
"""Files and rooms of the builder that every stage depends on."""

BESIDE = ("corpus_stats",)
"""Rooms beside the builder that a stage may name."""

Hashes = dict[str, str]
"""sha256 by name."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of a build: what it depends on, the files it writes into its folder, and how."""

    name: str
    rooms: Sequence[str]
    """Rooms of the builder, or of `BESIDE`, whose code the stage runs."""
    inputs: Mapping[str, str]
    """sha256 of every input, by name."""
    outputs: Sequence[str]
    make: Callable[[Path], None]


def run_stage(stage: Stage, work: Path, report: Callable[[str, bool], None]) -> Hashes:
    """Run *stage* in its folder under *work* unless it is up to date; return the hashes of its outputs.

    *report* is called with the stage's name and whether it was passed over.
    """
    folder = work / stage.name
    key = _key(stage)
    recorded = _recorded(folder, key)
    report(stage.name, recorded is not None)
    if recorded is None:
        forget(stage, work)
        folder.mkdir(parents=True, exist_ok=True)
        for name in (*stage.outputs, RECORD):
            for left in folder.glob(f".{name}.*"):  # what a killed stage was writing
                left.unlink()
        stage.make(folder)
        recorded = {name: file_hash(folder / name) for name in stage.outputs}
        write_json(folder / RECORD, {"key": key, "outputs": recorded})
    return _named(stage, recorded)


def known_outputs(stage: Stage, work: Path) -> Hashes | None:
    """Return what `run_stage` would, or None when it would have to run *stage*."""
    recorded = _recorded(work / stage.name, _key(stage))
    return None if recorded is None else _named(stage, recorded)


def forget(stage: Stage, work: Path) -> None:
    """Make *stage* run again, whatever its folder holds."""
    (work / stage.name / RECORD).unlink(missing_ok=True)


def _key(stage: Stage) -> str:
    """Return the hash of everything that the outputs of *stage* depend on."""
    return value_hash([STAGE_FORMAT, dict(stage.inputs), list(stage.outputs), code_hash(stage.rooms)])


def _named(stage: Stage, recorded: Hashes) -> Hashes:
    return {f"{stage.name}/{name}": digest for name, digest in recorded.items()}


def _recorded(folder: Path, key: str) -> Hashes | None:
    """Return the recorded hashes of the outputs in *folder* when they are still those made with *key*."""
    try:
        record = read_json(folder / RECORD)
        outputs: Hashes = record["outputs"]
        held = {name: file_hash(folder / name) for name in outputs}
    except (NcimpError, OSError, KeyError, TypeError, AttributeError):
        return None  # never run, killed, or damaged: all mean that the stage has to run
    return outputs if record.get("key") == key and held == outputs else None


def code_hash(rooms: Sequence[str]) -> str:
    """Return one hash over the source of the schemas, of what lies below the rooms, and of *rooms*."""
    builder, schemas = Path(str(files("ncimp.builder"))), Path(str(files("ncimp.schemas")))
    paths = [builder / name for name in SHARED_FILES]
    paths += [path for path in schemas.iterdir() if path.suffix in (".py", ".json")]
    for room in (*SHARED_ROOMS, *rooms):
        folder = (builder.parent if room in BESIDE else builder) / room
        paths += [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return value_hash({f"{path.parent.name}/{path.name}": file_hash(path) for path in sorted(paths)})
