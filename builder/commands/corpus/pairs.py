"""List the strongest candidates for compounds of a counted corpus: the start of a new language.

Each row has the counts of the candidate and of its two words, PPMI and the other measures of association, and, with
--corpus, a sentence with it. Several stores of a language are taken together. `--pattern` needs counts by part of
speech; without it every adjacent pair is a candidate. Columns: `schemas/tables/candidate.schema.json`; `_` stands for
an empty cell.

Examples:
    ncimp corpus pairs stats --min-count 10 --limit 2000 > candidates.tsv
    ncimp corpus pairs wiki news --pattern "N N" --by log_likelihood --json
    ncimp corpus pairs stats --corpus gl-wiki.conllu.gz --limit 500 > candidates.tsv
"""

import argparse
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from ncimp.builder.commands.options import add_json, add_packs, positive_int, print_json
from ncimp.builder.commands.options.corpus import add_reading_options, format_of, new_problems, reading_of
from ncimp.corpus_stats.contexts.run import search_files
from ncimp.corpus_stats.contexts.sample import PhraseIndex
from ncimp.corpus_stats.contexts.search import Search
from ncimp.corpus_stats.readers.formats import expanded
from ncimp.corpus_stats.store.store import RANKINGS, Candidate, Counts, StatisticsStore
from ncimp.corpus_stats.words import LAYERS, Layer
from ncimp.schemas.files import NOT_APPLICABLE
from ncimp.schemas.records import to_row
from ncimp.schemas.tables import columns

PLACES = 4
"""Decimals of the measures in the table; `--json` has them all."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("stores", nargs="+", type=Path, metavar="STORE", help="statistics made by `ncimp corpus count`")
    add_ranking_options(parser, limit=1000)
    add_json(parser)
    parser.add_argument("--corpus", nargs="+", metavar="PATH", help="corpus from which to take an example of each")
    add_packs(parser)
    add_reading_options(parser)


def add_ranking_options(parser: argparse.ArgumentParser, *, limit: int) -> None:
    """Add the options that choose and rank candidates to *parser*."""
    parser.add_argument("--pattern", metavar="PATTERN", help='shape of parts of speech, such as "N N" or "N de N"')
    parser.add_argument("--by", choices=RANKINGS, default="ppmi", help="rank by this (default: %(default)s)")
    parser.add_argument("--layer", choices=LAYERS, help="words as written or lemmas (default: lemmas where there are)")
    least, most = "leave rarer ones out (default: %(default)s)", "print at most so many (default: %(default)s)"
    parser.add_argument("--min-count", type=positive_int, default=5, metavar="N", help=least)
    parser.add_argument("--limit", type=positive_int, default=limit, metavar="N", help=most)


def ranked(args: argparse.Namespace, counts: Counts) -> list[Candidate]:
    """Return the candidates that the options ask for."""
    pattern = None if args.pattern is None else "_".join(args.pattern.split())
    return counts.top(
        pattern=pattern, layer=_layer(args, counts), by=args.by, min_count=args.min_count, limit=args.limit
    )


def _layer(args: argparse.Namespace, counts: Counts) -> Layer:
    layer: Layer = args.layer or ("lemma" if "lemma" in counts.layers else "surface")
    return layer


def run(args: argparse.Namespace) -> int:
    """Print the list and return the exit code."""
    with ExitStack() as stack:
        stores = (stack.enter_context(StatisticsStore.open(path)) for path in args.stores)
        counts = Counts(tuple(stores))
        rows = ranked(args, counts)
        if args.corpus:
            rows = _with_examples(rows, args, counts)
    _print(rows, as_json=args.json)
    return 0


def _with_examples(rows: list[Candidate], args: argparse.Namespace, counts: Counts) -> list[Candidate]:
    """Return *rows* with a sentence of each: the one whose keyed hash is smallest among those that fit."""
    args.lang = counts.lang
    index = PhraseIndex({row.text: [row.text.split(" ")] for row in rows})
    corpus_format, problems = format_of(args, args.corpus), new_problems(args)
    search = Search(index, corpus_format, reading_of(args), 1, layer=_layer(args, counts))
    sample = search_files(search, expanded(args.corpus, corpus_format), problems)
    sys.stderr.writelines(f"{line}\n" for line in problems.summary())
    examples = {row.text: sample.of(row.text) for row in rows}
    return [
        replace(row, example=examples[row.text][0].text, example_document=examples[row.text][0].place.document or None)
        if examples[row.text]
        else row
        for row in rows
    ]


def _print(rows: Iterable[Candidate], *, as_json: bool) -> None:
    if as_json:
        print_json(to_row(row) for row in rows)
        return
    names = columns("candidate")
    sys.stdout.write("\t".join(names) + "\n")
    for row in rows:
        values = to_row(row)
        sys.stdout.write("\t".join(_cell(values[name]) for name in names) + "\n")


def _cell(value: object) -> str:
    if value is None or value == "":
        return NOT_APPLICABLE
    return f"{value:.{PLACES}f}" if isinstance(value, float) else " ".join(str(value).split())
