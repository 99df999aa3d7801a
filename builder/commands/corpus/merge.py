"""Add stores up into one.

Examples:
    ncimp corpus merge part-1 part-2 --out stats --min-count 2
"""

import argparse
import sys
from pathlib import Path

from ncimp.builder.commands.corpus.count import summary
from ncimp.builder.commands.options import add_out, positive_int
from ncimp.corpus_stats.kernel import require_corpus_extra


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("stores", nargs="+", type=Path, metavar="STORE", help="stores made without --min-count")
    add_out(parser, "folder to write", metavar="STORE")
    parser.add_argument(
        "--min-count", type=positive_int, default=1, metavar="N", help="leave out what is rarer in all together"
    )
    parser.add_argument("--workers", type=positive_int, default=2, metavar="N", help="threads (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Merge the stores, print a summary and return the exit code."""
    require_corpus_extra()
    from ncimp.corpus_stats.counting.merging import merge_stores

    header = merge_stores(args.stores, args.out, min_count=args.min_count, workers=args.workers)
    sys.stderr.writelines(f"{line}\n" for line in summary(header, args.out))
    return 0
