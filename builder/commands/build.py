"""Build the release: select, fill, validate and write ./ncimp from the language packs.

A stage runs again only when its inputs, options or code have changed. The old release stays in its place until the new
one is whole. Another build in the same work folder waits until this one has ended.

Examples:
    ncimp build
    ncimp build --lang pt --out /tmp/check/ncimp
    ncimp build --packs my-packs --lang gl --out my-release/ncimp
    ncimp build --benchmark NCTTI=nctti.tsv:compound --benchmark other=other-compounds.txt
    ncimp build --scores scores/scores.tsv --annotations scores/annotations.jsonl
    ncimp build --lang en --frequencies ukwac-stats --pool attested
    ncimp build --lang pt --stats pt-stats
"""

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import get_args

from ncimp.builder.build.stages import Build, build_release
from ncimp.builder.commands.options import (
    PACKS,
    Option,
    command,
    flag,
    group,
    langs,
    number,
    option,
    out,
    path,
    say_waiting,
    seed,
)  # fmt: skip
from ncimp.builder.config import BuildOptions, Matching, Pool
from ncimp.builder.release.write import is_release
from ncimp.builder.sources import compounds
from ncimp.builder.sources.frequencies import stores_by_language
from ncimp.builder.sources.packs.packs import languages
from ncimp.schemas import UsageError
from ncimp.schemas.arrow import read_parquet

DEFAULTS = BuildOptions()
BENCHMARK = "mark the compounds of another benchmark; FILE has one a line, or in a column of a table"
STORES = "stores of `ncimp corpus count`, at most one per language (default: lists of wordfreq)"
POOL = "words of the lexicon put together, or compounds counted in the store"
MATCH = "match each component's frequency, or the mean alone, as published"


def _files(name: str, metavar: str, text: str) -> Option:
    return path(name, metavar, text, nargs="+", default=[])


@command(
    langs("languages to build (default: every pack)"),
    PACKS,
    out("release folder", default="ncimp"),
    path("--work", "DIR", "work folder (default: .ncimp-work beside the release)"),
    option("--as-version", "version of the data", default=DEFAULTS.release, metavar="X.Y.Z"),
    number("--workers", None, "languages built at a time, each in a process (default: all, as far as there are cores)"),
    seed(),
    flag("--withhold", "leave published text out, which may not be passed on, so that the release can be published"),
    option("--benchmark", BENCHMARK, action="append", default=[], metavar="NAME=FILE[:COLUMN]"),
    group(
        "human scores",
        _files("--scores", "FILE", "scores.tsv of `ncimp annotate scores`"),
        _files("--annotations", "FILE", "its annotations.jsonl: the judgements become a table of the release"),
        flag("--allow-simulated", "accept simulated answers; the release says so everywhere"),
    ),
    group(
        "random compounds",
        _files("--frequencies", "STORE", STORES),
        _files("--stats", "STORE", "the same for counts and PPMI of compounds alone: some of the words may be missing"),
        option("--pool", POOL, choices=get_args(Pool), default=DEFAULTS.pool),
        option("--match", MATCH, choices=get_args(Matching), default=DEFAULTS.match),
    ),
)
def run(args: argparse.Namespace) -> int:
    """Build, and print the path of the release and the line that loads it; return 0."""
    out = args.out.resolve()
    work = (args.work or out.parent / ".ncimp-work").resolve()
    if not re.fullmatch(r"\d+\.\d+\.\d+", args.as_version):
        raise UsageError(f"--as-version must be three numbers such as 1.0.0, got {args.as_version}")
    for folder in (out, work):
        file = next((parent for parent in folder.parents if parent.exists() and not parent.is_dir()), None)
        if file is not None:
            raise UsageError(f"{file} is a file, so {folder} cannot be created", fix="name another folder")
    if out.is_file() or (out.is_dir() and any(out.iterdir()) and not is_release(out)):
        raise UsageError(f"{out} exists and is not a release", fix="name another folder with --out, or move it away")
    langs = languages(args.lang, args.packs)
    human = compounds.HumanScores(tuple(args.scores), tuple(args.annotations), args.allow_simulated)
    compounds.read_scores(human, langs)  # so that a wrong file is reported before the build
    compounds.read_annotations(human, langs)
    build = Build(
        langs=langs,
        packs=args.packs,
        out=out,
        work=work,
        options=BuildOptions(release=args.as_version, seed=args.seed, pool=args.pool, match=args.match),
        stores=_stores(args, langs),
        counts_only=bool(args.stats),
        benchmarks=compounds.benchmarks_of(args.benchmark),
        withhold=args.withhold,
        workers=args.workers or min(len(langs), cores()),
        human=human,
    )
    folder = build_release(build, _report, say_waiting(f"uses the work folder {work}"))
    if build.stores:
        sys.stderr.writelines(_counted_lines(folder, build.stores))
    sys.stdout.write(f"release: {folder}\nload it: {loading_line(folder)}\n")
    return 0


def _report(stage: str, reused: bool) -> None:
    sys.stderr.write(f"{stage}: {'up to date' if reused else 'running'}\n")


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1


def _stores(args: argparse.Namespace, langs: Sequence[str]) -> dict[str, Path]:
    """Return the statistics store by language, or raise `UsageError` where an attested pool lacks its counts."""
    if args.stats and (args.frequencies or args.pool == "attested"):
        fix = "name the store with --frequencies, which fills the counts too"
        raise UsageError("--stats cannot be combined with --frequencies or --pool attested", fix=fix)
    stores = stores_by_language(args.frequencies or args.stats, langs)
    missing = [lang for lang in langs if lang not in stores]
    if args.pool == "attested" and missing:
        fix = "name a statistics store of each with --frequencies (see docs/how-to/count-a-corpus.md), or leave it out"
        raise UsageError(f"--pool attested needs counts of {', '.join(missing)}", fix=fix)
    return stores


def _counted_lines(folder: Path, stores: Iterable[str]) -> Iterator[str]:
    rows = [row for path in sorted((folder / "compounds").glob("*.parquet")) for row in read_parquet(path)]
    for lang in stores if rows else ():
        mine = [row for row in rows if row["lang"] == lang]
        unseen = sum(row["compound_count"] == 0 for row in mine)
        bare = sum(row["compound_count"] is None for row in mine)
        ppmi = sum(row["ppmi"] is not None for row in mine)
        yield (
            f"{lang}: {len(mine) - bare - unseen} of {len(mine)} compounds occur in the counts, {unseen} do not, and "
            f"{bare} of other than one or two words have no count; {ppmi} have a PPMI, {len(mine) - ppmi} cells are "
            "empty\n"
        )


def loading_line(folder: Path) -> str:
    """Return the one line of Python that loads the release in *folder*."""
    name = folder.name if folder.parent == Path.cwd() else str(folder)
    return f'from datasets import load_dataset; pairs = load_dataset("{name}")'
