"""Change the rows of a release and sign its manifest again, as a later release would have them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq

from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.files import Row, file_hash, logical_hash, read_json, value_hash, write_json

Rows = list[Row]


def sign(folder: Path, **manifest: object) -> None:
    """Let the manifest list every file as it is, with the values given besides."""
    known = read_json(folder / "manifest.json")
    for entry in known["files"]:
        path = folder / entry["path"]
        entry |= {"bytes": path.stat().st_size, "sha256": file_hash(path)}
        if entry["rows"] is not None:
            rows = read_parquet(path)
            entry |= {"rows": len(rows), "logical_sha256": logical_hash(rows)}
    hashes = {entry["path"]: entry["logical_sha256"] for entry in known["files"] if entry["rows"] is not None}
    write_json(folder / "manifest.json", {**known, "logical_sha256": value_hash(hashes), **manifest})


def rewrite(folder: Path, path: str, table: str, change: Callable[[Rows], Rows]) -> None:
    """Write the rows of the data file *path* anew, as *change* returns them."""
    write_parquet(folder / path, change(read_parquet(folder / path)), table)
    sign(folder)


def renumber(folder: Path, release: str) -> None:
    """Make *folder* a release of another version: its rows and its manifest."""
    for entry in read_json(folder / "manifest.json")["files"]:
        if entry["rows"] is not None:
            table = pq.read_table(folder / entry["path"])
            place = table.schema.get_field_index("release")
            column = [release] * len(table)
            field = table.schema.field(place)
            pq.write_table(table.set_column(place, field, [column]), folder / entry["path"])
    sign(folder, release=release)
