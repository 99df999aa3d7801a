"""What keeps an evaluation small: free memory goes back, words are kept once, and the model goes when it is done."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ncimp.evaluator.evaluation import Options, evaluate_source
from ncimp.evaluator.records import Model
from ncimp.evaluator.release import Item, read_release
from ncimp.evaluator.runtime import hand_back
from tests.evaluator.tiny import Tiny

MIB = 1 << 20


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    words = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(words[1]) * 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not that of GNU")
def test_memory_between_what_is_kept_goes_back() -> None:
    made = [np.ones(64 * 1024, dtype=np.uint8) for _ in range(3200)]  # 200 MiB, too small each to be mapped
    kept = made[::64]
    del made
    before = resident()
    hand_back()
    assert before - resident() > 150 * MIB
    assert all((one == 1).all() for one in kept)


def test_words_that_many_items_hold_are_kept_once(tmp_path: Path) -> None:
    items = read_release(Tiny(tmp_path / "ncimp").write()).items
    for name in ("lang", "compound_id", "context", "variant"):
        values = [getattr(item, name) for item in items]
        assert len({id(value) for value in values}) == len(set(values))
    words = [token for item in items for token in item.tokens]
    assert len({id(word) for word in words}) == len(set(words))


class Heavy:
    """A source that says when it is asked for vectors and when it may let its model go."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def sentence(self, items: Sequence[Item]) -> NDArray[Any]:
        self.told.append(f"vectors of {items[0].lang}")
        return np.random.default_rng(0).normal(size=(len(items), 3))

    def span(self, items: Sequence[Item]) -> None:
        """Have no spans."""

    def unload(self) -> None:
        self.told.append("let go")


def test_the_model_goes_after_the_vectors_of_the_last_language(tmp_path: Path) -> None:
    release = read_release(Tiny(tmp_path / "ncimp", langs=("en", "pt")).write())
    source = Heavy()
    evaluate_source(release, source, model=Model("m", "x", None, {}), options=Options(resamples=100))
    assert source.told == ["vectors of en", "vectors of pt", "let go"]
