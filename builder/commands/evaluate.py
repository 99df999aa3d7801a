"""Evaluate vectors on a release: Sim, Affinity and SimR by sentence and by NC, and their correlation with the score.

The release is checked against its manifest first. Vectors are word vectors (.vec, .txt, .bin, .kv),
precomputed ones by item (.npz with the arrays `ids`, `sentence` and, for the NC level, `span`), or
those of a model: a folder as transformers or sentence-transformers save it, or an endpoint.
The verdict in words goes to standard output; `--out` stores the figures, a page with all tables, and the values of
every item, sentence and compound.

Examples:
    ncimp evaluate --vectors cc.en.300.vec --lang en
    ncimp evaluate --release ./ncimp --vectors model.npz --out results/model
    ncimp evaluate --model ./bert --cache vectors --dtype bf16
    ncimp evaluate --model text-embed-1 --endpoint https://host/v1 --max-requests 300 --cache vectors
    ncimp evaluate --model ./bert --limit 20 --resamples 500
    ncimp evaluate --release paper/ncimp --model ./bert --comp type --trained-on AStitch
    ncimp evaluate --vectors model.npz --expect 0.1.0 --json > results.json
    ncimp evaluate --suite astitch --release suites/astitch --model ./bert --cache vectors --out results/bert-astitch
    ncimp evaluate --suite astitch --model ./bert --fine-tune zero_shot --inputs sentence --out results/bert-tuned
    ncimp evaluate --suite lexbench --answers results/*.json --out results/lexbench
"""

import argparse
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from ncimp.builder.commands.options import RELEASE, command, flag, group, langs, number, option, path, print_document
from ncimp.evaluator import models
from ncimp.evaluator.comparison import compare
from ncimp.evaluator.correlation import RESAMPLES
from ncimp.evaluator.evaluation import Evaluation, Options, evaluate_source
from ncimp.evaluator.models import BATCH_TOKENS, DTYPES, POOLINGS, Cache, ModelOptions, open_endpoint, open_model
from ncimp.evaluator.models.endpoint import EndpointOptions
from ncimp.evaluator.models.idioms import ALL, IdiomTokens
from ncimp.evaluator.pages import write_comparison_page
from ncimp.evaluator.pages.report import write_report
from ncimp.evaluator.release import Release, read_release
from ncimp.evaluator.report import print_comparison, print_report
from ncimp.evaluator.results import COMPARISON, check_folder, write_evaluation
from ncimp.evaluator.suites import RECORDED, SUITES, astitch, evaluate_answers, evaluate_suite
from ncimp.evaluator.suites.astitch.detection import INPUTS, SETTINGS, idiomatic_sentences
from ncimp.evaluator.suites.texts import judged_pairs
from ncimp.evaluator.vectors import OpenedVectors, open_file
from ncimp.schemas import UsageError, write_json
from ncimp.schemas.manifest import MANIFEST
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import SHOTS, SenseExample

RUNNING = ("layers", "pooling", "dtype", "device", "batch_tokens", "no_special_tokens", "download", "idiom_tokens")
ASKING = ("endpoint", "key_env", "max_requests", "max_tokens", "batch_sentences")
TRAINING = ("inputs", "epochs", "learning_rate", "batch_size", "max_length", "seeds")
PAPER = models.FineTuning()  # the defaults
BOOTSTRAP = number("--resamples", RESAMPLES, "bootstrap resamples")


def _vectors(parser: argparse._ActionsContainer) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    path("--vectors", "FILE", "word vectors, or precomputed vectors by item")(source)
    name = "folder of a model, or its name on the hub or the endpoint"
    source.add_argument("--model", metavar="PATH|NAME", help=name)
    path("--answers", "FILE", "with --suite lexbench: recorded answers of models, files or folders", nargs="+")(source)


@command(
    RELEASE,
    option("--expect", "refuse a release of another version of the data", metavar="VERSION"),
    path("--out", "DIR", "folder for results.json, the page, and the tables of items, sentences and compounds"),
    flag("--json", "print JSON instead of the verdict"),
    flag("--tables", "print the tables before the verdict"),
    langs("languages to evaluate (default: all)"),
    number(
        "--limit",
        None,
        "for a quick look: compounds of each language, drawn by hash; of a suite with probes, items of training",
    ),
    option("--split", "only the compounds of this split"),
    option("--standardise", "also compare with z-score or top-K vectors", nargs="+", metavar="HOW"),
    option(
        "--comp", "correlate with the score of each compound in its sentences, or by itself", choices=("token", "type")
    ),
    option(
        "--trained-on", "benchmarks that the model has seen: their compounds are counted", nargs="+", metavar="NAME"
    ),
    flag("--experiments", "also run the experiments of NCTTI (needs scores)"),
    BOOTSTRAP,
    option("--suite", "evaluate on a suite of further tasks instead of the pairs", choices=(*SUITES, *RECORDED)),
    option(
        "--sts",
        "with --suite: pairs of sentences with a score of 0 to 5 (CSV, three columns)",
        nargs="+",
        metavar="LANG=FILE",
    ),
    option("--reference", "with --suite: a model that says how near two paraphrases are", metavar="PATH|NAME"),
    _vectors,
    group(
        "running a model",
        option("--layers", "lastN, all, or numbers such as 0,1,6, averaged (default: last4)", metavar="WHICH"),
        option("--pooling", "sub-tokens that make a sentence vector (default: mean)", choices=POOLINGS),
        flag("--no-special-tokens", "leave special tokens out of the sentence"),
        option("--dtype", "number format of weights and layers (default: fp32)", choices=DTYPES),
        option("--device", "auto, cpu, cuda, cuda:1 ... (default: auto)", metavar="NAME"),
        number("--batch-tokens", None, f"sub-tokens in a batch, padding included (default: {BATCH_TOKENS:,})"),
        path("--cache", "DIR", "keep vectors here, so that a killed run resumes"),
        option(
            "--idiom-tokens",
            "with --suite astitch: a token of its own for each compound, in all sentences, or only in those that "
            "the one-shot answers of an answers.parquet call idiomatic",
            metavar="all|FILE",
        ),
        flag("--download", "fetch a model that is not in the cache by its name"),
    ),
    group(
        "fine-tuning a model (with --suite astitch)",
        option(
            "--fine-tune",
            "also fine-tune it for detection: in all settings, or in these",
            nargs="*",
            choices=tuple(SETTINGS),
            metavar="SETTING",
        ),
        option("--inputs", "kinds of input (default: all)", nargs="+", choices=INPUTS, metavar="KIND"),
        number("--epochs", None, f"times over the sentences; the best one counts (default: {PAPER.epochs})"),
        option("--learning-rate", f"rate at the start (default: {PAPER.learning_rate:g})", type=float, metavar="RATE"),
        number("--batch-size", None, f"sentences of a step (default: {PAPER.batch_size})"),
        number("--max-length", None, f"sub-tokens beyond which texts are cut (default: {PAPER.max_length})"),
        number("--seeds", None, f"times that it is trained; a figure is the mean (default: {PAPER.seeds})"),
    ),
    group(
        "asking an endpoint",
        option("--endpoint", "OpenAI-compatible server, such as https://host/v1", metavar="URL"),
        option("--key-env", "environment variable with the key (default: OPENAI_API_KEY)", metavar="VAR"),
        number("--batch-sentences", None, "sentences in a request (default: 128)"),
        number("--max-requests", None, "stop after this many requests"),
        number("--max-tokens", None, "stop after this many counted tokens"),
    ),
)
def run(args: argparse.Namespace) -> int:
    """Evaluate, print the figures, and store them when asked; return 0."""
    if args.out:
        check_folder(args.out)
    languages = tuple(args.lang) if args.lang else None
    methods = tuple(dict.fromkeys(args.standardise or ()))
    options = Options(
        languages, args.resamples, methods, args.experiments, args.limit, args.split,
        comp="type" if args.comp == "type" else None, trained_on=tuple(args.trained_on) if args.trained_on else None,
    )  # fmt: skip
    idioms = _idioms(args)
    of_reference = args.answers and args.reference  # then the options of a model are those of the reference
    of_model = None if of_reference else opened_model(args, idioms)  # before the release, which takes longer to read
    if args.suite:
        return _suite(args, of_model, options, idioms)
    for name in ("sts", "reference", "answers", "fine_tune"):
        if getattr(args, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} is for --suite", fix="name the suite")
    release = read_release(args.release, version=args.expect)
    vectors = of_model or open_file(args.vectors, (*release.items, *release.literal, *release.attested))
    evaluation = evaluate_source(release, vectors.source, model=vectors.model, options=options)
    return _tell(args, evaluation, release)


def _idioms(args: argparse.Namespace) -> IdiomTokens | None:
    """Return the tokens of compounds that are asked for."""
    if args.idiom_tokens is None:
        return None
    if args.suite != astitch.NAME:
        raise UsageError("--idiom-tokens is for --suite astitch", fix="leave it out")
    from ncimp.builder.build.resources import compound_forms  # half of the start of the command, and hardly ever asked

    folder = ReleaseFolder(args.release)
    forms = compound_forms(folder)
    if args.idiom_tokens == ALL:
        return IdiomTokens(forms)
    judged = folder.records(SHOTS["none"], SenseExample)
    return IdiomTokens(forms, idiomatic_sentences(Path(args.idiom_tokens), judged))


def _suite(
    args: argparse.Namespace, of_model: OpenedVectors | None, options: Options, idioms: IdiomTokens | None
) -> int:
    if args.suite in RECORDED and not args.answers:
        raise UsageError(f"the suite {args.suite!r} has no vectors", fix="give recorded answers: --answers FILE ...")
    reference = args.reference and opened_model(argparse.Namespace(**vars(args) | {"model": args.reference}))
    if args.answers:
        known = ReleaseFolder.open(args.release) if (args.release / MANIFEST).is_file() else None
        evaluation = evaluate_answers(args.suite, args.answers, options=options, folder=known, reference=reference)
    else:
        folder = ReleaseFolder.open(args.release, version=args.expect)
        if of_model is None and args.vectors.suffix == ".npz":
            raise UsageError("vectors by item have none of the texts of a suite", fix="give word vectors, or a model")
        vectors = of_model or open_file(args.vectors, ())
        judged = judged_pairs(args.sts or (), folder.manifest.release)
        tuner, parts = _tuner(args, idioms), "probes of a task" if args.fine_tune is None else "epochs of a task"
        progress = partial(show_progress, [time.monotonic()], what="trained", of=parts)
        evaluation = evaluate_suite(
            args.suite,
            folder,
            vectors,
            options=options,
            judged=judged,
            reference=reference,
            tuner=tuner,
            progress=progress,
        )
    return _tell(args, evaluation)


def _tuner(args: argparse.Namespace, idioms: IdiomTokens | None) -> Any:
    """Return the model of *args* to be fine-tuned, if that is asked for."""
    values = {name: getattr(args, name) for name in TRAINING if getattr(args, name) is not None}
    if args.fine_tune is None:
        _refuse([*values], "a model that is not fine-tuned (--fine-tune)")
        return None
    if args.suite != astitch.NAME or args.model is None or args.endpoint:
        raise UsageError("only a model of files is fine-tuned, for --suite astitch", fix="give --model with its folder")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    running = ModelOptions(device=args.device or "auto", idioms=idioms)
    training = models.FineTuning(settings=tuple(args.fine_tune), **values)
    return models.open_tuner(args.model, running, training, download=args.download)


def _tell(args: argparse.Namespace, evaluation: Evaluation, release: Release | None = None) -> int:
    """Store *evaluation* when asked, with the page, and print it; return 0."""
    page = None
    if args.out:
        write_evaluation(args.out, evaluation)
        page = write_report(args.out, release)
        sys.stderr.write(f"wrote {args.out}\n")
    if args.json:
        print_document(to_row(evaluation.document))
    else:
        print_report(evaluation, sys.stdout, page=page, whole=args.tables)
    return 0


def opened_model(args: argparse.Namespace, idioms: IdiomTokens | None = None) -> OpenedVectors | None:
    """Return the vectors of the model in *args*, if any, or raise `UsageError` for options that do not go together."""
    values = {name: value for name, value in vars(args).items() if value not in (None, False)}
    running = {name: values[name] for name in RUNNING if name in values}
    asking = {name: values[name] for name in ASKING if name in values}
    if args.model is None:
        _refuse([*running, *asking, *(["cache"] if args.cache else [])], "--answers" if args.answers else "--vectors")
        return None
    cache = Cache(args.cache, warn=_warn, progress=partial(show_progress, [time.monotonic()]))
    if args.endpoint is None:
        _refuse([*asking], "--model without --endpoint")
        running.pop("idiom_tokens", None)
        special, download = not running.pop("no_special_tokens", False), running.pop("download", False)
        return open_model(
            args.model, ModelOptions(special_tokens=special, idioms=idioms, **running), cache=cache, download=download
        )
    _refuse([*running], "--endpoint")
    if "batch_sentences" in asking:
        asking["batch"] = asking.pop("batch_sentences")
    return open_endpoint(args.model, EndpointOptions(asking.pop("endpoint"), **asking), cache=cache)


def _refuse(options: list[str], beside: str) -> None:
    if options:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in options)
        raise UsageError(f"{flags} means nothing with {beside}", fix="leave it out")


def _warn(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def show_progress(latest: list[float], count: int, total: int, what: str = "encoded", of: str = "sentences") -> None:
    """Show how much of the work is done: in place on a terminal, else one line a minute after the time in *latest*."""
    text = f"{what} {count:,} of {total:,} {of}"
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}" + "\n" * (count == total))
    elif time.monotonic() - latest[0] >= 60:
        latest[0] = time.monotonic()
        _warn(text)


@command(
    path("results", "RESULTS", "folders of results to compare, or one folder whose page is drawn again", nargs="+"),
    path("--out", "DIR", "folder for comparison.json and its page"),
    flag("--json", "print JSON instead of tables"),
    BOOTSTRAP,
    path("--release", "DIR", "release that was evaluated, for the sentences in the page of one folder"),
)
def run_compare(args: argparse.Namespace) -> int:
    """Compare evaluations of several models on one release: leaderboard, correlogram, differences by paired bootstrap.

    RESULTS are folders that `ncimp evaluate --out` wrote. Results of different releases, or judged with other options,
    are refused. The leaderboard goes to standard output; `--out` also stores `comparison.json` and a page.

    With one folder, of results or of a comparison, nothing is compared: its page is drawn again from its files.
    `--release` adds the sentences of the compounds shown, which are in the release and not in the results.

    Examples:
        ncimp compare results/minilm results/fasttext
        ncimp compare results/* --out results/comparison
        ncimp compare results/a results/b --json > comparison.json
        ncimp compare results/minilm --release ./ncimp
    """
    if len(args.results) == 1:
        (folder,) = args.results
        if args.out or args.json:
            raise UsageError("one evaluation cannot be compared", fix="give two folders of results, or more")
        if (folder / COMPARISON).is_file():
            page = write_comparison_page(folder)
        else:
            page = write_report(folder, None if args.release is None else read_release(args.release))
        sys.stderr.write(f"wrote {page}\n")
        return 0
    if args.release:
        raise UsageError("--release is for the page of one folder", fix="leave it out, or give one folder")
    if args.out:
        check_folder(args.out)
    comparison = compare(args.results, resamples=args.resamples)
    if args.out:
        write_json(args.out / COMPARISON, to_row(comparison))
        write_comparison_page(args.out)
        sys.stderr.write(f"wrote {args.out}\n")
    if args.json:
        print_document(to_row(comparison))
    else:
        print_comparison(comparison, sys.stdout)
    return 0
