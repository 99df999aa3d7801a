"""How the figures look, and how they are saved so that the same figure is the same file."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import atomic_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INSTALL = 'pip install "ncimp[plots]"'
"""The command that installs what figures need."""

WIDTH = 9.0
"""Inches: 900 pixels of 100 to the inch, the width at which the figures are meant to be read."""

PANEL = 1.7
"""Inches of a row of panels."""

TITLE_WIDTH = 96
"""Letters in a line of the title."""

COLOURS = 128
"""Colours in a file: the few of the figure and the shades on the edges of its letters, in a third of the bytes."""

HEADROOM = 1.2
"""How much higher than its highest column a panel is: room for a note."""

LABELLED = 6
"""Percent: a part of a bar that is smaller has no room for its number."""

DPI = 200
"""Pixels an inch in the file: twice those of the page, for dense displays."""

CLASS_COLOURS = {"idiomatic": "#D55E00", "partly_compositional": "#E69F00", "compositional": "#0072B2"}
RELATION_COLOURS = {"synonym": "#0072B2", "similar": "#56B4E9", "hypernym": "#E69F00", "other": "#009E73"}
BAR = "#0072B2"
MARK = "#D55E00"
"""Colours of Okabe and Ito, which people with any kind of colour vision tell apart (https://jfly.uni-koeln.de/color/)."""

LIGHT = ("#E69F00", "#56B4E9")
"""Those of them that dark letters are read on."""

INK = "#333333"
FAINT = "#BBBBBB"
FAINT_INK = "#777777"

CLASS_LINES: dict[str, Any] = {
    "idiomatic": "-",
    "partly_compositional": (0, (5, 1.5)),
    "compositional": (0, (1.5, 1)),
}
"""Lines that are told apart without colours, too."""

SETTINGS: Any = {
    "font.family": "DejaVu Sans",  # the font that matplotlib brings along
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}
"""Changes of matplotlib's own defaults; what a user has in a `matplotlibrc` is left aside."""


def require_matplotlib() -> None:
    """Raise `UsageError` with the command that installs matplotlib when it is not there."""
    try:
        importlib.import_module("matplotlib")
    except ModuleNotFoundError:
        what = "figures need the library 'matplotlib', which is not installed"
        raise UsageError(what, fix=f"run {INSTALL}, or leave --figures out") from None


@contextmanager
def own_style() -> Iterator[None]:
    """Draw with matplotlib's defaults and `SETTINGS`, whatever the user's settings are."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        yield


def panels(rows: int, columns: int, *, title: str, height: float | None = None) -> tuple[Figure, list[list[Axes]]]:
    """Return a figure, *height* inches high, of *rows* x *columns* panels with common axes; its title is top left."""
    from matplotlib.figure import Figure

    rows, columns = max(1, rows), max(1, columns)
    figure = Figure(figsize=(WIDTH, height or 1.1 + PANEL * rows), layout="constrained")
    figure.suptitle(textwrap.fill(title, TITLE_WIDTH), x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure, figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).tolist()


def label(figure: Figure, across: str, up: str) -> None:
    """Say once what the two axes of every panel are, with their units."""
    figure.supxlabel(across, fontsize=9)
    figure.supylabel(up, fontsize=9)


def label_with_legend(figure: Figure, axes: Sequence[Sequence[Axes]], across: str, up: str = "") -> None:
    """Say what the axes are, and below the figure, once for all panels, what its colours are."""
    for panel in axes[-1]:  # a label of the whole figure would lie on the legend
        panel.set_xlabel(across)
    if up:
        figure.supylabel(up, fontsize=9)
    handles, names = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=max(1, len(names)))


def note(panel: Axes, place: float, text: str, *, align: str) -> None:
    """Write *text* at the top of *panel*, above what is drawn there."""
    panel.text(place, 1, text, color=MARK, ha=align, va="top", transform=panel.get_xaxis_transform())


def columns(panel: Axes, counts: Mapping[int, int], *, bins: int | None = None) -> None:
    """Draw *counts* by value as shares in percent; with *bins*, values number the bins from 0 to 1."""
    total, values = sum(counts.values()), sorted(counts)
    heights = [100 * counts[value] / total for value in values]
    places = [(value + 0.5) / bins for value in values] if bins else values
    panel.bar(places, heights, width=0.9 / (bins or 1), color=BAR)
    panel.set_ylim(0, max([HEADROOM * height for height in heights] + [panel.get_ylim()[1]]))


def spread_small(panel: Axes, *, ticks: Sequence[float]) -> None:
    """Give *panel* a square-root scale, so that small differences are seen, and percent upwards."""
    from matplotlib.ticker import PercentFormatter

    panel.set_xscale("function", functions=(lambda x: np.sign(x) * np.sqrt(abs(x)), lambda x: np.sign(x) * x**2))
    panel.set_xticks(ticks, [f"{tick:.2f}" for tick in ticks])
    panel.set_ylim(0, 1.03)  # so that a line at 100 % is drawn in its full width
    panel.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=""))


def stack(panel: Axes, lines: Sequence[str], counts: Mapping[str, Sequence[int]], colours: Sequence[str]) -> None:
    """Draw one bar of 100 % a line, from the top, in parts of *colours* that are labelled with their *counts*."""
    totals = [max(1, sum(line)) for line in zip(*counts.values(), strict=True)]
    left = [0.0] * len(lines)
    for (name, held), colour in zip(counts.items(), colours, strict=True):
        shares = [100 * count / total for count, total in zip(held, totals, strict=True)]
        bars = panel.barh(lines, shares, left=left, height=0.75, color=colour, edgecolor="white", label=name)
        labels = [str(count) if share >= LABELLED else "" for count, share in zip(held, shares, strict=True)]
        panel.bar_label(bars, labels, label_type="center", color=INK if colour in LIGHT else "white", fontsize=8)
        left = [start + share for start, share in zip(left, shares, strict=True)]
    panel.set_xlim(0, 100)
    if not panel.yaxis_inverted():
        panel.invert_yaxis()


def save(figure: Figure, path: Path) -> None:
    """Write *figure* to the PNG file *path* in a palette of colours, without a date or the name of a program in it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image  # which matplotlib depends on

    figure.set_dpi(DPI)
    canvas: Any = FigureCanvasAgg(figure)  # its drawing has no types
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").quantize(COLOURS)
    with atomic_path(path) as aside:
        picture.save(aside, format="PNG", optimize=True)
