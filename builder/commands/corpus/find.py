"""The actions that look up and find: counts of pairs, the pairs that rank highest, candidates, sentences."""

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ncimp.builder.commands import options
from ncimp.builder.commands.corpus import LICENCE, READING, format_of, new_problems, reading_of
from ncimp.builder.commands.options import JSON_ROWS, PACKS, Option, command, flag, number, option, path, print_json
from ncimp.builder.records import Compound, CorpusContext
from ncimp.builder.selection.words import zipf_of
from ncimp.builder.sources.frequencies import WordfreqTable
from ncimp.builder.sources.packs.forms import Speller
from ncimp.builder.sources.packs.packs import read_pack
from ncimp.corpus_stats.contexts.run import search_files
from ncimp.corpus_stats.contexts.sample import KEPT, REASONS, ContextFilter, ContextSample, PhraseIndex
from ncimp.corpus_stats.contexts.search import Search
from ncimp.corpus_stats.readers.formats import expanded
from ncimp.corpus_stats.store.store import RANKINGS, Candidate, Counts, StatisticsStore
from ncimp.corpus_stats.words import LAYERS, normal_form
from ncimp.schemas import NOT_APPLICABLE, Place, Row, SourceError, UsageError, read_text, write_jsonl
from ncimp.schemas.records import columns, is_header, read_records, to_row

FILTERS = [reason for reason in REASONS if reason != "length"]
NAMED = 20  # compounds without a sentence that are named; the others are counted
PIPE_WIDTH = 210  # columns of the printed table when no terminal tells its width: enough for one line a row
TABLE_PLACES, LIST_PLACES = 2, 4  # decimals of the printed table and of the list of candidates; `--json` has them all
MADE = "statistics made by `ncimp corpus count`"
MEASURES = ("pmi", "ppmi", "t_score", "log_likelihood", "dice", "chi_square")
TOP_COLUMNS = ("text", "count", "first_count", "second_count", *MEASURES)


@command(
    option("pairs", 'two words in one argument: "eager beaver"', nargs="+", metavar="PAIR"),
    path("--stats", "STORE", MADE),
    option("--lang", "language id; needed without --stats"),
    JSON_ROWS,
)
def run_show(args: argparse.Namespace) -> int:
    """Print counts, Zipf values and measures of association of word pairs, as written (surface) and by lemma.

    Without --stats it prints the Zipf values of the package wordfreq, which knows no pairs: their cells are empty.

    Examples:
        ncimp corpus show "eager beaver" --stats stats
        ncimp corpus show "eager beaver" --lang en --json
    """
    for pair in args.pairs:
        if len(pair.split()) != 2:
            fix = 'name two words in one argument: ncimp corpus show "eager beaver"'
            raise UsageError(f"{pair!r} is not a pair of words", fix=fix)
    pairs = [[normal_form(word) for word in pair.split()] for pair in args.pairs]
    rows = _wordfreq_rows(pairs, args.lang) if args.stats is None else _store_rows(pairs, args.stats, args.lang)
    if args.json:
        print_json(rows)
    else:
        _print_table(rows, columns("count"))
    return 0


def _store_rows(pairs: Iterable[list[str]], path: Path, lang: str | None) -> list[Row]:
    with StatisticsStore.open(path) as store:
        if lang not in (None, store.lang):
            fix = "leave --lang out, or count that language"
            raise UsageError(f"{path} counts {store.lang!r}, not {lang!r}", fix=fix)
        for layer in LAYERS:
            if layer not in store.layers:
                sys.stderr.write(f"{path}: the {layer} layer is empty (format {store.header.corpus_format!r})\n")
        counts = Counts((store,))
        return [asdict(counts.pair(first, second, layer)) for first, second in pairs for layer in store.layers]


def _wordfreq_rows(pairs: Iterable[list[str]], lang: str | None) -> list[Row]:
    if lang is None:
        raise UsageError("the language is missing", fix="name it with --lang, or a corpus of your own with --stats")
    table = WordfreqTable(lang)
    rows: list[Row] = []
    for pair in pairs:
        row: Row = dict.fromkeys(columns("count")) | {"lang": lang, "layer": "surface", "source": table.name}
        for name, word in zip(("first", "second"), pair, strict=True):
            zipf = zipf_of(table, word)
            row |= {name: word, f"{name}_zipf": None if zipf is None else round(zipf, TABLE_PLACES)}
        rows.append(row)
    return rows


def _print_table(rows: Iterable[Row], names: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for column in names:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(_cell(row[column], TABLE_PLACES) for column in names))
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    Console(width=width, markup=False, emoji=False, highlight=False).print(table)


def _cell(value: Any, places: int) -> str:
    if isinstance(value, float):
        return f"{value:.{places}f}"
    return "" if value is None else str(value)


def ranking(limit: int) -> tuple[Option, ...]:
    """Return the options that choose and rank candidates."""
    return (
        option("--pattern", 'shape of parts of speech, such as "N N" or "N de N"', metavar="PATTERN"),
        option("--by", "rank by this", choices=RANKINGS, default="ppmi"),
        option("--layer", "words as written or lemmas (default: lemmas where there are)", choices=LAYERS),
        number("--min-count", 5, "leave rarer ones out"),
        number("--limit", limit, "print at most so many"),
    )


def _ranked(args: argparse.Namespace, counts: Counts) -> list[Candidate]:
    pattern = None if args.pattern is None else "_".join(args.pattern.split())
    args.layer = args.layer or ("lemma" if "lemma" in counts.layers else "surface")
    return counts.top(pattern=pattern, layer=args.layer, by=args.by, min_count=args.min_count, limit=args.limit)


@command(path("--stats", "STORE", MADE, required=True), *ranking(20))
def run_top(args: argparse.Namespace) -> int:
    """Print the pairs of a store that rank highest by a measure; `ncimp corpus pairs` has more columns and examples.

    Examples:
        ncimp corpus top --stats stats --by ppmi --min-count 20
    """
    with StatisticsStore.open(args.stats) as store:
        rows = _ranked(args, Counts((store,)))
    _print_table(map(asdict, rows), TOP_COLUMNS)
    return 0


@command(
    path("stores", "STORE", MADE, nargs="+"),
    *ranking(1000),
    JSON_ROWS,
    option("--corpus", "corpus from which to take an example of each", nargs="+", metavar="PATH"),
    PACKS,
    READING,
)
def run_pairs(args: argparse.Namespace) -> int:
    """List the strongest candidates for compounds of a counted corpus: the start of a new language.

    Each row has the counts of the candidate and of its two words, PPMI and the other measures of association, and, with
    --corpus, a sentence with it. Several stores of a language are taken together. `--pattern` needs counts by part of
    speech; without it every adjacent pair is a candidate. Columns: `schemas/tables/candidate.schema.json`; `_` stands
    for an empty cell.

    Examples:
        ncimp corpus pairs stats --min-count 10 --limit 2000 > candidates.tsv
        ncimp corpus pairs wiki news --pattern "N N" --by log_likelihood --json
        ncimp corpus pairs stats --corpus gl-wiki.conllu.gz --limit 500 > candidates.tsv
    """
    with ExitStack() as stack:
        counts = Counts(tuple(stack.enter_context(StatisticsStore.open(path)) for path in args.stores))
        candidates = _ranked(args, counts)
        if args.corpus:
            candidates = _with_examples(candidates, args, counts)
    rows = map(to_row, candidates)
    if args.json:
        print_json(rows)
        return 0
    names = columns("candidate")
    cells = ([" ".join(_cell(row[name], LIST_PLACES).split()) or NOT_APPLICABLE for name in names] for row in rows)
    sys.stdout.writelines("\t".join(line) + "\n" for line in (names, *cells))
    return 0


def _with_examples(rows: list[Candidate], args: argparse.Namespace, counts: Counts) -> list[Candidate]:
    """Return *rows* with a sentence of each: the one whose keyed hash is smallest among those that fit."""
    args.lang = counts.lang
    index = PhraseIndex({row.text: [row.text.split(" ")] for row in rows})
    corpus_format, problems = format_of(args, args.corpus), new_problems(args)
    search = Search(index, corpus_format, reading_of(args), 1, layer=args.layer)
    sample = search_files(search, expanded(args.corpus, corpus_format), problems)
    sys.stderr.writelines(f"{line}\n" for line in problems.summary())
    examples = [next(iter(sample.of(row.text)), None) for row in rows]
    return [
        replace(row, example=example.text, example_document=example.place.document or None) if example else row
        for row, example in zip(rows, examples, strict=True)
    ]


@command(
    path("--compounds", "FILE", "compounds.tsv, or one a line", required=True),
    option("--corpus", "files, folders, globs, hf:NAME, or - for stdin", required=True, nargs="+", metavar="PATH"),
    options.out("JSON lines to write", "FILE"),
    option("--lang", "language id of the pack, such as en or pt", required=True),
    PACKS,
    LICENCE,
    flag("--stand-off", "write places only, no text"),
    number("--workers", 1, "files read at a time"),
    options.group(
        "which sentences",
        number("--per-compound", 20, "at most K each", metavar="K"),
        options.seed("another sample", "0"),
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
    if path.suffix == ".tsv" and is_header(lines[0].split("\t"), "pack_compound"):
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
