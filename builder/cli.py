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
from ncimp.schemas import NcimpError, Place, is_disk_error


class Command(NamedTuple):
    """A command with its line in `--help`, or a group of actions, whose names begin with that of the group.

    The module `ncimp.builder.commands.<name>` of a command has `run`; its docstring, or that of a group's module, is
    the help. An action is the function `run_<name>`, whose docstring is its help. A module is imported only when its
    command is called, so that `ncimp --help` starts quickly.
    """

    name: str
    help: str
    module: str = ""  # holds `run_<name>`, where that is not the module of the group

    def load(self) -> tuple[str, Runner]:
        """Return the help and the function of the command."""
        first, _, action = self.name.partition(" ")
        module = import_module(f"ncimp.builder.commands.{self.module or first}")
        if not action and not self.module:
            return str(module.__doc__), module.run
        runner: Runner = getattr(module, f"run_{action or first}")
        return str(inspect.getdoc(runner.run)), runner


COMMANDS = (  # in the order of `--help`
    Command("build", "Build the release: select, fill, validate and write it"),
    Command("show", "Show items of a release and why they are as they are"),
    Command("describe", "Print statistics of a release and draw its figures", "show"),
    Command("validate", "Check a release and the packs it was made from"),
    Command("diff", "Compare two releases and name the version that is due"),
    Command("restore", "Put withheld text back from your copy of the corpus"),
    Command("publish", "Publish a release to a hub"),
    Command("pack", "Draft and check language packs, assign splits, edit lexicons, record readings, count compounds"),
    Command("pack check", "Report the incidents of language packs, and what is left to do"),
    Command("pack new", "Write the folder of a new language", "draft"),
    Command("pack compounds", "Append the compounds of a plain list, with lemmas and pattern", "draft"),
    Command("pack synonyms", "Write candidates for the components into a table to prune", "draft"),
    Command("pack pool", "Append frequent words to the pool of random compounds", "draft"),
    Command("pack forms", "Append the forms that a pack lacks, from lexicons and rules", "draft"),
    Command("pack split", "Assign splits to new compounds of a pack"),
    Command("pack lexicon", "Edit the lexicon of a pack as a table"),
    Command("pack readings", "Record what readers said of a release"),
    Command("pack import", "Make packs of published data from your copy of it", "published"),
    Command("pack counts", "Count the compounds of a pack in open corpora"),
    Command("pack benchmarks", "Record which compounds other benchmarks hold"),
    Command("pack audit", "List what is wrong in published files", "published"),
    Command("corpus", "Count corpora, look counts up and find sentences"),
    Command("corpus count", "Count a corpus into a store", "corpus.count"),
    Command("corpus merge", "Add stores up", "corpus.count"),
    Command("corpus show", "Print counts and association of word pairs", "corpus.find"),
    Command("corpus top", "Print the pairs that rank highest by a measure", "corpus.find"),
    Command("corpus pairs", "List candidates for compounds", "corpus.find"),
    Command("corpus find", "Find sentences with compounds", "corpus.find"),
    Command("source", "List and manage WordNets, lexicons and other sources"),
    Command("source list", "List every known and added source"),
    Command("source show", "Print everything about one source, and how to get it"),
    Command("source add", "Add a source from a file or folder, or fetch a known one"),
    Command("source remove", "Remove a source and the databases made of it"),
    Command("source verify", "Hash every added source again and check its databases"),
    Command("task", "Do one task on many rows of JSON lines"),
    Command("task repair", "Put a phrase into a sentence and repair agreement", "task.actions"),
    Command("task neutral", "Put a phrase into a neutral frame", "task.actions"),
    Command("task check", "Find words that cannot agree with a phrase", "task.actions"),
    Command("task inflect", "Inflect a word or phrase", "task.actions"),
    Command("task synonyms", "Find synonyms of a component", "task.actions"),
    Command("annotate", "Ask people how literal compounds are, and score their answers"),
    Command("annotate preview", "Show the judging task in a browser"),
    Command("annotate export", "Write a batch for a crowdsourcing service"),
    Command("annotate import", "Read answers, anonymise them and exclude bad work", "annotate.campaigns"),
    Command("annotate report", "Write a page on the reliability of a campaign", "annotate.campaigns"),
    Command("annotate scores", "Turn answers into scores", "annotate.campaigns"),
    Command("annotate simulate", "Answer a batch with simulated annotators", "annotate.campaigns"),
    Command("launch", "Run a campaign on a crowdsourcing service"),
    Command("launch start", "Send a batch to a service"),
    Command("launch status", "Show how far a launch is"),
    Command("launch collect", "Collect the answers of a launch"),
    Command("launch approve", "Approve and pay submitted work"),
    Command("launch stop", "End a launch"),
    Command("reproduce", "Print the tables of the seed papers from your files beside the printed figures"),
    Command("reproduce nctti", "Print those of NCTTI"),
    Command("reproduce ncimp", "Print those of NCIMP, and your evaluations beside its models"),
    Command("suite", "Import the published data of an evaluation suite, or ask a chat model"),
    Command("suite import", "Write the tables of a suite from your copy of published files"),
    Command("suite ask", "Ask a chat model the questions of a release, with a budget"),
    Command("evaluate", "Evaluate a model or vectors on a release"),
    Command("compare", "Compare evaluated models, or draw a page again", "evaluate"),
)


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
        _drop_output()  # the reader of it has closed the pipe, as `| head` does: nothing to report
        return 0
    except Exception as error:  # an OSError, or one of sqlite3, which is imported where it is used
        if not is_disk_error(error):
            raise
        sys.stderr.write(f"{args.command_path}: {_disk_problem(error)}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write(f"{args.command_path}: interrupted; run it again to resume\n")
        return 1
    return code


def _disk_problem(error: Exception) -> NcimpError:
    try:
        sys.stdout.flush()
    except OSError:  # standard output is what could not be written
        _drop_output()
    what, name = getattr(error, "strerror", None) or str(error), getattr(error, "filename", None)
    fix = "check the folder and the space on the disk, and run the command again"
    return NcimpError(what, fix=fix, place=Place(str(name)) if name else None)


def _drop_output() -> None:
    """Leave nothing to be flushed at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def make_parser(words: Sequence[str] | None = None) -> Parser:
    """Return the parser for *words*, which imports the module of one command; without *words*, of all."""
    parser = Parser(prog="ncimp", description=__doc__)
    parser.add_argument("--version", action="version", version=f"ncimp {ncimp.__version__}")
    _add_commands(parser, words)
    return parser


def _add_commands(parser: argparse.ArgumentParser, words: Sequence[str] | None, group: str = "") -> None:
    subparsers = parser.add_subparsers(required=True, metavar="ACTION" if group else "COMMAND")
    formatter = argparse.RawDescriptionHelpFormatter
    for command in COMMANDS:
        above, _, name = command.name.rpartition(" ")
        if above != group:
            continue
        subparser = subparsers.add_parser(name, help=command.help, formatter_class=formatter)
        if words is not None and words[:1] != [name]:
            continue
        if any(other.name.startswith(f"{name} ") for other in COMMANDS) and not group:
            subparser.description = import_module(f"ncimp.builder.commands.{name}").__doc__
            _add_commands(subparser, None if words is None else words[1:], name)
        else:
            subparser.description, runner = command.load()
            subparser.set_defaults(runner=runner, command_path=subparser.prog, leaf_parser=subparser)
            runner.register(subparser)


if __name__ == "__main__":
    sys.exit(main())
