"""The logical hash of a table is that of its rows alone; another library or setting writes other bytes of them."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ncimp.builder.validation.folder import verify
from ncimp.schemas.arrow import read_parquet
from ncimp.schemas.files import logical_hash, read_json

SETTINGS: list[dict[str, Any]] = [
    {"row_group_size": 7},
    {"compression": "none"},
    {"compression": "gzip"},
    {"use_dictionary": False},
    {"data_page_version": "2.0"},
    {"version": "1.0"},
    {"write_statistics": False},
    {"store_schema": False},
    {"row_group_size": 50, "compression": "snappy", "use_dictionary": False, "data_page_size": 512},
]
"""What versions of the library have different defaults of: a stand-in for them."""


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: " ".join(settings))
def test_other_settings_give_other_bytes_and_the_same_logical_hashes(
    mini_release: Path, tmp_path: Path, settings: dict[str, Any]
) -> None:
    folder = Path(shutil.copytree(mini_release, tmp_path / "ncimp"))
    tables = [entry for entry in read_json(folder / "manifest.json")["files"] if entry["rows"] is not None]
    for entry in tables:
        path = folder / entry["path"]
        pq.write_table(pq.ParquetFile(path).read(), path, **({"compression": "zstd"} | settings))
        assert hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]
        assert logical_hash(read_parquet(path)) == entry["logical_sha256"], entry["path"]
    assert len(tables) == 12


def test_verification_tells_other_bytes_from_other_rows(release_copy: Path) -> None:
    """The same rows in other bytes are a changed file (M901), and no changed row (M902)."""
    path = "sentences/train-00000-of-00001.parquet"
    pq.write_table(pq.ParquetFile(release_copy / path).read(), release_copy / path, row_group_size=10)
    assert {(row.code, row.place) for row in verify(release_copy).incidents} == {("M901", path)}


def test_the_order_of_columns_is_no_part_of_a_row_and_the_order_of_rows_is_part_of_a_table() -> None:
    rows: list[dict[str, Any]] = [{"a": 1, "b": None}, {"a": 2.5, "b": "é"}]
    assert logical_hash(rows) == logical_hash([{"b": row["b"], "a": row["a"]} for row in rows])
    assert logical_hash(rows) != logical_hash(rows[::-1])
    # by another tool: printf '{"a":1,"b":null}\n{"a":2.5,"b":"é"}\n' | sha256sum
    assert logical_hash(rows) == "f30aabdcd10589a4596b6390f8005652ddaa517b46c580d2a73fa4774a9c01ca"
