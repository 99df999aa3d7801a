"""Pay bonuses from a file, each of them once.

The file is CSV with the columns assignment_id, amount (US dollars) and reason, which the worker reads. The
same assignment and reason is one bonus: running the command again pays what is missing. Without
--send it only looks. Where money moves the amount has to be typed, or agreed to with --confirm-amount.

Examples:
    ncimp annotate bonus pilot --from bonuses.csv
    ncimp annotate bonus pilot --from bonuses.csv --send --confirm-amount 12.60
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ncimp.builder.commands.annotate.places import add_agreement, add_at, add_common, agree, launched, say, turk_of


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_common(parser)
    add_at(parser)
    parser.add_argument("--from", dest="source", type=Path, required=True, metavar="FILE", help="the bonuses, as CSV")
    parser.add_argument("--send", action="store_true", help="pay them")
    add_agreement(parser)


def run(args: argparse.Namespace) -> int:
    """Print what the bonuses cost, and with --send pay those that are not paid; return 0."""
    from ncimp.builder.annotation.services.mturk_payments import cost_of, pay, read_bonuses, unpaid

    bonuses = read_bonuses(args.source)
    with launched(args) as found:
        turk = turk_of(found, args)
        left = unpaid(found.manifest, found.batch.info.batch, bonuses)
        amount = cost_of(left)
        sys.stdout.write(f"{len(bonuses)} bonuses, {len(left)} not paid yet: {amount} US dollars with fees at most\n")
        if not args.send or not left:
            say("nothing was paid" + (" (with --send it is)" if left else ""))
            return 0
        agree(amount, found.place, args.confirm_amount)
        say(f"{pay(turk, found.manifest, found.batch.info.batch, left)} paid")
    return 0
