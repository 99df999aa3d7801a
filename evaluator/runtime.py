"""Libraries of the extras, which the rest of `ncimp` does without.

Memory that is free inside the process, handed back to the system.

The allocators of C and of Arrow keep what was freed for later. A step of an evaluation leaves gaps between what stays
of it, and the next step, which asks for other sizes, does not fit into them: 32,000 sentences left 400 MiB of gaps.
"""

import ctypes
import importlib
import sys
from types import ModuleType

import pyarrow

from ncimp.schemas import EvaluationError


def require(module: str, *, extra: str = "eval") -> ModuleType:
    """Return the imported *module*, or raise `EvaluationError` with the command that installs the *extra* it is in."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).partition(".")[0]
        fix = f'run pip install "ncimp[{extra}]"'
        raise EvaluationError(f"the library {missing!r} is not installed", fix=fix) from None


def hand_back() -> None:
    """Hand free memory back, which takes milliseconds; the C library does so where it is that of GNU."""
    pyarrow.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
