"""Compare two releases: items added, removed and changed, and the bump of the data's version that is due for them.

A patch changes metadata; a minor version adds items, columns or values that were empty; a major version changes the
text, split, class or score of an existing item, or removes something. The exit code is 1 when the version of NEW is too
small. Both folders are checked against their manifests first.

Examples:
    ncimp diff ncimp-1.0.0 ncimp
    ncimp diff ncimp-1.0.0 ncimp --json > diff.json
"""

import argparse
import sys
from collections.abc import Iterator

from ncimp.builder.commands.options import command, flag, path, print_document
from ncimp.builder.release.compare import ReleaseDifference, TableChange, compare
from ncimp.schemas.records import to_row

SHOWN = 20  # ids of a list that are printed; `--json` has them all


@command(
    path("old", "OLD", "folder of the older release"),
    path("new", "NEW", "folder of the newer release"),
    flag("--json", "print one JSON object with everything that differs"),
)
def run(args: argparse.Namespace) -> int:
    """Print the differences; return 1 when the version of the newer release is too small, else 0."""
    difference = compare(args.old, args.new)
    if args.json:
        print_document(to_row(difference))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(difference))
    verdict = "enough" if difference.enough else f"too small: it has to be {difference.least} or more"
    sys.stderr.write(f"{difference.old} -> {difference.new}: due is {difference.due}; {difference.new} is {verdict}\n")
    return int(not difference.enough)


def _lines(difference: ReleaseDifference) -> Iterator[str]:
    if difference.cells:
        names = [f"{cell.lang} {cell.context_kind} {cell.probe}" for cell in difference.cells]
        width = max(map(len, ["cell", *names]))
        yield f"{'cell':{width}}    added  removed  changed"
        for name, cell in zip(names, difference.cells, strict=True):
            yield f"{name:{width}}{cell.added:9}{cell.removed:9}{cell.changed:9}"
    for name, table in difference.tables.items():
        yield from _table_lines(name, table)
    yield from (f"split of {moved.compound_id}: {moved.old} -> {moved.new}" for moved in difference.splits)
    yield from (f"file {path}" for path in difference.files)


def _table_lines(name: str, table: TableChange) -> Iterator[str]:
    changes = {"added": table.columns_added, "removed": table.columns_removed, "of another type": table.columns_retyped}
    yield from (f"{name}: columns {word}: {', '.join(columns)}" for word, columns in changes.items() if columns)
    rows = [f"+ {row_id}" for row_id in table.added] + [f"- {row_id}" for row_id in table.removed]
    rows += [
        f"~ {row_id}: {', '.join((*change.changed, *(f'{column} (was empty)' for column in change.filled)))}"
        for row_id, change in table.changed.items()
    ]
    yield from (f"{name}: {row}" for row in rows[:SHOWN])
    if len(rows) > SHOWN:
        yield f"{name}: and {len(rows) - SHOWN} more, which --json lists"
