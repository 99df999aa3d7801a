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

from ncimp.builder.commands.options import PACKS, command, flag, json_flag, option, seed
from ncimp.builder.commands.validate import print_incidents
from ncimp.builder.release.tables import assign_splits
from ncimp.builder.sources.packs.lexicon_table import read_lexicon, read_table, write_lexicon, write_table
from ncimp.builder.sources.packs.packs import languages, packs_folder, read_pack
from ncimp.builder.validation.validate import validate_pack
from ncimp.schemas import write_tsv
from ncimp.schemas.records import columns, to_row


@command(
    option("lang", nargs="*", help="language codes (default: every pack)"),
    PACKS,
    json_flag("print one JSON object per incident"),
)
def run_check(args: argparse.Namespace) -> int:
    """Report the incidents of packs as a build does before it starts: missing parts and faults of their sentences.

    The exit code is 1 when an incident is not waived.

    Examples:
        ncimp pack check
        ncimp pack check gl --packs my-packs
    """
    packs = args.packs or packs_folder()
    incidents = [row for lang in languages(args.lang, packs) for row in validate_pack(read_pack(packs / lang))]
    print_incidents(incidents, as_json=args.json)
    waived = sum(row.waived for row in incidents)
    sys.stderr.write(f"{len(incidents) - waived} incidents, {waived} waived\n")
    return int(waived < len(incidents))


@command(
    option("lang", help="language code of the pack"),
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
    packs = args.packs or packs_folder()
    (lang,) = languages([args.lang], packs)
    pack = read_pack(packs / lang)
    assignments = assign_splits(pack.compounds, pack.splits, seed=args.seed)
    if args.dry_run:
        sys.stdout.writelines(f"{row.compound}\t{row.split}\n" for row in assignments)
    else:
        write_tsv(packs / lang / "splits.tsv", map(to_row, assignments), columns("split"))
    counts = sorted(Counter(row.split for row in assignments).items())
    shown = ", ".join(f"{count} {split}" for split, count in counts)
    sys.stderr.write(f"{lang}: {shown}; {len(assignments) - len(pack.splits)} new\n")
    return 0


@command(
    option("direction", choices=("dump", "make"), help="lexicon to table, or table to lexicon"),
    option("source", type=Path, help="file to read"),
    option("target", type=Path, help="file to write"),
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
