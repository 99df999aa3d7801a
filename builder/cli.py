"""Build, check, show and evaluate noun compound idiomaticity minimal pairs (NCIMP)."""

import argparse
import inspect
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import ncimp
from ncimp.builder.commands.options import Parser, Runner
from ncimp.schemas import NcimpError


class Command(NamedTuple):
    """A command with its line in `--help`, or a group of actions.

    The module `ncimp.builder.commands.<name>` of a command has `run`, and its docstring is the help. The docstring of a
    group's module is the help of the group. An action is the function `run_<name>` of the module, and the docstring of
    the function is its help. A module is imported only when its command is called, so that `ncimp --help` starts
    quickly.
    """

    name: str
    help: str
    actions: "tuple[Command, ...]" = ()
    module: str = ""
    """The module that holds `run_<name>`, where that is not the module of the group."""

    def load(self, group: str = "") -> tuple[str, Runner]:
        """Return the help and the function of the command, or of the action of *group*."""
        path = f"ncimp.builder.commands.{self.module or group or self.name}"
        if not self.module and not group:
            module = import_module(path)
            return str(module.__doc__), module.run
        runner: Runner = getattr(import_module(path), f"run_{self.name}")
        return str(inspect.getdoc(runner.run)), runner


COMMANDS = (
    Command("build", "Build the release: select, fill, validate and write it"),
    Command("show", "Show items of a release and why they are as they are"),
    Command("describe", "Print statistics of a release and draw its figures"),
    Command("validate", "Check a release and the packs it was made from"),
    Command("diff", "Compare two releases and name the version that is due"),
    Command("restore", "Put withheld text back from your copy of the corpus"),
    Command("publish", "Publish a release to a hub"),
    Command(
        "pack",
        "Check language packs, assign splits, edit lexicons",
        actions=(
            Command("check", "Report the incidents of language packs"),
            Command("split", "Assign splits to new compounds of a pack"),
            Command("lexicon", "Edit the lexicon of a pack as a table"),
        ),
    ),
    Command(
        "corpus",
        "Count corpora, look counts up and find sentences",
        actions=(
            Command("count", "Count a corpus into a store", module="corpus.count"),
            Command("merge", "Add stores up", module="corpus.count"),
            Command("show", "Print counts and association of word pairs", module="corpus.lookup"),
            Command("top", "Print the pairs that rank highest by a measure", module="corpus.lookup"),
            Command("pairs", "List candidates for compounds", module="corpus.lookup"),
            Command("find", "Find sentences with compounds", module="corpus.find"),
        ),
    ),
    Command(
        "source",
        "List and manage WordNets, lexicons and other sources",
        actions=(
            Command("list", "List every known and added source"),
            Command("show", "Print everything about one source, and how to get it"),
            Command("add", "Add a source from a file or folder, or fetch a known one"),
            Command("remove", "Remove a source and the databases made of it"),
            Command("verify", "Hash every added source again and check its databases"),
        ),
    ),
    Command(
        "task",
        "Do one task on many rows of JSON lines",
        actions=(
            Command("repair", "Put a phrase into a sentence and repair agreement", module="task.sentences"),
            Command("neutral", "Put a phrase into a neutral frame", module="task.sentences"),
            Command("check", "Find words that cannot agree with a phrase", module="task.sentences"),
            Command("inflect", "Inflect a word or phrase", module="task.words"),
            Command("synonyms", "Find synonyms of a component", module="task.words"),
        ),
    ),
    Command(
        "annotate",
        "Ask people how literal compounds are, and score their answers",
        actions=(
            Command("preview", "Show the judging task in a browser", module="annotate.batches"),
            Command("export", "Write a batch for a crowdsourcing service", module="annotate.batches"),
            Command("import", "Read answers, anonymise them and exclude bad work", module="annotate.campaigns"),
            Command("report", "Write a page on the reliability of a campaign", module="annotate.campaigns"),
            Command("scores", "Turn answers into scores", module="annotate.campaigns"),
            Command("simulate", "Answer a batch with simulated annotators", module="annotate.campaigns"),
        ),
    ),
    Command(
        "launch",
        "Run a campaign on a crowdsourcing service",
        actions=(
            Command("start", "Send a batch to a service"),
            Command("status", "Show how far a launch is"),
            Command("collect", "Collect the answers of a launch"),
            Command("approve", "Approve and pay submitted work"),
            Command("stop", "End a launch"),
        ),
    ),
    Command("evaluate", "Evaluate a model or vectors on a release"),
    Command("compare", "Compare evaluated models, or draw a page again", module="evaluate"),
)
"""The commands in the order of `--help`."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line *argv*; return 0 (fine), 1 (invalid input or result) or 2 (wrong use)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        args = make_parser(words).parse_args(words)
    except SystemExit as end:  # help, version, or wrong use
        return int(end.code or 0)
    try:
        code: int = args.runner(args)
        sys.stdout.flush()  # here, so that a closed pipe is noticed here
    except NcimpError as error:
        sys.stderr.write(f"{args.command_path}: {error}\n")
        return error.exit_code
    except (BrokenPipeError, SystemExit):  # rich turns the one into the other; no command exits by itself
        # the reader of our output has closed the pipe, as `| head` does: nothing to report, nothing to flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        sys.stderr.write(f"{args.command_path}: interrupted; run it again to resume\n")
        return 1
    return code


def make_parser(words: Sequence[str] | None = None) -> Parser:
    """Return the parser for *words*, which imports the module of one command; without *words*, of all."""
    parser = Parser(prog="ncimp", description=__doc__)
    parser.add_argument("--version", action="version", version=f"ncimp {ncimp.__version__}")
    _add_commands(parser, COMMANDS, words)
    return parser


def _add_commands(
    parser: argparse.ArgumentParser, commands: Sequence[Command], words: Sequence[str] | None, group: str = ""
) -> None:
    subparsers = parser.add_subparsers(required=True, metavar="ACTION" if group else "COMMAND")
    formatter = argparse.RawDescriptionHelpFormatter
    for command in commands:
        subparser = subparsers.add_parser(command.name, help=command.help, formatter_class=formatter)
        if words is not None and words[:1] != [command.name]:
            continue
        if command.actions:
            subparser.description = import_module(f"ncimp.builder.commands.{command.name}").__doc__
            _add_commands(subparser, command.actions, None if words is None else words[1:], command.name)
        else:
            subparser.description, runner = command.load(group)
            subparser.set_defaults(runner=runner, command_path=subparser.prog, leaf_parser=subparser)
            runner.register(subparser)


if __name__ == "__main__":
    sys.exit(main())
