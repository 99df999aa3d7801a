"""The document around the sections: head, policy, filters that work without a script, and the sections by view."""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from ncimp.evaluator.pages.markup import Child, Html, el, join
from ncimp.evaluator.pages.reading import View
from ncimp.evaluator.pages.words import KINDS, LEVELS, language
from ncimp.schemas.pages.kit import source
from ncimp.schemas.pages.palette import colour_rules


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page, with the id that links lead to."""

    anchor: str
    title: str
    content: Html


def document(title: str, head: Html, views: Sequence[View], sections: Sequence[Section]) -> str:
    """Return a whole page: *head*, links, filters where there is more than one view, *sections*."""
    style = colour_rules() + source("page.css") + _filter_rules(views)
    script = source("page.js")
    links = join(el("li", el("a", part.title, href=f"#{part.anchor}")) for part in sections)
    body = el(
        "body",
        el("a", "Skip to the figures", class_="skip", href="#main"),
        el(
            "div",
            el("header", head),
            el("nav", el("ul", links), aria_label="Sections"),
            el("main", filters(views), *map(_section, sections), id="main"),
            el("p", id="said", class_="hidden", role="status"),
            class_="page",
        ),
        el("script", Html(script)),
    )
    page = el("html", _head(title, style, script), body, lang="en")
    # NFC before it is written: the hashes of style and script are over what stands in the file
    return unicodedata.normalize("NFC", f"<!doctype html>\n{page}\n")


def _head(title: str, style: str, script: str) -> Html:
    policy = (
        f"default-src 'none'; style-src '{_source_hash(style)}'; script-src '{_source_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", title),
        el("style", Html(style)),
    )


def _source_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _section(part: Section) -> Html:
    return el("section", el("h2", part.title, id=part.anchor), part.content, aria_labelledby=part.anchor)


AXES: tuple[tuple[str, str], ...] = (("lang", "Language"), ("level", "Level"), ("kind", "Contexts"))
"""What views differ in, with the legend of its filter."""


def filters(views: Sequence[View]) -> Html | None:
    """Return a group of buttons for each axis on which *views* differ; a page without `:has` shows all views."""
    groups = [_filter(axis, legend, options(views, axis)) for axis, legend in AXES if len(options(views, axis)) > 1]
    return el("div", *groups, class_="filters", role="group", aria_label="What is shown") if groups else None


def options(views: Iterable[View], axis: str) -> list[str]:
    """Return the values of *axis* in *views*, in order."""
    return list(dict.fromkeys(getattr(view, axis) for view in views))


def _filter(axis: str, legend: str, values: Sequence[str]) -> Html:
    choices: list[Html] = []
    for place, value in enumerate(values):
        name = f"{axis}-{value}"
        choices.append(el("input", type="radio", name=axis, id=name, value=value, checked=place == 0))
        choices.append(el("label", axis_name(axis, value), for_=name))
    return el("fieldset", el("legend", legend), *choices)


def axis_name(axis: str, value: str) -> str:
    """Return what a reader calls the *value* of *axis*."""
    names: Callable[[str], str] = {"lang": language, "level": LEVELS.__getitem__, "kind": KINDS.__getitem__}[axis]
    return names(value)


def _filter_rules(views: Sequence[View]) -> str:
    rules = [
        f'body:has(#{axis}-{value}:checked) .view[data-{axis}]:not([data-{axis}="{value}"]){{display:none}}'
        for axis, _legend in AXES
        for value in options(views, axis)
        if len(options(views, axis)) > 1
    ]
    return "".join(rules)


def by_view(views: Iterable[View], content: Callable[[View], Html | None]) -> Html:
    """Return what *content* says of each of *views*; the filters show one at a time."""
    return join(_view(view, content(view)) for view in views)


def _view(view: View, content: Html | None) -> Html | None:
    if content is None:
        return None
    return el(
        "div",
        el("h3", view_name(view)),
        content,
        class_="view",
        data_lang=view.lang,
        data_level=view.level,
        data_kind=view.kind,
    )


def view_name(view: View) -> str:
    """Return *view* in words."""
    contexts = "all contexts" if view.kind == "all" else f"{KINDS[view.kind].lower()} contexts"
    return f"{language(view.lang)} · {LEVELS[view.level].lower()} level · {contexts}"


def table(
    caption: str,
    heads: Sequence[Child],
    rows: Iterable[Sequence[Html]],
    *,
    sortable: bool = False,
    tall: bool = False,
    class_: str = "",
    left: Collection[int] = (0,),
) -> Html:
    """Return a table in a box that scrolls sideways by itself; columns *left* hold words."""
    names = [el("th", head, scope="col", class_="left" if i in left else None) for i, head in enumerate(heads)]
    header = el("thead", el("tr", *names))
    kind = " ".join(filter(None, (class_, "sortable" if sortable else ""))) or None
    whole = el("table", el("caption", caption), header, el("tbody", *(el("tr", *row) for row in rows)), class_=kind)
    return el("div", whole, class_="scroll tall" if tall else "scroll", role="region", aria_label=caption, tabindex=0)


def row_head(name: Child, note: str | None = None) -> Html:
    """Return the first cell of a row: its name, and below it a *note*."""
    return el("th", name, el("small", note) if note else None, scope="row")


def cell(content: Child, **attributes: str) -> Html:
    """Return a cell of a table."""
    return el("td", content, **attributes)


def more(title: str, *content: Child) -> Html:
    """Return *content* behind a *title* that opens it."""
    return el("details", el("summary", title), *content)
