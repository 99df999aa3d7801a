"""Planters of M9xx: a release folder that is not what its manifest says."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.files import Row, file_hash, logical_hash, value_hash

FolderPlanter = Callable[[Path], tuple[tuple[str, ...], frozenset[str]]]
"""Damages a folder; returns the places that should be reported, and codes that cannot but come with it."""

SIZED = frozenset({"D106"})
"""The card tells how many bytes to download, which a file that is written again changes."""

SENTENCES = "sentences/train-00000-of-00001.parquet"
PAIRS = "en_nat/test-00000-of-00001.parquet"
COMPOUNDS = "compounds/train-00000-of-00001.parquet"


def change_manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False), "utf-8")


def sign(folder: Path, path: str, *, rows: list[Row] | None = None) -> None:
    """Make the manifest's entry of *path* fit the file, and *rows* when they are given."""

    def change(manifest: dict[str, Any]) -> None:
        entry = next(entry for entry in manifest["files"] if entry["path"] == path)
        entry |= {"sha256": file_hash(folder / path), "bytes": (folder / path).stat().st_size}
        if rows is not None:
            entry |= {"rows": len(rows), "logical_sha256": logical_hash(rows)}
            hashes = {
                entry["path"]: entry["logical_sha256"] for entry in manifest["files"] if entry["rows"] is not None
            }
            manifest["logical_sha256"] = value_hash(hashes)

    change_manifest(folder, change)


def _missing_text(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    (folder / "LICENSE-DATA").unlink()
    return ("LICENSE-DATA",), frozenset()


def _missing_table(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    (folder / PAIRS).unlink()
    return (PAIRS,), frozenset({"P602"})


def _changed_text(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    with (folder / "README.md").open("a") as card:
        card.write("\nOne line more.\n")
    return ("README.md",), frozenset()


def _unlisted(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    (folder / "en_nat" / "extra-00000-of-00001.parquet").write_bytes((folder / PAIRS).read_bytes())
    (folder / "ncimp.py").write_text("print()\n")
    return ("en_nat/extra-00000-of-00001.parquet", "ncimp.py"), frozenset()


def _rewritten(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    """The same rows in other bytes: changed for M901, not for M902."""
    pq.write_table(pq.ParquetFile(folder / PAIRS).read(), folder / PAIRS, compression="none")
    return (PAIRS,), frozenset()


def _row_less(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    rows = read_parquet(folder / PAIRS)
    write_parquet(folder / PAIRS, rows[1:], "pair")
    sign(folder, PAIRS)
    return (PAIRS,), SIZED | {"P602"}


def _value(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    """One explanation says something else; no other check can see it."""
    rows = read_parquet(folder / SENTENCES)
    rows[7]["explanation"] += " Perhaps."
    write_parquet(folder / SENTENCES, rows, "item")
    sign(folder, SENTENCES)
    return (SENTENCES,), SIZED


def _order(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    rows = read_parquet(folder / COMPOUNDS)
    write_parquet(folder / COMPOUNDS, rows[::-1], "compound")
    sign(folder, COMPOUNDS)
    return (COMPOUNDS,), SIZED


def _columns(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    table = pq.ParquetFile(folder / PAIRS).read()
    pq.write_table(table.drop_columns(["probe"]), folder / PAIRS)
    sign(folder, PAIRS)
    return (PAIRS,), SIZED | {"P602"}


def _types(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    table = pq.ParquetFile(folder / PAIRS).read()
    place = table.schema.get_field_index("comp")
    pq.write_table(table.set_column(place, "comp", pa.nulls(len(table))), folder / PAIRS)
    sign(folder, PAIRS)
    return (PAIRS,), SIZED | {"P602"}


def _not_parquet(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    (folder / PAIRS).write_bytes((folder / PAIRS).read_bytes()[:-100])
    sign(folder, PAIRS)
    return (PAIRS,), SIZED | {"P602"}


def _other_release(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    """A cache serves the rows of an older release."""
    rows = read_parquet(folder / PAIRS)
    for row in rows:
        row["release"] = "0.0.9"
    write_parquet(folder / PAIRS, rows, "pair")
    sign(folder, PAIRS, rows=rows)
    return (PAIRS,), SIZED | {"P601"}


def _other_release_of_one(path: str, table: str) -> FolderPlanter:
    def plant(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
        rows = read_parquet(folder / path)
        rows[3 % len(rows)]["release"] = "1.0.0"
        write_parquet(folder / path, rows, table)
        sign(folder, path, rows=rows)
        return (path,), SIZED | {"P601"}

    return plant


def _no_number(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    rows = read_parquet(folder / COMPOUNDS)
    rows[0]["modifier_zipf"] = math.nan
    write_parquet(folder / COMPOUNDS, rows, "compound")
    sign(folder, COMPOUNDS)
    # the row is not read, so that its compound seems to be missing
    return (COMPOUNDS, f"{COMPOUNDS}:1"), SIZED | {"B501", "B504", "C305", "C306"}


def _no_text(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    """Bytes inside a table that are not UTF-8."""
    whole = (folder / PAIRS).read_bytes()
    assert b"en/" in whole
    (folder / PAIRS).write_bytes(whole.replace(b"en/", b"\xffn/"))
    sign(folder, PAIRS)
    return (PAIRS,), frozenset({"P602"})


def _no_class(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    """A value that the schema does not know: the row is told, the others are read."""
    rows = read_parquet(folder / PAIRS)
    rows[1]["probe"] = "PNone"
    write_parquet(folder / PAIRS, rows, "pair")
    sign(folder, PAIRS, rows=rows)
    return (f"{PAIRS}:2",), SIZED | {"P602", "M904"}


def _reworded(path: str, old: str, new: str) -> FolderPlanter:
    """Change a text, and sign the manifest again."""

    def plant(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
        text = (folder / path).read_text("utf-8")
        assert old in text
        (folder / path).write_text(text.replace(old, new, 1), "utf-8")
        sign(folder, path)
        return (path,), frozenset()

    return plant


def _extra_text(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    (folder / "setup.py").write_text("import os\n", "utf-8")
    entry = {"path": "setup.py", "bytes": 0, "sha256": "", "rows": None, "logical_sha256": None}
    change_manifest(folder, lambda manifest: manifest["files"].append(entry))
    sign(folder, "setup.py")
    return ("setup.py",), frozenset()


def _unlisted_text(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    (folder / "LICENSE-DATA").unlink()
    change_manifest(
        folder,
        lambda manifest: manifest.update(files=[row for row in manifest["files"] if row["path"] != "LICENSE-DATA"]),
    )
    return ("LICENSE-DATA",), frozenset()


def _manifest(key: str, change: Callable[[Any], Any]) -> FolderPlanter:
    def plant(folder: Path) -> tuple[tuple[str, ...], frozenset[str]]:
        change_manifest(folder, lambda manifest: manifest.update({key: change(manifest[key])}))
        return ("manifest.json",), frozenset()

    return plant


FOLDER: list[tuple[str, str, FolderPlanter]] = [
    ("M901", "a text missing", _missing_text),
    ("M901", "a table missing", _missing_table),
    ("M901", "a text changed", _changed_text),
    ("M901", "files that are not listed", _unlisted),
    ("M901", "the same rows in other bytes", _rewritten),
    ("M902", "a row less", _row_less),
    ("M902", "a value changed", _value),
    ("M902", "another order", _order),
    ("M902", "a column less", _columns),
    ("M902", "a column without type", _types),
    ("M902", "not a parquet file any more", _not_parquet),
    ("M902", "a number that is none", _no_number),
    ("M902", "a text that is none", _no_text),
    ("M902", "a value that the schema does not know", _no_class),
    ("M903", "the pairs of another release", _other_release),
    ("M903", "a sentence of another release", _other_release_of_one(SENTENCES, "item")),
    ("M903", "a compound of another release", _other_release_of_one(COMPOUNDS, "compound")),
    ("M904", "a false total", _manifest("counts", lambda counts: {**counts, "pairs": 781})),
    ("M904", "a total missing", _manifest("counts", lambda counts: {"compounds": counts["compounds"]})),
    ("M904", "a false identity", _manifest("logical_sha256", lambda _: "0" * 64)),
    ("M905", "another licence in the card", _reworded("README.md", "license: cc-by-4.0\n", "license: mit\n")),
    ("M905", "other authors in the card", _reworded("README.md", "a language model, wrote", "linguists, wrote")),
    ("M905", "another licence in croissant.json", _reworded("croissant.json", "CC-BY-4.0.html", "MIT.html")),
    ("M905", "no licence", _reworded("LICENSE-DATA", "You may share and adapt", "All rights reserved: do not share")),
    ("M905", "code in the loading script", _reworded("legacy/ncimp.py", "import datasets\n", "import datasets, os\n")),
    ("M905", "a text that no release has", _extra_text),
    ("M905", "a text that is neither there nor listed", _unlisted_text),
]
"""Code, what is wrong, and the planter."""
