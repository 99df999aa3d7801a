"""Read the results of a service into a campaign folder, without names.

CSV of Mechanical Turk and Turkle, JSON of Label Studio, JSON lines of Prolific. Annotators get ids that only the
holder of the salt can trace back; of times only the day is kept. An answer that is not a judgement is set aside in
rejected.jsonl and reported with its line; the rest is imported, and the exit code is 1 then. Importing a file again
adds nothing.

The rules of exclusion are declared now, before anybody looks at scores: --rules FILE, or the defaults.

Examples:
    ncimp annotate import results.csv --batch batch-en --salt ~/ncimp.salt --out campaign-en
    ncimp annotate import monday.csv tuesday.csv --batch batch-pt --salt ~/ncimp.salt --out pt --rules rules.toml
    ncimp annotate import project-7.json --batch batch-ls --salt ~/ncimp.salt --out campaign-ls
"""

import argparse
import sys
from pathlib import Path

from ncimp.builder.annotation.answers.annotators import read_rules
from ncimp.builder.annotation.answers.returned import Pseudonyms, read_salt
from ncimp.builder.annotation.campaign import REJECTED, import_results, service_of_results
from ncimp.builder.annotation.task.batch import read_key

SHOWN = 20
"""Answers set aside that are shown on the screen; all are in the file."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="files as the service gave them")
    parser.add_argument("--batch", type=Path, required=True, metavar="DIR", help="the batch that was answered")
    parser.add_argument(
        "--salt", type=Path, required=True, metavar="FILE", help="secret of the ids; made, mode 600, when it is new"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the campaign")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="rules of exclusion (default: the documented ones)")


def run(args: argparse.Namespace) -> int:
    """Import the results; return 0, or 1 when an answer was set aside."""
    for path in args.results:
        service_of_results(path)  # refuse a wrong suffix before anything is read
    batch = read_key(args.batch)
    rules = read_rules(args.rules) if args.rules else None
    names = Pseudonyms(read_salt(args.salt))
    result = import_results(args.results, batch, names, args.out, rules)
    for row in result.rejected[:SHOWN]:
        sentence = "" if row.sentence is None else f" (sentence {row.sentence})"
        sys.stderr.write(f"{row.file}:{row.line}{sentence}: {row.problem}\n")
    if len(result.rejected) > SHOWN:
        sys.stderr.write(f"... and {len(result.rejected) - SHOWN:,} more in {args.out / REJECTED}\n")
    sys.stdout.write(
        f"{result.assignments:,} assignments: {result.answers:,} judgements, of which {result.known:,} known already; "
        f"{len(result.rejected):,} answers set aside\n{args.out}: {len(result.judgements):,} judgements in all\n"
    )
    return 1 if result.rejected else 0
