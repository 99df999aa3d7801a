"""The pages as text: what they count, choose and escape, and that the same results give the same bytes."""

from __future__ import annotations

import argparse
import doctest
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy import stats

from ncimp.builder.commands.evaluate import run_compare
from ncimp.evaluator import pages
from ncimp.evaluator.comparison import LEADING
from ncimp.evaluator.pages import figures, report, write_comparison_page
from ncimp.evaluator.pages.report import report_page, write_report
from ncimp.evaluator.records import Difference, Document, Experiment, Missing, Standardised
from ncimp.evaluator.release import Release, read_release
from ncimp.evaluator.results import Results, View, read_comparison, read_results, sorted_views
from ncimp.schemas.errors import EvaluationError, UsageError
from ncimp.schemas.pages import charts
from tests.evaluator.tiny_results import HOSTILE, compared, evaluated, renamed

SENTENCES = View("en", "sentence", "all")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of twelve compounds in two languages, beside their release."""
    return evaluated(tmp_path_factory.mktemp("report"), "good", noise=0.05)


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    return read_release(folder.parent / "ncimp")


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return read_results(folder, items=True)


@pytest.fixture(scope="module")
def page(results: Results) -> str:
    """The page of the results without sentences."""
    return report_page(results)


@pytest.mark.parametrize("module", [pages, report])
def test_examples_in_docstrings_hold(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_same_results_give_the_same_bytes(folder: Path, release: Release) -> None:
    first = write_report(folder, release).read_bytes()
    assert write_report(folder, release).read_bytes() == first
    assert b"\r" not in first


def test_a_page_names_its_model_release_and_signature(results: Results, page: str) -> None:
    signature = results.document.signature
    for text in (signature.model.name, signature.release, signature.logical_sha256, str(signature.seed)):
        assert text in page
    assert str(signature.model.sha256) in page
    assert f"ncimp {signature.code_version}" in page


def test_a_page_leads_nowhere_else(page: str) -> None:
    links = re.findall(r'(?:href|src|action|data|srcset)="([^"]*)"', page)
    assert links
    assert all(link.startswith("#") for link in links)
    assert "http" not in page.replace("http-equiv", "")
    assert not re.search(r"@import|url\(|<link|<iframe|<img|style=", page)


def test_the_policy_allows_nothing_but_the_style_and_script_of_the_page(page: str) -> None:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    policy = [part.split() for part in found[1].replace("&#39;", "'").split(";")]
    assert policy[0] == ["default-src", "'none'"]
    assert [len(part) for part in policy[1:3]] == [2, 2]
    assert all(part[1].startswith("'sha256-") for part in policy[1:3])


def test_names_and_sentences_are_text(folder: Path, release: Release, tmp_path: Path) -> None:
    named = read_results(renamed(folder, tmp_path / "hostile", HOSTILE), items=True)
    items = tuple(replace(item, sentence=f"{HOSTILE} x", span=(0, 3)) for item in release.items)
    named = replace(named, facts={key: replace(one, compound=HOSTILE) for key, one in named.facts.items()})
    page = report_page(named, replace(release, items=items))
    assert page.count("<script") == 1
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<mark>&lt;/t</mark>itle" in page


def test_the_head_says_what_fails_and_what_is_missing(results: Results, page: str) -> None:
    head = page[page.index("<h1>") : page.index("<nav")]
    assert head.index("English: idioms lie nearer their") < head.index("that an ideal model meets in 4 settings")
    assert "Warning" not in head
    lost = Missing("pt", "nc", "nat1", "syn", 12, 12)
    warned = report_page(replace(results, document=replace(results.document, missing=(lost,))))
    head = warned[warned.index("<h1>") : warned.index("<nav")]
    assert '<p class="note">Warning: Portuguese, compound level: 12 of 840 items (1 %) have no vector' in head
    bare = replace(results.document, scorecard=(), baseline_scorecard=())
    assert page_of(results, bare).count("have no scorecard") == 2


def page_of(results: Results, document: Document) -> str:
    return report_page(replace(results, document=document))


def test_tables_name_a_measure_by_its_words_first(page: str) -> None:
    rows = re.findall(r'<th scope="row">([^<]+)<small>([^<]+)</small>', page)
    assert ("true synonym against synonyms of each word", "A_Syn|WordsSyn_first · mean: above 0 for idiomatic") in rows
    assert ("similarity to the true synonym", "Sim_PSyn") in rows
    assert not [words for words, _ in rows if re.match("(Sim|SimR|A)_", words)]


def test_the_page_opens_on_what_can_be_met(page: str) -> None:
    card = page[page.index('id="scorecard"') : page.index('id="distributions"')]
    first, second, third = (card.index(caption) for caption in figures.REACH.values())
    assert first < second
    assert first < third
    assert 'data-level="nc"' in card[:first]
    assert 'data-level="sentence"' not in card[:first]
    assert ">ideal</th>" in card[first:]
    assert card.index("<details>") > first


def test_best_and_worst_are_the_ends_of_a_class(results: Results) -> None:
    ids = [f"en/c{number}" for number in range(12)]
    ends = report.extremes(results, SENTENCES, "idiomatic")
    values = results.values[SENTENCES, "A_Syn|WordsSyn_first"]
    idiomatic = sorted(ids[:4], key=lambda key: -values[key])
    assert ends.measure == "A_Syn|WordsSyn_first"
    assert ends.best == tuple(idiomatic[:2])
    assert ends.worst == (idiomatic[3], idiomatic[2])
    assert report.extremes(results, SENTENCES, "compositional").measure == "A_Syn|Rand"


def test_equal_compounds_are_ordered_by_id(results: Results) -> None:
    values = {**results.values, (SENTENCES, "A_Syn|WordsSyn_first"): dict.fromkeys(["en/c2", "en/c0", "en/c1"], 0.5)}
    ends = report.extremes(replace(results, values=values), SENTENCES, "idiomatic")
    assert (ends.best, ends.worst) == (("en/c0",), ("en/c2",))


def test_the_sentence_shown_says_most_about_the_place(results: Results) -> None:
    similar: dict[str, dict[str, float | None]] = {
        "nat1": {"syn": 0.9, "ws1": 0.5},
        "nat2": {"syn": 0.9, "ws1": 0.1},
        "nat3": {"syn": None, "ws1": 0.1},
        "neut_short": {"syn": 0.9, "ws1": -0.9},
        "neut_long": {"syn": 0.2, "ws1": 0.1},
    }
    made = replace(results, similarities={("sentence", "en/c0", name): row for name, row in similar.items()})

    def shown(view: View, *, best: bool) -> str | None:
        return report.telling_context(made, view, "en/c0", "A_Syn|WordsSyn_first", best=best)

    assert shown(SENTENCES, best=True) == "nat2"
    assert shown(SENTENCES, best=False) == "nat1"
    neutral = View("en", "sentence", "neutral")
    assert (shown(neutral, best=True), shown(neutral, best=False)) == ("neut_short", "neut_long")
    assert report.telling_context(made, SENTENCES, "en/c1", "A_Syn|Rand", best=True) is None


def test_the_correlogram_is_spearmans() -> None:
    rng = np.random.default_rng(5)
    one, other = rng.normal(size=30), rng.integers(0, 4, size=30).astype(float)
    keys = [f"c{number}" for number in range(30)]
    first, second = dict(zip(keys, one, strict=True)), dict(zip(keys[3:], other[3:], strict=True))
    assert figures.spearman(first, second) == pytest.approx(stats.spearmanr(one[3:], other[3:]).statistic)
    assert figures.spearman(first, dict.fromkeys(keys, 1.0)) is None
    assert figures.spearman(first, {"c0": 1.0, "c1": 2.0}) is None


def test_round_scales_hold_their_values() -> None:
    for values in ([0.013, 0.97], [-1.3, 0.2], [0.5, 0.5], [-0.04, 0.03], []):
        scale = charts.round_scale(values, 8, 192)
        assert all(scale.low <= value <= scale.high for value in values)
        ticks = scale.ticks()
        assert 2 <= len(ticks) <= 11
        assert np.allclose(np.diff(ticks), ticks[1] - ticks[0])
    scale = charts.Scale(-1, 1, 10, 110)
    assert [scale.at(value) for value in (-1, 0, 0.5, 1, 7)] == [10, 60, 85, 110, 110]


def test_a_density_is_highest_where_values_are_dense() -> None:
    values = np.array([0.1, 0.5, 0.5, 0.51, 0.52, 0.9])
    grid = np.linspace(0, 1, 101)
    heights = charts.density(values, grid)
    assert heights.max() == 1
    assert 0.45 < grid[heights.argmax()] < 0.55
    assert (heights >= 0).all()
    flat = charts.outline(charts.Scale(0, 1, 0, 100), np.full(4, 0.3), 20, 10)
    assert flat[0] == (30, 10)
    assert flat[-1] == (30, 30)


def test_the_shaded_part_is_where_the_prediction_wants_the_class(page: str) -> None:
    panels = page.split('<figure class="panel">')
    drawn = {name: next(p for p in panels if f"<b>{name}</b>" in p) for name in ("Sim_PWordsSyn_first", "A_Syn|Rand")}
    bands = {
        name: [
            tuple(map(float, found))
            for found in re.findall(r'class="want" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', p)
        ]
        for name, p in drawn.items()
    }
    idiomatic, partly, compositional = bands["Sim_PWordsSyn_first"]  # low, low, high
    assert idiomatic == partly
    assert idiomatic[0] == 8
    assert compositional[0] == pytest.approx(sum(idiomatic), abs=0.1)
    assert sum(compositional) == pytest.approx(228, abs=0.1)
    assert len(set(bands["A_Syn|Rand"])) == 1  # near 1 in every class
    assert len(bands["A_Syn|Rand"]) == 3
    assert bands["A_Syn|Rand"][0][0] > 150


def test_views_come_in_the_order_of_a_reader() -> None:
    kinds = [View("pt", "nc", "neutral"), View("pt", "sentence", "neutral"), View("en", "nc", "all")]
    assert sorted_views([*kinds, View("pt", "nc", "all"), kinds[0]]) == (
        View("pt", "nc", "all"),
        View("pt", "nc", "neutral"),
        View("pt", "sentence", "neutral"),
        View("en", "nc", "all"),
    )


def test_one_view_needs_no_filters() -> None:
    assert pages.filters([SENTENCES]) == ""
    shown = str(pages.filters([SENTENCES, View("en", "nc", "all")]))
    assert shown.count("<fieldset>") == 1
    assert shown.count(" checked") == 1


@pytest.mark.slow
def test_missing_vectors_are_counted_with_their_reason(folder: Path, page: str) -> None:
    assert "Every item had a vector." in page
    lacking = evaluated(folder.parent, "lacking", noise=0.05, without="c3_ws1")
    full = report_page(read_results(lacking))
    assert "20 vectors missing." in full  # two languages, two levels, five sentences
    assert "the word vectors know none of its words" in full


def test_what_was_asked_for_besides_has_sections_of_its_own(results: Results, page: str) -> None:
    after = Standardised("m", "en", "all", "nc", "Sim_PSyn", "z-score", 0.1, 0.2, 0.3, 0.44, 9)
    nuance = Experiment("m", "en", "nuance", "sentence", "type", -0.55, 0.01, 0.02, -0.7, -0.3, 30, 10, 0)
    document = replace(results.document, standardised=(after,), experiments=(nuance,), notes=("Read <this>.",))
    facts = {key: replace(one, comp=3.25) for key, one in results.facts.items()}
    full = report_page(replace(results, document=document, facts=facts))
    assert '<h2 id="standardised">' in full
    assert "<td>0.30</td><td>0.44</td><td>9</td>" in full
    assert '<h2 id="experiments">' in full
    assert "<td>−0.55</td><td>[−0.70, −0.30]</td>" in full
    assert "<li>Read &lt;this&gt;.</li>" in full
    assert ">Score</th>" in full
    assert "<td>3.25</td>" in full
    assert ">Score</th>" not in page
    assert 'id="standardised"' not in page
    assert 'id="experiments"' not in page


def test_a_sentence_without_text_is_said_to_be_so(results: Results, release: Release) -> None:
    items = tuple(replace(item, sentence="") for item in release.items)
    page = report_page(results, replace(release, items=items))
    assert "no text" in page
    assert "<mark>" not in page


def test_a_release_without_its_results_is_refused(folder: Path, release: Release, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="another hash"):
        write_report(folder, replace(release, logical_sha256="0" * 64))
    with pytest.raises(EvaluationError, match="no such file") as found:
        write_report(tmp_path)
    assert "results.json" in str(found.value.place)
    (tmp_path / "results.json").write_text("{}\n", encoding="utf-8")
    with pytest.raises(EvaluationError) as damaged:
        write_report(tmp_path)
    assert str(damaged.value).endswith("; evaluate again with --out, with this version of the code")


@pytest.mark.slow
def test_the_command_makes_either_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    run_compare.register(parser)
    (folder / report.PAGE).unlink(missing_ok=True)
    assert run_compare(parser.parse_args([str(folder), "--release", str(folder.parent / "ncimp")])) == 0
    assert "<mark>" in (folder / report.PAGE).read_text(encoding="utf-8")
    assert run_compare(parser.parse_args([str(folder)])) == 0
    bare = (folder / report.PAGE).read_text(encoding="utf-8")
    assert "<mark>" not in bare
    assert report.NO_RELEASE in bare
    other = compared(folder.parent)
    assert run_compare(parser.parse_args([str(other)])) == 0
    assert (other / pages.COMPARISON_PAGE).is_file()
    assert capsys.readouterr().err.count("wrote ") == 3
    with pytest.raises(UsageError, match="one evaluation cannot be compared"):
        run_compare(parser.parse_args([str(folder), "--json"]))


def test_a_difference_is_turned_towards_the_leader() -> None:
    row = Difference("a", "b", "en", "all", "nc", "Sim_PSyn", "rho", 0.2, 0.5, -0.3, -0.4, -0.1, 0.01, 0.02, 9)
    turned, kept = pages.contrast(row, "b"), pages.contrast(row, "a")
    assert (turned.first, turned.second, turned.difference) == ("b", "a", 0.3)
    assert (turned.low, turned.high) == (0.1, 0.4)
    assert (turned.first_value, turned.second_value) == (0.5, 0.2)
    assert kept == row


@pytest.mark.parametrize(
    ("measure", "quantity", "p_holm", "values", "shown"),
    [
        (LEADING, "rho", 0.02, (0.5, 0.2), "▲ higher, nearer"),  # positive, strong
        (LEADING, "rho", 0.02, (0.2, 0.5), "▼ lower, further"),
        (LEADING, "rho", 0.05, (0.5, 0.2), ""),
        (LEADING, "rho", None, (0.5, 0.2), ""),
        (LEADING, "mean", 0.02, (0.5, 0.2), "▲ higher"),  # high for some classes, low for others
        ("Sim_PSyn", "rho", 0.02, (0.5, 0.2), "▲ higher, further"),  # none
        ("Sim_PSyn", "rho", 0.02, (-0.2, -0.5), "▲ higher, nearer"),
        ("Sim_PSyn", "rho", 0.02, (0.2, -0.3), "▲ higher, on the other side of it"),
        ("A_Syn|WordsSyn_first", "rho", 0.02, (-0.2, -0.5), "▲ higher, further"),  # negative
        ("Sim_PRand", "mean", 0.02, (0.7, 0.5), "▲ higher, further"),  # low for every class
        ("SimR_PSyn", "mean", 0.02, (0.4, 0.1), "▲ higher, nearer"),  # near 1 for every class
    ],
)
def test_a_difference_says_who_is_nearer_to_what_is_wanted(
    folder: Path, measure: str, quantity: Any, p_holm: float | None, values: tuple[float, float], shown: str
) -> None:
    ends = (values[0] - values[1], None, None, 0.01, p_holm)
    row = Difference("a", "b", "en", "all", "nc", measure, quantity, *values, *ends, 9)
    assert pages.difference_verdict(row) == shown
    comparison = read_comparison(compared(folder.parent))
    line = next(line for line in comparison.leaderboard if View.of(line) == View.of(row))
    board = (replace(line, place=1, model="a"),)
    page = pages.compare_page(replace(comparison, leaderboard=board, differences=(row,)))
    assert re.findall(r"<b>([▲▼][^<]+)</b>", page) == ([shown] if shown else [])


def test_a_place_stands_with_those_it_has_over_resamples(folder: Path) -> None:
    comparison = read_comparison(compared(folder.parent))
    lines = [replace(line, place_low=1, place_high=3) for line in comparison.leaderboard]
    assert "<small>1–3</small>" in pages.compare_page(replace(comparison, leaderboard=tuple(lines)))
    assert "by chance maybe, and" in pages.comparison_verdict(replace(comparison, leaderboard=tuple(lines)))
    sure = tuple(replace(line, place_low=line.place, place_high=line.place) for line in lines)
    assert "beyond chance, and" in pages.comparison_verdict(replace(comparison, leaderboard=sure))


def test_the_comparison_has_the_leader_first(folder: Path) -> None:
    other = compared(folder.parent)
    page = write_comparison_page(other).read_text(encoding="utf-8")
    assert write_comparison_page(other).read_text(encoding="utf-8") == page
    first = {(r.lang, r.level): r.model for r in read_comparison(other).leaderboard if r.place == 1}
    boards = re.findall(r"<caption>Leaderboard</caption>.*?<tbody>\s*<tr><th scope=\"row\">([^<]+)", page, re.DOTALL)
    assert len(boards) == 12
    assert boards[0] == first["en", "nc"]
    assert page.count('<th scope="row">ideal</th>') == 12
