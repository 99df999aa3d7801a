"""Let a program answer a batch, so that a campaign can be rehearsed to its end and compared with the truth.

Writes the results in the format of the batch's service, a copy of the batch that is marked as simulated (import from
that one), the truth of every sentence, and what each annotator was. Everything made of them is marked as simulated, and
`ncimp build` refuses it without --allow-simulated.

Examples:
    ncimp annotate simulate --batch batch-en --out rehearsal
    ncimp annotate simulate --batch batch-en --out rehearsal --workers 30 --cheaters 0.3 --seed other
    ncimp annotate simulate --batch batch-en --out rehearsal --shape taskAnswers
"""

import argparse
import shutil
import sys
from pathlib import Path

from ncimp.builder.annotation.rehearsal import HABITS, HABITS_FILE, TRUTH, TRUTH_FILE, Crowd, recruit, simulate, truths
from ncimp.builder.annotation.services import SERVICES
from ncimp.builder.annotation.task.batch import read_key
from ncimp.builder.commands.annotate.options import (
    expert_classes,
    known_packs,
)
from ncimp.builder.commands.options import add_packs, add_seed
from ncimp.schemas.errors import Place, SourceError, UsageError
from ncimp.schemas.files import Row, read_json, write_json, write_text, write_tsv


def register(parser: argparse.ArgumentParser) -> None:
    """Add the options of the action to *parser*."""
    parser.add_argument("--batch", type=Path, required=True, metavar="DIR", help="the batch to answer")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--workers", type=int, default=10, metavar="N", help="annotators (default: %(default)s)")
    parser.add_argument("--cheaters", type=float, default=0.2, metavar="SHARE", help="default: %(default)s")
    parser.add_argument(
        "--bias", type=float, default=0.3, metavar="SD", help="mean errors of annotators (default: %(default)s)"
    )
    parser.add_argument(
        "--noise", type=float, default=0.7, metavar="SD", help="errors of single answers (default: %(default)s)"
    )
    add_seed(parser, "another seed gives other annotators")
    parser.add_argument(
        "--shape", choices=("flat", "dotted", "taskAnswers"), default="flat", help="shape of a CSV of mturk"
    )
    add_packs(parser)


def run(args: argparse.Namespace) -> int:
    """Write the rehearsal; return 0."""
    for name, least, most in (("workers", 1, 10_000), ("cheaters", 0, 1), ("bias", 0, 5), ("noise", 0, 5)):
        if not least <= getattr(args, name) <= most:
            raise UsageError(f"--{name} must be from {least} to {most}, got {getattr(args, name)}")
    batch = read_key(args.batch)
    crowd = Crowd(workers=args.workers, cheaters=args.cheaters, bias=args.bias, noise=args.noise, seed=args.seed)
    classes = expert_classes(known_packs(args, sorted({task.lang for task in batch.tasks})).values())
    service = SERVICES[batch.info.to]
    assignments = simulate(batch, crowd, classes)
    file = args.out / f"results{service.suffix}"
    write_text(file, service.simulate(assignments, args.shape))
    truth = truths(batch, crowd, classes)
    write_tsv(args.out / TRUTH_FILE, ({name: getattr(row, name) for name in TRUTH} for row in truth), TRUTH)
    habits: list[Row] = [{"worker": row.name, "habit": row.habit, "lean": round(row.lean, 6)} for row in recruit(crowd)]
    write_tsv(args.out / HABITS_FILE, habits, HABITS)
    _copy_batch(args.batch, args.out / "batch")
    sys.stdout.write(f"{len(assignments):,} assignments of {args.workers} simulated annotators\n{file}\n")
    return 0


def _copy_batch(batch: Path, copy: Path) -> None:
    """Copy the batch and mark the copy, so that what is imported with it is marked, too."""
    if copy.resolve() == batch.resolve() or batch.resolve() in copy.resolve().parents:
        raise SourceError(
            "the copy would lie inside the batch", fix="name another folder with --out", place=Place(str(copy))
        )
    shutil.copytree(batch, copy, dirs_exist_ok=True)
    write_json(copy / "batch.json", {**read_json(batch / "batch.json"), "simulated": True})
