"""Agreement: held against other implementations, and against figures worked out by hand or printed."""

from __future__ import annotations

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import interval_distance

from ncimp.builder.annotation.reliability import (
    LEVELS,
    FloatArray,
    Level,
    Ratings,
    alpha,
    alphas_of,
    closest,
    icc,
    power,
    spearman,
    within_sd,
)

NAN = math.nan

SHROUT_FLEISS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float).T
"""Shrout and Fleiss (1979), Table 2: four judges (rows) on six targets."""


def ratings(values: FloatArray | list[list[float]], per_compound: int = 1) -> Ratings:
    """Ratings with as many sentences per compound."""
    table = np.array(values, dtype=np.float64)
    units = tuple((f"en/c{n // per_compound:03d}", f"i{n:03d}") for n in range(table.shape[1]))
    return Ratings(tuple(f"a{n:02d}" for n in range(len(table))), units, table)


MATRICES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, NAN]), min_size=raters, max_size=raters),
        min_size=3,
        max_size=12,
    )
)


@settings(max_examples=80, deadline=None)
@given(MATRICES)
def test_alpha_is_that_of_two_other_implementations(rows: list[list[float]]) -> None:
    table = np.array(rows).T
    found = alpha(ratings(table), "interval", resamples=0)
    paired = (~np.isnan(table)).sum(axis=0) > 1
    held = table[:, paired][~np.isnan(table[:, paired])]
    if len(set(held)) < 2:
        assert found.alpha is None
        return
    assert found.alpha == pytest.approx(krippendorff.alpha(reliability_data=table, level_of_measurement="interval"))
    triples = [
        (f"a{rater}", str(unit), table[rater, unit])
        for rater, unit in np.argwhere(~np.isnan(table))
        if paired[unit]  # NLTK counts sentences with one judgement among the margins
    ]
    assert found.alpha == pytest.approx(AnnotationTask(triples, distance=interval_distance).alpha())
    assert found.units == paired.sum()
    assert found.judgements == len(held)


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=60, deadline=None)
@given(rows=MATRICES)
def test_the_parts_that_are_resampled_add_up_to_alpha(level: Level, rows: list[list[float]]) -> None:
    table = np.array(rows).T
    whole = alpha(ratings(table), level, resamples=0).alpha
    coincidences = np.zeros((1, 6, 6))
    for column in table.T:
        counts = np.array([(column == point).sum() for point in range(6)], dtype=np.float64)
        if counts.sum() > 1:
            coincidences[0] += (np.outer(counts, counts) - np.diag(counts)) / (counts.sum() - 1)
    if whole is not None:
        assert alphas_of(coincidences, level)[0] == pytest.approx(whole)


def test_the_ordinal_alpha_of_four_judgements_by_hand() -> None:
    """Two people, two sentences, (0, 1) and (2, 2): n = 1, 1, 2; o(0,1) = o(1,0) = 1, o(2,2) = 2.

    d(0,1) = (1/2 + 1/2)^2 = 1, d(0,2) = (1/2 + 1 + 2/2)^2 = 6.25, d(1,2) = (1/2 + 2/2)^2 = 2.25.
    D_o = 2 * 1 / 4; D_e = 2 (1*1*1 + 1*2*6.25 + 1*2*2.25) / (4 * 3) = 3; alpha = 1 - 0.5 / 3.
    """
    assert alpha(ratings([[0, 2], [1, 2]]), "ordinal", resamples=0).alpha == pytest.approx(1 - 0.5 / 3)


def test_an_interval_holds_alpha_and_is_wider_when_sentences_of_a_compound_hang_together() -> None:
    draws = np.random.default_rng(5)
    true = np.repeat(draws.uniform(0, 5, 20), 3)
    table = np.clip(np.rint(true + draws.normal(0, 0.8, (6, 60))), 0, 5)
    by_compound, by_sentence = (alpha(ratings(table, n), "interval", resamples=1_000) for n in (3, 1))
    assert by_compound.alpha == by_sentence.alpha
    ends = [(one.low, one.alpha, one.high) for one in (by_compound, by_sentence)]
    assert all(low is not None and mid is not None and high is not None and low < mid < high for low, mid, high in ends)
    widths = [one.high - one.low for one in (by_compound, by_sentence) if one.high is not None and one.low is not None]
    assert widths[0] > 1.2 * widths[1]
    assert by_compound == alpha(ratings(table, 3), "interval", resamples=1_000)


def test_agreement_that_cannot_be_known_is_not_given() -> None:
    assert alpha(ratings([[1, 2, 3]]), "interval").alpha is None
    assert alpha(ratings([[2, 2], [2, 2]]), "ordinal").alpha is None
    assert icc(ratings([[1, NAN], [NAN, 2]])) is None
    assert within_sd(ratings([[1, NAN], [NAN, 2]])) is None
    assert power(ratings([[1, NAN], [NAN, 2]])) == []


def test_the_six_correlations_of_shrout_and_fleiss() -> None:
    found = icc(ratings(SHROUT_FLEISS))
    assert found is not None
    figures = (
        *(found.single_random_raters, found.single_absolute, found.single_consistent),
        *(found.mean_random_raters, found.mean_absolute, found.mean_consistent),
    )
    assert [round(value or NAN, 2) for value in figures] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    assert found.raters == 4


def test_unequal_numbers_of_judgements_by_hand() -> None:
    """Sentences (0, 2), (4, 4, 4): k0 = (5 - 13/5) / 1 = 2.4; MSB = 2 * 1.8^2 + 3 * 1.2^2 = 10.8; MSW = 2 / 3."""
    found = icc(ratings([[0, 4], [2, 4], [NAN, 4]]))
    assert found is not None
    assert found.raters == pytest.approx(2.4)
    between, within = 10.8, 2 / 3
    assert found.single_random_raters == pytest.approx((between - within) / (between + 1.4 * within))
    assert found.mean_random_raters == pytest.approx((between - within) / between)
    assert found.single_absolute is None


def test_the_closest_annotators_are_those_with_most_in_common() -> None:
    table = [
        [1, 1, 1, 1, NAN, NAN],
        [2, 2, 2, NAN, 2, NAN],
        [NAN, 3, 3, 3, 3, 3],
        [NAN, NAN, NAN, NAN, 4, 4],
    ]
    pair, three = closest(ratings(table), 2), closest(ratings(table), 3)
    assert pair is not None
    assert (pair.annotators, pair.common, pair.groups) == (("a00", "a01"), 3, 3)
    assert three is not None
    assert (three.annotators, three.common, three.groups) == (("a00", "a01", "a02"), 2, 1)
    assert closest(ratings([[1, NAN], [NAN, 1]]), 2) is None


@settings(max_examples=60, deadline=None)
@given(MATRICES, st.sampled_from([2, 3]))
def test_the_closest_annotators_are_found_as_by_trying_all(rows: list[list[float]], size: int) -> None:
    from itertools import combinations

    table = np.array(rows).T
    held = ~np.isnan(table)
    counts = {group: int(held[list(group)].all(axis=0).sum()) for group in combinations(range(len(table)), size)}
    most = max(counts.values(), default=0)
    found = closest(ratings(table), size)
    if most == 0:
        assert found is None
        return
    best = [group for group, count in counts.items() if count == most]
    assert found is not None
    assert (found.common, found.groups) == (most, len(best))
    assert found.annotators == tuple(f"a{place:02d}" for place in min(best))


def test_how_many_judgements_a_standard_error_takes_by_hand() -> None:
    """Sentences (1, 3), (2, 2) and (4,): squares 2 + 0 over 2 degrees of freedom, sd 1."""
    own = ratings([[1, 2, 4], [3, 2, NAN]])
    assert within_sd(own) == pytest.approx(1.0)
    half, fifth = power(own, targets=(0.5, 0.2))
    assert (half.per_sentence, half.more_sentences) == (4, 2 + 2 + 3)
    assert (half.per_compound, half.more_compounds) == (2, 1)
    assert (fifth.per_sentence, fifth.per_compound) == (25, 9)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20))
def test_rho_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    from scipy.stats import spearmanr

    one, two = np.array(pairs, dtype=np.float64).T
    found = spearman(one, two)
    if len(set(one)) == 1 or len(set(two)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(one, two).statistic)
