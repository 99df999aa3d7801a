"""A comparison for people: the leaderboard, and which differences are more than chance."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.table import Table

from ncimp.evaluator.comparison import AFFINITY, LEADING, SCALED
from ncimp.evaluator.records import Comparison, Difference, LeaderboardLine
from ncimp.evaluator.report import WIDTH, figure, interval, p_value

COLUMNS = ("met", "not met", "undecided", "rho", "95 % interval", "A", "SimR", "missing")
"""The columns of figures of a leaderboard."""

LEGEND = f"rho of {LEADING} with the score; means of {AFFINITY} and {SCALED}; items without a vector"
"""What stands under a leaderboard."""


def print_comparison(comparison: Comparison, stream: TextIO) -> None:
    """Print leaderboards, and the differences in rho of the leading measure, to *stream*."""
    console = Console(file=stream, width=None if stream.isatty() else WIDTH, highlight=False)
    console.print(
        f"ncimp {comparison.release} (data {comparison.logical_sha256[:12]}) | {len(comparison.signatures)} models | "
        f"{comparison.resamples} resamples, seed {comparison.seed} | code {comparison.code_version}",
        markup=False,
        soft_wrap=True,
    )
    for table in (*leaderboards(comparison), difference_table(comparison)):
        console.print()
        console.print(table)


def leaderboards(comparison: Comparison) -> Iterator[Table]:
    """Yield one table per language, kind of contexts and level."""

    def block(line: LeaderboardLine) -> tuple[str, str, str]:
        return line.lang, line.context_kind, line.level

    for (lang, kind, level), lines in itertools.groupby(comparison.leaderboard, key=block):
        title = f"{lang}, {kind} contexts, {level} level: predictions met"
        table = Table(title=title, caption=LEGEND, title_justify="left", caption_justify="left")
        table.add_column("model")
        for name in COLUMNS:
            table.add_column(name, justify="right", no_wrap=True)
        for line in lines:
            counts = (str(line.met), str(line.not_met), str(line.undecided))
            figures = (figure(line.rho), interval(line.low, line.high), figure(line.affinity), figure(line.scaled))
            table.add_row(f"{line.place}. {line.model}", *counts, *figures, str(line.missing))
        yield table


def difference_table(comparison: Comparison) -> Table:
    """Return the differences in rho of the leading measure over all contexts."""
    title = f"differences in rho of {LEADING}, all contexts, paired bootstrap over compounds"
    table = Table(title=title, title_justify="left")
    for name in ("models", "lang", "level"):
        table.add_column(name)
    for name in ("difference", "95 % interval", "p", "Holm p", "n"):
        table.add_column(name, justify="right")
    for row in filter(_is_shown, comparison.differences):
        figures = (figure(row.difference), interval(row.low, row.high), p_value(row.p), p_value(row.p_holm))
        table.add_row(f"{row.first} − {row.second}", row.lang, row.level, *figures, str(row.n))
    return table


def _is_shown(row: Difference) -> bool:
    return (row.measure, row.quantity, row.context_kind) == (LEADING, "rho", "all")
