"""Scanning 64 bytes at a time: tabs, line ends, and bytes that are not UTF-8.

Numba has no name for the instructions this needs, so five functions below are written in LLVM's own language over a
vector of 64 bytes; this is the only place where that is done. LLVM lowers them to what the processor has (one
instruction with AVX-512, a few with AVX2, SSE2 or NEON), so they run anywhere with the same results. Without them the
scan takes three times as long.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ncimp.corpus_stats.kernel.compiled import compiled, signed
from ncimp.corpus_stats.store.tables import Bytes, Ints

WIDTH = 64  # bytes of a vector; as many must be readable from each position on
_GROUP = 8
_ONE, _EIGHT = np.uint64(1), np.uint64(_GROUP)

SPARE = WIDTH + _GROUP  # entries that `find_marks` may write after the last mark
_BYTE, _MASK = ir.IntType(8), ir.IntType(WIDTH)
_VECTOR = ir.VectorType(_BYTE, WIDTH)

Build = Callable[..., ir.Value]


def _all(byte: int) -> ir.Constant:
    return ir.Constant(_VECTOR, [byte] * WIDTH)


def _comparison(compare: Callable[[ir.IRBuilder, ir.Value], ir.Value]) -> Callable[[Bytes, np.uint64], np.uint64]:
    """Return an instruction: a mask of 64 bytes of an array from an index on, the first in the lowest bit."""

    def typing(_typing: Any, data: Any, _at: Any) -> tuple[Any, Build]:
        def build(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> ir.Value:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = builder.gep(builder.bitcast(array.data, _BYTE.as_pointer()), [arguments[1]])
            vector = builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=1)
            return builder.bitcast(compare(builder, vector), _MASK)

        return types.uint64(data, types.uint64), build

    return cast(Callable[[Bytes, np.uint64], np.uint64], intrinsic(typing))


def _on_mask(operation: Callable[[ir.IRBuilder, ir.Value], ir.Value]) -> Callable[[np.uint64], np.uint64]:
    """Return an instruction: a number from a mask."""

    def typing(_typing: Any, _mask: Any) -> tuple[Any, Build]:
        def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
            return operation(builder, arguments[0])

        return types.uint64(types.uint64), build

    return cast(Callable[[np.uint64], np.uint64], intrinsic(typing))


# tabs and line ends: 9 and 10 are neighbours, so one comparison of unsigned bytes is enough
marks_at = _comparison(lambda builder, vector: builder.icmp_unsigned("<", builder.sub(vector, _all(9)), _all(2)))
# NUL and bytes beyond ASCII: as signed numbers, these are negative
odd_at = _comparison(lambda builder, vector: builder.icmp_signed("<", vector, _all(1)))
# the place of the lowest bit that is set, 64 when none is; and how many are set
lowest_bit = _on_mask(lambda builder, mask: builder.cttz(mask, ir.Constant(ir.IntType(1), 0)))
bits = _on_mask(lambda builder, mask: builder.ctpop(mask))


@cast(Callable[..., Any], intrinsic)
def fetch(_typing: Any, array: Any, _at: Any) -> tuple[Any, Build]:
    """Prefetch the memory of *array* at an index that will be read soon."""

    def build(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> ir.Value:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), _BYTE.as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]
        builder.call(function, [place, *(ir.Constant(number, value) for value in (1, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, types.uint64), build


@compiled
def find_marks(data: Bytes, size: int, marks: Ints) -> int:
    """Write the positions of all tabs and line ends of the first *size* bytes to *marks*; return their number.

    They are written eight at a time, even where fewer are left: the next ones overwrite the rest. A loop that ended
    after the last would mispredict its end each time.
    """
    end = np.uint64(0)  # unsigned, because a signed index costs a test for "from the end" each time
    for start in range(0, size, WIDTH):
        at = np.uint64(start)
        mask = marks_at(data, at)
        place, end = end, end + bits(mask)
        while place < end:
            for offset in range(_GROUP):
                marks[place + np.uint64(offset)] = np.int32(at + lowest_bit(mask))
                mask &= mask - _ONE
            place += _EIGHT
    count = signed(end)
    while count and marks[count - 1] >= size:  # in the padding
        count -= 1
    return count


@compiled
def _length(data: Bytes, at: int) -> int:
    """Return the length of the UTF-8 character at *at* (Unicode standard, table 3-7); 0 where the bytes are invalid.

    Up to three bytes after it are read.
    """
    first, second = data[at], data[at + 1]
    if 0 < first < 0x80:
        return 1
    low, high = 0x80, 0xBF
    if first == 0xE0:
        low = 0xA0
    elif first == 0xED:
        high = 0x9F
    elif first == 0xF0:
        low = 0x90
    elif first == 0xF4:
        high = 0x8F
    if not low <= second <= high:
        return 0
    if 0xC2 <= first <= 0xDF:
        return 2
    if data[at + 2] & 0xC0 != 0x80:
        return 0
    if 0xE0 <= first <= 0xEF:
        return 3
    return 4 if 0xF0 <= first <= 0xF4 and data[at + 3] & 0xC0 == 0x80 else 0


@compiled
def first_invalid(data: Bytes, at: int, size: int) -> int:
    """Return the place of the first byte from *at* on that is NUL or not UTF-8; *size* when there is none."""
    while at < size:
        at += signed(lowest_bit(odd_at(data, np.uint64(at))))  # skip ASCII, 64 bytes at most
        while at < size and (data[at] >= 0x80 or data[at] == 0):
            length = _length(data, at)
            if length == 0 or at + length > size:
                return at
            at += length
    return size
