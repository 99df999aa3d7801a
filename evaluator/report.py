"""Tables for the terminal: the figures of an evaluation, and the leaderboard and differences of a comparison."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.table import Table

from ncimp.evaluator.comparison import AFFINITY, LEADING, SCALED
from ncimp.evaluator.controls import BASELINES
from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.records import Comparison, Difference, LeaderboardLine, Result, ScorecardLine

WIDTH = 110
"""Columns of text when the output is not a terminal."""

SCORES = {
    "human": "the human compositionality score",
    "expert_class": "the ordinal expert class (idiomatic 0, partly 1, compositional 2): no human scores",
}
"""What rho is with, in words."""

UNDEFINED = "–"
"""The cell of a figure that is undefined."""

MARKS = {"met": "+", "not met": "-", "undecided": "?"}
"""What a shortcut baseline does beside the model."""

LETTERS = {"idiomatic": "I", "partly_compositional": "P", "compositional": "C"}
"""The classes, as the tables of predictions write them."""

LEGEND = f"I idiomatic, P partly compositional, C compositional; shortcuts: {', '.join(BASELINES)}"
"""What stands under a table of predictions."""


def print_report(evaluation: Evaluation, stream: TextIO) -> None:
    """Print the signature and one table per language and kind of context to *stream*."""
    console = Console(file=stream, width=None if stream.isatty() else WIDTH, highlight=False)
    signature = evaluation.document.signature
    sha256 = f" (sha256 {signature.model.sha256[:12]})" if signature.model.sha256 else ""
    console.print(
        f"ncimp {signature.release} (data {signature.logical_sha256[:12]}) | {signature.model.kind} "
        f"{signature.model.name}{sha256} | "
        f"{signature.options['resamples']} resamples, seed {signature.seed} | code {signature.code_version}",
        markup=False,
        soft_wrap=True,
    )
    for table in (*tables(evaluation), *scorecards(evaluation)):
        console.print()
        console.print(table)
    for note in evaluation.document.notes:
        console.print(note, markup=False, soft_wrap=True)


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Yield one table per language and kind of context, in the order of the results."""
    for (lang, kind), rows in itertools.groupby(
        evaluation.document.results, key=lambda row: (row.lang, row.context_kind)
    ):
        block = list(rows)
        compounds = next(part.language.compounds for part in evaluation.parts if part.language.code == lang)
        scored, total = sum(compound.comp is not None for compound in compounds), len(compounds)
        yield _table(f"{lang}, {kind} contexts", _caption(block[0], scored, total), block)


def scorecards(evaluation: Evaluation) -> Iterator[Table]:
    """Yield the published predictions over all contexts, one table per language and level."""
    document = evaluation.document
    shortcuts = {(*_prediction(line), line.model): line.outcome for line in document.baseline_scorecard}
    chosen = [line for line in document.scorecard if line.published and line.context_kind == "all"]
    for (lang, level), lines in itertools.groupby(chosen, key=lambda line: (line.lang, line.level)):
        title = f"{lang}, all contexts, {level} level: predictions"
        table = Table(title=title, caption=LEGEND, title_justify="left", caption_justify="left")
        for name in ("measure", "wanted", "outcome"):
            table.add_column(name, no_wrap=True)
        for name in ("effect", "95 % interval", "shortcuts"):
            table.add_column(name, justify="right", no_wrap=True)
        for line in lines:
            marks = "".join(MARKS[shortcuts[(*_prediction(line), name)]] for name in BASELINES)
            ends = interval(line.low, line.high)
            table.add_row(line.measure, _wanted(line), line.outcome, figure(line.effect), ends, marks)
        yield table


def _wanted(line: ScorecardLine) -> str:
    if line.aspect == "correlation":
        return f"rho {line.wanted}"
    return re.sub("|".join(LETTERS), lambda found: LETTERS[found[0]], line.wanted)


def _prediction(line: ScorecardLine) -> tuple[str, ...]:
    return line.lang, line.context_kind, line.level, line.measure, line.aspect


def _caption(row: Result, scored: int, total: int) -> str:
    left_out = f"; {total - scored} of {total} compounds have none and are left out" if 0 < scored < total else ""
    return f"rho is with {SCORES[row.score]}{left_out}"


def _table(title: str, caption: str, rows: list[Result]) -> Table:
    table = Table(title=title, caption=caption, title_justify="left", caption_justify="left")
    table.add_column("level", no_wrap=True)
    table.add_column("measure", no_wrap=True)
    for name in ("mean", "rho", "95 % interval", "p", "Holm p", "n", "missing"):
        table.add_column(name, justify="right", no_wrap=True)
    for place, row in enumerate(rows):
        last = place + 1 < len(rows) and rows[place + 1].level != row.level
        table.add_row(*_cells(row), end_section=last)
    return table


def _cells(row: Result) -> tuple[str, ...]:
    figures = (figure(row.mean), figure(row.rho), interval(row.low, row.high), p_value(row.p), p_value(row.p_holm))
    return (row.level, row.measure, *figures, str(row.n), str(row.missing))


def interval(low: float | None, high: float | None) -> str:
    """Return the cell of an interval."""
    return UNDEFINED if low is None or high is None else f"[{low:+.3f}, {high:+.3f}]"


def figure(value: float | None) -> str:
    """Return the cell of a mean or a correlation."""
    return UNDEFINED if value is None else f"{value:+.3f}"


def p_value(value: float | None) -> str:
    """Return the cell of a p value."""
    return UNDEFINED if value is None else f"{value:.4f}"


COLUMNS = ("met", "not met", "undecided", "rho", "95 % interval", "A", "SimR", "missing")
"""The columns of figures of a leaderboard."""

LEADERBOARD_LEGEND = f"rho of {LEADING} with the score; means of {AFFINITY} and {SCALED}; items without a vector"
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
        table = Table(title=title, caption=LEADERBOARD_LEGEND, title_justify="left", caption_justify="left")
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
