"""Several evaluations side by side: places, correlograms, differences, and what may not be compared."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import ncimp
from ncimp.builder.commands.evaluate import run_compare
from ncimp.evaluator import Options, read_release, write_evaluation
from ncimp.evaluator.comparison import DRAWN, PAGE_SHARE, compare, model_values
from ncimp.evaluator.correlation import SEED
from ncimp.evaluator.evaluation import evaluate_source
from ncimp.evaluator.measures import MEASURES
from ncimp.evaluator.records import Comparison
from ncimp.evaluator.results import View, read_results
from ncimp.evaluator.scorecard import PUBLISHED
from ncimp.evaluator.vectors import open_vectors
from ncimp.schemas.errors import EvaluationError, UsageError
from ncimp.schemas.files import Row, read_json, write_json
from tests.evaluator.tiny import Tiny, file_model, known_signs, write_vec
from tests.frozen import load_reference
from tests.schemas.checking import check_row

reference = load_reference("measures_reference")
WANTED = ("en", "all", "nc", "Sim_PWordsSyn_first")
BLOCK = (View("en", "nc", "all"), "Sim_PWordsSyn_first")


def noise(tiny: Tiny, size: float, seed: int) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    return {word: (np.array(v) + size * rng.normal(size=2)).tolist() for word, v in known_signs(tiny).items()}


def evaluated(folder: Path, tiny: Tiny, words: dict[str, list[float]], name: str) -> Path:
    release = read_release(tiny.folder)
    path = write_vec(folder / f"{name}.vec", words)
    options = Options(resamples=200)
    source = open_vectors(path, release.items)
    write_evaluation(folder / name, evaluate_source(release, source, model=file_model(path), options=options))
    return folder / name


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three models: one that represents idioms, the same with a little noise, and one of noise; a word is unknown."""
    folder = tmp_path_factory.mktemp("compare")
    tiny = Tiny(folder / "ncimp", compounds=24)
    tiny.write()
    worst = noise(tiny, 5, 3)
    del worst["c7_ws1"]
    made = {"worst": worst, "best": noise(tiny, 0.02, 1), "good": noise(tiny, 0.2, 2)}
    return [evaluated(folder, tiny, words, name) for name, words in made.items()]


@pytest.fixture(scope="module")
def found(folders: list[Path]) -> Comparison:
    return compare(folders, resamples=500)


def test_the_leaderboard_has_the_best_first(found: Comparison) -> None:
    lines = [r for r in found.leaderboard if (r.lang, r.context_kind, r.level) == WANTED[:3]]
    assert [(r.place, r.model) for r in lines] == [(1, "best.vec"), (2, "good.vec"), (3, "worst.vec"), (0, "ideal")]
    assert all(r.met + r.not_met + r.undecided + r.apart == 17 for r in found.leaderboard)
    ideals = {(r.lang, r.context_kind, r.level): r for r in found.leaderboard if r.place == 0}
    for row in found.leaderboard:  # each is read against what the ideal model meets
        ideal = ideals[row.lang, row.context_kind, row.level]
        assert (ideal.not_met, ideal.undecided, ideal.apart) == (0, 0, row.apart)
    assert [r.missing for r in lines] == [0, 0, 5, 0]
    assert [r.n for r in lines] == [24, 24, 23, 24]
    naturalistic = [r for r in found.leaderboard if (r.context_kind, r.level) == ("naturalistic", "nc")]
    assert [r.missing for r in naturalistic] == [0, 0, 3, 0]
    assert len(found.leaderboard) == 4 * 3 * 2


def values(folders: list[Path], place: int) -> Any:
    return model_values(read_results(folders[place])).values[BLOCK]


def key(row: Any) -> tuple[str, ...]:
    return row.lang, row.context_kind, row.level, row.measure


def test_the_correlogram_is_spearmans_rho_between_models(folders: list[Path], found: Comparison) -> None:
    cells = {(r.first, r.second): r for r in found.correlogram if key(r) == WANTED}
    assert list(cells) == [("worst.vec", "best.vec"), ("worst.vec", "good.vec"), ("best.vec", "good.vec")]
    worst, best, good = (values(folders, place) for place in range(3))
    there = ~np.isnan(worst)
    assert cells["best.vec", "good.vec"].rho == pytest.approx(stats.spearmanr(best, good).statistic)
    assert cells["worst.vec", "best.vec"].rho == pytest.approx(stats.spearmanr(worst[there], best[there]).statistic)
    assert cells["worst.vec", "best.vec"].n == 23


def test_differences_are_paired(folders: list[Path], found: Comparison) -> None:
    rows = {(r.first, r.second, r.quantity): r for r in found.differences if key(r) == WANTED}
    assert len(rows) == 6
    best, good = values(folders, 1), values(folders, 2)
    row = rows["best.vec", "good.vec", "mean"]
    assert row.difference == pytest.approx(np.mean(best - good))
    theirs = stats.bootstrap((best - good,), np.mean, n_resamples=500, method="BCa", rng=np.random.default_rng(SEED))
    assert (row.low, row.high) == pytest.approx(tuple(theirs.confidence_interval), abs=1e-3)
    drawn = np.random.default_rng(SEED).integers(0, 24, (500, 24))
    means = np.array([np.mean((best - good)[places]) for places in drawn])
    assert row.p == pytest.approx(2 * min((means <= 0).mean(), (means >= 0).mean()), abs=0.03)  # by BCa
    score = model_values(read_results(folders[1])).scores["en"]
    rho = rows["best.vec", "good.vec", "rho"]
    each = [stats.spearmanr(v, score).statistic for v in (best, good)]
    assert (rho.first_value, rho.second_value, rho.difference) == pytest.approx((*each, each[0] - each[1]))
    assert rows["worst.vec", "best.vec", "mean"].n == 23
    against_worst = rows["worst.vec", "best.vec", "rho"]
    assert (against_worst.high or 0) < 0
    assert (against_worst.p or 1) < 2 / 501
    assert len(found.differences) == 3 * 2 * 3 * 2 * len(MEASURES)


def test_holm_is_over_all_differences_of_the_page(found: Comparison) -> None:
    for published in (True, False):
        rows = [r for r in found.differences if (r.measure in PUBLISHED) is published and r.p is not None]
        assert [r.p_holm for r in rows] == pytest.approx(reference.holm([r.p for r in rows]))
    assert min(r.p_holm or 1 for r in found.differences if r.measure in PUBLISHED) < 0.05


def test_p_can_be_small_enough_for_the_page(found: Comparison) -> None:
    """No resample of 500 reverses these differences: more are drawn, the same ones each time."""
    rows = [r for r in found.differences if r.measure in PUBLISHED and r.p is not None]
    drawn = -(-len(rows) * PAGE_SHARE // DRAWN) * DRAWN
    assert min(r.p or 0 for r in rows) == 2 / (drawn + 1)
    assert len(rows) * 2 / (drawn + 1) < 0.05


def test_a_place_has_its_uncertainty(found: Comparison) -> None:
    lines = {(r.model, View.of(r)): r for r in found.leaderboard if r.place}  # without the ideal model
    assert all(1 <= r.place_low <= r.place <= r.place_high <= 3 for r in lines.values())
    view = View(*WANTED[:1], WANTED[2], WANTED[1])  # type: ignore[arg-type]
    best, good, worst = (lines[f"{name}.vec", view] for name in ("best", "good", "worst"))
    assert (best.place_low, best.place_high) == (good.place_low, good.place_high) == (1, 2)
    assert (worst.place_low, worst.place_high) == (3, 3)


def test_a_model_does_not_differ_from_itself(folders: list[Path], tmp_path: Path) -> None:
    (tmp_path / "copy").symlink_to(folders[1])
    found = compare([folders[1], tmp_path / "copy"], resamples=100)
    assert {r.first for r in found.differences} == {"best.vec (best)"}
    assert {r.second for r in found.differences} == {"best.vec (copy)"}
    assert {r.difference for r in found.differences if r.difference is not None} == {0.0}
    assert {r.low for r in found.differences} == {None}
    assert {r.p for r in found.differences if r.p is not None} == {1.0}
    assert {(r.place_low, r.place_high) for r in found.leaderboard if r.place} == {(1, 2)}  # equals share their places
    assert [r.rho for r in found.correlogram if r.rho is not None] == pytest.approx([1.0] * len(found.correlogram))


def run(*arguments: object) -> int:
    parser = argparse.ArgumentParser()
    run_compare.register(parser)
    return run_compare(parser.parse_args([*map(str, arguments), "--resamples", "100"]))


def test_the_command_writes_what_the_schema_says(
    folders: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*folders, "--out", tmp_path / "one", "--json") == 0
    captured = capsys.readouterr()
    written = (tmp_path / "one" / "comparison.json").read_text(encoding="utf-8")
    assert captured.out == written
    document: Row = json.loads(written)
    check_row("comparison", document)
    assert [s["model"]["name"] for s in document["signatures"]] == ["worst.vec", "best.vec", "good.vec"]
    assert run(*folders, "--out", tmp_path / "two") == 0
    assert (tmp_path / "two" / "comparison.json").read_text(encoding="utf-8") == written
    printed = capsys.readouterr().out
    for text in ("en, all contexts, nc level", "1. best.vec", "worst.vec − best.vec", "Holm p"):
        assert text in printed


def test_results_of_different_releases_are_refused(folders: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for path in folders[1].iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    document = read_json(other / "results.json")
    document["signature"] |= {"release": "0.2.0", "logical_sha256": "cd" * 32}
    write_json(other / "results.json", document)
    with pytest.raises(EvaluationError) as caught:
        compare([folders[0], other])
    assert str(caught.value) == (
        f"{folders[0]} is of release 0.1.0 (data abababababab), {other} of 0.2.0 (data cdcdcdcdcdcd); "
        "evaluate both on the same release"
    )


@pytest.mark.parametrize(
    ("part", "change", "told"),
    [
        ("options", {"resamples": 2_000}, "was judged with --resamples 200, {} with --resamples 2000"),
        ("options", {"split": "test"}, "was judged without --split, {} with --split test"),
        ("code_version", "0.0.9", f"was judged with code {ncimp.__version__}, {{}} with code 0.0.9"),
    ],
)
def test_results_judged_otherwise_are_refused(
    folders: list[Path], tmp_path: Path, part: str, change: Any, told: str
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folders[1], other)
    document = read_json(other / "results.json")
    signature = document["signature"]
    signature[part] = signature[part] | change if isinstance(change, dict) else change
    write_json(other / "results.json", document)
    with pytest.raises(EvaluationError) as caught:
        compare([folders[0], other])
    assert str(caught.value) == f"{folders[0]} {told.format(other)}; evaluate both alike"


def test_another_language_or_experiment_beside_is_no_matter(folders: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(folders[1], other)
    document = read_json(other / "results.json")
    document["signature"]["options"] |= {"languages": ["en", "pt"], "experiments": True, "standardise": ["z-score"]}
    write_json(other / "results.json", document)
    assert compare([folders[0], other], resamples=100).leaderboard


def test_refusals(folders: list[Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one evaluation cannot be compared; give two folders of results, or more"):
        compare(folders[:1])
    with pytest.raises(UsageError, match=r"'best.vec \(best\)' is there twice; give each folder once"):
        compare([folders[1], folders[1]])
    with pytest.raises(UsageError, match="99 resamples are too few"):
        compare(folders, resamples=99)
    with pytest.raises(EvaluationError, match=r"results.json: no such file; give the folder that"):
        compare([folders[0], tmp_path])


@pytest.mark.parametrize(
    ("name", "content"), [("results.json", "{}"), ("results.json", "x"), ("compounds.parquet", "x")]
)
def test_damaged_results(folders: list[Path], tmp_path: Path, name: str, content: str) -> None:
    for path in folders[0].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(EvaluationError) as caught:
        compare([folders[1], tmp_path])
    assert str(caught.value).startswith(str(tmp_path / name))
    assert str(caught.value).endswith("evaluate again with --out, with this version of the code")


def test_languages_in_common(folders: list[Path], tmp_path: Path) -> None:
    tiny = Tiny(tmp_path / "ncimp", compounds=24, langs=("pt",))
    tiny.write()
    other = evaluated(tmp_path, tiny, known_signs(tiny), "portuguese")
    with pytest.raises(EvaluationError, match="no language and level in common; evaluate them alike"):
        compare([folders[0], other])
