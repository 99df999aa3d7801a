"""Ask people how literal compounds are, and turn their answers into scores.

Each action has help with examples of its own: `ncimp annotate export --help`. Nothing is sent to a service,
and nothing is paid, unless an action that does so is told to.

Examples:
    ncimp annotate --help
"""

from __future__ import annotations

import argparse
from importlib import import_module

SUBCOMMANDS: tuple[str, ...] = ("launch", "status", "collect", "approve", "bonus", "expire")
"""Actions in the order of `--help`; each is a module of `ncimp.builder.annotate`."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their options to *parser*."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name in SUBCOMMANDS:
        module = import_module(f"ncimp.builder.annotate.{name}")
        text = str(module.__doc__)
        own = actions.add_parser(
            name,
            help=text.split("\n", 1)[0].rstrip("."),
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(own)


def run(args: argparse.Namespace) -> int:
    """Do the chosen action and return its exit code."""
    code: int = import_module(f"ncimp.builder.annotate.{args.action}").run(args)
    return code
