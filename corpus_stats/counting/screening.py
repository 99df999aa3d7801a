"""Lines that are not of the encoding, marked before a block is counted so that they are broken lines.

A mark is a NUL in the place of the first byte and of each tab: such a line has not the columns of a unit and is no tag.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ncimp.corpus_stats.kernel import utf8
from ncimp.corpus_stats.kernel.blocks import Block, Layout

_TABS = bytes.maketrans(b"\t", b"\0")


Marks = list[tuple[int, bytes]]
"""Where each marked line begins, and its bytes before it was marked."""


def screen(block: Block, layout: Layout) -> Marks:
    """Mark the lines of *block* that hold a NUL byte or a byte that is not of the encoding; return them."""
    if layout.gaps:
        return []  # written by ourselves
    if is_utf8(layout.encoding):
        return _screen_utf8(block)
    if not _has_every_byte(layout.encoding) or block.data.find(b"\0", 0, block.size) >= 0:
        return _screen_lines(block, layout.encoding)
    return []


def unmark(block: Block, marks: Marks) -> None:
    """Give marked lines their bytes back."""
    for begin, line in marks:
        block.data[begin : begin + len(line)] = line


def is_utf8(encoding: str) -> bool:
    """Return whether *encoding* is a name of UTF-8."""
    return encoding.lower().replace("-", "").replace("_", "") == "utf8"


@cache
def _has_every_byte(encoding: str) -> bool:
    """Return whether each byte is a character in *encoding*, as in latin-1: then no text can be wrong."""
    try:
        return all(len(bytes((byte,)).decode(encoding)) == 1 for byte in range(256))
    except UnicodeDecodeError:
        return False


def _screen_utf8(block: Block) -> Marks:
    data, marks = np.frombuffer(block.data, np.uint8), Marks()
    at = utf8.first_odd(data, 0, block.size)
    while at < block.size:
        end = _mark(block, at, marks)
        at = utf8.first_odd(data, end, block.size)
    return marks


def _screen_lines(block: Block, encoding: str) -> Marks:
    at, marks = 0, Marks()
    while at < block.size:
        end = block.data.find(b"\n", at, block.size)
        end = block.size if end < 0 else end
        if _is_odd(block.data[at:end], encoding):
            _mark(block, at, marks)
        at = end + 1
    return marks


def _is_odd(line: bytearray, encoding: str) -> bool:
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return True
    return b"\0" in line


def _mark(block: Block, at: int, marks: Marks) -> int:
    """Mark the line that the byte *at* is in and add it to *marks*; return where it ends."""
    begin = block.data.rfind(b"\n", 0, at) + 1
    end = block.data.find(b"\n", at, block.size)
    end = block.size if end < 0 else end
    line = bytes(block.data[begin:end])
    block.data[begin:end] = b"\0" + line[1:].translate(_TABS)
    marks.append((begin, line))
    return end
