"""HTML and SVG as nested calls: whatever is not made here is text, and is escaped.

>>> str(el("p", "2 < 3", class_="note"))
'<p class="note">2 &lt; 3</p>'
>>> str(el("p", el("b", "<script>")))
'<p><b>&lt;script&gt;</b></p>'
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

VOID = frozenset({"br", "input", "meta", "col", "rect", "line", "circle", "path", "polygon", "use"})
"""Elements without content; those of SVG are closed at once, which HTML allows inside `svg`."""

SHAPES = frozenset({"rect", "line", "circle", "path", "polygon", "use"})


@dataclass(frozen=True, slots=True)
class Html:
    """Markup that is safe to put into a page."""

    text: str

    def __str__(self) -> str:
        return self.text


Child = Html | str | int | None
"""What may stand inside an element; None is nothing."""

Attribute = str | int | float | bool | None
"""The value of an attribute: True is the bare name, None and False leave it out."""


def el(tag: str, *children: Child, **attributes: Attribute) -> Html:
    """Return the element *tag*; an attribute `class_` or `aria_label` is `class` or `aria-label`."""
    shown = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return Html(f"<{tag}{shown}{'/' if tag in SHAPES else ''}>")
    return Html(f"<{tag}{shown}>{join(children).text}</{tag}>")


def join(children: Iterable[Child]) -> Html:
    """Return *children* one after another."""
    return Html("".join(_escaped(child) for child in children if child is not None))


def _escaped(child: Child) -> str:
    return child.text if isinstance(child, Html) else html.escape(str(child), quote=False)


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    if isinstance(value, float):
        value = coordinate(value)
    return f' {name}="{html.escape(str(value))}"'


def coordinate(value: float) -> str:
    """Return *value* with at most one decimal: a tenth of a pixel, the same bytes on every machine.

    >>> coordinate(3.0), coordinate(-0.04), coordinate(2.449)
    ('3', '0', '2.4')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
