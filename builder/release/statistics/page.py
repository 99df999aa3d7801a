"""The statistics of a release as one page of tables for people; the unit of each table is in its title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table

from ncimp.builder.records import CLASSES, LITERAL, PROBES
from ncimp.builder.release.layout import SPLITS
from ncimp.builder.release.statistics.measure import ALL, COMPONENTS, RELATIONS, TARGETS
from ncimp.builder.release.statistics.rows import Statistics
from ncimp.builder.release.statistics.values import Summary

WIDTH = 160
"""Columns of text when the output is not a terminal: enough for one line a row."""

SHOWN_RULES = 8
"""Rules of carrier edits on the page; the others are counted together, and `--json` has them all."""

KINDS = ("naturalistic", "neutral", LITERAL)
"""Kinds of contexts, in the order of the page."""

FIGURES = ("n", "mean", "sd", "min", "p10", "p25", "median", "p75", "p90", "max")
"""Columns of a summary."""

NONE = "–"
"""The cell of a figure that is not there."""


@dataclass(frozen=True, slots=True)
class Block:
    """One table of the page: the first *words* columns hold words, the others figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 2


def print_page(statistics: Statistics, stream: TextIO) -> None:
    """Print the page to *stream*: ruled tables on a terminal, Markdown tables elsewhere."""
    terminal = stream.isatty()
    console = Console(file=stream, width=None if terminal else WIDTH, highlight=False, emoji=False)
    console.print(heading(statistics), markup=False, soft_wrap=True)
    for block in blocks(statistics):
        if block.rows:
            console.print()
            console.print(block.title, style="bold", markup=False, soft_wrap=True)
            console.print(_table(block, box.SIMPLE_HEAD if terminal else box.MARKDOWN))


def heading(statistics: Statistics) -> str:
    """Return the first line of the page: which release it is, and how large."""
    sizes = {kind: sum(row.sentences for row in statistics.sentences if row.context_kind == kind) for kind in KINDS}
    compounds = sum(row.compounds for row in statistics.compounds)
    grid, literal = sizes["naturalistic"] + sizes["neutral"], sizes[LITERAL]
    return (
        f"ncimp {statistics.release}, {statistics.edition} edition (data {statistics.logical_sha256[:12]}): "
        f"{compounds:,} compounds, {grid:,} sentences, {literal:,} more in the literal sense"
    )


def blocks(statistics: Statistics) -> Iterator[Block]:
    """Yield the tables of the page in their order."""
    yield _compounds(statistics)
    yield _patterns(statistics)
    yield _sentences(statistics)
    yield _lengths(statistics)
    yield _positions(statistics)
    yield _matching(statistics)
    yield _relations(statistics)
    yield _synonyms(statistics)
    yield _edits(statistics)
    yield _genres(statistics)
    yield _literal(statistics)


def _table(block: Block, lines: box.Box) -> Table:
    table = Table(box=lines)
    for place, name in enumerate(block.head):
        table.add_column(name, justify="left" if place < block.words else "right", overflow="fold")
    for row in block.rows:
        table.add_row(*row)
    return table


def _compounds(statistics: Statistics) -> Block:
    held = [split for split in SPLITS if any(row.split == split for row in statistics.compounds)]
    cells: Counter[tuple[str, str, str]] = Counter()
    for row in statistics.compounds:
        for name in (row.compound_class, ALL):
            for split in (row.split, ALL):
                cells[row.lang, name, split] += row.compounds
    rows = [
        [lang, _words(name), *(_share(cells[lang, name, split], cells[lang, ALL, split]) for split in (*held, ALL))]
        for lang in statistics.languages
        for name in (*CLASSES, ALL)
    ]
    return Block("Compounds by class and split (number; share of the split)", ["lang", "class", *held, ALL], rows)


def _patterns(statistics: Statistics) -> Block:
    cells: Counter[tuple[str, str, str]] = Counter()
    for row in statistics.compounds:
        for name in (row.compound_class, ALL):
            cells[row.lang, row.pattern, name] += row.compounds
    found = {(row.lang, row.pattern) for row in statistics.compounds}
    order = sorted(found, key=lambda key: (statistics.languages.index(key[0]), -cells[*key, ALL], key[1]))
    rows = [[*key, *(f"{cells[*key, name]:,}" for name in (*CLASSES, ALL))] for key in order]
    return Block("Compounds by pattern (number)", ["lang", "pattern", *map(_words, CLASSES), ALL], rows)


def _sentences(statistics: Statistics) -> Block:
    columns = [(lang, kind) for lang in statistics.languages for kind in KINDS]
    cells: Counter[tuple[str, str, str]] = Counter()
    for row in statistics.sentences:
        for probe in (row.probe, ALL):
            cells[probe, row.lang, row.context_kind] += row.sentences
    probes = {probe: _range([name for name in PROBES if PROBES[name] == probe]) for probe in PROBES.values()}
    rows = [
        [probe, variants, *(f"{cells[probe, *column]:,}" for column in columns)]
        for probe, variants in {**probes, ALL: ""}.items()
    ]
    head = ["probe", "variants", *(" ".join(column) for column in columns)]
    return Block("Sentences by kind of variant and of context (number)", head, rows)


def _lengths(statistics: Statistics) -> Block:
    rows = [[row.lang, row.context, *_figures(row.words, decimals=1)] for row in statistics.lengths]
    return Block("Length of the original sentences (words)", ["lang", "context", *FIGURES], rows)


def _positions(statistics: Statistics) -> Block:
    rows = []
    for row in statistics.positions:
        where = row.relative
        counts = (row.first, row.middle, row.last, row.at_start, row.after_one_word)
        figures = [f"{where.n:,}", *(_decimal(value, 2) for value in (where.mean, where.sd, where.median))]
        rows.append([row.lang, row.context, *figures, *(_share(count, where.n) for count in counts)])
    title = "Position of the compound (share of the sentence's other words before it; sentences by third)"
    thirds = ["first third", "middle third", "last third", "no word before", "one word before"]
    return Block(title, ["lang", "context", "n", "mean", "sd", "median", *thirds], rows)


def _matching(statistics: Statistics) -> Block:
    rows = []
    for row in statistics.matching:
        within = [_share(count, row.worse.n) for count in (row.within_median_target, row.within_p90_target)]
        figures = [_decimal(value, 3) for value in (*_tail(row.worse), *_tail(row.mean))]
        rows.append([row.lang, _words(row.compound_class), f"{row.worse.n:,}", *figures[:3], *within, *figures[3:]])
    title = "Frequency match of the random compounds (|difference of log10 frequency|: worse component, mean of both)"
    limits = [f"<= {target:.2f}" for target in TARGETS.values()]
    head = ["lang", "class", "n", "worse: median", "p90", "max", *limits, "mean: median", "p90", "max"]
    return Block(title, head, rows)


def _relations(statistics: Statistics) -> Block:
    rows = []
    for lang in statistics.languages:
        for component in COMPONENTS:
            own = [row for row in statistics.relations if (row.lang, row.component) == (lang, component)]
            total = sum(sum(getattr(row, name) for name in (*RELATIONS, "unknown")) for row in own)
            counts = [_share(sum(getattr(row, name) for row in own), total) for name in (*RELATIONS, "unknown")]
            ranks = [row.rank for row in own if row.rank]
            highest = f"{max(rank.maximum for rank in ranks):g}" if ranks else NONE
            if own:
                rows.append([lang, component, *counts, highest])
    title = "Component synonyms by relation to their component (number; share), ws1 to ws5"
    return Block(title, ["lang", "component", *RELATIONS, "unknown", "highest rank"], rows)


def _synonyms(statistics: Statistics) -> Block:
    rows = []
    for row in statistics.synonyms:
        each = row.per_compound
        spread = [_decimal(each.mean, 2), f"{each.minimum:g}", f"{each.maximum:g}"]
        counts = [_share(count, each.n) for count in (row.compounds_with_overlap_free, row.first_overlap_free)]
        rows.append([row.lang, f"{row.synonyms:,}", *spread, _share(row.overlap_free, row.synonyms), *counts])
    title = "True synonyms (number); overlap-free: no lemma of the compound in it"
    head = [
        "lang",
        "synonyms",
        "per compound",
        "min",
        "max",
        "overlap-free",
        "compounds with one",
        "whose first is one",
    ]
    return Block(title, head, rows, words=1)


def _edits(statistics: Statistics) -> Block:
    sentences: Counter[str] = Counter()
    for row in statistics.sentences:
        sentences[row.lang] += row.sentences if row.context_kind != LITERAL else 0
    rows = []
    for lang in statistics.languages:
        own = [row for row in statistics.carrier_edits if row.lang == lang]
        shown, rest = own[:SHOWN_RULES], own[SHOWN_RULES:]
        rows += [[lang, row.rule, f"{row.edits:,}", _share(row.sentences, sentences[lang])] for row in shown]
        if rest:
            rows.append([lang, f"{len(rest)} other rules", f"{sum(row.edits for row in rest):,}", NONE])
    title = "Carrier edits by rule (edits; sentences of the grid that have one)"
    return Block(title, ["lang", "rule", "edits", "sentences"], rows)


def _genres(statistics: Statistics) -> Block:
    totals: Counter[tuple[str, str]] = Counter()
    for row in statistics.genres:
        totals[row.lang, "naturalistic"] += row.naturalistic
        totals[row.lang, LITERAL] += row.literal
    cells = {(row.genre, row.lang): row for row in statistics.genres}
    genres = list(dict.fromkeys(row.genre for row in statistics.genres))
    columns = [(lang, kind) for lang in statistics.languages for kind in ("naturalistic", LITERAL)]
    rows = []
    for genre in genres:
        held = [(cells.get((genre, lang)), lang, kind) for lang, kind in columns]
        counts = [_share(getattr(row, kind) if row else 0, totals[lang, kind]) for row, lang, kind in held]
        rows.append([genre or NONE, *counts])
    head = ["genre", *(" ".join(column) for column in columns)]
    return Block("Genres of the written contexts (number; share)", head, rows, words=1)


def _literal(statistics: Statistics) -> Block:
    rows = [
        [row.lang, _words(row.compound_class), f"{row.compounds:,}", f"{row.sentences:,}"] for row in statistics.literal
    ]
    return Block("Literal contexts (number)", ["lang", "class", "compounds", "sentences"], rows)


def _figures(summary: Summary, *, decimals: int) -> list[str]:
    low, high = _decimal(summary.minimum, decimals), _decimal(summary.maximum, decimals)
    inner = (summary.p10, summary.p25, summary.median, summary.p75, summary.p90)
    centre = [_decimal(summary.mean, decimals), _decimal(summary.sd, decimals)]
    return [f"{summary.n:,}", *centre, low, *(_decimal(value, decimals) for value in inner), high]


def _tail(summary: Summary) -> tuple[float, float, float]:
    return summary.median, summary.p90, summary.maximum


def _decimal(value: float | None, decimals: int) -> str:
    return NONE if value is None else f"{value:.{decimals}f}"


def _share(count: int, total: int) -> str:
    """Return *count* with its share of *total* in percent.

    >>> _share(1, 3)
    '1 (33.3 %)'
    """
    return f"{count:,} ({100 * count / total:.1f} %)" if total else NONE


def _range(names: Sequence[str]) -> str:
    """Return *names*, or the first and the last of more than two."""
    return " ".join(names) if len(names) < 3 else f"{names[0]} to {names[-1]}"


def _words(name: str) -> str:
    return name.replace("_", " ")
