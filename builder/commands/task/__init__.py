"""Do one task on many rows: JSON lines in, the same rows with the answer added out.

A bad row is told with its line number, and the rest is still done; the exit code is 1 then. Each task has
help with examples of its own: `ncimp task inflect --help`.

Examples:
    ncimp task inflect --input rows.jsonl --output inflected.jsonl
    ncimp task inflect --lang pt --input - --output -
"""

from __future__ import annotations

import argparse

from ncimp.builder.commands.subcommands import add_subcommands, run_module

TASKS = ("repair", "neutral", "check", "inflect", "synonyms")
"""Tasks in the order of `--help`; each is a module of `ncimp.builder.commands.task`."""

MODULES = {name: f"ncimp.builder.commands.task.{name}" for name in TASKS}


def register(parser: argparse.ArgumentParser) -> None:
    """Add the tasks and their options to *parser*."""
    add_subcommands(parser, "task", MODULES)


def run(args: argparse.Namespace) -> int:
    """Do the chosen task and return the exit code."""
    return run_module(MODULES[args.task], args)
