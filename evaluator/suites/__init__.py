"""Suites of further questions: items to answers, answers to figures; models, files and pages are those of the pairs.

A suite reads tables of a release, or of a folder that `ncimp suite import` wrote, takes vectors of texts or words from
a model, and yields the answers of the model and of shortcuts that see no vector. Intervals and comparisons are those of
`ncimp.evaluator.answers`. To add a suite, write its folder beside `astitch` and name it in `SUITES`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Protocol

import ncimp
from ncimp.evaluator import records
from ncimp.evaluator.answers import Answers, suite_results
from ncimp.evaluator.correlation import SEED
from ncimp.evaluator.evaluation import MIN_RESAMPLES, Evaluation, Options
from ncimp.evaluator.models.idioms import SELECT
from ncimp.evaluator.suites import astitch, lexbench, lexcomp, plausibility
from ncimp.evaluator.suites.texts import SuiteInput, word_source
from ncimp.evaluator.vectors import OpenedVectors
from ncimp.schemas import UsageError, value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import SHOTS, ConsistencyPair, SenseExample

SPLITS = ("validation", "test")


class Suite(Protocol):
    """A suite: its items and its answers."""

    @property
    def folders(self) -> Sequence[str]:
        """The folders of a release that hold its items."""

    @property
    def options(self) -> Sequence[str]:
        """The options that it knows."""

    def answers(self, data: SuiteInput) -> Iterator[Answers]:
        """Yield the answers of the model and of each baseline, task by task."""

    def notes(self, data: SuiteInput) -> Iterator[str]:
        """Yield what a reader of the figures should know, in sentences."""


SUITES: Mapping[str, Suite] = {astitch.NAME: astitch.Astitch(), lexcomp.NAME: lexcomp.Lexcomp()}
RECORDED = (lexbench.NAME,)  # suites of which answers are recorded in files


def evaluate_suite(
    name: str,
    folder: ReleaseFolder,
    vectors: OpenedVectors,
    *,
    options: Options,
    judged: Sequence[ConsistencyPair] = (),
    reference: OpenedVectors | None = None,
    tuner: Any = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Evaluation:
    """Return the evaluation of *vectors* on the suite *name*, whose items are in *folder*.

    *judged* are further pairs of sentences that people have judged; a *reference* model says how near two paraphrases
    are where the folder does not. Raises `UsageError` where the folder has none of its items, or for options that mean
    nothing there. A *tuner* also fine-tunes the model. *progress* is told how many probes of a task, or epochs, are
    trained.
    """
    suite, manifest = SUITES[name], folder.manifest
    _check(options, suite.options)
    if not any(manifest.data_files(config) for config in suite.folders):
        fix = f"give --release a folder that `ncimp suite import {name}` wrote, or a release whose packs have them"
        raise UsageError(f"{folder.path} has no items of the suite {name!r}", fix=fix)
    for lang in options.languages or ():
        if lang not in manifest.languages:
            fix = f"choose among {', '.join(manifest.languages)}"
            raise UsageError(f"the release has no language {lang!r}", fix=fix)
    if options.split not in (None, *SPLITS):
        raise UsageError(f"nothing of the split {options.split!r} is judged", fix=f"choose {' or '.join(SPLITS)}")
    languages = tuple(lang for lang in manifest.languages if lang in (options.languages or manifest.languages))
    splits = SPLITS if options.split is None else (options.split,)
    select = str(vectors.model.options.get("idiom_tokens", "")).startswith(SELECT)
    if select and tuner:
        raise UsageError("answers to detection choose the tokens already", fix="leave out --fine-tune")
    data = SuiteInput(folder, vectors.source, vectors.model.name, languages, splits, tuple(judged),
        None if reference is None else reference.source, options.limit, progress, select, tuner)  # fmt: skip
    answers = tuple(suite.answers(data))
    if not answers:
        raise UsageError("nothing to judge is left", fix="ask for another language or split")
    signed: dict[str, Any] = {"suite": name, "languages": list(languages), "resamples": options.resamples}
    signed |= {key: value for key in ("split", "limit") if (value := getattr(options, key)) is not None}
    signed |= {"sts": value_hash([to_row(row) for row in judged])} if judged else {}
    signed |= {"reference": to_row(reference.model)} if reference else {}
    signed |= {"fine_tune": asdict(tuner.training)} if tuner else {}
    identity = (manifest.release, manifest.logical_sha256, vectors.model, signed, SEED, ncimp.__version__)
    figures = {"suites": tuple(suite_results(answers, resamples=options.resamples)), "notes": tuple(suite.notes(data))}
    return Evaluation(_document(records.Signature(*identity), figures), (), answers)


def evaluate_answers(
    name: str,
    paths: Sequence[Path],
    *,
    options: Options,
    folder: ReleaseFolder | None = None,
    reference: OpenedVectors | None = None,
) -> Evaluation:
    """Return the evaluation of the answers in the files of *paths* to the tasks of the suite *name*.

    Sentences that models may have trained on are those of *folder* that are to be trained on, where it has any. A
    *reference* model says how near a meaning in words is to its references.
    """
    if name not in RECORDED:
        raise UsageError(f"the suite {name!r} is not asked in words", fix=f"choose {', '.join(RECORDED)}")
    _check(options, ("resamples",))
    trained = [] if folder is None else _training_texts(folder)
    source = reference and word_source(reference.source, reference.model.name)
    files = lexbench.answer_files(paths)
    parts = plausibility.read_surprisals(path for path in files if plausibility.is_sample(path))
    others = [path for path in files if not plausibility.is_sample(path)]
    nothing = lexbench.ReplayedAnswers((), (), (), ())
    replayed = lexbench.replay(others, trained=trained, reference=source) if others else nothing
    items = {task.name: list(task.items) for task in replayed.tasks}
    answers: list[Any] = [
        [part.task, part.setting, part.model, part.answers] for task in replayed.tasks for part in task.files
    ]
    for part in parts:
        items[f"{plausibility.NAME}/{part.lang}"] = ["/".join(key) for key in part.values]
        answers.append([plausibility.NAME, part.lang, part.model, str(part.values)])
    model = records.Model("recorded answers", "recorded", value_hash(answers), {"files": len(files)})
    every = (*replayed.answers, *plausibility.plausibility_answers(parts))
    languages = sorted({one.place.lang for one in every})
    signed: dict[str, Any] = {"suite": name, "languages": languages, "resamples": options.resamples}
    signed |= {"trained": value_hash(trained)} if trained else {}
    signed |= {"reference": to_row(reference.model)} if reference else {}
    identity = (lexbench.VERSION, value_hash(items), model, signed, SEED, ncimp.__version__)
    figures = {
        "suites": tuple(suite_results(every, resamples=options.resamples)),
        "unparsed": replayed.unparsed,
        "notes": replayed.notes,
    }
    return Evaluation(_document(records.Signature(*identity), figures), (), every)


def _training_texts(folder: ReleaseFolder) -> list[str]:
    names = [name for shot, name in SHOTS.items() if shot != "none"]
    return sorted({row.context for name in names for row in folder.records(name, SenseExample)})


def _check(options: Options, used: Iterable[str]) -> None:
    """Raise `UsageError` for *options* that are not *used*, and for too few resamples."""
    changed = [key for key, value in asdict(options).items() if value != getattr(Options(), key)]
    if wrong := [f"--{key.replace('_', '-')}" for key in changed if key not in used]:
        raise UsageError(f"{', '.join(wrong)} means nothing with --suite", fix="leave it out")
    if options.resamples < MIN_RESAMPLES:
        raise UsageError(f"{options.resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")


def _document(signature: records.Signature, figures: Mapping[str, Any]) -> records.Document:
    """Return the document of a suite: its *figures*, and nothing of the pairs."""
    empty: dict[str, Any] = {field.name: () for field in fields(records.Document)}
    return records.Document(**empty | {"format": 1, "signature": signature, **figures})
