"""Batches of rows: what is read, what is told, what is written, and that a bad row stops nothing."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncimp.builder.commands.task import MAX_ROW, RowTally, answer_rows, optional_text, text_of
from ncimp.schemas.errors import NcimpError, SchemaError, SourceError, UsageError
from ncimp.schemas.files import Row

Output = pytest.CaptureFixture[str]


def shout(row: Row) -> Row:
    """The answer of these tests: the input in capitals."""
    return {**row, "output": text_of(row, "input").upper()}


def write(path: Path, *lines: str | bytes) -> str:
    path.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
    return str(path)


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def test_rows_keep_their_fields_and_gain_the_answer(tmp_path: Path, capsys: Output) -> None:
    source = write(tmp_path / "in", '{"id": 7, "input": "maçã"}', "", '{"input": "b", "more": [1, null]}')
    assert answer_rows(source, str(tmp_path / "out"), shout) == RowTally(answered=2, bad=0)
    assert (tmp_path / "out").read_text("utf-8") == (
        '{"id": 7, "input": "maçã", "output": "MAÇÃ"}\n{"input": "b", "more": [1, null], "output": "B"}\n'
    )
    assert capsys.readouterr().err == ""


BROKEN: list[tuple[str | bytes, str]] = [
    ("{", "not JSON (Expecting property name"),
    ("[1]", "not an object"),
    ('{"input": 3}', "'input' is 3, not a text"),
    ('{"input": "  "}', "'input' is '  ', not a text"),
    ("{}", "the row has no 'input'"),
    ('{"input": null}', "the row has no 'input'"),
    (b'{"input": "ma\xe7\xe3"}', "byte 14 is not UTF-8"),
    ('{"input": NaN}', "cannot be read as JSON (NaN is no JSON)"),
    ('{"input": "\\ud800"}', "half of a surrogate pair"),
    ("[" * 100_000, "cannot be read as JSON"),
    ('{"n": ' + "9" * 5000 + "}", "cannot be read as JSON"),
    ('{"input": "' + "a" * MAX_ROW + '"}', "a row of more than"),
    ("\ufeff{}", "not JSON"),
]


@pytest.mark.parametrize(("line", "words"), BROKEN, ids=lambda part: str(part)[:20])
def test_bad_row_is_reported_and_skipped(tmp_path: Path, capsys: Output, line: str | bytes, words: str) -> None:
    source = write(tmp_path / "in", '{"input": "a"}', "", line, '{"input": "b"}')
    tally = answer_rows(source, str(tmp_path / "out"), shout)
    assert (tally.answered, tally.bad) == (2, 1)
    assert [row["output"] for row in read(tmp_path / "out")] == ["A", "B"]
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"{source}:3: {words}")
    assert "; " in told


def test_refused_row_is_reported(tmp_path: Path, capsys: Output) -> None:
    def refuse(row: Row) -> Row:
        raise NcimpError(f"no answer to {row['input']!r}", fix="ask another")

    source = write(tmp_path / "in", '{"input": "a"}')
    assert answer_rows(source, str(tmp_path / "out"), refuse).bad == 1
    assert capsys.readouterr().err == f"{source}:1: no answer to 'a'; ask another\n"
    assert (tmp_path / "out").read_bytes() == b""


def test_other_languages_are_skipped_and_default_is_the_only_one(tmp_path: Path) -> None:
    lines = ['{"lang": "en", "input": "a"}', '{"lang": "pt", "input": "b"}', '{"input": "c"}']
    source, target = write(tmp_path / "in", *lines), tmp_path / "out"
    assert answer_rows(source, str(target), shout, langs=["pt"]) == RowTally(answered=2, bad=0, skipped=1)
    assert [(row["lang"], row["output"]) for row in read(target)] == [("pt", "B"), ("pt", "C")]
    assert answer_rows(source, str(target), shout, langs=["pt", "en"]) == RowTally(answered=2, bad=0, skipped=1)


def test_missing_input_leaves_no_output(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        answer_rows(str(tmp_path / "none"), str(tmp_path / "out"), shout)
    with pytest.raises(SourceError, match="cannot be read"):
        answer_rows(str(tmp_path), str(tmp_path / "out"), shout)
    assert list(tmp_path.iterdir()) == []


def test_impossible_output_is_wrong_use(tmp_path: Path) -> None:
    source = write(tmp_path / "in", "{}")
    with pytest.raises(UsageError, match="is a folder"):
        answer_rows(source, str(tmp_path), shout)
    with pytest.raises(UsageError, match="cannot be written"):
        answer_rows(source, str(tmp_path / "in" / "out"), shout)


def test_broken_batch_keeps_old_output(tmp_path: Path) -> None:
    def crash(_: Row) -> Row:
        raise KeyboardInterrupt

    source = write(tmp_path / "in", "{}")
    (tmp_path / "out").write_text("old", "utf-8")
    with pytest.raises(KeyboardInterrupt):
        answer_rows(source, str(tmp_path / "out"), crash)
    assert (tmp_path / "out").read_text("utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_input_may_be_output(tmp_path: Path) -> None:
    source = write(tmp_path / "in", '{"input": "a"}')
    answer_rows(source, source, shout)
    assert read(tmp_path / "in") == [{"input": "a", "output": "A"}]


def test_standard_streams_are_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    arriving = io.TextIOWrapper(io.BytesIO('{"input": "é"}\n{'.encode()), encoding="latin-1")
    leaving = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr(sys, "stdin", arriving)
    monkeypatch.setattr(sys, "stdout", leaving)
    assert answer_rows("-", "-", shout) == RowTally(answered=1, bad=1)
    leaving.buffer.seek(0)
    assert leaving.buffer.read() == '{"input": "é", "output": "É"}\n'.encode()
    sys.stdout.write("still open")


def test_pipe_is_not_replaced(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    listener = threading.Thread(target=lambda: heard.append(pipe.read_text("utf-8")))
    listener.start()
    answer_rows(write(tmp_path / "in", '{"input": "a"}'), str(pipe), shout)
    listener.join(10)
    assert heard == ['{"input": "a", "output": "A"}\n']
    assert pipe.is_fifo()


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    source = write(tmp_path / "in", *['{"input": "a"}'] * 1000)
    for screen, shown in ((Terminal(), "\r500 rows\r1000 rows\r"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", screen)
        answer_rows(source, str(tmp_path / "out"), shout)
        assert screen.getvalue() == shown


def test_text_is_normalised() -> None:
    assert text_of({"a": " mac\u0327a\u0303  podre "}, "a") == "maçã podre"
    assert optional_text({}, "a") is None
    with pytest.raises(SchemaError):
        optional_text({"a": []}, "a")


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=5) | st.integers() | st.none(), max_size=4)))
def test_rows_pass_through_unchanged(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    folder = tmp_path_factory.mktemp("rows")
    source = write(folder / "in", *(json.dumps(row) for row in rows))
    assert answer_rows(source, str(folder / "out"), dict) == RowTally(len(rows), 0)
    assert read(folder / "out") == rows
