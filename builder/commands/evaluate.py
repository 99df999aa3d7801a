"""Evaluate vectors on a release: Sim, Affinity and SimR by sentence and by NC, and their correlation with the score.

The release is checked against its manifest first. Vectors are word vectors (.vec, .txt, .bin, .kv),
precomputed ones by item (.npz with the arrays `ids`, `sentence` and, for the NC level, `span`), or
those of a model: a folder as transformers or sentence-transformers save it, or an endpoint.
The tables go to standard output; `--out` also stores the figures, a page, and the values of every item,
sentence and compound.

Examples:
    ncimp evaluate --vectors cc.en.300.vec --lang en
    ncimp evaluate --release ./ncimp --vectors model.npz --out results/model
    ncimp evaluate --model ./bert --cache vectors --dtype bf16
    ncimp evaluate --model text-embed-1 --endpoint https://host/v1 --max-requests 300 --cache vectors
    ncimp evaluate --vectors model.npz --expect 0.1.0 --json > results.json
"""

import argparse
import json
import sys
from pathlib import Path

from ncimp.builder.commands.options import add_json, add_langs, add_release
from ncimp.builder.commands.options.model import add_model_options, add_resamples, open_vectors
from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.pages.report import write_report
from ncimp.evaluator.release import read_release
from ncimp.evaluator.report import print_report
from ncimp.evaluator.results import check_folder, document, write_evaluation


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    add_release(parser)
    parser.add_argument("--expect", metavar="VERSION", help="refuse a release of another version of the data")
    stored = "folder for results.json, the page, and the tables of items, sentences and compounds"
    parser.add_argument("--out", type=Path, metavar="DIR", help=stored)
    add_json(parser, "print JSON instead of tables")
    add_langs(parser, "languages to evaluate (default: all)")
    parser.add_argument("--standardise", nargs="+", metavar="HOW", help="also compare with z-score or top-K vectors")
    parser.add_argument("--experiments", action="store_true", help="also run the experiments of NCTTI (needs scores)")
    add_resamples(parser)
    add_model_options(parser)


def run(args: argparse.Namespace) -> int:
    """Evaluate, print the figures, and store them when asked; return 0."""
    if args.out:
        check_folder(args.out)
    languages = tuple(args.lang) if args.lang else None
    options = Options(languages, args.resamples, tuple(dict.fromkeys(args.standardise or ())), args.experiments)
    release = read_release(args.release, version=args.expect)
    vectors = open_vectors(args, release)
    evaluation = evaluate_source(release, vectors.source, model=vectors.model, options=options)
    if args.out:
        write_evaluation(args.out, evaluation)
        write_report(args.out, release)
        sys.stderr.write(f"wrote {args.out}\n")
    if args.json:
        sys.stdout.write(json.dumps(document(evaluation), ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    else:
        print_report(evaluation, sys.stdout)
    return 0
