"""The tables of the evaluation suites as a folder of their own, for published files that no release may hold."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import ncimp
from ncimp.builder.records import MANIFEST, Manifest, ReleaseFile, Source
from ncimp.builder.release.contents import SPLITS, data_file, file_entry
from ncimp.schemas import UsageError, read_json, value_hash, write_json
from ncimp.schemas.arrow import write_parquet
from ncimp.schemas.files import folder_aside, replace_folder
from ncimp.schemas.records import to_row
from ncimp.schemas.suites import SUITE_TABLES, SuiteTables

EDITION = "published"


def write_suite(target: Path, tables: SuiteTables, source: Source, *, version: str) -> Manifest:
    """Write the folder *target* of *tables*, made from *source*, and return its manifest, which names their gaps.

    Raises `UsageError` where something else than such a folder is in its place.
    """
    if target.exists() and not _is_suite(target):
        raise UsageError(f"{target} holds something else than an imported suite", fix="name another folder")
    with folder_aside(target) as aside:
        rows = tables.folders()
        files = tuple(entry for name in rows for entry in write_rows_of(aside, name, rows[name]))
        manifest = Manifest(
            format=1,
            name="ncimp",
            release=version,
            code_version=ncimp.__version__,
            edition=EDITION,
            languages=tuple(sorted({row.lang for part in rows.values() for row in part})),
            options={"suite": source.name},
            inputs=(source,),
            files=files,
            logical_sha256=value_hash({entry.path: entry.logical_sha256 for entry in files}),
            counts={**{name: len(part) for name, part in rows.items()}, "gaps": list(tables.gaps)},
        )
        write_json(aside / MANIFEST, to_row(manifest))
        aside.chmod(0o755)
        replace_folder(aside, target)
    return manifest


def write_rows_of(folder: Path, name: str, rows: Sequence[Any]) -> Iterator[ReleaseFile]:
    """Write the *rows* of the table *name* by split, and yield the entry of each file."""
    for split in SPLITS:
        if part := [to_row(row) for row in rows if row.split == split]:
            write_parquet(folder / data_file(name, split), part, SUITE_TABLES[name])
            yield file_entry(folder, data_file(name, split), part)


def _is_suite(folder: Path) -> bool:
    if not folder.is_dir() or not (folder / MANIFEST).is_file():
        return folder.is_dir() and not any(folder.iterdir())
    manifest = read_json(folder / MANIFEST)
    return isinstance(manifest, dict) and manifest.get("edition") == EDITION
