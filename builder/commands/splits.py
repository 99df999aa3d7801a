"""Assign train, validation and test to the compounds of a pack that have no split yet, and record it in splits.tsv.

Recorded splits never change. A later compound goes where its component lemmas already are; to
`bridge` when they are in two splits.

Examples:
    ncimp splits pt
    ncimp splits gl --packs my-packs --dry-run
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from ncimp.builder.commands.build import default_packs, languages
from ncimp.builder.config import BuildOptions


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("lang", help="language code of the pack")
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")
    parser.add_argument("--seed", default=BuildOptions().seed, help="first part of every keyed hash (default: ncimp)")
    parser.add_argument("--dry-run", action="store_true", help="print the assignments, write nothing")


def run(args: argparse.Namespace) -> int:
    """Assign and write, or print; return 0."""
    from ncimp.builder.release.splits import assign_splits
    from ncimp.builder.sources.packs.packs import read_pack
    from ncimp.schemas.files import write_tsv
    from ncimp.schemas.records import to_row
    from ncimp.schemas.tables import columns

    packs = args.packs or default_packs()
    (lang,) = languages([args.lang], packs)
    pack = read_pack(packs / lang)
    assigned = assign_splits(pack.compounds, pack.splits, seed=args.seed)
    if args.dry_run:
        sys.stdout.writelines(f"{row.compound}\t{row.split}\n" for row in assigned)
    else:
        write_tsv(packs / lang / "splits.tsv", map(to_row, assigned), columns("split"))
    counts = Counter(row.split for row in assigned)
    shown = ", ".join(f"{count} {split}" for split, count in sorted(counts.items()))
    sys.stderr.write(f"{lang}: {shown}; {len(assigned) - len(pack.splits)} new\n")
    return 0
