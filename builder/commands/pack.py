"""Work on a language pack: begin and draft it, check it, split it, edit its lexicon, record readings, count compounds.

Examples:
    ncimp pack new gl --name Galician --packs my-packs
    ncimp pack forms gl --packs my-packs --morphology gl-es.automorf.bin
    ncimp pack check gl --packs my-packs
    ncimp pack split pt
    ncimp pack lexicon dump builder/languages/pt/lexicon.xml lexicon.tsv
    ncimp pack readings pt verdicts.tsv
    ncimp pack counts en eltec-eng=eltec-eng.txt.xz
    ncimp pack benchmarks en NCTTI=data_en.tsv:compound
"""

import argparse
import sys
from collections import Counter
from dataclasses import replace
from itertools import chain
from pathlib import Path

from ncimp.builder.build.progress import SHEET, follows_from_missing_forms, left_to_do, sheet, unfilled, without_forms
from ncimp.builder.commands.corpus import READING, format_of, new_problems, reading_of
from ncimp.builder.commands.options import DATA, PACKS, RELEASE, command, flag, option, path, seed
from ncimp.builder.commands.validate import print_incidents
from ncimp.builder.records import Membership, texts_to_read
from ncimp.builder.release.tables import assign_splits
from ncimp.builder.selection.synonyms import Resources
from ncimp.builder.sources.compounds import benchmarks_of, read_benchmark
from ncimp.builder.sources.frequencies import NoFrequencies, count_compounds
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.lexicon_table import (
    component_words,
    read_lexicon,
    read_table,
    write_lexicon,
    write_table,
)
from ncimp.builder.sources.packs.packs import BENCHMARKS, CORPORA, COUNTS, READINGS, languages, read_pack, read_readings
from ncimp.builder.sources.thesauri.wn_lmf import WnSource
from ncimp.builder.validation.folder import read_content
from ncimp.builder.validation.validate import validate_pack
from ncimp.corpus_stats.readers.formats import Corpus, expanded
from ncimp.schemas import Place, UsageError, keyed_hash, write_tsv
from ncimp.schemas.records import columns, compound_key, to_row
from ncimp.schemas.release_folder import ReleaseFolder


@command(
    option("lang", "language codes (default: every pack)", nargs="*"),
    PACKS,
    path("--sheet", "FILE", "write a table of each determiner before phrases of each pattern, gender and sound"),
    flag("--json", "print one JSON object per incident, and nothing else"),
    DATA,
)
def run_check(args: argparse.Namespace) -> int:
    """Report the incidents of packs as a build does before it starts, and what is left to do, in order.

    Incidents are missing parts and faults of sentences; the exit code is 1 when one is not waived, and when a compound
    cannot be put into its sentences (the first of these that fails is named). Incidents that follow from missing forms
    are left out (but not with --json) until `ncimp pack forms` has been run. Whether all words of the sentences agree,
    and whether there are enough random compounds, only a build tells. Read the table of --sheet before sentences are
    written: what is wrong there will be wrong in each of them.

    Examples:
        ncimp pack check
        ncimp pack check gl --packs my-packs --sheet gl-sheet.tsv
    """
    packs = [read_pack(args.packs / lang) for lang in languages(args.lang, args.packs)]
    incidents = [row for pack in packs for row in validate_pack(pack)]
    without = set().union(*map(without_forms, packs)) if not args.json else ()
    shown = [row for row in incidents if not follows_from_missing_forms(row, without)]
    waived, others = print_incidents(shown, as_json=args.json)
    failing = 0
    for pack in packs:
        folder = args.packs / pack.language.code
        wordnet = WnSource(folder / "lexicon.xml", pack.language.lexicon, work=args.data)
        resources = Resources(pack, wordnet, PackMorphology(pack.forms, pack.language), NoFrequencies())
        faults = [f"does not fill: {reason}" for reason in unfilled(resources)]
        failing += len(faults)
        steps = left_to_do(resources, component_words(folder / "lexicon.xml")) if not args.json else ()
        stream = sys.stderr if args.json else sys.stdout
        stream.writelines(f"{pack.language.code}: {line}\n" for line in (*steps, *faults))
    if args.sheet:
        write_tsv(args.sheet, chain.from_iterable(map(sheet, packs)), SHEET)
    more = f"; {len(without)} compounds lack forms: run `ncimp pack forms` first" if without else ""
    sys.stderr.write(f"{others} incidents, {waived} waived{more}\n")
    return int(others + failing > 0 or len(shown) < len(incidents))


@command(
    option("lang", "language code of the pack"),
    PACKS,
    seed(),
    flag("--dry-run", "print the assignments, write nothing"),
)
def run_split(args: argparse.Namespace) -> int:
    """Record train, validation or test in splits.tsv for each compound without a split. Recorded splits never change.

    A later compound joins the split of its components; it goes to `bridge` when they are in two splits.

    Examples:
        ncimp pack split pt
        ncimp pack split gl --packs my-packs --dry-run
    """
    (lang,) = languages([args.lang], args.packs)
    pack = read_pack(args.packs / lang)
    assignments = assign_splits(pack.compounds, pack.splits, seed=args.seed)
    if args.dry_run:
        sys.stdout.writelines(f"{row.compound}\t{row.split}\n" for row in assignments)
    else:
        write_tsv(args.packs / lang / "splits.tsv", map(to_row, assignments), columns("split"))
    counts = sorted(Counter(row.split for row in assignments).items())
    shown = ", ".join(f"{count} {split}" for split, count in counts)
    sys.stderr.write(f"{lang}: {shown}; {len(assignments) - len(pack.splits)} new\n")
    return 0


@command(
    option("direction", "lexicon to table, or table to lexicon", choices=("dump", "make")),
    option("source", "file to read", type=Path),
    option("target", "file to write", type=Path),
)
def run_lexicon(args: argparse.Namespace) -> int:
    """Turn a lexicon.xml into a table for editing (`dump`), or a table into a lexicon.xml (`make`).

    `make` keeps the header of the lexicon.xml that it replaces: id, licence, version.

    Examples:
        ncimp pack lexicon dump builder/languages/pt/lexicon.xml lexicon.tsv
        ncimp pack lexicon make lexicon.tsv builder/languages/pt/lexicon.xml
    """
    if args.direction == "dump":
        write_table(args.target, read_lexicon(args.source)[1])
    else:
        rows = read_table(args.source)
        write_lexicon(args.target, read_lexicon(args.target)[0], rows)
    return 0


@command(
    option("lang", "language code of the pack"),
    option("verdicts", "table with the columns of readings.tsv, or JSON lines with these names", type=Path),
    PACKS,
    RELEASE,
)
def run_readings(args: argparse.Namespace) -> int:
    """Append the verdicts of a reader to readings.tsv of a pack; the hash of what was read is taken from the release.

    A verdict that names no item or compound of the release, or not its family, is refused.

    Examples:
        ncimp pack readings pt verdicts.tsv
        ncimp pack readings en blind-1.jsonl --release ncimp
    """
    (lang,) = languages([args.lang], args.packs)
    tables = read_content(ReleaseFolder(args.release)).tables.of(lang)
    texts = texts_to_read((*tables.items, *tables.literal), tables.examples, tables.senses)
    new = []
    for row in read_readings(args.verdicts, filled=False):
        if (row.item, row.family) not in texts:
            what = f"{row.item!r} is no item or compound of {args.release} with the family {row.family!r}"
            raise UsageError(what, fix="see `ncimp show --form`", place=Place(str(args.verdicts)))
        new.append(replace(row, text=texts[row.item, row.family]))
    table = args.packs / lang / READINGS
    old = read_readings(table) if table.is_file() else ()
    write_tsv(table, map(to_row, (*old, *new)), columns("reading"))
    sys.stderr.write(f"{lang}: {len(new)} verdicts, {sum(row.verdict == 'fault' for row in new)} of them faults\n")
    return 0


@command(
    option("lang", "language code of the pack"),
    option(
        "benchmarks",
        "other benchmarks with their files, one compound a line or in a column of a table; a part stands behind a dot",
        nargs="+",
        metavar="NAME[.PART]=FILE[:COLUMN]",
    ),
    PACKS,
)
def run_benchmarks(args: argparse.Namespace) -> int:
    """Write into benchmarks.tsv which compounds of a pack other benchmarks hold, as your copies of these tell.

    Nothing but the names of the benchmarks is kept, in the column `benchmarks` of a release. Rows of benchmarks that
    are not named stay.

    Examples:
        ncimp pack benchmarks en NCTTI=data_en.tsv:compound AStitch.train=train.csv:MWE AStitch.dev=dev.csv:MWE
    """
    (lang,) = languages([args.lang], args.packs)
    pack = read_pack(args.packs / lang)
    of = {one.name: read_benchmark(one) for one in benchmarks_of(args.benchmarks)}
    rows = {(row.compound, row.benchmark) for row in pack.memberships if row.benchmark not in of}
    rows |= {(row.text, name) for row in pack.compounds for name, keys in of.items() if compound_key(row.text) in keys}
    order = {row.text: number for number, row in enumerate(pack.compounds)}
    table = (Membership(*row) for row in sorted(rows, key=lambda row: (order[row[0]], row[1])))
    write_tsv(args.packs / lang / BENCHMARKS, map(to_row, table), columns("membership"))
    counts = Counter(name for _, name in rows)
    sys.stderr.write(f"{lang}: {', '.join(f'{counts[name]} in {name}' for name in sorted(counts))}\n")
    return 0


@command(
    option("lang", "language code of the pack"),
    option(
        "corpora",
        "each corpus of corpora.tsv with its files: a glob stands for several",
        nargs="+",
        metavar="NAME=PATH",
    ),
    PACKS,
    READING,
)
def run_counts(args: argparse.Namespace) -> int:
    """Count the compounds of a pack in the corpora of its corpora.tsv, and write counts.tsv and the sizes of these.

    It is to be run again when compounds or their forms have changed. A compound is counted in every form, with a
    hyphen, too; a component in all forms of forms.tsv, whatever they are there.

    Examples:
        ncimp pack counts en eltec-eng=eltec-eng.txt.xz masc=masc_tagged.zip "ud-en-ewt=en_ewt-ud-*.conllu"
    """
    (lang,) = languages([args.lang], args.packs)
    pack, paths = read_pack(args.packs / lang), dict(text.partition("=")[::2] for text in args.corpora)
    names = [row.corpus for row in pack.counted]
    if set(paths) != set(names):
        what = f"the corpora of {args.packs / lang / CORPORA} are {', '.join(names) or 'none'}, not {', '.join(paths)}"
        raise UsageError(what, fix="name each once, or write its row with _ for the hash, 0 for words and pairs")
    corpora = [row for row in pack.corpora if row not in pack.counted]
    counts, problems = [], new_problems(args)
    for row in pack.counted:
        files = expanded([paths[row.corpus]], format_of(args, [paths[row.corpus]]))
        read = [Corpus(file, format_of(args, [file]), reading_of(args), problems) for file in files]
        facts, rows = count_compounds(pack, row, chain.from_iterable(corpus.sentences() for corpus in read))
        hashes = sorted(corpus.facts.sha256 for corpus in read)
        corpora.append(replace(facts, sha256=hashes[0] if len(hashes) == 1 else keyed_hash(*hashes)))
        counts += rows
    write_tsv(args.packs / lang / CORPORA, map(to_row, corpora), columns("counted_corpus"))
    write_tsv(args.packs / lang / COUNTS, map(to_row, counts), columns("compound_count"))
    number = len({row.compound for row in counts if row.count})
    sys.stderr.write(f"{lang}: {number} of {len(pack.compounds)} compounds occur\n")
    return 0
