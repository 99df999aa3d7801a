"""A release loads with `datasets`, offline, in every config, streamed or not, and through the legacy class."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ncimp.schemas.records import columns

LOADER = Path(__file__).with_name("load_release.py")
ROWS = {
    "pairs": 390,
    "sentences": 420,
    "compounds": 6,
    "en": 195,
    "pt": 195,
    "en_nat": 117,
    "en_neut": 78,
    "pt_nat": 117,
    "pt_neut": 78,
}
"""Rows of each config in each of the two splits: 3 compounds per language, 14 variants, 3 + 2 contexts."""


@pytest.fixture(scope="module")
def found(mini_release: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a fresh process without network found in the release; see `load_release.py`."""
    cache = tmp_path_factory.mktemp("hf")
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(cache), "HF_DATASETS_DISABLE_TELEMETRY": "1"}
    done = subprocess.run(
        [sys.executable, str(LOADER), str(mini_release)],
        env=os.environ | offline,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


@pytest.mark.slow
def test_every_config_loads_with_its_rows_in_both_splits(found: dict[str, Any]) -> None:
    assert found["configs"] == list(ROWS)
    rows = {name: {split: part["rows"] for split, part in own.items()} for name, own in found["loaded"].items()}
    assert rows == {name: {"train": count, "test": count} for name, count in ROWS.items()}


def test_without_a_name_the_pairs_are_loaded_from_the_folder_beside(found: dict[str, Any]) -> None:
    """`load_dataset("ncimp")` in the folder that holds `ncimp`, as the README says."""
    assert found["default"] == found["loaded"]["pairs"]


def test_columns_are_those_of_the_schemas(found: dict[str, Any]) -> None:
    tables = {"sentences": "item", "compounds": "compound"}
    for name, splits in found["loaded"].items():
        for part in splits.values():
            assert part["columns"] == list(columns(tables.get(name, "pair")))


def test_features_have_the_types_that_users_compute_with(found: dict[str, Any]) -> None:
    sentences = found["loaded"]["sentences"]["train"]["features"]
    assert sentences["sentence"] == "Value('string')"
    assert sentences["rank"] == "Value('int32')"
    assert sentences["head_delta"] == "Value('float64')"
    assert "int32" in sentences["span"]
    assert "string" in sentences["tokens"]
    compounds = found["loaded"]["compounds"]["train"]["features"]
    assert compounds["comp"] == "Value('float64')"
    assert compounds["count_source"] == "Value('string')"
    assert "bool" in compounds["synonyms"]


def test_streaming_gives_the_same_rows(found: dict[str, Any]) -> None:
    for name, splits in found["loaded"].items():
        expected = {split: {"rows": part["rows"], "digest": part["digest"]} for split, part in splits.items()}
        assert found["streamed"][name] == expected, name


def test_the_legacy_class_gives_the_same_rows_in_every_config(found: dict[str, Any]) -> None:
    legacy = found["legacy"]
    assert legacy["names"] == list(ROWS)
    assert legacy["version"] == "0.1.0"
    for name, splits in found["loaded"].items():
        assert {split: part["digest"] for split, part in legacy[name].items()} == {
            split: part["digest"] for split, part in splits.items()
        }, name
        assert legacy[name]["train"]["columns"] == splits["train"]["columns"]


def test_the_legacy_script_finds_the_tables_from_where_it_lies(found: dict[str, Any]) -> None:
    """`datasets` < 4 resolves its paths against `ncimp/legacy`, not against `ncimp`."""
    told = found["legacy in its place"]
    assert "error" not in told, told
    assert told["train"]["digest"] == found["loaded"]["compounds"]["train"]["digest"]


def test_the_rows_that_are_loaded_are_the_rows_of_the_files(found: dict[str, Any], mini_release: Path) -> None:
    """Counted by hand from the parquet files, without `datasets`."""
    for config, folders in (("sentences", ["sentences"]), ("pt", ["pt_nat", "pt_neut"]), ("en_nat", ["en_nat"])):
        files = [path for folder in folders for path in (mini_release / folder).iterdir()]
        rows = Counter({path.name.split("-")[0]: 0 for path in files})
        for path in files:
            rows[path.name.split("-")[0]] += pq.ParquetFile(path).metadata.num_rows
        assert rows == {split: part["rows"] for split, part in found["loaded"][config].items()}


def test_loading_leaves_the_release_as_it_was(found: dict[str, Any], mini_release: Path) -> None:
    listed = {entry["path"] for entry in json.loads((mini_release / "manifest.json").read_text("utf-8"))["files"]}
    held = {path.relative_to(mini_release).as_posix() for path in mini_release.rglob("*") if path.is_file()}
    assert found["configs"]
    assert held == listed | {"manifest.json"}
