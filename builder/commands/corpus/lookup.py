"""The actions that read a store: counts of pairs, the pairs that rank highest, candidates for compounds."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ncimp.builder.commands.corpus import READING, format_of, new_problems, reading_of
from ncimp.builder.commands.options import JSON_ROWS, PACKS, Option, command, number, option, path, print_json
from ncimp.builder.selection.words import zipf_of
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.corpus_stats.contexts.run import search_files
from ncimp.corpus_stats.contexts.sample import PhraseIndex
from ncimp.corpus_stats.contexts.search import Search
from ncimp.corpus_stats.readers.formats import expanded
from ncimp.corpus_stats.store.store import RANKINGS, Candidate, Counts, StatisticsStore
from ncimp.corpus_stats.words import LAYERS, normal_form
from ncimp.schemas import NOT_APPLICABLE, Row, UsageError
from ncimp.schemas.records import columns, to_row

PIPE_WIDTH = 210  # columns of the printed table when no terminal tells its width: enough for one line a row
TABLE_PLACES, LIST_PLACES = 2, 4  # decimals of the printed table and of the list of candidates; `--json` has them all
MADE = "statistics made by `ncimp corpus count`"
MEASURES = ("pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square")
TOP_COLUMNS = ("text", "count", "first_count", "second_count", *MEASURES)


@command(
    option("pairs", 'two words in one argument: "eager beaver"', nargs="+", metavar="PAIR"),
    path("--stats", "STORE", MADE),
    option("--lang", "language id; needed without --stats"),
    JSON_ROWS,
)
def run_show(args: argparse.Namespace) -> int:
    """Print counts, Zipf values and measures of association of word pairs, as written (surface) and by lemma.

    Without --stats it prints the Zipf values of the package wordfreq, which knows no pairs: their cells are empty.

    Examples:
        ncimp corpus show "eager beaver" --stats stats
        ncimp corpus show "eager beaver" --lang en --json
    """
    for pair in args.pairs:
        if len(pair.split()) != 2:
            fix = 'name two words in one argument: ncimp corpus show "eager beaver"'
            raise UsageError(f"{pair!r} is not a pair of words", fix=fix)
    pairs = [[normal_form(word) for word in pair.split()] for pair in args.pairs]
    rows = _wordfreq_rows(pairs, args.lang) if args.stats is None else _store_rows(pairs, args.stats, args.lang)
    if args.json:
        print_json(rows)
    else:
        _print_table(rows, columns("count"))
    return 0


def _store_rows(pairs: Iterable[list[str]], path: Path, lang: str | None) -> list[Row]:
    with StatisticsStore.open(path) as store:
        if lang not in (None, store.lang):
            fix = "leave --lang out, or count that language"
            raise UsageError(f"{path} counts {store.lang!r}, not {lang!r}", fix=fix)
        for layer in LAYERS:
            if layer not in store.layers:
                sys.stderr.write(f"{path}: the {layer} layer is empty (format {store.header.corpus_format!r})\n")
        counts = Counts((store,))
        return [asdict(counts.pair(first, second, layer)) for first, second in pairs for layer in store.layers]


def _wordfreq_rows(pairs: Iterable[list[str]], lang: str | None) -> list[Row]:
    if lang is None:
        raise UsageError("the language is missing", fix="name it with --lang, or a corpus of your own with --stats")
    table = WordfreqTable(lang)
    rows: list[Row] = []
    for pair in pairs:
        row: Row = dict.fromkeys(columns("count")) | {"lang": lang, "layer": "surface", "source": table.name}
        for name, word in zip(("first", "second"), pair, strict=True):
            zipf = zipf_of(table, word)
            row |= {name: word, f"{name}_zipf": None if zipf is None else round(zipf, TABLE_PLACES)}
        rows.append(row)
    return rows


def _print_table(rows: Iterable[Row], names: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for column in names:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[column], TABLE_PLACES) for column in names))
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    Console(width=width, markup=False, emoji=False, highlight=False).print(table)


def _cell(value: Any, places: int) -> str:
    if isinstance(value, float):
        return f"{value:.{places}f}"
    return "" if value is None else str(value)


def ranking(limit: int) -> tuple[Option, ...]:
    """Return the options that choose and rank candidates."""
    return (
        option("--pattern", 'shape of parts of speech, such as "N N" or "N de N"', metavar="PATTERN"),
        option("--by", "rank by this", choices=RANKINGS, default="ppmi"),
        option("--layer", "words as written or lemmas (default: lemmas where there are)", choices=LAYERS),
        number("--min-count", 5, "leave rarer ones out"),
        number("--limit", limit, "print at most so many"),
    )


def _ranked(args: argparse.Namespace, counts: Counts) -> list[Candidate]:
    pattern = None if args.pattern is None else "_".join(args.pattern.split())
    args.layer = args.layer or ("lemma" if "lemma" in counts.layers else "surface")
    return counts.top(pattern=pattern, layer=args.layer, by=args.by, min_count=args.min_count, limit=args.limit)


@command(path("--stats", "STORE", MADE, required=True), *ranking(20))
def run_top(args: argparse.Namespace) -> int:
    """Print the pairs of a store that rank highest by a measure; `ncimp corpus pairs` has more columns and examples.

    Examples:
        ncimp corpus top --stats stats --by ppmi --min-count 20
    """
    with StatisticsStore.open(args.stats) as store:
        rows = _ranked(args, Counts((store,)))
    _print_table(map(asdict, rows), TOP_COLUMNS)
    return 0


@command(
    path("stores", "STORE", MADE, nargs="+"),
    *ranking(1000),
    JSON_ROWS,
    option("--corpus", "corpus from which to take an example of each", nargs="+", metavar="PATH"),
    PACKS,
    READING,
)
def run_pairs(args: argparse.Namespace) -> int:
    """List the strongest candidates for compounds of a counted corpus: the start of a new language.

    Each row has the counts of the candidate and of its two words, PPMI and the other measures of association, and, with
    --corpus, a sentence with it. Several stores of a language are taken together. `--pattern` needs counts by part of
    speech; without it every adjacent pair is a candidate. Columns: `schemas/tables/candidate.schema.json`; `_` stands
    for an empty cell.

    Examples:
        ncimp corpus pairs stats --min-count 10 --limit 2000 > candidates.tsv
        ncimp corpus pairs wiki news --pattern "N N" --by log_likelihood --json
        ncimp corpus pairs stats --corpus gl-wiki.conllu.gz --limit 500 > candidates.tsv
    """
    with ExitStack() as stack:
        counts = Counts(tuple(stack.enter_context(StatisticsStore.open(path)) for path in args.stores))
        candidates = _ranked(args, counts)
        if args.corpus:
            candidates = _with_examples(candidates, args, counts)
    rows = map(to_row, candidates)
    if args.json:
        print_json(rows)
        return 0
    names = columns("candidate")
    cells = ([" ".join(_cell(row[name], LIST_PLACES).split()) or NOT_APPLICABLE for name in names] for row in rows)
    sys.stdout.writelines("\t".join(line) + "\n" for line in (names, *cells))
    return 0


def _with_examples(rows: list[Candidate], args: argparse.Namespace, counts: Counts) -> list[Candidate]:
    """Return *rows* with a sentence of each: the one whose keyed hash is smallest among those that fit."""
    args.lang = counts.lang
    index = PhraseIndex({row.text: [row.text.split(" ")] for row in rows})
    corpus_format, problems = format_of(args, args.corpus), new_problems(args)
    search = Search(index, corpus_format, reading_of(args), 1, layer=args.layer)
    sample = search_files(search, expanded(args.corpus, corpus_format), problems)
    sys.stderr.writelines(f"{line}\n" for line in problems.summary())
    examples = [next(iter(sample.of(row.text)), None) for row in rows]
    return [
        replace(row, example=example.text, example_document=example.place.document or None) if example else row
        for row, example in zip(rows, examples, strict=True)
    ]
