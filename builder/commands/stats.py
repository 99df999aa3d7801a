"""Count words and adjacent word pairs in corpora, and look counts and association up.

    ncimp stats count wiki-1.txt wiki-2.txt.gz --lang en --out stats
    zcat ukwac.vert.gz | ncimp stats count - --lang en --format wac --encoding latin-1 --out stats
    ncimp stats merge part-1 part-2 --out stats --min-count 2
    ncimp stats show "eager beaver" --stats stats
    ncimp stats show "eager beaver" --lang en --json
    ncimp stats top --stats stats --by ppmi --min-count 20

`count` reads every format of `docs/reference/corpora.md` and writes a folder of sorted tables. It needs the extra
`corpus`, uses the cores and memory it is given, and goes on where it was stopped when it is called again. `merge` adds
stores up. `show` prints counts, Zipf values and measures of association as written (surface) and by lemma; `top` the
pairs that stand highest by one of them (`ncimp candidates` has more columns and examples).
Without --stats it prints the Zipf values of the package wordfreq; it knows no pairs, so their cells are empty.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ncimp.builder.commands.candidates import add_ranking_options, ranked
from ncimp.builder.commands.stats_count import count, merge, register_count, register_merge
from ncimp.builder.ports import FrequencyTable
from ncimp.builder.selection.words import zipf_of
from ncimp.corpus_stats.store.lookups import Counts
from ncimp.corpus_stats.store.store import StatisticsStore
from ncimp.corpus_stats.words import LAYERS, normal_form
from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import Row
from ncimp.schemas.tables import columns

PIPE_WIDTH = 210
"""Columns of the printed table when no terminal tells its width: enough for one line a row."""

MEASURES = ("pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square")
TOP_COLUMNS = ("text", "count", "first_count", "second_count", *MEASURES)
"""Columns that `top` prints."""

DECIMALS = 2
"""Decimals of the printed table; `--json` has them all."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their arguments to *parser*."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    register_count(actions.add_parser("count", help="count a corpus into one store"))
    register_merge(actions.add_parser("merge", help="add stores up"))
    _register_show(actions.add_parser("show", help="look a word pair up"))
    top = actions.add_parser("top", help="print the pairs that stand highest by a measure")
    top.add_argument(
        "--stats", required=True, type=Path, metavar="STORE", help="statistics made by `ncimp stats count`"
    )
    add_ranking_options(top, limit=20, min_count=5)


def _register_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", nargs="+", metavar="PAIR", help='two words in one argument: "eager beaver"')
    parser.add_argument("--stats", type=Path, metavar="STORE", help="statistics made by `ncimp stats count`")
    parser.add_argument("--lang", help="language id; needed without --stats")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Run the chosen action and return the exit code."""
    return {"count": count, "merge": merge, "show": _show, "top": _top}[args.action](args)


def _show(args: argparse.Namespace) -> int:
    pairs = [_two_words(pair) for pair in args.pairs]
    rows = _wordfreq_rows(pairs, args.lang) if args.stats is None else _store_rows(pairs, args.stats, args.lang)
    if args.json:
        sys.stdout.writelines(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    else:
        _print_table(rows)
    return 0


def _two_words(pair: str) -> tuple[str, str]:
    words = pair.split()
    if len(words) != 2:
        fix = 'name two words in one argument: ncimp stats show "eager beaver"'
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
    from ncimp.builder.sources.figures.frequencies import WordfreqTable

    if lang is None:
        raise UsageError("which language?", fix="name it with --lang, or a corpus of your own with --stats")
    table = WordfreqTable(lang)
    return [_wordfreq_row(first, second, lang, table) for first, second in pairs]


def _wordfreq_row(first: str, second: str, lang: str, table: FrequencyTable) -> Row:
    known = {
        "lang": lang,
        "layer": "surface",
        "first": first,
        "second": second,
        "first_zipf": _listed_zipf(first, table),
        "second_zipf": _listed_zipf(second, table),
        "source": table.name,
    }
    return {column: known.get(column) for column in columns("count")}


def _listed_zipf(word: str, table: FrequencyTable) -> float | None:
    value = zipf_of(table, word)
    return None if value is None else round(value, DECIMALS)


def _top(args: argparse.Namespace) -> int:
    with StatisticsStore.open(args.stats) as store:
        rows = ranked(args, Counts((store,)))
    _print_table([asdict(row) for row in rows], TOP_COLUMNS)
    return 0


def _print_table(rows: Iterable[Row], names: Sequence[str] = columns("count")) -> None:
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
