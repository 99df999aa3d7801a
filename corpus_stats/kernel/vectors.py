"""Sixty-four bytes at a time: the only place where instructions are written that numba has no name for.

Each function below is a few lines of LLVM's own language over a vector of 64 bytes. LLVM makes of them what the
processor has (one instruction with AVX-512, a few with AVX2, SSE2 or NEON), so that they run anywhere and give the
same everywhere. Without them the same marks take three times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WIDTH = 64
"""Bytes of a vector; so many from each place on must be readable."""

_BYTE, _MASK = ir.IntType(8), ir.IntType(WIDTH)
_VECTOR = ir.VectorType(_BYTE, WIDTH)

Build = Callable[..., ir.Value]


def _instruction(typing: Callable[..., tuple[Any, Build]]) -> Callable[..., Any]:
    """Return the instruction that *typing* gives the types and the code of, to be called from compiled functions."""
    return cast(Callable[..., Any], intrinsic(typing))


def _all(byte: int) -> ir.Constant:
    return ir.Constant(_VECTOR, [byte] * WIDTH)


def _loaded(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> ir.Value:
    """Return the 64 bytes of the array (first argument) from an index (second argument) on."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    place = builder.gep(builder.bitcast(array.data, _BYTE.as_pointer()), [arguments[1]])
    return builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=1)


@_instruction
def marks_at(_typing: Any, data: Any, _at: Any) -> tuple[Any, Build]:
    """Return which of the 64 bytes of *data* from *at* on are tabs or line ends, the first in the lowest bit."""

    def build(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> ir.Value:
        vector = _loaded(context, builder, signature, arguments)
        # 9 and 10 are neighbours: one comparison of unsigned bytes does
        near = builder.icmp_unsigned("<", builder.sub(vector, _all(9)), _all(2))
        return builder.bitcast(near, _MASK)

    return types.uint64(data, types.uint64), build


@_instruction
def odd_at(_typing: Any, data: Any, _at: Any) -> tuple[Any, Build]:
    """Return which of the 64 bytes of *data* from *at* on are NUL or not ASCII, the first in the lowest bit."""

    def build(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> ir.Value:
        vector = _loaded(context, builder, signature, arguments)
        odd = builder.icmp_signed("<", vector, _all(1))  # as signed numbers, what is not ASCII is negative
        return builder.bitcast(odd, _MASK)

    return types.uint64(data, types.uint64), build


@_instruction
def lowest_bit(_typing: Any, _mask: Any) -> tuple[Any, Build]:
    """Return the place of the lowest bit of *mask* that is set; 64 when none is."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), build


@_instruction
def bits(_typing: Any, _mask: Any) -> tuple[Any, Build]:
    """Return how many bits of *mask* are set."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> ir.Value:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), build


@_instruction
def fetch(_typing: Any, array: Any, _at: Any) -> tuple[Any, Build]:
    """Ask for the memory of *array* at an index, to be there when it is read soon."""

    def build(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> ir.Value:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), _BYTE.as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]
        builder.call(function, [place, *(ir.Constant(number, value) for value in (1, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, types.uint64), build
