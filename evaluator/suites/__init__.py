"""Suites of further questions: items to answers, answers to figures; models, files and pages are those of the pairs.

A suite reads tables of a release, or of a folder that `ncimp suite import` wrote, takes vectors of texts or words from
a model, and yields the answers of the model and of shortcuts that see no vector. Intervals and comparisons are those of
`ncimp.evaluator.answers`. To add a suite, write its folder beside `astitch` and name it in `SUITES`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Protocol

import ncimp
from ncimp.evaluator import records
from ncimp.evaluator.answers import Answers, suite_results
from ncimp.evaluator.correlation import SEED
from ncimp.evaluator.evaluation import MIN_RESAMPLES, Evaluation, Options
from ncimp.evaluator.suites import astitch, lexcomp
from ncimp.evaluator.suites.texts import SuiteInput
from ncimp.evaluator.vectors import OpenedVectors
from ncimp.schemas import UsageError, value_hash
from ncimp.schemas.records import to_row
from ncimp.schemas.release_folder import ReleaseFolder
from ncimp.schemas.suites import ConsistencyPair

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


def evaluate_suite(
    name: str,
    folder: ReleaseFolder,
    vectors: OpenedVectors,
    *,
    options: Options,
    judged: Sequence[ConsistencyPair] = (),
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Evaluation:
    """Return the evaluation of *vectors* on the suite *name*, whose items are in *folder*.

    *judged* are further pairs of sentences that people have judged. Raises `UsageError` where the folder has none of
    its items, or for options that mean nothing there. *progress* is told how many probes of a task are trained.
    """
    suite, manifest = SUITES[name], folder.manifest
    changed = {key: value for key, value in asdict(options).items() if value != getattr(Options(), key)}
    if wrong := [f"--{key.replace('_', '-')}" for key in changed if key not in suite.options]:
        raise UsageError(f"{', '.join(wrong)} means nothing with --suite", fix="leave it out")
    if options.resamples < MIN_RESAMPLES:
        raise UsageError(f"{options.resamples} resamples are too few", fix=f"give at least {MIN_RESAMPLES}")
    if not any(manifest.data_files(config) for config in suite.folders):
        fix = f"give --release a folder that `ncimp suite import {name}` wrote, or a release of packs with senses"
        raise UsageError(f"{folder.path} has no items of the suite {name!r}", fix=fix)
    for lang in options.languages or ():
        if lang not in manifest.languages:
            fix = f"choose among {', '.join(manifest.languages)}"
            raise UsageError(f"the release has no language {lang!r}", fix=fix)
    if options.split not in (None, *SPLITS):
        raise UsageError(f"nothing of the split {options.split!r} is judged", fix=f"choose {' or '.join(SPLITS)}")
    languages = tuple(lang for lang in manifest.languages if lang in (options.languages or manifest.languages))
    splits = SPLITS if options.split is None else (options.split,)
    model = vectors.model.name
    data = SuiteInput(folder, vectors.source, model, languages, splits, tuple(judged), options.limit, progress)
    answers = tuple(suite.answers(data))
    if not answers:
        raise UsageError("nothing to judge is left", fix="ask for another language or split")
    signed: dict[str, Any] = {"suite": name, "languages": list(languages), "resamples": options.resamples}
    signed |= {key: changed[key] for key in ("split", "limit") if key in changed}
    signed |= {"sts": value_hash([to_row(row) for row in judged])} if judged else {}
    identity = (manifest.release, manifest.logical_sha256, vectors.model, signed, SEED, ncimp.__version__)
    empty: dict[str, Any] = {field.name: () for field in fields(records.Document)}
    document = records.Document(
        **empty
        | {
            "format": 1,
            "signature": records.Signature(*identity),
            "suites": tuple(suite_results(answers, resamples=options.resamples)),
            "notes": tuple(suite.notes(data)),
        }
    )
    return Evaluation(document, (), answers)
