"""A release is believed only when it keeps every promise of its manifest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ncimp.evaluator.release import read_release
from ncimp.schemas.arrow import read_parquet, write_parquet
from ncimp.schemas.errors import NcimpError, ReleaseError, SchemaError
from ncimp.schemas.files import Row, file_hash, write_json
from tests.evaluator.tiny import VERSION, Tiny

SENTENCES, COMPOUNDS = "sentences/test-00000-of-00001.parquet", "compounds/test-00000-of-00001.parquet"


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    made = Tiny(tmp_path / "ncimp", compounds=3)
    made.write()
    return made


def manifest(tiny: Tiny) -> Row:
    found: Row = json.loads((tiny.folder / "manifest.json").read_text(encoding="utf-8"))
    return found


def rewrite(tiny: Tiny, path: str, change: Callable[[list[Row]], list[Row]]) -> None:
    """Change the rows of one table and keep the manifest in step, so that only the rows are wrong."""
    table = "item" if path == SENTENCES else "compound"
    rows = change(read_parquet(tiny.folder / path, table))
    write_parquet(tiny.folder / path, rows, table)
    told = manifest(tiny)
    for entry in told["files"]:
        if entry["path"] == path:
            entry |= {"sha256": file_hash(tiny.folder / path), "rows": len(rows)}
    write_json(tiny.folder / "manifest.json", told)


def message(tiny: Tiny, kind: type[NcimpError] = ReleaseError) -> str:
    with pytest.raises(kind) as caught:
        read_release(tiny.folder)
    assert caught.value.exit_code == 1
    assert caught.value.fix
    return str(caught.value)


def test_a_release_is_read_in_the_order_of_its_ids(tiny: Tiny) -> None:
    for path in (SENTENCES, COMPOUNDS):
        rewrite(tiny, path, lambda rows: rows[::-1])
    release = read_release(tiny.folder)
    assert (release.version, release.logical_sha256, release.languages) == (VERSION, "ab" * 32, ("en",))
    assert [compound.id for compound in release.compounds] == ["en/c0", "en/c1", "en/c2"]
    assert len(release.items) == 3 * 70
    assert [item.id for item in release.items] == sorted(item.id for item in release.items)
    first = release.items[0]
    assert (first.id, first.tokens, first.token_span) == ("en/c0/nat1/head", ("a", "c0_head", "."), (1, 2))


def test_no_manifest(tiny: Tiny) -> None:
    (tiny.folder / "manifest.json").unlink()
    assert "manifest.json: not a release: it has no manifest; give the folder of a release" in message(tiny)


def test_manifest_that_is_not_json(tiny: Tiny) -> None:
    (tiny.folder / "manifest.json").write_text('{"format": 1,', encoding="utf-8")
    assert "manifest.json:1:14: not JSON" in message(tiny, SchemaError)


@pytest.mark.parametrize(
    ("value", "expected"),
    [([], "the manifest is not an object"), ({"format": 2}, "2 is not 1"), ({}, "is missing")],
)
def test_manifest_that_breaks_its_schema(tiny: Tiny, value: object, expected: str) -> None:
    told = manifest(tiny)
    if value == {}:
        del told["release"]
    write_json(tiny.folder / "manifest.json", told | value if isinstance(value, dict) else value)
    assert expected in message(tiny, NcimpError)


@pytest.mark.parametrize("path", [SENTENCES, COMPOUNDS, "README.md"])
def test_a_listed_file_is_missing(tiny: Tiny, path: str) -> None:
    (tiny.folder / path).unlink()
    assert f"{path}: the manifest lists this file, but it is missing" in message(tiny)


@pytest.mark.parametrize("path", [SENTENCES, COMPOUNDS, "README.md"])
def test_a_listed_file_has_changed(tiny: Tiny, path: str) -> None:
    with (tiny.folder / path).open("ab") as stream:
        stream.write(b"!")
    assert f"{path}: its sha256 is not the one in the manifest" in message(tiny)


@pytest.mark.parametrize("path", ["../outside.parquet", "/etc/hostname"])
def test_a_file_outside_the_release(tiny: Tiny, path: str) -> None:
    told = manifest(tiny)
    told["files"][0]["path"] = path
    write_json(tiny.folder / "manifest.json", told)
    assert f"lists {path!r}, which is outside the release" in message(tiny)


@pytest.mark.parametrize(("place", "name"), [(0, "sentences"), (1, "compounds")])
def test_a_table_is_not_listed(tiny: Tiny, place: int, name: str) -> None:
    told = manifest(tiny)
    del told["files"][place]
    write_json(tiny.folder / "manifest.json", told)
    assert f"the manifest lists no {name}/*.parquet" in message(tiny)


def test_wrong_number_of_rows(tiny: Tiny) -> None:
    told = manifest(tiny)
    told["files"][0]["rows"] = 7
    write_json(tiny.folder / "manifest.json", told)
    assert f"{SENTENCES}: 210 rows where the manifest has 7" in message(tiny)


@pytest.mark.parametrize("path", [SENTENCES, COMPOUNDS])
def test_a_row_of_another_release(tiny: Tiny, path: str) -> None:
    rewrite(tiny, path, lambda rows: [*rows[:-1], rows[-1] | {"release": "0.2.0"}])
    assert "is of release '0.2.0', the manifest of '0.1.0'; do not mix releases" in message(tiny)


def test_a_row_of_another_language(tiny: Tiny) -> None:
    rewrite(tiny, COMPOUNDS, lambda rows: [rows[0] | {"lang": "pt"}, *rows[1:]])
    assert "en/c0 is in 'pt', which is not among the manifest's languages" in message(tiny)


def test_a_language_without_sentences(tiny: Tiny) -> None:
    write_json(tiny.folder / "manifest.json", manifest(tiny) | {"languages": ["en", "pt"]})
    assert "no sentence is in 'pt'" in message(tiny)


def test_columns_of_another_table(tiny: Tiny) -> None:
    told = manifest(tiny)
    told["files"][0]["path"] = "compounds/other.parquet"
    (tiny.folder / SENTENCES).rename(tiny.folder / "compounds/other.parquet")
    write_json(tiny.folder / "manifest.json", told)
    assert "compounds/other.parquet: the columns are not the table's" in message(tiny)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"compound_id": "en/c9"}, "its compound 'en/c9' is not among the compounds of 'en'"),
        ({"context": "nat4"}, "unknown context 'nat4'"),
        ({"variant": "ws6"}, "unknown context 'nat1' or variant 'ws6'"),
        ({"token_span": [2, 4]}, "its token span [2, 4) is not inside its 3 tokens"),
        ({"token_span": [1, 1]}, "its token span [1, 1) is not inside"),
    ],
)
def test_a_row_that_fits_nowhere(tiny: Tiny, change: Row, expected: str) -> None:
    rewrite(tiny, SENTENCES, lambda rows: [rows[0] | change, *rows[1:]])
    assert f"item 'en/c0/nat1/orig': {expected}" in message(tiny)


def test_rows_that_are_there_twice(tiny: Tiny) -> None:
    rewrite(tiny, SENTENCES, lambda rows: [*rows, rows[3]])
    assert "the item 'en/c0/nat1/mod' is there twice" in message(tiny)
    rewrite(tiny, SENTENCES, lambda rows: [*rows[:-1], rows[3] | {"id": "en/c0/nat1/other"}])
    assert "the cell 'en/c0/nat1/mod' is there twice" in message(tiny)
    rewrite(tiny, COMPOUNDS, lambda rows: [*rows, rows[0]])
    assert "the compound 'en/c0' is there twice" in message(tiny)
