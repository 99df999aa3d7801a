"""Compare two releases: items added, removed and changed, and which bump of the data's version is due for them.

A patch changes metadata, a minor version adds items, columns or values that were empty, a major version
changes the text, split, class or score of an existing item, or takes something away. The exit code is 1
when the version of NEW is too small. Both folders are checked against their manifests first.

Examples:
    ncimp release diff ncimp-1.0.0 ncimp
    ncimp release diff ncimp-1.0.0 ncimp --json > diff.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncimp.builder.release.compare import Difference, TableChange

SHOWN = 20
"""Ids of a list that are printed; `--json` has them all."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    diff = actions.add_parser("diff", help="what differs between two releases, and the version that is due")
    diff.add_argument("old", type=Path, metavar="OLD", help="folder of the older release")
    diff.add_argument("new", type=Path, metavar="NEW", help="folder of the newer release")
    diff.add_argument("--json", action="store_true", help="print one JSON object with everything that differs")


def run(args: argparse.Namespace) -> int:
    """Print what differs; return 1 when the version of the newer release is too small, else 0."""
    from ncimp.builder.release.compare import compare
    from ncimp.schemas.records import to_row

    found = compare(args.old, args.new)
    if args.json:
        sys.stdout.write(json.dumps(to_row(found), ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(found))
    verdict = "enough" if found.enough else f"too small: it has to be {found.least} or more"
    sys.stderr.write(f"{found.old} -> {found.new}: due is {found.due}; {found.new} is {verdict}\n")
    return int(not found.enough)


def _lines(found: Difference) -> Iterator[str]:
    if found.cells:
        rows = [("cell", "added", "removed", "changed")]
        rows += [
            (f"{cell.lang} {cell.context_kind} {cell.probe}", str(cell.added), str(cell.removed), str(cell.changed))
            for cell in found.cells
        ]
        width = max(len(row[0]) for row in rows)
        yield from (row[0].ljust(width) + "".join(cell.rjust(9) for cell in row[1:]) for row in rows)
    for name, table in found.tables.items():
        yield from _table_lines(name, table)
    yield from (f"split of {moved.compound_id}: {moved.old} -> {moved.new}" for moved in found.splits)
    yield from (f"file {path}" for path in found.files)


def _table_lines(name: str, table: TableChange) -> Iterator[str]:
    for word, columns in (
        ("added", table.columns_added),
        ("removed", table.columns_removed),
        ("of another type", table.columns_retyped),
    ):
        if columns:
            yield f"{name}: columns {word}: {', '.join(columns)}"
    rows = [f"+ {row_id}" for row_id in table.added] + [f"- {row_id}" for row_id in table.removed]
    rows += [
        f"~ {row_id}: {', '.join((*change.changed, *(f'{column} (was empty)' for column in change.filled)))}"
        for row_id, change in table.changed.items()
    ]
    yield from (f"{name}: {row}" for row in rows[:SHOWN])
    if len(rows) > SHOWN:
        yield f"{name}: and {len(rows) - SHOWN} more, which --json lists"
