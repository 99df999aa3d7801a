"""Put the withheld text of a release back from your own copy of the corpus.

An edition may contain sentences that may not be redistributed; their rows are released with the place of the text
(document, position, length) and its SHA-256. Every sentence is checked, and the release changes as a whole or not at
all. The restored release is for you: `ncimp publish` refuses it.

Examples:
    ncimp restore ncimp --corpus ukwac.vert.gz --format wac --encoding latin-1
    ncimp restore ncimp --corpus part-1.vert part-2.vert --format wac
    ncimp restore ncimp --corpus my-texts --format text
    ncimp restore ncimp --published Finding-Idiomaticity-in-Word-Representations nctti --corpus ukwac.xml --format wac
"""

import argparse
import sys
from collections.abc import Collection

from ncimp.builder.commands.options import ENCODING, RELEASE_FOLDER, command, option, path
from ncimp.builder.release.withholding import restore
from ncimp.builder.sources.published.edition import documents
from ncimp.corpus_stats.contexts.search import DOCUMENT_FORMATS, find_documents
from ncimp.schemas import UsageError


@command(
    RELEASE_FOLDER,
    path("--corpus", "PATH", "files or folders of the corpus", nargs="+", default=[]),
    option("--format", "format of the corpus", choices=DOCUMENT_FORMATS, default="text"),
    ENCODING,
    path("--published", "DIR", "copies of published files that a paper edition was made of", nargs="+", default=[]),
)
def run(args: argparse.Namespace) -> int:
    """Restore the text and print the number of sentences; return 0."""
    if not args.corpus and not args.published:
        raise UsageError("no text to put back", fix="name a corpus with --corpus, or published files with --published")
    published = {name: text for folder in args.published for name, text in documents(folder)}

    def find(names: Collection[str]) -> dict[str, str]:
        others = {name for name in names if name not in published}
        texts = find_documents(args.corpus, args.format, others, encoding=args.encoding)
        return published | texts

    count = restore(args.release, find)
    message = f"{count} sentences put back and checked" if count else "nothing is withheld"
    sys.stdout.write(f"{args.release}: {message}\n")
    return 0
