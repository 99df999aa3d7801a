r"""Every figure of how close the builder comes to the experts, on the dev half, beside what is to be reached.

Gold and WordNets are read from `--shared`. Thesauri are not among them; name them, or the figures that need them
are said to be missing. `--check` ends with 1 when a figure that could be measured misses its target; `--write` puts
the table into the documentation.

    PYTHONPATH=src python bench/linguistics.py --shared ../shared --check
    PYTHONPATH=src python bench/linguistics.py --mythes-pt-pt th_pt_PT_v2.dat --mythes-pt-br th_pt_BR.dat \
        --write docs/reference/linguistics.md
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import linguistics_randoms as randoms
import linguistics_repair as repair
import linguistics_synonyms as synonyms
import linguistics_validator as validator

from ncimp.builder.build.resources import LanguageResources
from ncimp.builder.cli import main as ncimp
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.builder.sources.registry import data_folder
from ncimp.schemas.files import read_text, write_text

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
PLURALS = ("nc", "comp_head", "head_syn", "words_syn")
"""The columns of plurals that the published figures are of: compounds, components and their synonyms."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: what was measured, on how many, the figure and its target as they are shown."""

    task: str
    items: int
    shown: str
    target: str
    met: bool | None
    """None where nothing is to be reached."""


def main() -> int:
    """Print the table; return 1 where `--check` finds a target missed."""
    args = parse()
    found = [*repaired(args), *filled(args), *inflected(args), *similar(args), *matched(args), *validated(args)]
    lines = table(found)
    sys.stdout.write("\n".join(lines) + "\n")
    if args.write:
        before, _, rest = read_text(args.write).partition(BEGIN)
        write_text(args.write, "\n".join([before + BEGIN, "", *lines, "", END + rest.partition(END)[2]]))
    missed = [figure.task for figure in found if figure.met is False]
    if args.check and missed:
        sys.stderr.write(f"missed: {', '.join(missed)}\n")
        return 1
    return 0


def parse() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the development data")
    parser.add_argument("--data", type=Path, help="where lexicons are kept (default: the user's cache)")
    parser.add_argument("--parser", metavar="NAME|FOLDER", help="a spaCy pipeline for far agreement")
    parser.add_argument("--mythes-pt-pt", type=Path, metavar="PATH")
    parser.add_argument("--mythes-pt-br", type=Path, metavar="PATH")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table between the marks of this file")
    parser.add_argument("--check", action="store_true", help="end with 1 when a target is missed")
    return parser.parse_args()


def table(found: list[Figure]) -> list[str]:
    """Return the lines of the table as Markdown."""
    lines = ["| task | items | measured | to reach |", "| --- | ---: | --- | --- |"]
    for figure in found:
        target = figure.target + (" (missed)" if figure.met is False else "")
        lines.append(f"| {figure.task} | {figure.items:,} | {figure.shown} | {target} |")
    return lines


def share(
    task: str, items: int, exact: float, least: float | None, accepted: tuple[float, float | None] | None = None
) -> Figure:
    """Return a figure of shares, each with the least that is to be reached."""
    pairs = [(exact, least), *([accepted] if accepted else [])]
    shown = " / ".join(f"{100 * value:.1f} %" for value, _ in pairs)
    targets = [f"{100 * target:g} %" for _, target in pairs if target is not None]
    met = all(value >= target for value, target in pairs if target is not None) if targets else None
    return Figure(task, items, shown, " / ".join(targets), met)


def repaired(args: argparse.Namespace) -> Iterator[Figure]:
    """Yield the figures of repair: exact / accepted."""
    yield from _repaired(args, "", "")
    if args.parser:
        yield from _repaired(args, ", with a parser", "core", "--parser", args.parser)


def _repaired(args: argparse.Namespace, setting: str, only: str, *options: str) -> Iterator[Figure]:
    """Yield the figures whose names hold *only*, from one run with *options*, which *setting* names."""
    for name, (items, exact, accepted) in repair.figures(args.shared, *data_option(args), *options).items():
        if "category" not in name and only in name:
            least, least_accepted = repair.TARGETS.get(name, (None, None))
            yield share(f"repair, {name}{setting}", items, exact, least, (accepted, least_accepted))


def data_option(args: argparse.Namespace) -> list[str]:
    """Return the option of a task that names the folder of the lexicons, where one was named."""
    return ["--data", str(args.data)] if args.data else []


def scored(args: argparse.Namespace, task: str, gold: str, answer: str, *options: str) -> Mapping[str, Any]:
    """Return what the scorer says of one batch task on the rows of *gold* without their answers."""
    rows = [json.loads(line) for line in (args.shared / "gold" / gold).read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        asked, made = Path(folder) / "rows.jsonl", Path(folder) / "made.jsonl"
        bare = ({key: value for key, value in row.items() if key != answer} for row in rows)
        asked.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in bare), "utf-8")
        files = ["--input", str(asked), "--out", str(made)]
        if code := ncimp(["task", task, *data_option(args), *files]):
            raise SystemExit(code)
        known = args.shared / "gold"
        scorer = [sys.executable, known / "score.py", *options, made, known / gold, "--json"]
        done = subprocess.run(scorer, capture_output=True, text=True, check=True)  # noqa: S603
    result: Mapping[str, Any] = json.loads(done.stdout)
    return result


def filled(args: argparse.Namespace) -> Iterator[Figure]:
    """Yield the figures of neutral frames."""
    found = scored(args, "neutral", "dev_neutral_fill.jsonl", "sentence", "--task", "neutral")
    for lang in ("en", "pt"):
        yield share(f"neutral frames, {lang}", found[lang]["n"], found[lang]["exact"], None)


def inflected(args: argparse.Namespace) -> Iterator[Figure]:
    """Yield the figures of inflection."""
    found = scored(args, "inflect", "dev_inflection.jsonl", "output", "--task", "inflection")
    own = [f"en / plural:{name}" for name in PLURALS]
    yield _together("plural, en, compounds, components and synonyms", own, found, 0.98)
    names = sorted(name for name in found if name.startswith("pt / plural:"))
    yield _together("plural, pt", names, found, 0.985)


def _together(task: str, names: list[str], found: Mapping[str, Any], least: float) -> Figure:
    items = sum(found[name]["n"] for name in names)
    return share(task, items, sum(found[name]["n"] * found[name]["exact"] for name in names) / items, least)


def similar(args: argparse.Namespace) -> Iterator[Figure]:
    """Yield the figures of component synonyms; what needs a lexicon that is absent has no target."""
    wordnets = args.shared / "sources" / "wordnets"
    paths = {"oewn": wordnets / "oewn-2025.xml.xz", "omw-pt": wordnets / "omw-pt.xml.xz"}
    paths |= {"mythes-pt-pt": args.mythes_pt_pt, "mythes-pt-br": args.mythes_pt_br}
    data = data_folder(args.data)
    forms = {lang: LanguageResources(lang, packs_folder(), data).inflector for lang in ("en", "pt")}
    found, absent = synonyms.rows(args.shared / "gold", paths, forms, data)
    for row in found:
        if row.target is not None:
            lacking = set(synonyms.USED[row.lang]) & set(absent)
            note = f" (without {', '.join(sorted(lacking))})" if lacking else ""
            least = None if lacking else row.target / 100
            yield share(f"synonyms, {row.lang}, {row.name}{note}", row.items, row.percent / 100, least)


def matched(args: argparse.Namespace) -> Iterator[Figure]:
    """Yield how well random compounds can be matched: median / 90th percentile of the worse difference."""
    for lang in ("en", "pt"):
        rows = randoms.gold_rows(lang, args.shared / "gold" / "dev_random.jsonl")
        pool = {row["rand"].lower(): tuple(row["zipf_rand"]) for row in rows}
        pairs = [randoms.pair_of(text, zipfs) for text, zipfs in pool.items()]
        compounds = randoms.gold_compounds(rows)
        for name, matches in (
            ("nearest five of the experts' pool", randoms.bound(compounds, pairs)),
            ("drawn from the words of that pool", randoms.serve(compounds, randoms.composed(rows), "components")),
        ):
            ranked = sorted(match.worse for match in matches)
            median, high = (ranked[int(part * (len(ranked) - 1))] for part in (0.5, 0.9))
            met = round(median, 3) <= 0.06 and round(high, 3) <= 0.12
            yield Figure(f"randoms, {lang}, {name}", len(ranked), f"{median:.2f} / {high:.2f}", "0.06 / 0.12", met)


def validated(args: argparse.Namespace) -> Iterator[Figure]:
    """Yield precision / recall of the validator on planted errors."""
    for lang in ("en", "pt"):
        found = validator.measure(args.shared, lang, data=data_folder(args.data))
        recall = found.recall, 0.95
        yield share(f"validator, {lang}, precision / recall", found.planted.total(), found.precision, 0.97, recall)


if __name__ == "__main__":
    sys.exit(main())
