"""Five figures of a release: lengths, positions, class balance, frequency match, relations of component synonyms.

The same release gives the same bytes: neither the user's settings nor a date or the name of a program is in a file.
"""

import importlib
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ncimp.builder.records import CLASSES, COMPONENT_NAMES, LITERAL, NATURALISTIC, WORDS_SYN
from ncimp.builder.release import measure
from ncimp.builder.release.contents import SPLITS
from ncimp.builder.release.tables import ReleaseTables
from ncimp.schemas import UsageError, atomic_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Panels = Sequence[Sequence["Axes"]]
WIDTH = 9.0  # inches: 900 pixels of 100 to the inch, the width at which the figures are meant to be read
PANEL = 1.5  # inches of a row of panels
TITLE_WIDTH = 96  # letters in a line of the title
COLOURS = 48
"""Colours in a file: the few of the figure and the shades on the edges of its letters, in a third of the bytes."""
HEADROOM = 1.2  # how much higher than its highest column a panel is: room for a note
LABELLED = 6  # percent: a part of a bar that is smaller has no room for its number
DPI = 150  # pixels an inch in the file: half as many again as those of the page, for dense displays

CLASS_COLOURS = {"idiomatic": "#D55E00", "partly_compositional": "#E69F00", "compositional": "#0072B2"}
RELATION_COLOURS = {"synonym": "#0072B2", "similar": "#56B4E9", "hypernym": "#E69F00", "other": "#009E73"}
BAR, MARK = "#0072B2", "#D55E00"
"""Colours of Okabe and Ito, which people with any kind of colour vision tell apart (https://jfly.uni-koeln.de/color/)."""
LIGHT = ("#E69F00", "#56B4E9")  # those of them that dark letters are read on
INK, FAINT, FAINT_INK = "#333333", "#BBBBBB", "#777777"
CLASS_LINES: dict[str, Any] = {"idiomatic": "-", "partly_compositional": (0, (5, 1.5)), "compositional": (0, (1.5, 1))}
"""Dashes that tell the classes apart without colours, too."""
SETTINGS: Any = {
    "font.family": "DejaVu Sans",  # the font that matplotlib brings along
    **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), 9),
    "axes.titlelocation": "left",
    **dict.fromkeys(("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    "axes.axisbelow": True,
}
"""Changes of matplotlib's own defaults; what a user has in a `matplotlibrc` is left aside."""

BINS = 6
"""Bins of the relative position: two to a third, and each wide enough for several places in a sentence of 18 words."""
PARTS = {"worse": "worse of both components", "mean": "mean frequency of both"}
"""Parts that are matched in frequency, a row of panels each."""
TARGET_SHARES = {"median": 0.50, "p90": 0.90}  # of the random compounds, by the target that is asked of them
CLASS_NAMES = {name: name.replace("_", " ") for name in CLASSES}
RELATION_NAMES = {"synonym": "synonym", "similar": "near-synonym", "hypernym": "hypernym", "other": "other relations"}
COUNTED = "share of the compounds (%); in the bars, their number"


def write_figures(folder: Path, tables: ReleaseTables, statistics: measure.Statistics) -> Iterator[Path]:
    """Draw every figure into *folder* and yield the path of each; the same release gives the same bytes."""
    for name, draw in FIGURES.items():
        path = folder / f"{name}.png"
        with own_style():
            save(draw(tables, statistics), path)
        yield path


def draw_lengths(tables: ReleaseTables, statistics: measure.Statistics) -> "Figure":
    """Draw histograms of the words of the original sentences, by language and written context."""
    rows = {(row["lang"], row["context"]): row["words"]["mean"] for row in statistics["lengths"]}
    langs, contexts = _panels_of(rows)
    means = [f"{rows[lang, measure.POOLED]:.1f} in {lang}" for lang in langs if (lang, measure.POOLED) in rows]
    title = f"Words of a sentence written for a compound, on average: {', '.join(means)}"
    figure, axes = panels(len(langs), len(contexts), title=title)
    originals = measure.frame_of_originals(tables)
    for lang, context, panel in _each(langs, contexts, axes):
        words = originals.loc[(originals["lang"] == lang) & (originals["context"] == context), "words"].tolist()
        panel.set_title(f"{lang}, {context} (n = {len(words)})")
        columns(panel, Counter(words))
        if (lang, context) in rows:
            mean = rows[lang, context]
            panel.axvline(mean, color=MARK, linewidth=1.5)
            note(panel, mean, f"  mean {mean:.1f}", align="left")
    label(figure, "length (words)", "share of the sentences (%)")
    return figure


def draw_positions(tables: ReleaseTables, statistics: measure.Statistics) -> "Figure":
    """Draw histograms of the relative position of the compound, by language and written context, with its thirds."""
    thirds = ("first", "middle", "last")
    rows = {(row["lang"], row["context"]): [row[third] for third in thirds] for row in statistics["positions"]}
    langs, contexts = _panels_of(rows)
    shares = {lang: _percent(rows[lang, measure.POOLED])[-1] for lang in langs if (lang, measure.POOLED) in rows}
    last = ", ".join(f"{share:.0f} % in {lang}" for lang, share in shares.items())
    title = f"Compounds in the last third of their sentence: {last}"
    figure, axes = panels(len(langs), len(contexts), title=title)
    originals = measure.frame_of_originals(tables)
    for lang, context, panel in _each(langs, contexts, axes):
        group = originals[(originals["lang"] == lang) & (originals["context"] == context)]
        places = [place for place in zip(group["before"].tolist(), group["after"].tolist(), strict=True) if any(place)]
        panel.set_title(f"{lang}, {context} (n = {len(places)})")
        columns(panel, Counter(measure.part_of_sentence(*place, BINS) for place in places), bins=BINS)
        for third, share in enumerate(_percent(rows.get((lang, context), ()))):
            note(panel, (2 * third + 1) / 6, f"{share:.0f} %", align="center")
        for edge in (1 / 3, 2 / 3):
            panel.axvline(edge, color=FAINT, linewidth=0.8, zorder=0)
        panel.set_xticks([0, 1 / 3, 2 / 3, 1], ["0", "1/3", "2/3", "1"])
        panel.set_xlim(0, 1)
    label(figure, "share of the sentence's other words that stand before the compound", "share of the sentences (%)")
    return figure


def draw_balance(_tables: ReleaseTables, statistics: measure.Statistics) -> "Figure":
    """Draw the share of each class in each split, by language, with the number of compounds."""
    langs = statistics["languages"]
    cells: Counter[tuple[str, str, str]] = Counter()
    for row in statistics["compounds"]:
        for split in (row["split"], measure.ALL):
            cells[row["lang"], split, row["compound_class"]] += row["compounds"]
    splits = [split for split in SPLITS if any(key[1] == split for key in cells)]
    counts = [[cells[lang, split, name] for name in CLASSES] for lang in langs for split in splits]
    shares = [share for sizes in counts if any(sizes) for share in _percent(sizes)]
    title = f"Every class makes up {min(shares):.0f} to {max(shares):.0f} % of the compounds of every split"
    figure, axes = panels(1, len(langs), title=title, height=2.8)
    for lang, panel in zip(langs, axes[0], strict=True):
        panel.set_title(lang)
        sizes = {CLASS_NAMES[name]: [cells[lang, split, name] for split in (*splits, measure.ALL)] for name in CLASSES}
        stack(panel, [*splits, measure.ALL], sizes, [CLASS_COLOURS[name] for name in CLASSES])
    label_with_legend(figure, COUNTED)
    return figure


def draw_match(tables: ReleaseTables, statistics: measure.Statistics) -> "Figure":
    """Draw the cumulative share of the random compounds by |difference of log10 frequency|, by language and class."""
    randoms = measure.frame_of_matches(tables)
    rows = {row["lang"]: row for row in statistics["matching"] if row["compound_class"] == measure.ALL}
    shares = {lang: 100 * row["within_median_target"] / row["worse"]["n"] for lang, row in rows.items()}
    within = ", ".join(f"{share:.0f} % in {lang}" for lang, share in shares.items())
    title = f"Random compounds match both words within {measure.TARGETS['median']:.2f} in log10 frequency: {within}"
    figure, axes = panels(len(rows), len(PARTS), title=title)
    for lang, part, panel in _each(rows, PARTS, axes):
        panel.set_title(f"{lang}, {PARTS[part]}")
        spread_small(panel, ticks=(0, 0.01, 0.05, *measure.TARGETS.values(), 0.5))
        for name in CLASSES:
            values = randoms.loc[(randoms["lang"] == lang) & (randoms["compound_class"] == name), part].tolist()
            if values:
                panel.ecdf(values, color=CLASS_COLOURS[name], linestyle=CLASS_LINES[name], label=CLASS_NAMES[name])
        for figure_name, share in TARGET_SHARES.items() if part == "worse" else ():
            target = measure.TARGETS[figure_name]  # a line that passes above the arrow meets it
            panel.plot([target, target], [0, share], color=FAINT, linewidth=1, marker="^", markevery=[1], zorder=0)
            panel.annotate(f" target: {100 * share:.0f} %", (target, share / 2), color=FAINT_INK, fontsize=8)
    across = "|difference of log10 frequency|, on a square-root scale"
    label_with_legend(figure, across, "random compounds at most so far away (%)")
    return figure


def draw_relations(_tables: ReleaseTables, statistics: measure.Statistics) -> "Figure":
    """Draw the relations of the words of ws1 to ws5 to their component, by language and component."""
    langs, relations = statistics["languages"], statistics["relations"]
    rows = {(row["component"], row["lang"], row["variant"]): row for row in relations}
    names = [name for name in measure.RELATIONS if name != "other" or any(row["other"] for row in relations)]
    shares = []
    for variant in (WORDS_SYN[0], WORDS_SYN[-1]):
        counts = [sum(row[name] for row in relations if row["variant"] == variant) for name in measure.RELATIONS]
        shares.append(f"{_percent(counts)[0]:.0f} % of the words of {variant}")
    synonyms = " and ".join(shares)
    figure, axes = panels(len(COMPONENT_NAMES), len(langs), title=f"Synonyms in the narrow sense are {synonyms}")
    for component, lang, panel in _each(COMPONENT_NAMES, langs, axes):
        panel.set_title(f"{lang}, {component}")
        group = [rows[component, lang, variant] for variant in WORDS_SYN if (component, lang, variant) in rows]
        sizes = {RELATION_NAMES[name]: [row[name] for row in group] for name in names}
        stack(panel, [row["variant"] for row in group], sizes, [RELATION_COLOURS[name] for name in names])
    label_with_legend(figure, COUNTED)
    return figure


def _panels_of(rows: Mapping[tuple[str, str], object]) -> tuple[list[str], list[str]]:
    """Return the languages, and the written contexts in their order, of *rows* by language and context."""
    contexts = {context for _, context in rows}
    return list(dict.fromkeys(lang for lang, _ in rows)), [n for n in (*NATURALISTIC, LITERAL) if n in contexts]


def _each(rows: Iterable[str], names: Iterable[str], axes: Panels) -> Iterator[tuple[str, str, "Axes"]]:
    """Yield the name of the row, the name of the column, and their panel."""
    for row, line in zip(rows, axes, strict=False):  # where there is nothing to draw, one empty panel is left over
        for name, panel in zip(names, line, strict=False):
            yield row, name, panel


def _percent(counts: Sequence[int]) -> list[float]:
    return [100 * count / max(1, sum(counts)) for count in counts]


FIGURES: dict[str, Callable[[ReleaseTables, measure.Statistics], "Figure"]] = {
    "lengths": draw_lengths,
    "positions": draw_positions,
    "balance": draw_balance,
    "match": draw_match,
    "relations": draw_relations,
}
"""The figures by name, which is also that of their files."""


def require_matplotlib() -> None:
    """Raise `UsageError` with the command that installs matplotlib when it is not there."""
    try:
        importlib.import_module("matplotlib")
    except ModuleNotFoundError:
        what = "figures need the library 'matplotlib', which is not installed"
        raise UsageError(what, fix='run pip install "ncimp[plots]", or leave --figures out') from None


def own_style() -> AbstractContextManager[None]:
    """Draw with matplotlib's defaults and `SETTINGS`, whatever the user's settings are."""
    from matplotlib import style

    return style.context(SETTINGS, after_reset=True)


def panels(rows: int, columns: int, *, title: str, height: float | None = None) -> tuple["Figure", list[list["Axes"]]]:
    """Return a figure, *height* inches high, of *rows* x *columns* panels with common axes; its title is top left."""
    from matplotlib.figure import Figure

    rows, columns = max(1, rows), max(1, columns)
    figure = Figure(figsize=(WIDTH, height or 1.1 + PANEL * rows), layout="constrained")
    figure.suptitle(textwrap.fill(title, TITLE_WIDTH), x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure, figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).tolist()


def label(figure: "Figure", across: str, up: str) -> None:
    """Say once what the two axes of every panel are, with their units."""
    figure.supxlabel(across, fontsize=9)
    figure.supylabel(up, fontsize=9)


def label_with_legend(figure: "Figure", across: str, up: str = "") -> None:
    """Say below the figure, once for all panels, what the axes and its colours are."""
    if up:
        figure.supylabel(up, fontsize=9)
    handles, names = figure.axes[0].get_legend_handles_labels()
    # the label is the title of the legend, because a label of the whole figure would lie on it
    figure.legend(handles, names, loc="outside lower center", ncols=max(1, len(names)), title=across, title_fontsize=9)


def note(panel: "Axes", place: float, text: str, *, align: str) -> None:
    """Write *text* at the top of *panel*, above what is drawn there."""
    panel.text(place, 1, text, color=MARK, ha=align, va="top", transform=panel.get_xaxis_transform())


def columns(panel: "Axes", counts: Mapping[int, int], *, bins: int | None = None) -> None:
    """Draw *counts* by value as shares in percent; with *bins*, values number the bins from 0 to 1."""
    total, values = sum(counts.values()), sorted(counts)
    heights = [100 * counts[value] / total for value in values]
    places = [(value + 0.5) / bins for value in values] if bins else values
    panel.bar(places, heights, width=0.9 / (bins or 1), color=BAR)
    panel.set_ylim(0, max([HEADROOM * height for height in heights] + [panel.get_ylim()[1]]))


def spread_small(panel: "Axes", *, ticks: Sequence[float]) -> None:
    """Give *panel* a square-root scale, so that small differences are seen, and percent upwards."""
    from matplotlib.ticker import PercentFormatter

    panel.set_xscale("function", functions=(lambda x: np.sign(x) * np.sqrt(abs(x)), lambda x: np.sign(x) * x**2))
    panel.set_xticks(ticks, [f"{tick:.2f}" for tick in ticks])
    panel.set_ylim(0, 1.03)  # so that a line at 100 % is drawn in its full width
    panel.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=""))


def stack(panel: "Axes", lines: Sequence[str], counts: Mapping[str, Sequence[int]], colours: Sequence[str]) -> None:
    """Draw one bar of 100 % a line, from the top, in parts of *colours* that are labelled with their *counts*."""
    totals = [max(1, sum(line)) for line in zip(*counts.values(), strict=True)]
    starts = [0.0] * len(lines)
    for (name, sizes), colour in zip(counts.items(), colours, strict=True):
        shares = [100 * count / total for count, total in zip(sizes, totals, strict=True)]
        bars = panel.barh(lines, shares, left=starts, height=0.75, color=colour, edgecolor="white", label=name)
        labels = [str(count) if share >= LABELLED else "" for count, share in zip(sizes, shares, strict=True)]
        panel.bar_label(bars, labels, label_type="center", color=INK if colour in LIGHT else "white", fontsize=8)
        starts = [start + share for start, share in zip(starts, shares, strict=True)]
    panel.set_xlim(0, 100)
    if not panel.yaxis_inverted():
        panel.invert_yaxis()


def save(figure: "Figure", path: Path) -> None:
    """Write *figure* to the PNG file *path* in a palette of colours, without a date or the name of a program in it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image  # which matplotlib depends on

    figure.set_dpi(DPI)
    canvas: Any = FigureCanvasAgg(figure)  # its drawing has no types
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").quantize(COLOURS)
    with atomic_path(path) as aside:
        picture.save(aside, format="PNG", optimize=True)
