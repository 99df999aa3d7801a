"""Compiling with numba: without the interpreter's lock, and cached on disk between runs."""

import hashlib
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np

from ncimp.corpus_stats.store.tables import ULongs

_SETTINGS: Any = numba.config

Function = TypeVar("Function", bound=Callable[..., Any])

Number: TypeAlias = int | np.int32 | np.int64 | np.uint64  # an integer of any width
_OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "boundscheck": False, "_nrt": False}
"""Without the interpreter's lock; cached on disk. Without numba's run time (`_nrt`): compiled code then allocates
nothing and counts no references to arrays, which otherwise costs more per token than all the rest."""


def _cache_folder() -> str:
    """Return the folder of the compiled code; "" lets numba choose where this package cannot be written to.

    Numba compiles a function again when its own file has changed. Functions of other files are compiled into it, so
    the folder is named by the sources of the whole package; folders of other sources are removed.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    base = Path(_SETTINGS.CACHE_DIR) if _SETTINGS.CACHE_DIR else Path(__file__).parent / "__pycache__"
    folder = base / f"ncimp-kernel-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return str(_SETTINGS.CACHE_DIR)
    for other in base.glob("ncimp-kernel-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return str(folder)


_FOLDER = _cache_folder()


def compiled(function: Function, **options: Any) -> Function:
    """Return *function* compiled; it may use numbers, arrays, named tuples of them, and other compiled functions.

    Inside, a `np.uint64` must only meet other `np.uint64`: with a signed integer it would become a float.
    """
    before, _SETTINGS.CACHE_DIR = _SETTINGS.CACHE_DIR, _FOLDER  # the setting is global and belongs to others, too
    try:
        return cast(Function, numba.njit(**_OPTIONS, **options)(function))
    finally:
        _SETTINGS.CACHE_DIR = before


def inlined(function: Function) -> Function:
    """Return *function* compiled into each of its callers; for steps that run once per token or more often."""
    return compiled(function, forceinline=True)


def aligned(count: int) -> ULongs:
    """Return *count* zeros of 64 bits aligned to 64 bytes, so that no slot straddles two cache lines."""
    raw = np.zeros(count + 8, np.uint64)
    begin = (-raw.ctypes.data % 64) // 8
    return raw[begin : begin + count]


def every_eight(data: bytearray | memoryview) -> ULongs:
    """Return the eight bytes from each position of *data* as integers: unaligned loads without intrinsics."""
    return np.ndarray((len(data) - 7,), np.uint64, buffer=data, strides=(1,))


@inlined
def signed(value: Number) -> int:
    """Return *value* as a signed integer; `int` would leave it unsigned."""
    return np.int64(value)  # type: ignore[return-value]


@contextmanager
def without_scipy() -> Iterator[None]:
    """Keep numba from loading SciPy's linear algebra with the first compiled function: 0.1 s, and nothing here uses it.

    Numba then has no linear algebra in this process, so this is for a program that does nothing but count.
    """
    name = "scipy.linalg"
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
