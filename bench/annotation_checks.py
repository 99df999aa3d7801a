"""How many cheaters the rules of exclusion find, by the design of a batch and the tasks that an annotator does.

    PYTHONPATH=src python bench/annotation_checks.py --release ncimp

Every row is a mean over crowds of other seeds, about a fifth of whom cheat (at least four), equally many in each of
the four ways: batches are planned, answered by `ncimp.builder.annotation.rehearsal.simulate` as the service hands tasks
out, and judged by the default rules.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from ncimp.builder.annotation.answers.annotators import Rules, mark_excluded, measure_annotators
from ncimp.builder.annotation.answers.returned import Pseudonyms, Rejected, Returned, judgements_of
from ncimp.builder.annotation.rehearsal import Assignment, Crowd, count_workers, recruit, simulate, truths
from ncimp.builder.annotation.scores import aggregate
from ncimp.builder.annotation.services.prolific import GROUP_SIZES
from ncimp.builder.annotation.task.batch import Batch, Design, Material, ReadBatch, count_kinds, gather, plan
from ncimp.builder.records import Judgement
from ncimp.builder.release.tables import read_release
from ncimp.schemas.errors import Place

NAMES = Pseudonyms(bytes(range(32)))
PER_ITEM = 10
SMALL, LARGE = 14, 4
"""Steps through the English compounds: 20 and 70 of 280."""
RATES = ("0.05", "0.1")
SHARES = (18, 30, 40, 50, 60)
"""Tasks that an annotator does, where a service hands out single ones."""


def batches(material: Material, chosen: list[str], design: Design) -> list[ReadBatch]:
    """Return the batches of a plan, which are not written."""
    read = []
    for tasks in plan(material, chosen, design):
        rows = tuple(one.task for one in tasks)
        facts: dict[str, Any] = {"release": "0", "release_logical_sha256": "", "pack_sha256": "", "options": {}}
        facts |= {"per_item": PER_ITEM, "code_version": "0", "files": {}, "cost": {}}
        facts |= {"tasks": len(rows), "counts": count_kinds(rows)}
        info = Batch(batch="b" * 16, to="mturk", mode=design.mode, lang="en", simulated=True, **facts)
        read.append(ReadBatch(Path("memory"), info, rows))
    return read


def judgements(assignments: list[Assignment], batch: ReadBatch) -> list[Judgement]:
    """Return the judgements in simulated *assignments*."""
    rows = []
    for number, one in enumerate(assignments):
        place, fields = Place("memory", number), one.fields
        answer = Returned(place, one.worker.name, f"{number}", one.task.task_id, fields, "", f"{one.seconds}")
        rows += [row for row in judgements_of(answer, batch, "mturk", NAMES) if not isinstance(row, Rejected)]
    return rows


def measure(batch: ReadBatch, crowd: Crowd, material: Material) -> dict[str, float]:
    """Return the figures of one crowd."""
    classes = {name: one.compound_class for name, one in material.compounds.items()}
    rows = mark_excluded(judgements(simulate(batch, crowd, classes), batch), Rules())
    cheats = {NAMES.annotator("mturk", one.name) for one in recruit(crowd) if one.habit != "careful"}
    excluded = {row.annotator for row in rows if row.excluded}
    truth: dict[str, list[float]] = defaultdict(list)
    for row in truths(batch, crowd, classes):
        truth[row["compound_id"]].append(row["comp"])
    scores = [row for row in aggregate(rows) if row.level == "compound" and row.comp is not None]
    few = [min(one.gold.n, one.attention.n) < Rules().min_checks for one in measure_annotators(rows)]
    return {
        "found": len(excluded & cheats),
        "cheaters": len(cheats),
        "wrongly": len(excluded - cheats),
        "few": statistics.fmean(few),
        "error": statistics.fmean(abs((row.comp or 0) - statistics.fmean(truth[row.compound_id])) for row in scores),
    }


def row(name: str, made: list[ReadBatch], workers: int, seeds: int, material: Material) -> str:
    """Return a row of the table: the means over *seeds* crowds of *workers* for each batch."""
    cheaters = 4 * max(1, round(workers / 20)) / workers
    crowds = [Crowd(workers, cheaters=cheaters, seed=f"checks {seed}") for seed in range(seeds)]
    all_figures = [measure(batch, crowd, material) for batch in made for crowd in crowds]
    total = {key: sum(one[key] for one in all_figures) for key in all_figures[0]}
    counts = made[0].info.counts
    extra = 1 - counts["item"] / sum(counts.values())
    each = made[0].info.tasks * PER_ITEM / workers
    cells = [name, f"{each:.0f}", f"{workers}", f"{100 * extra:.0f} %", f"{total['found'] / total['cheaters']:.2f}"]
    precision = total["found"] / max(1, total["found"] + total["wrongly"])
    cells += [f"{precision:.2f}", f"{100 * total['few'] / len(all_figures):.0f} %"]
    return "| " + " | ".join([*cells, f"{total['error'] / len(all_figures):.2f}"]) + " |"


def designs(material: Material, compounds: list[str]) -> Iterator[tuple[str, list[ReadBatch], int]]:
    """Yield the name of each design, its batches, and the number of annotators."""

    def made(rate: str, step: int = SMALL, **more: Any) -> list[ReadBatch]:
        return batches(material, compounds[::step], Design("token", Fraction(rate), Fraction(rate), **more))

    for rate in RATES:
        batch = made(rate)
        for each in SHARES:
            if (workers := round(batch[0].info.tasks * PER_ITEM / each)) > PER_ITEM:
                yield f"single tasks, rates {rate}", batch, workers
        yield f"everybody does all, rates {rate}", batch, PER_ITEM
    batch = made("0.1", LARGE)
    yield "single tasks, rates 0.1, 70 compounds", batch, count_workers(batch[0])
    yield "`--lists 3`, rates 0.05, `--min-checks 1`", made("0.05", lists=3, min_checks=1), PER_ITEM
    yield "`--lists 3`, rates 0.1", made("0.1", lists=3), PER_ITEM
    batch = made("0.1", group_size=GROUP_SIZES["token"])
    yield "Prolific, rates 0.1", batch, count_workers(batch[0])


def say(line: str) -> None:
    """Print *line*."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", type=Path, default=Path("ncimp"))
    parser.add_argument("--seeds", type=int, default=20, help="crowds for each row")
    arguments = parser.parse_args()
    tables = read_release(arguments.release)
    compounds = [one for one in tables.compounds if one.lang == "en"]
    items, literal = ([one for one in rows if one.lang == "en"] for rows in (tables.items, tables.literal))
    material = gather(tables.logical_sha256, items, literal, compounds)
    say("| design | tasks each | annotators | checks | recall | precision | too few checks | error |")
    say("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, made, workers in designs(material, [one.id for one in compounds]):
        say(row(name, made, workers, arguments.seeds, material))


if __name__ == "__main__":
    main()
