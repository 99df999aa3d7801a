"""Make the page of an evaluation or of a comparison again, from the files in its folder.

`ncimp evaluate --out` and `ncimp compare --out` make it already; this is for results that came without, or to add the
sentences of the compounds that are shown, which are in the release and not in the results.

Examples:
    ncimp report results/minilm
    ncimp report results/minilm --release ./ncimp
    ncimp report results/comparison
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder that evaluate or compare wrote with --out")
    parser.add_argument("--release", type=Path, help="folder of the release that was evaluated, for its sentences")


def run(args: argparse.Namespace) -> int:
    """Write the page into the folder and name it on standard error; return 0."""
    from ncimp.evaluator.pages.compare_page import write_comparison_page
    from ncimp.evaluator.pages.reading import COMPARISON
    from ncimp.evaluator.pages.report_page import write_report
    from ncimp.evaluator.release import read_release

    if (args.folder / COMPARISON).is_file():
        page = write_comparison_page(args.folder)
    else:
        page = write_report(args.folder, None if args.release is None else read_release(args.release))
    sys.stderr.write(f"wrote {page}\n")
    return 0
