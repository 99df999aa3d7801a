"""Evaluate vectors on a release: Sim, Affinity and SimR by sentence and by NC, and their correlation with the score.

The release is checked against its manifest first. Vectors are word vectors (.vec, .txt, .kv) or
precomputed ones by item (.npz with the arrays `ids`, `sentence` and, for the NC level, `span`).
The tables go to standard output; `--out` also stores the figures and the values of every compound
and sentence.

Examples:
    ncimp evaluate --vectors cc.en.300.vec --lang en
    ncimp evaluate --release ./ncimp --vectors model.npz --out results/model
    ncimp evaluate --vectors model.npz --expect 0.1.0 --json > results.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to *parser*."""
    parser.add_argument("--release", type=Path, default=Path("ncimp"), help="folder of the release (default: ncimp)")
    parser.add_argument("--expect", metavar="VERSION", help="refuse a release of another version of the data")
    parser.add_argument("--vectors", type=Path, required=True, help="word vectors, or precomputed vectors by item")
    parser.add_argument("--out", type=Path, help="folder for results.json, per_compound.tsv and per_sentence.tsv")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--lang", nargs="+", metavar="CODE", help="languages to evaluate (default: all)")
    parser.add_argument("--resamples", type=int, metavar="N", help="bootstrap resamples (default: 10,000)")


def run(args: argparse.Namespace) -> int:
    """Evaluate, print the figures, and store them when asked; return 0."""
    from ncimp.evaluator.correlation import RESAMPLES
    from ncimp.evaluator.evaluate import Options, evaluate
    from ncimp.evaluator.output import check_folder, document, write_evaluation
    from ncimp.evaluator.release import read_release
    from ncimp.evaluator.report import print_report

    if args.out:
        check_folder(args.out)
    resamples = RESAMPLES if args.resamples is None else args.resamples
    options = Options(tuple(args.lang) if args.lang else None, resamples)
    evaluation = evaluate(read_release(args.release, version=args.expect), args.vectors, options=options)
    if args.out:
        write_evaluation(args.out, evaluation)
        sys.stderr.write(f"wrote {args.out}\n")
    if args.json:
        sys.stdout.write(json.dumps(document(evaluation), ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    else:
        print_report(evaluation, sys.stdout)
    return 0
