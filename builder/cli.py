"""Build, check, show and evaluate noun compound idiomaticity minimal pairs (NCIMP)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import ncimp
from ncimp.builder.commands.subcommands import add_subcommands, run_module
from ncimp.schemas.errors import NcimpError

COMMANDS = (
    "build",
    "validate",
    "verify",
    "show",
    "describe",
    "release",
    "sources",
    "splits",
    "stats",
    "candidates",
    "contexts",
    "task",
    "publish",
    "restore",
    "evaluate",
    "compare",
    "report",
    "annotate",
)
"""Subcommands in the order of `--help`; each is a module of `ncimp.builder.commands`."""

MODULES = {name: f"ncimp.builder.commands.{name}" for name in COMMANDS}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line *argv*; return 0 (fine), 1 (invalid input or result) or 2 (wrong use)."""
    given = sys.argv[1:] if argv is None else argv
    args = make_parser(given[0] if given else None).parse_args(given)
    try:
        code = run_module(MODULES[args.command], args)
        sys.stdout.flush()  # here, so that a reader who has left is noticed here
    except NcimpError as error:
        sys.stderr.write(f"ncimp {args.command}: {error}\n")
        return error.exit_code
    except (BrokenPipeError, SystemExit):  # rich turns the one into the other; no command exits by itself
        # the reader of our output has left, as `| head` does: nothing more to say, and nothing to flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        sys.stderr.write(f"ncimp {args.command}: interrupted; run it again to go on\n")
        return 1
    return code


def make_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of all commands, or of one; the help text of each is the docstring of its module.

    To import every command for the sake of one takes longer than most of them do.
    """
    parser = argparse.ArgumentParser(prog="ncimp", description=__doc__)
    parser.add_argument("--version", action="version", version=f"ncimp {ncimp.__version__}")
    add_subcommands(parser, "command", {command: MODULES[command]} if command in MODULES else MODULES)
    return parser


if __name__ == "__main__":
    sys.exit(main())
