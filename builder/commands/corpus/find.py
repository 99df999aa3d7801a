"""The action that searches a corpus: find sentences with compounds."""

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ncimp.builder.commands.corpus import LICENCE, READING, format_of, new_problems, reading_of
from ncimp.builder.commands.options import PACKS, command, flag, group, number, option, out, path, seed
from ncimp.builder.records import Compound, CorpusContext
from ncimp.builder.sources.packs.forms import Speller
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.corpus_stats.contexts.run import search_files
from ncimp.corpus_stats.contexts.sample import KEPT, REASONS, ContextFilter, ContextSample, PhraseIndex
from ncimp.corpus_stats.contexts.search import Search
from ncimp.corpus_stats.readers.formats import expanded
from ncimp.schemas import Place, SourceError, UsageError, read_text, write_jsonl
from ncimp.schemas.records import columns, read_records, to_row

FILTERS = [reason for reason in REASONS if reason != "length"]
NAMED = 20  # compounds without a sentence that are named; the others are counted


@command(
    path("--compounds", "FILE", "compounds.tsv, or one a line", required=True),
    option("--corpus", "files, folders, globs, hf:NAME, or - for stdin", required=True, nargs="+", metavar="PATH"),
    out("JSON lines to write", "FILE"),
    option("--lang", "language id of the pack, such as en or pt", required=True),
    PACKS,
    LICENCE,
    flag("--stand-off", "write places only, no text"),
    number("--workers", 1, "files read at a time"),
    group(
        "which sentences",
        number("--per-compound", 20, "at most K each", metavar="K"),
        seed("another sample", "0"),
        option("--min-words", "shortest sentence", type=int, default=6, metavar="N"),
        option("--max-words", "longest sentence", type=int, default=40, metavar="N"),
        option("--allow", "filters that are not applied", nargs="+", default=(), choices=FILTERS),
    ),
    READING,
)
def run_find(args: argparse.Namespace) -> int:
    """Find sentences with compounds in a corpus: a fair sample of each, in one pass.

    The list is the `compounds.tsv` of a language pack, or has one compound a line. Each compound is searched in every
    inflected form that the pack knows, and with hyphens. Sentences are kept that have 6 to 40 words, are complete and
    hold the compound once and not in quotation marks; of two sentences of the same words one is kept. The sample does
    not depend on the order of the files. The state is saved in `<out>.parts`, so that a killed search resumes when it
    is called again.

    Examples:
        ncimp corpus find --lang en --compounds compounds.tsv --corpus "ukwac/*.xml.gz" --encoding latin-1 --out o.jsonl
        ncimp corpus find --lang pt --compounds list.txt --corpus hf:wikimedia/wikipedia:20231101.pt --out out.jsonl
        ncimp corpus find --lang pt --compounds nc.txt --corpus brwac.conll --stand-off --licence research --out o.jsonl
    """
    if args.min_words > args.max_words:
        raise UsageError("no sentence could be found this way", fix="ask for --min-words up to --max-words")
    if args.out.is_dir():
        raise UsageError(f"--out {str(args.out)!r} is a folder", fix="name a file in it")
    speller = Speller(read_pack(args.packs / args.lang))
    compounds = dict(_compounds(args.compounds))
    index = PhraseIndex({text: speller.spellings_of(text, compound) for text, compound in compounds.items()})
    corpus_format, problems = format_of(args, args.corpus), new_problems(args)
    conditions = ContextFilter(
        min_words=args.min_words,
        max_words=args.max_words,
        once="repeated" not in args.allow,
        complete="incomplete" not in args.allow,
        unquoted="quoted" not in args.allow,
    )
    search = Search(index, corpus_format, reading_of(args), args.per_compound, seed=args.seed, conditions=conditions)
    work = args.out.with_name(f"{args.out.name}.parts")
    sample = search_files(search, expanded(args.corpus, corpus_format), problems, work=work, workers=args.workers)
    rows = [
        CorpusContext(
            lang=args.lang,
            compound=text,
            matched=context.matched,
            file=context.place.file,
            document=context.place.document or None,
            position=context.place.position,
            text=None if args.stand_off else context.text,
            span=context.span,
            licence=args.licence,
        )
        for text in compounds
        for context in sample.of(text)
    ]
    write_jsonl(args.out, map(to_row, rows))
    shutil.rmtree(work, ignore_errors=True)
    lines = [*problems.summary(), *_summary(compounds, sample, len(rows), args.out)]
    sys.stderr.writelines(f"{line}\n" for line in lines)
    return 0


def _compounds(path: Path) -> Iterator[tuple[str, Compound | None]]:
    """Yield each compound of the file at *path*, with its row when it is a `compounds.tsv`."""
    lines = read_text(path).split("\n")
    if path.suffix == ".tsv" and lines[0].split("\t") == list(columns("pack_compound")):
        for _, row in read_records(path, Compound, "pack_compound"):
            yield row.text, row
        return
    lines_of: dict[str, int] = {}
    for line_number, line in enumerate(lines, start=1):
        text = " ".join(line.split())
        if not text or text.startswith("#"):
            continue
        place = Place(str(path), line_number)
        if "\t" in line:
            fix = "write one compound a line, or the columns of a compounds.tsv with their names"
            raise SourceError("more than one column", fix=fix, place=place)
        if lines_of.setdefault(text, line_number) != line_number:
            what = f"{text!r} stands in line {lines_of[text]} too"
            raise SourceError(what, fix="keep one of the two", place=place)
        yield text, None
    if not lines_of:
        raise SourceError("holds no compound", fix="write one a line", place=Place(str(path)))


def _summary(compounds: dict[str, Compound | None], sample: ContextSample, rows: int, out: Path) -> list[str]:
    counts = sum(sample.counts.values(), Counter[str]())
    rejected = ", ".join(f"{counts[reason]} {reason}" for reason in REASONS)
    without = [text for text in compounds if not sample.of(text)]
    more = f" and {len(without) - NAMED} more" if len(without) > NAMED else ""
    return [
        f"{out}: {rows} sentences of {len(compounds) - len(without)} of {len(compounds)} compounds",
        f"{sample.sentences} sentences read, {counts.total()} with a compound: {counts[KEPT]} fit, {rejected}",
        *([f"none found for: {', '.join(without[:NAMED])}{more}"] if without else ()),
    ]
