"""Read a release folder strictly: what the manifest promises is checked before a row is believed.

    ncimp/manifest.json                           release, languages, files with sha256 and rows
    ncimp/<config>/<split>-00000-of-00001.parquet

The first promise that is not kept ends the reading with an error that names the file; validation, which
collects what is wrong, reads folders in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ncimp.schemas.arrow import read_table, rows_of
from ncimp.schemas.errors import Place, ReleaseError
from ncimp.schemas.files import Row, read_json
from ncimp.schemas.hashing import file_hash
from ncimp.schemas.tables import check_row
from ncimp.schemas.withheld import WITHHELD

MANIFEST = "manifest.json"
"""Name of the manifest inside a release."""

REBUILD = "build or download the release again"
"""What to do about a damaged release."""


def checked_manifest(folder: Path, *, version: str | None = None) -> Row:
    """Return the manifest of the release in *folder* after checking that every file it lists is there, unchanged.

    A release of another version than *version*, when one is given, raises `ReleaseError`.
    """
    path = folder / MANIFEST
    if not path.is_file():
        fix = "give the folder of a release; `ncimp build` makes one"
        raise ReleaseError("not a release: it has no manifest", fix=fix, place=Place(str(path)))
    manifest = read_json(path)
    if not isinstance(manifest, dict):
        raise ReleaseError("the manifest is not an object", fix=REBUILD, place=Place(str(path)))
    check_row("manifest", manifest, Place(str(path)))
    if version not in (None, manifest["release"]):
        what = f"this is release {manifest['release']!r}, not {version!r}"
        raise ReleaseError(what, fix="give the folder of that release, or ask for this one", place=Place(str(path)))
    for entry in manifest["files"]:
        _check_file(folder, entry)
    return manifest


def _check_file(folder: Path, entry: Row) -> None:
    inside = PurePosixPath(entry["path"])
    if inside.is_absolute() or ".." in inside.parts:
        what = f"the manifest lists {entry['path']!r}, which is outside the release"
        raise ReleaseError(what, fix=REBUILD, place=Place(str(folder / MANIFEST)))
    fault = file_fault(folder / inside, entry["sha256"])
    if fault is not None:
        raise ReleaseError(fault, fix=REBUILD, place=Place(str(folder / inside)))


def file_fault(path: Path, sha256: str, size: int | None = None) -> str | None:
    """Return how the file *path* differs from its *sha256*, and its *size* in bytes when given, in the manifest."""
    if not path.is_file():
        return "the manifest lists this file, but it is missing"
    if file_hash(path) != sha256:
        return "its sha256 is not the one in the manifest"
    held = path.stat().st_size
    return None if size in (None, held) else f"it has {held} bytes where the manifest has {size}"


def held_files(folder: Path) -> set[str]:
    """Return the paths of all files of the release in *folder* but its manifest, as the manifest writes them."""
    held = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    # what is compiled is a reader's, who imported the loading script
    return {path for path in held if "__pycache__" not in path} - {MANIFEST}


def has_config(manifest: Row, config: str) -> bool:
    """Tell whether *manifest* lists data files in the folder *config*."""
    return any(_is_table(entry["path"], config) for entry in manifest["files"])


def table_rows(folder: Path, manifest: Row, config: str, table: str) -> Iterator[Row]:
    """Yield the rows of all files of *config*, after checking how many there are and to which release they belong."""
    if not has_config(manifest, config):
        what = f"the manifest lists no {config}/*.parquet"
        raise ReleaseError(what, fix=REBUILD, place=Place(str(folder / MANIFEST)))
    if table in WITHHELD and manifest["counts"].get("withheld"):
        what = f"the text of {manifest['counts']['withheld']} of its sentences is withheld"
        raise ReleaseError(
            what, fix=f"put it back with `ncimp restore {folder} --corpus ...`", place=Place(str(folder))
        )
    for entry in manifest["files"]:
        if not _is_table(entry["path"], config):
            continue
        path = folder / entry["path"]
        data = read_table(path, table)
        if data.num_rows != entry["rows"]:
            what = f"{data.num_rows} rows where the manifest has {entry['rows']}"
            raise ReleaseError(what, fix=REBUILD, place=Place(str(path)))
        for row in rows_of(data, path):
            _check_version(row, manifest, path)
            yield row


def _is_table(path: str, config: str) -> bool:
    return path.startswith(f"{config}/") and path.endswith(".parquet")


def _check_version(row: Row, manifest: Row, path: Path) -> None:
    if row["release"] != manifest["release"]:
        what = f"{row['id']} is of release {row['release']!r}, the manifest of {manifest['release']!r}"
        raise ReleaseError(what, fix="do not mix releases; " + REBUILD, place=Place(str(path)))
    if row["lang"] not in manifest["languages"]:
        what = f"{row['id']} is in {row['lang']!r}, which is not among the manifest's languages"
        raise ReleaseError(what, fix=REBUILD, place=Place(str(path)))
