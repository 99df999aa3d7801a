"""The measures against a frozen naive implementation, and against the identities that define them."""

from __future__ import annotations

import doctest
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ncimp.evaluator import correlation, measures
from ncimp.evaluator.figures import Level
from ncimp.evaluator.figures import level_of as level_of_grid
from ncimp.evaluator.measures import (
    CONTEXT_KINDS,
    CONTEXTS,
    MEASURES,
    MIN_SPREAD,
    PROBES,
    VARIANTS,
    FloatArray,
    Measure,
    compound_values,
    cosine,
    missing_count,
    probe_similarity,
    scaled_similarity,
    sentence_values,
    unit_rows,
)
from ncimp.schemas.records import load_schema
from tests.frozen import load_reference

reference = load_reference("measures_reference")
few = settings(max_examples=40, deadline=None)

CELLS = (2, len(CONTEXTS), len(VARIANTS))
BY_NAME = {measure.name: measure for measure in MEASURES}

CELL = st.tuples(*(st.integers(0, size - 1) for size in CELLS))
KINDS = st.sampled_from(("missing", "zero", "the original", "opposite", "nearly the original"))


@st.composite
def cells(draw: st.DrawFn) -> FloatArray:
    """Vectors of two compounds in every cell; small integers or reals, with some cells out of the ordinary."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = (*CELLS, draw(st.integers(1, 4)))
    vectors = rng.integers(-2, 3, shape).astype(float) if draw(st.booleans()) else rng.normal(size=shape) * 10
    for cell, kind in draw(st.lists(st.tuples(CELL, KINDS), max_size=40)):
        original = vectors[cell[0], cell[1], 0].copy()
        other = {"missing": np.nan, "zero": 0.0, "the original": original, "opposite": -original}
        vectors[cell] = other.get(kind, original * (1 + 1e-4 * rng.normal(size=shape[-1])))
    if draw(st.booleans()):
        vectors[:, 1, 9:] = vectors[:, 1, :1]  # randoms that are the original: no spread to scale by
    return np.asarray(vectors)


def level_of(vectors: FloatArray) -> Level:
    return level_of_grid("nc", vectors.reshape(-1, vectors.shape[-1]), np.arange(np.prod(CELLS)).reshape(CELLS))


def plain(vectors: FloatArray, compound: int) -> dict[str, dict[str, Any]]:
    """Return one compound in the shape the reference reads."""
    return {
        context: {
            v: None if np.isnan(vector).any() else vector.tolist() for v, vector in zip(VARIANTS, row, strict=True)
        }
        for context, row in zip(CONTEXTS, vectors[compound], strict=True)
    }


def away_from_threshold(level: Level) -> bool:
    spread = 1 - probe_similarity(level.similarity, PROBES["PRand"])
    return not (np.abs(spread - MIN_SPREAD) < 1e-9).any()


@few
@given(cells())
def test_every_measure_is_the_references(vectors: FloatArray) -> None:
    level = level_of(vectors)
    assume(away_from_threshold(level))
    for measure in MEASURES:
        values = sentence_values(measure, level.similarity)
        for kind in CONTEXT_KINDS:
            expected = [reference.compound_value(plain(vectors, place), measure.name, kind) for place in (0, 1)]
            found = compound_values(values, kind)
            np.testing.assert_allclose(found, [np.nan if v is None else v for v in expected], rtol=1e-7, atol=1e-9)


@few
@given(cells())
def test_missing_values_are_counted_as_the_reference_counts_them(vectors: FloatArray) -> None:
    level = level_of(vectors)
    assume(away_from_threshold(level))
    for measure in MEASURES:
        for kind in CONTEXT_KINDS:
            expected = sum(reference.missing(plain(vectors, place), measure.name, kind) for place in (0, 1))
            assert missing_count(measure, level.similarity, level.present, kind) == expected


@few
@given(cells())
def test_similarity_of_the_original_with_itself_is_one(vectors: FloatArray) -> None:
    level = level_of(vectors)
    own = sentence_values(Measure("Sim_orig", "Sim", "orig"), level.similarity)
    np.testing.assert_allclose(own[level.present[..., 0]], 1.0, rtol=1e-12)
    assert np.isnan(own[~level.present[..., 0]]).all()


@few
@given(cells())
def test_affinity_is_a_difference_within_two(vectors: FloatArray) -> None:
    similarity = level_of(vectors).similarity
    for name, one, other in (
        ("A_Syn|WordsSyn_first", "Sim_PSyn", "Sim_PWordsSyn_first"),
        ("A_Syn|WordsSyn_mean", "Sim_PSyn", "Sim_PWordsSyn_mean"),
        ("A_Syn|Rand", "Sim_PSyn", "Sim_PRand"),
    ):
        found = sentence_values(BY_NAME[name], similarity)
        difference = sentence_values(BY_NAME[one], similarity) - sentence_values(BY_NAME[other], similarity)
        np.testing.assert_array_equal(found, difference)
        assert not (np.abs(found) > 2).any()


@few
@given(cells())
def test_scaled_similarity_of_random_is_zero_and_of_the_original_one(vectors: FloatArray) -> None:
    similarity = level_of(vectors).similarity
    defined = 1 - probe_similarity(similarity, PROBES["PRand"]) >= MIN_SPREAD
    random = sentence_values(Measure("SimR_PRand", "SimR", "PRand", "PRand"), similarity)
    own = sentence_values(Measure("SimR_orig", "SimR", "orig", "PRand"), similarity)
    assert (random[defined] == 0).all()
    np.testing.assert_allclose(own[defined], 1.0, rtol=1e-9)
    assert np.isnan(random[~defined]).all()
    assert np.isnan(own[~defined]).all()


def test_a_worked_sentence() -> None:
    row = np.full((1, 5, 14), np.nan)
    row[0, 0] = [1.0, 0.9, 0.6, 0.2, 0.5, 0.4, 0.3, 0.2, 0.1, 0.5, 0.4, 0.3, 0.2, 0.1]
    expected = {
        "Sim_PSyn": 0.9, "Sim_PComp_head": 0.6, "Sim_PComp_mod": 0.2, "Sim_PComp_max": 0.6, "Sim_PComp_mean": 0.4,
        "Sim_PWordsSyn_first": 0.5, "Sim_PWordsSyn_mean": 0.3, "Sim_PRand": 0.3,
        "A_Syn|WordsSyn_first": 0.4, "A_Syn|WordsSyn_mean": 0.6, "A_Syn|Rand": 0.6,
        "SimR_PSyn": 6 / 7, "SimR_PComp_head": 3 / 7, "SimR_PComp_mod": -1 / 7, "SimR_PComp_max": 3 / 7,
        "SimR_PComp_mean": 1 / 7, "SimR_PWordsSyn_first": 2 / 7, "SimR_PWordsSyn_mean": 0.0,
    }  # fmt: skip
    found = {measure.name: float(sentence_values(measure, row)[0, 0]) for measure in MEASURES}
    assert found == pytest.approx(expected)
    assert list(found) == list(expected)


def test_randoms_are_averaged_before_the_ratio() -> None:
    row = np.full((1, 5, 14), 0.5)
    row[0, :, 9:] = [0.0, 0.0, 0.0, 0.0, 1.0]
    # the mean of the five ratios would be undefined, for the fifth divides by zero
    assert sentence_values(BY_NAME["SimR_PSyn"], row)[0, 0] == pytest.approx((0.5 - 0.2) / 0.8)


def test_maximum_is_taken_per_sentence_and_needs_both_components() -> None:
    row = np.full((1, 5, 14), np.nan)
    row[0, 0, 2:4], row[0, 1, 2:4], row[0, 2, 2] = (0.9, 0.1), (0.1, 0.9), 0.3
    values = sentence_values(BY_NAME["Sim_PComp_max"], row)
    assert compound_values(values, "naturalistic")[0] == pytest.approx(0.9)
    assert math.isnan(values[0, 2])


def test_random_mean_is_over_those_that_have_a_vector() -> None:
    row = np.full((1, 5, 14), np.nan)
    row[0, 0, 9:11] = 0.2, 0.4
    assert sentence_values(BY_NAME["Sim_PRand"], row)[0, 0] == pytest.approx(0.3)


def test_scaled_similarity_is_undefined_only_below_the_threshold() -> None:
    random = np.array([1 - 2e-6, 1 - 0.5e-6, 1.0])
    assert np.isnan(scaled_similarity(np.ones(3), random)).tolist() == [False, True, True]


@given(
    arrays.arrays(np.float64, (3, 4), elements=st.floats(-1e3, 1e3)),
    st.floats(1e-3, 1e3),
)
@example(np.ones((3, 4)), 1e3)
def test_cosine_is_bounded_symmetric_and_blind_to_length(rows: FloatArray, factor: float) -> None:
    other = rows[::-1]
    found = cosine(rows, other)
    assert not (np.abs(found) > 1).any()
    np.testing.assert_array_equal(found, cosine(other, rows))
    if not (np.abs(rows)[rows != 0] < 1e-200).any():
        np.testing.assert_allclose(found, cosine(rows * factor, other), rtol=1e-9, atol=1e-9)


def test_cosine_survives_very_large_and_very_small_vectors() -> None:
    rows = np.array([[1e300, 1e300], [1e-300, 1e-300]])
    assert cosine(rows, np.array([[1.0, 0.0], [1.0, 1.0]])) == pytest.approx([math.sqrt(0.5), 1.0])


def test_a_zero_vector_has_no_direction() -> None:
    assert np.isnan(unit_rows(np.zeros((1, 3)))).all()
    assert np.isnan(cosine(np.zeros((1, 3)), np.ones((1, 3)))).all()


def test_contexts_and_variants_are_those_of_the_tables() -> None:
    pair = load_schema("pair")["properties"]
    assert list(CONTEXTS) == pair["context"]["enum"]
    assert list(VARIANTS) == pair["variant"]["enum"]
    assert list(CONTEXT_KINDS) == load_schema("result")["properties"]["context_kind"]["enum"]
    assert {"naturalistic": CONTEXTS[:3], "neutral": CONTEXTS[3:], "all": CONTEXTS} == CONTEXT_KINDS


@pytest.mark.parametrize("module", [measures, correlation])
def test_examples_in_docstrings(module: Any) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
