"""Print counts, Zipf values and measures of association of word pairs, as written (surface) and by lemma.

Without --stats it prints the Zipf values of the package wordfreq, which knows no pairs: their cells are empty.

Examples:
    ncimp corpus show "eager beaver" --stats stats
    ncimp corpus show "eager beaver" --lang en --json
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ncimp.builder.commands.options import add_json, print_json
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.selection.words import zipf_of
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.corpus_stats.store.store import Counts, StatisticsStore
from ncimp.corpus_stats.words import LAYERS, normal_form
from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import Row
from ncimp.schemas.tables import columns

PIPE_WIDTH = 210
"""Columns of the printed table when no terminal tells its width: enough for one line a row."""

DECIMALS = 2
"""Decimals of the printed table; `--json` has them all."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("pairs", nargs="+", metavar="PAIR", help='two words in one argument: "eager beaver"')
    parser.add_argument("--stats", type=Path, metavar="STORE", help="statistics made by `ncimp corpus count`")
    parser.add_argument("--lang", help="language id; needed without --stats")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the figures of each pair and return the exit code."""
    pairs = [_two_words(pair) for pair in args.pairs]
    rows = _wordfreq_rows(pairs, args.lang) if args.stats is None else _store_rows(pairs, args.stats, args.lang)
    if args.json:
        print_json(rows)
    else:
        print_table(rows)
    return 0


def _two_words(pair: str) -> tuple[str, str]:
    words = pair.split()
    if len(words) != 2:
        fix = 'name two words in one argument: ncimp corpus show "eager beaver"'
        raise UsageError(f"{pair!r} is not a pair of words", fix=fix)
    return normal_form(words[0]), normal_form(words[1])


def _store_rows(pairs: Iterable[tuple[str, str]], path: Path, lang: str | None) -> list[Row]:
    with StatisticsStore.open(path) as store:
        if lang not in (None, store.lang):
            raise UsageError(
                f"{path} counts {store.lang!r}, not {lang!r}", fix="leave --lang out, or count that language"
            )
        for layer in LAYERS:
            if layer not in store.layers:
                sys.stderr.write(f"{path}: the {layer} layer is empty (format {store.header.corpus_format!r})\n")
        counts = Counts((store,))
        return [asdict(counts.pair(*pair, layer)) for pair in pairs for layer in store.layers]


def _wordfreq_rows(pairs: Iterable[tuple[str, str]], lang: str | None) -> list[Row]:
    if lang is None:
        raise UsageError("the language is missing", fix="name it with --lang, or a corpus of your own with --stats")
    table = WordfreqTable(lang)
    return [_wordfreq_row(first, second, lang, table) for first, second in pairs]


def _wordfreq_row(first: str, second: str, lang: str, table: FrequencyTable) -> Row:
    figures = {
        "lang": lang,
        "layer": "surface",
        "first": first,
        "second": second,
        "first_zipf": _listed_zipf(first, table),
        "second_zipf": _listed_zipf(second, table),
        "source": table.name,
    }
    return {column: figures.get(column) for column in columns("count")}


def _listed_zipf(word: str, table: FrequencyTable) -> float | None:
    value = zipf_of(table, word)
    return None if value is None else round(value, DECIMALS)


def print_table(rows: Iterable[Row], names: Sequence[str] = columns("count")) -> None:
    """Print *rows* as a table with the columns *names*."""
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for column in names:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in names))
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    Console(width=width, markup=False, emoji=False, highlight=False).print(table)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.{DECIMALS}f}"
    return "" if value is None else str(value)
