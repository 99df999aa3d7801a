"""The statistics against scipy, against a naive implementation, and against hand-worked examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ncimp.evaluator import correlation
from ncimp.evaluator.correlation import (
    EXACT_IN_SINGLE,
    SEED,
    Correlation,
    Reweighted,
    bca_interval,
    bootstrap_p,
    correlate,
    holm,
    mean_intervals,
    mean_samples,
    p_values,
    rank,
    resample_weights,
    weighted_ranks,
)
from ncimp.evaluator.measures import FloatArray
from tests.frozen import load_reference

reference = load_reference("measures_reference")
tied = st.integers(0, 4).map(float)


def pairs(low: int, high: int) -> st.SearchStrategy[tuple[list[float], list[float]]]:
    return st.integers(low, high).flatmap(
        lambda n: st.tuples(st.lists(tied, min_size=n, max_size=n), st.lists(tied, min_size=n, max_size=n))
    )


def varied(n: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Return values and a score with three classes that correlate somewhat."""
    rng = np.random.default_rng(seed)
    score = rng.integers(0, 3, n).astype(float)
    return np.round(score * 0.5 + rng.normal(size=n), 1), score


def one(values: FloatArray, score: FloatArray, resamples: int = 100) -> Correlation:
    return correlate(values[None, :], score, resamples=resamples)[0]


@settings(max_examples=40, deadline=None)
@given(pairs(3, 6))
def test_rho_and_exact_p_are_the_references(both: tuple[list[float], list[float]]) -> None:
    x, y = both
    found = one(np.array(x), np.array(y), resamples=100)  # 1,000 permutations: all orders of six
    expected = reference.spearman(x, y)
    assert found.n == len(x)
    if expected is None:
        assert found == Correlation(len(x))
    else:
        assert found.rho == pytest.approx(expected)
        assert found.p == pytest.approx(reference.permutation_p(x, y))
        assert found.rho == pytest.approx(stats.spearmanr(x, y).statistic)


@pytest.mark.parametrize("n", [20, 60, 499])
def test_drawn_p_agrees_with_scipy(n: int) -> None:
    x, y = varied(n, seed=n)
    x = -x if n == 60 else x * (np.arange(n) % 2)
    ranks = stats.rankdata(x)
    theirs = stats.permutation_test(
        (stats.rankdata(y),), lambda v, axis: (v * ranks).sum(axis=axis), permutation_type="pairings",
        n_resamples=20_000, vectorized=True, batch=2_000, rng=np.random.default_rng(1),
    )  # fmt: skip
    found = one(x, y, resamples=2_000).p
    assert found == pytest.approx(theirs.pvalue, abs=0.015)
    assert found is not None
    assert (found * 20_001) == pytest.approx(round(found * 20_001))


def test_the_smallest_drawn_p_counts_the_observed_order() -> None:
    x = np.arange(30.0)
    assert one(x, x).p == 1 / 1_001


def test_p_is_asymptotic_from_500_on() -> None:
    x, y = varied(500)
    x *= np.arange(500) % 2
    assert one(x, y).p == stats.spearmanr(x, y).pvalue
    assert one(x[1:], y[1:]).p != stats.spearmanr(x[1:], y[1:]).pvalue


@pytest.mark.parametrize(("n", "seed"), [(25, 3), (40, 1), (60, 2)])
def test_interval_is_scipys_bca(n: int, seed: int) -> None:
    x, y = varied(n, seed)
    theirs = stats.bootstrap(
        (x, y), lambda a, b: stats.spearmanr(a, b).statistic, paired=True, vectorized=False,
        n_resamples=400, method="BCa", rng=np.random.default_rng(SEED),
    ).confidence_interval  # fmt: skip
    found = one(x, y, resamples=400)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-3)


@given(pairs(3, 12))
def test_every_resample_is_ranked_anew(both: tuple[list[float], list[float]]) -> None:
    x, y = map(np.array, both)
    drawn = np.random.default_rng(SEED).integers(0, len(x), (20, len(x)))
    found = Reweighted(y, resample_weights(len(x), 20)).rho(x)
    for places, rho in zip(drawn, found, strict=True):
        expected = reference.spearman(x[places].tolist(), y[places].tolist())
        assert np.isnan(rho) if expected is None else rho == pytest.approx(expected)


@pytest.mark.parametrize("n", [EXACT_IN_SINGLE, EXACT_IN_SINGLE + 1])
def test_single_precision_is_exact_as_far_as_it_is_used(n: int) -> None:
    x, y = np.arange(float(n)), np.arange(float(n))[::-1] ** 2  # no ties: the largest sums there can be
    weights = resample_weights(n, 300)
    repeated = [np.repeat(np.arange(n), column.astype(int)) for column in weights.T]
    expected = [reference.spearman(x[places].tolist(), y[places].tolist()) for places in repeated[:3]]
    found = Reweighted(y, weights).rho(x)
    assert found[:3].tolist() == pytest.approx(expected, abs=1e-15)
    assert (found == -1).all()


@pytest.mark.parametrize("n", [12, 45])
def test_interval_of_a_mean_is_scipys_bca(n: int) -> None:
    x = varied(n, n)[0]
    theirs = stats.bootstrap(
        (x,), np.mean, n_resamples=4_000, method="BCa", rng=np.random.default_rng(SEED),
    ).confidence_interval  # fmt: skip
    plain = mean_intervals(x[None], resamples=4_000)
    assert plain[0] == pytest.approx((theirs.low, theirs.high), abs=1e-3)
    assert mean_intervals(np.insert(x, 3, np.nan)[None], resamples=4_000) == plain


def test_a_mean_of_one_or_of_equal_values_has_no_interval() -> None:
    rows = np.array([[1.0, np.nan, np.nan], [2.0, 2.0, 2.0], [np.nan] * 3])
    assert mean_intervals(rows, resamples=200) == [(None, None)] * 3


def test_weights_say_how_often_each_compound_is_drawn() -> None:
    weights = resample_weights(7, 50)
    assert weights.shape == (7, 50)
    assert (weights.sum(axis=0) == 7).all()
    assert weights.min() == 0
    assert weights.max() > 1


@given(st.lists(tied, min_size=1, max_size=8), st.data())
def test_weighted_ranks_are_ranks_of_the_repeated_values(values: list[float], data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(1, 4), min_size=len(values), max_size=len(values)))
    repeated = np.repeat(values, counts)
    found = weighted_ranks(np.array(values), np.array(counts, dtype=float)[:, None]).ravel()
    np.testing.assert_array_equal(np.repeat(found, counts), reference.ranks(repeated.tolist()))
    np.testing.assert_array_equal(rank(repeated), reference.ranks(repeated.tolist()))


@pytest.mark.parametrize(
    ("x", "y"),
    [([1.0] * 9, list(range(9))), (list(range(9)), [2.0] * 9), ([1.0, 2.0], [1.0, 2.0]), ([], [])],
)
def test_rho_is_none_where_it_is_undefined(x: list[float], y: list[float]) -> None:
    assert one(np.array(x, dtype=float), np.array(y, dtype=float)) == Correlation(len(x))


def test_rounding_noise_does_not_make_a_constant_vary() -> None:
    assert one(np.array([0.3, 0.1 + 0.2] * 4), np.arange(8.0)).rho is None


def test_rounding_noise_does_not_break_a_tie() -> None:
    x, y = varied(12)
    noise = np.where(np.arange(12) % 2, 1e-14, 0)
    assert one(x + noise, y) == one(x, y)
    assert one(x, y + noise) == one(x, y)


def test_bounds_are_none_for_a_perfect_rho_and_for_a_handful() -> None:
    perfect = one(np.arange(30.0), np.arange(30.0))
    assert (perfect.rho, perfect.low, perfect.high) == (1.0, None, None)
    handful = one(np.array([1.0, 3.0, 2.0]), np.arange(3.0), resamples=1_000)
    assert (handful.rho, handful.low, handful.high) == (0.5, None, None)


@pytest.mark.parametrize(
    ("resampled", "left_out"),
    [
        ([0.1, np.nan, 0.3], [0.1, 0.2]),
        ([0.1, 0.2, 0.3], [0.2, 0.2]),
        ([0.1, 0.2, 0.3], [0.2, np.nan]),
        ([0.9, 0.8, 0.7], [0.1, 0.2]),
    ],
)
def test_a_degenerate_bootstrap_has_no_interval(resampled: list[float], left_out: list[float]) -> None:
    assert bca_interval(0.2, np.array(resampled), np.array(left_out)) == (None, None)


def test_interval_by_hand() -> None:
    # half of the ties lie below the estimate, so there is no bias; the jackknife is symmetric, so no acceleration
    assert bca_interval(0.0, np.array([-1.0, 0, 0, 0, 1]), np.array([-1.0, 1])) == pytest.approx((-0.9, 0.9))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.integers(-3, 6).map(float), st.floats(-1, 3)), min_size=4, max_size=30))
def test_p_of_a_bootstrap_is_below_5_per_cent_exactly_where_the_interval_leaves_0_out(values: list[float]) -> None:
    sample = next(mean_samples(np.array(values)[None], 201))
    low, high = bca_interval(*sample)
    p, turned = bootstrap_p(*sample), bootstrap_p(-sample.value, -sample.resampled, -sample.left_out)
    assert p is not None
    assert 2 / 202 <= p <= 1
    assert turned == pytest.approx(p)
    if low is not None and high is not None:
        assert (p < 0.05) == (low > 0 or high < 0)


def test_p_of_a_bootstrap() -> None:
    one_side, flat = np.array([0.1, 0.2, -0.1]), np.zeros(2)
    assert bootstrap_p(0.1, one_side, flat) == pytest.approx(0.5)  # passes 0 a quarter of the way
    assert bootstrap_p(0.1, np.arange(1.0, 100), flat) == 2 / 100
    assert bootstrap_p(0.1, np.array([np.nan, 1.0]), flat) is None
    assert bootstrap_p(0.0, np.zeros(9), flat) == 1.0


def test_missing_values_leave_the_compound_out_of_that_row_only() -> None:
    x, y = varied(20)
    gap = x.copy()
    gap[[2, 5]] = np.nan
    keep = ~np.isnan(gap)
    found = correlate(np.array([x, gap, np.full(20, np.nan), x[::-1]]), y, resamples=100)
    assert found == [one(x, y), one(gap[keep], y[keep]), Correlation(0), one(x[::-1], y)]
    scoreless = np.where(keep, y, np.nan)
    assert one(x, scoreless) == one(x[keep], y[keep])


def test_blocks_do_not_change_p(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = varied(6)
    whole, drawn = one(x, y), one(*varied(40))
    monkeypatch.setattr(correlation, "BLOCK", 7)
    assert one(x, y) == whole
    assert one(*varied(40)) == drawn


def test_p_of_several_measures_is_p_of_each() -> None:
    rows, y = np.array([varied(25, seed)[0] for seed in range(3)]), varied(25)[1]
    together = p_values(rank(rows), rank(y), permutations=500)
    apart = [p_values(rank(row[None, :]), rank(y), permutations=500)[0] for row in rows]
    assert together.tolist() == apart


def test_holm_by_hand() -> None:
    # sorted: .005 x 4 = .02, .01 x 3 = .03, .03 x 2 = .06, .04 x 1 = .04 which may not fall below .06
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, None, 0.8]) == [1.0, None, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_the_definition(p: list[float]) -> None:
    found: list[Any] = holm(list(p))
    assert found == pytest.approx(reference.holm(p))
    assert all(raw <= adjusted <= 1 for raw, adjusted in zip(p, found, strict=True))
