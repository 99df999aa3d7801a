"""A stage of a build: a folder of outputs that is reused while inputs, options and code stay the same.

The record of a stage, `stage.json` in its folder, is written last (`ncimp.schemas.journal`), so that a killed stage
runs again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

from ncimp.schemas import file_hash, value_hash, write_text
from ncimp.schemas.journal import Hashes, read_step, write_step

Record = TypeVar("Record")
Report = Callable[[str, bool], None]  # called with the name of each stage and whether it is reused
STAGE_FORMAT = 2  # version of the layout of stage folders; a change makes every stage run again
RECORD = "stage.json"
SHARED = ("ports.py", "config.py", "records", "grammar", "build")
"""Files and folders of the builder that every stage depends on."""
BESIDE = ("corpus_stats",)  # rooms beside the builder that a stage may name


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of a build: its inputs, the files it writes into its folder, and the function that writes them."""

    name: str
    rooms: Sequence[str]  # rooms of the builder, or of `BESIDE`, whose code the stage runs
    inputs: Mapping[str, str]  # sha256 of every input, by name
    outputs: Sequence[str]
    make: Callable[[Path], None]

    @property
    def key(self) -> str:
        """The hash of everything that the outputs depend on."""
        return value_hash([STAGE_FORMAT, dict(self.inputs), list(self.outputs), code_hash(self.rooms)])

    def recorded(self, work: Path) -> Hashes | None:
        """Return the hashes of the outputs under *work* by `<stage>/<file>`, or None when the stage has to run."""
        record = read_step(work / self.name / RECORD, self.key)
        return None if record is None else self._named(record.outputs)

    def run(self, work: Path, report: Report, *, force: bool = False) -> Hashes:
        """Run the stage in its folder under *work*, unless it is up to date; return the hashes of its outputs."""
        hashes = None if force else self.recorded(work)
        report(self.name, hashes is not None)
        if hashes is not None:
            return hashes
        folder = work / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / RECORD).unlink(missing_ok=True)
        for name in (*self.outputs, RECORD):
            for unfinished in folder.glob(f".{name}.*"):  # from a killed run
                unfinished.unlink()
        self.make(folder)
        return self._named(write_step(folder / RECORD, self.key, self.outputs).outputs)

    def _named(self, outputs: Hashes) -> Hashes:
        return {f"{self.name}/{name}": digest for name, digest in outputs.items()}


def code_hash(rooms: Sequence[str]) -> str:
    """Return one hash over the code and data files of the schemas, of `SHARED` and of *rooms*."""
    builder = Path(str(files("ncimp.builder")))
    roots = [builder / name for name in SHARED]
    roots += [(builder.parent if room in BESIDE else builder) / room for room in rooms]
    paths = {path for root in roots for path in ([root] if root.is_file() else root.rglob("*")) if path.is_file()}
    paths |= {path for path in (builder.parent / "schemas").rglob("*") if path.suffix in (".py", ".json")}
    source = sorted(path for path in paths if path.suffix != ".pyc")
    return value_hash({path.relative_to(builder.parent).as_posix(): file_hash(path) for path in source})


def write_rows(path: Path, rows: Iterable[object]) -> None:
    """Write the records *rows* to *path*, one JSON object a line."""
    encode = msgspec.json.Encoder().encode
    write_text(path, b"".join(encode(row) + b"\n" for row in rows).decode("utf-8"))


def read_rows(path: Path, kind: type[Record]) -> list[Record]:
    """Return the records of the type *kind* that a stage has written to *path*."""
    return msgspec.json.Decoder(kind).decode_lines(path.read_bytes())
