"""What the manifest of a release says of its files and of its tables, counted again from the files."""

from __future__ import annotations

import hashlib
import json
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.schemas.checking import check_row

COLUMNS = ["en_nat", "en_neut", "pt_nat", "pt_neut"]
Rows = list[dict[str, Any]]


def rows_of(release: Path, folder: str) -> Rows:
    return [row for path in sorted((release / folder).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


@pytest.fixture(scope="module")
def manifest(mini_release: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((mini_release / "manifest.json").read_text("utf-8"))
    return loaded


def test_the_manifest_fits_its_schema(manifest: dict[str, Any]) -> None:
    check_row("manifest", manifest)
    assert (manifest["release"], manifest["languages"], manifest["edition"]) == ("0.1.0", ["en", "pt"], "open")


def test_the_manifest_lists_every_file_with_its_bytes(mini_release: Path, manifest: dict[str, Any]) -> None:
    held = {path.relative_to(mini_release).as_posix() for path in mini_release.rglob("*") if path.is_file()}
    assert {entry["path"] for entry in manifest["files"]} == held - {"manifest.json"}
    assert len(manifest["files"]) == len(held) - 1
    for entry in manifest["files"]:
        data = (mini_release / entry["path"]).read_bytes()
        assert entry["bytes"] == len(data)
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()


def test_logical_hashes_are_those_of_the_rows_as_sorted_json_lines(
    mini_release: Path, manifest: dict[str, Any]
) -> None:
    by_path = {}
    for entry in manifest["files"]:
        if entry["rows"] is None:
            assert entry["logical_sha256"] is None
            continue
        rows = pq.read_table(mini_release / entry["path"]).to_pylist()
        lines = (json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n" for row in rows)
        by_path[entry["path"]] = hashlib.sha256("".join(lines).encode()).hexdigest()
        assert (entry["rows"], entry["logical_sha256"]) == (len(rows), by_path[entry["path"]])
    identity = json.dumps(by_path, sort_keys=True, separators=(",", ":")).encode()
    assert manifest["logical_sha256"] == hashlib.sha256(identity).hexdigest()
    assert len(by_path) == 12


def test_the_counts_of_the_manifest_are_those_of_the_tables(mini_release: Path, manifest: dict[str, Any]) -> None:
    compounds, sentences = rows_of(mini_release, "compounds"), rows_of(mini_release, "sentences")
    pairs = [row for column in COLUMNS for row in rows_of(mini_release, column)]
    counts = manifest["counts"]
    assert (counts["compounds"], counts["sentences"], counts["pairs"]) == (12, 840, 780)
    assert (len(compounds), len(sentences), len(pairs)) == (12, 840, 780)
    for lang in ("en", "pt"):
        own = counts["languages"][lang]
        mine = [row for row in sentences if row["lang"] == lang]
        assert own["sentences"] == len(mine) == 420
        assert own["pairs"] == sum(row["lang"] == lang for row in pairs) == 390
        assert own["classes"] == Counter(row["compound_class"] for row in compounds if row["lang"] == lang)
        assert own["splits"] == Counter(row["split"] for row in compounds if row["lang"] == lang)
        assert own["contexts"] == Counter(row["context"] for row in mine) == dict.fromkeys(own["contexts"], 84)
        assert own["variants"] == Counter(row["variant"] for row in mine) == dict.fromkeys(own["variants"], 30)


def test_the_matching_figures_are_medians_and_percentiles_of_the_rows(
    mini_release: Path, manifest: dict[str, Any]
) -> None:
    sentences = rows_of(mini_release, "sentences")
    for lang in ("en", "pt"):
        drawn = [row for row in sentences if (row["lang"], row["context"], row["probe"]) == (lang, "nat1", "PRand")]
        assert len(drawn) == 30
        deltas = {part: [abs(row[f"{part}_delta"]) for row in drawn] for part in ("modifier", "head", "mean")}
        deltas["worse"] = [max(pair) for pair in zip(deltas["modifier"], deltas["head"], strict=True)]
        own = manifest["matching"][lang]
        assert set(own) == {f"{part}_{figure}" for part in deltas for figure in ("median", "p90")}
        for part, values in deltas.items():
            assert own[f"{part}_median"] == pytest.approx(statistics.median(values), abs=1e-4)
            # of 30 values the 90th percentile lies a tenth of the way from the 27th to the 28th
            low, high = sorted(values)[26:28]
            assert own[f"{part}_p90"] == pytest.approx(low + 0.1 * (high - low), abs=1e-4)


def test_the_inputs_have_versions_licences_and_citations(manifest: dict[str, Any]) -> None:
    names = [source["name"] for source in manifest["inputs"]]
    assert names == ["pack/en", "wordfreq/en", "pack/pt", "wordfreq/pt"]
    assert all(source["version"] and source["licence"] and source["citation"] for source in manifest["inputs"])
    assert {source["name"] for source in manifest["inputs"] if source["sha256"]} == {"pack/en", "pack/pt"}
