"""What is in a release folder: its files, its card, its manifest, the types of its tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from ncimp.builder.release.write import data_changes
from ncimp.schemas.records import load_schema
from tests.schemas.checking import validator

TABLE = {"sentences": "item", "compounds": "compound"}
COLUMNS = ["en_nat", "en_neut", "pt_nat", "pt_neut"]
CONFIGS = ["pairs", "sentences", "compounds", "en", "pt", *COLUMNS]
PART = re.compile(r"(train|validation|test|bridge)-00000-of-00001\.parquet")
Rows = list[dict[str, Any]]


def rows_of(release: Path, folder: str) -> Rows:
    return [row for path in sorted((release / folder).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


@pytest.fixture(scope="module")
def header(mini_release: Path) -> dict[str, Any]:
    text = (mini_release / "README.md").read_text("utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    return loaded


def test_the_folder_holds_exactly_the_files_of_the_design(mini_release: Path) -> None:
    held = sorted(path.relative_to(mini_release).as_posix() for path in mini_release.rglob("*") if path.is_file())
    tables = [
        f"{name}/{split}-00000-of-00001.parquet"
        for name in ["sentences", "compounds", *COLUMNS]
        for split in ("train", "test")
    ]
    texts = ["CHANGELOG.md", "LICENSE-DATA", "README.md", "croissant.json", "legacy/ncimp.py", "manifest.json"]
    assert held == sorted([*tables, *texts])


def test_no_file_is_empty_and_others_may_read_all(mini_release: Path) -> None:
    for path in mini_release.rglob("*"):
        assert path.stat().st_mode & 0o444 == 0o444, path
        assert not path.is_file() or path.stat().st_size > 100, path
    assert mini_release.stat().st_mode & 0o755 == 0o755


def test_nothing_is_called_as_the_dataset_at_its_root(mini_release: Path) -> None:
    """`datasets` from version 4 on refuses a folder with a loading script of its own name."""
    assert not (mini_release / "ncimp.py").exists()


def test_the_card_has_every_config_and_one_default(header: dict[str, Any]) -> None:
    assert [config["config_name"] for config in header["configs"]] == CONFIGS
    assert [config["config_name"] for config in header["configs"] if config.get("default")] == ["pairs"]
    assert [info["config_name"] for info in header["dataset_info"]] == CONFIGS


def test_the_card_names_files_that_exist_and_uses_every_table(mini_release: Path, header: dict[str, Any]) -> None:
    used = [path for config in header["configs"] for part in config["data_files"] for path in part["path"]]
    held = {path.relative_to(mini_release).as_posix() for path in mini_release.rglob("*.parquet")}
    assert set(used) == held
    for config in header["configs"]:
        for part in config["data_files"]:
            assert {PART.findall(path)[0] for path in part["path"]} == {part["split"]}


def test_the_configs_of_a_language_and_a_column_hold_only_their_files(header: dict[str, Any]) -> None:
    folders = {
        config["config_name"]: {path.split("/")[0] for part in config["data_files"] for path in part["path"]}
        for config in header["configs"]
    }
    assert folders["pairs"] == set(COLUMNS)
    assert folders["pt"] == {"pt_nat", "pt_neut"}
    assert all(folders[name] == {name} for name in ("sentences", "compounds", *COLUMNS))


def test_the_sizes_in_the_card_are_those_of_the_files(mini_release: Path, header: dict[str, Any]) -> None:
    for config, info in zip(header["configs"], header["dataset_info"], strict=True):
        paths = {part["split"]: part["path"] for part in config["data_files"]}
        assert [part["name"] for part in info["splits"]] == list(paths)
        for part in info["splits"]:
            tables = [pq.ParquetFile(mini_release / path).read() for path in paths[part["name"]]]
            assert part["num_examples"] == sum(table.num_rows for table in tables)
            # a table as it is read has other empty bitmaps than the one that was written
            assert part["num_bytes"] == pytest.approx(sum(table.nbytes for table in tables), rel=0.01)
        every = [path for held in paths.values() for path in held]
        assert info["download_size"] == sum((mini_release / path).stat().st_size for path in every)
        assert info["dataset_size"] == sum(part["num_bytes"] for part in info["splits"])


def test_the_features_in_the_card_are_the_columns_of_the_schema(header: dict[str, Any]) -> None:
    for info in header["dataset_info"]:
        properties = load_schema(TABLE.get(info["config_name"], "pair"))["properties"]
        assert [feature["name"] for feature in info["features"]] == list(properties)
    features = {feature["name"]: feature for feature in header["dataset_info"][1]["features"]}
    assert features["sentence"] == {"name": "sentence", "dtype": "string"}
    assert features["rank"] == {"name": "rank", "dtype": "int32"}
    assert features["span"] == {"name": "span", "list": "int32"}
    assert features["head_zipf"] == {"name": "head_zipf", "dtype": "float64"}
    assert [part["name"] for part in features["carrier_edits"]["list"]] == ["start", "before", "after", "rule"]


def test_the_card_has_the_licence_and_the_languages_of_the_data(header: dict[str, Any]) -> None:
    assert header["license"] == "cc-by-4.0"
    assert header["language"] == ["en", "pt"]
    assert header["size_categories"] == ["n<1K"]


def test_the_prose_of_the_card_has_its_figures_and_no_placeholder(mini_release: Path) -> None:
    text = (mini_release / "README.md").read_text("utf-8")
    assert not re.search(r"\{\{|\}\}|TODO|XXX", text)
    assert "840 sentences and 780 minimal pairs" in text
    assert "| English | 2 | 2 | 2 | 6 | 420 | 390 |" in text
    assert "| `pairs` | pair (default) | 780 |" in text
    assert "| `pt_neut` | pair, Portuguese, neutral contexts | 156 |" in text
    assert "with 0 waived incidents" in text
    assert text.count("- `sentence1`: ") == 1


def test_the_change_log_of_the_data_is_its_own_part_alone(mini_release: Path) -> None:
    log = "# Changelog\n\n# Code\n\ncode line\n\n# Data\n\n## 0.1.0\n\nFirst.\n\n# Other\n\nmore\n"
    assert data_changes(log) == "# Changes of the data\n\n## 0.1.0\n\nFirst.\n"
    text = (mini_release / "CHANGELOG.md").read_text("utf-8")
    assert text.startswith("# Changes of the data\n\n")
    assert "# Code" not in text


def test_tables_have_the_types_of_their_schemas_and_no_metadata_of_datasets(mini_release: Path) -> None:
    """`datasets` 2 cannot read the `huggingface` metadata of version 4; a null column must still have its type."""
    paths = sorted(mini_release.rglob("*.parquet"))
    assert len(paths) == 12
    for path in paths:
        schema = pq.ParquetFile(path).schema_arrow
        assert b"huggingface" not in (schema.metadata or {}), path
        assert not any(pa.types.is_null(field.type) for field in schema), path
        properties = load_schema(TABLE.get(path.parent.name, "pair"))["properties"]
        assert schema.names == list(properties)
        nullable = [name for name, column in properties.items() if "null" in column["type"]]
        assert [field.name for field in schema if field.nullable] == nullable


def test_columns_without_any_value_are_typed(mini_release: Path) -> None:
    compounds = pq.read_table(mini_release / "compounds")
    empty = {
        name: str(compounds.schema.field(name).type)
        for name in compounds.column_names
        if compounds[name].null_count == 12
    }
    assert empty == {
        "comp": "double",
        "comp_head": "double",
        "comp_modifier": "double",
        "comp_sd": "double",
        "comp_n": "int32",
        "class_from_scores": "string",
        "comp_source": "string",
        "comp_type": "double",
        "compound_count": "int32",
        "pmi": "double",
        "ppmi": "double",
        "count_source": "string",
    }


def test_rows_of_a_file_are_of_its_split_column_and_language(mini_release: Path) -> None:
    for path in sorted(mini_release.rglob("*.parquet")):
        rows = pq.read_table(path).to_pylist()
        assert {row["split"] for row in rows} == {PART.findall(path.name)[0]}
        if path.parent.name in COLUMNS:
            lang, kind = path.parent.name.split("_")
            full = {"nat": "naturalistic", "neut": "neutral"}[kind]
            assert {(row["lang"], row["context_kind"]) for row in rows} == {(lang, full)}


def test_rows_come_compound_by_compound_then_context_then_variant(mini_release: Path) -> None:
    contexts = ["nat1", "nat2", "nat3", "neut_short", "neut_long"]
    variants = ["orig", "syn", "head", "mod", *(f"ws{k}" for k in range(1, 6)), *(f"rand{k}" for k in range(1, 6))]
    rows = pq.read_table(mini_release / "sentences" / "train-00000-of-00001.parquet").to_pylist()
    compounds = pq.read_table(mini_release / "compounds" / "train-00000-of-00001.parquet")["id"].to_pylist()
    expected = [
        f"{compound}/{context}/{variant}" for compound in compounds for context in contexts for variant in variants
    ]
    assert [row["id"] for row in rows] == expected


def test_every_row_of_every_table_fits_its_schema(mini_release: Path) -> None:
    for folder in ("sentences", "compounds", *COLUMNS):
        checker = validator(TABLE.get(folder, "pair"))
        assert all(checker.is_valid(row) for row in rows_of(mini_release, folder)[::7])
