"""Put the withheld text of a release back from your own copy of the corpus.

An edition may contain sentences that may not be redistributed; their rows are released with the place of the text
(document, position, length) and its SHA-256. Every sentence is checked, and the release changes as a whole or not at
all. The restored release is for you: `ncimp publish` refuses it.

Examples:
    ncimp restore ncimp --corpus ukwac.vert.gz --format wac --encoding latin-1
    ncimp restore ncimp --corpus part-1.vert part-2.vert --format wac
    ncimp restore ncimp --corpus my-texts --format text
    ncimp restore ncimp --corpus Finding-Idiomaticity-in-Word-Representations --format published
"""

import argparse
import sys
from itertools import chain

from ncimp.builder.commands.options import ENCODING, RELEASE_FOLDER, command, option, path
from ncimp.builder.release.withholding import restore
from ncimp.builder.sources.published.ncimp import documents as published
from ncimp.corpus_stats.readers.formats import DOCUMENT_FORMATS, read_documents

PUBLISHED = "published"  # a copy of the published files, from which a paper edition was made


@command(
    RELEASE_FOLDER,
    path("--corpus", "PATH", "files or folders of the corpus", nargs="+", required=True),
    option("--format", "format of the corpus", choices=(*DOCUMENT_FORMATS, PUBLISHED), default="text"),
    ENCODING,
)
def run(args: argparse.Namespace) -> int:
    """Restore the text and print the number of sentences; return 0."""
    if args.format == PUBLISHED:
        documents = (published(folder) for folder in args.corpus)
    else:
        documents = (read_documents(file, args.format, encoding=args.encoding) for file in args.corpus)
    count = restore(args.release, chain.from_iterable(documents))
    message = f"{count} sentences put back and checked" if count else "nothing is withheld"
    sys.stdout.write(f"{args.release}: {message}\n")
    return 0
