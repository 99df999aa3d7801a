"""The judging task as HTML: its fields, its labels, and that nothing in it comes from elsewhere."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser

import pytest

from ncimp.builder.annotation.task.batch import Sheet
from ncimp.builder.annotation.task.cells import cell
from ncimp.builder.annotation.task.page import (
    PLACEHOLDER,
    SENTENCES,
    document,
    fill_in,
    fill_template,
    plain_questions,
    task_page,
)
from ncimp.builder.records import Mode
from tests.annotation.annotation_world import HOSTILE, LANGS, hostile_sheet, wording_of

MODES: tuple[Mode, ...] = ("token", "type")
ALL = [(lang, mode) for lang in LANGS for mode in MODES]
VOID = {"meta", "input"}


class Elements(HTMLParser):
    """Every start tag with its attributes, the texts, and what is still open at the end."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def elements(page: str) -> Elements:
    read = Elements(page)
    assert read.open == []
    return read


@pytest.mark.parametrize(("lang", "mode"), ALL)
def test_the_fields_are_those_of_the_contract(lang: str, mode: Mode) -> None:
    names = {one["name"] for one in elements(task_page(wording_of(lang), mode)).all("input")}
    asked = ("status", "head", "modifier", "comp", "synonym1", "synonym2", "synonym3")
    assert names == {"task_id", *(f"{name}_{n}" for name in asked for n in range(1, SENTENCES[mode] + 1))}


@pytest.mark.parametrize(("lang", "mode"), ALL)
def test_every_scale_runs_from_0_to_5_with_its_words_in_that_order(lang: str, mode: Mode) -> None:
    wording = wording_of(lang)
    page = task_page(wording, mode)
    for name in ("head", "modifier", "comp"):
        values = [one["value"] for one in elements(page).all("input") if one["name"] == f"{name}_1"]
        assert values == ["0", "1", "2", "3", "4", "5"]
    for scale in re.findall(r'<div class="scale">(.*?)</div>', page):
        said = re.findall(r"<b>(\d)</b><span>(.*?)</span>", scale)
        assert said == [(str(point), text) for point, text in enumerate(wording.scale.points)]
    assert page.count('<div class="scale">') == 3 * SENTENCES[mode]


@pytest.mark.parametrize(
    ("lang", "order"), [("en", ["modifier", "head", "comp"]), ("pt", ["head", "modifier", "comp"])]
)
@pytest.mark.parametrize("mode", MODES)
def test_the_words_are_asked_about_in_the_order_of_most_compounds(lang: str, order: list[str], mode: Mode) -> None:
    wording, numbers = wording_of(lang), range(1, SENTENCES[mode] + 1)
    page = task_page(wording, mode)
    wanted = [f"{name}_{n}" for n in numbers for name in order]
    asked = dict.fromkeys(str(one["name"]) for one in elements(page).all("input"))
    assert [name for name in asked if name.split("_")[0] in order] == wanted
    sheet = Sheet("a" * 16, "m", "h", "nc", (("b", "s", "a"),) * SENTENCES[mode])
    plain = [one.field for questions in plain_questions(wording, sheet) for one in questions]
    assert [name for name in plain if name.split("_")[0] in order] == wanted
    example = wording.examples[0]
    legends = [getattr(wording.questions, name).legend for name in order]
    told = [fill_in(legend, head=example.head, modifier=example.modifier) for legend in legends]
    assert [page.index(f"<dt>{legend}</dt>") for legend in told] == sorted(
        page.index(f"<dt>{one}</dt>") for one in told
    )


@pytest.mark.parametrize(("lang", "mode"), ALL)
def test_the_placeholders_are_the_columns_of_the_tasks(lang: str, mode: Mode) -> None:
    sheet = Sheet("a" * 16, "m", "h", "nc", (("b", "s", "a"),) * SENTENCES[mode])
    assert set(PLACEHOLDER.findall(task_page(wording_of(lang), mode))) == set(sheet.fields())


@pytest.mark.parametrize(("lang", "mode"), ALL)
def test_nothing_is_fetched_from_elsewhere(lang: str, mode: Mode) -> None:
    page = task_page(wording_of(lang), mode)
    assert not re.search(r"https?:|//\w|@import|url\(|<link|<iframe|\bsrc=|\bhref=", page.replace("// ", ""))


@pytest.mark.parametrize(("lang", "mode"), ALL)
def test_every_group_has_a_legend_and_every_description_exists(lang: str, mode: Mode) -> None:
    read = elements(task_page(wording_of(lang), mode))
    ids = [one["id"] for _, one in read.found if "id" in one]
    assert len(set(ids)) == len(ids)
    for _, one in read.found:
        for name in ("aria-describedby", "aria-labelledby"):
            assert set((one.get(name) or "").split()) <= set(ids)
    assert len(read.all("fieldset")) == len(read.all("legend")) == 5 * SENTENCES[mode]
    assert len(read.all("label")) == (3 + 18 + 3) * SENTENCES[mode]
    assert read.all("div")[0]["lang"] == wording_of(lang).about.language


@pytest.mark.parametrize("mode", MODES)
def test_a_hostile_value_adds_no_element_and_is_shown_as_it_is(mode: Mode) -> None:
    for value in HOSTILE:
        template = task_page(wording_of("en"), mode)
        plain = Sheet("a" * 16, "m", "h", "nc", (("b", "s", "a"),) * SENTENCES[mode])
        shown = [
            fill_template(template, {k: cell(v) for k, v in one.fields().items()})
            for one in (plain, hostile_sheet(value, SENTENCES[mode]))
        ]
        clean, dirty = (elements(page) for page in shown)
        assert [tag for tag, _ in clean.found] == [tag for tag, _ in dirty.found]
        assert [list(one) for _, one in clean.found] == [list(one) for _, one in dirty.found]
        assert "".join(dirty.texts).count(value) >= 3 * SENTENCES[mode]


def test_a_hostile_wording_is_escaped_too() -> None:
    for value in [one for one in HOSTILE if "\n" not in one]:
        wording = wording_of("en")
        task = dataclasses.replace(wording.task, title=value, submit=value, steps=(value,))
        changed = dataclasses.replace(wording, task=task, messages=dataclasses.replace(wording.messages, score=value))
        clean, dirty = elements(task_page(wording, "token")), elements(document(task_page(changed, "token"), changed))
        assert len(dirty.all("script")) == len(clean.all("script")) == 1
        assert len(dirty.all("img")) == 0
        assert dirty.all("div")[0]["data-score"] == value


def test_the_contact_is_named_in_the_text_on_consent() -> None:
    assert "run by Ana &lt;a@b.example&gt;." in task_page(wording_of("en"), "token", contact="Ana <a@b.example>")
    assert wording_of("en").consent.contact in task_page(wording_of("en"), "token")
