"""Turn a pack's lexicon.xml into a table that a person can edit, and the table back into lexicon.xml.

    python scripts/lexicon_table.py dump builder/languages/pt/lexicon.xml lexicon.tsv
    python scripts/lexicon_table.py make lexicon.tsv builder/languages/pt/lexicon.xml

`make` keeps the header (id, licence, version) of the lexicon.xml that is there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ncimp.builder.sources.packs.lexicon_table import read_lexicon, read_table, write_lexicon, write_table
from ncimp.schemas.errors import NcimpError


def main() -> int:
    """Run the script; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("dump", "make"))
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    args = parser.parse_args()
    try:
        if args.action == "dump":
            write_table(args.target, read_lexicon(args.source)[1])
        else:
            rows = read_table(args.source)
            write_lexicon(args.target, read_lexicon(args.target)[0], rows)
    except NcimpError as error:
        sys.stderr.write(f"lexicon_table {args.action}: {error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
