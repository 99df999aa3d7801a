"""Ask people how literal compounds are, and turn their answers into scores.

Each action has help with examples of its own: `ncimp annotate export --help`. Nothing is sent to a service,
and nothing is paid, unless an action that does so is told to.

Examples:
    ncimp annotate preview --lang en
    ncimp annotate preview --lang pt --mode type --no-open
    ncimp annotate export --to turkle --lang en --release ncimp --out batch-en --write
    ncimp annotate launch batch-en --to turkle --endpoint https://turkle.example.org --send
    ncimp annotate collect batch-en
    ncimp annotate import results.csv --batch batch-en --salt ~/ncimp.salt --out campaign-en
    ncimp annotate report campaign-en --out report.html
    ncimp annotate scores campaign-en --out scores-en
    ncimp annotate simulate --batch batch-en --to rehearsal
"""

from __future__ import annotations

import argparse

from ncimp.builder.commands.subcommands import add_subcommands, run_module

SUBCOMMANDS = (
    "preview",
    "export",
    "launch",
    "status",
    "collect",
    "approve",
    "bonus",
    "expire",
    "import",
    "report",
    "scores",
    "simulate",
)
"""Actions in the order of `--help`; each is a module of `ncimp.builder.commands.annotate`."""

MODULES = {name: f"ncimp.builder.commands.annotate.{name}" for name in SUBCOMMANDS}
MODULES["import"] = "ncimp.builder.commands.annotate.importing"  # `import` is a word of Python, and names no module


def register(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their options to *parser*."""
    add_subcommands(parser, "action", MODULES)


def run(args: argparse.Namespace) -> int:
    """Do the chosen action and return its exit code."""
    return run_module(MODULES[args.action], args)
