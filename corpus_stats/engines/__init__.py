"""The port to distributed engines: an engine runs one function on many items, wherever it likes, as often as it must.

What it runs may be repeated or run twice at once, because workers are lost: `sharding.count_shard` allows it. Another
engine is a class with `run` and an entry in `ENGINES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from types import MappingProxyType
from typing import Protocol, TypeVar, cast

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """What runs a function on items elsewhere."""

    def run(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Yield the place of each item and its result, as they come; an error of the function is raised here."""
        ...


Opened = Callable[[str | None, int], AbstractContextManager[Engine]]
"""What opens an engine: the address of a scheduler or None, and how many workers to start where there is none."""

ENGINES = MappingProxyType({"dask": "ncimp.corpus_stats.engines.dask_engine"})
"""The module of each engine, imported when it is asked for; it has a function `open_engine`."""


def open_engine(name: str, scheduler: str | None, workers: int) -> AbstractContextManager[Engine]:
    """Return the engine *name*, at the address *scheduler* or with *workers* processes of its own."""
    opened = cast(Opened, import_module(ENGINES[name]).open_engine)
    return opened(scheduler, workers)
