"""Scores of NCTTI and NCIMP as their authors give them, through our functions."""

from __future__ import annotations

import csv
import math
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from defusedxml import ElementTree

from ncimp.evaluator.correlation import plain_rho
from ncimp.evaluator.evaluation import type_scores
from ncimp.evaluator.figures import CLASS_SCORES
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.records import ClassName
from ncimp.evaluator.release import Compound

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
CLASSES: dict[str, ClassName] = {"NC": "idiomatic", "PC": "partly_compositional", "C": "compositional"}
pytestmark = pytest.mark.shared


def nctti(shared: Path, lang: str) -> list[dict[str, str]]:
    with (shared / "sources" / "nctti" / f"data_{lang}.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def spreadsheet(shared: Path) -> list[dict[str, Any]]:
    """Return the rows of the sheet of scores, by the names of its first row."""
    with zipfile.ZipFile(shared / "sources" / "ncimp-dev" / "human_compositionality scores.xlsx") as book:
        strings = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        texts = ["".join(part.text or "" for part in one.iter(f"{SHEET}t")) for one in strings]
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    rows: list[dict[str, Any]] = []
    for row in sheet.iter(f"{SHEET}row"):
        cells: dict[str, Any] = {}
        for cell in row:
            value = cell.findtext(f"{SHEET}v")
            if value is not None:
                column = re.sub(r"\d", "", cell.get("r"))
                cells[column] = texts[int(value)] if cell.get("t") == "s" else float(value)
        rows.append(cells)
    names = rows[0]
    return [{names[column]: value for column, value in row.items()} for row in rows[1:]]


def compounds(rows: list[dict[str, str]], lang: str, comp: FloatArray | None = None) -> list[Compound]:
    given = [math.nan] * len(rows) if comp is None else comp.tolist()
    facts: dict[str, Any] = {"head": "", "modifier": "", "zipf": None, "overlap_free": False, "split": "test"}
    return [
        Compound(
            row["compound"],
            lang,
            row["compound"],
            compound_class=CLASSES[row["CompScale"]],
            comp=None if math.isnan(score) else score,
            **facts,
        )
        for row, score in zip(rows, given, strict=True)
    ]


def sentence_means(rows: list[dict[str, str]]) -> Any:
    found = np.full((len(rows), 3, 3), np.nan)
    found[:, :, 0] = [[float(row[f"MeanS{k}"]) for k in (1, 2, 3)] for row in rows]
    return found


@pytest.mark.parametrize(("lang", "n"), [("en", 280), ("pt", 180)])
def test_the_score_of_a_compound_is_the_mean_over_its_sentences(shared: Path, lang: str, n: int) -> None:
    rows = nctti(shared, lang)
    assert len(rows) == n
    ours = type_scores(compounds(rows, lang), sentence_means(rows))
    # experts judged the class, and others the scores: they should agree, and not be the same
    classes = np.array([CLASS_SCORES[compound.compound_class] for compound in compounds(rows, lang)])
    assert 0.6 < (plain_rho(ours, classes) or 0) < 0.9
    given = np.array([float(row["CompType"] or "nan") for row in rows])
    there = ~np.isnan(given)
    assert (plain_rho(ours[there], given[there]) or 0) > 0.85
    # a score that is given stays; the others come from the sentences
    filled = type_scores(compounds(rows, lang, given), sentence_means(rows))
    np.testing.assert_array_equal(filled, np.where(there, given, ours))


def test_it_is_close_to_the_pooled_mean_that_was_published(shared: Path) -> None:
    # the sheet of NCIMP pools the judgements of the three English sentences, which had not all as many annotators
    rows = nctti(shared, "en")
    ours = dict(
        zip(
            [r["compound"].lower() for r in rows], type_scores(compounds(rows, "en"), sentence_means(rows)), strict=True
        )
    )
    theirs = {
        row["compound"].lower(): row["CompositionalityTokenSents"]
        for row in spreadsheet(shared)
        if row["language"] == "en" and row["experiment_type"] == "Naturalistic"
    }
    names = sorted(set(ours) & set(theirs))
    assert len(names) == 279
    one, other = (np.array([found[name] for name in names]) for found in (ours, theirs))
    assert np.abs(one - other).max() < 0.25
    assert (plain_rho(one, other) or 0) > 0.99
