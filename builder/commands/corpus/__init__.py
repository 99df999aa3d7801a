"""Count corpora, look counts and association up, and find sentences with compounds.

Every format of `docs/reference/corpora.md` is read: text, CoNLL-U, vertical files, tables, archives and datasets.

Examples:
    ncimp corpus count wiki-1.txt wiki-2.txt.gz --lang en --out stats
    ncimp corpus show "eager beaver" --stats stats
    ncimp corpus find --lang en --compounds list.txt --corpus wiki-1.txt --out contexts.jsonl
"""

import argparse
import sys
from pathlib import Path

from ncimp.builder.commands.options import ENCODING, group, option
from ncimp.builder.sources.packs.language import read_language
from ncimp.corpus_stats.problems import ON_ERROR, Problems
from ncimp.corpus_stats.readers.formats import FORMATS, Reading, format_suffix
from ncimp.corpus_stats.readers.streams import HUB_PREFIX
from ncimp.corpus_stats.readers.tables import ID_COLUMN, TEXT_COLUMN
from ncimp.schemas import UsageError

WORDS, PACK = "words", "pack"  # whose rule cuts plain text into words: the project's, or the language pack's
CUT = "how text is cut: line, rule, or spacy:PIPELINE (default: line in text, rule in columns of texts)"
LICENCE = option("--licence", "licence of the corpus", default="not stated")

READING = group(  # but for `--lang` and `--packs`
    "reading the corpus",
    option("--format", "format of the corpus (default: by the suffix of its files)", choices=FORMATS),
    ENCODING,
    option("--on-error", "reaction to a broken line", choices=ON_ERROR, default="stop"),
    option("--sentences", CUT, metavar="HOW"),
    option("--tokens", "whose rule cuts words", choices=(WORDS, PACK), default=WORDS),
    option("--text-column", "column of texts", default=TEXT_COLUMN, metavar="NAME"),
    option("--id-column", "column of ids", default=ID_COLUMN, metavar="NAME"),
)


def reading_of(args: argparse.Namespace) -> Reading:
    """Return the reading options."""
    token = read_language(args.packs / args.lang / "pack.toml").token if args.tokens == PACK else None
    return Reading(args.encoding, args.sentences, token, args.lang, args.text_column, args.id_column)


def format_of(args: argparse.Namespace, paths: list[str]) -> str:
    """Return the named format, else the one of the suffixes of *paths*, or of the files in a folder."""
    if args.format:
        return str(args.format)
    if paths[0].startswith(HUB_PREFIX):
        return "hf"
    names = [name for path in paths for name in ([file.name for file in Path(path).rglob("*")] or [path])]
    suffixes = {format_suffix(name) for name in names}
    fitting = {name for name, entry in FORMATS.items() if suffixes & set(entry.suffixes)}
    if len(fitting) != 1:
        fix = f"name it with --format: {', '.join(FORMATS)}"
        raise UsageError(f"the names of the corpus ({paths[0]!r}) do not tell its format", fix=fix)
    return fitting.pop()


def new_problems(args: argparse.Namespace) -> Problems:
    """Return the problems of this run, which prints skipped ones to standard error."""
    return Problems(args.on_error, tell=lambda text: sys.stderr.write(f"{text}\n"))
