"""Show how far a launch is: tasks, assignments, and calls without an answer.

Examples:
    ncimp launch status pilot
    ncimp launch status pilot --json
"""

import argparse
import json
import sys

from ncimp.builder.commands.launch.campaign import add_batch, open_launch
from ncimp.builder.commands.options import add_json
from ncimp.schemas.files import Row


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    add_batch(parser)
    add_json(parser, "print a JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the status; return 0, or 1 when the manifest holds calls whose result is unknown."""
    with open_launch(args, read_only=True) as launch:
        place = launch.place
        status: Row = {"batch": launch.batch.info.batch, "platform": place.platform, "endpoint": place.endpoint}
        status |= launch.campaign.status(launch.manifest)
        calls = launch.manifest.unanswered()
        status["unanswered"] = [f"{event.call} {event.facts.get('task_id') or event.key}" for event in calls]
    if args.json:
        sys.stdout.write(json.dumps(status, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{name}: {value}\n" for name, value in status.items() if name != "hits"))
    return 1 if status["unanswered"] else 0
