"""End a launch: nobody new gets its tasks, and tasks that were begun can still be handed in.

Without --send nothing is ended.

Examples:
    ncimp launch stop pilot
    ncimp launch stop pilot --send
"""

import argparse

from ncimp.builder.commands.launch.campaign import add_batch, open_launch, say


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_batch(parser)
    parser.add_argument("--send", action="store_true", help="end it")


def run(args: argparse.Namespace) -> int:
    """With --send end the launch; return 0."""
    with open_launch(args) as launch:
        if args.send:
            say(launch.campaign.stop(launch.manifest))
        else:
            say(f"the launch at {launch.place.endpoint} was not ended; --send ends it")
    return 0
