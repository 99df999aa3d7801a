"""Work on a language pack: check it, assign splits to new compounds, edit its lexicon as a table.

`check` reports the incidents of packs as a build does before it starts: missing parts and faults of their sentences.
The exit code is 1 when an incident is not waived.

`split` records train, validation or test in splits.tsv for each compound without a split. Recorded splits never change.
A later compound joins the split of its components; it goes to `bridge` when they are in two splits.

`lexicon dump` turns a lexicon.xml into a table for editing, `lexicon make` the table into a lexicon.xml, whose header
(id, licence, version) it keeps.

Examples:
    ncimp pack check
    ncimp pack check gl --packs my-packs
    ncimp pack split pt
    ncimp pack split gl --packs my-packs --dry-run
    ncimp pack lexicon dump builder/languages/pt/lexicon.xml lexicon.tsv
    ncimp pack lexicon make lexicon.tsv builder/languages/pt/lexicon.xml
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from ncimp.builder.commands.options import add_json, add_packs, add_seed
from ncimp.builder.commands.validate import print_incidents
from ncimp.builder.release.tables import assign_splits
from ncimp.builder.sources.packs.lexicon_table import read_lexicon, read_table, write_lexicon, write_table
from ncimp.builder.sources.packs.packs import languages, packs_folder, read_pack
from ncimp.builder.validation.validate import validate_pack
from ncimp.schemas.files import write_tsv
from ncimp.schemas.records import to_row
from ncimp.schemas.tables import columns


def register(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their options to *parser*."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    check = actions.add_parser("check", help="Report the incidents of language packs")
    check.add_argument("lang", nargs="*", help="language codes (default: every pack)")
    add_packs(check)
    add_json(check, "print one JSON object per incident")
    check.set_defaults(run_action=_check, command_path=check.prog, leaf_parser=check)
    split = actions.add_parser("split", help="Assign splits to new compounds of a pack")
    split.add_argument("lang", help="language code of the pack")
    add_packs(split)
    add_seed(split)
    split.add_argument("--dry-run", action="store_true", help="print the assignments, write nothing")
    split.set_defaults(run_action=_split, command_path=split.prog, leaf_parser=split)
    lexicon = actions.add_parser("lexicon", help="Edit the lexicon of a pack as a table")
    lexicon.add_argument("direction", choices=("dump", "make"), help="lexicon to table, or table to lexicon")
    lexicon.add_argument("source", type=Path, help="file to read")
    lexicon.add_argument("target", type=Path, help="file to write")
    lexicon.set_defaults(run_action=_lexicon, command_path=lexicon.prog, leaf_parser=lexicon)


def run(args: argparse.Namespace) -> int:
    """Run the action; return 1 when a check finds an incident that is not waived, else 0."""
    code: int = args.run_action(args)
    return code


def _check(args: argparse.Namespace) -> int:
    packs = args.packs or packs_folder()
    incidents = [row for lang in languages(args.lang, packs) for row in validate_pack(read_pack(packs / lang))]
    print_incidents(incidents, as_json=args.json)
    waived = sum(row.waived for row in incidents)
    sys.stderr.write(f"{len(incidents) - waived} incidents, {waived} waived\n")
    return int(waived < len(incidents))


def _split(args: argparse.Namespace) -> int:
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


def _lexicon(args: argparse.Namespace) -> int:
    if args.direction == "dump":
        write_table(args.target, read_lexicon(args.source)[1])
    else:
        rows = read_table(args.source)
        write_lexicon(args.target, read_lexicon(args.target)[0], rows)
    return 0
