"""The hash of the first corpus file, started while the program is still loading.

To load the compiled kernel takes most of a second on one core, and to hash a gigabyte takes as long. So a thread of
its own hashes meanwhile, and the reader of the file resumes from there.
"""

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
"""A partial SHA-256 and the number of bytes it covers."""


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
        if kind is None and self._thread.ident is not None:  # after an error, do not wait for a slow disk
            self._thread.join()

    def begun(self, source: IO[bytes]) -> "Begun | None":
        """Return the partial hash, after the end; None unless *source* is the same, unchanged file."""
        return (self._digest.copy(), self._size) if self.is_same(source) else None

    def is_same(self, source: IO[bytes]) -> bool:
        """Return True if *source* is the file that was hashed, and has not changed since."""
        return bool(self._size) and self._state == _state(source.fileno())

    def _hash(self) -> None:
        try:
            with Path(self.path or "").open("rb", buffering=0) as source:
                self._state = _state(source.fileno())
                room = memoryview(bytearray(_CHUNK))
                while not self._enough.is_set() and (got := source.readinto(room)):
                    self._digest.update(room[:got])
                    self._size += got
        except OSError:  # the reader of the file reports it
            pass


def _state(handle: int) -> tuple[int, ...]:
    """Return the identity and state of an open file, which differs after a change."""
    state = os.fstat(handle)
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
