"""Check language packs, and say what is left to do."""

import argparse
import sys
from itertools import chain

from ncimp.builder.build.progress import SHEET, left_to_do, sheet
from ncimp.builder.commands.options import DATA, PACKS, command, flag, option, path
from ncimp.builder.commands.validate import print_incidents
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.sources.frequencies import NoFrequencies
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.lexicon_table import component_words
from ncimp.builder.sources.packs.packs import languages, read_pack
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.builder.validation.validate import validate_pack
from ncimp.schemas import write_tsv


@command(
    option("lang", "language codes (default: every pack)", nargs="*"),
    PACKS,
    path("--sheet", "FILE", "write a table of each determiner before phrases of each pattern, gender and sound"),
    flag("--json", "print one JSON object per incident, and nothing else"),
    DATA,
)
def run_check(args: argparse.Namespace) -> int:
    """Report the incidents of packs as a build does before it starts, and what is left to do, in order.

    Incidents are missing parts and faults of sentences; the exit code is 1 when one is not waived. Read the table of
    --sheet before sentences are written: what is wrong there will be wrong in each of them.

    Examples:
        ncimp pack check
        ncimp pack check gl --packs my-packs --sheet gl-sheet.tsv
    """
    packs = [read_pack(args.packs / lang) for lang in languages(args.lang, args.packs)]
    waived, others = print_incidents([row for pack in packs for row in validate_pack(pack)], as_json=args.json)
    for pack in packs if not args.json else ():
        folder = args.packs / pack.language.code
        wordnet = WnSource(folder / "lexicon.xml", pack.language.lexicon, work=args.data)
        resources = Resources(pack, wordnet, PackMorphology(pack.forms, pack.language), NoFrequencies())
        for line in left_to_do(resources, component_words(folder / "lexicon.xml")):
            sys.stdout.write(f"{pack.language.code}: {line}\n")
    if args.sheet:
        write_tsv(args.sheet, chain.from_iterable(map(sheet, packs)), SHEET)
    sys.stderr.write(f"{others} incidents, {waived} waived\n")
    return int(others > 0)
