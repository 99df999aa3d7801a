"""Simulate annotators, so that a campaign can be rehearsed and its report compared with the truth.

A careful annotator sees a sentence whose true value is v, adds a bias of their own and a slip, and rounds to 0 to 5:

    answer = round(v + lean_j + slip), cut to 0 to 5        lean_j ~ N(0, bias), slip ~ N(0, noise)

The truth is the mean answer of all careful annotators there could be, which is known exactly: rounding and the ends of
the scale are in it. The others cheat in one of four ways. Tasks, checks too, are handed out as the service does it: a
group as a whole, single tasks to whoever has done least. Everything is drawn from one seed and marked as simulated.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal

import numpy as np
from scipy.stats import norm

from ncimp.builder.annotation.answers.annotators import QUESTIONS, Question
from ncimp.builder.annotation.answers.returned import SIMULATED
from ncimp.builder.annotation.task.batch import SCALE, TASKS_EACH, ReadBatch, Task
from ncimp.builder.records import CompoundClass, Status
from ncimp.schemas import Row, keyed_hash, read_tsv

Habit = Literal["careful", "random", "straight", "speeder", "reversed"]
CHEATS: tuple[Habit, ...] = ("random", "straight", "speeder", "reversed")  # always the same; in a second; upside down
# centres of the true values of a class
CENTRES: Mapping[CompoundClass, float] = {"idiomatic": 0.8, "partly_compositional": 2.5, "compositional": 4.2}
# spread of the true values: of compounds of a class, of sentences of a compound, of questions on a compound
WITHIN_CLASS, WITHIN_COMPOUND, BETWEEN_QUESTIONS = 0.6, 0.25, 0.5
STRAIGHT = 3
SLIPS_OF_CHECKS = 0.5  # slips of careful annotators in checks, which are easy, as a share of the usual
CAREFUL_SECONDS, SPEEDY_SECONDS = (18, 60), (1, 3)
ISO_DAY = "2001-01-01T12:00:00Z"  # time of simulated answers: a day before the scale was thought of
TRUTH_FILE, HABITS_FILE = "truth.tsv", "workers.tsv"
TRUTH = ("compound_id", "item_id", "comp", "head", "modifier")
HABITS = ("worker", "habit", "lean")  # files of a rehearsal, and their columns


@dataclass(frozen=True, slots=True)
class Crowd:
    """Parameters of the simulated annotators."""

    workers: int = 10
    cheaters: float = 0.2
    bias: float = 0.3  # standard deviation of the mean error of annotators
    noise: float = 0.7  # standard deviation of their slips
    unknown: float = 0.02  # share of the sentences whose expression a careful annotator does not know
    seed: str = "ncimp"


@dataclass(frozen=True, slots=True)
class Worker:
    """One simulated annotator."""

    name: str
    habit: Habit
    lean: float


@dataclass(frozen=True, slots=True)
class Assignment:
    """One task as one worker answered it."""

    task: Task
    worker: Worker
    fields: Mapping[str, str]
    seconds: int


Values = Mapping[tuple[str, Question], float]  # true values by item and question


def recruit(crowd: Crowd) -> list[Worker]:
    """Return the workers, the cheaters first and of each habit about as many."""
    cheaters = round(crowd.workers * crowd.cheaters)
    habits = [CHEATS[place % len(CHEATS)] if place < cheaters else "careful" for place in range(crowd.workers)]
    names = [f"{SIMULATED}{keyed_hash(crowd.seed, 'worker', str(place))[:8]}" for place in range(crowd.workers)]
    leans = _draws(crowd.seed, "leans").normal(0, crowd.bias, crowd.workers)
    return [Worker(name, habit, float(lean)) for name, habit, lean in zip(names, habits, leans, strict=True)]


def true_values(batch: ReadBatch, crowd: Crowd, classes: Mapping[str, CompoundClass]) -> Values:
    """Return the true value of each item and question; a compound without a class may lie anywhere."""
    values: dict[tuple[str, Question], float] = {}
    for task in sorted(batch.tasks, key=lambda task: task.task_id):
        if task.kind != "item":
            continue
        draws = _draws(crowd.seed, "compound", task.compound_id)
        name = classes.get(task.compound_id)
        centre = CENTRES[name] + draws.normal(0, WITHIN_CLASS) if name else draws.uniform(0, 5)
        shifts = {"comp": 0.0, **{part: draws.normal(0, BETWEEN_QUESTIONS) for part in ("head", "modifier")}}
        for sentence in task.sentences:
            shift = _draws(crowd.seed, "item", sentence.item_id).normal(0, WITHIN_COMPOUND)
            for question in QUESTIONS:
                value = centre + shift + shifts[question]
                values[sentence.item_id, question] = float(np.clip(value, SCALE[0], SCALE[-1]))
    return values


def expected_answer(value: float, crowd: Crowd) -> float:
    """Return the mean answer of all careful annotators to a sentence of this true *value*."""
    spread = float(np.hypot(crowd.bias, crowd.noise))
    if spread == 0:
        return float(np.clip(_half_up(value), SCALE[0], SCALE[-1]))
    # the answer is at least p when v + lean + slip is above p - 1/2
    return float(sum(norm.sf(point - 0.5, loc=value, scale=spread) for point in SCALE[1:]))


def truths(batch: ReadBatch, crowd: Crowd, classes: Mapping[str, CompoundClass]) -> list[Row]:
    """Return the rows of `TRUTH_FILE`: the mean answers of all careful annotators to every sentence, sorted."""
    values = true_values(batch, crowd, classes)
    items = [task for task in batch.tasks if task.kind == "item"]
    pairs = {(task.compound_id, sentence.item_id) for task in items for sentence in task.sentences}
    rows: list[Row] = [{"compound_id": compound, "item_id": item} for compound, item in sorted(pairs)]
    for row in rows:
        row |= {name: round(expected_answer(values[row["item_id"], name], crowd), 6) for name in QUESTIONS}
    return rows


def simulate(batch: ReadBatch, crowd: Crowd, classes: Mapping[str, CompoundClass]) -> list[Assignment]:
    """Return the answers of the workers: every task, checks too, by as many of them as the batch asks for."""
    workers, values = recruit(crowd), true_values(batch, crowd, classes)
    assignments: list[Assignment] = []
    load = Counter[str]()  # tasks by worker
    for part, tasks in groupby(batch.tasks, key=lambda task: task.group or task.task_id):
        order = sorted(workers, key=lambda one: (load[one.name], keyed_hash(crowd.seed, part, one.name)))
        people = order[: batch.info.per_item]
        new = [_answer(task, worker, crowd, values) for task in tasks for worker in people]
        load.update(one.worker.name for one in new)
        assignments += new
    return assignments


def count_workers(batch: ReadBatch) -> int:
    """Return the number of workers that *batch* needs when each does one group, or `TASKS_EACH` single tasks."""
    groups = {task.group for task in batch.tasks} - {None}
    shares = len(groups) or max(1, len(batch.tasks) / TASKS_EACH)
    return math.ceil(batch.info.per_item * shares)


def _answer(task: Task, worker: Worker, crowd: Crowd, values: Values) -> Assignment:
    draws = _draws(crowd.seed, "answer", task.task_id, worker.name)
    fields = {"task_id": task.task_id}
    answer: dict[Question, float] | None = None
    if task.expected:  # the middle of the answers that a check allows
        bounds = {name: getattr(task.expected, name) or (SCALE[0], SCALE[-1]) for name in QUESTIONS}
        answer = {name: sum(bound) / 2 for name, bound in bounds.items()}
    is_sincere = worker.habit in ("careful", "reversed")
    for number, sentence in enumerate(task.sentences, start=1):
        status: Status = "judged"
        if is_sincere and task.expected:
            status = task.expected.answer
        elif is_sincere and draws.random() < crowd.unknown:
            status = "unknown"
        fields[f"status_{number}"] = status
        if status != "judged":
            continue
        if is_sincere:
            true = answer or {name: values[sentence.item_id, name] for name in QUESTIONS}
            easy = SLIPS_OF_CHECKS if answer else 1.0
            slips = {name: easy * (worker.lean + draws.normal(0, crowd.noise)) for name in QUESTIONS}
            scores = {name: _half_up(true[name] + slips[name]) for name in QUESTIONS}
        elif worker.habit == "straight":
            scores = dict.fromkeys(QUESTIONS, STRAIGHT)
        else:
            scores = {name: int(draws.integers(0, len(SCALE))) for name in QUESTIONS}
        if worker.habit == "reversed":
            scores = {name: SCALE[-1] - score for name, score in scores.items()}
        fields |= {f"{name}_{number}": str(int(np.clip(score, 0, SCALE[-1]))) for name, score in scores.items()}
        fields[f"synonym1_{number}"] = f"simulated synonym {'abc'[int(draws.integers(0, 3))]}"
    low, high = SPEEDY_SECONDS if worker.habit == "speeder" else CAREFUL_SECONDS
    return Assignment(task, worker, fields, len(task.sentences) * int(draws.integers(low, high)))


def _half_up(value: float) -> int:
    return int(np.floor(value + 0.5))


def _draws(*parts: str) -> np.random.Generator:
    return np.random.default_rng(int(keyed_hash(*parts)[:16], 16))  # depends on *parts* alone, not on earlier draws


def read_truth(folder: Path) -> dict[str, tuple[str, float]]:
    """Return (compound, true score) of every sentence of the rehearsal in *folder*."""
    rows = read_tsv(folder / TRUTH_FILE, TRUTH)
    return {row["item_id"]: (row["compound_id"], float(row["comp"])) for _, row in rows}


def read_habits(folder: Path) -> dict[str, str]:
    """Return the habit of each simulated annotator of the rehearsal in *folder*."""
    return {row["worker"]: row["habit"] for _, row in read_tsv(folder / HABITS_FILE, HABITS)}
