"""Approve submitted work, so that it is paid; nothing is ever rejected.

Without --send nothing is approved. Work that fails a check is paid too, and left out of the scores: leave it unapproved
with --hold-back to look at it first; the service approves it by itself after the days that the launch has set.

Examples:
    ncimp launch approve pilot
    ncimp launch approve pilot --send
    ncimp launch approve pilot --hold-back doubtful.txt --send
"""

import argparse
import re
import sys
from pathlib import Path

from ncimp.builder.commands.launch.campaign import add_batch, open_launch, say
from ncimp.schemas.errors import Place, SchemaError
from ncimp.schemas.files import read_text


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_batch(parser)
    parser.add_argument("--only", type=Path, metavar="FILE", help="approve these assignments only, one id a line")
    parser.add_argument("--hold-back", type=Path, metavar="FILE", help="leave these assignments, one id a line")
    parser.add_argument("--send", action="store_true", help="approve them")


def run(args: argparse.Namespace) -> int:
    """Print the number of assignments, and with --send approve them; return 0."""
    only = read_ids(args.only) if args.only else None
    hold_back = read_ids(args.hold_back) if args.hold_back else set()
    with open_launch(args) as launch:
        waiting = launch.campaign.submitted(launch.manifest)
        selection = [one for one in waiting if (only is None or one in only) and one not in hold_back]
        sys.stdout.write(f"{len(waiting)} assignments wait for approval, {len(selection)} of them are selected\n")
        if not args.send:
            say("nothing was approved; --send approves them")
            return 0
        say(f"{launch.campaign.approve(launch.manifest, selection)} approved")
    return 0


def read_ids(path: Path) -> set[str]:
    """Return the assignment ids in *path*, one a line."""
    ids: set[str] = set()
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip() and not re.fullmatch(r"[A-Z0-9]{1,64}", line.strip(), re.ASCII):
            what = f"{line.strip()!r} is not the id of an assignment"
            raise SchemaError(what, fix="write one id a line", place=Place(str(path), number))
        ids.add(line.strip())
    return ids - {""}
