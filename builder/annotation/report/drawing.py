"""Figures of a report as SVG inside the page: they follow its colours, light or dark, and say in words what they show.

A colour never says anything alone: classes have their own marks, and an annotator who is left out has a hollow one.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from ncimp.builder.annotation.answers.quality import Annotator
from ncimp.builder.annotation.report.figures import Reliability
from ncimp.builder.records import CLASSES, CompoundClass, Score

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720, 56, 16, 12, 44
MARKS: Mapping[str | None, str] = {
    "idiomatic": "square",
    "partly_compositional": "triangle",
    "compositional": "circle",
    None: "circle",
}
QUESTION_NAMES = {"comp": "whole", "head": "head", "modifier": "modifier"}

BOUNDS = (1.5, 3.5)
"""Where classes from scores part."""


class Axes:
    """A plane with two linear scales, and marks on it."""

    def __init__(self, across: tuple[float, float], up: tuple[float, float], *, height: int, left: int = LEFT) -> None:
        self._across, self._up, self._height, self._left = across, up, height, left
        self._parts: list[str] = []

    def x(self, value: float) -> float:
        """Return the place of *value* from the left."""
        low, high = self._across
        return self._left + (value - low) / ((high - low) or 1) * (WIDTH - self._left - RIGHT)

    def y(self, value: float) -> float:
        """Return the place of *value* from the top."""
        low, high = self._up
        return self._height - BOTTOM - (value - low) / ((high - low) or 1) * (self._height - TOP - BOTTOM)

    def line(self, start: tuple[float, float], end: tuple[float, float], kind: str = "rule") -> None:
        """Draw a line between two points of the plane."""
        ends = (self.x(start[0]), self.y(start[1]), self.x(end[0]), self.y(end[1]))
        self._parts.append('<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'.format(kind, *ends))

    def text(self, place: tuple[float, float], words: str, anchor: str = "middle") -> None:
        """Write *words* at a place in pixels."""
        x, y = place
        self._parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(words)}</text>')

    def mark(self, point: tuple[float, float], shape: str, kind: str, told: str) -> None:
        """Draw a mark of this *shape*, which tells what it is when it is pointed at."""
        x, y = self.x(point[0]), self.y(point[1])
        title = f"<title>{html.escape(told)}</title>"
        self._parts.append(f'<path class="{kind}" d="{_path(shape, x, y)}">{title}</path>')

    def ticks(self, across: Sequence[float], up: Sequence[float], names: tuple[str, str]) -> None:
        """Draw both scales with their *names*."""
        bottom = self._height - BOTTOM
        for value in across:
            self.line((value, self._up[0]), (value, self._up[1]))
            self.text((self.x(value), bottom + 18), f"{value:g}")
        for value in up:
            self.line((self._across[0], value), (self._across[1], value))
            self.text((self._left - 8, self.y(value) + 4), f"{value:g}", "end")
        self.text(((WIDTH + self._left) / 2, self._height - 6), names[0])
        if names[1]:
            middle = (self._height - BOTTOM + TOP) / 2
            turned = f'transform="rotate(-90 14 {middle:.0f})"'
            self._parts.append(
                f'<text x="14" y="{middle:.0f}" text-anchor="middle" {turned}>{html.escape(names[1])}</text>'
            )

    def svg(self, name: str, told: str) -> str:
        """Return the figure; *told* says in words what it shows."""
        ids = f'role="img" aria-labelledby="{name}-t {name}-d"'
        head = f'<svg viewBox="0 0 {WIDTH} {self._height}" {ids}><title id="{name}-t">{html.escape(told)}</title>'
        return (
            head
            + f'<desc id="{name}-d">The figures are in the table below it.</desc>'
            + "".join(self._parts)
            + "</svg>"
        )


def _path(shape: str, x: float, y: float) -> str:
    if shape == "square":
        return f"M{x - 3.6:.1f} {y - 3.6:.1f}h7.2v7.2h-7.2z"
    if shape == "triangle":
        return f"M{x:.1f} {y - 4.6:.1f}l4.6 8.2h-9.2z"
    return f"M{x - 4:.1f} {y:.1f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z"


def draw_scores(scores: Sequence[Score], classes: Mapping[str, CompoundClass]) -> str:
    """Draw the score of every compound with its interval, lowest first."""
    rows = sorted((row for row in scores if row.comp is not None), key=lambda row: (row.comp or 0.0, row.compound_id))
    axes = Axes((0, len(rows) + 1), (0, 5), height=300)
    axes.ticks([], range(6), ("compounds, lowest score first", "score (0 idiomatic, 5 compositional)"))
    for bound in BOUNDS:
        axes.line((0, bound), (len(rows) + 1, bound), "bound")
    for place, row in enumerate(rows, start=1):
        name = classes.get(row.compound_id)
        if row.comp_low is not None and row.comp_high is not None:
            axes.line((place, row.comp_low), (place, row.comp_high), f"whisker {name or 'none'}")
        told = f"{row.compound_id}: {row.comp:.2f}" + (f", {name.replace('_', ' ')}" if name else "")
        axes.mark((place, row.comp or 0.0), MARKS[name], f"mark {name or 'none'}", told)
    return axes.svg("scores", f"Scores of {len(rows)} compounds with their 95 % intervals")


def legend(classes: Mapping[str, CompoundClass]) -> str:
    """Return the key to the marks of `draw_scores`, nothing where no class is known."""
    entries = []
    for name in CLASSES if classes else ():
        mark = f'<path class="mark {name}" d="{_path(MARKS[name], 6, 6)}"/>'
        symbol = f'<svg class="key" viewBox="0 0 12 12" aria-hidden="true">{mark}</svg>'
        entries.append(f"<li>{symbol} {name.replace('_', ' ')}</li>")
    return f'<ul class="legend" aria-label="Marks: class by experts">{"".join(entries)}</ul>' if entries else ""


def draw_annotators(annotators: Sequence[Annotator], excluded: Mapping[str, Sequence[str]]) -> str:
    """Draw for every annotator the seconds per sentence and the agreement with the others."""
    rows = [row for row in annotators if row.agreement is not None and row.seconds is not None]
    most = max((row.seconds or 0.0 for row in rows), default=1.0)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000_000) if most / step <= 8)
    across = [float(step * place) for place in range(int(most // step) + 2)]
    axes = Axes((0, across[-1]), (-1, 1), height=280)
    axes.ticks(across, (-1, -0.5, 0, 0.5, 1), ("median seconds per sentence", "agreement with the others"))
    for row in rows:
        out = excluded.get(row.annotator, ())
        told = f"{row.annotator}: rho {row.agreement:.2f}, {row.seconds:.0f} s" + (
            f"; left out ({', '.join(out)})" if out else ""
        )
        axes.mark((row.seconds or 0.0, row.agreement or 0.0), "circle", "mark hollow" if out else "mark kept", told)
    left = sum(row.annotator in excluded for row in rows)
    return axes.svg("annotators", f"Time and agreement of {len(rows)} annotators; {left} hollow marks are left out")


def draw_alphas(rows: Sequence[Reliability]) -> str:
    """Draw the ordinal alphas with their intervals, a line each."""
    shown = [row for row in rows if row.alpha.level == "ordinal" and row.alpha.alpha is not None]
    axes = Axes((-0.2, 1), (0, max(len(shown), 1)), height=TOP + BOTTOM + 24 * max(len(shown), 1), left=210)
    axes.ticks([0, 0.2, 0.4, 0.6, 0.8, 1], [], ("Krippendorff's alpha (ordinal)", ""))
    for place, row in enumerate(reversed(shown)):
        at = place + 0.5
        name = f"{QUESTION_NAMES[row.question]}, {row.compounds if row.compounds != 'all' else row.who}".replace(
            "_", " "
        )
        axes.text((202, axes.y(at) + 4), name, "end")
        if row.alpha.low is not None and row.alpha.high is not None:
            axes.line((max(row.alpha.low, -0.2), at), (max(row.alpha.high, -0.2), at), "whisker none")
        value = row.alpha.alpha or 0.0
        axes.mark((max(value, -0.2), at), "circle", "mark kept", f"{name}: {value:.2f}")
    return axes.svg("alphas", f"{len(shown)} ordinal alphas with their 95 % intervals")
