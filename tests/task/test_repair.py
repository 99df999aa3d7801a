"""`ncimp task repair` from end to end: rows in, repaired rows out, bad rows told and the rest done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncimp.builder.cli import main

Output = pytest.CaptureFixture[str]

HOUSE = {"lang": "pt", "source": "A casa velha foi vendida .", "source_span": [1, 3], "substitute": "castelos antigos"}
ARTICLE = {"lang": "en", "source": "This is an old car .", "source_span": [3, 5], "substitute": "wise hour"}


def run(folder: Path, rows: list[Any], *options: str) -> tuple[int, list[dict[str, Any]]]:
    source, target = folder / "rows.jsonl", folder / "made.jsonl"
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    source.write_text("\n".join(lines) + "\n", "utf-8")
    code = main(["task", "repair", "--input", str(source), "--out", str(target), *options])
    return code, [json.loads(line) for line in target.read_text("utf-8").splitlines()]


def test_row_comes_back_with_its_sentence_its_edits_and_what_is_uncertain(tmp_path: Path) -> None:
    code, (house, article) = run(tmp_path, [{**HOUSE, "note": 7}, ARTICLE])
    assert code == 0
    assert house["sentence"] == "Os castelos antigos foram vendidos ."
    assert house["edits"] == [
        {"start": 0, "before": "A", "after": "Os", "rule": "definite article"},
        {"start": 20, "before": "foi", "after": "foram", "rule": "main clause"},
        {"start": 26, "before": "vendida", "after": "vendidos", "rule": "main clause"},
    ]
    assert (house["uncertain"], house["note"]) == ([], 7)
    assert article["sentence"] == "This is a wise hour ."


def test_undecided_rule_is_named(tmp_path: Path) -> None:
    row = {**HOUSE, "source": "Comprou a casa velha , pintada de azul .", "source_span": [2, 4]}
    _, (made,) = run(tmp_path, [{**row, "substitute": "castelo antigo"}])
    assert made["sentence"] == "Comprou o castelo antigo , pintada de azul ."
    assert made["uncertain"] == ["participle after a comma"]


def test_rule_that_is_switched_off_changes_nothing(tmp_path: Path) -> None:
    _, (made,) = run(tmp_path, [HOUSE], "--without", "main clause")
    assert made["sentence"] == "Os castelos antigos foi vendida ."


@pytest.mark.parametrize(("kind", "article"), [("mod", "A"), ("comp_head", "A"), ("gold_syn", "O")])
def test_component_alone_leaves_its_carrier(tmp_path: Path, kind: str, article: str) -> None:
    _, (made,) = run(tmp_path, [{**HOUSE, "substitute": "castelo", "variant_type": kind}])
    assert made["sentence"].split()[0] == article


def test_lexicon_of_the_users_own_gives_the_forms_of_a_word(tmp_path: Path) -> None:
    forms = tmp_path / "forms.tsv"
    rows = ["form\tlemma\tpos\tgender\tnumber\tonset", "zumbalho\tzumbalho\tnoun\tf\tsg\t_"]
    forms.write_text("\n".join(rows) + "\n", "utf-8")
    row = {**HOUSE, "substitute": "zumbalho"}
    assert run(tmp_path, [row])[1][0]["sentence"].startswith("O zumbalho foi vendido")
    assert run(tmp_path, [row], "--morphology", f"pt={forms}")[1][0]["sentence"].startswith("A zumbalho foi vendida")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "not JSON"),
        ({**HOUSE, "lang": "xx"}, "no language pack 'xx'"),
        ({key: value for key, value in HOUSE.items() if key != "substitute"}, "the row has no 'substitute'"),
        ({**HOUSE, "source_span": [1, 9]}, "[1, 9] is not two places in a sentence of 6 words"),
        ({**HOUSE, "source_span": [3, 3]}, "[3, 3] is not two places"),
        ({**HOUSE, "source_span": "1-3"}, "'1-3' is not two places"),
        ({**HOUSE, "source_span": [True, 3]}, "[True, 3] is not two places"),
    ],
)
def test_bad_row_is_reported_and_skipped(tmp_path: Path, capsys: Output, row: object, message: str) -> None:
    code, made = run(tmp_path, [HOUSE, row, ARTICLE])
    assert code == 1
    assert [found["lang"] for found in made] == ["pt", "en"]
    told = capsys.readouterr().err
    assert "rows.jsonl:2: " in told
    assert message in told


def test_unknown_rule_is_wrong_use(tmp_path: Path, capsys: Output) -> None:
    assert main(["task", "repair", "--input", "a", "--out", str(tmp_path / "b"), "--without", "magic"]) == 2
    assert "left chain" in capsys.readouterr().err
