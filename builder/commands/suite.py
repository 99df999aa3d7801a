"""Take published data of an evaluation suite over from a copy of yours, or ask a chat model the questions of one.

Examples:
    ncimp suite import astitch AStitchInLanguageModels --out suites/astitch
    ncimp suite import lexbench SemanticQA --out suites/lexbench
    ncimp evaluate --suite astitch --release suites/astitch --model ./minilm
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ncimp.builder.commands.options import (
    RELEASE,
    command,
    flag,
    number,
    option,
    out,
    path,
    positive_float,
    positive_int,
)
from ncimp.builder.records import Source
from ncimp.builder.release.suites import write_suite
from ncimp.builder.sources.published import astitch, lexcomp
from ncimp.builder.sources.published.audit import open_tree
from ncimp.evaluator.ecosystem import ORACLES
from ncimp.evaluator.models.endpoint import EndpointOptions
from ncimp.evaluator.suites import lexbench
from ncimp.schemas import UsageError, value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.suites import SuiteTables

PHRASE_TASK = "ncimp_phrases"
# the tasks that are asked unless others are named
ASKED = ("ncimp_choice", "ncimp_meaning", "ncimp_rating", "ncimp_completion")


class PublishedSuite(NamedTuple):
    """Published files that a suite evaluates on: the folder they are known by, their reader, and whom to cite."""

    mark: str
    read: Callable[..., SuiteTables]
    version: str
    licence: str
    citation: str


SUITES = {
    "astitch": PublishedSuite(
        "Dataset", astitch.read_astitch, astitch.VERSION, astitch.LICENCE,
        "Tayyar Madabushi et al. (2021). AStitchInLanguageModels. Findings of EMNLP.",
    ),
    lexbench.NAME: PublishedSuite(
        "semantic_qa", lexbench.phrase_tables, lexbench.VERSION, lexbench.LICENCE,
        "Liu et al. (2026). Revisiting a Pain in the Neck. ACL 2026.",
    ),
    "lexcomp": PublishedSuite(
        "diagnostic_classifiers", lexcomp.read_lexcomp, lexcomp.VERSION, lexcomp.LICENCE,
        "Shwartz and Dagan (2019). Still a Pain in the Neck: Evaluating Text Representations on Lexical Composition."
        " TACL 7.",
    ),
}  # fmt: skip


@command(
    option("suite", "the suite whose files they are", choices=tuple(SUITES)),
    option("folder", "your copy of the published repository, or a zip of it", type=Path, metavar="DIR"),
    path("--bnc", "DIR", "with lexcomp: your copy of the BNC, XML edition, which two of its tasks need"),
    out("folder to write"),
)
def run_import(args: argparse.Namespace) -> int:
    """Write the tables of a suite from published files, as `ncimp evaluate --suite` reads them.

    Files that your copy lacks are printed, and what needs them is left out; a file that is there, and not as expected,
    is refused. The texts are not ours to pass on: what is written is for you.

    Examples:
        ncimp suite import astitch AStitchInLanguageModels --out suites/astitch
        ncimp suite import astitch astitch.zip --out suites/astitch
        ncimp suite import lexcomp lexcomp --bnc BNC/Texts --out suites/lexcomp
    """
    suite = SUITES[args.suite]
    if args.bnc and args.suite != "lexcomp":
        raise UsageError("--bnc is for lexcomp", fix="leave it out")
    root = open_tree(args.folder, "give a copy of the published repository")
    if not (root / suite.mark).is_dir():  # a zip of a repository has all in one folder
        root = next((one for one in root.iterdir() if one.is_dir() and (one / suite.mark).is_dir()), root)
    tables = suite.read(root, args.bnc) if args.bnc else suite.read(root)
    digest = value_hash([to_row(row) for part in tables.folders().values() for row in part])
    source = Source(args.suite, "benchmark", "as given", suite.licence, suite.citation, None, digest)
    write_suite(args.out, tables, source, version=suite.version)
    sys.stdout.writelines(f"not in this copy: {name}\n" for name in tables.gaps)
    counts = ", ".join(f"{len(rows):,} {name}" for name, rows in tables.folders().items() if rows)
    sys.stderr.write(f"wrote {args.out}: {counts}; {len(tables.gaps)} gaps\n")
    return 0


@command(
    option("--model", "name of the model on the server, or folder of a masked model", required=True, metavar="NAME"),
    option("--endpoint", "OpenAI-compatible server, such as https://host/v1", metavar="URL"),
    option("--budget", "stop before more requests than these are sent", type=positive_int, metavar="N"),
    option("--price-in", "price of a million tokens of questions", type=positive_float, metavar="MONEY"),
    option("--price-out", "price of a million tokens of answers", type=positive_float, metavar="MONEY"),
    option("--max-cost", "stop before more money than this may be spent", type=positive_float, metavar="MONEY"),
    option("--key-env", "environment variable with the key", default="OPENAI_API_KEY", metavar="VAR"),
    option("--tasks", "tasks of lm-evaluation-harness", nargs="+", default=list(ASKED), metavar="TASK"),
    option("--lang", "only this language", metavar="LANG"),
    option("--of", "of ncimp_phrases: only the items of this task, such as idiom_extraction", metavar="TASK"),
    option(
        "--shots",
        "examples before each question, of the training split, which is not asked then, also with 0",
        type=int,
        metavar="N",
    ),
    option("--oracle", "of ncimp_phrases: show other phrases of its type, or tell what the type is", choices=ORACLES),
    flag("--steps", "of ncimp_phrases: have the phrase found in the sentence first"),
    number("--limit", None, "for a quick look: questions of each task"),
    RELEASE,
    out("folder for the answers and the journal"),
)
def run_ask(args: argparse.Namespace) -> int:
    """Ask a chat model the questions of a release, through lm-evaluation-harness, and keep its answers.

    Each answer is kept at once: run the same command again after a kill, and nothing is asked twice. Requests that the
    server refuses for now are sent again, and count. Without an endpoint, the model is a masked one in a folder, and
    does tasks by likelihood.

    Examples:
        ncimp suite ask --model chat-1 --endpoint https://host/v1 --lang en --budget 9000 --out answers
        ncimp suite ask --model m --endpoint https://h/v1 --budget 20000 --price-in 1 --price-out 2 --max-cost 5 --out b
        ncimp suite ask --model ./bert --tasks ncimp_plausibility --out answers
        ncimp evaluate --suite lexbench --answers answers/chat-1 --out results/chat-1
        ncimp suite ask --model chat-1 --endpoint https://host/v1 --tasks ncimp_phrases --shots 3 --budget 1500 --out b
    """
    from ncimp.evaluator.ecosystem.chat import ask

    if (args.endpoint is None) != (args.budget is None):
        raise UsageError("--endpoint and --budget go together", fix="give both, or neither for a masked model")
    if (args.price_in is None) != (args.price_out is None) or (args.max_cost and args.price_in is None):
        raise UsageError("a cost needs both prices", fix="give --price-in and --price-out, for a million tokens each")
    if args.endpoint is None and args.price_in is not None:
        raise UsageError("a masked model in a folder costs nothing", fix="leave the prices out, or give --endpoint")
    of_phrases = {name: value for name in ("of", "oracle", "steps") if (value := getattr(args, name))}
    shots = {} if args.shots is None else {"shots": args.shots}
    tasks = (PHRASE_TASK,) if of_phrases else (PHRASE_TASK, *ASKED)
    if (of_phrases or shots) and not set(tasks).issuperset(args.tasks):
        name = next(iter({**of_phrases, **shots}))
        raise UsageError(f"--{name} is for {' or '.join(tasks)} alone", fix=f"add --tasks {PHRASE_TASK}")
    prices = None if args.price_in is None else (args.price_in, args.price_out)
    most: Any = {"max_requests": args.budget, "max_cost": args.max_cost, "prices": prices}
    options = EndpointOptions(args.endpoint, args.key_env, **most) if args.endpoint else None
    metadata = {"release": str(args.release), **({"lang": args.lang} if args.lang else {}), **of_phrases, **shots}
    files = ask(args.model, options, tasks=args.tasks, metadata=metadata, out=args.out, limit=args.limit)
    sys.stdout.writelines(f"{path}\n" for path in files)
    return 0
