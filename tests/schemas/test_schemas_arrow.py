"""Arrow, parquet and card features of the tables: one source, three notations, the same rows back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ncimp.schemas.arrow import AT_A_TIME, arrow_schema, card_features, read_parquet, write_parquet
from ncimp.schemas.errors import ReleaseError
from ncimp.schemas.records import Schema, columns, load_schema
from tests.schemas.checking import check_row

RELEASED = ("item", "pair", "compound", "released_annotation")
"""The tables that a release holds as parquet."""
WORDS = {"string": "pé", "integer": 3, "number": 0.25, "boolean": True}
SHAPES = {"id": "en/rat-race/nat1/syn", "lang": "pt", "compound_id": "en/rat-race", "release": "0.1.0"}
SHAPES |= {"annotator": "0123456789abcdef", "day": "2026-11-20"}
IDS = {"compound": "en/rat-race", "released_annotation": "0123456789abcdef"}


def example(column: Schema, name: str) -> Any:
    """Return a value that fits *column*."""
    kinds = column["type"] if isinstance(column["type"], list) else [column["type"]]
    if "pattern" in column:
        return SHAPES[name]
    if "enum" in column:
        return column["enum"][0]
    if kinds[0] == "array":
        return [example(column["items"], name)] * 2
    if kinds[0] == "object":
        return {key: example(part, key) for key, part in column["properties"].items()}
    return min(WORDS[kinds[0]], column["maximum"]) if "maximum" in column else WORDS[kinds[0]]


def rows_of(table: str) -> list[dict[str, Any]]:
    """Return two rows of *table*: one with every value, one with null or an empty list wherever that is allowed."""
    properties = load_schema(table)["properties"]
    full = {name: example(column, name) for name, column in properties.items()}
    if table in IDS:
        full["id"] = IDS[table]
    sparse = dict(full)
    for name, column in properties.items():
        if "null" in column["type"]:
            sparse[name] = None
        elif column["type"] == "array" and "minItems" not in column:
            sparse[name] = []
    return [full, sparse]


@pytest.mark.parametrize("table", RELEASED)
def test_rows_come_back_from_parquet_as_they_were(tmp_path: Path, table: str) -> None:
    rows = rows_of(table)
    for row in rows:
        check_row(table, row)
    write_parquet(tmp_path / "a.parquet", iter(rows), table)
    assert read_parquet(tmp_path / "a.parquet", table) == rows
    assert read_parquet(tmp_path / "a.parquet") == rows


def test_rows_beyond_those_that_are_read_at_a_time_follow_in_their_order(tmp_path: Path) -> None:
    row = rows_of("pair")[0]
    count = 2 * AT_A_TIME + 1
    write_parquet(tmp_path / "a.parquet", [{**row, "replacement": str(number)} for number in range(count)], "pair")
    found = read_parquet(tmp_path / "a.parquet", "pair")
    assert [one["replacement"] for one in found] == [str(number) for number in range(count)]


def test_text_that_is_no_utf8_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    offsets = pa.array(["pé", "pé"]).buffers()[1]
    pq.write_table(pa.table({"x": pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"p\xff\xffp\xc3\xa9"))}), path)
    with pytest.raises(ReleaseError, match=r"a\.parquet: not a readable parquet file"):
        read_parquet(path)


def test_a_table_without_rows_keeps_its_columns(tmp_path: Path) -> None:
    assert write_parquet(tmp_path / "a.parquet", [], "pair") >= 0
    assert read_parquet(tmp_path / "a.parquet", "pair") == []
    assert tuple(pq.read_schema(tmp_path / "a.parquet").names) == columns("pair")


def test_the_arrow_types_of_an_annotation() -> None:
    words = ("id", "lang", "compound_id", "item_id", "context", "mode", "campaign", "platform", "annotator", "status")
    scores = ("head", "modifier", "comp")
    empty = ("item_id", "context", "day", "excluded")
    assert arrow_schema("released_annotation") == pa.schema(
        [
            *(pa.field(name, pa.string(), nullable=name in empty) for name in words),
            *(pa.field(name, pa.int32()) for name in scores),
            pa.field("synonyms", pa.list_(pa.string()), nullable=False),
            pa.field("day", pa.string()),
            pa.field("seconds", pa.int32()),
            pa.field("excluded", pa.string()),
            pa.field("simulated", pa.bool_(), nullable=False),
            *(pa.field(name, pa.string(), nullable=False) for name in ("split", "licence", "release")),
        ]
    )


@pytest.mark.parametrize(
    ("table", "column", "kind"),
    [
        ("item", "span", pa.list_(pa.int32())),
        ("item", "rank", pa.int32()),
        ("item", "mean_delta", pa.float64()),
        (
            "item",
            "carrier_edits",
            pa.list_(
                pa.struct(
                    [("start", pa.int32()), ("before", pa.string()), ("after", pa.string()), ("rule", pa.string())]
                )
            ),
        ),
        (
            "compound",
            "synonyms",
            pa.list_(
                pa.struct(
                    [
                        ("text", pa.string()),
                        ("overlap_free", pa.bool_()),
                        *((name, pa.string()) for name in ("relation", "countability", "register")),
                    ]
                )
            ),
        ),
        ("compound", "benchmarks", pa.list_(pa.string())),
    ],
)
def test_the_arrow_type_of_a_column(table: str, column: str, kind: pa.DataType) -> None:
    assert arrow_schema(table).field(column).type == kind


def test_the_features_of_the_card() -> None:
    features = {entry.pop("name"): entry for entry in card_features("compound")}
    assert list(features) == list(columns("compound"))
    assert features["id"] == {"dtype": "string"}
    assert features["head_index"] == {"dtype": "int32"}
    assert features["comp"] == {"dtype": "float64"}
    assert features["compound_class"] == {"dtype": "string"}  # as in the files (ADR 14)
    assert features["number"] == {"dtype": "string"}
    assert features["benchmarks"] == {"list": "string"}
    assert features["synonyms"] == {
        "list": [
            {"name": "text", "dtype": "string"},
            {"name": "overlap_free", "dtype": "bool"},
            *({"name": name, "dtype": "string"} for name in ("relation", "countability", "register")),
        ]
    }


@pytest.mark.parametrize("table", RELEASED)
def test_datasets_reads_the_features_as_the_types_of_the_files(table: str) -> None:
    features = datasets.Features._from_yaml_list(card_features(table))
    ours = arrow_schema(table)
    assert [(field.name, field.type) for field in features.arrow_schema] == [(field.name, field.type) for field in ours]


def test_the_file_carries_nothing_but_the_table(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", rows_of("pair"), "pair")
    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert file.schema_arrow.metadata is None
    assert file.schema_arrow.equals(arrow_schema("pair"))
    group = file.metadata.row_group(0)
    assert {group.column(index).compression for index in range(group.num_columns)} == {"ZSTD"}


def test_the_size_in_memory_is_that_of_the_table(tmp_path: Path) -> None:
    rows = rows_of("pair") * 10
    size = write_parquet(tmp_path / "a.parquet", rows, "pair")
    assert size == pytest.approx(pq.read_table(tmp_path / "a.parquet").nbytes, rel=0.02)


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_parquet(tmp_path / name, rows_of("item"), "item")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("change", [{"lang": None}, {"span1": ["x", "y"]}, {"comp": "high"}])
def test_a_row_that_does_not_fit_leaves_no_file(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises((pa.ArrowInvalid, pa.ArrowTypeError)):
        write_parquet(tmp_path / "a.parquet", [rows_of("pair")[0] | change], "pair")
    assert list(tmp_path.iterdir()) == []


def test_a_row_that_does_not_fit_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, rows_of("pair"), "pair")
    with pytest.raises(pa.ArrowInvalid):
        write_parquet(path, [rows_of("pair")[0] | {"lang": None}], "pair")
    assert read_parquet(path, "pair") == rows_of("pair")
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError) as caught:
        read_parquet(tmp_path / "a.parquet")
    assert str(caught.value).startswith(f"{tmp_path / 'a.parquet'}: not a readable parquet file (")
    assert caught.value.fix == "build or download the release again"


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, rows_of("released_annotation"), "released_annotation")
    whole = path.read_bytes()
    for end in range(0, len(whole), 40):
        path.write_bytes(whole[:end])
        with pytest.raises(ReleaseError, match="not a readable parquet file"):
            read_parquet(path)


def test_a_file_with_one_damaged_byte_never_ends_in_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, rows_of("released_annotation"), "released_annotation")
    whole = path.read_bytes()
    escaped: list[str] = []
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x80]) + whole[place + 1 :])
        try:
            read_parquet(path, "released_annotation")
        except ReleaseError:
            continue
        except Exception as error:  # noqa: BLE001 (the test is about what gets out)
            escaped.append(f"{place}: {type(error).__name__}")
    assert escaped == []


@pytest.mark.parametrize(
    "other",
    [
        arrow_schema("released_annotation").remove(0),
        arrow_schema("released_annotation").append(pa.field("note", pa.string())),
        arrow_schema("released_annotation").set(10, pa.field("head", pa.int64())),
        pa.schema(list(arrow_schema("released_annotation"))[::-1]),
    ],
    ids=["a column missing", "a column too many", "another type", "another order"],
)
def test_other_columns_than_the_tables_are_refused(tmp_path: Path, other: pa.Schema) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(other.empty_table(), path)
    with pytest.raises(ReleaseError) as caught:
        read_parquet(path, "released_annotation")
    assert str(caught.value) == (
        f"{path}: the columns are not the table's; "
        "it should have those of released_annotation.schema.json; build the release again"
    )


def test_metadata_that_another_library_added_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    schema = arrow_schema("released_annotation").with_metadata({"huggingface": "{}"})
    pq.write_table(pa.Table.from_pylist(rows_of("released_annotation"), schema=schema), path)
    assert read_parquet(path, "released_annotation") == rows_of("released_annotation")
