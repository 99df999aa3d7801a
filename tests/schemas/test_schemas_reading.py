"""Canonical files as they are read: back to what was written, or refused at the offending cell."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.schemas.errors import NcimpError, SchemaError, SourceError
from ncimp.schemas.files import (
    Row,
    read_json,
    read_jsonl,
    read_text,
    read_tsv,
    write_json,
    write_jsonl,
    write_tsv,
)

COLUMNS = ("form", "lemma", "pos")
ADD_TAB = "add the missing tab, or write _ for a value that does not apply"

# C0 controls are left out: JSON escapes them, and an escape followed by a combining mark is another matter
TEXTS = st.text(st.characters(exclude_categories=["Cs"], min_codepoint=0x20)).map(
    lambda text: unicodedata.normalize("NFC", text)
)
CELLS = st.none() | TEXTS.map(str.strip).filter(lambda text: text not in ("", "_"))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(SCALARS, lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXTS, part, max_size=3))


@settings(deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS)))
def test_tsv_reads_back_as_it_was_written(rows: list[tuple[str | None, ...]]) -> None:
    wanted = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        write_tsv(Path(folder) / "a.tsv", wanted, COLUMNS)
        found = list(read_tsv(Path(folder) / "a.tsv", COLUMNS))
    assert found == list(enumerate(wanted, start=2))


@settings(deadline=None)
@given(st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), max_size=4))
def test_jsonl_reads_back_as_it_was_written(rows: list[Row]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_jsonl(Path(folder) / "a.jsonl", rows)
        found = list(read_jsonl(Path(folder) / "a.jsonl"))
    assert found == list(enumerate(rows, start=1))
    assert [list(row) for _, row in found] == [list(row) for row in rows]


@settings(deadline=None)
@given(VALUES)
def test_json_reads_back_as_it_was_written(value: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_json(Path(folder) / "a.json", value)
        assert read_json(Path(folder) / "a.json") == value


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"])
def test_a_line_separator_inside_a_json_string_does_not_end_the_line(tmp_path: Path, mark: str) -> None:
    write_jsonl(tmp_path / "a.jsonl", [{"a": f"x{mark}y"}])
    assert list(read_jsonl(tmp_path / "a.jsonl")) == [(1, {"a": f"x{mark}y"})]


TSV_ERRORS = {
    "empty file": (b"", "1", "wrong header line", "it should name, tab-separated: form lemma pos"),
    "other header": (b"form\tpos\tlemma\n", "1", "wrong header line", "it should name, tab-separated: form lemma pos"),
    "missing column": (b"form\tlemma\n", "1", "wrong header line", "it should name, tab-separated: form lemma pos"),
    "cell too few": (b"form\tlemma\tpos\na\tb\tc\na\tb\n", "3", "2 cells where the header has 3", ADD_TAB),
    "cell too many": (b"form\tlemma\tpos\na\tb\tc\td\n", "2", "4 cells where the header has 3", ADD_TAB),
    "blank line": (b"form\tlemma\tpos\n\na\tb\tc\n", "2", "1 cells where the header has 3", ADD_TAB),
    "blank cell": (
        b"form\tlemma\tpos\na\t\tc\n",
        "2:lemma",
        "cell '' is blank or padded",
        "write _ for a value that does not apply",
    ),
    "cell of spaces": (
        b"form\tlemma\tpos\na\tb\t  \n",
        "2:pos",
        "cell '  ' is blank or padded",
        "write _ for a value that does not apply",
    ),
    "padded cell": (
        b"form\tlemma\tpos\n a\tb\tc\n",
        "2:form",
        "cell ' a' is blank or padded",
        "take out the spaces",
    ),
    "one line ends with CR LF": (
        b"form\tlemma\tpos\na\tb\tc\nd\te\tf\r\n",
        "3",
        "line ends with CR LF",
        "save the file with LF line ends",
    ),
    "every line ends with CR LF": (
        b"form\tlemma\tpos\r\na\tb\tc\r\n",
        "1",
        "line ends with CR LF",
        "save the file with LF line ends",
    ),
}


@pytest.mark.parametrize("case", TSV_ERRORS)
def test_a_table_with_a_fault_is_refused_at_its_place_with_advice(tmp_path: Path, case: str) -> None:
    content, place, what, fix = TSV_ERRORS[case]
    path = tmp_path / "forms.tsv"
    path.write_bytes(content)
    with pytest.raises(SchemaError) as caught:
        list(read_tsv(path, COLUMNS))
    assert str(caught.value) == f"{path}:{place}: {what}; {fix}"


def test_a_last_line_without_line_end_is_a_row(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"a\tb\n1\t_")
    assert list(read_tsv(tmp_path / "a.tsv", ("a", "b"))) == [(2, {"a": "1", "b": None})]


def test_only_a_whole_cell_of_one_underscore_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"a\tb\n__\ta_b\n")
    assert list(read_tsv(tmp_path / "a.tsv", ("a", "b"))) == [(2, {"a": "__", "b": "a_b"})]


def test_rows_before_the_fault_are_handed_out_first(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"a\tb\n1\t2\n3\n")
    rows = read_tsv(tmp_path / "a.tsv", ("a", "b"))
    assert next(rows) == (2, {"a": "1", "b": "2"})
    with pytest.raises(SchemaError, match="1 cells where the header has 2"):
        next(rows)


def test_text_that_is_not_composed_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("caf\u00e9\ncafe\u0301\n", encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read_text(path)
    assert str(caught.value) == f"{path}:2: text is not in Unicode form NFC; normalise it"


def test_bytes_that_are_not_utf8_are_refused_by_number(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("pé".encode("latin-1"))
    with pytest.raises(SourceError) as caught:
        read_text(path)
    assert str(caught.value) == f"{path}: byte 1 is not UTF-8; save the file as UTF-8"


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as missing:
        read_text(tmp_path / "a.txt")
    with pytest.raises(SourceError) as folder:
        read_text(tmp_path)
    assert str(missing.value) == f"{tmp_path / 'a.txt'}: no such file; check the path"
    assert str(folder.value) == f"{tmp_path}: cannot be read (Is a directory); check the path"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}\n{"a": }\n', ":2:7: not JSON (Expecting value); write one JSON object a line"),
        ('{"a": 1}\n\n', ":2:1: not JSON (Expecting value); write one JSON object a line"),
        ('{"a": 1}\n[1]\n', ":2: not an object; write one JSON object a line"),
        ('{"a": 1} {"a": 2}\n', ":1:10: not JSON (Extra data); write one JSON object a line"),
    ],
)
def test_a_line_that_is_not_a_json_object_is_refused_at_its_place(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SchemaError) as caught:
        list(read_jsonl(path))
    assert str(caught.value) == f"{path}{message}"


def test_json_that_is_cut_off_is_refused_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{\n  "a": [1,\n', encoding="utf-8")
    with pytest.raises(SchemaError) as caught:
        read_json(path)
    assert str(caught.value) == f"{path}:3:1: not JSON (Expecting value); mend or remove the file"


@pytest.mark.parametrize("content", [b"\xff\xfe", "cafe\u0301".encode(), b"{", b"\r\n", b"a\tb"])
def test_no_reader_answers_a_bad_file_with_a_traceback(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    for read in (read_json, lambda given: list(read_jsonl(given)), lambda given: list(read_tsv(given, COLUMNS))):
        with pytest.raises(NcimpError):
            read(path)
