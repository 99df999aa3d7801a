"""Write a batch of judging tasks in the formats of a service, and print its cost.

Without --write nothing is written: the plan, the cost and the hourly wage are printed (a dry run). With it the
files go to --out, and still nothing is sent: `ncimp launch start`, or a person, does that. A batch asks about
the three naturalistic sentences of each compound, one by one (token) or together (type), with checks among them:
gold tasks (literal sentences) and attention tasks (random compounds). The same options give the same bytes.

Services: mturk (closed on 2026-09-30; servers that speak its protocol), turkle, label-studio, prolific.

Examples:
    ncimp annotate export --to turkle --mode token --per-item 10 --lang en
    ncimp annotate export --to turkle --mode token --per-item 10 --lang en --out batch-en --write
    ncimp annotate export --to mturk --mode type --per-item 9 --lang pt --reward 0.45 --out batch-pt --write
    ncimp annotate export --to prolific --per-item 5 --lang en --compounds mine.txt --rates my-contract.toml
"""

import argparse
import sys
from fractions import Fraction
from pathlib import Path

import ncimp
from ncimp.builder.annotation.services import SERVICES
from ncimp.builder.annotation.services.service import Export, about_batch, answered_by_examples, plan_lines
from ncimp.builder.annotation.task.batch import MODES, write_batch
from ncimp.builder.annotation.task.cost import Estimate, amount, cost_lines, estimate, read_card
from ncimp.builder.annotation.task.page import SENTENCES
from ncimp.builder.annotation.task.tasks import Design, Material, Planned, gather, plan
from ncimp.builder.annotation.task.wording import FILE, Wording, read_wording
from ncimp.builder.commands.options import add_packs, add_release, positive_int
from ncimp.builder.release.tables import read_release
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.schemas.errors import UsageError
from ncimp.schemas.files import file_hash, read_text


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    parser.add_argument("--to", choices=tuple(SERVICES), required=True, help="service that takes the batch")
    parser.add_argument("--mode", choices=MODES, default="token", help="one sentence a task, or three (default: token)")
    parser.add_argument(
        "--per-item", type=positive_int, default=10, metavar="N", help="judgements of each task (default: 10)"
    )
    add_release(parser)
    parser.add_argument("--lang", metavar="CODE", help="language (may be left out where the release has one)")
    parser.add_argument("--compounds", type=Path, metavar="FILE", help="ask about these only: one id or text a line")
    parser.add_argument(
        "--gold-rate", type=_rate, default=Fraction(1, 20), metavar="R", help="per item (default: 0.05)"
    )
    parser.add_argument(
        "--attention-rate", type=_rate, default=Fraction(1, 20), metavar="R", help="the same, of random"
    )
    parser.add_argument("--lists", type=int, choices=(1, 3), default=1, help="3: token lists for different people")
    parser.add_argument("--seed", default="annotate", help="another draw and order of tasks (default: annotate)")
    parser.add_argument("--contact", metavar="TEXT", help="who asks, in the text on consent")
    add_packs(parser)
    parser.add_argument("--rates", metavar="CARD|FILE", help="mturk-2026, turkle, prolific, or a TOML file")
    parser.add_argument("--reward", metavar="AMOUNT", help="for one task (default: what the card's wage comes to)")
    parser.add_argument(
        "--seconds", type=positive_int, metavar="S", help="time for one task (default: the card's assumption)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the batch; with --lists 3 of three")
    parser.add_argument("--write", action="store_true", help="write the batch; without it nothing is written")


def _rate(text: str) -> Fraction:
    try:
        rate = Fraction(text)
    except (ValueError, ZeroDivisionError):
        rate = Fraction(-1)
    if not 0 <= rate <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to 1")
    return rate


def run(args: argparse.Namespace) -> int:
    """Print plan and cost, write the batch where `--write` says so, and return 0."""
    _check(args)
    material, export = _prepare(args)
    wording = read_wording(_pack(args, export.lang))
    selection = _selection(args.compounds, material)
    design = Design(args.mode, args.gold_rate, args.attention_rate, args.lists, args.seed)
    lists = plan(material, selection, design)
    costs = [_cost(args, tasks) for tasks in lists]
    lines = plan_lines(lists, export, design)
    for number, cost in enumerate(costs, start=1):
        lines += [f"list {number}: {line}" if len(costs) > 1 else line for line in cost_lines(cost)]
    if len(costs) > 1:
        total, unit = sum(cost.total for cost in costs), costs[0].card.currency
        lines.append(f"all lists: {sum(cost.tasks for cost in costs)} tasks, total {total} {unit}")
    shown = answered_by_examples(wording, material, selection)
    lines += [f"warning: a worked example gives the answers for {name}; change annotation.toml" for name in shown]
    sys.stdout.write("\n".join(lines) + "\n")
    _finish(args, lists, costs, material=material, export=export, design=design, wording=wording)
    return 0


def _check(args: argparse.Namespace) -> None:
    if args.lists == 3 and args.mode == "type":
        raise UsageError("--lists 3 is for token mode", fix="in type mode the same people judge all three sentences")
    if args.write and args.out is None:
        raise UsageError("--write needs a folder", fix="name it with --out")


def _pack(args: argparse.Namespace, lang: str) -> Path:
    folder: Path = args.packs or packs_folder()
    return folder / lang


def _prepare(args: argparse.Namespace) -> tuple[Material, Export]:
    """Return the material of the release in the language, and the parameters of the export."""
    tables = read_release(args.release)
    lang = args.lang or (tables.languages[0] if len(tables.languages) == 1 else None)
    if lang not in tables.languages:
        what = f"the release has no {lang!r}" if lang else "the release has several languages"
        raise UsageError(what, fix=f"give one of {', '.join(tables.languages)} with --lang")
    items = (item for item in tables.items if item.lang == lang)
    literal = (item for item in tables.literal if item.lang == lang)
    compounds = (compound for compound in tables.compounds if compound.lang == lang)
    material = gather(tables.logical_sha256, items, literal, compounds)
    wording = _pack(args, lang) / FILE
    sha256 = file_hash(wording) if wording.is_file() else ""  # without one, reading it says so
    export = Export(SERVICES[args.to], lang, args.per_item, args.contact, sha256, tables.release, ncimp.__version__)
    return material, export


def _selection(path: Path | None, material: Material) -> list[str]:
    """Return the ids of the compounds to ask about: those that *path* lists, or all."""
    if path is None:
        return list(material.compounds)
    by_name = {compound.compound: name for name, compound in material.compounds.items()}
    names = [line.strip() for line in read_text(path).splitlines() if line.strip()]
    ids = [by_name.get(name, name) for name in names]
    unknown = [name for name, one in zip(names, ids, strict=True) if one not in material.compounds]
    if unknown or not ids:
        what = f"the release has no compound {unknown[0]!r}" if unknown else "no compound is named"
        raise UsageError(what, fix=f"give ids or texts as the release has them, one a line, in {path}")
    return list(dict.fromkeys(ids))


def _cost(args: argparse.Namespace, tasks: list[Planned]) -> Estimate:
    reward = amount(args.reward) if args.reward is not None else None
    return estimate(
        read_card(args.rates or SERVICES[args.to].rate_card),
        tasks=len(tasks),
        sentences=SENTENCES[args.mode],
        per_item=args.per_item,
        reward=reward,
        seconds=args.seconds,
    )


def _finish(
    args: argparse.Namespace,
    lists: list[list[Planned]],
    costs: list[Estimate],
    *,
    material: Material,
    export: Export,
    design: Design,
    wording: Wording,
) -> None:
    """Make the files of every list, so that a dry run finds what is wrong with them, and write them if asked."""
    all_files = [export.service.export(tasks, wording, export.contact) for tasks in lists]  # before any is written
    if not args.write:
        sys.stdout.write("dry run: nothing was written; --write --out DIR writes the batch\n")
        return
    for number, (tasks, cost, files) in enumerate(zip(lists, costs, all_files, strict=True), start=1):
        folder = args.out if len(lists) == 1 else args.out / f"list-{number}"
        about = about_batch(export, design, material, number, cost=cost, wording=wording)
        info = write_batch(folder, about, [planned.task for planned in tasks], files)
        sys.stdout.write(f"{folder}: batch {info.batch}, {', '.join(sorted(info.files))}; nothing was sent\n")
