"""The parser of the command line, and the options that several commands share, each with one meaning everywhere."""

import argparse
import difflib
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias

ERRORS = (  # messages of argparse, each with the plain sentence for it
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
            if match := re.fullmatch(pattern, message, re.DOTALL):
                message = match.expand(plain)
                break
        hint = "" if "did you mean" in message else f"; see {self.prog} --help"
        self.exit(2, f"{self.prog}: {message}{hint}\n")


Option: TypeAlias = Callable[[argparse._ActionsContainer], object]  # adds options to a parser, or to a group of it


class Runner(NamedTuple):
    """A function that runs a command and returns its exit code, with the options that it reads."""

    run: Callable[[argparse.Namespace], int]
    options: tuple[Option, ...]

    def __call__(self, args: argparse.Namespace) -> int:
        """Run the command with *args*, and return its exit code."""
        return self.run(args)

    def register(self, parser: argparse.ArgumentParser) -> None:
        """Add the options to *parser*."""
        for add in self.options:
            add(parser)


def command(*options: Option) -> Callable[[Callable[[argparse.Namespace], int]], Runner]:
    """Return a decorator that gives a function the *options* of its command."""
    return lambda run: Runner(run, options)


def option(name: str, text: str, **settings: Any) -> Option:
    """Return an option with the *settings* of `ArgumentParser.add_argument`; its help names a plain default."""
    default = settings.get("default")
    if isinstance(default, str | int | float | Path):
        text += f" (default: {default if isinstance(default, str | Path) else format(default, ',')})"
    return lambda parser: parser.add_argument(name, help=text, **settings)


def flag(name: str, text: str) -> Option:
    """Return an option without a value."""
    return option(name, text, action="store_true")


def path(name: str, metavar: str, text: str, **settings: Any) -> Option:
    """Return an option whose value is a path."""
    return option(name, text, type=Path, metavar=metavar, **settings)


def number(name: str, default: int | None, text: str, metavar: str = "N") -> Option:
    """Return an option whose value is a whole number above 0."""
    return option(name, text, type=positive_int, default=default, metavar=metavar)


def group(title: str, *options: Option) -> Option:
    """Return *options* under a *title* of their own in the help."""

    def add(parser: argparse._ActionsContainer) -> None:
        container = parser.add_argument_group(title)
        for add_one in options:
            add_one(container)

    return add


def positive_int(text: str) -> int:
    """Return *text* as a whole number above 0."""
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"must be a whole number above 0, got {text}")
    return int(text)


def positive_float(text: str) -> float:
    """Return *text* as a number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number above 0, got {text}")
    return value


RELEASE = path("--release", "DIR", "release folder", default=Path("ncimp"))
RELEASE_FOLDER = option("release", "release folder", type=Path, nargs="?", default=Path("ncimp"))
RULES = path("--rules", "FILE", "other rules than the declared ones")
ENCODING = option("--encoding", "encoding of the files", default="utf-8")
JSON_ROWS = flag("--json", "print one JSON object a line")


def add_packs(parser: argparse._ActionsContainer) -> None:
    """Add `--packs`, by default the folder of the project's packs."""
    from ncimp.builder.sources.packs.packs import packs_folder

    text = "folder of language packs (default: the project's)"
    parser.add_argument("--packs", type=Path, metavar="DIR", default=packs_folder(), help=text)


def add_data(parser: argparse._ActionsContainer) -> None:
    """Add `--data`, by default the folder of `NCIMP_DATA`, else one in the user's cache."""
    from ncimp.builder.sources.registry import data_folder

    text = "folder of added sources (default: $NCIMP_DATA, else the user's cache folder)"
    parser.add_argument("--data", type=Path, metavar="DIR", default=data_folder(), help=text)


PACKS: Option = add_packs
DATA: Option = add_data


def langs(text: str = "languages (default: all)") -> Option:
    """Return `--lang` for one or more languages."""
    return option("--lang", text, nargs="+", metavar="CODE")


def out(text: str, metavar: str = "DIR", default: str | None = None) -> Option:
    """Return `--out`, the path to write; without a *default* it is required."""
    return path("--out", metavar, text, default=default and Path(default), required=default is None)


def seed(text: str = "another seed gives another draw", default: str = "ncimp") -> Option:
    """Return `--seed`, the first part of every keyed hash."""
    return option("--seed", text, default=default)


def timeout(seconds: float) -> Option:
    """Return `--timeout`, the longest wait for an answer."""
    return option("--timeout", "longest wait for an answer", type=positive_float, default=seconds, metavar="SECONDS")


def say_waiting(what: str) -> Callable[[str], object]:
    """Return the function that reports on stderr the process that this one waits for, because that one does *what*."""
    return lambda process: sys.stderr.write(f"waiting for process {process}, which {what}\n")


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print one JSON object a line."""
    sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def print_document(document: Mapping[str, Any]) -> None:
    """Print one JSON object over several lines."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
