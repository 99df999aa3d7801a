"""The figures as tables for people: one block per language and kind of context."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.table import Table

from ncimp.evaluator.evaluate import Evaluation, Result

WIDTH = 110
"""Columns of text when the output is not a terminal."""

SCORES = {
    "human": "the human compositionality score",
    "expert_class": "the ordinal expert class (idiomatic 0, partly 1, compositional 2): no human scores",
}
"""What rho is with, in words."""

UNDEFINED = "–"
"""The cell of a figure that is undefined."""


def print_report(evaluation: Evaluation, stream: TextIO) -> None:
    """Print the signature and one table per language and kind of context to *stream*."""
    console = Console(file=stream, width=None if stream.isatty() else WIDTH, highlight=False)
    signature = evaluation.signature
    console.print(
        f"ncimp {signature['release']} (data {signature['logical_sha256'][:12]}) | vectors "
        f"{signature['vectors']['name']} (sha256 {(signature['vectors']['sha256'] or UNDEFINED)[:12]}) | "
        f"{signature['options']['resamples']} resamples, seed {signature['seed']} | code {signature['code_version']}",
        markup=False,
        soft_wrap=True,
    )
    for table in tables(evaluation):
        console.print()
        console.print(table)
    if not any(row.level == "nc" for row in evaluation.results):
        console.print("The vectors have no spans, so the NC level is left out.")


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Yield one table per language and kind of context, in the order of the results."""
    for (lang, kind), rows in itertools.groupby(evaluation.results, key=lambda row: (row.lang, row.context_kind)):
        block = list(rows)
        scored = sum(compound.comp is not None for compound in evaluation.compounds[lang])
        total = len(evaluation.compounds[lang])
        yield _table(f"{lang}, {kind} contexts", _caption(block[0], scored, total), block)


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
    interval = UNDEFINED if row.low is None or row.high is None else f"[{row.low:+.3f}, {row.high:+.3f}]"
    figures = (_figure(row.mean), _figure(row.rho), interval, _p(row.p), _p(row.p_holm))
    return (row.level, row.measure, *figures, str(row.n), str(row.missing))


def _figure(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:+.3f}"


def _p(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.4f}"
