"""The statistics of a release as one page of tables for people; the unit of each table is in its title."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table

from ncimp.builder.records import CLASSES, LITERAL, PROBES
from ncimp.builder.release.counts import QUANTILES
from ncimp.builder.release.layout import SPLITS
from ncimp.builder.release.measure import ALL, COMPONENTS, KINDS, RELATIONS, TARGETS, Row, Statistics

WIDTH = 160
"""Columns of text when the output is not a terminal: enough for one line a row."""
SHOWN_RULES = 8
"""Rules of carrier edits on the page; the others are counted together, and `--json` has them all."""
NONE = "–"  # the cell of a figure that is not there


@dataclass(frozen=True, slots=True)
class PageBlock:
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
            table = Table(box=box.SIMPLE_HEAD if terminal else box.MARKDOWN)
            for place, name in enumerate(block.head):
                table.add_column(name, justify="left" if place < block.words else "right", overflow="fold")
            for row in block.rows:
                table.add_row(*row)
            console.print(table)


def heading(statistics: Statistics) -> str:
    """Return the first line of the page: the release and its size."""
    sizes = _cells(statistics["sentences"], ["context_kind"], "sentences")
    compounds = sum(row["compounds"] for row in statistics["compounds"])
    literal = sizes[LITERAL,]
    return (
        f"ncimp {statistics['release']}, {statistics['edition']} edition (data {statistics['logical_sha256'][:12]}): "
        f"{compounds:,} compounds, {sizes.total() - literal:,} sentences, {literal:,} more in the literal sense"
    )


def blocks(statistics: Statistics) -> Iterator[PageBlock]:
    """Yield the tables of the page in their order."""
    yield from _composition(statistics)
    yield from _sentences(statistics)
    yield _matching(statistics)
    yield from _synonyms(statistics)
    yield _edits(statistics)
    yield from _genres(statistics)


def _cells(
    rows: Sequence[Row], names: Sequence[str], value: str, summed: Sequence[str] = ()
) -> Counter[tuple[str, ...]]:
    """Return the sums of *value* by the columns *names*; those that are *summed* also have the key `all`."""
    cells: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        for key in product(*((row[name], ALL) if name in summed else (row[name],) for name in names)):
            cells[key] += row[value]
    return cells


def _composition(statistics: Statistics) -> Iterator[PageBlock]:
    compounds, langs = statistics["compounds"], statistics["languages"]
    splits = [*(split for split in SPLITS if any(row["split"] == split for row in compounds)), ALL]
    summed = ["compound_class", "split"]
    cells = _cells(compounds, ["lang", *summed], "compounds", summed)
    rows = [
        [lang, _words(name), *(_share(cells[lang, name, split], cells[lang, ALL, split]) for split in splits)]
        for lang in langs
        for name in (*CLASSES, ALL)
    ]
    yield PageBlock("Compounds by class and split (number; share of the split)", ["lang", "class", *splits], rows)
    cells = _cells(compounds, ["lang", "pattern", "compound_class"], "compounds", summed)
    keys = {(row["lang"], row["pattern"]) for row in compounds}
    order = sorted(keys, key=lambda key: (langs.index(key[0]), -cells[*key, ALL], key[1]))
    rows = [[*key, *(f"{cells[*key, name]:,}" for name in (*CLASSES, ALL))] for key in order]
    yield PageBlock("Compounds by pattern (number)", ["lang", "pattern", *map(_words, CLASSES), ALL], rows)
    columns = list(product(statistics["languages"], KINDS))
    cells = _cells(statistics["sentences"], ["probe", "lang", "context_kind"], "sentences", ["probe"])
    rows = []
    for probe in (*dict.fromkeys(PROBES.values()), ALL):
        names = [name for name in PROBES if PROBES[name] == probe]
        variants = f"{names[0]} to {names[-1]}" if len(names) > 2 else " ".join(names)
        rows.append([probe, variants, *(f"{cells[probe, *column]:,}" for column in columns)])
    head = ["probe", "variants", *(" ".join(column) for column in columns)]
    yield PageBlock("Sentences by kind of variant and of context (number)", head, rows)


def _sentences(statistics: Statistics) -> Iterator[PageBlock]:
    rows = []
    for row in statistics["lengths"]:
        figures = [_decimal(row["words"][name], 1) for name in ("mean", "sd", *QUANTILES)]
        rows.append([row["lang"], row["context"], f"{row['words']['n']:,}", *figures])
    head = ["lang", "context", "n", "mean", "sd", "min", "p10", "p25", "median", "p75", "p90", "max"]
    yield PageBlock("Length of the original sentences (words)", head, rows)
    rows = []
    for row in statistics["positions"]:
        where = row["relative"]
        counts = [row[name] for name in ("first", "middle", "last", "at_start", "after_one_word")]
        figures = [f"{where['n']:,}", *(_decimal(where[name], 2) for name in ("mean", "sd", "median"))]
        rows.append([row["lang"], row["context"], *figures, *(_share(count, where["n"]) for count in counts)])
    title = "Position of the compound (share of the sentence's other words before it; sentences by third)"
    thirds = ["first third", "middle third", "last third", "no word before", "one word before"]
    yield PageBlock(title, ["lang", "context", "n", "mean", "sd", "median", *thirds], rows)


def _matching(statistics: Statistics) -> PageBlock:
    rows = []
    for row in statistics["matching"]:
        total = row["worse"]["n"]
        within = [_share(row[f"within_{name}_target"], total) for name in TARGETS]
        worse, mean = (
            [_decimal(row[part][name], 3) for name in ("median", "p90", "maximum")] for part in ("worse", "mean")
        )
        rows.append([row["lang"], _words(row["compound_class"]), f"{total:,}", *worse, *within, *mean])
    title = "Frequency match of the random compounds (|difference of log10 frequency|: worse component, mean of both)"
    limits = [f"<= {target:.2f}" for target in TARGETS.values()]
    head = ["lang", "class", "n", "worse: median", "p90", "max", *limits, "mean: median", "p90", "max"]
    return PageBlock(title, head, rows)


def _synonyms(statistics: Statistics) -> Iterator[PageBlock]:
    rows = []
    names = (*RELATIONS, "unknown")
    for lang, component in product(statistics["languages"], COMPONENTS):
        group = [row for row in statistics["relations"] if (row["lang"], row["component"]) == (lang, component)]
        counts = [sum(row[name] for row in group) for name in names]
        highest = max((row["rank"]["maximum"] for row in group if row["rank"]), default=None)
        if group:
            shares = [_share(count, sum(counts)) for count in counts]
            rows.append([lang, component, *shares, NONE if highest is None else f"{highest:g}"])
    title = "Component synonyms by relation to their component (number; share), ws1 to ws5"
    yield PageBlock(title, ["lang", "component", *names, "highest rank"], rows)
    rows = []
    for row in statistics["synonyms"]:
        each, total = row["per_compound"], row["synonyms"]
        spread = [_decimal(each["mean"], 2), f"{each['minimum']:g}", f"{each['maximum']:g}"]
        counts = [_share(row[name], each["n"]) for name in ("compounds_with_overlap_free", "first_overlap_free")]
        rows.append([row["lang"], f"{total:,}", *spread, _share(row["overlap_free"], total), *counts])
    title = "True synonyms (number); overlap-free: no lemma of the compound in it"
    head = ["lang", "synonyms", "per compound", "min", "max"]
    head += ["overlap-free", "compounds with one", "whose first is one"]
    yield PageBlock(title, head, rows, words=1)


def _edits(statistics: Statistics) -> PageBlock:
    grid = [row for row in statistics["sentences"] if row["context_kind"] != LITERAL]
    sentences = _cells(grid, ["lang"], "sentences")
    rows = []
    for lang in statistics["languages"]:
        group = [row for row in statistics["carrier_edits"] if row["lang"] == lang]
        shown, rest = group[:SHOWN_RULES], group[SHOWN_RULES:]
        rows += [[lang, row["rule"], f"{row['edits']:,}", _share(row["sentences"], sentences[lang,])] for row in shown]
        if rest:
            rows.append([lang, f"{len(rest)} other rules", f"{sum(row['edits'] for row in rest):,}", NONE])
    title = "Carrier edits by rule (edits; sentences of the grid that have one)"
    return PageBlock(title, ["lang", "rule", "edits", "sentences"], rows)


def _genres(statistics: Statistics) -> Iterator[PageBlock]:
    columns = list(product(statistics["languages"], ("naturalistic", LITERAL)))
    cells = {kind: _cells(statistics["genres"], ["genre", "lang"], kind) for _, kind in columns}
    totals = {kind: _cells(statistics["genres"], ["lang"], kind) for kind in cells}
    genres = dict.fromkeys(row["genre"] for row in statistics["genres"])
    rows = [
        [genre or NONE, *(_share(cells[kind][genre, lang], totals[kind][lang,]) for lang, kind in columns)]
        for genre in genres
    ]
    head = ["genre", *(" ".join(column) for column in columns)]
    yield PageBlock("Genres of the written contexts (number; share)", head, rows, words=1)
    names = ("lang", "compound_class", "compounds", "sentences")
    rows = [[_words(row[name]) for name in names] for row in statistics["literal"]]
    yield PageBlock("Literal contexts (number)", ["lang", "class", "compounds", "sentences"], rows)


def _decimal(value: float | None, decimals: int) -> str:
    return NONE if value is None else f"{value:.{decimals}f}"


def _share(count: int, total: int) -> str:
    """Return *count* with its share of *total* in percent.

    >>> _share(1, 3)
    '1 (33.3 %)'
    """
    return f"{count:,} ({100 * count / total:.1f} %)" if total else NONE


def _words(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value.replace("_", " ")
