"""Scales and small SVG charts of the pages; colours come from the style sheet, words say what a chart shows."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from ncimp.schemas.pages.kit import Content, join, macros, number

OUTLINE_POINTS = 48  # on each side of the outline of a distribution


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from *low* to *high* as pixels from *left* to *right*; upright where *left* is the larger."""

    low: float
    high: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Return the pixel of *value*; values outside are put on the edge."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)

    def ticks(self) -> list[float]:
        """Return round values on the scale, three to seven of them."""
        step = tick_step(self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        return [place * step for place in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def label(self, tick: float) -> str:
        """Return the text of a *tick* of this scale."""
        decimals = 2 if tick_step(self.high - self.low) in (0.25, 0.025, 0.05) else 1
        return "0" if abs(tick) < 1e-9 else number(tick, decimals)


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


def picture(width: float, height: float, title: str, parts: Iterable[Content | None], text: str = "") -> Markup:
    """Return an SVG with *title* and *text* for readers who do not see it."""
    return macros("kit/charts.jinja").picture(width, height, title, join(parts), text)


def decoration(width: float, height: float, parts: Iterable[Content | None]) -> Markup:
    """Return an SVG that repeats what stands beside it in words."""
    return macros("kit/charts.jinja").decoration(width, height, join(parts))


def estimate(scale: Scale, value: float | None, low: float | None, high: float | None, css: str = "") -> Markup:
    """Return a dot with its interval, for a row of a table that has the same figures in words."""
    return macros("kit/charts.jinja").estimate(scale, value, low, high, css)


def scale_head(scale: Scale) -> Markup:
    """Return the values of *scale*, for the head of a column of estimates."""
    ends = scale.ticks()
    shown = [tick for tick in ends if tick in (ends[0], ends[-1]) or abs(tick) < 1e-9]
    return macros("kit/charts.jinja").scale_head(scale, shown)


def bar(x: float, y: float, width: float, height: float, css: str, label: str = "", label_css: str = "") -> Markup:
    """Return a bar, or a segment of one, with a *label* in its middle where it has room for one."""
    return macros("kit/charts.jinja").bar(x, y, width, height, css, label, label_css)


def sign(shape: str, x: float, y: float, size: float, css: str = "", title: str = "") -> Markup:
    """Return the sign of a class: a diamond, a triangle, or a disc for any other *shape*."""
    corners: dict[str, tuple[tuple[float, float], ...]] = {
        "idiomatic": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
        "partly_compositional": ((0, -1.15), (1.15, 1), (-1.15, 1)),
    }
    points = [(x + across * size, y + down * size) for across, down in corners.get(shape, ())]
    return macros("kit/charts.jinja").sign(points, x, y, size, css, title)


def density(values: NDArray[np.float64], grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Gaussian density of *values* on *grid*, its largest value 1; the bandwidth is Silverman's."""
    spread = min(float(values.std()), float(np.subtract(*np.quantile(values, [0.75, 0.25]))) / 1.34)
    width = max(0.9 * spread * len(values) ** -0.2, float(grid[-1] - grid[0]) / 60)
    height = np.exp(-0.5 * ((grid[:, None] - values[None, :]) / width) ** 2).sum(axis=1)
    return np.asarray(height / height.max())


def outline(scale: Scale, values: NDArray[np.float64], middle: float, half: float) -> list[tuple[float, float]]:
    """Return the outline of the distribution of *values* (a violin) around the line at *middle*, as points."""
    grid = np.linspace(float(values.min()), float(values.max()), OUTLINE_POINTS)
    heights = density(values, grid) * half if values.min() < values.max() else np.full(OUTLINE_POINTS, half)
    upper = [(scale.at(float(x)), middle - float(h)) for x, h in zip(grid, heights, strict=True)]
    return upper + [(x, 2 * middle - y) for x, y in reversed(upper)]
