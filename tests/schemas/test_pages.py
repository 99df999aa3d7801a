"""The page kit: escaping, tables, charts, colours and the policy of a page."""

from __future__ import annotations

import base64
import doctest
import hashlib
import re
from types import ModuleType

import pytest
from markupsafe import Markup

from ncimp.schemas.pages import charts, kit


@pytest.mark.parametrize("module", [kit, charts])
def test_examples_in_docstrings(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_table_escapes_text_and_keeps_markup() -> None:
    rows: list[list[kit.Content | kit.Cell]] = [
        ["a < b", kit.Cell(Markup("<b>1</b>"), css="plot", note="n & m", key="1")]
    ]
    text = str(kit.table("2 > 1", ["Name", "<n>"], rows, sortable=True))
    assert "<caption>2 &gt; 1</caption>" in text
    assert '<th scope="row">a &lt; b</th>' in text
    assert '<td class="plot" data-key="1"><b>1</b><small>n &amp; m</small></td>' in text
    assert '<th scope="col" class="left">Name</th><th scope="col">&lt;n&gt;</th>' in text


def test_page_allows_its_own_style_and_script_only() -> None:
    sections = [kit.Section("one", "First & only", Markup("<p>text</p>"))]
    text = kit.page("<title>", Markup("<h1>x</h1>"), sections, style=".own{color:red}")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert style
    assert script
    for part in (style[1], script[1]):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"sha256-{digest}" in text.replace("&#43;", "+").replace("&#34;", '"')
    assert "<title>&lt;title&gt;</title>" in text
    assert '<a href="#one">First &amp; only</a>' in text
    assert text == kit.page("<title>", Markup("<h1>x</h1>"), sections, style=".own{color:red}")


def test_charts_draw_figures_at_their_places() -> None:
    scale = charts.Scale(-1, 1, 8, 192)
    assert scale.ticks() == [-1.0, -0.5, 0.0, 0.5, 1.0]
    drawn = str(charts.estimate(scale, 0.5, 0.0, 1.0, "yes"))
    assert '<line class="ci yes" x1="100" x2="192" y1="20" y2="20"/>' in drawn
    assert '<circle class="dot yes" cx="146" cy="20" r="4"/>' in drawn
    assert "circle" not in charts.estimate(scale, None, None, None)
    assert str(charts.scale_head(scale)).count("<text") == 3
    assert "<title>a &lt; b</title>" in charts.picture(
        10, 10, "a < b", [kit.macros("kit/charts.jinja").axis(scale, 0, 5)]
    )
    assert '<polygon class="mid" points="8,2 14,8 8,14 2,8"/>' in charts.sign("idiomatic", 8, 8, 5, "mid")
    assert str(charts.bar(0, 0, 30, 24, "seg", "3", "on")).endswith(
        '<text class="on" x="15" y="16" text-anchor="middle">3</text>'
    )


@pytest.mark.parametrize("theme", [kit.LIGHT, kit.DARK])
def test_letters_can_be_read(theme: kit.Theme) -> None:
    for ground in kit.GROUNDS:
        low = {name: c for name in kit.TEXT if (c := kit.contrast(theme[name], theme[ground])) < 4.5}
        assert low == {}, ground
    assert kit.contrast(theme["ink"], theme["mark"]) >= 4.5
    assert kit.contrast(theme["card"], theme["yes"]) >= 4.5  # the count on a filled bar
    assert kit.contrast(theme["page"], theme["ink"]) >= 4.5  # the chosen button


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_of_the_heat_map_can_be_read(theme: str) -> None:
    grounds = [kit.heat(theme, step) for step in range(-10, 11)]
    assert min(kit.contrast(*pair) for pair in grounds) >= 4.5
    assert len({ground for ground, _ink in grounds}) == 21


def test_contrast_is_that_of_the_guidelines() -> None:
    assert kit.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert kit.contrast("#ffffff", "#767676") == kit.contrast("#767676", "#ffffff")
