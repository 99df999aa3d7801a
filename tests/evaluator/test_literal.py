"""Idiomatic against literal use of one compound: the config `sense_sentences` of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncimp.evaluator import Options, evaluate, read_release, write_evaluation
from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.pages.report import write_report
from ncimp.evaluator.records import LiteralUse
from ncimp.evaluator.vectors import open_vectors
from tests.evaluator.tiny import Tiny

MEANT = (0, 1, 2, 5)
FEW = Options(resamples=200)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    """Twelve compounds, four of which have a literal context."""
    tiny = Tiny(tmp_path_factory.mktemp("literal") / "ncimp", compounds=12, literal=MEANT)
    tiny.write()
    return tiny


def angle(word: str, sentence: str) -> float:
    """Return the direction of *word*: in a literal context the synonym is far off, and the word synonym near."""
    number, variant = word[1:].split("_")
    if "literal" in sentence:
        return {"orig": 0.0, "syn": 1.0 + 0.01 * int(number), "ws1": 0.1}[variant]
    return {"orig": 0.0, "syn": 0.1, "ws1": 0.9 + 0.01 * int(number)}.get(variant, 1.4)


def encode(sentences: list[str], spans: list[tuple[int, int]]) -> Any:
    angles = [angle(text[slice(*span)], text) for text, span in zip(sentences, spans, strict=True)]
    rows = np.array([[np.cos(one), np.sin(one)] for one in angles])
    rows[["c5_syn in literal" in sentence for sentence in sentences]] = np.nan
    return rows, rows


@pytest.fixture(scope="module")
def evaluation(tiny: Tiny) -> Evaluation:
    return evaluate(tiny.folder, encode, name="both uses", options=FEW)


def test_both_uses_of_a_compound_are_compared_within_it(evaluation: Evaluation) -> None:
    rows: dict[tuple[str, str], LiteralUse] = {(row.level, row.measure): row for row in evaluation.document.literal}
    assert len(rows) == 6
    literal = np.cos([1.0, 1.01, 1.02])  # compound 5 has no vector of its synonym
    row = rows["nc", "Sim_PSyn"]
    assert (row.n, row.missing) == (3, 1)
    assert row.idiomatic == pytest.approx(np.cos(0.1))
    assert row.literal == pytest.approx(literal.mean())
    assert row.difference == pytest.approx((np.cos(0.1) - literal).mean())
    assert (row.low or 1) < (row.difference or 0) < (row.high or 0)
    words = np.cos([0.9, 0.91, 0.92, 0.95])
    row = rows["sentence", "Sim_PWordsSyn_first"]
    assert (row.n, row.missing) == (4, 0)
    assert row.difference == pytest.approx((words - np.cos(0.1)).mean())
    row = rows["nc", "A_Syn|WordsSyn_first"]
    by_hand = np.cos(0.1) - words[:3] - (literal - np.cos(0.1))
    assert row.difference == pytest.approx(by_hand.mean())


def test_literal_contexts_stay_outside_the_grid(tiny: Tiny, evaluation: Evaluation) -> None:
    release = read_release(tiny.folder)
    assert len(release.literal) == 3 * len(MEANT)
    assert {item.context for item in release.literal} == {"literal"}
    assert not any(item.context == "literal" for item in release.items)
    assert evaluation.document.missing == ()


def test_the_page_has_a_section_of_its_own(tiny: Tiny, evaluation: Evaluation, tmp_path: Path) -> None:
    write_evaluation(tmp_path, evaluation)
    page = write_report(tmp_path, read_release(tiny.folder)).read_text(encoding="utf-8")
    section = page[page.index('<h2 id="literal">') :]
    assert section.index("Idiomatic against literal use of the same compounds") < section.index('<h2 id="missing">')


def test_a_release_without_literal_contexts_has_no_such_table(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path / "ncimp", compounds=12)
    found = evaluate(tiny.write(), encode, options=FEW)
    write_evaluation(tmp_path, found)
    assert found.document.literal == ()
    assert 'id="literal"' not in write_report(tmp_path).read_text(encoding="utf-8")


def test_precomputed_vectors_may_name_literal_items(tiny: Tiny, tmp_path: Path) -> None:
    release = read_release(tiny.folder)
    items = (*release.items, *release.literal)
    vectors = encode([item.sentence for item in items], [item.span for item in items])[0]
    np.savez(tmp_path / "m.npz", ids=np.array([item.id for item in items]), sentence=vectors)
    read = open_vectors(tmp_path / "m.npz", items).sentence(release.literal)
    np.testing.assert_array_equal(read, vectors[len(release.items) :])
