"""Put the withheld text of a release back from your own copy of the corpus.

An edition may hold sentences that must not be passed on; their rows are released with the place of the text
(document, position, length) and its sha256. Every sentence is checked, and the release changes as a whole or
not at all. The restored release is for you: `ncimp publish` refuses it.

Examples:
    ncimp restore ncimp --corpus ukwac.vert.gz --format wac --encoding latin-1
    ncimp restore ncimp --corpus part-1.vert part-2.vert --format wac
    ncimp restore ncimp --corpus my-texts --format text
"""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from pathlib import Path

from ncimp.corpus_stats.readers.documents import FORMATS


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("release", type=Path, nargs="?", default=Path("ncimp"), help="release folder (default: ncimp)")
    parser.add_argument(
        "--corpus", type=Path, nargs="+", required=True, metavar="PATH", help="files or folders of the corpus"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="format of the corpus (default: %(default)s)")
    parser.add_argument("--encoding", default="utf-8", help="encoding of the files (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Restore, and say how many sentences that were; return 0."""
    from ncimp.builder.release.restore import restore
    from ncimp.corpus_stats.readers.documents import read_documents

    parts = (read_documents(path, args.format, encoding=args.encoding) for path in args.corpus)
    restored = restore(args.release, chain.from_iterable(parts))
    said = f"{restored} sentences put back and checked" if restored else "nothing is withheld"
    sys.stdout.write(f"{args.release}: {said}\n")
    return 0
