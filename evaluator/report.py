"""Tables for the terminal: the figures of an evaluation, and the leaderboard and differences of a comparison."""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table

from ncimp.evaluator import verdict
from ncimp.evaluator.comparison import AFFINITY, LEADING, SCALED
from ncimp.evaluator.controls import BASELINES
from ncimp.evaluator.evaluation import Evaluation
from ncimp.evaluator.pages import MEASURES, p_value
from ncimp.evaluator.records import Comparison, ScorecardLine, SuiteDifference, SuiteResult

WIDTH = 160  # columns of text when the output is not a terminal
SCORES = {  # the score that rho is with, in words
    "human": "the human compositionality score",
    "pack_class": "the ordinal class of the pack (idiomatic 0, partly 1, compositional 2): no human scores",
}
UNDEFINED = "–"  # the cell of a figure that is undefined
MARKS = {"met": "+", "not met": "-", "undecided": "?", "reversed": "!"}  # outcomes of a baseline beside the model
LETTERS = {"idiomatic": "I", "partly_compositional": "P", "compositional": "C"}  # the classes in a prediction


def print_report(evaluation: Evaluation, stream: TextIO, *, page: Path | None, whole: bool = False) -> None:
    """Print the verdict and the path of its *page* to *stream*; if *whole*, print the tables before the verdict."""
    document = evaluation.document
    signature = document.signature
    sha256 = f" (sha256 {signature.model.sha256[:12]})" if signature.model.sha256 else ""
    first = (
        f"ncimp {signature.release} (data {signature.logical_sha256[:12]}) | {signature.model.kind} "
        f"{signature.model.name}{sha256} | "
        f"{signature.options['resamples']} resamples, seed {signature.seed} | code {signature.code_version}"
    )
    further = (*tables(evaluation), *scorecards(evaluation), *suite_tables(document.suites))
    shown: list[Table | str] = [first, *further, ""] if whole else []
    words = (*verdict.warnings(document), *verdict.findings(document), verdict.headline(document), *document.notes)
    last = f"page: {page}" if page else "--out DIR writes a page and all values, --tables prints the tables"
    _print(stream, (*shown, *words, last))


def print_comparison(comparison: Comparison, stream: TextIO) -> None:
    """Print leaderboards, and the differences in rho of the leading measure, to *stream*."""
    first = (
        f"ncimp {comparison.release} (data {comparison.logical_sha256[:12]}) | {len(comparison.signatures)} models | "
        f"{comparison.resamples} resamples, seed {comparison.seed} | code {comparison.code_version}"
    )
    pairs = () if comparison.suites else (*leaderboards(comparison), difference_table(comparison))
    _print(stream, (first, *pairs, *suite_difference_tables(comparison.suites)))


def _print(stream: TextIO, shown: Iterable[Table | str]) -> None:
    console = Console(file=stream, width=None if stream.isatty() else WIDTH, highlight=False, emoji=False)
    for part in shown:
        if isinstance(part, str):
            console.print(part, markup=False, soft_wrap=True)
        else:
            console.print("", part, sep="\n")


def _empty_table(title: str, caption: str | None, words: Iterable[str], numbers: Iterable[str]) -> Table:
    table = Table(title=title, caption=caption, title_justify="left", caption_justify="left")
    for name in words:
        table.add_column(name, no_wrap=name != "measure")
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Yield one table per language and kind of context, in the order of the results."""
    results = evaluation.document.results
    for (lang, kind), block in itertools.groupby(results, key=lambda row: (row.lang, row.context_kind)):
        rows = list(block)
        compounds = next(part.language.compounds for part in evaluation.parts if part.language.code == lang)
        unscored, total = sum(compound.comp is None for compound in compounds), len(compounds)
        caption = f"rho is with {SCORES[rows[0].score]}"
        if 0 < unscored < total:
            caption += f"; {unscored} of {total} compounds have none and are left out"
        numbers = ("mean", "rho", "95 % interval", "p", "Holm p", "n", "missing")
        table = _empty_table(f"{lang}, {kind} contexts", caption, ("level", "measure"), numbers)
        for place, row in enumerate(rows):
            figures = (figure(row.mean), figure(row.rho), interval(row.low, row.high), p_value(row.p))
            cells = (*figures, p_value(row.p_holm), str(row.n), str(row.missing))
            last = place + 1 < len(rows) and rows[place + 1].level != row.level
            table.add_row(row.level, _name(row.measure), *cells, end_section=last)
        yield table


def suite_tables(rows: Iterable[SuiteResult]) -> Iterator[Table]:
    """Yield one table per language, task and split of a suite."""
    blocks = itertools.groupby(rows, key=lambda row: (row.lang, row.task, row.split))
    for (lang, task, split), block in blocks:
        numbers = ("figure", "95 % interval", "n", "compounds", "missing", "refused", "unparsed")
        table = _empty_table(f"{lang}, {task}, {split}", None, ("answers of", "setting", "given", "metric"), numbers)
        for row in block:
            counts = map(str, (row.n, row.compounds, row.missing, row.refused, row.unparsed))
            figures = (figure(row.value), interval(row.low, row.high))
            metric = f"{row.metric} ({row.outcome})" if row.outcome else row.metric
            table.add_row(row.model, row.setting, row.inputs, metric, *figures, *counts)
        yield table


def suite_difference_tables(rows: Iterable[SuiteDifference]) -> Iterator[Table]:
    """Yield one table per language, task and split of the differences of models."""
    blocks = itertools.groupby(rows, key=lambda row: (row.lang, row.task, row.split))
    for (lang, task, split), block in blocks:
        title = f"{lang}, {task}, {split}: differences, paired bootstrap over compounds"
        numbers = ("difference", "95 % interval", "p", "Holm p", "n")
        table = _empty_table(title, None, ("models", "setting", "given", "metric"), numbers)
        for row in block:
            figures = (figure(row.difference), interval(row.low, row.high), p_value(row.p), p_value(row.p_holm))
            names = (f"{row.first} − {row.second}", row.setting, row.inputs, row.metric)
            table.add_row(*names, *figures, str(row.n))
        yield table


def scorecards(evaluation: Evaluation) -> Iterator[Table]:
    """Yield the published predictions over all contexts, one table per language and level."""

    def prediction(line: ScorecardLine) -> tuple[str, ...]:
        return line.lang, line.context_kind, line.level, line.measure, line.aspect

    document = evaluation.document
    baselines = {(*prediction(line), line.model): line.outcome for line in document.baseline_scorecard}
    published = [line for line in document.scorecard if line.published and line.context_kind == "all"]
    legend = f"I idiomatic, P partly compositional, C compositional; baselines: {', '.join(BASELINES)}"
    for (lang, level), lines in itertools.groupby(published, key=lambda line: (line.lang, line.level)):
        title = f"{lang}, all contexts, {level} level: predictions"
        heads = ("measure", "wanted", "outcome"), ("effect", "95 % interval", "baselines")
        table = _empty_table(title, legend, *heads)
        for line in lines:
            letters = re.sub("|".join(LETTERS), lambda match: LETTERS[match[0]], line.wanted)
            expected = letters if line.aspect != "correlation" else f"rho {line.wanted}"
            marks = "".join(MARKS[baselines[(*prediction(line), name)]] for name in BASELINES)
            ends = interval(line.low, line.high)
            table.add_row(_name(line.measure), expected, line.outcome, figure(line.effect), ends, marks)
        yield table


def leaderboards(comparison: Comparison) -> Iterator[Table]:
    """Yield one table per language, kind of contexts and level."""
    blocks = itertools.groupby(comparison.leaderboard, key=lambda line: (line.lang, line.context_kind, line.level))
    legend = f"rho of {LEADING} with the score; means of {AFFINITY} and {SCALED}; places over resamples"
    numbers = ("places", "met", "not met", "undecided", "rho", "95 % interval", "A", "SimR", "missing")
    for (lang, kind, level), lines in blocks:
        title = f"{lang}, {kind} contexts, {level} level: predictions met, of those that the ideal model meets"
        table = _empty_table(title, legend, ("model",), numbers)
        table.columns[0].no_wrap = False
        for line in lines:
            counts = (f"{line.place_low}-{line.place_high}", str(line.met), str(line.not_met), str(line.undecided))
            figures = (figure(line.rho), interval(line.low, line.high), figure(line.affinity), figure(line.scaled))
            table.add_row(f"{line.place}. {line.model}".removeprefix("0. "), *counts, *figures, str(line.missing))
        yield table


def difference_table(comparison: Comparison) -> Table:
    """Return the differences in rho of the leading measure over all contexts."""
    title = f"differences in rho of {LEADING}, all contexts, paired bootstrap over compounds"
    numbers = ("difference", "95 % interval", "p", "Holm p", "n")
    table = _empty_table(title, None, ("models", "lang", "level"), numbers)
    for column in table.columns:
        column.no_wrap = False
    for row in comparison.differences:
        if (row.measure, row.quantity, row.context_kind) == (LEADING, "rho", "all"):
            figures = (figure(row.difference), interval(row.low, row.high), p_value(row.p), p_value(row.p_holm))
            table.add_row(f"{row.first} − {row.second}", row.lang, row.level, *figures, str(row.n))
    return table


def interval(low: float | None, high: float | None) -> str:
    """Return the cell of an interval."""
    return UNDEFINED if low is None or high is None else f"[{low:+.3f}, {high:+.3f}]"


def figure(value: float | None) -> str:
    """Return the cell of a mean or a correlation."""
    return UNDEFINED if value is None else format(value, "+.3f")


def _name(measure: str) -> str:
    return f"{MEASURES[measure]} ({measure})"
