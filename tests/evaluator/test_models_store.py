"""Vectors that are kept: each sentence encoded once, runs that break off, damaged files, full disks."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncimp.evaluator.models import store as source_module
from ncimp.evaluator.models.store import Encoded, EncodedPassage, ModelVectors, VectorStore, key_of, passages_of
from ncimp.evaluator.release import Item
from ncimp.schemas.errors import EvaluationError


def item(sentence: str, span: tuple[int, int] = (0, 1), name: str = "en/c/nat1/orig") -> Item:
    return Item(name, "en", "en/c", "nat1", "orig", ("x",), (0, 1), sentence=sentence, span=span)


class Counting:
    """An encoder whose vectors are counts of letters; it counts how often it sees a sentence."""

    def __init__(self, *, spans: bool = True) -> None:
        self.seen: Counter[str] = Counter()
        self._spans = spans

    def encode(self, passages: list[EncodedPassage]) -> Encoded:
        self.seen.update(passage.sentence for passage in passages)
        places = [(passage.sentence, span) for passage in passages for span in passage.spans]
        present = np.array([end <= 20 for _, (_, end) in places])
        sentence = np.array([[len(text), text.count("a"), 1] for text, _ in places], dtype=np.float32)
        span = np.array([[start, end] for _, (start, end) in places], dtype=np.float32)
        return Encoded(sentence, span if self._spans else None, present)


ITEMS = [item(f"{'a' * (number % 7)}b{number}") for number in range(40)]


def opened(encoder: Any, folder: Path | None, told: list[str] | None = None) -> ModelVectors:
    store = VectorStore({"model": "m"}, folder, (told if told is not None else []).append)
    return ModelVectors(lambda: encoder, store)


def test_each_distinct_sentence_is_encoded_once(tmp_path: Path) -> None:
    encoder = Counting()
    source = opened(encoder, tmp_path)
    several = [item("aab", (0, 1)), item("ab", (0, 2)), item("aab", (1, 3)), item("aab", (0, 1))]
    np.testing.assert_array_equal(source.sentence(several), [[3, 2, 1], [2, 1, 1], [3, 2, 1], [3, 2, 1]])
    np.testing.assert_array_equal(source.span(several), [[0, 1], [0, 2], [1, 3], [0, 1]])
    assert encoder.seen == {"aab": 1, "ab": 1}


def test_the_longest_sentences_come_first() -> None:
    found = passages_of([item("bb", (1, 2)), item("aaa"), item("bb", (0, 1)), item("aa")])
    expected = [("aaa", ((0, 1),)), ("aa", ((0, 1),)), ("bb", ((0, 1), (1, 2)))]
    assert [(one.sentence, one.spans) for one in found] == expected


def test_an_item_that_is_not_there_is_nan_in_both() -> None:
    source = opened(Counting(), None)
    items = [item("a" * 30, (19, 21)), item("a" * 30, (0, 20))]
    assert np.isnan(source.sentence(items)).all(axis=1).tolist() == [True, False]
    assert np.isnan(np.array(source.span(items))).all(axis=1).tolist() == [True, False]


def test_a_model_without_spans_has_no_nc_level(tmp_path: Path) -> None:
    for _ in range(2):
        assert opened(Counting(spans=False), tmp_path).span(ITEMS) is None


def test_a_second_run_needs_no_model(tmp_path: Path) -> None:
    first = opened(Counting(), tmp_path).sentence(ITEMS)

    def load() -> Any:
        raise AssertionError("the model was loaded")

    again = ModelVectors(load, VectorStore({"model": "m"}, tmp_path, print))
    np.testing.assert_array_equal(again.sentence(ITEMS), first)


def test_a_model_that_was_unload_is_loaded_again_for_what_is_new_only() -> None:
    loaded: list[Counting] = []

    def load() -> Counting:
        loaded.append(Counting())
        return loaded[-1]

    source = ModelVectors(load, VectorStore({"model": "m"}, None, print))
    first = source.sentence(ITEMS)
    source.unload()
    source.unload()
    np.testing.assert_array_equal(source.sentence(ITEMS), first)
    assert len(loaded) == 1
    assert source.sentence([item("new")]).tolist() == [[3, 0, 1]]
    assert [len(one.seen) for one in loaded] == [len(ITEMS), 1]


def test_another_model_or_option_is_another_cache(tmp_path: Path) -> None:
    opened(Counting(), tmp_path).sentence(ITEMS)
    other = VectorStore({"model": "m", "layers": "all"}, tmp_path, print)
    assert len(other) == 0
    assert len(VectorStore({"model": "m"}, tmp_path, print)) == len(ITEMS)


def test_keys_tell_sentences_and_spans_apart() -> None:
    assert len({key_of("1:2", (0, 1)), key_of("2", (0, 11)), key_of("12", (0, 1)), key_of("1:2", (0, 2))}) == 4


def test_a_run_goes_on_where_it_broke_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "WINDOW", 8)

    class Breaking(Counting):
        def encode(self, passages: list[EncodedPassage]) -> Encoded:
            if len(self.seen) >= 16:
                raise KeyboardInterrupt
            return super().encode(passages)

    with pytest.raises(KeyboardInterrupt):
        opened(Breaking(), tmp_path).sentence(ITEMS)
    rest = Counting()
    found = opened(rest, tmp_path).sentence(ITEMS)
    assert len(rest.seen) == len(ITEMS) - 16
    np.testing.assert_array_equal(found, opened(Counting(), None).sentence(ITEMS))


@pytest.mark.parametrize("damage", [lambda raw: raw[:-9], lambda raw: raw[:-1] + b"!", lambda _: b""])
def test_a_damaged_file_is_encoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Any) -> None:
    monkeypatch.setattr(source_module, "WINDOW", 8)
    first = opened(Counting(), tmp_path).sentence(ITEMS)
    path = sorted(tmp_path.glob("*/*.npy"))[2]
    path.write_bytes(damage(path.read_bytes()))
    encoder, told = Counting(), list[str]()
    np.testing.assert_array_equal(opened(encoder, tmp_path, told).sentence(ITEMS), first)
    assert len(encoder.seen) == 8
    assert told == [f"{path}: damaged, so its sentences are encoded again"]
    assert len(VectorStore({"model": "m"}, tmp_path, told.append)) == len(ITEMS)
    assert len(told) == 1


def test_a_damaged_description_is_one_message(tmp_path: Path) -> None:
    opened(Counting(), tmp_path).sentence(ITEMS)
    path = next(tmp_path.glob("*/cache.json"))
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"cache.json: not a description of cached vectors; remove the"):
        VectorStore({"model": "m"}, tmp_path, print)


def test_a_full_disk_is_told_once_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "WINDOW", 8)
    write, written = Path.write_bytes, list[int]()

    def full(path: Path, content: Any) -> int:
        if len(written) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(1)
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    told = list[str]()
    found = opened(Counting(), tmp_path, told).sentence(ITEMS)
    np.testing.assert_array_equal(found, opened(Counting(), None).sentence(ITEMS))
    assert len(told) == 1
    assert told[0].endswith("cannot be written (No space left on device); continuing without caching")
    monkeypatch.undo()
    assert len(VectorStore({"model": "m"}, tmp_path, told.append)) > 0
    assert not list(tmp_path.glob("*/.*"))


def test_a_cache_that_cannot_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    told = list[str]()
    assert opened(Counting(), tmp_path / "file", told).sentence(ITEMS).shape == (40, 3)
    assert "cannot be written" in told[0]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_vector_that_is_not_finite_is_an_error(tmp_path: Path, value: float) -> None:
    class Broken(Counting):
        def encode(self, passages: list[EncodedPassage]) -> Encoded:
            encoded = super().encode(passages)
            encoded.sentence[1] = value
            return encoded

    with pytest.raises(EvaluationError) as caught:
        opened(Broken(), tmp_path).sentence([item("aab"), item("ab")])
    assert str(caught.value).startswith("the model gave a vector that is not finite for 'ab'; try --dtype fp32")
    assert not list(tmp_path.glob("*/*.npy"))


def test_vectors_of_another_width_are_an_error(tmp_path: Path) -> None:
    class Growing(Counting):
        def encode(self, passages: list[EncodedPassage]) -> Encoded:
            encoded = super().encode(passages)
            return Encoded(np.hstack([encoded.sentence] * len(self.seen)), encoded.span, encoded.present)

    source = opened(Growing(), tmp_path)
    source.sentence([item("a")])
    with pytest.raises(EvaluationError, match="vectors of 6 and 2 dimensions after some of"):
        source.sentence([item("b")])


KILLED = """
import sys, time
sys.path[:0] = sys.argv[1:3]
from pathlib import Path
import test_models_store as tests
from ncimp.evaluator.models import store as source

source.WINDOW = 8

class Slow(tests.Counting):
    def encode(self, passages):
        time.sleep(0.05)
        return super().encode(passages)

tests.opened(Slow(), Path(sys.argv[3])).sentence(tests.ITEMS * 1)
print("done")
"""


def test_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(__file__).parent
    arguments = (sys.executable, "-c", KILLED, str(here.parents[1] / "src"), str(here), str(tmp_path))
    running = subprocess.Popen(arguments, stdout=subprocess.PIPE)
    until = time.monotonic() + 60
    while len(list(tmp_path.glob("*/[0-9a-f]*.npy"))) < 2 and time.monotonic() < until:
        time.sleep(0.005)
    running.send_signal(signal.SIGKILL)
    output = running.communicate()[0]
    assert running.returncode == -signal.SIGKILL
    assert output == b""
    monkeypatch.setattr(source_module, "WINDOW", 8)
    rest, told = Counting(), list[str]()
    found = opened(rest, tmp_path, told).sentence(ITEMS)
    assert 0 < len(rest.seen) <= len(ITEMS) - 16
    assert told == []
    np.testing.assert_array_equal(found, opened(Counting(), None).sentence(ITEMS))
