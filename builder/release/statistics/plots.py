"""Five figures of a release: lengths, positions, class balance, frequency match, relations of component synonyms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ncimp.builder.records import CLASSES, LITERAL, NATURALISTIC, WORDS_SYN
from ncimp.builder.release.layout import SPLITS
from ncimp.builder.release.statistics.measure import (
    ALL,
    COMPONENTS,
    POOLED,
    RELATIONS,
    TARGETS,
    in_context,
    original_items,
)
from ncimp.builder.release.statistics.rows import Statistics
from ncimp.builder.release.statistics.style import (
    CLASS_COLOURS,
    CLASS_LINES,
    FAINT,
    FAINT_INK,
    MARK,
    RELATION_COLOURS,
    columns,
    label,
    label_with_legend,
    note,
    own_style,
    panels,
    save,
    spread_small,
    stack,
)
from ncimp.builder.release.statistics.values import Match, count_words, matches, position_of
from ncimp.builder.release.tables import ReleaseTables

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BINS = 6
"""Bins of the relative position: two to a third, and each wide enough for several places in a sentence of 18 words."""

PARTS = {"worse": "worse of both components", "mean": "mean frequency of both"}
"""What is matched in frequency, a row of panels each."""

TARGET_SHARES = {"median": 0.50, "p90": 0.90}
"""Share of the random compounds that each target is asked of."""

CLASS_NAMES = {name: name.replace("_", " ") for name in CLASSES}
RELATION_NAMES = {"synonym": "synonym", "similar": "near-synonym", "hypernym": "hypernym", "other": "other relations"}
COUNTED = "share of the compounds (%); in the bars, their number"


def write_figures(folder: Path, tables: ReleaseTables, statistics: Statistics) -> Iterator[Path]:
    """Draw every figure into *folder* and yield the path of each; the same release gives the same bytes."""
    for name, draw in FIGURES.items():
        path = folder / f"{name}.png"
        with own_style():
            save(draw(tables, statistics), path)
        yield path


def draw_lengths(tables: ReleaseTables, statistics: Statistics) -> Figure:
    """Draw histograms of the words of the original sentences, by language and written context."""
    rows = {(row.lang, row.context): row.words for row in statistics.lengths}
    langs, contexts = _held(rows)
    told = " and ".join(f"{rows[lang, POOLED].mean:.1f} words in {lang}" for lang in langs if (lang, POOLED) in rows)
    figure, axes = panels(len(langs), len(contexts), title=f"Sentences written for a compound have {told} on average")
    originals = original_items(tables)
    for lang, context, panel in _each(langs, contexts, axes):
        words = [count_words(item.tokens) for item in in_context(originals, lang, context)]
        panel.set_title(f"{lang}, {context} (n = {len(words)})")
        columns(panel, Counter(words))
        if (lang, context) in rows:
            mean = rows[lang, context].mean
            panel.axvline(mean, color=MARK, linewidth=1.5)
            note(panel, mean, f"  mean {mean:.1f}", align="left")
    label(figure, "length (words)", "share of the sentences (%)")
    return figure


def draw_positions(tables: ReleaseTables, statistics: Statistics) -> Figure:
    """Draw histograms of the relative position of the NC, by language and written context, with the share per third."""
    rows = {(row.lang, row.context): (row.first, row.middle, row.last) for row in statistics.positions}
    langs, contexts = _held(rows)
    told = ", ".join(f"{_percent(rows[lang, POOLED])[-1]:.0f} % in {lang}" for lang in langs if (lang, POOLED) in rows)
    title = f"Compounds in the last third of their sentence: {told}"
    figure, axes = panels(len(langs), len(contexts), title=title)
    originals = original_items(tables)
    for lang, context, panel in _each(langs, contexts, axes):
        places = [place for item in in_context(originals, lang, context) if (place := position_of(item))]
        panel.set_title(f"{lang}, {context} (n = {len(places)})")
        columns(panel, Counter(place.part(BINS) for place in places), bins=BINS)
        for third, share in enumerate(_percent(rows.get((lang, context), ()))):
            note(panel, (2 * third + 1) / 6, f"{share:.0f} %", align="center")
        for edge in (1 / 3, 2 / 3):
            panel.axvline(edge, color=FAINT, linewidth=0.8, zorder=0)
        panel.set_xticks([0, 1 / 3, 2 / 3, 1], ["0", "1/3", "2/3", "1"])
        panel.set_xlim(0, 1)
    label(figure, "share of the sentence's other words that stand before the compound", "share of the sentences (%)")
    return figure


def draw_balance(_tables: ReleaseTables, statistics: Statistics) -> Figure:
    """Draw the share of each class in each split, by language, with the number of compounds."""
    cells: Counter[tuple[str, str, str]] = Counter()
    for row in statistics.compounds:
        for split in (row.split, ALL):
            cells[row.lang, split, row.compound_class] += row.compounds
    splits = [split for split in SPLITS if any(key[1] == split for key in cells)]
    counts = [[cells[lang, split, name] for name in CLASSES] for lang in statistics.languages for split in splits]
    shares = [share for held in counts if any(held) for share in _percent(held)]
    title = f"Every class makes up {min(shares):.0f} to {max(shares):.0f} % of the compounds of every split"
    figure, axes = panels(1, len(statistics.languages), title=title, height=2.8)
    for lang, panel in zip(statistics.languages, axes[0], strict=True):
        panel.set_title(lang)
        held = {CLASS_NAMES[name]: [cells[lang, split, name] for split in (*splits, ALL)] for name in CLASSES}
        stack(panel, [*splits, ALL], held, [CLASS_COLOURS[name] for name in CLASSES])
    label_with_legend(figure, axes, COUNTED)
    return figure


def draw_match(tables: ReleaseTables, statistics: Statistics) -> Figure:
    """Draw the cumulative share of the random compounds by |difference of log10 frequency|, by language and class."""
    drawn = matches(tables.items)
    rows = {row.lang: row for row in statistics.matching if row.compound_class == ALL}
    told = ", ".join(f"{100 * row.within_median_target / row.worse.n:.0f} % in {lang}" for lang, row in rows.items())
    title = f"Random compounds match both words within {TARGETS['median']:.2f} in log10 frequency: {told}"
    figure, axes = panels(len(PARTS), len(rows), title=title)
    for part, lang, panel in _each(PARTS, list(rows), axes):
        panel.set_title(f"{lang}, {PARTS[part]}")
        _cumulate(panel, part, [match for match in drawn if match.lang == lang])
    across = "|difference of log10 frequency|, on a square-root scale"
    label_with_legend(figure, axes, across, "random compounds at most so far away (%)")
    return figure


def _cumulate(panel: Axes, part: str, drawn: Sequence[Match]) -> None:
    """Draw a line per class; and the targets, where *part* has some: a line that passes above an arrow meets it."""
    spread_small(panel, ticks=(0, 0.01, 0.05, *TARGETS.values(), 0.5))
    for name in CLASSES:
        values = [getattr(match, part) for match in drawn if match.compound_class == name]
        if values:
            panel.ecdf(values, color=CLASS_COLOURS[name], linestyle=CLASS_LINES[name], label=CLASS_NAMES[name])
    for figure, share in TARGET_SHARES.items() if part == "worse" else ():
        target = TARGETS[figure]
        panel.plot([target, target], [0, share], color=FAINT, linewidth=1, marker="^", markevery=[1], zorder=0)
        panel.annotate(f" target: {100 * share:.0f} %", (target, share / 2), color=FAINT_INK, fontsize=8)


def draw_relations(_tables: ReleaseTables, statistics: Statistics) -> Figure:
    """Draw how the words of ws1 to ws5 stand to their component, by language and component."""
    rows = {(row.component, row.lang, row.variant): row for row in statistics.relations}
    names = [name for name in RELATIONS if name != "other" or any(row.other for row in statistics.relations)]
    ends = (WORDS_SYN[0], WORDS_SYN[-1])
    told = " and ".join(f"{_synonyms(statistics, variant):.0f} % of the words of {variant}" for variant in ends)
    title = f"Synonyms in the narrow sense are {told}"
    figure, axes = panels(len(COMPONENTS), len(statistics.languages), title=title)
    for component, lang, panel in _each(COMPONENTS, statistics.languages, axes):
        panel.set_title(f"{lang}, {component}")
        own = [rows[component, lang, variant] for variant in WORDS_SYN if (component, lang, variant) in rows]
        held = {RELATION_NAMES[name]: [getattr(row, name) for row in own] for name in names}
        stack(panel, [row.variant for row in own], held, [RELATION_COLOURS[name] for name in names])
    label_with_legend(figure, axes, COUNTED)
    return figure


def _synonyms(statistics: Statistics, variant: str) -> float:
    """Return the share of synonyms, in percent, in the words of *variant*: both components, all languages."""
    own = [row for row in statistics.relations if row.variant == variant]
    return _percent([sum(getattr(row, name) for row in own) for name in RELATIONS])[0]


def _held(rows: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Return the languages, and the written contexts in their order, of the (language, context) pairs *rows*."""
    pairs = list(rows)
    found = {context for _, context in pairs}
    return list(dict.fromkeys(lang for lang, _ in pairs)), [name for name in (*NATURALISTIC, LITERAL) if name in found]


def _each(rows: Iterable[str], names: Iterable[str], axes: Sequence[Sequence[Axes]]) -> Iterator[tuple[str, str, Axes]]:
    """Yield the name of the row, the name of the column, and their panel."""
    for row, line in zip(rows, axes, strict=False):  # where there is nothing to draw, one empty panel is left over
        for name, panel in zip(names, line, strict=False):
            yield row, name, panel


def _percent(counts: Sequence[int]) -> list[float]:
    return [100 * count / max(1, sum(counts)) for count in counts]


FIGURES: dict[str, Callable[[ReleaseTables, Statistics], Figure]] = {
    "lengths": draw_lengths,
    "positions": draw_positions,
    "balance": draw_balance,
    "match": draw_match,
    "relations": draw_relations,
}
"""The figures by name, which is also that of their files."""
