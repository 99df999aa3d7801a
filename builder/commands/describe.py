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
import sys
from pathlib import Path

from ncimp.builder.commands.options import RELEASE_FOLDER, command, flag, path, print_document
from ncimp.builder.release.figures import require_matplotlib, write_figures
from ncimp.builder.release.measure import measure, print_page
from ncimp.builder.release.tables import read_release
from ncimp.schemas import Place, UsageError


@command(
    RELEASE_FOLDER,
    path("--figures", "DIR", "folder for the figures (default: draw none)"),
    flag("--json", "print one JSON object with all figures"),
)
def run(args: argparse.Namespace) -> int:
    """Print the statistics, draw the figures when asked, and return 0."""
    folder: Path | None = args.figures
    if folder is not None:  # refused before any work
        require_matplotlib()
        if folder.resolve().is_relative_to(args.release.resolve()):
            fix = "name a folder outside: a release holds what its manifest lists, and nothing else"
            raise UsageError(f"--figures {str(folder)!r} is inside the release", fix=fix)
    tables = read_release(args.release)
    statistics = measure(tables)
    if folder is not None:
        try:
            paths = list(write_figures(folder, tables, statistics))
        except OSError as error:
            what = f"no figure can be written there ({error.strerror})"
            raise UsageError(what, fix="give another --figures", place=Place(str(folder))) from None
        sys.stderr.writelines(f"wrote {path}\n" for path in paths)
    if args.json:
        print_document(statistics)
    else:
        print_page(statistics, sys.stdout)
    return 0
