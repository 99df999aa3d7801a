"""Lexical composition: what do vectors know of phrases (Shwartz and Dagan, TACL 2019)?

Six tasks: is it a verb-particle construction, a light verb construction; is a word of a noun compound meant literally;
does a paraphrase tell the relation in a noun compound, the attribute in an adjective and noun; which type has a phrase.
`tasks` makes questions of the items, and the answers of shortcuts; `probes` trains probes on vectors of words. Each is
trained with several seeds, whose answers all count: a figure is the mean over seeds, its interval that over compounds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import numpy as np

from ncimp.evaluator.answers import Answers, split_answers
from ncimp.evaluator.records import OfAnswers
from ncimp.evaluator.runtime import require
from ncimp.evaluator.suites.lexcomp import tasks
from ncimp.evaluator.suites.lexcomp.tasks import ProbeQuestion
from ncimp.evaluator.suites.texts import SuiteInput
from ncimp.schemas import keyed_hash
from ncimp.schemas.suites import COMPOSITION, CompositionItem, CompositionTask

NAME = "lexcomp"
SEEDS = 5
SPLITS = {"published": "split", "lexical": "lexical"}  # column of each
PARTS = (tasks.PHRASE, tasks.CONTEXT, tasks.PHRASE + tasks.CONTEXT)  # left out of the implicit tasks, one by one
QuestionSet = tuple[str, str, list[ProbeQuestion], list[ProbeQuestion]]
"""Setting, what is left out, the questions of training, and those that are judged."""


class Lexcomp:
    """Six tasks of lexical composition."""

    folders = (COMPOSITION,)
    options = ("languages", "resamples", "split", "limit")

    def answers(self, data: SuiteInput) -> Iterator[Answers]:
        """Yield the answers of the shortcuts and of the probes, by task and split."""
        for lang, task in product(data.languages, get_args(CompositionTask)):
            items = [item for item in data.composition if (item.lang, item.task) == (lang, task)]
            sets = list(_question_sets(data, items))
            place = OfAnswers(NAME, lang, task, "test", "", "", data.model, False)
            for setting, without, trained, judged in sets:
                for name, rule in tasks.shortcuts(trained) if not without else ():
                    answers = [code for one in judged for code in rule(one.item)]
                    where: dict[str, Any] = {"setting": setting, "inputs": "any", "model": name, "baseline": True}
                    yield from _answers(replace(place, **where), judged, [answers])
            if sets:
                yield from _probed(data, place, sets)

    def notes(self, data: SuiteInput) -> Iterator[str]:
        """Yield what the figures are of, and what they leave out."""
        gaps = data.folder.manifest.counts.get("gaps")
        if isinstance(gaps, list) and gaps:
            yield f"The copy that was imported lacks {len(gaps)} published files, such as {gaps[0]}."
        yield (
            f"A probe is trained with {SEEDS} seeds, and n counts the answers of all of them. A tenth of the items of "
            "training ends it, and none that is judged."
        )
        yield "Probes take the top layer or a mix of all, whatever --layers says; no row holds an answer of people."
        if data.limit is not None:
            yield f"Probes are trained on {data.limit:,} items of a task at most, drawn by hash (--limit)."


def _question_sets(data: SuiteInput, items: Sequence[CompositionItem]) -> Iterator[QuestionSet]:
    """Yield the questions of each setting, whole and with parts left out."""
    codes = tasks.TagCodes(items)
    for setting, column in SPLITS.items():
        trained = [item for item in items if getattr(item, column) == "train"]
        judged = [item for item in items if getattr(item, column) in data.splits]
        if data.limit is not None and len(trained) > data.limit:
            sample = sorted(trained, key=lambda item: keyed_hash("limit", item.id))[: data.limit]
            trained = [item for item in trained if item in sample]
        for without in ("", *(PARTS if items and items[0].task in tasks.IMPLICIT else ())):
            if len({item.phrase or item.id for item in trained}) > 1 and judged:
                sides = (
                    [tasks.question(item, codes.gold(item), without) for item in side] for side in (trained, judged)
                )
                yield setting, without, *sides


def _probed(data: SuiteInput, place: OfAnswers, sets: Sequence[QuestionSet]) -> Iterator[Answers]:
    """Yield the answers of a probe of each kind, trained with each seed; parts are left out of the simplest only."""
    probes = require("ncimp.evaluator.suites.lexcomp.probes", extra="models")
    questions = [one for _, _, trained, judged in sets for one in (*trained, *judged)]
    passages = sorted({passage for one in questions for passage in one.passages}, key=lambda some: (-len(some), some))
    vectors = probes.PassageVectors(passages, data.words(passages))
    layers = (probes.TOP, probes.ALL) if vectors.layers > 1 else (probes.TOP,)
    classes = 1 + max(code for one in questions for code in one.gold)
    kinds = [probes.ProbeKind(*pair) for pair in product(layers, probes.ENCODERS)]
    rows = [(kind, *row) for row in sets for kind in kinds if not row[1] or kind == kinds[-1]]
    jobs = [
        probes.ProbeJob(kind, trained, judged, classes, f"{place.task}/{setting}/{'/'.join(kind)}/{without}/{seed}")
        for (kind, setting, without, trained, judged), seed in product(rows, range(SEEDS))
    ]
    answers: list[Any] = probes.predictions(jobs, vectors, data.progress)
    for number, (kind, setting, without, _, judged) in enumerate(rows):
        inputs = "/".join(filter(None, (*kind, without)))
        of_seeds = answers[number * SEEDS : (number + 1) * SEEDS]
        yield from _answers(replace(place, setting=setting, inputs=inputs), judged, of_seeds)


def _answers(place: OfAnswers, judged: Sequence[ProbeQuestion], of_seeds: Sequence[Sequence[int]]) -> Iterator[Answers]:
    """Yield the answers of all seeds in each split."""
    ids = [name for one in judged for name in one.ids]
    groups = [one.group for one in judged for _ in one.ids]
    gold = [code for one in judged for code in one.gold]
    column = SPLITS[place.setting]
    splits = [getattr(one.item, column) for one in judged for _ in one.ids]
    predicted = np.array(of_seeds[0] if place.baseline else of_seeds, dtype=np.float64)
    task: Any = place.task
    right = np.array(gold, dtype=np.float64)
    yield from split_answers(Answers(place, (tasks.metric_of(task),), ids, groups, right, predicted), splits)
