"""Counting in shards, by an engine in this process or by `dask.distributed` in others: the same store."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncimp.corpus_stats.counting.run import RunOptions, count_files
from ncimp.corpus_stats.counting.shards import ENGINES, Shard, count_shard, count_with
from ncimp.corpus_stats.counting.sources import Job, boundary
from ncimp.corpus_stats.kernel.blocks import CONLLU, WAC
from ncimp.corpus_stats.problems import Problems
from ncimp.schemas.errors import SourceError, UsageError
from tests.kernel_corpora import PLAN

Item = TypeVar("Item")
Result = TypeVar("Result")

SENTENCES = [f"<s>\nred\tJJ\tred\nrat{n}\tNNS\trat{n % 5}\n</s>\n" for n in range(40)]
WAC_JOB = Job("en", "wac", plan=PLAN)


def run_here(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Run everything in this process, some of it twice, the last first."""
    for place in reversed(range(len(items))):
        if place % 3 == 0:
            function(items[place])
        yield function(items[place])


def run_three(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Stop after three shards."""
    for place, item in enumerate(items):
        if place == 3:
            raise KeyboardInterrupt
        yield function(item)


def everything(store: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(store.iterdir())}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "c.wac"
    path.write_text("<text id='a'>\n" + "".join(SENTENCES) + "</text>\n", encoding="utf-8")
    return path


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 400))
def test_shards_of_any_size_give_the_same_store(size: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / "a.wac", folder / "b.wac"]
        paths[0].write_text("".join(SENTENCES[:9]), encoding="utf-8")
        paths[1].write_text("".join(SENTENCES[9:12]), encoding="utf-8")
        names = [str(path) for path in paths]
        count_files(names, folder / "whole", WAC_JOB)
        count_with(run_here, names, folder / "parts", WAC_JOB, RunOptions(), shard_bytes=size)
        assert everything(folder / "parts") == everything(folder / "whole")
        assert sorted(path.name for path in folder.iterdir()) == ["a.wac", "b.wac", "parts", "whole"]


def test_boundaries_stand_between_sentences(tmp_path: Path) -> None:
    path = tmp_path / "c"
    path.write_bytes(b"<s>\na\tb\tc\n</s>\n<s>\nd\te\tf\n</s>\n")
    assert [boundary(path, WAC, at) for at in (0, 1, 9, 10, 20)] == [0, 15, 15, 30, 30]
    path.write_bytes(b"1\ta\n\n1\tb\n\n")
    assert [boundary(path, CONLLU, at) for at in (0, 1, 3, 4)] == [0, 4, 4, 9]


def test_a_run_that_stopped_goes_on(tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count_files([str(corpus)], tmp_path / "whole", WAC_JOB)
    with pytest.raises(KeyboardInterrupt):
        count_with(run_three, [str(corpus)], tmp_path / "s", WAC_JOB, RunOptions(), shard_bytes=100)
    kept = len(list((tmp_path / "s.shards").glob("shard-*")))
    assert kept == 3
    counted: list[int] = []

    def noted(shard: Shard) -> Any:
        counted.append(shard.number)
        return count_shard(shard)

    monkeypatch.setattr("ncimp.corpus_stats.counting.shards.count_shard", noted)
    count_with(run_here, [str(corpus)], tmp_path / "s", WAC_JOB, RunOptions(), shard_bytes=100)
    assert not {0, 1, 2} & set(counted)
    assert everything(tmp_path / "s") == everything(tmp_path / "whole")


def test_a_broken_line_is_told_with_its_line_in_the_file(tmp_path: Path, corpus: Path) -> None:
    text = corpus.read_text(encoding="utf-8")
    corpus.write_text(text.replace("rat30\tNNS\t", "rat30\t"), encoding="utf-8")
    line = text.split("rat30")[0].count("\n") + 1
    with pytest.raises(SourceError, match=rf"c.wac:{line}: 2 tab-separated columns"):
        count_with(run_here, [str(corpus)], tmp_path / "s", WAC_JOB, RunOptions(), shard_bytes=100)
    problems, here = Problems("skip"), Problems("skip")
    count_with(run_here, [str(corpus)], tmp_path / "s", WAC_JOB, RunOptions(problems=problems), shard_bytes=100)
    count_files([str(corpus)], tmp_path / "t", WAC_JOB, RunOptions(problems=here))
    assert [str(one) for one in problems.first] == [str(one) for one in here.first]
    assert everything(tmp_path / "s") == everything(tmp_path / "t")


def test_what_a_cluster_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a cluster cannot read standard input"):
        count_with(run_here, ["-"], tmp_path / "s", WAC_JOB, RunOptions())


@pytest.mark.slow
@pytest.mark.shared
def test_dask_with_a_worker_killed_gives_the_same_store(shared: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    paths = [str(path) for path in sorted((shared / "sources" / "corpora").glob("*.conllu"))]
    job = Job("en", "conllu", plan=PLAN)
    count_files(paths, tmp_path / "whole", job)
    with ENGINES["dask"](None, 2) as engine:
        (client,) = cast(partial[Any], engine).args
        victims = list(client.run(os.getpid).values())
        killing = Killing(engine, tmp_path / "s.shards", victims[0])
        count_with(killing, paths, tmp_path / "s", job, RunOptions(), shard_bytes=200_000)
    assert killing.killed
    assert everything(tmp_path / "s") == everything(tmp_path / "whole")


class Killing:
    """An engine one of whose workers is killed when the first results are there."""

    def __init__(self, engine: Any, folder: Path, victim: int) -> None:
        self._engine, self._folder, self._victim = engine, folder, victim
        self.killed = False

    def __call__(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        assert len(items) > 20
        for found in self._engine(function, items):
            if not self.killed:
                os.kill(self._victim, signal.SIGKILL)
                self.killed = True
                time.sleep(0.1)
            yield found
