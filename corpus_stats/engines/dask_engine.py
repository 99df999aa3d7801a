"""Counting with `dask.distributed`: on worker processes of its own, or on a cluster whose scheduler is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ncimp.schemas.errors import UsageError

Item = TypeVar("Item")
Result = TypeVar("Result")

CONNECT_SECONDS = 30
"""How long the scheduler is waited for."""

QUIET = {"distributed.worker.profile.enabled": False}
"""Settings of our own workers: else Dask looks at all threads a hundred times a second, for 7 % of the CPU time."""


class DaskEngine:
    """An `Engine` over a client of `dask.distributed`; tasks of a worker that is lost are run again."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Yield the place of each item and its result, as they come."""
        distributed = _distributed()

        # not pure: a result is a file that was written, so an equal task of an earlier run says nothing of this one
        futures = self._client.map(function, items, pure=False)
        places = {future.key: place for place, future in enumerate(futures)}
        for future in distributed.as_completed(futures):
            yield places[future.key], future.result()


@contextmanager
def open_engine(scheduler: str | None, workers: int) -> Iterator[DaskEngine]:
    """Yield an engine at the address *scheduler*; None starts *workers* processes here, which end with it."""
    distributed = _distributed()
    if scheduler is None:
        import dask

        with (
            dask.config.set(QUIET),
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": ":0"},  # any free port: two runs may go at once
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield DaskEngine(client)
        return
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        fix = "check the address, and that the scheduler runs"
        raise UsageError(f"no scheduler answers at {scheduler!r} ({error})", fix=fix) from None
    with client:
        yield DaskEngine(client)


def _distributed() -> Any:
    try:
        import distributed
    except ModuleNotFoundError as error:
        fix = 'pip install "ncimp[cluster]"'
        raise UsageError(f"the engine dask needs the package {error.name}", fix=fix) from None
    return distributed
