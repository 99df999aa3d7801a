"""The hash of the first corpus file, begun while the program is still being loaded.

To load the compiled kernel takes most of a second on one core, and to hash a gigabyte takes as long. So a thread of
its own hashes meanwhile, and whoever reads the file goes on from there.
"""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self, TypeAlias

if TYPE_CHECKING:
    from hashlib import _Hash

_CHUNK = 1 << 24
"""Bytes (16 MiB) hashed at a time: between two of them the thread waits for the interpreter's lock, some 5 ms."""

Begun: TypeAlias = "tuple[_Hash, int]"
"""A sha256 that can be gone on with, and how many bytes went into it."""


class HeadStart:
    """Hashes the begin of the file at *path*, where there is one, until the end of its context."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        """The file that is hashed, as it was given."""
        self._digest, self._size = hashlib.sha256(), 0
        self._state: tuple[int, ...] = ()
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._hash, daemon=True)

    def __enter__(self) -> Self:
        if self.path and Path(self.path).is_file():
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._enough.set()
        if kind is None and self._thread.ident is not None:  # after an error nobody wants what a slow disk may yet give
            self._thread.join()

    def begun(self, source: IO[bytes]) -> Begun | None:
        """Return what was hashed, after the end; None where *source* is not the file as it was then."""
        return (self._digest.copy(), self._size) if self.is_same(source) else None

    def is_same(self, source: IO[bytes]) -> bool:
        """Return whether *source* is the file that was hashed, and has not changed since."""
        return bool(self._size) and self._state == _state(source.fileno())

    def _hash(self) -> None:
        try:
            with Path(self.path or "").open("rb", buffering=0) as source:
                self._state = _state(source.fileno())
                room = memoryview(bytearray(_CHUNK))
                while not self._enough.is_set() and (got := source.readinto(room)):
                    self._digest.update(room[:got])
                    self._size += got
        except OSError:  # whoever reads the file tells what is wrong with it
            pass


def _state(handle: int) -> tuple[int, ...]:
    """Return what tells an open file from another, and from itself after a change."""
    found = os.fstat(handle)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
