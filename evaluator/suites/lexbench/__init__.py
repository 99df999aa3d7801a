"""Phrases, asked in words: answers of language models to the tasks of LexBench and SemanticQA, scored from files.

Liu et al., arXiv 2405.02861 and ACL 2026. The denominator is every item of a task that any of the files has: an item
that a model did not answer is missing from its file, and wrong. A refusal, and an answer without any of the accepted
shapes, are wrong as well, and listed.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ncimp.evaluator.answers import Answers, by_membership
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.records import OfAnswers
from ncimp.evaluator.suites.lexbench.audit import notes, shortcuts
from ncimp.evaluator.suites.lexbench.parsers import parse
from ncimp.evaluator.suites.lexbench.recorded import (
    LICENCE,
    VERSION,
    AnswerFile,
    RecordedAnswers,
    idiom_sentences,
    read_recorded,
)
from ncimp.evaluator.suites.lexbench.scoring import ScoredAnswer, greedy_f1, score, word_vectors
from ncimp.evaluator.vectors import WordSource
from ncimp.schemas import UsageError
from ncimp.schemas.suites import VMWE_TYPES, PhraseItem, Rule, SuiteTables, UnparsedAnswer

__all__ = ["LICENCE", "NAME", "VERSION", "ReplayedAnswers", "answer_files", "phrase_tables", "replay"]
NAME = "lexbench"
SUFFIXES = (".json", ".jsonl")
BESIDE = ("results_", "journal.")  # how files begin that lm-evaluation-harness and `ncimp suite ask` put beside answers
SHOWN = 300  # characters of an answer that is listed
MOSTLY = 0.5  # a file with less of its items in the others of its name is of another task


class PhraseTask(NamedTuple):
    """A task: its items, and the files with answers to them."""

    name: str
    items: Mapping[str, PhraseItem]
    files: Sequence[RecordedAnswers]

    @property
    def lang(self) -> str:
        """The language of its items."""
        return self.files[0].lang

    @property
    def key(self) -> tuple[str, str]:
        """Language and name."""
        return self.lang, self.name

    def model(self, part: RecordedAnswers) -> str:
        """Return the name of the model of *part*, with its file where another one has that name and setting, too."""
        same = sum((one.setting, one.model) == (part.setting, part.model) for one in self.files)
        return part.model if same < 2 else f"{part.model} ({part.file})"


@dataclass(frozen=True, slots=True)
class ReplayedAnswers:
    """The tasks of some files, the scored answers, those that do not parse, and what a reader should know."""

    tasks: tuple[PhraseTask, ...]
    answers: tuple[Answers, ...]
    unparsed: tuple[UnparsedAnswer, ...]
    notes: tuple[str, ...]


def answer_files(paths: Iterable[AnswerFile]) -> list[AnswerFile]:
    """Return the files of *paths*, in which folders, also in a zip, stand for all files with answers in them."""
    files = [file for path in paths for file in (_inside(path) if path.is_dir() else [path])]
    if not files:
        raise UsageError("no file with answers is there", fix="give files that end in .json or .jsonl, or their folder")
    return list({str(file): file for file in files}.values())


def _inside(folder: AnswerFile) -> list[AnswerFile]:
    entries: list[AnswerFile] = sorted(folder.iterdir(), key=str)
    parts = [_inside(entry) if entry.is_dir() else [entry] for entry in entries]
    files = (file for part in parts for file in part if not file.name.startswith(BESIDE))
    return [file for file in files if file.name.endswith(SUFFIXES)]


def replay(
    paths: Iterable[AnswerFile], *, trained: Iterable[str] = (), reference: WordSource | None = None
) -> ReplayedAnswers:
    """Return the scored answers in the files of *paths*; *trained* are sentences that models may have trained on.

    A *reference* model says how near a meaning in words is to its references.
    """
    tasks, moved = phrase_tasks([part for path in answer_files(paths) for part in read_recorded(path)])
    answers: list[Answers] = []
    unparsed: list[UnparsedAnswer] = []
    scores: ScoresByFile = {}
    vectors = word_vectors(reference, meanings(tasks)) if reference else {}
    for task in tasks:
        shorts = shortcuts(task.items)
        scores |= {(*task.key, *part.key): _scores(part, task) for part in (*task.files, *shorts)}
        for typed in expressions_by_type(task):
            listed = np.array([bool(item.benchmarks) for item in typed.items.values()])
            parts = [
                (inputs, typed._replace(items=dict(itertools.compress(typed.items.items(), mask))))
                for inputs, mask in by_membership(np.ones_like(listed), listed)
            ]
            for part in (*task.files, *shorts):
                model = task.model(part)
                place = OfAnswers(NAME, task.lang, typed.name, "test", part.setting, "", model, part in shorts)
                scored = scores[*task.key, *part.key]
                for inputs, some in parts:
                    answered = {key: row for key, row in scored.items() if key in some.items}
                    answers += _answers(replace(place, inputs=inputs), some, answered, vectors)
                unparsed += _listed(place, task, part, scored) if typed is task and not place.baseline else []
    answers += _both(tasks, scores)
    return ReplayedAnswers(tuple(tasks), tuple(answers), tuple(unparsed), (*moved, *notes(tasks, trained)))


def phrase_tables(tree: AnswerFile) -> SuiteTables:
    """Return the items of the answers in *tree*, each once, and the sentences there that can be shown as examples."""
    tasks, _ = phrase_tasks([part for path in answer_files([tree]) for part in read_recorded(path)])
    items = {key: item for task in reversed(tasks) if "/" not in task.name for key, item in task.items.items()}
    phrases = {item.phrase.casefold() for item in items.values()}
    items |= {item.id: item for item in idiom_sentences(tree) if item.phrase.casefold() not in phrases}
    return SuiteTables(phrases=tuple(items[key] for key in sorted(items)))


def phrase_tasks(files: Sequence[RecordedAnswers]) -> tuple[list[PhraseTask], list[str]]:
    """Return *files* by task, and a sentence for each that holds the items of another task than its name says."""
    groups: defaultdict[tuple[str, str], list[RecordedAnswers]] = defaultdict(list)  # by language and name
    sentences = []
    for part in files:
        groups[part.lang, part.task].append(part)
    for part in files:
        others = [one for one in groups[part.lang, part.task] if one is not part]
        if others and not _mostly(part, others):
            step = part.task.partition("/")[2]
            other_names = [name for (_, name), some in groups.items() if name != part.task and _mostly(part, some)]
            fitting = sorted((name for name in other_names if name.partition("/")[2] == step), key=len)
            name = fitting[0] if fitting else f"{part.task} ({part.file})"
            groups[part.lang, part.task].remove(part)
            groups[part.lang, name].append(replace(part, task=name))
            sentences.append(f"{part.file} holds the items of {name}, and is counted there.")
    return [_task(name, some) for (_, name), some in sorted(groups.items())], list(dict.fromkeys(sentences))


def _task(name: str, files: Sequence[RecordedAnswers]) -> PhraseTask:
    """Return the task of *files*, whose items are those of any of them; all labels are options of each."""
    items = {key: item for part in files for key, item in part.items.items()}
    labels = tuple(sorted({gold for item in items.values() for gold in item.gold}))
    whole = {key: replace(item, options=labels) if item.kind == "category" else item for key, item in items.items()}
    for key, count in Counter(part.key for part in files).items():
        if count > 1:
            what = f"two files {key[0]} have the answers of {key[2]} to {name}"
            raise UsageError(what, fix="give one of them, or rename the other one or its folder")
    return PhraseTask(name, dict(sorted(whole.items())), files)


def expressions_by_type(task: PhraseTask) -> Iterator[PhraseTask]:
    """Yield *task*, and then its verbal expressions of each type, where it has several types."""
    yield task
    names = sorted({item.category or "" for item in task.items.values()})
    for name in names if len(names) > 1 and set(names) <= set(VMWE_TYPES) else ():
        items = {key: item for key, item in task.items.items() if item.category == name}
        yield task._replace(name=f"{task.name}_{name}", items=items)


def _mostly(part: RecordedAnswers, others: Iterable[RecordedAnswers]) -> bool:
    keys = {key for one in others for key in one.items}
    return len(part.items.keys() & keys) >= MOSTLY * len(part.items)


Scores = Mapping[str, ScoredAnswer]  # by id of the item; without those that were not answered
ScoresByFile = dict[tuple[str, ...], Scores]  # by language, task, file, setting and model


def _scores(part: RecordedAnswers, task: PhraseTask) -> Scores:
    is_step = "/" in task.name
    return {key: score(task.items[key], answer, is_step=is_step) for key, answer in part.answers.items()}


def meanings(tasks: Iterable[PhraseTask]) -> list[str]:
    """Return the texts of all meanings in words, as they are understood, of the references, and of the phrases."""
    texts = set[str]()
    for task in tasks:
        for item in task.items.values():
            if item.kind == "interpretation":
                answers = (item.phrase, *(part.answers.get(item.id, "") for part in task.files))
                texts |= {
                    *item.gold,
                    *filter(None, (parse(item.kind, answer, item.options).text for answer in answers)),
                }
    return sorted(texts)


def _answers(
    place: OfAnswers, task: PhraseTask, scored: Scores, vectors: Mapping[str, FloatArray]
) -> Iterator[Answers]:
    """Yield the worth of the answers by each rule, and for labels also the labels."""
    refused, unparsed = (sum(row.parse.status == name for row in scored.values()) for name in ("refused", "unparsed"))
    counts: Any = {"refused": refused, "unparsed": unparsed}
    groups = [item.phrase.casefold() for item in task.items.values()]
    ones = np.ones(len(groups))
    first = next(iter(task.items.values()))
    for rule in score(first, "").worth:
        worth = [scored[key].worth[rule] if key in scored else np.nan for key in task.items]
        yield Answers(place, (rule,), list(task.items), groups, ones, np.array(worth), **counts)
    if first.kind == "interpretation" and vectors:
        texts = [scored[key].parse.text if key in scored else None for key in task.items]
        near = [
            max(greedy_f1(vectors[text], vectors[other]) for other in item.gold) if text else np.nan
            for text, item in zip(texts, task.items.values(), strict=True)
        ]
        yield Answers(place, ("bertscore",), list(task.items), groups, ones, np.array(near), **counts)
    if first.kind == "rating":
        gold = np.array([float(item.gold[0]) for item in task.items.values()])
        texts = [scored[key].parse.text if key in scored else None for key in task.items]
        predicted = np.array([np.nan if text is None else float(text) for text in texts])
        yield Answers(place, ("rho",), list(task.items), groups, gold, predicted, **counts)
    if first.kind == "category":
        numbers = {label: float(number) for number, label in enumerate(first.options)}
        gold = np.array([numbers[item.gold[0]] for item in task.items.values()])
        texts = [scored[key].parse.text if key in scored else None for key in task.items]
        predicted = np.array([np.nan if text is None else numbers[text] for text in texts])
        yield Answers(
            place, ("macro_f1", "micro_f1", "weighted_f1"), list(task.items), groups, gold, predicted, **counts
        )


def _both(tasks: Iterable[PhraseTask], scores: "ScoresByFile") -> Iterator[Answers]:
    """Yield, of tasks in two steps, whether both are right; of a meaning in words, its worth where the first is."""
    by_key = {task.key: task for task in tasks}
    for task in by_key.values():
        stem, _, step = task.name.partition("/")
        first = by_key.get((task.lang, f"{stem}/extraction"))
        if first is None or step == "extraction":
            continue
        for part in task.files:
            other = next(one for one in first.files if one.key == part.key)
            rule: Rule = "rouge_l" if step == "interpretation" else "strict"
            of_first, of_second = scores[*first.key, *part.key], scores[*task.key, *part.key]
            worth = {  # both parts have an item of each row of the file, in its order
                key: of_second[key].worth[rule] * of_first[before].worth["strict"]
                for key, before in zip(part.items, other.items, strict=True)
                if key in of_second and before in of_first
            }
            place = OfAnswers(NAME, task.lang, f"{stem}/both", "test", part.setting, "", task.model(part), False)
            groups = [item.phrase.casefold() for item in task.items.values()]
            predicted = np.array([worth.get(key, np.nan) for key in task.items])
            yield Answers(place, (rule,), list(task.items), groups, np.ones(len(groups)), predicted)


def _listed(place: OfAnswers, task: PhraseTask, part: RecordedAnswers, scored: Scores) -> Iterator[UnparsedAnswer]:
    for key, row in scored.items():
        status = row.parse.status
        if status in ("refused", "unparsed"):
            where = (place.lang, place.task, place.setting, place.model)
            text = part.answers[key][:SHOWN]
            yield UnparsedAnswer(*where, key, task.items[key].phrase, status, text)
