"""`ncimp task check`: rows in, the same rows with their incidents out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main

Output = pytest.CaptureFixture[str]


def checked(tmp_path: Path, *rows: object, more: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
    """The exit code of a batch of *rows*, and what it wrote."""
    source, target = tmp_path / "rows.jsonl", tmp_path / "checked.jsonl"
    source.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    code = main(["task", "check", "--input", str(source), "--out", str(target), *more])
    return code, [json.loads(line) for line in target.read_text("utf-8").splitlines()]


def test_incidents_are_added_and_all_else_is_kept(tmp_path: Path) -> None:
    row = {"id": 7, "lang": "pt", "sentence": "Ele viu uma casa velho .", "span": [3, 4]}
    english = {"lang": "en", "sentence": "This is a old house .", "span": [3, 5]}
    code, (first, second) = checked(tmp_path, row, english)
    assert code == 0
    message = "'velho' after 'casa'; write 'velha'"
    assert first == {**row, "incidents": [{"code": "A104", "index": 4, "word": "velho", "message": message}]}
    assert [found["word"] for found in second["incidents"]] == ["a"]


def test_sentence_that_agrees_has_an_empty_list(tmp_path: Path) -> None:
    _, rows = checked(tmp_path, {"lang": "pt", "sentence": "Ele viu uma casa velha .", "span": [3, 4]})
    assert rows[0]["incidents"] == []


def test_features_of_a_row_are_the_phrases(tmp_path: Path) -> None:
    row = {"lang": "pt", "sentence": "Ele viu a xqz .", "span": [3, 4]}
    _, rows = checked(tmp_path, row, {**row, "gender": "m", "number": "sg"}, {**row, "gender": "f", "number": "sg"})
    assert [[found["word"] for found in row["incidents"]] for row in rows] == [[], ["a"], []]


def test_lexicon_makes_words_known(tmp_path: Path) -> None:
    row = {"lang": "pt", "sentence": "Ele viu a xqz .", "span": [3, 4]}
    lexicon = tmp_path / "more.dict"
    lexicon.write_text("xqz\txqz+N+M+SG\n", encoding="utf-8")
    more = ("--morphology", f"pt={lexicon}")
    _, rows = checked(tmp_path, row, more=more)
    assert [found["word"] for found in rows[0]["incidents"]] == ["a"]


ROW = {"lang": "pt", "sentence": "Ele viu uma casa .", "span": [3, 4]}
BAD: list[tuple[dict[str, object], str]] = [
    ({**ROW, "span": [3, 9]}, "the span [3, 9] is not two places in a sentence of 5 words"),
    ({**ROW, "span": "3-4"}, "the span '3-4' is not two places"),
    ({"lang": "pt", "sentence": "Ele viu uma casa ."}, "the span None is not two places"),
    ({**ROW, "lang": "xx"}, "no language pack 'xx'"),
    ({**ROW, "gender": "masculine"}, "the gender 'masculine' is not known; write one of m, f, n, c, or leave it out"),
    ({**ROW, "number": "dual"}, "the number 'dual' is not known; write one of sg, pl, or leave it out"),
    ({"lang": "pt", "span": [3, 4]}, "the row has no 'sentence'"),
]


@pytest.mark.parametrize(("row", "problem"), BAD, ids=[problem for _, problem in BAD])
def test_bad_row_is_told_and_the_rest_is_done(
    tmp_path: Path, capsys: Output, row: dict[str, object], problem: str
) -> None:
    code, rows = checked(tmp_path, row, ROW)
    assert code == 1
    assert len(rows) == 1
    told = capsys.readouterr().err.splitlines()
    assert f"rows.jsonl:1: {problem}" in told[0]
    assert told[-1] == "1 rows done, 1 bad"
