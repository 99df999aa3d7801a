"""Memory that is free inside the process, handed back to the system.

The allocators of C and of Arrow keep what was freed for later. A step of an evaluation leaves gaps between what stays
of it, and the next step, which asks for other sizes, does not fit into them: 32,000 sentences left 400 MiB of gaps.
"""

from __future__ import annotations

import ctypes
import sys

import pyarrow


def hand_back() -> None:
    """Hand free memory back, which takes milliseconds; the C library does so where it is that of GNU."""
    pyarrow.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
