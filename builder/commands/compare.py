"""Compare evaluations of several models on one release: leaderboard, correlogram, differences by paired bootstrap.

RESULTS are folders that `ncimp evaluate --out` wrote. Results of different releases are refused. The
leaderboard goes to standard output; `--out` also stores `comparison.json`.

Examples:
    ncimp compare results/minilm results/fasttext
    ncimp compare results/* --out results/comparison
    ncimp compare results/a results/b --json > comparison.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

COMPARISON = "comparison.json"
"""The file in the output folder."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="folders of results, two or more")
    parser.add_argument("--out", type=Path, help="folder for comparison.json")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--resamples", type=int, metavar="N", help="bootstrap resamples (default: 10,000)")


def run(args: argparse.Namespace) -> int:
    """Compare, print the leaderboard, and store it when asked; return 0."""
    from ncimp.evaluator.comparison import compare
    from ncimp.evaluator.pages.compare_page import write_comparison_page
    from ncimp.evaluator.report import print_comparison
    from ncimp.evaluator.resampling import RESAMPLES
    from ncimp.evaluator.results import check_folder
    from ncimp.schemas.files import write_json
    from ncimp.schemas.records import to_row

    if args.out:
        check_folder(args.out)
    comparison = compare(args.results, resamples=RESAMPLES if args.resamples is None else args.resamples)
    if args.out:
        write_json(args.out / COMPARISON, to_row(comparison))
        write_comparison_page(args.out)
        sys.stderr.write(f"wrote {args.out}\n")
    if args.json:
        sys.stdout.write(json.dumps(to_row(comparison), ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    else:
        print_comparison(comparison, sys.stdout)
    return 0
