"""The account of why rho differs: pairs that change places, and nothing else."""

from __future__ import annotations

import pytest

from tests.evaluator.near_ties import Swap, explained, tied

ONE = {"a": 0.1, "b": 0.2, "c": 0.2 + 1e-7, "d": 0.9}
OTHER = {"a": 0.1, "b": 0.2 + 1e-7, "c": 0.2, "d": 0.8}
SCORE = {"a": 0.0, "b": 2.0, "c": 1.0, "d": 1.0}


def test_a_pair_that_changes_places_accounts_for_the_difference() -> None:
    found = explained(ONE, OTHER, SCORE)
    assert [(pair.first, pair.second) for pair in found.swaps] == [("b", "c")]
    assert found.swaps[0].gap == pytest.approx(1e-7)
    # ranks 1 2 3 4 and 1 3 2 4 with those of the score, 1 4 2.5 2.5: deviations -1.5 1.5 0 0
    assert found.rho == pytest.approx((2.25 - 0.75) / (5 * 4.5) ** 0.5)
    assert found.other == pytest.approx((2.25 + 0.75) / (5 * 4.5) ** 0.5)
    assert found.tied == found.other_tied


def test_what_is_no_swap_is_not_explained_away() -> None:
    found = explained(ONE, ONE | {"d": 0.0}, SCORE)
    assert {pair.second for pair in found.swaps} == {"d"}
    assert max(pair.other_gap for pair in found.swaps) > 0.1


def test_pairs_that_hang_together_are_one_tie() -> None:
    pairs = [Swap("c", "d", 0.0, 0.0), Swap("a", "b", 0.0, 0.0), Swap("b", "c", 0.0, 0.0)]
    assert tied({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 5.0}, pairs) == [1.0, 1.0, 1.0, 1.0, 5.0]
