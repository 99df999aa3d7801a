"""Turn the judgements of campaigns into scores that a build reads.

Writes scores.tsv (one row per compound and one per sentence of it) and annotations.jsonl (the judgements, with the
rules by which an annotator is left out). A build takes both: ncimp build --scores DIR/scores.tsv
--annotations DIR/annotations.jsonl.

Examples:
    ncimp annotate scores campaign-en --out scores-en
    ncimp annotate scores campaign-en campaign-en-2 --mode token --out scores-en
    ncimp annotate scores campaign-pt --out scores-pt --spellings brazilian.tsv
"""

import argparse
import sys
from pathlib import Path

from ncimp.builder.annotation.answers.annotators import mark_excluded
from ncimp.builder.annotation.campaign import identity, read_judgements, write_judgements
from ncimp.builder.annotation.scores import aggregate
from ncimp.builder.commands.annotate.options import (
    known_packs,
    normalisers,
    of_one_mode,
    register_mode,
    rules_for,
)
from ncimp.builder.commands.options import add_packs
from ncimp.schemas.errors import SchemaError
from ncimp.schemas.files import write_tsv
from ncimp.schemas.records import to_row
from ncimp.schemas.tables import columns

SCORES, ANNOTATIONS = "scores.tsv", "annotations.jsonl"


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    parser.add_argument(
        "campaigns", nargs="+", type=Path, metavar="CAMPAIGN", help="folders that `annotate import` made"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the two files")
    register_mode(parser)
    parser.add_argument("--rules", type=Path, metavar="FILE", help="other rules than the declared ones")
    parser.add_argument(
        "--spellings", type=Path, metavar="FILE", help="variant and spelling of words, a tab between them"
    )
    add_packs(parser)


def run(args: argparse.Namespace) -> int:
    """Write scores and judgements; return 0."""
    rows = []
    for campaign in args.campaigns:
        rules, declared = rules_for(campaign, args.rules)
        rows += mark_excluded(read_judgements(campaign), rules)
        if not declared:
            sys.stderr.write(f"{campaign}: these rules were not declared with the first import\n")
    if len({identity(row) for row in rows}) < len(rows):
        raise SchemaError("the campaigns hold the same answer twice", fix="name each campaign once")
    rows = of_one_mode(rows, args.mode)
    packs = known_packs(args, sorted({row.lang for row in rows}))
    scores = aggregate(rows, normalisers(packs, args.spellings))
    write_tsv(args.out / SCORES, map(to_row, scores), columns("score"))
    write_judgements(args.out / ANNOTATIONS, rows)
    if not scores:
        sys.stderr.write("no score: the rules leave every annotator out, or nothing was judged; see the report\n")
    compounds = sum(row.level == "compound" for row in scores)
    mark = ", SIMULATED" if any(row.simulated for row in scores) else ""
    sys.stdout.write(f"{compounds:,} compounds and {len(scores) - compounds:,} sentences{mark}\n{args.out / SCORES}\n")
    return 0
