"""Approve what was handed in, so that it is paid; nothing is ever rejected.

Without --send it only looks. Work that fails a check is paid too, and left out of the scores: leave it
unapproved with --hold-back if you want to look at it first; the service approves it by itself
after the days that the launch has named.

Examples:
    ncimp annotate approve pilot
    ncimp annotate approve pilot --send
    ncimp annotate approve pilot --hold-back doubtful.txt --send
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ncimp.builder.commands.annotate.places import add_at, add_common, launched, say, turk_of


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_common(parser)
    add_at(parser)
    parser.add_argument("--only", type=Path, metavar="FILE", help="approve these assignments only, one id a line")
    parser.add_argument("--hold-back", type=Path, metavar="FILE", help="leave these assignments, one id a line")
    parser.add_argument("--send", action="store_true", help="approve them")


def run(args: argparse.Namespace) -> int:
    """Print how many wait and are chosen, and with --send approve them; return 0."""
    from ncimp.builder.annotation.services.mturk_payments import approve, choose, read_ids, submitted

    only = read_ids(args.only) if args.only else None
    hold_back = read_ids(args.hold_back) if args.hold_back else set()
    with launched(args) as found:
        turk = turk_of(found, args)
        waiting = submitted(turk, found.manifest)
        chosen = choose(waiting, only=only, hold_back=hold_back)
        sys.stdout.write(f"{len(waiting)} assignments wait for approval, {len(chosen)} of them are chosen\n")
        if not args.send:
            say("nothing was approved (with --send it is)")
            return 0
        say(f"{approve(turk, found.manifest, chosen)} approved")
    return 0
