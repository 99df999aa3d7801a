"""Canonical files as they are written: byte by byte, and all or nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import atomic_path, write_json, write_jsonl, write_text, write_tsv

DECOMPOSED, COMPOSED = "cafe\u0301", "caf\u00e9"


def test_tsv_has_a_header_lower_case_booleans_and_an_underscore_for_none(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    write_tsv(path, [{"b": None, "a": "x y"}, {"a": 3, "b": True}, {"a": 0.5, "b": False}], ("a", "b"))
    assert path.read_bytes() == b"a\tb\nx y\t_\n3\ttrue\n0.5\tfalse\n"


def test_tsv_leaves_out_what_is_not_a_column(tmp_path: Path) -> None:
    write_tsv(tmp_path / "a.tsv", [{"a": "1", "b": "2", "c": "3"}], ("c", "a"))
    assert (tmp_path / "a.tsv").read_bytes() == b"c\ta\n3\t1\n"


def test_tsv_without_rows_is_its_header(tmp_path: Path) -> None:
    write_tsv(tmp_path / "a.tsv", [], ("a", "b"))
    assert (tmp_path / "a.tsv").read_bytes() == b"a\tb\n"


def test_json_is_indented_unescaped_and_in_the_order_given(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"z": "pé", "a": [1, None]})
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == (
        '{\n  "z": "pé",\n  "a": [\n    1,\n    null\n  ]\n}\n'
    )


def test_jsonl_has_one_object_a_line_in_the_order_given(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [{"z": "pé", "a": 1}, {"a": "x\ny"}])
    assert (tmp_path / "a.jsonl").read_text(encoding="utf-8") == '{"z": "pé", "a": 1}\n{"a": "x\\ny"}\n'


def test_text_is_written_composed_as_utf8(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", f"{DECOMPOSED}\n")
    assert (tmp_path / "a.txt").read_bytes() == f"{COMPOSED}\n".encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("write", [lambda path, row: write_json(path, row), lambda path, row: write_jsonl(path, [row])])
def test_a_number_that_json_has_no_word_for_is_not_written(
    tmp_path: Path, value: float, write: Callable[[Path, Any], None]
) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        write(tmp_path / "a.json", {"a": value})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mark", ["\t", "\n", "\r"])
def test_a_cell_that_would_break_its_line_is_refused_with_its_column(tmp_path: Path, mark: str) -> None:
    with pytest.raises(SchemaError) as caught:
        write_tsv(tmp_path / "a.tsv", [{"a": "1", "b": f"x{mark}y"}], ("a", "b"))
    assert caught.value.what == f"the cell {f'x{mark}y'!r} holds a tab or a line end"
    assert caught.value.fix == "take it out"
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place.column) == (str(tmp_path / "a.tsv"), "b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cell", ["", " x", "x ", "_"])
def test_a_cell_that_would_not_read_back_is_refused(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "a.tsv"
    with pytest.raises(SchemaError):
        write_tsv(path, [{"a": cell, "b": "y"}], ("a", "b"))
    assert not path.exists()


def test_the_old_file_stands_until_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with atomic_path(path) as aside:
        aside.write_text("new", encoding="utf-8")
        assert aside.parent == path.parent
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


def write_half(path: Path, error: type[BaseException]) -> None:
    with atomic_path(path) as aside:
        aside.write_text("half", encoding="utf-8")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_block_that_raises_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(error):
        write_half(path, error)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_rows_that_fail_on_the_way_leave_the_old_file(tmp_path: Path) -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield {"a": 1}
        raise LookupError

    path = tmp_path / "a.jsonl"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(LookupError):
        write_jsonl(path, rows())
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_folders_above_a_file_are_made(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "b" / "c.txt", "x")
    assert (tmp_path / "a" / "b" / "c.txt").read_text(encoding="utf-8") == "x"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
def test_a_file_is_as_readable_as_the_users_others(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "a.txt", "x")
        left = os.umask(mask)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == mode
    assert left == mask
