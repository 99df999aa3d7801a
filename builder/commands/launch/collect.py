"""Collect the answers of a launch into one results file, again and again as they come in.

The file has the columns of Mechanical Turk's results CSV, whatever the service. Answers that were collected once stay
in it. It names workers, so it is readable by you alone, and lies beside the batch with the other records;
`ncimp annotate import` pseudonymises it.

Examples:
    ncimp launch collect pilot
    ncimp launch collect pilot --out answers.csv
"""

import argparse
from pathlib import Path

from ncimp.builder.annotation.launch import COLLECTED, UNREADABLE, merge_results, write_results
from ncimp.builder.commands.launch.campaign import add_batch, open_launch, say


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_batch(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="results file (default: collected.csv of the records)")


def run(args: argparse.Namespace) -> int:
    """Write the results file; return 0, or 1 when the answers of an assignment cannot be read."""
    with open_launch(args, read_only=True) as launch:
        path = args.out or launch.folder / COLLECTED
        rows = list(launch.campaign.collect(launch.manifest, say))
        merged = merge_results(path, rows, launch.batch)
        write_results(path, merged, launch.batch)
    say(f"{path}: {len(merged)} assignments, {len(merged) - len(rows)} of them no longer on the service")
    unreadable = [row["AssignmentId"] for row in merged if row.get(UNREADABLE)]
    for identity in unreadable:
        say(f"assignment {identity}: the answers cannot be read; they stand in {UNREADABLE}")
    return 1 if unreadable else 0
