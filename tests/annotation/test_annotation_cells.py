"""Cells of `tasks.csv`: no program takes them for anything but text, and nothing of the text is lost."""

from __future__ import annotations

import csv
import html
import io
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.annotation.task.cells import cell, csv_text, plain
from tests.annotation.annotation_world import HOSTILE

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
AWKWARD = st.text("=+-@\t\r\n &;#<>\"'${}0123456789.,eENAnul%\u202e\u200f＝＠ a\u0301")
RISKY = [
    *HOSTILE,
    *("NA", "nan", "null", "None", "TRUE", "falso", "12", " 12", "1e5", "3/4", "-", "=", "＝1+1", "@x", "\t=1", "007"),
    *("&amp;", "&#61;", "&copy;", "&", "", " ", "night owl", "café", "…"),
]


def test_a_cell_is_written_so() -> None:
    for text, written in [
        ("=cmd()", "&#61;cmd()"),
        (" =cmd()", " &#61;cmd()"),
        ("-5", "&#45;5"),
        ("NA", "&#78;A"),
        ("3 < 4", "&#51; &lt; 4"),
        ("a ${head} b", "a &#36;&#123;head} b"),
        ("]]>", "]]&gt;"),
        ("two\nlines", "two&#10;lines"),
        ("\u202ex", "&#8238;x"),
        ("&#61;", "&amp;#61;"),
        (", and then", ", and then"),
        ("pão-duro", "pão-duro"),
    ]:
        assert cell(text) == written


@given(st.one_of(TEXT, AWKWARD))
def test_a_cell_reads_back_as_it_was(text: str) -> None:
    assert plain(cell(text)) == text


@given(st.one_of(TEXT, AWKWARD))
def test_a_cell_begins_no_formula_and_holds_no_markup(text: str) -> None:
    written = cell(text)
    assert not written.lstrip().startswith(("=", "+", "-", "@", "\t", "\r", "|", "%", "＝", "＋", "－", "＠"))
    assert not set(written) & set("<>\"'${\n\r\t\u202e\u202d\u200f\u2028")
    assert "]]>" not in written


def test_a_browser_reads_a_cell_as_the_text() -> None:
    for text in [one for one in RISKY if "\t" not in one]:
        assert html.unescape(cell(text)) == text


def table() -> str:
    return csv_text([{"id": f"a{n}", "text": cell(text)} for n, text in enumerate(RISKY)], ("id", "text"))


def test_the_table_reads_back_by_the_csv_dialect_of_the_services() -> None:
    rows = list(csv.DictReader(io.StringIO(table())))
    assert [plain(row["text"]) for row in rows] == RISKY
    assert table().splitlines()[0] == '"id","text"'
    assert all(line.startswith('"') and line.endswith('"') for line in table().splitlines())


def test_the_table_goes_through_a_data_frame_with_nothing_set() -> None:
    frame = pd.read_csv(io.StringIO(table()))
    again = pd.read_csv(io.StringIO(frame.to_csv(index=False)))
    assert [plain(text) for text in again["text"].fillna("")] == RISKY


def test_the_table_goes_through_a_spreadsheet(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="no spreadsheet library on this machine")
    book = openpyxl.Workbook()
    for row in csv.reader(io.StringIO(table())):
        book.active.append(row)
    assert {one.data_type for row in book.active.iter_rows() for one in row} <= {"s", "n"}  # n: an empty cell
    book.save(tmp_path / "tasks.xlsx")
    read = openpyxl.load_workbook(tmp_path / "tasks.xlsx").active.iter_rows(min_row=2, values_only=True)
    assert [plain(str(text or "")) for _, text in read] == RISKY
