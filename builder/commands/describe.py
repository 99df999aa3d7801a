"""Describe a release in figures: composition, lengths, positions of the compounds, frequency match, relations, edits.

Reads the release folder only, after checking every file against its manifest, and prints one page of
tables; each says its unit. Quantiles are interpolated linearly between neighbouring values, standard
deviations are those of a sample (n - 1). `--figures` also draws five figures (PNG) into a folder; it
needs matplotlib: pip install "ncimp[plots]".

Examples:
    ncimp describe
    ncimp describe my-release/ncimp --json > statistics.json
    ncimp describe ncimp --figures docs/figures
"""

import argparse
import json
import sys
from pathlib import Path

from ncimp.builder.commands.options import add_json, add_release
from ncimp.builder.release.figures import require_matplotlib, write_figures
from ncimp.builder.release.measure import Statistics, measure
from ncimp.builder.release.page import print_page
from ncimp.builder.release.tables import ReleaseTables, read_release
from ncimp.schemas.errors import Place, UsageError


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    add_release(parser, positional=True)
    parser.add_argument("--figures", type=Path, metavar="DIR", help="folder for the figures (default: draw none)")
    add_json(parser, "print one JSON object with all figures")


def run(args: argparse.Namespace) -> int:
    """Print the statistics, draw the figures when asked, and return 0."""
    if args.figures is not None:
        _check_figures(args.figures, args.release)
    tables = read_release(args.release)
    statistics = measure(tables)
    if args.figures is not None:
        _draw(args.figures, tables, statistics)
    if args.json:
        sys.stdout.write(json.dumps(statistics, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    else:
        print_page(statistics, sys.stdout)
    return 0


def _check_figures(folder: Path, release: Path) -> None:
    """Refuse, before any work, a machine without matplotlib and a folder where figures would damage the release."""
    require_matplotlib()
    if folder.resolve().is_relative_to(release.resolve()):
        what = f"--figures {str(folder)!r} is inside the release"
        raise UsageError(what, fix="name a folder outside: a release holds what its manifest lists, and nothing else")


def _draw(folder: Path, tables: ReleaseTables, statistics: Statistics) -> None:
    try:
        paths = list(write_figures(folder, tables, statistics))
    except OSError as error:
        what = f"no figure can be written there ({error.strerror})"
        raise UsageError(what, fix="give another --figures", place=Place(str(folder))) from None
    sys.stderr.writelines(f"wrote {path}\n" for path in paths)
