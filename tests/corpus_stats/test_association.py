"""Measures of association: worked values, NLTK's on random tables, and what they must keep."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics import BigramAssocMeasures

from ncimp.corpus_stats.store.store import MEASURES, chi_square, dice, log_likelihood, pmi, t_score

NLTK = {
    "pmi": BigramAssocMeasures.pmi,
    "t_score": BigramAssocMeasures.student_t,
    "log_likelihood": BigramAssocMeasures.likelihood_ratio,
    "dice": BigramAssocMeasures.dice,
    "chi_square": BigramAssocMeasures.chi_sq,
}
CELL = st.integers(1, 10**6)


def measures(pair: int, *, first: int, second: int, total: int) -> dict[str, Any]:
    return {name: measure(pair, first=first, second=second, total=total) for name, measure in MEASURES.items()}


@given(CELL, CELL, CELL, CELL)
def test_measures_are_those_of_nltk(both: int, one: int, two: int, neither: int) -> None:
    first, second, total = both + one, both + two, both + one + two + neither
    ours = measures(both, first=first, second=second, total=total)
    for name, function in NLTK.items():
        theirs = function(both, (first, second), total)
        # near 0 the log-likelihood is a difference of large numbers (4 million), in NLTK as here
        assert math.isclose(ours[name], theirs, rel_tol=1e-9, abs_tol=1e-5)
    assert ours["ppmi"] == max(0.0, ours["pmi"])


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_small_tables_are_those_of_nltk_where_both_are_defined(both: int, one: int, two: int, neither: int) -> None:
    first, second, total = both + one, both + two, both + one + two + neither
    ours = measures(both, first=first, second=second, total=total)
    for name, function in NLTK.items():
        if ours[name] is not None:
            assert math.isclose(ours[name], function(both, (first, second), total), rel_tol=1e-9, abs_tol=1e-6)


def test_a_table_worked_out_by_hand() -> None:
    """w1 begins 8 of 20 pairs, w2 ends 5, together 4: expected 2, 6, 3, 9 where 4, 4, 1, 11 were seen."""
    counts = {"first": 8, "second": 5, "total": 20}
    assert pmi(4, **counts) == 1.0
    assert t_score(4, **counts) == 1.0
    assert dice(4, **counts) == 8 / 13
    assert chi_square(4, **counts) == pytest.approx(4 / 2 + 4 / 6 + 4 / 3 + 4 / 9)
    by_hand = 2 * (4 * math.log(2) + 4 * math.log(2 / 3) + math.log(1 / 3) + 11 * math.log(11 / 9))
    assert log_likelihood(4, **counts) == pytest.approx(by_hand)


@given(CELL, CELL, CELL, CELL)
def test_measures_do_not_depend_on_which_word_is_called_the_first(a: int, b: int, c: int, d: int) -> None:
    one = measures(a, first=a + b, second=a + c, total=a + b + c + d)
    two = measures(a, first=a + c, second=a + b, total=a + b + c + d)
    assert all(math.isclose(one[name], two[name], rel_tol=1e-9, abs_tol=1e-9) for name in one)


@pytest.mark.parametrize(
    ("counts", "undefined"),
    [
        ((0, 3, 4, 20), {"pmi", "ppmi", "t_score"}),
        ((0, 0, 4, 20), {"pmi", "ppmi", "t_score", "log_likelihood", "chi_square"}),
        ((0, 0, 0, 20), {"pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square"}),
        ((0, 0, 0, 0), {"pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square"}),
        ((5, 20, 5, 20), {"chi_square"}),
    ],
)
def test_what_a_zero_leaves_undefined(counts: tuple[int, int, int, int], undefined: set[str]) -> None:
    pair, first, second, total = counts
    found = measures(pair, first=first, second=second, total=total)
    assert {name for name, value in found.items() if value is None} == undefined
