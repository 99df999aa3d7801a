"""The parser of the command line, and the options that several commands share, each with one meaning everywhere."""

import argparse
import difflib
import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

DEFAULT_SEED = "ncimp"
"""First part of every keyed hash, unless the user names another."""

ERRORS: tuple[tuple[str, str], ...] = (
    (r"argument (\S*?/?)(-[\w-]+): invalid int value: (.*)", r"\2 must be a whole number, got \3"),
    (r"argument (\S*?/?)(-[\w-]+): invalid float value: (.*)", r"\2 must be a number, got \3"),
    (r"argument (\S*?/?)(-[\w-]+): invalid choice: (.*) \(choose from (.*)\)", r"\2 cannot be \3; choose from \4"),
    (r"argument (?:COMMAND|ACTION): invalid choice: (.*) \(choose from (.*)\)", r"unknown command \1; choose from \2"),
    (r"the following arguments are required: (?:COMMAND|ACTION)", r"a command is missing"),
    (r"argument (\S*?/?)(-[\w-]+): expected .*", r"\2 needs a value"),
    (r"argument (\S*?/?)(-[\w-]+): ignored explicit argument (.*)", r"\2 takes no value, got \3"),
    (r"argument ([^:]+): not allowed with argument (\S+)", r"\1 cannot be combined with \2"),
    (r"argument ([^:]+): (.*)", r"\1 \2"),
    (r"the following arguments are required: (.*)", r"\1 is missing"),
    (r"one of the arguments (.*) is required", r"give one of \1"),
)
"""What argparse says and the plain sentence for it."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one plain sentence; options cannot be abbreviated."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **options})

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the parsed arguments; an unknown option ends with the nearest known one."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            leaf = getattr(parsed, "leaf_parser", self)
            near = difflib.get_close_matches(unknown[0].split("=")[0], list(leaf._option_string_actions), n=1)
            kind = "option" if unknown[0].startswith("-") else "argument"
            leaf.error(f"unknown {kind} {unknown[0]}" + (f"; did you mean {near[0]}?" if near else ""))
        return parsed

    def error(self, message: str) -> NoReturn:
        """End with exit code 2 and *message* in one plain sentence."""
        for pattern, plain in ERRORS:
            if re.fullmatch(pattern, message, re.DOTALL):
                message = re.sub(pattern, plain, message, flags=re.DOTALL)
                break
        hint = "" if "did you mean" in message else f"; see {self.prog} --help"
        self.exit(2, f"{self.prog}: {message}{hint}\n")


def positive_int(text: str) -> int:
    """Return *text* as a whole number above 0."""
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, got {text}")
    return int(text)


def positive_float(text: str) -> float:
    """Return *text* as a finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number above 0, got {text}")
    return value


def add_release(parser: argparse.ArgumentParser, *, positional: bool = False) -> None:
    """Add the release folder, as an argument or as `--release`."""
    if positional:
        parser.add_argument(
            "release", type=Path, nargs="?", default=Path("ncimp"), help="release folder (default: ncimp)"
        )
    else:
        parser.add_argument(
            "--release", type=Path, default=Path("ncimp"), metavar="DIR", help="release folder (default: ncimp)"
        )


def add_packs(parser: argparse._ActionsContainer) -> None:
    """Add `--packs`, the folder of language packs."""
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")


def add_langs(parser: argparse._ActionsContainer, text: str = "languages (default: all)") -> None:
    """Add `--lang` for one or more languages."""
    parser.add_argument("--lang", nargs="+", metavar="CODE", help=text)


def add_out(
    parser: argparse._ActionsContainer, text: str, *, default: Path | None = None, metavar: str = "DIR"
) -> None:
    """Add `--out`, the path to write; without a *default* it is required."""
    shown = "" if default is None else f" (default: {default})"
    parser.add_argument(
        "--out", type=Path, default=default, required=default is None, metavar=metavar, help=f"{text}{shown}"
    )


def add_json(parser: argparse._ActionsContainer, text: str = "print one JSON object a line") -> None:
    """Add the flag `--json`."""
    parser.add_argument("--json", action="store_true", help=text)


def add_seed(parser: argparse._ActionsContainer, text: str = "another seed gives another draw") -> None:
    """Add `--seed`, the first part of every keyed hash."""
    parser.add_argument("--seed", default=DEFAULT_SEED, help=f"{text} (default: {DEFAULT_SEED})")


def add_timeout(parser: argparse._ActionsContainer, seconds: float) -> None:
    """Add `--timeout`, the longest wait for an answer."""
    parser.add_argument(
        "--timeout",
        type=positive_float,
        default=seconds,
        metavar="SECONDS",
        help=f"longest wait for an answer (default: {seconds:g})",
    )


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print one JSON object a line."""
    sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
