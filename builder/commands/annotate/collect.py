"""Collect the answers of a launch into one results file, again and again as they come in.

The file has the columns of Mechanical Turk's results CSV, whatever the service. What was collected once
stays in it. It names workers, so it is readable by you alone, and lies beside the batch with the other
records; `ncimp annotate import` anonymises it.

Examples:
    ncimp annotate collect pilot
    ncimp annotate collect pilot --out answers.csv
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ncimp.builder.commands.annotate.places import add_at, add_common, launched, say, turk_of, turkle_of


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_common(parser)
    add_at(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="results file (default: collected.csv of the records)")


def run(args: argparse.Namespace) -> int:
    """Write the results file; return 0, or 1 when the answers of an assignment cannot be read."""
    from ncimp.builder.annotation.launch.place import COLLECTED
    from ncimp.builder.annotation.services.mturk_collect import collected_rows
    from ncimp.builder.annotation.services.results import UNREADABLE, merge, write_results
    from ncimp.builder.annotation.services.turkle_launch import turkle_batch, turkle_rows

    with launched(args, looking=True) as found:
        path = args.out or found.folder / COLLECTED
        if found.place.platform == "turkle":
            rows = list(turkle_rows(turkle_of(found, args), turkle_batch(found.manifest)))
        else:
            rows = list(collected_rows(turk_of(found, args), found.manifest, found.batch, say))
        merged = merge(path, rows, found.batch)
        write_results(path, merged, found.batch)
    say(f"{path}: {len(merged)} assignments, {len(merged) - len(rows)} of them no longer on the service")
    unreadable = [row["AssignmentId"] for row in merged if row.get(UNREADABLE)]
    for identity in unreadable:
        say(f"assignment {identity}: the answers cannot be read; they stand in {UNREADABLE}")
    return 1 if unreadable else 0
