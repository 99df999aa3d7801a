"""An evaluation in words: what fails, how much is missing, and how many predictions are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ncimp.evaluator import verdict
from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.records import Document, Missing, Outcome, ScorecardLine

PREDICTED = ScorecardLine(
    "m", "en", "all", "nc", "Sim_PSyn", "level", "high", True, "met", "met", "idiomatic", 0.5, 0.4, 0.6, 9
)


@pytest.fixture
def document(evaluation: Evaluation) -> Document:
    return evaluation.document


def main_line(outcome: Outcome, effect: float | None = -0.19, **changes: object) -> ScorecardLine:
    ends = {"low": effect and effect - 0.03, "high": effect and effect + 0.03}
    return replace(PREDICTED, aspect="sign", outcome=outcome, effect=effect, **(ends | changes))  # type: ignore[arg-type]


NEARER = "idioms lie nearer their synonym than their word-by-word paraphrase"
REVERSED = "idioms lie nearer their word-by-word paraphrase than their synonym"
OPEN = "whether idioms lie nearer their synonym or their word-by-word paraphrase cannot be told"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([main_line("reversed")], [f"English: {REVERSED} (A = −0.19 [−0.22, −0.16], n = 9)."]),
        ([main_line("met", 0.4, lang="pt")], [f"Portuguese: {NEARER} (A = 0.40 [0.37, 0.43], n = 9)."]),
        (
            [main_line("undecided", 0.01, level="sentence"), main_line("reversed"), main_line("met", 0.2, lang="ca")],
            [
                f"English: {REVERSED} (A = −0.19 [−0.22, −0.16], n = 9); "
                f"in whole sentences, {OPEN} (A = 0.01 [−0.02, 0.04], n = 9).",
                f"ca: {NEARER} (A = 0.20 [0.17, 0.23], n = 9).",
            ],
        ),
        (
            [main_line("met", 0.4), main_line("met", level="sentence")],
            [f"English: {NEARER} (A = 0.40 [0.37, 0.43], n = 9)."],
        ),
        ([main_line("undecided", None)], [f"English: {OPEN} (no idiom has both)."]),
        ([main_line("met", published=False), main_line("met", context_kind="neutral"), PREDICTED], []),
    ],
)
def test_the_main_line_in_words(document: Document, lines: Sequence[ScorecardLine], said: list[str]) -> None:
    assert list(verdict.findings(replace(document, scorecard=tuple(lines)))) == said


def test_published_predictions_over_all_contexts_are_counted(document: Document) -> None:
    outcomes: tuple[Outcome, ...] = ("met", "met", "met", "not met", "reversed", "undecided")
    own = [replace(PREDICTED, outcome=outcome) for outcome in outcomes]
    own += [replace(PREDICTED, published=False), replace(PREDICTED, context_kind="neutral")]
    own += [replace(PREDICTED, ideal="not met"), replace(PREDICTED, ideal="undecided")]
    ideal = (replace(PREDICTED, model="ideal"),) * 6
    shortcuts = (*ideal, replace(PREDICTED, outcome="not met", model="length"), replace(PREDICTED, model="overlap"))
    counted = replace(document, scorecard=tuple(own), baseline_scorecard=shortcuts)
    assert verdict.headline(counted).endswith(
        "meets 3 of the 6 published predictions that an ideal model meets in 2 settings: 2 are not met "
        "(1 of them reversed) and 1 are undecided. 2 that not even an ideal model meets are counted apart. "
        "The best shortcut, overlap, meets 1."
    )
    assert verdict.headline(replace(counted, scorecard=())) == "These results have no scorecard."


def test_missing_vectors_are_a_warning_from_one_per_cent_on(document: Document) -> None:
    def lost(level: str, *counts: int) -> tuple[Missing, ...]:
        return tuple(Missing("pt", level, "nat1", "syn", 24, count) for count in counts)  # type: ignore[arg-type]

    some = replace(document, missing=(*lost("nc", 17), *lost("sentence", 10, 6)))
    assert list(verdict.warnings(some)) == [
        "Warning: Portuguese, compound level: 17 of 1,680 items (1 %) have no vector, "
        "and the figures are over the others."
    ]
    assert list(verdict.warnings(document)) == []
