"""Ask people how literal compounds are, and turn their answers into scores.

Nothing is sent to a service here; `ncimp launch` does that.

Examples:
    ncimp annotate preview --lang en
    ncimp annotate export --to turkle --lang en --release ncimp --out batch-en --write
    ncimp launch start batch-en --to turkle --endpoint https://turkle.example.org --send
    ncimp launch collect batch-en
    ncimp annotate import results.csv --batch batch-en --salt ~/ncimp.salt --out campaign-en
    ncimp annotate report campaign-en --out report.html
    ncimp annotate scores campaign-en --out scores-en
    ncimp annotate simulate --batch batch-en --out rehearsal
"""

import argparse
import sys
import webbrowser
from fractions import Fraction
from pathlib import Path

import ncimp
from ncimp.builder.annotation.answers.annotators import Rules
from ncimp.builder.annotation.campaign import SERVICES
from ncimp.builder.annotation.services.service import Export, about_batch, answered_by_examples, plan_lines
from ncimp.builder.annotation.task.batch import Design, Material, Sheet, gather, plan, read_batch, task_id, write_batch
from ncimp.builder.annotation.task.cells import plain, read_csv
from ncimp.builder.annotation.task.cost import Estimate, amount, cost_lines, estimate, read_card
from ncimp.builder.annotation.task.page import FILE, SENTENCES, preview_page, read_wording, task_page
from ncimp.builder.commands.options import PACKS, RELEASE, command, flag, number, option, out, path, seed
from ncimp.builder.records import NATURALISTIC, LanguagePack, Mode
from ncimp.builder.release.tables import read_release
from ncimp.builder.sources.packs.packs import pack_names, read_pack
from ncimp.schemas import Place, SourceError, UsageError, file_hash, read_text, write_text

MODE = option("--mode", "one sentence a task, or three", choices=tuple(SENTENCES), default="token")
CONTACT = option("--contact", "who asks, in the text on consent", metavar="TEXT")


@command(
    option("--lang", "language of the pack", default="en", metavar="CODE"),
    MODE,
    option("--compound", "compound to show (default: the first of the pack)", metavar="TEXT"),
    path("--batch", "DIR", "show a task of this batch instead"),
    option("--task", "the task of the batch (default: the first)", metavar="ID"),
    CONTACT,
    PACKS,
    out("page to write", "FILE", "annotation-preview.html"),
    option("--no-open", "only write the file", dest="open", action="store_false"),
)
def run_preview(args: argparse.Namespace) -> int:
    """Write the judging task as an HTML page, and open it in the browser.

    The page shows the task as annotators see it, in the wording of the language's annotation.toml, with the sentences
    of a compound of the pack, or with a task of a batch. Its button shows the answers that would be sent; nothing is
    sent.

    Examples:
        ncimp annotate preview --lang en
        ncimp annotate preview --lang pt --mode type --compound "pavio curto" --no-open
        ncimp annotate preview --batch batch-en --out task.html
    """
    packs: Path = args.packs
    if args.batch:
        batch = read_batch(args.batch)
        wording = read_wording(packs / batch.info.lang)
        template, fields = _template_and_fields(batch.folder, args.task)
    else:
        if args.lang not in pack_names(packs):
            raise UsageError(f"no language pack {args.lang!r}", fix=f"the languages are {', '.join(pack_names(packs))}")
        wording = read_wording(packs / args.lang)
        fields = _sheet_of_pack(read_pack(packs / args.lang), args.mode, args.compound).fields()
        template = task_page(wording, args.mode, contact=args.contact)
    write_text(args.out, preview_page(template, fields, wording))
    sys.stdout.write(f"{args.out}\n")
    if args.open and not webbrowser.open(args.out.resolve().as_uri()):
        sys.stderr.write(f"no browser was found; open {args.out} yourself\n")
    return 0


def _sheet_of_pack(pack: LanguagePack, mode: Mode, text: str | None) -> Sheet:
    compounds = {compound.text: compound for compound in pack.compounds}
    compound = compounds.get(text or next(iter(compounds)))
    if compound is None:
        raise UsageError(f"no compound {text!r} in the pack", fix="give one as compounds.tsv has it")
    marked = [pack.marked[compound.text, name] for name in NATURALISTIC[: SENTENCES[mode]]]
    parts = [(one.text[: one.span[0]], one.text[slice(*one.span)], one.text[one.span[1] :]) for one in marked]
    return Sheet(task_id("preview", compound.text), compound.modifier, compound.head, compound.text, tuple(parts))


def _template_and_fields(folder: Path, task: str | None) -> tuple[str, dict[str, str]]:
    path = folder / "tasks.csv"
    if not path.is_file():
        what = "the batch has no template: its service makes pages of its own"
        raise SourceError(what, fix="preview a batch for mturk or turkle, or a pack", place=Place(str(folder)))
    rows = [row for _, row in read_csv(path)[1]]
    row = next((row for row in rows if row["task_id"] == (task or row["task_id"])), None)
    if row is None:
        fix = f"tasks.csv lists them; the first is {rows[0]['task_id']}"
        raise UsageError(f"no task {task!r} in the batch", fix=fix)
    return read_text(folder / "template.html"), {name: plain(value) for name, value in row.items()}


def _rate(text: str) -> Fraction:
    try:
        rate = Fraction(text)
    except (ValueError, ZeroDivisionError):
        rate = Fraction(-1)
    if not 0 <= rate <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to 1")
    return rate


@command(
    option("--to", "service that takes the batch", choices=tuple(SERVICES), required=True),
    MODE,
    number("--per-item", 10, "judgements of each task"),
    RELEASE,
    option("--lang", "language (may be left out where the release has one)", metavar="CODE"),
    path("--compounds", "FILE", "ask about these only: one id or text a line"),
    option("--gold-rate", "gold tasks per item; 0: none", type=_rate, default="0.1", metavar="R"),
    option("--attention-rate", "attention tasks per item; 0: none", type=_rate, default="0.1", metavar="R"),
    number("--min-checks", Rules().min_checks, "fewest checks of a kind in a list or group"),
    option("--lists", "3: token lists for different people", type=int, choices=(1, 3)),
    seed("order of tasks and places of checks: give one of your own", "annotate"),
    CONTACT,
    PACKS,
    option("--rates", "mturk-2026, turkle, prolific, or a TOML file", metavar="CARD|FILE"),
    option("--reward", "for one task (default: what the card's wage comes to)", metavar="AMOUNT"),
    number("--seconds", None, "time for one task (default: the card's assumption)", metavar="S"),
    path("--out", "DIR", "folder of the batch; with --lists 3 of three"),
    flag("--write", "write the batch; without it nothing is written"),
)
def run_export(args: argparse.Namespace) -> int:
    """Write a batch of judging tasks in the formats of a service, and print its cost.

    Without --write nothing is written: the plan, the cost and the hourly wage are printed (a dry run). With --write the
    files go to --out. Nothing is sent either way: `ncimp launch start`, or a person, does that. A batch asks about the
    three naturalistic sentences of each compound, one by one (token) or together (type), with checks among them: gold
    tasks (literal sentences) and attention tasks (random compounds), at places that --seed decides. Each list, and each
    group of a participant on Prolific, has --min-checks of each kind. The same options give the same bytes.

    Services: mturk (closed on 2026-09-30; servers with its API), turkle, label-studio, prolific.

    Examples:
        ncimp annotate export --to turkle --mode token --per-item 10 --lang en
        ncimp annotate export --to turkle --mode token --per-item 10 --lang en --out batch-en --write
        ncimp annotate export --to mturk --mode type --per-item 9 --lang pt --reward 0.45 --out batch-pt --write
        ncimp annotate export --to prolific --per-item 5 --lang en --compounds mine.txt --rates my-contract.toml
    """
    if args.lists == 3 and args.mode == "type":
        raise UsageError("--lists 3 is for token mode", fix="in type mode the same people judge all three sentences")
    if args.write and args.out is None:
        raise UsageError("--write needs a folder", fix="name it with --out")
    material, export = _prepare(args)
    wording = read_wording(args.packs / export.lang)
    selection = _selection(args.compounds, material)
    group_size = export.service.group_sizes.get(args.mode)
    rates = args.gold_rate, args.attention_rate
    design = Design(args.mode, *rates, args.lists or 1, args.seed, args.min_checks, group_size)
    lists = plan(material, selection, design)
    card = read_card(args.rates or export.service.rate_card)
    reward = None if args.reward is None else amount(args.reward)
    effort = {"sentences": SENTENCES[design.mode], "per_item": args.per_item, "seconds": args.seconds}
    costs = [estimate(card, tasks=len(tasks), reward=reward, **effort) for tasks in lists]
    examples = answered_by_examples(wording, material, selection)
    _print_plan(plan_lines(lists, export, design), costs, examples)
    all_files = [export.service.export(tasks, wording, export.contact) for tasks in lists]  # a dry run finds faults too
    if not args.write:
        sys.stdout.write("dry run: nothing was written; --write --out DIR writes the batch\n")
        return 0
    for place, (tasks, cost, files) in enumerate(zip(lists, costs, all_files, strict=True), start=1):
        folder = args.out if len(lists) == 1 else args.out / f"list-{place}"
        about = about_batch(export, design, material, place, cost=cost, wording=wording)
        info = write_batch(folder, about, [planned.task for planned in tasks], files)
        sys.stdout.write(f"{folder}: batch {info.batch}, {', '.join(sorted(info.files))}; nothing was sent\n")
    return 0


def _prepare(args: argparse.Namespace) -> tuple[Material, Export]:
    tables = read_release(args.release)
    lang = args.lang or (tables.languages[0] if len(tables.languages) == 1 else None)
    if lang not in tables.languages:
        what = f"the release has no {lang!r}" if lang else "the release has several languages"
        raise UsageError(what, fix=f"give one of {', '.join(tables.languages)} with --lang")
    items, literal = ([item for item in rows if item.lang == lang] for rows in (tables.items, tables.literal))
    compounds = (compound for compound in tables.compounds if compound.lang == lang)
    material = gather(tables.logical_sha256, items, literal, compounds)
    wording = args.packs / lang / FILE
    sha256 = file_hash(wording) if wording.is_file() else ""  # without one, reading it says so
    export = Export(SERVICES[args.to], lang, args.per_item, args.contact, sha256, tables.release, ncimp.__version__)
    return material, export


def _selection(path: Path | None, material: Material) -> list[str]:
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


def _print_plan(lines: list[str], costs: list[Estimate], examples: list[str]) -> None:
    for place, cost in enumerate(costs, start=1):
        lines += [f"list {place}: {line}" if len(costs) > 1 else line for line in cost_lines(cost)]
    if len(costs) > 1:
        total, unit = sum(cost.total for cost in costs), costs[0].card.currency
        lines.append(f"all lists: {sum(cost.tasks for cost in costs)} tasks, total {total} {unit}")
    lines += [f"warning: a worked example gives the answers for {name}; change annotation.toml" for name in examples]
    sys.stdout.write("\n".join(lines) + "\n")
