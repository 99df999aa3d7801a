"""Small pictures as SVG: an axis, a distribution, an interval, a sign. Colours come from the style of the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.pages.markup import Child, Html, el
from ncimp.evaluator.pages.words import number

GRID = 48
"""Points of the outline of a distribution."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from *low* to *high* as pixels from *left* to *right*."""

    low: float
    high: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Return the pixel of *value*; what lies outside is put on the edge."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)

    def ticks(self) -> list[float]:
        """Return round values on the scale, three to seven of them."""
        step = tick_step(self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        return [place * step for place in range(first, math.floor(self.high / step + 1e-9) + 1)]


def tick_step(width: float) -> float:
    """Return the step between round values over *width*.

    >>> tick_step(1.0), tick_step(2.0), tick_step(0.3)
    (0.25, 0.5, 0.1)
    """
    power = 10.0 ** math.floor(math.log10(width / 2))
    for factor in (0.5, 1.0, 2.5, 5.0):
        if width / (factor * power) <= 5:
            return factor * power
    return 10 * power


def round_scale(values: Sequence[float], left: float, right: float) -> Scale:
    """Return a scale over *values* whose ends are round."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    step = tick_step(high - low) / 2
    return Scale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, left, right)


def picture(width: float, height: float, title: str, *children: Child, text: str | None = None) -> Html:
    """Return an SVG with *title* (and *text*) for those who do not see it."""
    words = (el("title", title), el("desc", text) if text else None)
    return el("svg", *words, *children, viewBox=f"0 0 {width:g} {height:g}", role="img", aria_label=title)


def decoration(width: float, height: float, *children: Child) -> Html:
    """Return an SVG that says nothing that does not stand beside it in words."""
    return el("svg", *children, viewBox=f"0 0 {width:g} {height:g}", aria_hidden="true")


def axis(scale: Scale, top: float, bottom: float) -> list[Html]:
    """Return grid lines with their values below; the line of 0 is dashed where it is inside."""
    parts: list[Html] = []
    for tick in scale.ticks():
        zero = abs(tick) < 1e-9 and scale.low < -1e-9
        x = scale.at(tick)
        parts.append(el("line", class_="zero" if zero else "axis", x1=x, x2=x, y1=top, y2=bottom))
        decimals = 2 if tick_step(scale.high - scale.low) in (0.25, 0.025, 0.05) else 1
        label = "0" if abs(tick) < 1e-9 else number(tick, decimals)
        parts.append(el("text", label, class_="soft", x=x, y=bottom + 13, text_anchor="middle"))
    return parts


def density(values: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the Gaussian density of *values* on *grid*, its largest value 1; the width is Silverman's."""
    spread = min(float(values.std()), float(np.subtract(*np.quantile(values, [0.75, 0.25]))) / 1.34)
    width = max(0.9 * spread * len(values) ** -0.2, float(grid[-1] - grid[0]) / 60)
    height = np.exp(-0.5 * ((grid[:, None] - values[None, :]) / width) ** 2).sum(axis=1)
    return np.asarray(height / height.max())


def violin(scale: Scale, values: FloatArray, middle: float, half: float) -> Html:
    """Return the outline of a distribution around the line at *middle*."""
    grid = np.linspace(float(values.min()), float(values.max()), GRID)
    heights = density(values, grid) * half if values.min() < values.max() else np.full(GRID, half)
    upper = [(scale.at(float(x)), middle - float(h)) for x, h in zip(grid, heights, strict=True)]
    lower = [(x, 2 * middle - y) for x, y in reversed(upper)]
    return el("path", class_="violin", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in upper + lower) + "Z")


def sign(shape: str, x: float, y: float, size: float, **attributes: str) -> Html:
    """Return the sign of a class: a diamond, a triangle or a disc."""
    if shape == "idiomatic":
        points: tuple[tuple[float, float], ...] = (
            (x, y - size * 1.2),
            (x + size * 1.2, y),
            (x, y + size * 1.2),
            (x - size * 1.2, y),
        )
    elif shape == "partly_compositional":
        points = ((x, y - size * 1.15), (x + size * 1.15, y + size), (x - size * 1.15, y + size))
    else:
        return el("circle", cx=x, cy=y, r=size, **attributes)
    return el("polygon", points=" ".join(f"{px:.1f},{py:.1f}" for px, py in points), **attributes)


def estimate(scale: Scale, value: float | None, low: float | None, high: float | None, *, class_: str = "") -> Html:
    """Return a dot with its interval, to stand in a row of a table whose words say the same."""
    line = (
        el("line", class_=f"ci {class_}".strip(), x1=scale.at(low), x2=scale.at(high), y1=20, y2=20)
        if (low is not None and high is not None)
        else None
    )
    dot = None if value is None else el("circle", class_=f"dot {class_}".strip(), cx=scale.at(value), cy=20, r=4)
    return decoration(scale.left + scale.right, 40, *grid_lines(scale), line, dot)


def grid_lines(scale: Scale) -> list[Html]:
    """Return the lines of an interval's row."""
    return [
        el("line", class_="zero" if abs(tick) < 1e-9 else "axis", x1=scale.at(tick), x2=scale.at(tick), y1=0, y2=40)
        for tick in scale.ticks()
    ]


def scale_head(scale: Scale) -> Html:
    """Return the values of *scale*, to stand in the head of a column of intervals."""
    ends = scale.ticks()
    labels = [
        el("text", number(tick, 1), class_="soft", x=scale.at(tick), y=12, text_anchor="middle")
        for tick in ends
        if tick in (ends[0], ends[-1]) or abs(tick) < 1e-9
    ]
    return decoration(scale.left + scale.right, 16, *labels)
