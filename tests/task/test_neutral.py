"""`ncimp task neutral`: phrases in neutral frames, singular and plural, and rows that ask for what there is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main

Output = pytest.CaptureFixture[str]


def run(folder: Path, rows: list[dict[str, Any]]) -> tuple[int, list[str]]:
    source, target = folder / "rows.jsonl", folder / "made.jsonl"
    source.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    code = main(["task", "neutral", "--input", str(source), "--out", str(target)])
    return code, [json.loads(line)["sentence"] for line in target.read_text("utf-8").splitlines()]


FILLED = [
    ("en", "short", "acid test", "This is an acid test."),
    ("en", "short", "ewe lamb", "This is a ewe lamb."),
    ("en", "short_pl", "sister-in-law", "These are sisters-in-law."),
    ("en", "long", "FBI agent", "This is what an FBI agent is supposed to be."),
    ("en", "neut_long_pl", "wise man", "This is what wise men are supposed to be."),
    ("pt", "short", "casa velha", "Esta é uma casa velha."),
    ("pt", "short", "casas velhas", "Estas são casas velhas."),
    ("pt", "short_pl", "caminhão azul", "Estes são caminhões azuis."),
    ("pt", "long", "tartaruga marinha", "Isto é o que uma tartaruga marinha deveria ser."),
    ("pt", "long_pl", "animal feroz", "Isto é o que uns animais ferozes deveriam ser."),
]
"""Language, context, phrase and sentence."""

BAD: list[tuple[dict[str, Any], str]] = [
    (
        {"lang": "en", "context": "tall", "phrase": "old test"},
        "'tall'; ask for one of short, long, or with _pl",
    ),
    ({"lang": "en", "context": "short", "phrase": "acid [test"}, "a bracket in the phrase"),
    ({"lang": "en", "context": "short"}, "the row has no 'phrase'"),
    ({"lang": "xx", "context": "short", "phrase": "acid test"}, "no language pack 'xx'"),
]
"""Rows, and what is said of them."""


def test_frames_are_filled(tmp_path: Path) -> None:
    rows = [{"lang": lang, "context": context, "phrase": phrase} for lang, context, phrase, _ in FILLED]
    assert run(tmp_path, rows) == (0, [sentence for *_, sentence in FILLED])


def test_bad_row_is_reported_and_skipped(tmp_path: Path, capsys: Output) -> None:
    good = {"lang": "en", "context": "short", "phrase": "hour hand"}
    assert run(tmp_path, [*(row for row, _ in BAD), good]) == (1, ["This is an hour hand."])
    told = capsys.readouterr().err.splitlines()
    for number, (line, (_, message)) in enumerate(zip(told, BAD, strict=False), start=1):
        assert f"rows.jsonl:{number}: " in line
        assert message in line
