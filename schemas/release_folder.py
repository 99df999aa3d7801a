"""Release folders: the manifest, the files it lists, and the rows of the tables.

    ncimp/manifest.json                           release, languages, files with sha256 and rows
    ncimp/<config>/<split>-00000-of-00001.parquet

`ReleaseFolder.open` is strict: the first promise of the manifest that is not kept raises. `ReleaseFolder(path)` reads
the manifest only, for validation, which collects what is wrong (`faults`, `read`).
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TypeVar

from ncimp.schemas.arrow import read_table, rows_of
from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.files import Row, file_hash, read_json
from ncimp.schemas.manifest import MANIFEST, Manifest, ReleaseFile
from ncimp.schemas.records import WITHHELD, from_row

REBUILD = "build or download the release again"  # advice about a damaged release

Record = TypeVar("Record")


class ReleaseFolder:
    """A release folder with its manifest."""

    def __init__(self, path: Path) -> None:
        """Read the manifest in *path*, and nothing else."""
        self.path = path
        place = Place(str(path / MANIFEST))
        if not (path / MANIFEST).is_file():
            fix = "give the folder of a release; `ncimp build` makes one"
            raise ReleaseError("not a release: it has no manifest", fix=fix, place=place)
        row = read_json(path / MANIFEST)
        if not isinstance(row, dict):
            raise ReleaseError("the manifest is not an object", fix=REBUILD, place=place)
        self.manifest = from_row(Manifest, row, table="manifest", place=place)

    @classmethod
    def open(cls, path: Path, *, version: str | None = None) -> "ReleaseFolder":
        """Return the release in *path* after checking that every file of the manifest is there, unchanged.

        A release of another version than *version*, when one is given, raises `ReleaseError`.
        """
        folder = cls(path)
        manifest, place = folder.manifest, Place(str(path / MANIFEST))
        if version not in (None, manifest.release):
            what = f"this is release {manifest.release!r}, not {version!r}"
            raise ReleaseError(what, fix="give the folder of that release, or ask for this one", place=place)
        for entry in manifest.files:
            inside = PurePosixPath(entry.path)
            if inside.is_absolute() or ".." in inside.parts:
                what = f"the manifest lists {entry.path!r}, which is outside the release"
                raise ReleaseError(what, fix=REBUILD, place=place)
            fault = _fault(path / inside, entry.sha256)
            if fault is not None:
                raise ReleaseError(fault, fix=REBUILD, place=Place(str(path / inside)))
        return folder

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield path and problem of every file that is missing, changed, or not listed."""
        for path in sorted(self.paths() - {entry.path for entry in self.manifest.files}):
            yield path, "not in the manifest; take it out or build the release again"
        for entry in self.manifest.files:
            fault = _fault(self.path / entry.path, entry.sha256, entry.bytes)
            if fault is not None:
                yield entry.path, f"{fault}; {REBUILD}"

    def paths(self) -> set[str]:
        """Return the paths of all files in the folder but the manifest, as the manifest writes them."""
        files = (path.relative_to(self.path) for path in self.path.rglob("*") if path.is_file())
        # a reader who imports the loading script leaves compiled code behind
        return {path.as_posix() for path in files if "__pycache__" not in path.parts} - {MANIFEST}

    def read(self, entry: ReleaseFile) -> Iterator[Row]:
        """Yield the rows of the data file *entry*; `ReleaseError` where it is damaged or has other columns."""
        path = self.path / entry.path
        return rows_of(read_table(path, entry.table), path)

    def rows(self, config: str) -> Iterator[Row]:
        """Yield the rows of *config*, after checking how many there are and to which release they belong."""
        entries = self.manifest.data_files(config)
        if not entries:
            what = f"the manifest lists no {config}/*.parquet"
            raise ReleaseError(what, fix=REBUILD, place=Place(str(self.path / MANIFEST)))
        if entries[0].table in WITHHELD and self.manifest.count("withheld"):
            what = f"the text of {self.manifest.count('withheld')} of its sentences is withheld"
            fix = f"put it back with `ncimp restore {self.path} --corpus ...`"
            raise ReleaseError(what, fix=fix, place=Place(str(self.path)))
        for entry in entries:
            path = self.path / entry.path
            data = read_table(path, entry.table)
            if data.num_rows != entry.rows:
                what = f"{data.num_rows} rows where the manifest has {entry.rows}"
                raise ReleaseError(what, fix=REBUILD, place=Place(str(path)))
            for row in rows_of(data, path):
                if row["release"] != self.manifest.release:
                    what = f"{row['id']} is of release {row['release']!r}, the manifest of {self.manifest.release!r}"
                    raise ReleaseError(what, fix="do not mix releases; " + REBUILD, place=Place(str(path)))
                if row["lang"] not in self.manifest.languages:
                    what = f"{row['id']} is in {row['lang']!r}, which is not among the manifest's languages"
                    raise ReleaseError(what, fix=REBUILD, place=Place(str(path)))
                yield row

    def records(self, config: str, kind: type[Record]) -> Iterator[Record]:
        """Yield the rows of *config* as records of *kind*, none where the release has no such config."""
        entries = self.manifest.data_files(config)
        for row in self.rows(config) if entries else ():
            place = Place(f"{self.path / config}: {row['id']}")
            yield from_row(kind, row, table=str(entries[0].table), place=place)


def _fault(path: Path, sha256: str, size: int | None = None) -> str | None:
    """Return how the file *path* differs from its *sha256*, and its *size* in bytes when given, in the manifest."""
    if not path.is_file():
        return "the manifest lists this file, but it is missing"
    if file_hash(path) != sha256:
        return "its sha256 is not the one in the manifest"
    actual = path.stat().st_size
    return None if size in (None, actual) else f"it has {actual} bytes where the manifest has {size}"
