"""The judging task in a real browser: filled in by keyboard, its messages, its looks, and hostile values."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ncimp.builder.annotation.services.mturk_format import filled_question
from ncimp.builder.annotation.task.batch import Sheet
from ncimp.builder.annotation.task.cells import cell
from ncimp.builder.annotation.task.page import SENTENCES, fill_template, preview_page, question_template, task_page
from ncimp.builder.records import Mode
from tests.annotation.annotation_world import HOSTILE, LANGS, hostile_sheet, wording_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

Opened = Callable[..., "Page"]
PARTS = ("The ", "eager beaver", " on my left had finished before us.")
CONTRAST = """() => {
  function parse(text) { return text.match(/[\\d.]+/g).map(Number); }
  function light(rgb) {
    const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = rgb.slice(0, 3).map(v => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function behind(element) {
    for (let at = element; at; at = at.parentElement) {
      const found = parse(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] > 0) { return found; }
    }
    return [255, 255, 255];
  }
  const found = [];
  const walker = document.createTreeWalker(document.querySelector(".ncimp"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !element.checkVisibility() || element.closest("script, style")) { continue; }
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), text]);
  }
  return found.sort((x, y) => x[0] - y[0]);
}"""
"""Contrast of every visible text with what is behind it, lowest first (WCAG 2, relative luminance)."""


def sheet(mode: Mode) -> Sheet:
    return Sheet("a" * 16, "eager", "beaver", "eager beaver", (PARTS,) * SENTENCES[mode])


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A fresh browser profile of a desktop's width."""
    made = chromium.new_context(viewport={"width": 1000, "height": 900})
    yield made
    made.close()


@pytest.fixture
def opened(context: BrowserContext, tmp_path: Path) -> Opened:
    """Open the preview of a task in a language and mode; any request that is not for the page itself fails the test."""

    def show(lang: str = "en", mode: Mode = "token", what: Sheet | None = None, text: str | None = None) -> Page:
        wording = wording_of(lang)
        page = context.new_page()
        path = tmp_path / "task.html"
        html = text or preview_page(task_page(wording, mode), (what or sheet(mode)).fields(), wording)
        path.write_text(html, encoding="utf-8")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(path.as_uri())
        assert asked == [path.as_uri()]
        return page

    return show


def answers(page: Page) -> dict[str, Any]:
    """Return the answers that the preview says it would send."""
    page.locator("#answers pre").wait_for(state="visible")
    found: dict[str, Any] = json.loads(page.locator("#answers pre").inner_text())
    return found


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def focused(page: Page) -> str:
    """Return name and value of the focused field."""
    return str(page.evaluate("() => { const a = document.activeElement; return a.name + '=' + a.value; }"))


@pytest.mark.parametrize("lang", LANGS)
def test_a_task_is_answered_by_keyboard_alone(opened: Opened, lang: str) -> None:
    page = opened(lang)
    press(page, "Tab", "Tab", "Tab", "Tab", "Space")  # over the three folded texts to the first question
    assert focused(page) == "status_1=judged"
    press(page, "Tab", "Space")
    first, second, whole = wording_of(lang).questions.order
    assert focused(page) == f"{first}_1=0"
    press(page, "Tab", "Space", "ArrowRight", "ArrowRight")
    press(page, "Tab", "Space", "ArrowLeft")
    assert focused(page) == f"{whole}_1=5"
    press(page, "Tab")
    page.keyboard.type("go-getter")
    press(page, "Tab", "Tab", "Tab", "Enter")
    assert answers(page) == {
        "task_id": "a" * 16,
        "status_1": "judged",
        f"{first}_1": "0",
        f"{second}_1": "2",
        "comp_1": "5",
        "synonym1_1": "go-getter",
        "synonym2_1": "",
        "synonym3_1": "",
    }


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_missing_is_said_in_the_language_of_the_task(opened: Opened, lang: str) -> None:
    page, said = opened(lang), wording_of(lang).messages
    page.click("button[type=submit]")
    assert page.locator(".alert").inner_text() == said.summary.replace("{count}", "1")
    assert page.locator(".wrong:visible").all_inner_texts() == [said.status]
    assert focused(page) == "status_1=judged"
    press(page, "Space")
    assert page.locator(".wrong:visible").count() == page.locator(".alert:visible").count() == 0
    page.click("button[type=submit]")
    assert page.locator(".alert").inner_text() == said.summary.replace("{count}", "3")
    assert page.locator(".wrong:visible").all_inner_texts() == [said.score] * 3
    assert focused(page) == f"{wording_of(lang).questions.order[0]}_1=0"
    page.check("input[name=head_1][value='4']")
    assert page.locator(".wrong:visible").count() == 2
    assert page.locator("[aria-invalid=true]").count() == 2
    assert page.locator("#answers").is_hidden()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("status", ["unknown", "nonsense"])
def test_what_cannot_be_judged_needs_no_scores_and_sends_none(opened: Opened, lang: str, status: str) -> None:
    page = opened(lang)
    page.check("input[name=status_1][value=judged]")
    page.check("input[name=head_1][value='3']")
    page.fill("input[name=synonym1_1]", "x")
    page.check(f"input[name=status_1][value={status}]")
    assert page.locator("fieldset.score:disabled").count() == 3
    assert page.locator("fieldset.score:visible").count() == 0
    assert page.locator(".off").inner_text() == wording_of(lang).status.note
    page.click("button[type=submit]")
    assert answers(page) == {"task_id": "a" * 16, "status_1": status}


def test_who_thinks_again_finds_the_scores_as_they_were(opened: Opened) -> None:
    page = opened()
    page.check("input[name=status_1][value=judged]")
    page.check("input[name=comp_1][value='3']")
    page.check("input[name=status_1][value=nonsense]")
    page.check("input[name=status_1][value=judged]")
    assert page.locator("fieldset.score:disabled").count() == 0
    assert page.locator("input[name=comp_1]:checked").get_attribute("value") == "3"
    assert page.locator(".off").is_hidden()


def test_in_type_mode_each_sentence_has_an_answer_of_its_own(opened: Opened) -> None:
    page = opened(mode="type")
    page.check("input[name=status_1][value=judged]")
    for name in ("head_1", "modifier_1", "comp_1"):
        page.check(f"input[name={name}][value='1']")
    page.check("input[name=status_2][value=unknown]")
    page.click("button[type=submit]")
    assert focused(page) == "status_3=judged"
    page.check("input[name=status_3][value=nonsense]")
    page.click("button[type=submit]")
    given = answers(page)
    assert (given["status_1"], given["status_2"], given["status_3"]) == ("judged", "unknown", "nonsense")
    assert "comp_1" in given
    assert not {"comp_2", "comp_3", "synonym1_2"} & set(given)


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.slow
def test_a_hostile_value_is_shown_and_does_nothing(opened: Opened, value: str) -> None:
    page = opened(what=hostile_sheet(value))
    assert page.title() == wording_of("en").task.title
    assert page.locator(".sentence bdi").all_text_contents() == [value] * 3
    assert page.locator("img").count() == 0
    page.check("input[name=status_1][value=unknown]")
    page.click("button[type=submit]")
    assert answers(page)["task_id"] == "a" * 16


def test_groups_and_fields_have_names_for_who_hears_the_page(opened: Opened) -> None:
    page, wording = opened(), wording_of("en")
    group = page.get_by_role("radiogroup", name="Do you understand “eager beaver” in this sentence?")
    assert group.get_by_role("radio", name=wording.status.unknown).count() == 1
    scale = page.get_by_role("radiogroup", name="How literally is “beaver” meant here?")
    assert scale.get_by_role("radio").count() == 6
    assert scale.get_by_role("radio", name="5 completely").count() == 1
    assert page.get_by_role("textbox", name="Suggestion 2").count() == 1
    spoken = page.locator(".sentence").text_content()
    assert spoken is not None
    assert wording.task.marked in spoken
    assert wording.task.marked_end in spoken
    described = page.evaluate(
        "() => document.querySelector('[name=comp_1]').closest('fieldset').getAttribute('aria-describedby')"
        ".split(' ').map(id => document.getElementById(id).textContent.trim()).join(' ')"
    )
    assert "Its two words tell exactly what it means." in described


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_the_contrast_of_wcag_aa(opened: Opened, lang: str, scheme: Any) -> None:
    page = opened(lang, "type")
    page.emulate_media(color_scheme=scheme)
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.check("input[name=status_1][value=judged]")
    page.check("input[name=head_1][value='3']")
    page.check("input[name=status_2][value=unknown]")
    page.click("button[type=submit]")
    page.wait_for_timeout(300)  # colours of what was chosen fade in
    found = page.evaluate(CONTRAST)
    assert len(found) > 100
    assert found[0][0] >= 4.5, found[0]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [320, 375, 700, 1200])
@pytest.mark.slow
def test_nothing_is_wider_than_the_screen(opened: Opened, lang: str, width: int) -> None:
    page = opened(lang, "type", Sheet("a" * 16, "m" * 60, "h" * 60, "nc", (("b" * 90, "s" * 70, " a"),) * 3))
    page.set_viewport_size({"width": width, "height": 800})
    page.click("button[type=submit]")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    if folder := os.environ.get("NCIMP_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{lang}-{width}.png", full_page=True)


def test_on_a_phone_everything_that_is_tapped_is_large_enough(opened: Opened) -> None:
    page = opened()
    page.set_viewport_size({"width": 375, "height": 700})
    heights = page.evaluate(
        "() => [...document.querySelectorAll('.choice, .point, input[type=text], button, summary')]"
        ".map(one => one.getBoundingClientRect().height)"
    )
    assert len(heights) == 3 + 18 + 3 + 1 + 3
    assert min(heights) >= 44


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", ["token", "type"])
def test_on_a_phone_the_sentence_is_in_sight_at_every_answer(opened: Opened, lang: str, mode: Mode) -> None:
    long = Sheet("a" * 16, "eager", "beaver", "eager beaver", (("so it goes " * 30, "eager beaver", " ."),) * 3)
    page = opened(lang, mode, sheet(mode) if mode == "token" else long)
    page.set_viewport_size({"width": 375, "height": 667})
    for number in range(1, SENTENCES[mode] + 1):
        for name in ("status", *wording_of(lang).questions.order, "synonym3"):
            field = page.locator(f"[name={name}_{number}]").last
            for block in ("start", "end"):
                field.evaluate("(e, block) => e.scrollIntoView({block})", block)
                top, bottom = page.locator(f"#s_{number}").evaluate(
                    "e => { const box = e.getBoundingClientRect(); return [box.top, box.bottom]; }"
                )
                answer = field.evaluate("e => e.getBoundingClientRect().top")
                assert 0 <= top < bottom <= answer <= 667, (name, number, block)
                assert bottom - top <= 0.4 * 667 + 1
    if folder := os.environ.get("NCIMP_SCREENSHOTS"):
        for name in wording_of(lang).questions.order:
            page.locator(f"[name={name}_1]").last.scroll_into_view_if_needed()
            page.screenshot(path=Path(folder) / f"phone-{lang}-{mode}-{name}.png")


def test_focus_and_choice_are_seen_without_colours(opened: Opened) -> None:
    page = opened()
    page.focus("input[name=status_1][value=judged]")
    press(page, "Space", "Tab")
    style = (
        "e => { const s = getComputedStyle(e.closest('label')); return [s.outlineStyle, parseFloat(s.outlineWidth)]; }"
    )
    assert page.locator("input[name=modifier_1][value='0']").evaluate(style) == ["solid", 3]
    chosen = page.locator("label:has(input[name=status_1]:checked) > span")
    assert chosen.evaluate("e => getComputedStyle(e).fontWeight") == "700"
    assert page.locator("input[name=status_1]:checked").evaluate("e => getComputedStyle(e).appearance") != "none"


def test_instructions_stay_closed_once_they_were_closed(opened: Opened) -> None:
    page = opened()
    steps = page.locator("details").first
    assert steps.get_attribute("open") is not None
    steps.locator("summary").click()
    page.wait_for_function("() => localStorage.getItem('ncimp-instructions') === 'closed'")
    page.reload()
    assert steps.get_attribute("open") is None


def test_a_question_goes_where_the_service_says_with_its_assignment(context: BrowserContext) -> None:
    wording = wording_of("en")
    fields = {name: cell(value) for name, value in sheet("token").fields().items()}
    question = filled_question(question_template(task_page(wording, "token"), wording), fields)
    html = question.split("<![CDATA[")[1].split("]]>")[0]
    page = context.new_page()
    sent: list[str | None] = []

    def take(route: Route) -> None:
        sent.append(route.request.post_data)
        route.fulfill(body="ok")

    page.route("http://crowd.test/**", take)
    page.route("http://task.test/**", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    page.goto("http://task.test/q?assignmentId=A1&turkSubmitTo=http%3A%2F%2Fcrowd.test")
    page.check("input[name=status_1][value=nonsense]")
    page.click("button[type=submit]")
    page.wait_for_url("http://crowd.test/mturk/externalSubmit")
    assert sent == [f"assignmentId=A1&task_id={'a' * 16}&status_1=nonsense"]


def test_before_a_task_is_accepted_nothing_can_be_sent(context: BrowserContext, opened: Opened) -> None:
    wording = wording_of("pt")
    fields = {name: cell(value) for name, value in sheet("token").fields().items()}
    piece = fill_template(task_page(wording, "token"), fields)
    page = opened(
        "pt", text=f'<!DOCTYPE html><form method="post" action="#" target="_parent">{piece}</form>'
    )  # Turkle's
    assert page.locator("button[type=submit]").is_disabled()
    assert page.locator(".not-yet").inner_text() == wording.messages.preview
    question = filled_question(question_template(task_page(wording, "token"), wording), fields)
    page = context.new_page()
    html = question.split("<![CDATA[")[1].split("]]>")[0]
    page.route("http://task.test/**", lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
    page.goto("http://task.test/q?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    assert page.locator("button[type=submit]").is_disabled()
