"""Let a program answer a batch, so that a campaign can be rehearsed to its end and held against the truth.

Writes the results in the format of the batch's service, a copy of the batch that is marked as simulated (import from
that one), the truth of every sentence, and what each annotator was. Everything made of them is marked as simulated, and
`ncimp build` refuses it without --allow-simulated.

Examples:
    ncimp annotate simulate --batch batch-en --to rehearsal
    ncimp annotate simulate --batch batch-en --to rehearsal --workers 30 --cheaters 0.3 --seed other
    ncimp annotate simulate --batch batch-en --to rehearsal --shape taskAnswers
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from ncimp.builder.commands.annotate.options import (
    HABITS,
    HABITS_FILE,
    TRUTH,
    TRUTH_FILE,
    expert_classes,
    known_packs,
    register_packs,
)
from ncimp.schemas.errors import Place, SourceError, UsageError
from ncimp.schemas.files import Row, read_json, write_json, write_text, write_tsv

SUFFIXES = {"mturk": ".csv", "turkle": ".csv", "label-studio": ".json", "prolific": ".jsonl"}
"""How the name of a file of results ends, for each service that a batch can be for."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    parser.add_argument("--batch", type=Path, required=True, metavar="DIR", help="the batch to answer")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--workers", type=int, default=10, metavar="N", help="annotators (default: %(default)s)")
    parser.add_argument("--cheaters", type=float, default=0.2, metavar="SHARE", help="default: %(default)s")
    parser.add_argument(
        "--bias", type=float, default=0.3, metavar="SD", help="how annotators lean (default: %(default)s)"
    )
    parser.add_argument("--noise", type=float, default=0.7, metavar="SD", help="how they slip (default: %(default)s)")
    parser.add_argument("--seed", default="ncimp", help="another seed gives other annotators (default: %(default)s)")
    parser.add_argument(
        "--shape", choices=("flat", "dotted", "taskAnswers"), default="flat", help="shape of a CSV of mturk"
    )
    register_packs(parser)


def run(args: argparse.Namespace) -> int:
    """Write what was simulated; return 0."""
    from ncimp.builder.annotation.rehearsal.crowd import Crowd, recruit, simulate, truths
    from ncimp.builder.annotation.rehearsal.results import results
    from ncimp.builder.annotation.task.batch import read_key

    for name, least, most in (("workers", 1, 10_000), ("cheaters", 0, 1), ("bias", 0, 5), ("noise", 0, 5)):
        if not least <= getattr(args, name) <= most:
            raise UsageError(f"--{name} {getattr(args, name)} cannot be", fix=f"give {least} to {most}")
    batch = read_key(args.batch)
    crowd = Crowd(workers=args.workers, cheaters=args.cheaters, bias=args.bias, noise=args.noise, seed=args.seed)
    classes = expert_classes(known_packs(args, sorted({task.lang for task in batch.tasks})).values())
    done = simulate(batch, crowd, classes)
    file = args.to / f"results{SUFFIXES[batch.info.to]}"
    write_text(file, results(done, batch.info.to, args.shape))
    known = truths(batch, crowd, classes)
    write_tsv(args.to / TRUTH_FILE, ({name: getattr(row, name) for name in TRUTH} for row in known), TRUTH)
    habits: list[Row] = [{"worker": row.name, "habit": row.habit, "lean": round(row.lean, 6)} for row in recruit(crowd)]
    write_tsv(args.to / HABITS_FILE, habits, HABITS)
    _copy_batch(args.batch, args.to / "batch")
    sys.stdout.write(f"{len(done):,} assignments of {args.workers} simulated annotators\n{file}\n")
    return 0


def _copy_batch(batch: Path, to: Path) -> None:
    """Copy the batch and mark the copy, so that what is imported with it is marked, too."""
    if to.resolve() == batch.resolve() or batch.resolve() in to.resolve().parents:
        raise SourceError(
            "the copy would lie inside the batch", fix="name another folder with --to", place=Place(str(to))
        )
    shutil.copytree(batch, to, dirs_exist_ok=True)
    write_json(to / "batch.json", {**read_json(batch / "batch.json"), "simulated": True})
