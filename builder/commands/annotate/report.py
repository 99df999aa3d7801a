"""Write one HTML page on a campaign: completion, reliability between annotators, and intervals of its scores.

With and without the annotators whom the declared rules leave out. Other rules than those that were declared with
the first import can be tried with --rules; the page says so.

Examples:
    ncimp annotate report campaign-en --out report.html
    ncimp annotate report campaign-en --out report.html --json report.json --rules stricter.toml
    ncimp annotate report rehearsed --out report.html --truth rehearsal --salt ~/ncimp.salt
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ncimp.builder.annotation.answers.annotators import Rules, mark_excluded
from ncimp.builder.annotation.answers.returned import Pseudonyms, read_salt
from ncimp.builder.annotation.campaign import read_judgements, read_rejected
from ncimp.builder.annotation.rehearsal import read_habits, read_truth
from ncimp.builder.annotation.report.figures import Rehearsal, as_row, make_report, rehearse
from ncimp.builder.annotation.report.page import render
from ncimp.builder.annotation.scores import aggregate
from ncimp.builder.commands.annotate.options import (
    expert_classes,
    known_packs,
    of_one_mode,
    register_mode,
    rules_for,
)
from ncimp.builder.commands.options import add_packs
from ncimp.builder.records import Judgement
from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import write_json, write_text

RESAMPLES = 2_000


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    parser.add_argument("campaign", type=Path, metavar="CAMPAIGN", help="folder that `annotate import` made")
    parser.add_argument("--out", type=Path, default=Path("report.html"), metavar="FILE", help="page to write")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON, too")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="other rules than the declared ones")
    parser.add_argument(
        "--resamples",
        type=int,
        default=RESAMPLES,
        metavar="N",
        help="for the intervals of alpha (default: %(default)s)",
    )
    parser.add_argument(
        "--truth", type=Path, metavar="DIR", help="folder of `annotate simulate`, to compare scores with"
    )
    parser.add_argument("--salt", type=Path, metavar="FILE", help="with --truth: the salt, to recognise cheaters")
    register_mode(parser)
    add_packs(parser)


def run(args: argparse.Namespace) -> int:
    """Write the page, and print the main figures; return 0."""
    if args.resamples < 0:
        raise UsageError(f"--resamples must be at least 0, got {args.resamples}")
    judgements = of_one_mode(read_judgements(args.campaign), args.mode)
    rules, declared = rules_for(args.campaign, args.rules)
    packs = known_packs(args, sorted({row.lang for row in judgements}))
    rejected = len(read_rejected(args.campaign)) if args.campaign.is_dir() else 0
    classes = expert_classes(packs.values())
    report = make_report(
        judgements, rules, declared=declared, rejected=rejected, classes=classes, resamples=args.resamples
    )
    if args.truth:
        report = replace(report, rehearsal=_rehearsed(args, judgements, rules))
    write_text(args.out, render(report))
    if args.json:
        write_json(args.json, as_row(report))
    for row in report.reliability:
        if (row.question, row.who, row.compounds) == ("comp", "kept", "all") and row.alpha.alpha is not None:
            sys.stdout.write(f"alpha ({row.alpha.level}) {row.alpha.alpha:.3f}, ")
    left_out = f"{len(report.excluded)} of {len(report.annotators)} annotators left out"
    sys.stdout.write(f"{left_out}{', SIMULATED' if report.simulated else ''}\n{args.out}\n")
    return 0


def _rehearsed(args: argparse.Namespace, judgements: Sequence[Judgement], rules: Rules) -> Rehearsal | None:
    """Return the comparison of scores with `--truth`; with the salt, of the exclusion with the cheaters too."""
    truth, habits = read_truth(args.truth), read_habits(args.truth)
    marked = mark_excluded(judgements, rules)
    cheaters = None
    if args.salt:
        names = Pseudonyms(read_salt(args.salt))
        cheaters = {
            names.annotator(platform, worker)
            for platform in {row.platform for row in judgements}
            for worker, habit in habits.items()
            if habit != "careful"
        } & {row.annotator for row in marked}
    excluded = {row.annotator for row in marked if row.excluded is not None}
    return rehearse(aggregate(marked), truth, cheaters, excluded)
