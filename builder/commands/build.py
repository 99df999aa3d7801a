"""Build the release: select, fill, validate and write ./ncimp from the language packs.

A stage whose inputs, options and code have not changed is not run again. The old release stays in
its place until the new one is whole.

Examples:
    ncimp build
    ncimp build --lang pt --out /tmp/check/ncimp
    ncimp build --packs my-packs --lang gl --out my-release/ncimp
    ncimp build --benchmark NCTTI=nctti.tsv:compound --benchmark other=other-compounds.txt
    ncimp build --scores scores/scores.tsv --annotations scores/annotations.jsonl
    ncimp build --lang en --frequencies ukwac-stats --pool attested
    ncimp build --lang pt --stats pt-stats
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from ncimp.builder.config import BuildOptions, Matching, Pool
from ncimp.schemas.errors import UsageError

if TYPE_CHECKING:
    from ncimp.builder.sources.figures.compounds import Benchmark, HumanScores

VERSION = re.compile(r"\d+\.\d+\.\d+")


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    defaults = BuildOptions()
    parser.add_argument("--lang", nargs="+", metavar="CODE", help="languages to build (default: every pack)")
    parser.add_argument("--packs", type=Path, metavar="DIR", help="folder of language packs (default: the project's)")
    parser.add_argument(
        "--out", type=Path, default=Path("ncimp"), metavar="DIR", help="release folder (default: ncimp)"
    )
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="work folder (default: .ncimp-work beside the release)"
    )
    parser.add_argument("--release", default=defaults.release, metavar="X.Y.Z", help="version of the data")
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="languages to work on at a time, each in a process (default: all, as far as there are cores); same bytes",
    )
    parser.add_argument("--seed", default=defaults.seed, help="first part of every keyed hash (default: ncimp)")
    parser.add_argument(
        "--benchmark",
        action="append",
        default=[],
        metavar="NAME=FILE[:COLUMN]",
        help="mark the compounds that another benchmark holds; FILE has one a line, or in a column of a table",
    )
    _register_scores(parser.add_argument_group("human scores"))
    _register_randoms(parser.add_argument_group("random compounds"), defaults)


def _register_scores(group: argparse._ArgumentGroup) -> None:
    """Add the options that say what people judged."""
    group.add_argument(
        "--scores", type=Path, nargs="+", default=[], metavar="FILE", help="scores.tsv of `ncimp annotate scores`"
    )
    group.add_argument(
        "--annotations",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="annotations.jsonl of `ncimp annotate scores`: the judgements become a table of the release",
    )
    group.add_argument(
        "--allow-simulated", action="store_true", help="take what a program answered; the release says so everywhere"
    )


def _register_randoms(group: argparse._ArgumentGroup, defaults: BuildOptions) -> None:
    """Add the options that say what random compounds are drawn from and matched in."""
    group.add_argument(
        "--frequencies",
        type=Path,
        nargs="+",
        default=[],
        metavar="STORE",
        help="statistics made by `ncimp stats count`, at most one per language (default: the lists of wordfreq)",
    )
    group.add_argument(
        "--stats",
        type=Path,
        nargs="+",
        default=[],
        metavar="STORE",
        help="the same, but only for the counts and PPMI of compounds: a corpus may then lack some of the words",
    )
    group.add_argument(
        "--pool",
        choices=get_args(Pool),
        default=defaults.pool,
        help="words of the lexicon put together, or compounds counted in the store (default: %(default)s)",
    )
    group.add_argument(
        "--match",
        choices=get_args(Matching),
        default=defaults.match,
        help="match each component's frequency, or the mean alone, as published (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Build and say where the release is and how to load it; return 0."""
    from ncimp.builder.build.stages import Build, build_release

    packs = args.packs or default_packs()
    out = args.out.resolve()
    work = (args.work or out.parent / ".ncimp-work").resolve()
    if not VERSION.fullmatch(args.release):
        raise UsageError(f"{args.release!r} is no version", fix="give three numbers, such as 1.0.0")
    if args.workers is not None and args.workers < 1:
        raise UsageError(f"--workers {args.workers} can do nothing", fix="give a number above 0")
    for folder in (out, work):
        _check_folder(folder)
    langs = languages(args.lang, packs)
    build = Build(
        langs=langs,
        packs=packs,
        out=out,
        work=work,
        options=BuildOptions(release=args.release, seed=args.seed, pool=args.pool, match=args.match),
        stores=_stores(args, langs),
        counts_only=bool(args.stats),
        benchmarks=_benchmarks(args.benchmark),
        workers=min(len(langs), cores()) if args.workers is None else args.workers,
        human=_human(args, langs),
    )
    _check_target(out)
    folder = build_release(build, _report)
    sys.stderr.writelines(_counted_lines(folder, build.stores))
    sys.stdout.write(f"release: {folder}\nload it: {loading_line(folder)}\n")
    return 0


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1


def _stores(args: argparse.Namespace, langs: tuple[str, ...]) -> dict[str, Path]:
    """Return the statistics store by language, or raise `UsageError` where an attested pool lacks its counts."""
    if args.stats and (args.frequencies or args.pool == "attested"):
        fix = "name the store with --frequencies, which fills the counts, too"
        raise UsageError("--stats does not go with --frequencies and --pool attested", fix=fix)
    if not (args.frequencies or args.stats) and args.pool == "composed":
        return {}
    from ncimp.builder.sources.figures.frequencies import stores_by_language

    stores = stores_by_language(args.frequencies or args.stats, langs)
    bare = [lang for lang in langs if lang not in stores]
    if args.pool == "attested" and bare:
        fix = "name a statistics store of each with --frequencies (see docs/how-to/count-a-corpus.md), or leave it out"
        raise UsageError(f"--pool attested needs counts of {', '.join(bare)}", fix=fix)
    return stores


def _human(args: argparse.Namespace, langs: tuple[str, ...]) -> HumanScores:
    """Return the files of human scores after reading them once, so that what is wrong with one is told at once."""
    from ncimp.builder.sources.figures.compounds import HumanScores, read_annotations, read_scores

    human = HumanScores(tuple(args.scores), tuple(args.annotations), args.allow_simulated)
    read_scores(human, langs)
    read_annotations(human, langs)
    return human


def _counted_lines(folder: Path, stores: Iterable[str]) -> Iterator[str]:
    """Yield, of each language with a store, how many compounds have a count and PPMI, and how many cells are empty."""
    from ncimp.schemas.arrow import read_parquet

    rows = [row for path in sorted((folder / "compounds").glob("*.parquet")) for row in read_parquet(path)]
    for lang in stores if rows else ():
        mine = [row for row in rows if row["lang"] == lang]
        unseen = sum(row["compound_count"] == 0 for row in mine)
        bare = sum(row["compound_count"] is None for row in mine)
        ppmi = sum(row["ppmi"] is not None for row in mine)
        yield (
            f"{lang}: {len(mine) - bare - unseen} of {len(mine)} compounds occur in the counts, {unseen} do not, and "
            f"{bare} of other than one or two words have no count; {ppmi} have a PPMI, "
            f"{len(mine) - ppmi} cells are empty\n"
        )


def _benchmarks(asked: list[str]) -> tuple[Benchmark, ...]:
    """Return the benchmarks *asked* for, or raise `UsageError` for one that is misspelt, repeated or has no file."""
    from ncimp.builder.sources.figures.compounds import parse_benchmark

    found: dict[str, Benchmark] = {}
    for text in asked:
        benchmark = parse_benchmark(text)
        if benchmark is None or benchmark.name in found:
            what = f"--benchmark {text!r} is {'no NAME=FILE' if benchmark is None else 'named twice'}"
            raise UsageError(what, fix="write NAME=FILE or NAME=FILE:COLUMN, each name once")
        if not benchmark.path.is_file():
            raise UsageError(f"--benchmark {benchmark.name}: no file {benchmark.path}", fix="check the path")
        found[benchmark.name] = benchmark
    return tuple(found.values())


def default_packs() -> Path:
    """Return the folder of the packs that come with the project."""
    from ncimp.builder.sources.packs.packs import packs_folder

    return packs_folder()


def languages(wanted: list[str] | None, packs: Path) -> tuple[str, ...]:
    """Return the languages *wanted*, or all that *packs* has; raise `UsageError` for one without a pack."""
    from ncimp.builder.sources.packs.packs import pack_names

    known = pack_names(packs)
    if not known:
        raise UsageError(f"no language pack in {packs}", fix="give a folder with --packs")
    for lang in wanted or ():
        if lang not in known:
            fix = f"use {', '.join(known)}, or see docs/how-to/new-language.md"
            raise UsageError(f"no language pack {lang!r} in {packs}", fix=fix)
    return tuple(dict.fromkeys(wanted or known))


def loading_line(folder: Path) -> str:
    """Return the one line of Python that loads the release in *folder*."""
    name = folder.name if folder.parent == Path.cwd() else str(folder)
    return f'from datasets import load_dataset; pairs = load_dataset("{name}")'


def _check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be made because a file stands in its way."""
    for place in folder.parents:
        if place.exists() and not place.is_dir():
            raise UsageError(f"{place} is a file, so {folder} cannot be made", fix="name another folder")


def _check_target(out: Path) -> None:
    """Refuse to replace a folder that is not a release."""
    from ncimp.builder.release.write import is_release

    if out.is_file() or (out.is_dir() and any(out.iterdir()) and not is_release(out)):
        raise UsageError(f"{out} is there and is not a release", fix="name another folder with --out, or move it away")


def _report(stage: str, reused: bool) -> None:
    sys.stderr.write(f"{stage}: {'up to date' if reused else 'running'}\n")
