"""Shared fixtures: a tiny release, word vectors with known signs, and what an evaluation of them gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncimp.evaluator.evaluation import Evaluation, Options, evaluate_source
from ncimp.evaluator.release import read_release
from ncimp.evaluator.vectors import open_vectors
from tests.evaluator.tiny import Tiny, file_model, known_signs, write_vec


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    """A release of twelve compounds; not to be changed."""
    release = Tiny(tmp_path_factory.mktemp("tiny") / "ncimp", compounds=12)
    release.write()
    return release


@pytest.fixture(scope="session")
def words(tiny: Tiny) -> Path:
    """Word vectors of the tiny release; not to be changed."""
    return write_vec(tiny.folder.parent / "words.vec", known_signs(tiny))


@pytest.fixture(scope="session")
def evaluation(tiny: Tiny, words: Path) -> Evaluation:
    """The evaluation of the word vectors."""
    release = read_release(tiny.folder)
    source = open_vectors(words, release.items)
    return evaluate_source(release, source, model=file_model(words), options=Options(resamples=200))
