"""Build self-contained HTML pages from jinja2 templates: escaped by default, no file from elsewhere.

A room keeps its templates in its own `templates` folder and gets them from `environment("ncimp.room")`, with those of
the kit beside them as `kit/table.jinja` and so on. Rows and figures are made in Python, markup in templates.

>>> str(table("Counts", ["Name", "n"], [["<b>", 3]])).count("&lt;b&gt;")
1
"""

import base64
import hashlib
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Protocol, cast

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape

Content = Markup | str | int  # of an element: `Markup` stands as it is, anything else is escaped


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, for what plain content cannot say."""

    content: Content
    css: str = ""
    note: str = ""  # small line below the content
    key: str = ""  # value by which the column sorts, instead of the text
    title: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page and the id that links lead to."""

    anchor: str
    title: str
    content: Markup


@cache
def environment(package: str) -> Environment:
    """Return the templates of *package*, those of the kit under `kit/`."""
    kit = PrefixLoader({"kit": PackageLoader("ncimp.schemas.pages")})
    templates = Environment(
        loader=ChoiceLoader([PackageLoader(package), kit]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"px": pixels, "number": number, "interval": interval}
    return templates


class Macros(Protocol):
    """The macros of a template as functions."""

    def __getattr__(self, name: str) -> Callable[..., Markup]: ...


def macros(template: str, package: str = "ncimp.schemas.pages") -> Macros:
    """Return the macros of *template*."""
    return cast(Macros, environment(package).get_template(template).module)


def table(
    caption: str,
    heads: Sequence[Content],
    rows: Iterable[Sequence[Content | Cell]],
    *,
    left: Collection[int] = (0,),
    css: str = "",
    sortable: bool = False,
    tall: bool = False,
) -> Markup:
    """Return a table in a box that scrolls sideways by itself; columns *left* hold words, the first cell is a head."""
    cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in rows]
    classes = " ".join(filter(None, (css, "sortable" if sortable else "")))
    return macros("kit/table.jinja").table(caption, heads, cells, left, classes, tall)


def page(
    title: str, head: Markup, sections: Sequence[Section], *, tools: Content = "", style: str = "", lang: str = "en"
) -> str:
    """Return a whole page: *head*, links to the *sections*, *tools* (filters) and the sections.

    The content security policy allows this style and this script by their hashes, and nothing else.
    """
    style = colour_rules() + source("page.css") + style
    script = source("page.js")
    sources = f"style-src '{_source_hash(style)}'; script-src '{_source_hash(script)}'"
    policy = f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"
    values = {"title": title, "head": head, "sections": sections, "tools": tools, "policy": policy, "lang": lang}
    own = {"style": Markup(style), "script": Markup(script)}  # noqa: S704 (our own files)
    text = environment("ncimp.schemas.pages").get_template("kit/page.jinja").render(values, **own)
    return unicodedata.normalize("NFC", text) + "\n"


def source(name: str) -> str:
    """Return a file of the kit in NFC, so that its hash is that of the page."""
    text = (files("ncimp.schemas.pages") / "templates" / name).read_text(encoding="utf-8")
    return unicodedata.normalize("NFC", text)


def _source_hash(text: str) -> str:
    digest = hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


def join(parts: Iterable[Content | None]) -> Markup:
    """Return *parts* one after another, each escaped unless it is `Markup`."""
    return Markup("").join(escape(part) for part in parts if part is not None)


def number(value: float | None, decimals: int = 2) -> str:
    """Return *value* with a real minus sign, or a dash when there is none.

    >>> number(-0.123), number(None), number(-0.001)
    ('−0.12', '–', '0.00')
    """
    if value is None:
        return "–"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not any(digit in "123456789" for digit in text) else text.replace("-", "−")


def interval(low: float | None, high: float | None, decimals: int = 2) -> str:
    """Return an interval in brackets, or a dash."""
    return "–" if low is None or high is None else f"[{number(low, decimals)}, {number(high, decimals)}]"


def pixels(value: float) -> str:
    """Return *value* with at most one decimal: a tenth of a pixel, the same bytes on every machine.

    >>> pixels(3.0), pixels(-0.04), pixels(2.449)
    ('3', '0', '2.4')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


# Colours, light and dark: those of Okabe and Ito, made darker or lighter until they can be read on the page.
# Class and outcome also have a shape or a sign of their own, so that no colour carries meaning alone.

Theme = Mapping[str, str]  # colours as #rrggbb, by the name of the CSS variable

COLOURS = {
    "page": ("#fbfaf7", "#14171a"),
    "card": ("#ffffff", "#1c2024"),
    "ink": ("#1a1d21", "#eceae4"),
    "soft": ("#545b64", "#a9b0b8"),
    "rule": ("#d9d6cf", "#3a4047"),
    "tint": ("#f1efe9", "#262b30"),
    "link": ("#00598c", "#7cc4f5"),
    "mark": ("#fff0b8", "#5a4a08"),
    "idiomatic": ("#b44a00", "#ff8f4d"),
    "partly_compositional": ("#9d4a80", "#e39fcb"),
    "compositional": ("#0072b2", "#5cb8ee"),
    "yes": ("#00694b", "#4fd1a5"),
    "no": ("#a33a00", "#ff9a66"),
    "open": ("#545b64", "#a9b0b8"),
    "wanted": ("#dcefe6", "#1f3b31"),
}
LIGHT, DARK = ({name: pair[theme] for name, pair in COLOURS.items()} for theme in (0, 1))

# letters; their contrast with the grounds is at least 4.5 (WCAG AA)
TEXT = ("ink", "soft", "link", "yes", "no", "open", "idiomatic", "partly_compositional", "compositional")
GROUNDS = ("page", "card", "tint")  # letters stand on them

STEPS = 10  # of the scale from no correlation to 1 and to -1
ENDS = {"light": ("#0072b2", "#c04f00"), "dark": ("#3fa0dc", "#ff8f4d")}  # colours of correlation 1 and -1
INK = ("#000000", "#ffffff")  # letters of the heat map: on any ground one of both has a contrast above 4.5


def heat(theme: str, step: int) -> tuple[str, str]:
    """Return ground and letters of a correlation of *step* tenths, from -10 to 10."""
    ground = (LIGHT if theme == "light" else DARK)["card"]
    pairs = zip(_channels(ground), _channels(ENDS[theme][step < 0]), strict=True)
    colour = "#" + "".join(f"{round(a + (b - a) * abs(step) / STEPS):02x}" for a, b in pairs)
    return colour, max(INK, key=lambda ink: contrast(ink, colour))


def _channels(colour: str) -> bytes:
    return bytes.fromhex(colour.removeprefix("#"))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2).

    >>> round(contrast("#000000", "#ffffff"), 1)
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    shares = [channel / 255 for channel in _channels(colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def colour_rules() -> str:
    """Return the CSS of both themes: light is what a page has that is not asked for dark, or is printed."""
    return f"{_rules('light', LIGHT)}@media screen and (prefers-color-scheme:dark){{{_rules('dark', DARK)}}}"


def _rules(name: str, theme: Theme) -> str:
    variables = "".join(f"--{variable}:{colour};" for variable, colour in theme.items())
    cells = [heat(name, step) for step in range(-STEPS, STEPS + 1)]
    heats = (f".h{place}{{background:{ground};color:{ink}}}" for place, (ground, ink) in enumerate(cells))
    return f":root{{{variables}}}{''.join(heats)}"
