"""End a launch: nobody new gets its tasks, and what was begun can still be handed in.

Without --send it only looks.

Examples:
    ncimp annotate expire pilot
    ncimp annotate expire pilot --send
"""

from __future__ import annotations

import argparse

from ncimp.builder.commands.annotate.places import add_at, add_common, launched, say, turk_of, turkle_of


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_common(parser)
    add_at(parser)
    parser.add_argument("--send", action="store_true", help="end it")


def run(args: argparse.Namespace) -> int:
    """With --send end the launch; return 0."""
    from ncimp.builder.annotation.services.mturk_status import expire
    from ncimp.builder.annotation.services.turkle_launch import close, turkle_batch

    with launched(args) as found:
        if not args.send:
            say(f"the launch at {found.place.endpoint} was not ended (with --send it is)")
        elif found.place.platform == "turkle":
            made = turkle_batch(found.manifest)
            close(turkle_of(found, args), made)
            say(f"batch {made} is closed")
        else:
            say(f"{expire(turk_of(found, args), found.manifest)} HITs were ended")
    return 0
