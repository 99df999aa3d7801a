"""A tiny release and its vectors, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluator.tiny_release import Tiny, known_signs, write_vec


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    made = Tiny(tmp_path_factory.mktemp("tiny") / "ncimp", compounds=12)
    made.write()
    return made


@pytest.fixture(scope="session")
def words(tiny: Tiny) -> Path:
    return write_vec(tiny.folder.parent / "words.vec", known_signs(tiny))
