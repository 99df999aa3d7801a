"""The pages in a real Chromium: nothing is asked for, nothing overflows, all can be reached, in light and dark."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ncimp.evaluator.pages import write_comparison_page
from ncimp.evaluator.pages.report import write_report
from ncimp.evaluator.release import read_release
from ncimp.schemas.pages import kit
from tests.evaluator.tiny_results import HOSTILE, compared, evaluated, renamed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PHONE: Any = {"width": 375, "height": 812}
DESK: Any = {"width": 1280, "height": 900}
NAMES = ("report", "compare")
Open = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a model with a hostile name, some of whose vectors are missing, and that of a comparison with one."""
    folder = tmp_path_factory.mktemp("browser")
    made = evaluated(folder, "good", noise=0.05, without="c3_ws1")
    release = read_release(folder / "ncimp")
    report = write_report(renamed(made, folder / "hostile", HOSTILE), release)
    return {"report": report, "compare": write_comparison_page(compared(folder))}


@pytest.fixture
def opened(chromium: Browser, pages: dict[str, Path]) -> Open:
    """Open a page by name; at the end, nothing was asked for beside it and the console is empty."""

    @contextmanager
    def open_page(name: str, viewport: Any = None, **options: Any) -> Iterator[Page]:
        context = chromium.new_context(viewport=viewport or DESK, **options)
        requests: list[str] = []
        console: list[str] = []
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: console.append(message.text))
        page.on("pageerror", lambda error: console.append(str(error)))
        page.on("dialog", lambda dialog: console.append(dialog.message))
        page.goto(pages[name].as_uri())
        yield page
        page.wait_for_timeout(50)
        context.close()
        assert requests == [pages[name].as_uri()]
        assert console == []

    return open_page


def visible(page: Page, section: str) -> list[list[str]]:
    """Return language, level and kind of the views of *section* that can be seen."""
    script = """id => [...document.querySelectorAll(`[aria-labelledby=${id}] .view`)]
        .filter(e => e.offsetParent !== null).map(e => [e.dataset.lang, e.dataset.level, e.dataset.kind])"""
    found: list[list[str]] = page.evaluate(script, section)
    return found


def open_details(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_is_wider_than_the_window(opened: Open, name: str, viewport: dict[str, int]) -> None:
    with opened(name, viewport) as page:
        open_details(page)
        for lang, level in itertools.product(("en", "pt"), ("sentence", "nc")):
            page.click(f"label[for=lang-{lang}]")
            page.click(f"label[for=level-{level}]")
            assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
        letters = page.evaluate("""[...document.querySelectorAll('p, li, dd, th, td, summary')]
            .filter(e => e.offsetParent).map(e => parseFloat(getComputedStyle(e).fontSize))""")
        assert min(letters) >= 12


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_of_paper_is_wide_enough(opened: Open, name: str) -> None:
    with opened(name, {"width": 1032, "height": 700}) as page:  # A4, landscape, 12 mm of margin
        open_details(page)
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") == 1032


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("script", [True, False])
def test_buttons_choose_one_view_with_and_without_a_script(opened: Open, name: str, script: bool) -> None:
    section = "distributions" if name == "report" else "leaderboard"
    with opened(name, java_script_enabled=script) as page:
        shown = page.locator(f"[aria-labelledby={section}] .view").filter(visible=True)
        assert shown.count() == 1
        page.click("label[for=lang-pt]")
        page.click("label[for=kind-neutral]")
        assert shown.count() == 1
        place = [shown.get_attribute(f"data-{axis}") for axis in ("lang", "level", "kind")]
        assert place == ["pt", "nc", "neutral"]
        assert page.locator("thead button, .find input").count() == 0 or script


def test_the_keyboard_reaches_links_filters_tables_and_details(opened: Open) -> None:
    with opened("report") as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            said = page.evaluate("""(e => [e.tagName, e.name || e.className || '', getComputedStyle(e).outlineStyle,
                getComputedStyle(e.nextElementSibling || e).outlineStyle])(document.activeElement)""")
            reached.add((said[0], said[1]))
            if said[0] not in ("BODY", "HTML"):
                assert "solid" in said[2:], said
        assert {("A", ""), ("INPUT", "lang"), ("INPUT", "level"), ("INPUT", "kind")} <= reached
        assert {("DIV", "scroll"), ("SUMMARY", "")} <= reached


def test_arrow_keys_change_the_view(opened: Open) -> None:
    with opened("report") as page:
        assert visible(page, "correlogram") == [["en", "nc", "all"]]
        page.focus("#level-nc")
        page.keyboard.press("ArrowRight")
        assert visible(page, "correlogram") == [["en", "sentence", "all"]]
        page.focus("summary >> nth=0")
        page.locator("[aria-labelledby=all] .view summary").filter(visible=True).focus()
        page.keyboard.press("Enter")
        assert page.locator("[aria-labelledby=all] details[open]").count() == 1


def column(page: Page, number: int) -> list[str]:
    script = "n => [...document.querySelector('[aria-labelledby=leaderboard] table').tBodies[0].rows]" + (
        ".map(row => row.cells[n].textContent)"
    )
    found: list[str] = page.evaluate(script, number)
    return found


def test_a_leaderboard_is_sorted_by_keyboard(opened: Open) -> None:
    with opened("compare") as page:
        before = column(page, 1)
        assert [text[0] for text in before] == ["1", "2", "3", "–"]  # the places over resamples follow
        head = page.locator("[aria-labelledby=leaderboard] table >> nth=0").locator("thead th >> nth=7")
        head.locator("button").focus()
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "descending"
        values = [float(text.replace("−", "-")) for text in column(page, 7)]
        assert values == sorted(values, reverse=True)
        page.keyboard.press("Space")
        assert head.get_attribute("aria-sort") == "ascending"
        assert [float(text.replace("−", "-")) for text in column(page, 7)] == values[::-1]
        assert "ascending" in page.locator("#said").inner_text()
        page.locator("[aria-labelledby=leaderboard] thead >> nth=0").locator("button >> nth=0").click()
        assert head.get_attribute("aria-sort") is None
        names = column(page, 0)
        assert names == page.evaluate("names => [...names].sort((a, b) => b.localeCompare(a, 'en'))", names)


def test_what_has_no_value_is_last_either_way(opened: Open) -> None:
    with opened("report") as page:
        page.locator("[aria-labelledby=all] summary").filter(visible=True).click()
        table = page.locator("[aria-labelledby=all] table").filter(visible=True)
        head = table.locator("thead button >> nth=4")  # Sim_PWordsSyn_first, which c3 lacks
        for _ in range(2):
            head.click()
            last = table.locator("tbody tr").last
            assert last.locator("th").inner_text() == "c3"
            assert last.locator("td >> nth=3").inner_text() == "–"


def test_compounds_are_found_by_name_and_class(opened: Open) -> None:
    with opened("report") as page:
        page.locator("[aria-labelledby=all] summary").filter(visible=True).click()
        rows = page.locator("[aria-labelledby=all] tbody tr").filter(visible=True)
        find = page.locator(".find input").filter(visible=True)
        assert rows.count() == 12
        find.fill("c11")
        assert rows.locator("th").all_inner_texts() == ["c11"]
        find.fill("compositional")
        assert rows.count() == 4
        assert page.locator("#said").inner_text() == "4 rows"
        find.fill("")
        assert rows.count() == 12


@pytest.mark.parametrize(("scheme", "theme"), [("light", kit.LIGHT), ("dark", kit.DARK)])
def test_the_page_follows_the_scheme_of_the_reader(opened: Open, scheme: str, theme: kit.Theme) -> None:
    with opened("report", color_scheme=scheme) as page:
        for selector, name, wanted in (
            ("body", "backgroundColor", theme["page"]),
            ("h1", "color", theme["ink"]),
            ("nav a", "color", theme["link"]),
            (".panel", "backgroundColor", theme["card"]),
            ("svg text", "fill", theme["ink"]),
            (".idiomatic .box", "fill", theme["idiomatic"]),
            (".badge.no", "color", theme["no"]),
        ):
            script = f"getComputedStyle(document.querySelector({selector!r})).{name}"
            assert _hex(page.evaluate(script)) == wanted, selector
        page.emulate_media(media="print", color_scheme=scheme)
        assert _hex(page.evaluate("getComputedStyle(document.body).backgroundColor")) == kit.LIGHT["page"]
        assert not page.locator("nav").is_visible()


def _hex(colour: str) -> str:
    red, green, blue = (int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    return f"#{red:02x}{green:02x}{blue:02x}"


SEEN = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
    while (walk.nextNode()) {
        const e = walk.currentNode.parentElement;
        if (!walk.currentNode.textContent.trim() || !e.checkVisibility() || e.closest('svg, script, .hidden')) continue;
        let ground = e;
        while (ground && (rgb(getComputedStyle(ground).backgroundColor)[3] ?? 1) === 0) ground = ground.parentElement;
        found.push([rgb(getComputedStyle(e).color), rgb(getComputedStyle(ground).backgroundColor), e.className]);
    }
    return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_every_letter_that_is_seen_can_be_read(opened: Open, name: str, scheme: str) -> None:
    with opened(name, color_scheme=scheme) as page:
        open_details(page)
        pairs = {(tuple(ink[:3]), tuple(ground[:3]), where) for ink, ground, where in page.evaluate(SEEN)}
    assert len(pairs) > 10
    for ink, ground, where in pairs:
        one, other = (f"#{r:02x}{g:02x}{b:02x}" for r, g, b in (ink, ground))
        assert kit.contrast(one, other) >= 4.5, (where, one, other)


@pytest.mark.parametrize("name", NAMES)
def test_the_document_is_well_made(opened: Open, name: str) -> None:
    with opened(name) as page:
        assert page.evaluate("document.documentElement.lang") == "en"
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5')].map(e => +e.tagName[1])")
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
        assert len(ids) == len(set(ids))
        for link in page.evaluate("[...document.querySelectorAll('a')].map(e => e.getAttribute('href').slice(1))"):
            assert link in ids
        lacking = page.evaluate("""[...document.querySelectorAll('table')].filter(t => !t.caption || !t.tHead
            || [...t.tHead.rows[0].cells].some(c => c.tagName !== 'TH' || c.scope !== 'col')
            || [...t.tBodies[0].rows].some(r => r.cells.length !== t.tHead.rows[0].cells.length
            || r.cells[0].scope !== 'row')).map(t => t.outerHTML.slice(0, 300))""")
        assert lacking == []
        silent = page.evaluate("""[...document.querySelectorAll('svg')].filter(e => e.ariaHidden !== 'true' &&
            !(e.getAttribute('role') === 'img' && e.querySelector('title').textContent &&
            e.querySelector('desc').textContent)).length""")
        assert silent == 0


def test_the_parts_of_a_report(opened: Open) -> None:
    with opened("report") as page:
        heads = page.locator("h2").all_inner_texts()
        assert heads == [
            "Scorecard",
            "Distributions",
            "Correlations",
            "Correlogram",
            "Best and worst",
            "All compounds",
            "Missing",
            "Signature",
        ]
        assert page.locator("nav a").all_inner_texts() == heads
        assert page.locator("h1").inner_text() == HOSTILE
        assert HOSTILE in page.title()
        counts = "ids => ids.map(id => document.querySelectorAll(`[aria-labelledby=${id}] .view`).length)"
        assert page.evaluate(counts, ["scorecard", "distributions", "correlogram", "compounds"]) == [12] * 4
        view = page.locator("[aria-labelledby=distributions] .view").filter(visible=True)
        assert view.locator("figcaption b").all_inner_texts() == [
            "Sim_PSyn",
            "Sim_PComp_max",
            "Sim_PWordsSyn_first",
            "Sim_PRand",
            "A_Syn|WordsSyn_first",
            "A_Syn|Rand",
            "SimR_PSyn",
            "SimR_PComp_max",
            "SimR_PWordsSyn_first",
        ]
        assert view.locator(".violin").count() == 9 * 3
        card = page.locator("[aria-labelledby=scorecard] table").filter(visible=True)
        assert card.locator("thead th").all_inner_texts()[-5:] == [
            "ideal",
            "overlap",
            "length",
            "random",
            "bag of words",
        ]
        assert 0 < card.locator("tbody tr").count() < 17  # the rest, which cannot be met, is folded
        cards = page.locator("[aria-labelledby=compounds] article").filter(visible=True)
        assert cards.count() == 2 + 4 + 4  # one of the four idiomatic compounds has no value, which leaves one an end
