"""Shortcut baselines, partial correlations and the overlap-free subset, against definitions and by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ncimp.evaluator.controls import (
    BASELINES,
    IDEAL_COSINES,
    RANDOM_DIMENSIONS,
    baseline_levels,
    ideal_level,
    partial_rho,
    random_vector,
    significance,
)
from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.figures import CLASS_SCORES, LanguageFigures, Level, item_grid
from ncimp.evaluator.measures import CONTEXTS, VARIANTS, FloatArray
from ncimp.evaluator.records import Document
from ncimp.evaluator.release import Compound, Item, read_release
from ncimp.evaluator.vectors import open_vectors
from tests.evaluator.tiny import Tiny, file_model, known_signs, write_vec

words = st.lists(st.sampled_from(["An", "an", "eager", "Eager", "beaver", "rodent", "."]), min_size=1, max_size=6)


def item(variant: str, tokens: str, span: tuple[int, int]) -> Item:
    return Item(f"en/c/nat1/{variant}", "en", "en/c", "nat1", variant, tuple(tokens.split()), span)


ORIGINAL = item("orig", "He is an eager beaver .", (3, 5))
SYNONYM = item("syn", "He is a hard worker .", (3, 5))
HEAD = item("head", "He is a Beaver .", (3, 4))
COMPOUND = Compound(
    "en/c", "en", "eager beaver", "idiomatic", None, "beaver", "eager", 3.0, overlap_free=True, split="test"
)


def part_of(items: Sequence[Item]) -> LanguageFigures:
    return LanguageFigures("en", tuple(items), (COMPOUND,), item_grid(items, [COMPOUND]))


def levels(level: Any) -> dict[str, dict[str, float]]:
    items = [ORIGINAL, SYNONYM, HEAD]
    found: dict[str, Level] = dict(baseline_levels(part_of(items), level))
    assert tuple(found) == BASELINES
    return {
        name: {v: float(one.similarity[0, 0, VARIANTS.index(v)]) for v in ("orig", "syn", "head", "mod")}
        for name, one in found.items()
    }


def test_the_ideal_model_is_right_by_construction() -> None:
    names: list[Any] = [*CLASS_SCORES] * 20
    compounds = [replace(COMPOUND, id=f"en/c{n}", compound_class=name) for n, name in enumerate(names)]
    grid = np.arange(60 * 5 * 14).reshape(60, 5, 14)
    grid[0, 0, 1] = grid[1, 1, 0] = -1
    part = LanguageFigures("en", (), tuple(compounds), grid)
    nc, sentence = (ideal_level(part, name).similarity for name in ("nc", "sentence"))
    assert np.isnan(nc[0, 0, 1])
    assert np.isnan(nc[1, 1]).all()
    nc = nc[:, 4]
    assert (nc[:, 0] == 1).all()
    np.testing.assert_allclose(nc[:, 1], 1, atol=1e-6)
    np.testing.assert_allclose(nc[:, 9:], 0, atol=1e-6)
    by_class = nc.reshape(20, 3, 14)
    np.testing.assert_allclose(by_class.mean(axis=0)[:, 2:9], [[c] * 2 + [w] * 5 for w, c, _ in IDEAL_COSINES.values()])
    for variant in (1, 2, 4, 9):  # an order within each class, which no measure has in common with the class
        assert [len(set(by_class[:, k, variant])) for k in range(3)] == [20, 20, 20]
    for variant in (1, 9):
        assert stats.spearmanr(nc[:, variant], [0, 1, 2] * 20).statistic == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(sentence[:, 4], 0.7 + 0.3 * nc)


def test_baselines_of_a_sentence_by_hand() -> None:
    found = levels("sentence")
    # three of six tokens are kept in "He is a hard worker ."; "He is a Beaver ." keeps four
    assert found["overlap"] == pytest.approx({"orig": 1, "syn": 3 / 6, "head": 4 / 6, "mod": math.nan}, nan_ok=True)
    assert found["bag of words"]["syn"] == pytest.approx(3 / 6)
    assert found["bag of words"]["head"] == pytest.approx(4 / math.sqrt(6 * 5))
    # 23 characters with spaces; 21; 16
    assert found["length"]["syn"] == pytest.approx(21 / 23)
    assert found["length"]["head"] == pytest.approx(16 / 23)
    assert found["random"]["orig"] == pytest.approx(1)
    assert abs(found["random"]["syn"]) < 0.4


def test_baselines_of_a_span_by_hand() -> None:
    found = levels("nc")
    assert (found["overlap"]["syn"], found["overlap"]["head"]) == (0, 0.5)
    assert found["bag of words"]["head"] == pytest.approx(1 / math.sqrt(2))
    assert found["length"]["head"] == pytest.approx(6 / 12)


@given(words, words)
def test_overlap_is_the_share_of_tokens_kept(original: list[str], other: list[str]) -> None:
    texts = {"orig": original, "syn": other, "head": [*original, *other]}
    items = [item(variant, " ".join(tokens), (0, 1)) for variant, tokens in texts.items()]
    found = dict(baseline_levels(part_of(items), "sentence"))["overlap"].similarity[0, 0]
    assert 0 <= found[1] <= 1
    assert found[2] == 1
    bags = Counter(map(str.lower, original)), Counter(map(str.lower, other))
    assert found[1] * len(original) == pytest.approx((bags[0] & bags[1]).total())


def test_random_vectors_belong_to_their_text_and_to_nothing_else() -> None:
    rows = np.array([random_vector((f"w{n}", "x")) for n in range(400)])
    assert rows.shape == (400, RANDOM_DIMENSIONS)
    np.testing.assert_array_equal(rows[3], random_vector(("w3", "x")))
    assert (random_vector(("a", "b")) != random_vector(("a\x00b", ""))).any()
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = (unit @ unit.T)[np.triu_indices(400, 1)]
    assert abs(cosines.mean()) < 0.01
    assert cosines.std() == pytest.approx(1 / math.sqrt(RANDOM_DIMENSIONS), rel=0.05)


def by_regression(x: FloatArray, y: FloatArray, controls: FloatArray) -> float:
    """Return the correlation of what least squares on the ranks of the controls leaves over."""
    design = np.column_stack([np.ones(len(x)), *(stats.rankdata(row) for row in controls)])
    left = [stats.rankdata(v) - design @ np.linalg.lstsq(design, stats.rankdata(v), rcond=None)[0] for v in (x, y)]
    return float(np.corrcoef(left[0], left[1])[0, 1])


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(8, 40), st.integers(0, 3))
def test_partial_rho_is_that_of_the_residuals(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    x, y = common + rng.normal(size=n), rng.integers(0, 3, n) + common
    controls = common + rng.normal(size=(k, n))
    found, taken = partial_rho(x, y, controls)
    assert taken == k
    assert found == pytest.approx(by_regression(x, y, controls), abs=1e-9)


def test_a_control_that_explains_all_leaves_nothing() -> None:
    x = np.arange(12.0)
    assert partial_rho(x, x[::-1], x[None] ** 3) == (None, 1)
    assert partial_rho(np.ones(12), x, np.empty((0, 12))) == (None, 0)


def test_constant_and_repeated_controls_take_nothing() -> None:
    rng = np.random.default_rng(5)
    x, y, z = rng.normal(size=(3, 30))
    alone = partial_rho(x, y, z[None])[0]
    found, taken = partial_rho(x, y, np.array([z, np.ones(30), z]))
    assert found == pytest.approx(alone)
    assert taken == 1


def test_significance_is_pearsons_with_fewer_degrees_of_freedom() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 25))
    theirs = stats.pearsonr(x, y)
    p, (low, high) = significance(float(theirs.statistic), 25, 0)
    assert p == pytest.approx(theirs.pvalue)
    assert (low, high) == pytest.approx(tuple(theirs.confidence_interval(0.95)))
    wider = significance(float(theirs.statistic), 25, 3)[1]
    assert wider[0] is not None
    assert low is not None
    assert wider[0] < low
    assert significance(None, 25, 1) == (None, (None, None))
    assert significance(0.5, 4, 1) == (None, (None, None))


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    folder = tmp_path_factory.mktemp("controls")
    tiny = Tiny(folder / "ncimp", compounds=18, zipf={n: n / 7 for n in range(15)}, overlap_free=(1, 4, 7, 12, 16))
    release = read_release(tiny.write())
    path = write_vec(folder / "words.vec", known_signs(tiny))
    source = open_vectors(path, release.items)
    return evaluate_source(release, source, model=file_model(path), options=Options(resamples=200)).document


def test_compounds_without_a_frequency_are_counted(document: Document) -> None:
    wanted = ("nc", "all", "Sim_PSyn")
    by_given = {r.given: r for r in document.partial if (r.level, r.context_kind, r.measure) == wanted}
    assert {given: (r.n, r.missing) for given, r in by_given.items()} == {
        "overlap": (18, 0), "length": (18, 0), "frequency": (15, 3), "all": (15, 3),
    }  # fmt: skip
    # overlap of a synonym with the NC is 0 throughout, and all sentences are as long: nothing is held constant
    (plain,) = [r for r in document.results if (r.level, r.context_kind, r.measure) == wanted]
    for row in (by_given["overlap"], by_given["length"]):
        assert row.rho == pytest.approx(plain.rho)
        assert row.rho_plain == pytest.approx(plain.rho)


def test_partial_p_is_corrected_over_its_own_table(document: Document) -> None:
    defined = [r for r in document.partial if r.p is not None]
    assert defined
    assert all(r.p <= (r.p_holm or 0) <= 1 for r in defined)  # type: ignore[operator]
    assert len(document.partial) == 4 * len(document.results)


def test_the_subset_is_of_compounds_that_share_no_lemma_with_their_synonym(document: Document) -> None:
    assert {r.n for r in document.overlap_free} == {5}
    assert len(document.overlap_free) == len(document.results)
    (row,) = [r for r in document.overlap_free if (r.level, r.context_kind, r.measure) == ("nc", "all", "Sim_PRand")]
    angles = [[1.4 + 0.01 * k + 0.003 * ((n * 3) % 5) for k in range(1, 6)] for n in (1, 4, 7, 12, 16)]
    assert row.mean == pytest.approx(np.cos(angles).mean())


def test_a_context_that_is_not_there_has_no_similarity() -> None:
    items = [ORIGINAL, SYNONYM]
    for _, level in baseline_levels(part_of(items), "sentence"):
        assert np.isnan(level.similarity[0, CONTEXTS.index("nat2")]).all()
        assert level.present.sum() == 2
