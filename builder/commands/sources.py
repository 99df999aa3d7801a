"""List what a build reads: packs, lexicons and word lists, with version, licence and citation.

Examples:
    ncimp sources
    ncimp sources --json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ncimp.builder.commands.build import default_packs, languages
from ncimp.builder.config import BuildOptions


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("--lang", nargs="+", metavar="CODE", help="languages (default: every pack)")
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")
    parser.add_argument("--json", action="store_true", help="print a JSON list")


def run(args: argparse.Namespace) -> int:
    """Print the sources; return 0."""
    from rich.console import Console
    from rich.table import Table

    from ncimp.builder.workshop import Build, Workshop
    from ncimp.schemas.records import to_row

    packs = args.packs or default_packs()
    langs = languages(args.lang, packs)
    build = Build(langs, packs, Path("ncimp"), Path(".ncimp-work"), BuildOptions())
    rows = [to_row(source) for lang in langs for source in Workshop(lang, build).sources()]
    if args.json:
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
        return 0
    table = Table("name", "kind", "version", "licence", "citation")
    for row in rows:
        table.add_row(*(str(row[name]) for name in ("name", "kind", "version", "licence", "citation")))
    Console().print(table)
    return 0
