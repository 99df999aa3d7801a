"""Standardised vectors against plain loops, and what must not change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.evaluator.controls import contributions, top_dimensions, z_score
from ncimp.evaluator.correlation import plain_rho
from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.figures import level_of
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.records import Model
from ncimp.evaluator.release import Item, read_release
from ncimp.evaluator.vectors import open_vectors
from tests.evaluator.tiny import Tiny, file_model, known_signs, write_vec
from tests.frozen import load_reference

reference = load_reference("measures_reference")
SHAPE = (3, 5, 14)
GRID = np.arange(np.prod(SHAPE)).reshape(SHAPE)
few = settings(max_examples=25, deadline=None)


def vectors(seed: int, width: int = 4) -> FloatArray:
    rng = np.random.default_rng(seed)
    found = rng.normal(size=(GRID.size, width)) + rng.normal(size=width) * 5
    found[rng.integers(0, GRID.size, 10)] = np.nan
    return np.asarray(found)


@few
@given(st.integers(0, 2**32))
def test_z_scores_are_those_of_the_originals(seed: int) -> None:
    rows = vectors(seed)
    found = z_score(rows, GRID)(rows)
    originals = [row for row in rows[GRID[:, :, 0].ravel()].tolist() if not any(map(math.isnan, row))]
    for place in range(4):
        column = [row[place] for row in originals]
        mean = math.fsum(column) / len(column)
        sd = math.sqrt(math.fsum((value - mean) ** 2 for value in column) / len(column))
        np.testing.assert_allclose(found[:, place], (rows[:, place] - mean) / sd, rtol=1e-9)


@few
@given(st.integers(0, 2**32))
def test_contributions_are_the_parts_of_the_mean_cosine(seed: int) -> None:
    rows = vectors(seed)
    cosines, parts = [], []
    for cell in np.ndindex(SHAPE):
        one, other = rows[GRID[cell[0], cell[1], 0]], rows[GRID[cell]]
        if cell[2] and not np.isnan(one).any() and not np.isnan(other).any():
            cosines.append(reference.sim(one.tolist(), other.tolist()))
            parts.append(one * other / (np.linalg.norm(one) * np.linalg.norm(other)))
    found = contributions(rows, GRID)
    assert found.sum() == pytest.approx(math.fsum(cosines) / len(cosines))
    np.testing.assert_allclose(found, np.mean(parts, axis=0), rtol=1e-9, atol=1e-12)
    best = sorted(sorted(range(4), key=lambda place: -found[place])[:2])
    np.testing.assert_array_equal(top_dimensions(rows, GRID, 2)(rows), rows[:, best])


def test_all_dimensions_change_nothing_and_a_constant_one_is_left_out() -> None:
    rows = vectors(1)
    plain = level_of("nc", rows, GRID).similarity
    np.testing.assert_array_equal(level_of("nc", rows, GRID, top_dimensions(rows, GRID, 4)).similarity, plain)
    with_constant = np.column_stack([rows, np.full(len(rows), 0.1)])
    changed = level_of("nc", with_constant, GRID, z_score(with_constant, GRID)).similarity
    np.testing.assert_allclose(changed, level_of("nc", rows, GRID, z_score(rows, GRID)).similarity, rtol=1e-9)
    assert not np.allclose(changed, plain, equal_nan=True)


def test_nothing_known_stays_nothing() -> None:
    rows = np.full((GRID.size, 3), np.nan)
    assert np.isnan(z_score(rows, GRID)(rows)).all()
    assert contributions(rows, GRID).tolist() == [0.0] * 3


@given(st.lists(st.integers(0, 4).map(float), min_size=3, max_size=8), st.data())
def test_plain_rho_is_the_references(values: list[float], data: st.DataObject) -> None:
    score = data.draw(st.lists(st.integers(0, 3).map(float), min_size=len(values), max_size=len(values)))
    expected = reference.spearman(values, score)
    found = plain_rho(np.array(values), np.array(score))
    assert found is None if expected is None else found == pytest.approx(expected)


def test_a_rogue_dimension_hides_what_z_scores_show(tmp_path_factory: pytest.TempPathFactory) -> None:
    tiny = Tiny(tmp_path_factory.mktemp("rogue") / "ncimp", compounds=12)
    release = read_release(tiny.write())

    class Rogue:
        """A large component that says nothing, and small ones in which ws is the nearer the more compositional."""

        def sentence(self, items: Sequence[Item]) -> FloatArray:
            rng = np.random.default_rng(0)
            rows = []
            for item in items:
                number = int(item.compound_id.removeprefix("en/c"))
                angle = {"o": 0.0, "w": 1.5 - number / 12}.get(item.variant[0], 1.0) + number
                rows.append([1000 * rng.normal(), math.cos(angle), math.sin(angle)])
            return np.array(rows)

        def span(self, items: Sequence[Item]) -> None:
            assert items

    options = Options(resamples=100, standardise=("z-score", "top-1"))
    model = Model("rogue", "callable", None, {})
    found = evaluate_source(release, Rogue(), model=model, options=options).document
    wanted = ("all", "Sim_PWordsSyn_mean")
    rows = {r.method: r for r in found.standardised if (r.context_kind, r.measure) == wanted}
    (plain,) = [r for r in found.results if (r.context_kind, r.measure) == wanted]
    assert rows["z-score"].rho_before == plain.rho
    assert rows["z-score"].mean_before == plain.mean
    assert (rows["z-score"].rho_after or 0) > (plain.rho or 0) + 0.2
    assert len(found.standardised) == 2 * len(found.results)
    assert abs(rows["z-score"].rho_between or 1) < 0.999
    assert rows["z-score"].rho_between != rows["top-1"].rho_between


def test_all_dimensions_order_compounds_as_before(tmp_path: Path) -> None:
    release = read_release(Tiny(tmp_path, compounds=9).write())
    words = write_vec(tmp_path / "words.vec", known_signs(Tiny(tmp_path, compounds=9)) | {"x": [0.01, 0.02]})
    options = Options(resamples=100, standardise=("top-2",))
    found = evaluate_source(release, open_vectors(words, release.items), model=file_model(words), options=options)
    rows = [row for row in found.document.standardised if row.measure == "Sim_PWordsSyn_first"]
    assert [row.rho_between for row in rows] == pytest.approx([1.0] * len(rows))
