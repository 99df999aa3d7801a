"""The actions that write a store: count a corpus, merge stores. They need the extra `corpus`, which they load late."""

import argparse
import gc
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ncimp.builder.commands.corpus import LICENCE, READING, format_of, new_problems, reading_of
from ncimp.builder.commands.options import PACKS, command, flag, number, option, out, path
from ncimp.builder.sources.packs.language import read_language
from ncimp.corpus_stats.kernel import require_corpus_extra
from ncimp.corpus_stats.patterns import UNIVERSAL, PatternTable, TagPattern
from ncimp.corpus_stats.readers.formats import FORMATS
from ncimp.corpus_stats.readers.streams import STDIN, HeadStart, check_encoding
from ncimp.corpus_stats.store.header import StoreHeader, check_target
from ncimp.corpus_stats.words import LAYERS
from ncimp.schemas import UsageError
from ncimp.schemas.records import load_schema

LEAST_MEMORY = 1 << 29  # the smallest `--memory`: with less, hardly any would be left for tables
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@command(
    option("files", "files, folders, globs, hf:NAME, or - for stdin", nargs="+", metavar="PATH"),
    option("--lang", "language id, such as en or pt", required=True),
    out("folder to write", "STORE"),
    option("--name", "name of the corpus (default: the name of each file)"),
    LICENCE,
    option("--layers", "surface, lemma or both", default=",".join(LAYERS)),
    option("--pairs", "count all adjacent pairs, or none", choices=("all", "none")),
    flag("--no-candidates", "count no compound candidates"),
    PACKS,
    number("--min-count", 1, "leave rarer ones out at the end"),
    option("--memory", "memory to stay below, 512M or more", default="1G", metavar="SIZE"),
    number("--workers", 2, "threads that count"),
    option("--engine", "count on processes or a cluster", choices=("dask",)),
    option("--scheduler", "its scheduler (default: --workers processes here)", metavar="ADDRESS"),
    READING,
)
def run_count(args: argparse.Namespace) -> int:
    """Count words, adjacent pairs and compound candidates of a corpus into a store, a folder of sorted tables.

    It needs the extra `corpus`, uses the cores and the memory it is given, and resumes where it was stopped when it is
    called again.

    Examples:
        ncimp corpus count wiki-1.txt wiki-2.txt.gz --lang en --out stats
        zcat ukwac.vert.gz | ncimp corpus count - --lang en --format wac --encoding latin-1 --out stats
    """
    _check(args)
    require_corpus_extra()
    corpus_format, local = format_of(args, args.files), args.engine is None
    first = args.files[0] if local and FORMATS[corpus_format].layout and args.files[0] != STDIN else None
    with _progress() as progress:
        with HeadStart(first) as head, _loading():
            from ncimp.corpus_stats.counting import run, segment, sources

            layers = tuple(name for name in LAYERS if name in args.layers.split(","))
            patterns = _patterns(args, corpus_format)
            plan = segment.SegmentPlan(layers, adjacent=args.pairs != "none", patterns=patterns)
            job = sources.Job(args.lang, corpus_format, reading_of(args), plan, args.name, args.licence)
            memory, problems = memory_bytes(args.memory), new_problems(args)
            options = run.RunOptions(memory, args.workers, args.min_count, problems=problems, progress=progress)
            if local:
                job.load()
        if local:
            header = run.count_files(args.files, args.out, job, options, head)
        else:
            from ncimp.corpus_stats.counting import shards

            with shards.ENGINES[args.engine](args.scheduler, args.workers) as engine:
                header = shards.count_with(engine, args.files, args.out, job, options)
    _print_summary(header, args.out)
    return 0


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


def _check(args: argparse.Namespace) -> None:
    """Refuse, before hours of counting, a store that could not be written or would overwrite a corpus."""
    pattern = load_schema("count")["properties"]["lang"]["pattern"]
    if not re.search(pattern, args.lang):
        raise UsageError(f"{args.lang!r} is not a language id", fix="write it like en, pt or pt-BR")
    if any(file != STDIN and Path(file).resolve() == args.out.resolve() for file in args.files):
        raise UsageError(f"--out {str(args.out)!r} is also an input", fix="name another folder")
    if not set(args.layers.split(",")) <= set(LAYERS):
        raise UsageError(f"--layers cannot be {args.layers!r}", fix=f"name one or both of {', '.join(LAYERS)}")
    if args.scheduler is not None and args.engine is None:
        raise UsageError("--scheduler needs an engine", fix="add --engine dask")
    check_encoding(args.encoding)
    check_target(args.out)


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
        what = f"--memory {text!r} is too little: the program alone takes half of 512M"
        raise UsageError(what, fix="give 512M or more")
    return size


def _patterns(args: argparse.Namespace, corpus_format: str) -> PatternTable:
    """Return the two-word patterns of the language's pack, or the universal ones where no pack has classes of tags."""
    tagged = FORMATS[corpus_format].tagged or str(args.sentences).startswith("spacy:")
    if args.no_candidates or not tagged:
        return PatternTable()
    pack = args.packs / args.lang.split("-")[0] / "pack.toml"
    language = read_language(pack) if pack.is_file() else None
    if language is None or not language.tag_classes:
        return UNIVERSAL
    classes, patterns = language.tag_classes, []
    for pattern in language.patterns.values():
        if len(pattern.parts) == 2 and pattern.join == " ":
            patterns.append(TagPattern(pattern.id, tuple(pattern.parts)))
        elif len(pattern.parts) == 2 and "prep" in classes and pattern.join.startswith(" "):
            parts = (pattern.parts[0], "prep", pattern.parts[1])
            patterns.append(TagPattern(pattern.id, parts, tuple(pattern.join.split())))
    return PatternTable(classes, (*patterns, TagPattern("hyphenated", ("noun",))))


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


@command(
    path("stores", "STORE", "stores made without --min-count", nargs="+"),
    out("folder to write", "STORE"),
    number("--min-count", 1, "leave out what is rarer in all together"),
    number("--workers", 2, "threads"),
)
def run_merge(args: argparse.Namespace) -> int:
    """Add stores up into one.

    Examples:
        ncimp corpus merge part-1 part-2 --out stats --min-count 2
    """
    require_corpus_extra()
    from ncimp.corpus_stats.counting.merging import merge_stores

    _print_summary(merge_stores(args.stores, args.out, min_count=args.min_count, workers=args.workers), args.out)
    return 0


def _print_summary(header: StoreHeader, store: Path) -> None:
    lines = [f"{store}: {header.sentences} sentences from {len(header.sources)} file(s)"]
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
    sys.stderr.writelines(f"{line}\n" for line in lines)
