"""The report as people see it: figures that are those of the judgements, nothing unescaped, readable at two widths."""

from __future__ import annotations

import html.parser
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ncimp.builder.annotation.answers.annotators import Rules, mark_excluded
from ncimp.builder.annotation.rehearsal import Crowd, simulate
from ncimp.builder.annotation.report.figures import Report, make_report
from ncimp.builder.annotation.report.page import CIRCULAR, NOT_CIRCULAR, render
from ncimp.builder.records import Judgement
from tests.annotation.scores_world import judged, key_of
from tests.annotation.test_aggregation import COMPOUNDS, EXPERTS, judgement

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = '"><script>document.title="owned"</script>&lt;=cmd()\u202e'


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Judgement]:
    """A simulated campaign of 20 compounds and 10 annotators, two of them cheaters."""
    key = key_of(tmp_path_factory.mktemp("report"), COMPOUNDS)
    return judged(simulate(key, Crowd(seed="page"), EXPERTS), key)


@pytest.fixture(scope="module")
def report(rows: list[Judgement]) -> Report:
    return make_report(rows, Rules(), classes=EXPERTS, resamples=200)


def test_the_figures_are_those_of_the_judgements(report: Report, rows: list[Judgement]) -> None:
    done = report.completion
    assert (done.judgements, done.items, done.annotators) == (700, 600, 10)
    assert (done.compounds, done.sentences, done.most, done.repeated) == (20, 60, 10, 0)
    assert sum(done.statuses.values()) == 600
    assert len(report.excluded) == 2
    assert set(report.excluded) == {row.annotator for row in mark_excluded(rows, Rules()) if row.excluded}
    held = {(row.question, row.who, row.compounds, row.alpha.level): row.alpha for row in report.reliability}
    assert len(held) == len(report.reliability) == 3 * 2 * (2 + 2 + 3)
    everybody, kept = held["comp", "all", "all", "ordinal"], held["comp", "kept", "all", "ordinal"]
    assert (everybody.annotators, kept.annotators) == (10, 8)
    assert (kept.alpha or 0) > (everybody.alpha or 0) + 0.1
    assert held["comp", "closest 2", "all", "ordinal"].annotators == 2
    assert held["comp", "closest 3", "all", "ordinal"].annotators == 3
    assert {held["comp", "kept", name, "interval"].units for name in set(EXPERTS.values())} == {18, 21}
    assert report.effect is not None
    assert report.effect.compounds == 20
    assert report.effect.mean_change > 0.1


def test_the_page_says_how_many_had_too_few_checks(rows: list[Judgement], report: Report) -> None:
    assert report.too_few_checks == {"min_gold": 0, "min_attention": 0}
    name = rows[0].annotator
    golds = [row.task_id for row in rows if (row.annotator, row.kind) == (name, "gold")]
    fewer = [row for row in rows if row.annotator != name or row.task_id not in golds[2:]]
    report = make_report(fewer, Rules(min_attention=None), resamples=0)
    assert report.too_few_checks == {"min_gold": 1}
    assert "annotators with too few checks for it" in render(report)


def test_a_report_without_anybody_excluded_changes_nothing(rows: list[Judgement]) -> None:
    lax = Rules(min_gold=None, min_attention=None, min_seconds=None, max_same=None, min_judged=None)
    report = make_report(rows, lax, resamples=0)
    assert report.excluded == {}
    assert report.effect is not None
    assert (report.effect.mean_change, report.effect.classes_changed) == (0.0, 0)


def test_the_figures_go_into_json(report: Report) -> None:
    row = json.loads(json.dumps(asdict(report), allow_nan=False))
    assert row["completion"]["judgements"] == 700
    assert len(row["scores"]) == 20


def test_the_page_says_what_must_be_said(report: Report) -> None:
    page = render(report)
    assert "<strong>Simulated.</strong>" in page
    assert NOT_CIRCULAR.split(":")[0] in page
    assert "declared with the first import" in page
    assert "http" not in page.replace("http-equiv", "")  # nothing from elsewhere
    other = render(replace(report, declared=False, simulated=False, rules=Rules(min_agreement=0.2)))
    assert CIRCULAR.split(":")[0] in other
    assert "<strong>not those declared with the first import</strong>" in other
    assert "<strong>Simulated.</strong>" not in other


def test_a_page_of_one_answer_is_a_page() -> None:
    page = render(make_report([judgement("a", 1, 3)], Rules(), resamples=10))
    assert "en/night-owl" in page
    assert ">nan" not in page.lower()
    assert ">None" not in page.replace(NOT_CIRCULAR, "")


class Tags(html.parser.HTMLParser):
    """Collects the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") for name, _ in attrs)
        self.found.append(tag)


def hostile_page() -> str:
    rows = [
        judgement("a", n, n, campaign=HOSTILE, platform=HOSTILE, compound_id=f"en/{HOSTILE}", synonyms=(HOSTILE,))
        for n in (1, 2, 3)
    ] + [judgement("b", n, n + 1, campaign=HOSTILE, compound_id=f"en/{HOSTILE}") for n in (1, 2, 3)]
    return render(make_report(rows, Rules(), classes={f"en/{HOSTILE}": "idiomatic"}, resamples=10))


def test_every_value_is_escaped() -> None:
    tags = Tags()
    tags.feed(hostile_page())
    assert tags.found.count("script") == 1  # the page's own
    assert {"svg", "table", "caption"} <= set(tags.found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_the_page_in_a_browser(chromium: Browser, tmp_path: Path, report: Report, width: int, scheme: str) -> None:
    """No sideways scrolling of the page, every figure and table has a name, all text can be told from its ground."""
    path = tmp_path / "report.html"
    path.write_text(render(report), encoding="utf-8")
    dark = scheme == "dark"
    page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light")
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("h1").count() == 1
    assert page.get_by_role("img").count() == 2
    for number in range(2):
        box = page.get_by_role("img").nth(number).bounding_box()
        assert box is not None
        assert box["width"] > 300
    regions = page.locator(".scroll")
    assert regions.count() == page.locator("table").count() >= 7
    regions.first.focus()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Completion"
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(CONTRAST) >= 4.5
    assert failed == []
    page.close()


CLIPPED = """
[...document.querySelectorAll('figure svg text')].filter(text => {
  const own = text.getBoundingClientRect(), figure = text.ownerSVGElement.getBoundingClientRect();
  return own.left < figure.left - 1 || own.right > figure.right + 1 || own.bottom > figure.bottom + 1;
}).map(text => text.textContent)
"""
"""Texts that reach out of their figure."""

CONTRAST = """
(() => {
  const light = colour => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255);
    const linear = parts.map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const all = chosen => [...document.querySelectorAll(chosen)].map(one => getComputedStyle(one));
  const inks = all('p:not(.note), th, td, caption, h2, li').map(style => style.color);
  const fills = all('svg text, svg .mark').map(style => style.fill);
  return Math.min(...new Set([...inks, ...fills].map(light)).values().map(
    own => (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05)));
})()
"""
"""Least contrast (WCAG) of any text or mark with its ground."""


def test_a_hostile_campaign_does_nothing_in_a_browser(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(hostile_page(), encoding="utf-8")
    page = chromium.new_page()
    page.goto(path.as_uri())
    assert page.title().startswith("Judgements of en")
    assert page.locator("script").count() == 1
    assert page.evaluate("document.title") != "owned"
    page.close()
