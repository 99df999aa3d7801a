"""Sub-parsers out of modules: the docstring of each is its help, `register` adds its options, `run` does it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module


def add_subcommands(parser: argparse.ArgumentParser, dest: str, modules: Mapping[str, str]) -> None:
    """Add one sub-parser to *parser* for each of *modules*, which are by name in the order of `--help`.

    The name that was chosen is in the attribute *dest* of what is parsed.
    """
    subparsers = parser.add_subparsers(dest=dest, required=True, metavar=dest.upper())
    for name, path in modules.items():
        module = import_module(path)
        text = str(module.__doc__)
        own = subparsers.add_parser(
            name,
            help=text.split("\n", 1)[0].rstrip("."),
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.register(own)


def run_module(path: str, args: argparse.Namespace) -> int:
    """Run the module *path* with *args* and return its exit code."""
    code: int = import_module(path).run(args)
    return code
