"""Compiling with numba: without the interpreter's lock, and kept on disk between runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

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


def compiled(function: Function) -> Function:
    """Return *function* compiled; it may use numbers, arrays, named tuples of them, and other compiled functions.

    Inside, a `np.uint64` must only meet other `np.uint64`: with a signed integer it would become a float.
    """
    return cast(Function, numba.njit(**_OPTIONS)(function))


def inlined(function: Function) -> Function:
    """Return *function* compiled into each of its callers; for what is done once per token or oftener."""
    return cast(Function, numba.njit(forceinline=True, **_OPTIONS)(function))


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
