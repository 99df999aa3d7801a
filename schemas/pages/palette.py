"""Colours, light and dark: those of Okabe and Ito, made darker or lighter until they can be read on the page.

Class and outcome also have a shape or a sign of their own, so that no colour carries meaning alone.
"""

from collections.abc import Mapping

Theme = Mapping[str, str]
"""Colours as #rrggbb, by the name of the CSS variable."""

LIGHT: Theme = {
    "page": "#fbfaf7",
    "card": "#ffffff",
    "ink": "#1a1d21",
    "soft": "#545b64",
    "rule": "#d9d6cf",
    "tint": "#f1efe9",
    "link": "#00598c",
    "mark": "#fff0b8",
    "idiomatic": "#b44a00",
    "partly_compositional": "#9d4a80",
    "compositional": "#0072b2",
    "yes": "#00694b",
    "no": "#a33a00",
    "open": "#545b64",
    "wanted": "#dcefe6",
}
DARK: Theme = {
    "page": "#14171a",
    "card": "#1c2024",
    "ink": "#eceae4",
    "soft": "#a9b0b8",
    "rule": "#3a4047",
    "tint": "#262b30",
    "link": "#7cc4f5",
    "mark": "#5a4a08",
    "idiomatic": "#ff8f4d",
    "partly_compositional": "#e39fcb",
    "compositional": "#5cb8ee",
    "yes": "#4fd1a5",
    "no": "#ff9a66",
    "open": "#a9b0b8",
    "wanted": "#1f3b31",
}

TEXT = ("ink", "soft", "link", "yes", "no", "open", "idiomatic", "partly_compositional", "compositional")
"""Colours that letters have; the contrast with `GROUNDS` is at least 4.5 (WCAG AA)."""

GROUNDS = ("page", "card", "tint")
"""What letters stand on."""

STEPS = 10
"""Steps of the scale from no correlation to 1 and to -1."""

ENDS = {"light": ("#0072b2", "#c04f00"), "dark": ("#3fa0dc", "#ff8f4d")}
"""The colours of correlation 1 and -1."""

INK = ("#000000", "#ffffff")
"""Letters of the heat map: on any ground one of both has a contrast above 4.5."""


def heat(theme: str, step: int) -> tuple[str, str]:
    """Return ground and letters of a correlation of *step* tenths, from -10 to 10."""
    ground = (LIGHT if theme == "light" else DARK)["card"]
    end = ENDS[theme][0 if step >= 0 else 1]
    colour = _mixed(ground, end, abs(step) / STEPS)
    return colour, max(INK, key=lambda ink: contrast(ink, colour))


def _mixed(one: str, other: str, share: float) -> str:
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


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
    return (
        f":root{{{_variables(LIGHT)}}}{_heat_rules('light')}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}{_heat_rules('dark')}}}"
    )


def _variables(theme: Theme) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in theme.items())


def _heat_rules(theme: str) -> str:
    rules = []
    for step in range(-STEPS, STEPS + 1):
        ground, ink = heat(theme, step)
        rules.append(f".h{step + STEPS}{{background:{ground};color:{ink}}}")
    return "".join(rules)
