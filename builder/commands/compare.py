"""Compare evaluations of several models on one release: leaderboard, correlogram, differences by paired bootstrap.

RESULTS are folders that `ncimp evaluate --out` wrote. Results of different releases are refused. The
leaderboard goes to standard output; `--out` also stores `comparison.json` and a page.

With one folder, of results or of a comparison, nothing is compared: its page is drawn again from its files.
`--release` adds the sentences of the compounds shown, which are in the release and not in the results.

Examples:
    ncimp compare results/minilm results/fasttext
    ncimp compare results/* --out results/comparison
    ncimp compare results/a results/b --json > comparison.json
    ncimp compare results/minilm --release ./ncimp
"""

import argparse
import json
import sys
from pathlib import Path

from ncimp.builder.commands.options import add_json
from ncimp.builder.commands.options.model import add_resamples
from ncimp.evaluator.comparison import compare
from ncimp.evaluator.pages import write_comparison_page
from ncimp.evaluator.pages.report import write_report
from ncimp.evaluator.release import read_release
from ncimp.evaluator.report import print_comparison
from ncimp.evaluator.results import COMPARISON, check_folder
from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import write_json
from ncimp.schemas.records import to_row


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    folders = "folders of results to compare, or one folder whose page is drawn again"
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help=folders)
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for comparison.json and its page")
    add_json(parser, "print JSON instead of tables")
    add_resamples(parser)
    sentences = "release that was evaluated, for the sentences in the page of one folder"
    parser.add_argument("--release", type=Path, metavar="DIR", help=sentences)


def run(args: argparse.Namespace) -> int:
    """Compare, print the leaderboard, and store it when asked, or draw one page again; return 0."""
    if len(args.results) == 1:
        return _redraw(args)
    if args.release:
        raise UsageError("--release is for the page of one folder", fix="leave it out, or give one folder")
    if args.out:
        check_folder(args.out)
    comparison = compare(args.results, resamples=args.resamples)
    if args.out:
        write_json(args.out / COMPARISON, to_row(comparison))
        write_comparison_page(args.out)
        sys.stderr.write(f"wrote {args.out}\n")
    if args.json:
        sys.stdout.write(json.dumps(to_row(comparison), ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    else:
        print_comparison(comparison, sys.stdout)
    return 0


def _redraw(args: argparse.Namespace) -> int:
    """Write the page into the folder and name it on standard error."""
    (folder,) = args.results
    if args.out or args.json:
        raise UsageError("one evaluation cannot be compared", fix="give two folders of results, or more")
    if (folder / COMPARISON).is_file():
        page = write_comparison_page(folder)
    else:
        page = write_report(folder, None if args.release is None else read_release(args.release))
    sys.stderr.write(f"wrote {page}\n")
    return 0
