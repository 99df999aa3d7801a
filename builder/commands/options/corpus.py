"""Options of every command that reads a corpus."""

import argparse
import sys
from pathlib import Path

from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.corpus_stats.problems import ON_ERROR, Problems
from ncimp.corpus_stats.readers.formats import FORMATS, Reading, format_suffix
from ncimp.corpus_stats.readers.streams import HUB_PREFIX
from ncimp.corpus_stats.readers.tables import ID_COLUMN, TEXT_COLUMN
from ncimp.schemas.errors import UsageError

WORDS, PACK = "words", "pack"
"""The rule that cuts plain text into words: the project's, or the language pack's."""


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of reading a corpus to *parser*, but for `--lang` and `--packs`."""
    group = parser.add_argument_group("reading the corpus")
    group.add_argument("--format", choices=FORMATS, help="format of the corpus (default: by the suffix of its files)")
    group.add_argument("--encoding", default="utf-8", help="encoding of the files (default: %(default)s)")
    group.add_argument(
        "--on-error", choices=ON_ERROR, default="stop", help="what to do about a broken line (default: %(default)s)"
    )
    group.add_argument(
        "--sentences",
        metavar="HOW",
        help="how text is cut: line, rule, or spacy:PIPELINE (default: line in text, rule in columns of texts)",
    )
    rule = "whose rule cuts text into words (default: %(default)s)"
    group.add_argument("--tokens", choices=(WORDS, PACK), default=WORDS, help=rule)
    texts, ids = "column of texts (default: %(default)s)", "column of ids (default: %(default)s)"
    group.add_argument("--text-column", default=TEXT_COLUMN, metavar="NAME", help=texts)
    group.add_argument("--id-column", default=ID_COLUMN, metavar="NAME", help=ids)


def reading_of(args: argparse.Namespace) -> Reading:
    """Return the reading options."""
    return Reading(
        encoding=args.encoding,
        sentences=args.sentences,
        token=_token(args.lang, args.packs) if args.tokens == PACK else None,
        lang=args.lang,
        text_column=args.text_column,
        id_column=args.id_column,
    )


def format_of(args: argparse.Namespace, paths: list[str]) -> str:
    """Return the format of the corpus at *paths*: the named one, else the one of the suffixes."""
    return str(args.format or _guessed(paths))


def new_problems(args: argparse.Namespace) -> Problems:
    """Return the problems of this run, which prints skipped ones to standard error."""
    return Problems(args.on_error, tell=lambda text: sys.stderr.write(f"{text}\n"))


def _token(lang: str, packs: Path | None) -> str:
    from ncimp.builder.sources.packs.language import read_language

    return read_language((packs or packs_folder()) / lang / "pack.toml").token


def _guessed(paths: list[str]) -> str:
    """Return the format with the suffixes of *paths*, or of the files in a folder; a dataset has none."""
    if paths[0].startswith(HUB_PREFIX):
        return "hf"
    names = [name for path in paths for name in ([file.name for file in Path(path).rglob("*")] or [path])]
    suffixes = {format_suffix(name) for name in names}
    fitting = {name for name, entry in FORMATS.items() if suffixes & set(entry.suffixes)}
    if len(fitting) != 1:
        fix = f"name it with --format: {', '.join(FORMATS)}"
        raise UsageError(f"the names of the corpus ({paths[0]!r}) do not tell its format", fix=fix)
    return fitting.pop()
