"""Print the pairs of a store that rank highest by a measure; `ncimp corpus pairs` has more columns and examples.

Examples:
    ncimp corpus top --stats stats --by ppmi --min-count 20
"""

import argparse
from dataclasses import asdict
from pathlib import Path

from ncimp.builder.commands.corpus.pairs import add_ranking_options, ranked
from ncimp.builder.commands.corpus.show import print_table
from ncimp.corpus_stats.store.store import Counts, StatisticsStore

MEASURES = ("pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square")
COLUMNS = ("text", "count", "first_count", "second_count", *MEASURES)


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument(
        "--stats", required=True, type=Path, metavar="STORE", help="statistics made by `ncimp corpus count`"
    )
    add_ranking_options(parser, limit=20)


def run(args: argparse.Namespace) -> int:
    """Print the table and return the exit code."""
    with StatisticsStore.open(args.stats) as store:
        rows = ranked(args, Counts((store,)))
    print_table([asdict(row) for row in rows], COLUMNS)
    return 0
