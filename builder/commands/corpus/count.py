"""Count words, adjacent pairs and compound candidates of a corpus into a store, a folder of sorted tables.

It needs the extra `corpus`, uses the cores and the memory it is given, and resumes where it was stopped when it is
called again.

Examples:
    ncimp corpus count wiki-1.txt wiki-2.txt.gz --lang en --out stats
    zcat ukwac.vert.gz | ncimp corpus count - --lang en --format wac --encoding latin-1 --out stats
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ncimp.builder.commands.options import add_out, add_packs, positive_int
from ncimp.builder.commands.options.corpus import add_reading_options, format_of, new_problems, reading_of
from ncimp.builder.records import Language
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.corpus_stats.kernel import require_corpus_extra
from ncimp.corpus_stats.patterns import UNIVERSAL, PatternTable, TagPattern
from ncimp.corpus_stats.readers.formats import FORMATS
from ncimp.corpus_stats.readers.streams import STDIN, HeadStart, check_encoding
from ncimp.corpus_stats.store.header import StoreHeader, check_target
from ncimp.corpus_stats.words import LAYERS, Layer
from ncimp.schemas.errors import UsageError
from ncimp.schemas.tables import load_schema

if TYPE_CHECKING:  # these need the extra `corpus`
    from ncimp.corpus_stats.counting.run import RunOptions
    from ncimp.corpus_stats.counting.sources import Job

LICENCE_NOT_STATED = "not stated"
"""The licence of a corpus whose user did not name one."""

LEAST_MEMORY = 1 << 29
"""The smallest `--memory`: with less, hardly any would be left for tables."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_HYPHENATED = TagPattern("hyphenated", ("noun",))


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("files", nargs="+", metavar="PATH", help="files, folders, globs, hf:NAME, or - for stdin")
    parser.add_argument("--lang", required=True, help="language id, such as en or pt")
    add_out(parser, "folder to write", metavar="STORE")
    parser.add_argument("--name", help="name of the corpus (default: the name of each file)")
    parser.add_argument("--licence", default=LICENCE_NOT_STATED, help="licence of the corpus (default: %(default)s)")
    parser.add_argument("--layers", default=",".join(LAYERS), help="surface, lemma or both (default: %(default)s)")
    parser.add_argument("--pairs", choices=("all", "none"), default="all", help="count all adjacent pairs, or none")
    parser.add_argument("--no-candidates", action="store_true", help="count no compound candidates")
    add_packs(parser)
    parser.add_argument(
        "--min-count", type=positive_int, default=1, metavar="N", help="leave rarer ones out at the end"
    )
    parser.add_argument(
        "--memory", default="1G", metavar="SIZE", help="memory to stay below, 512M or more (default: %(default)s)"
    )
    parser.add_argument(
        "--workers", type=positive_int, default=2, metavar="N", help="threads that count (default: %(default)s)"
    )
    parser.add_argument("--engine", choices=("dask",), help="count on processes or a cluster")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="its scheduler (default: --workers processes here)")
    add_reading_options(parser)


def run(args: argparse.Namespace) -> int:
    """Count the files into a store, print a summary and return the exit code."""
    _check(args)
    require_corpus_extra()
    with _progress() as progress:
        header = _count_here(args, progress) if args.engine is None else _count_elsewhere(args, progress)
    sys.stderr.writelines(f"{line}\n" for line in summary(header, args.out))
    return 0


def _count_here(args: argparse.Namespace, progress: Callable[[int], object]) -> StoreHeader:
    first = args.files[0]
    as_bytes = FORMATS[format_of(args, args.files)].layout is not None and first != STDIN
    with HeadStart(first if as_bytes else None) as head, _loading():
        from ncimp.corpus_stats.counting.run import count_files

        job, options = job_of(args), _options(args, progress)
        job.load()
    return count_files(args.files, args.out, job, options, head)


@contextmanager
def _loading() -> Iterator[None]:
    """Keep the garbage collector off the objects that the block loads: they are many and stay, and it takes 0.3 s."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if before:
            gc.enable()


def _count_elsewhere(args: argparse.Namespace, progress: Callable[[int], object]) -> StoreHeader:
    from ncimp.corpus_stats.counting.shards import ENGINES, count_with

    job, options = job_of(args), _options(args, progress)
    with ENGINES[args.engine](args.scheduler, args.workers) as engine:
        return count_with(engine, args.files, args.out, job, options)


def _check(args: argparse.Namespace) -> None:
    """Refuse, before hours of counting, a store that could not be written or would overwrite a corpus."""
    pattern = load_schema("count")["properties"]["lang"]["pattern"]
    if not re.search(pattern, args.lang):
        raise UsageError(f"{args.lang!r} is not a language id", fix="write it like en, pt or pt-BR")
    if any(file != STDIN and Path(file).resolve() == args.out.resolve() for file in args.files):
        raise UsageError(f"--out {str(args.out)!r} is also an input", fix="name another folder")
    if args.scheduler is not None and args.engine is None:
        raise UsageError("--scheduler needs an engine", fix="add --engine dask")
    check_encoding(args.encoding)
    check_target(args.out)


def job_of(args: argparse.Namespace) -> Job:
    """Return the counting job that the options describe."""
    from ncimp.corpus_stats.counting.segment import SegmentPlan
    from ncimp.corpus_stats.counting.sources import Job

    corpus_format = format_of(args, args.files)
    plan = SegmentPlan(_layers(args.layers), adjacent=args.pairs == "all", patterns=_patterns(args, corpus_format))
    return Job(args.lang, corpus_format, reading_of(args), plan, args.name, args.licence)


def _layers(text: str) -> tuple[Layer, ...]:
    names = text.split(",")
    if not set(names) <= set(LAYERS):
        raise UsageError(f"--layers cannot be {text!r}", fix=f"name one or both of {', '.join(LAYERS)}")
    return tuple(name for name in LAYERS if name in names)


def memory_bytes(text: str) -> int:
    """Return the number of bytes in *text*.

    >>> memory_bytes("2G") == 2 * 1024**3
    True
    """
    match = re.fullmatch(r"(\d+)([KMG]?)B?", text.upper())
    if match is None:
        raise UsageError(f"--memory must be a size, got {text!r}", fix="write it like 2G or 600M")
    size = int(match[1]) * _UNITS[match[2]]
    if size < LEAST_MEMORY:
        raise UsageError(
            f"--memory {text!r} is too little: the program alone takes half of 512M", fix="give 512M or more"
        )
    return size


def _options(args: argparse.Namespace, progress: Callable[[int], object]) -> RunOptions:
    from ncimp.corpus_stats.counting.run import RunOptions

    return RunOptions(
        memory_bytes(args.memory), args.workers, args.min_count, problems=new_problems(args), progress=progress
    )


def _patterns(args: argparse.Namespace, corpus_format: str) -> PatternTable:
    """Return the patterns of the language's pack, or the universal ones where there is no pack or it names no tags."""
    tagged = FORMATS[corpus_format].tagged or str(args.sentences).startswith("spacy:")
    if args.no_candidates or not tagged:
        return PatternTable()
    pack = (args.packs or packs_folder()) / args.lang.split("-")[0] / "pack.toml"
    return pattern_table(read_language(pack)) if pack.is_file() else UNIVERSAL


def pattern_table(language: Language) -> PatternTable:
    """Return the two-word patterns of a pack over its classes of tags; the universal table when it names no tags."""
    classes = language.tag_classes
    if not classes:
        return UNIVERSAL
    patterns = []
    for pattern in language.patterns.values():
        between = pattern.join.split()
        if len(pattern.parts) == 2 and not between and pattern.join == " ":
            patterns.append(TagPattern(pattern.id, tuple(pattern.parts)))
        elif len(pattern.parts) == 2 and "prep" in classes and pattern.join.startswith(" "):
            patterns.append(TagPattern(pattern.id, (pattern.parts[0], "prep", pattern.parts[1]), tuple(between)))
    return PatternTable(classes, (*patterns, _HYPHENATED))


@contextmanager
def _progress() -> Iterator[Callable[[int], object]]:
    """Yield a function that shows the number of counted bytes; it shows nothing without a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("counted {task.completed:,.0f} MB of text"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("counted", total=None)
        yield lambda size: bar.advance(task, size / 1e6)


def summary(header: StoreHeader, out: Path) -> list[str]:
    """Return the lines that describe a store."""
    lines = [f"{out}: {header.sentences} sentences from {len(header.sources)} file(s)"]
    for name in LAYERS:
        totals = header.layers.get(name)
        if totals is None or not totals.tokens:
            lines.append(f"{name} layer: empty, because the format {header.corpus_format!r} gave no words for it")
        else:
            different = header.tables[f"{name}-words.arrow"].rows
            pairs = f", {totals.bigrams} adjacent pairs" if header.adjacent else ""
            lines.append(f"{name} layer: {totals.tokens} words ({different} different){pairs}")
    if header.tally.broken_lines:
        lines.append(f"passed over: {header.tally.broken_lines} broken line(s), with their sentences")
    return lines
