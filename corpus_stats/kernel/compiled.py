"""Compiling with numba: without the interpreter's lock, and kept on disk between runs."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

_SETTINGS: Any = numba.config

Function = TypeVar("Function", bound=Callable[..., Any])

Bools: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Number: TypeAlias = int | np.int32 | np.int64 | np.uint64
"""A whole number of whatever size."""

_OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "boundscheck": False, "_nrt": False}
"""Without the interpreter's lock; kept on disk. Without numba's run time (`_nrt`): compiled code then allocates nothing
and counts no references to arrays, which otherwise costs more per token than all the rest."""


def _sources() -> str:
    """Return a hash of the sources of this package."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str:
    """Return the folder that compiled code is kept in; "" lets numba choose where this package cannot be written to.

    Numba compiles a function again when its own file has changed. Functions of other files are compiled into it, so
    here the folder changes with any of them; those of other sources are removed.
    """
    base = Path(_SETTINGS.CACHE_DIR) if _SETTINGS.CACHE_DIR else Path(__file__).parent / "__pycache__"
    folder = base / f"ncimp-kernel-{_sources()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return str(_SETTINGS.CACHE_DIR)
    for other in base.glob("ncimp-kernel-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return str(folder)


_FOLDER = _cache_folder()


def _njit(function: Function, **options: Any) -> Function:
    before, _SETTINGS.CACHE_DIR = _SETTINGS.CACHE_DIR, _FOLDER
    try:
        return cast(Function, numba.njit(**_OPTIONS, **options)(function))
    finally:
        _SETTINGS.CACHE_DIR = before


def compiled(function: Function) -> Function:
    """Return *function* compiled; it may use numbers, arrays, named tuples of them, and other compiled functions.

    Inside, a `np.uint64` must only meet other `np.uint64`: with a signed integer it would become a float.
    """
    return _njit(function)


def inlined(function: Function) -> Function:
    """Return *function* compiled into each of its callers; for what is done once per token or oftener."""
    return _njit(function, forceinline=True)


def aligned(count: int, *, line: int = 64) -> Words:
    """Return *count* zeros of 64 bits that begin at a multiple of *line* bytes, so that no slot straddles lines."""
    spare = line // 8
    raw = np.zeros(count + spare, np.uint64)
    begin = (-raw.ctypes.data % line) // 8
    return raw[begin : begin + count]


def every_eight(data: bytearray | memoryview) -> Words:
    """Return the eight bytes from each position of *data* as integers: unaligned loads without intrinsics."""
    return np.ndarray((len(data) - 7,), np.uint64, buffer=data, strides=(1,))


@inlined
def signed(value: Number) -> int:
    """Return *value* as a signed integer; `int` would leave it unsigned."""
    return np.int64(value)  # type: ignore[return-value]
