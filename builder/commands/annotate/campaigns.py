"""The actions on answers: import them, report on a campaign, write scores, and rehearse with simulated annotators."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from ncimp.builder.annotation import campaign as campaigns
from ncimp.builder.annotation import rehearsal
from ncimp.builder.annotation.answers.annotators import Rules, mark_excluded, read_rules
from ncimp.builder.annotation.answers.returned import KEPT, Pseudonyms, read_salt
from ncimp.builder.annotation.report.figures import Rehearsal, make_report, rehearse
from ncimp.builder.annotation.report.page import render
from ncimp.builder.annotation.scores import Normaliser, NormaliserOf, aggregate, articles_of
from ncimp.builder.annotation.task.batch import TASKS_EACH, read_key
from ncimp.builder.commands.options import PACKS, RULES, command, number, option, out, path, say_waiting, seed
from ncimp.builder.records import CompoundClass, Judgement
from ncimp.builder.sources.inflection import RuleMorphology
from ncimp.builder.sources.lexicons.layered import LayeredMorphology
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.packs import pack_names, read_pack
from ncimp.schemas import Place, Row, SchemaError, SourceError, UsageError, files
from ncimp.schemas.records import columns, to_row

SHOWN = 20  # answers set aside that are shown on the screen; all are in the file
SCORES, ANNOTATIONS = "scores.tsv", "annotations.jsonl"
MODE = option("--mode", "take only these judgements (default: all)", choices=("token", "type"))


@command(
    path("results", "RESULTS", "files as the service gave them", nargs="+"),
    path("--batch", "DIR", "the batch that was answered", required=True),
    path("--salt", "FILE", "secret of the ids; created with mode 600 for a new campaign", required=True),
    out("folder of the campaign"),
    path("--rules", "FILE", "rules of exclusion (default: the documented ones)"),
)
def run_import(args: argparse.Namespace) -> int:
    """Read the results of a service into a campaign folder, without names.

    The files are CSV of Mechanical Turk and Turkle, JSON of Label Studio, and JSON lines of Prolific. Annotators get
    ids that only the holder of the salt can trace back; of times only the day is kept. An answer that is not a
    judgement is set aside in rejected.jsonl and reported with its line; the rest is imported, and the exit code is 1.
    Importing a file again adds nothing. Another salt than that of the first import is refused, and so are answers to
    another batch or from another service.

    The rules of exclusion are declared with the first import, before anybody looks at scores: --rules FILE, or the
    defaults.

    Examples:
        ncimp annotate import results.csv --batch batch-en --salt ~/ncimp.salt --out campaign-en
        ncimp annotate import monday.csv tuesday.csv --batch batch-pt --salt ~/ncimp.salt --out pt --rules rules.toml
        ncimp annotate import project-7.json --batch batch-ls --salt ~/ncimp.salt --out campaign-ls
    """
    for file in args.results:
        campaigns.service_of_results(file)  # refuse a wrong suffix before anything is read
    batch = read_key(args.batch)
    rules = read_rules(args.rules) if args.rules else None
    is_new = campaigns.declared_rules(args.out) is None
    names = Pseudonyms(read_salt(args.salt, args.out, is_new=is_new))
    waiting = say_waiting("imports into the campaign")
    result = campaigns.import_results(args.results, batch, names, args.out, rules, waiting)
    for row in result.rejected[:SHOWN]:
        sentence = "" if row.sentence is None else f" (sentence {row.sentence})"
        sys.stderr.write(f"{row.file}:{row.line}{sentence}: {row.problem}\n")
    if len(result.rejected) > SHOWN:
        sys.stderr.write(f"... and {len(result.rejected) - SHOWN:,} more in {args.out / campaigns.REJECTED}\n")
    synonyms = sum(KEPT in row.problem for row in result.rejected)
    sys.stdout.write(
        f"{result.assignments:,} assignments: {result.answers:,} judgements, of which {result.known:,} known already; "
        f"{len(result.rejected) - synonyms:,} answers{f' and {synonyms:,} synonyms' if synonyms else ''} set aside\n"
        f"{args.out}: {len(result.judgements):,} judgements in all\n"
    )
    return int(bool(result.rejected))


@command(
    path("campaign", "CAMPAIGN", "folder that `annotate import` made"),
    out("page to write", "FILE", "report.html"),
    path("--json", "FILE", "write the figures as JSON, too"),
    RULES,
    option("--resamples", "for the intervals of alpha", type=int, default="2000", metavar="N"),
    path("--truth", "DIR", "folder of `annotate simulate`, to compare scores with"),
    path("--salt", "FILE", "with --truth: the salt, to recognise cheaters"),
    MODE,
    PACKS,
)
def run_report(args: argparse.Namespace) -> int:
    """Write one HTML page on a campaign: completion, reliability between annotators, and intervals of its scores.

    The figures are given with and without the annotators that the declared rules exclude. With --rules the page uses
    other rules than those declared with the first import, and says so.

    Examples:
        ncimp annotate report campaign-en --out report.html
        ncimp annotate report campaign-en --out report.html --json report.json --rules stricter.toml
        ncimp annotate report rehearsed --out report.html --truth rehearsal --salt ~/ncimp.salt
    """
    if args.resamples < 0:
        raise UsageError(f"--resamples must be at least 0, got {args.resamples}")
    judgements = _of_one_mode(campaigns.read_judgements(args.campaign), args.mode)
    rules, declared = _rules_for(args.campaign, args.rules)
    rejected = sum(KEPT not in row["problem"] for row in campaigns.read_rejected(args.campaign))
    classes = _pack_classes(args, {row.lang for row in judgements})
    report = make_report(
        judgements, rules, declared=declared, rejected=rejected, classes=classes, resamples=args.resamples
    )
    if args.truth:
        report = replace(report, rehearsal=_rehearsed(args, judgements, rules))
    files.write_text(args.out, render(report))
    if args.json:
        files.write_json(args.json, asdict(report))
    for row in report.reliability:
        if (row.question, row.who, row.compounds) == ("comp", "kept", "all") and row.alpha.alpha is not None:
            sys.stdout.write(f"alpha ({row.alpha.level}) {row.alpha.alpha:.3f}, ")
    left_out = f"{len(report.excluded)} of {len(report.annotators)} annotators left out"
    parts = [left_out, *(f"{n} with too few checks for {name}" for name, n in report.too_few_checks.items() if n)]
    sys.stdout.write(f"{', '.join(parts)}{', SIMULATED' if report.simulated else ''}\n{args.out}\n")
    return 0


def _rehearsed(args: argparse.Namespace, judgements: Sequence[Judgement], rules: Rules) -> Rehearsal | None:
    truth, habits = rehearsal.read_truth(args.truth), rehearsal.read_habits(args.truth)
    marked = mark_excluded(judgements, rules)
    cheaters = None
    if args.salt:
        names = Pseudonyms(read_salt(args.salt, args.campaign, is_new=False))
        cheaters = {
            names.annotator(platform, worker)
            for platform in {row.platform for row in judgements}
            for worker, habit in habits.items()
            if habit != "careful"
        } & {row.annotator for row in marked}
    excluded = {row.annotator for row in marked if row.excluded is not None}
    return rehearse(aggregate(marked), truth, cheaters, excluded)


@command(
    path("campaigns", "CAMPAIGN", "folders that `annotate import` made", nargs="+"),
    out("folder of the two files"),
    MODE,
    RULES,
    path("--spellings", "FILE", "variant and spelling of words, a tab between them"),
    PACKS,
)
def run_scores(args: argparse.Namespace) -> int:
    """Turn the judgements of campaigns into scores that a build reads.

    Writes scores.tsv (one row per compound and one per sentence of it) and annotations.jsonl (the judgements, each with
    the rules that exclude its annotator). A build takes both: ncimp build --scores DIR/scores.tsv --annotations
    DIR/annotations.jsonl.

    Examples:
        ncimp annotate scores campaign-en --out scores-en
        ncimp annotate scores campaign-en campaign-en-2 --mode token --out scores-en
        ncimp annotate scores campaign-pt --out scores-pt --spellings brazilian.tsv
    """
    rows = []
    for folder in args.campaigns:
        rules, declared = _rules_for(folder, args.rules)
        rows += mark_excluded(campaigns.read_judgements(folder), rules)
        if not declared:
            sys.stderr.write(f"{folder}: these rules were not declared with the first import\n")
    if len({campaigns.identity(row) for row in rows}) < len(rows):
        raise SchemaError("the campaigns hold the same answer twice", fix="name each campaign once")
    rows = _of_one_mode(rows, args.mode)
    scores = aggregate(rows, _normalisers(_known_packs(args, {row.lang for row in rows}), args.spellings))
    files.write_tsv(args.out / SCORES, map(to_row, scores), columns("score"))
    campaigns.write_judgements(args.out / ANNOTATIONS, rows)
    if not scores:
        sys.stderr.write("no score: the rules leave every annotator out, or nothing was judged; see the report\n")
    compounds = sum(row.level == "compound" for row in scores)
    mark = ", SIMULATED" if any(row.simulated for row in scores) else ""
    sys.stdout.write(f"{compounds:,} compounds and {len(scores) - compounds:,} sentences{mark}\n{args.out / SCORES}\n")
    return 0


def _rules_for(campaign: Path, other: Path | None) -> tuple[Rules, bool]:
    """Return the rules for *campaign*, those of the file *other* if given, and whether they are the declared ones."""
    declared = campaigns.declared_rules(campaign) if campaign.is_dir() else None
    rules = read_rules(other) if other else declared or Rules()
    return rules, rules == declared


def _of_one_mode(rows: Sequence[Judgement], mode: str | None) -> list[Judgement]:
    """Return the judgements of *mode*, all without one; raise `UsageError` when there is none, or two modes."""
    rows = [row for row in rows if mode in (None, row.mode)]
    modes = sorted({row.mode for row in rows if row.kind == "item"})
    if len(modes) != 1:
        what = f"judgements of {' and '.join(modes)} mode" if modes else "no judgement of that mode"
        raise UsageError(what, fix="choose one with --mode; the two are never averaged")
    return rows


def _known_packs(args: argparse.Namespace, langs: set[str]) -> dict[str, Path]:
    return {lang: args.packs / lang for lang in pack_names(args.packs) if lang in langs}


def _pack_classes(args: argparse.Namespace, langs: set[str]) -> dict[str, CompoundClass]:
    packs = map(read_pack, _known_packs(args, langs).values())
    return {pack.compound_id(row.text): row.compound_class for pack in packs for row in pack.compounds}


def _normalisers(packs: dict[str, Path], spellings: Path | None) -> NormaliserOf:
    """Return a function from a language to its normaliser: forms of its pack, its rules, and the *spellings*."""
    table: dict[str, str] = {}  # the spelling to use by its variant
    lines = files.read_text(spellings).removesuffix("\n").split("\n") if spellings else []
    for place, line in enumerate(lines, start=1):
        cells = [cell.strip().casefold() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            fault = Place(str(spellings), place)
            raise SchemaError("not two words with a tab between", fix="repair the line", place=fault)
        table[cells[0]] = cells[1]

    def normaliser(lang: str) -> Normaliser:
        if lang not in packs:
            return Normaliser(spellings=table)
        pack = read_pack(packs[lang])
        forms = PackMorphology(pack.forms, pack.language)
        morphology = LayeredMorphology(forms, [], rules=RuleMorphology(pack.language), widely=True)
        return Normaliser(morphology, articles_of(pack), table)

    return normaliser


@command(
    path("--batch", "DIR", "the batch to answer", required=True),
    out("folder to write"),
    number("--workers", None, f"annotators (default: one a group, or as many as do {TASKS_EACH} tasks each)"),
    option("--cheaters", "share of cheaters", type=float, default=0.2, metavar="SHARE"),
    option("--bias", "mean errors of annotators", type=float, default=0.3, metavar="SD"),
    option("--noise", "errors of single answers", type=float, default=0.7, metavar="SD"),
    seed("another seed gives other annotators"),
    option("--shape", "shape of a CSV of mturk", choices=("flat", "dotted", "taskAnswers")),
    PACKS,
)
def run_simulate(args: argparse.Namespace) -> int:
    """Answer a batch with simulated annotators, to rehearse a campaign and compare its scores with the truth.

    As many annotators answer a task, checks too, as the batch asks for; each meets only the checks among their tasks.
    Writes the results in the format of the batch's service, a copy of the batch that is marked as simulated (import
    from that one), the true score of every sentence, and the habit of each annotator. Everything made from them is
    marked as simulated, and `ncimp build` refuses it without --allow-simulated.

    Examples:
        ncimp annotate simulate --batch batch-en --out rehearsal
        ncimp annotate simulate --batch batch-en --out rehearsal --workers 40 --cheaters 0.3 --seed other
        ncimp annotate simulate --batch batch-en --out rehearsal --shape taskAnswers
    """
    batch = read_key(args.batch)
    args.workers, fewest = args.workers or rehearsal.count_workers(batch), batch.info.per_item
    for name, least, most in (("workers", fewest, 10_000), ("cheaters", 0, 1), ("bias", 0, 5), ("noise", 0, 5)):
        if not least <= getattr(args, name) <= most:
            raise UsageError(f"--{name} must be from {least} to {most}, got {getattr(args, name)}")
    crowd = rehearsal.Crowd(args.workers, cheaters=args.cheaters, bias=args.bias, noise=args.noise, seed=args.seed)
    classes = _pack_classes(args, {task.lang for task in batch.tasks})
    service = campaigns.SERVICES[batch.info.to]
    assignments = rehearsal.simulate(batch, crowd, classes)
    file = args.out / f"results{service.suffix}"
    files.write_text(file, service.simulate(assignments, args.shape or "flat"))
    files.write_tsv(args.out / rehearsal.TRUTH_FILE, rehearsal.truths(batch, crowd, classes), rehearsal.TRUTH)
    workers = rehearsal.recruit(crowd)
    habits: list[Row] = [{"worker": row.name, "habit": row.habit, "lean": round(row.lean, 6)} for row in workers]
    files.write_tsv(args.out / rehearsal.HABITS_FILE, habits, rehearsal.HABITS)
    copy = args.out / "batch"
    if copy.resolve() == args.batch.resolve() or args.batch.resolve() in copy.resolve().parents:
        fix = "name another folder with --out"
        raise SourceError("the copy would lie inside the batch", fix=fix, place=Place(str(copy)))
    shutil.copytree(args.batch, copy, dirs_exist_ok=True)
    files.write_json(copy / "batch.json", {**files.read_json(args.batch / "batch.json"), "simulated": True})
    sys.stdout.write(f"{len(assignments):,} assignments of {args.workers} simulated annotators\n{file}\n")
    return 0
