"""Work on a language pack: check it, assign splits to new compounds, edit its lexicon as a table.

Examples:
    ncimp pack check gl --packs my-packs
    ncimp pack split pt
    ncimp pack lexicon dump builder/languages/pt/lexicon.xml lexicon.tsv
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from ncimp.builder.commands.options import PACKS, command, flag, option, seed
from ncimp.builder.release.tables import assign_splits
from ncimp.builder.sources.packs.lexicon_table import read_lexicon, read_table, write_lexicon, write_table
from ncimp.builder.sources.packs.packs import languages, read_pack
from ncimp.schemas import write_tsv
from ncimp.schemas.records import columns, to_row


@command(
    option("lang", "language code of the pack"),
    PACKS,
    seed(),
    flag("--dry-run", "print the assignments, write nothing"),
)
def run_split(args: argparse.Namespace) -> int:
    """Record train, validation or test in splits.tsv for each compound without a split. Recorded splits never change.

    A later compound joins the split of its components; it goes to `bridge` when they are in two splits.

    Examples:
        ncimp pack split pt
        ncimp pack split gl --packs my-packs --dry-run
    """
    (lang,) = languages([args.lang], args.packs)
    pack = read_pack(args.packs / lang)
    assignments = assign_splits(pack.compounds, pack.splits, seed=args.seed)
    if args.dry_run:
        sys.stdout.writelines(f"{row.compound}\t{row.split}\n" for row in assignments)
    else:
        write_tsv(args.packs / lang / "splits.tsv", map(to_row, assignments), columns("split"))
    counts = sorted(Counter(row.split for row in assignments).items())
    shown = ", ".join(f"{count} {split}" for split, count in counts)
    sys.stderr.write(f"{lang}: {shown}; {len(assignments) - len(pack.splits)} new\n")
    return 0


@command(
    option("direction", "lexicon to table, or table to lexicon", choices=("dump", "make")),
    option("source", "file to read", type=Path),
    option("target", "file to write", type=Path),
)
def run_lexicon(args: argparse.Namespace) -> int:
    """Turn a lexicon.xml into a table for editing (`dump`), or a table into a lexicon.xml (`make`).

    `make` keeps the header of the lexicon.xml that it replaces: id, licence, version.

    Examples:
        ncimp pack lexicon dump builder/languages/pt/lexicon.xml lexicon.tsv
        ncimp pack lexicon make lexicon.tsv builder/languages/pt/lexicon.xml
    """
    if args.direction == "dump":
        write_table(args.target, read_lexicon(args.source)[1])
    else:
        rows = read_table(args.source)
        write_lexicon(args.target, read_lexicon(args.target)[0], rows)
    return 0
