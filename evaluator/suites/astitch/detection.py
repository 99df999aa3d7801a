"""Task 1: a classifier over frozen vectors, or the model itself fine-tuned, tells senses, beside what shortcuts get.

Coarse: 1 where the compound is meant literally or is part of a name, else 0. Fine: of a sentence and a paraphrase of a
sense, 1 where the sentence has that sense. A model is data the sentence or all three sentences, and in the coarse task
the compound as a second text, or not; of two texts a, b the classifier sees a, b, |a - b| and a * b.

Zero-shot, one-shot and few-shot differ in what is trained on besides the compounds that are not judged: nothing, one
sentence a sense of those that are, or several.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ncimp.evaluator.answers import Answers, split_answers
from ncimp.evaluator.measures import FloatArray
from ncimp.evaluator.models import FineTuning, LabelledTexts
from ncimp.evaluator.records import Metric, OfAnswers
from ncimp.evaluator.results import read_rows
from ncimp.evaluator.runtime import require
from ncimp.evaluator.suites.texts import SuiteInput, SuiteText, held_out
from ncimp.schemas import EvaluationError, Place
from ncimp.schemas.suites import LITERALLY, ReleasedSense, SenseExample, Shot

SETTINGS: Mapping[str, tuple[Shot, ...]] = {
    "zero_shot": ("zero",),
    "one_shot": ("zero", "one"),
    "few_shot": ("zero", "one", "further"),
}
ITSELF = "itself"  # the setting of a shortcut that has seen the items that are judged
INPUTS = ("sentence", "sentence+compound", "context", "context+compound")
FINE_TUNED = "fine-tuned"  # behind the inputs of the answers of a model that is trained, not of its frozen vectors
METRICS: tuple[Metric, ...] = ("macro_f1", "accuracy")
STEPS = 5_000  # of the classifier at most
STRENGTH = 0.01  # inverse of its regularisation: there are more dimensions than compounds


class SenseQuestion(NamedTuple):
    """An item of a task: a sentence, in the fine task with a sense, and the right answer."""

    id: str
    example: SenseExample
    sense: ReleasedSense | None
    gold: int

    @property
    def key(self) -> Hashable:
        """What a shortcut knows of it: the compound, and the sense."""
        return self.example.compound_id, self.sense and self.sense.sense


Questions = Sequence[SenseQuestion]
Senses = Mapping[str, Sequence[ReleasedSense]]


def idiomatic_sentences(path: Path, examples: Iterable[SenseExample]) -> set[str]:
    """Return the sentences of *examples* that most of the one-shot answers in *path* say to be idiomatic.

    *path* is the `answers.parquet` of an evaluation. There are answers by kind of input and seed; where as many say the
    one as the other, the sentence is not among them.
    """
    votes: defaultdict[str, list[float]] = defaultdict(list)
    for row in read_rows(path, "suite_answer"):
        if (row["task"], row["setting"]) == ("detection_coarse", "one_shot") and row["predicted"] is not None:
            votes["/".join(row["id"].split("/")[:3])].append(row["predicted"])  # the seed may stand behind the id
    idiomatic = {row.sentence for row in examples if row.id in votes and 2 * sum(votes[row.id]) < len(votes[row.id])}
    if not idiomatic:
        fix = "give the answers.parquet of an evaluation of the same items with --suite astitch"
        what = "no one-shot answer of detection_coarse says that a sentence is idiomatic"
        raise EvaluationError(what, fix=fix, place=Place(str(path)))
    return idiomatic


def detection(data: SuiteInput, lang: str) -> Iterator[Answers]:
    """Yield the answers of the model, and of each shortcut, to both tasks in each split and setting."""
    senses: defaultdict[str, list[ReleasedSense]] = defaultdict(list)
    for sense in data.senses:
        senses[sense.compound_id].append(sense)
    examples = [row for row in data.examples if row.lang == lang]
    judged = [row for row in examples if row.shot == "none" and row.split in data.splits]
    settings = {
        name: [row for row in examples if row.shot in shots]
        for name, shots in SETTINGS.items()
        if any(row.shot == shots[-1] for row in examples)
    }
    for task, questions_of in (("detection_coarse", coarse), ("detection_fine", fine)):
        place = OfAnswers("astitch", lang, task, "test", "", "", data.model, False)
        questions = questions_of(judged, senses)
        trained = {name: questions_of(rows, senses) for name, rows in settings.items()}
        if questions:
            yield from _shortcuts(place, questions, trained, senses)
            for inputs in INPUTS if task == "detection_coarse" else INPUTS[::2]:
                yield from _classified(data, place, questions, trained, inputs)
                if data.tuner is not None and inputs in (data.tuner.training.inputs or INPUTS):
                    yield from _fine_tuned(data, place, questions, trained, inputs)


def coarse(examples: Sequence[SenseExample], _senses: Senses) -> list[SenseQuestion]:
    """Return a question for each of *examples*."""
    return [SenseQuestion(row.id, row, None, row.label) for row in examples]


def fine(examples: Sequence[SenseExample], senses: Senses) -> list[SenseQuestion]:
    """Return a question for each of *examples* and each sense of its compound."""
    return [
        SenseQuestion(f"{row.id}/{sense.sense}", row, sense, int(sense.sense == row.sense))
        for row in examples
        if row.sense is not None
        for sense in senses[row.compound_id]
    ]


def paraphrase(sense: ReleasedSense) -> str:
    """Return the words that stand for *sense*: its paraphrase, or the name of its kind."""
    return sense.text or sense.kind.replace("_", " ")


def _classified(
    data: SuiteInput, place: OfAnswers, questions: Questions, settings: Mapping[str, Questions], inputs: str
) -> Iterator[Answers]:
    """Yield the answers of a classifier trained in each of *settings*."""
    largest = max(settings.values(), key=len, default=())  # the others are parts of it
    rows = {question.id: number for number, question in enumerate((*questions, *largest))}
    columns = zip(*(question_texts(question, inputs) for question in (*questions, *largest)), strict=True)
    parts = [data.vectors(texts) for texts in columns]
    vectors = paired(*parts) if len(parts) > 1 else parts[0]
    for setting, trained in settings.items():
        labels = np.array([question.gold for question in trained])
        places = [rows[question.id] for question in trained]
        predicted = classify(vectors[places], labels, vectors[: len(questions)])
        yield from _answers(place, questions, predicted, setting=setting, inputs=inputs)


def _fine_tuned(
    data: SuiteInput, place: OfAnswers, questions: Questions, settings: Mapping[str, Questions], inputs: str
) -> Iterator[Answers]:
    """Yield the answers of the model itself, fine-tuned in each of *settings* that is asked for.

    One-shot and few-shot go on from zero-shot. A tenth of its sentences, by compound, tell which epoch is best.
    """
    training: FineTuning = data.tuner.training
    first, *_ = SETTINGS
    compounds = [question.example.compound_id for question in settings.get(first, ())]
    aside = held_out(compounds) if compounds else set()
    if not aside:
        what = f"{place.lang} has fewer than two compounds to fine-tune on"
        raise EvaluationError(what, fix="ask for another language, or leave out --fine-tune")

    def texts(some: Iterable[SenseQuestion]) -> list[LabelledTexts]:
        rows = ((question_texts(question, inputs), question.gold) for question in some)
        return [LabelledTexts(tuple(passage.text for passage in passages), gold) for passages, gold in rows]

    watched = texts(question for question in settings[first] if question.example.compound_id in aside)
    stages = {
        name: texts(
            question
            for question in trained
            if question.example.compound_id not in aside and (question.example.shot == "zero") == (name == first)
        )
        for name, trained in settings.items()
        if name in (first, *(training.settings or SETTINGS))
    }
    found = data.tuner(stages, watched, [row.texts for row in texts(questions)], data.progress)
    for setting in [name for name in stages if name in (training.settings or stages)]:
        of_seeds = np.array(found[setting], dtype=np.float64)
        yield from _answers(place, questions, of_seeds, setting=setting, inputs=f"{inputs}/{FINE_TUNED}")


def question_texts(question: SenseQuestion, inputs: str) -> tuple[SuiteText, ...]:
    """Return the texts of *question* in one kind of *inputs*: one, or two of which the second is alone."""
    text, *beside = inputs.split("+")
    first = passage(question.example, text)
    if question.sense is not None:
        return first, SuiteText(paraphrase(question.sense))
    return (first, SuiteText(question.example.compound)) if beside else (first,)


def passage(example: SenseExample, text: str) -> SuiteText:
    """Return the sentence of *example*, or its `context` of three sentences, with the place of the compound."""
    span = example.span or (0, len(example.sentence))
    if text == "sentence":
        return SuiteText(example.sentence, example.span)
    start = len(example.previous) + 1 if example.previous else 0
    return SuiteText(example.context, (start + span[0], start + span[1]))


def paired(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return what the classifier sees of two texts."""
    return np.hstack([first, second, np.abs(first - second), first * second])


def classify(features: FloatArray, labels: NDArray[np.int_], others: FloatArray) -> FloatArray:
    """Return the label of each row of *others*, by a logistic regression over *features* scaled to variance 1.

    There is none for a row without a vector, and none at all where fewer than two labels have one.
    """
    complete, there = ~np.isnan(features).any(axis=1), ~np.isnan(others).any(axis=1)
    predicted = np.full(len(others), np.nan)
    if len(set(labels[complete].tolist())) < 2:
        return predicted
    linear, preprocessing = require("sklearn.linear_model"), require("sklearn.preprocessing")
    scaler = preprocessing.StandardScaler().fit(features[complete])
    model = linear.LogisticRegression(C=STRENGTH, max_iter=STEPS)
    model.fit(scaler.transform(features[complete]), labels[complete])
    if there.any():
        predicted[there] = model.predict(scaler.transform(others[there]))
    return predicted


def _answers(place: OfAnswers, questions: Questions, predicted: FloatArray, **where: Any) -> Iterator[Answers]:
    """Yield *predicted*, of which there may be a row a seed, as the answers in each split."""
    ids, groups = [question.id for question in questions], [question.example.compound_id for question in questions]
    gold = np.array([question.gold for question in questions], dtype=np.float64)
    splits = [question.example.split for question in questions]
    yield from split_answers(Answers(replace(place, **where), METRICS, ids, groups, gold, predicted), splits)


def _shortcuts(
    place: OfAnswers, questions: Questions, settings: Mapping[str, Questions], senses: Senses
) -> Iterator[Answers]:
    """Yield the answers of each shortcut that has seen the labels of a setting, or those that are judged."""
    for setting, trained in {ITSELF: questions, **settings}.items():
        usual = majority([question.gold for question in trained], tie=0)
        rules: dict[str, Callable[[SenseQuestion], int]] = {"majority": partial(_same, usual)}
        for tie in (0, 1):
            rules[f"compound majority, ties to {tie}"] = MajorityByKey(trained, usual, tie)
        if setting != ITSELF:
            rules["literal overlap"] = partial(overlap_answer, senses=senses, usual=usual)
        for name, rule in rules.items():
            predicted = np.array([rule(question) for question in questions], dtype=np.float64)
            yield from _answers(place, questions, predicted, model=name, baseline=True, setting=setting, inputs="any")


def _same(label: int, _question: SenseQuestion) -> int:
    return label


def majority(labels: Sequence[int], *, tie: int) -> int:
    """Return the label of most, *tie* where both have as many."""
    counts = Counter(labels)
    return tie if counts[0] == counts[1] else int(counts[1] > counts[0])


class MajorityByKey:
    """The label of most questions about a compound (and a sense), learnt from some questions."""

    def __init__(self, trained: Sequence[SenseQuestion], usual: int, tie: int) -> None:
        labels: defaultdict[Hashable, list[int]] = defaultdict(list)
        for question in trained:
            labels[question.key].append(question.gold)
        self._usual = usual
        self._labels = {key: majority(row, tie=tie) for key, row in labels.items()}

    def __call__(self, question: SenseQuestion) -> int:
        """Return the label; the usual one where nothing is known of the compound."""
        return self._labels.get(question.key, self._usual)


def overlap_answer(question: SenseQuestion, senses: Senses, usual: int) -> int:
    """Return the answer of who looks for words of the paraphrases in the sentences, and knows nothing else.

    Coarse: 1 where a literal paraphrase has more of its words there than any other, 0 where fewer. Fine: 1 where no
    paraphrase has more, and this one has some.
    """
    of_compound, its = set(words(question.example.compound)), senses[question.example.compound_id]
    text = set(words(question.example.context)) - of_compound
    shares = {sense.sense: _share(set(words(paraphrase(sense))) - of_compound, text) for sense in its}
    if question.sense is not None:
        share = shares[question.sense.sense]
        return int(share > 0 and share == max(shares.values()))
    sides = [
        max((shares[sense.sense] for sense in its if (sense.kind in LITERALLY) is side), default=0.0)
        for side in (False, True)
    ]
    return usual if sides[0] == sides[1] else int(sides[1] > sides[0])


def _share(some: set[str], text: set[str]) -> float:
    return len(some & text) / len(some) if some else 0.0


def words(text: str) -> list[str]:
    r"""Return the words of *text* in small letters.

    >>> words("The Rat-race.")
    ['the', 'rat', 'race']
    """
    return re.findall(r"\w+", text.lower())
