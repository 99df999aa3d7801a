"""Do one task on many rows: JSON lines in, the same rows with the answer added out.

A bad row is told with its line number, and the rest is still done; the exit code is 1 then. Each task has
help with examples of its own: `ncimp task inflect --help`.

Examples:
    ncimp task inflect --input rows.jsonl --output inflected.jsonl
    ncimp task inflect --lang pt --input - --output -
"""

from __future__ import annotations

import argparse
from importlib import import_module

TASKS = ("repair", "neutral", "check", "inflect", "synonyms")
"""Tasks in the order of `--help`; each is a module of `ncimp.builder.tasks`."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the tasks and their options to *parser*."""
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    for name in TASKS:
        module = import_module(f"ncimp.builder.tasks.{name}")
        text = str(module.__doc__)
        own = tasks.add_parser(
            name,
            help=text.split("\n", 1)[0].rstrip("."),
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.register(own)


def run(args: argparse.Namespace) -> int:
    """Do the chosen task and return the exit code."""
    code: int = import_module(f"ncimp.builder.tasks.{args.task}").run(args)
    return code
