"""Sets of squares as 64-bit words.

Each function has a Python twin (the body written here) and, inside kernels, is one machine instruction. `extract` and
`deposit` (PEXT and PDEP) are instructions only where they are fast; elsewhere loops take their place.
"""

from __future__ import annotations

import os

import numpy as np

from forgeron.core.arrays import bytes_on_stack
from forgeron.core.jit import JIT, compiled

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def popcount(word):
    """How many bits are set.

    >>> int(popcount(np.uint64(0b1011)))
    3
    """
    return np.uint64(int(word).bit_count())


def ctz(word):
    """The number of the lowest set bit; 64 for an empty word.

    >>> int(ctz(np.uint64(0b1000))), int(ctz(np.uint64(0)))
    (3, 64)
    """
    value = int(word)
    return np.uint64((value & -value).bit_length() - 1) if value else np.uint64(64)


def clz(word):
    """How many bits above the highest set bit; 64 for an empty word.

    >>> int(clz(np.uint64(1))), int(clz(np.uint64(0)))
    (63, 64)
    """
    return np.uint64(64 - int(word).bit_length())


@compiled
def lowest(word):
    """The lowest set bit alone; empty for an empty word."""
    return word & (~word + ONE)


@compiled
def without_lowest(word):
    """The word less its lowest set bit."""
    return word & (word - ONE)


@compiled
def _extract_loop(word, mask):
    result, place = ZERO, ZERO
    while mask:
        if word & lowest(mask):
            result |= ONE << place
        place += ONE
        mask = without_lowest(mask)
    return result


@compiled
def _deposit_loop(word, mask):
    result, place = ZERO, ZERO
    while mask:
        if (word >> place) & ONE:
            result |= lowest(mask)
        place += ONE
        mask = without_lowest(mask)
    return result


@compiled
def _nth_bit_loop(word, n):
    while n:
        word = without_lowest(word)
        n -= ONE
    return lowest(word)


def extract(word, mask):
    """Gather the bits of `word` that stand under `mask` into the low bits (PEXT).

    >>> bin(extract(np.uint64(0b1010_0110), np.uint64(0b1111_0000)))
    '0b1010'
    """
    return _extract_loop(word, mask)


def deposit(word, mask):
    """Spread the low bits of `word` over the places of `mask` (PDEP).

    >>> bin(deposit(np.uint64(0b1010), np.uint64(0b1111_0000)))
    '0b10100000'
    """
    return _deposit_loop(word, mask)


def nth_bit(word, n):
    """The n-th set bit of `word` alone, counted from 0 at the low end; n must be less than the popcount.

    >>> bin(nth_bit(np.uint64(0b1011_0000), np.uint64(2)))
    '0b10000000'
    """
    return _nth_bit_loop(word, n)


@compiled
def _list_columns_loop(out, squares, planes):
    columns = bytes_on_stack(64)
    _write_columns(columns, planes)
    n = np.int64(0)
    while squares:
        square = ctz(squares)
        squares = without_lowest(squares)
        out[n] = (np.int64(columns[square]) << 6) | np.int64(square)
        n += 1
    return n


def _write_columns(columns, planes):
    for square in range(64):
        columns[square] = sum((int(plane) >> square & 1) << i for i, plane in enumerate(planes))


def list_columns(out, squares, planes):
    """List a set of squares, each together with its column: its bits in up to eight planes. Returns how many there are.

    A square is listed as 64 × column + square, where bit i of the column is the square's bit in planes[i]. `out` is an
    array of 32-bit integers with room for all of them.

    >>> out = np.zeros(64, dtype=np.int32)
    >>> n = list_columns(out, np.uint64(0b1010), (np.uint64(0b1000), np.uint64(0b1001)))
    >>> out[:n].tolist()
    [1, 195]
    """
    return _list_columns_loop(out, squares, planes)


#: True when `extract` and `deposit` are fast single instructions inside kernels.
FAST_EXTRACT = False

if JIT:
    import llvmlite.binding as llvm
    from llvmlite import ir
    from numba import config, types
    from numba.extending import intrinsic, overload
    from numba.np.arrayobj import make_array

    def _has_fast_extract() -> bool:
        """PEXT/PDEP exist and are not the microcoded, slow kind of AMD processors before Zen 3."""
        if os.environ.get("FORGERON_PEXT") == "0":
            return False
        slow = {"znver1", "znver2", "bdver4"}
        return llvm.get_host_cpu_features().get("bmi2", False) and llvm.get_host_cpu_name() not in slow

    FAST_EXTRACT = _has_fast_extract()
    _WORD = ir.IntType(64)

    @intrinsic
    def _ctpop(_context, word):
        return types.uint64(types.uint64), lambda _c, builder, _s, args: builder.ctpop(args[0])

    @intrinsic
    def _cttz(_context, word):
        defined_at_zero = ir.Constant(ir.IntType(1), 0)
        return types.uint64(types.uint64), lambda _c, builder, _s, args: builder.cttz(args[0], defined_at_zero)

    @intrinsic
    def _ctlz(_context, word):
        defined_at_zero = ir.Constant(ir.IntType(1), 0)
        return types.uint64(types.uint64), lambda _c, builder, _s, args: builder.ctlz(args[0], defined_at_zero)

    def _bmi2(builder, name, args):
        signature = ir.FunctionType(_WORD, [_WORD, _WORD])
        return builder.call(builder.module.declare_intrinsic(f"llvm.x86.bmi.{name}.64", fnty=signature), args)

    @intrinsic
    def _pext(_context, word, mask):
        return types.uint64(types.uint64, types.uint64), lambda _c, builder, _s, args: _bmi2(builder, "pext", args)

    @intrinsic
    def _pdep(_context, word, mask):
        return types.uint64(types.uint64, types.uint64), lambda _c, builder, _s, args: _bmi2(builder, "pdep", args)

    @overload(popcount)
    def _popcount(word):
        return lambda word: _ctpop(word)

    @overload(ctz)
    def _ctz(word):
        return lambda word: _cttz(word)

    @overload(clz)
    def _clz(word):
        return lambda word: _ctlz(word)

    @overload(extract)
    def _extract(word, mask):
        if FAST_EXTRACT:
            return lambda word, mask: _pext(word, mask)
        return _extract_loop

    @overload(deposit)
    def _deposit(word, mask):
        if FAST_EXTRACT:
            return lambda word, mask: _pdep(word, mask)
        return _deposit_loop

    @overload(nth_bit)
    def _nth_bit(word, n):
        if FAST_EXTRACT:
            return lambda word, n: _pdep(ONE << n, word)
        return _nth_bit_loop

    # The columns of all squares at once: a bit of a plane is a lane of a vector.

    def _spread(builder, word, lanes, bits, value):
        """A vector with `value` in the lanes whose bit of the word is set, else 0; a word has a bit for each lane."""
        kind = ir.VectorType(ir.IntType(bits), lanes)
        chosen = builder.bitcast(word, ir.VectorType(ir.IntType(1), lanes))
        return builder.select(chosen, ir.Constant(kind, [value] * lanes), ir.Constant(kind, [0] * lanes))

    @intrinsic
    def _columns_to(_context, columns, planes):
        def generate(context, builder, signature, arguments):
            place = make_array(signature.args[0])(context, builder, arguments[0]).data
            total = ir.Constant(ir.VectorType(ir.IntType(8), 64), [0] * 64)
            for i in range(len(signature.args[1])):
                total = builder.or_(total, _spread(builder, builder.extract_value(arguments[1], i), 64, 8, 1 << i))
            builder.store(total, builder.bitcast(place, total.type.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.void(columns, planes), generate

    @overload(_write_columns)
    def _write_columns_of(columns, planes):
        return lambda columns, planes: _columns_to(columns, planes)

    @intrinsic
    def _compress_columns(_context, out, squares, planes):
        """Sixteen squares at a time: their numbers in a vector, of which the lanes that are in the set are packed."""
        lanes = 16
        kind, mask = ir.VectorType(ir.IntType(32), lanes), ir.VectorType(ir.IntType(1), lanes)

        def generate(context, builder, signature, arguments):
            place = make_array(signature.args[0])(context, builder, arguments[0]).data
            pack = builder.module.declare_intrinsic(
                f"llvm.experimental.vector.compress.v{lanes}i32", fnty=ir.FunctionType(kind, [kind, mask, kind])
            )
            write = builder.module.declare_intrinsic(
                f"llvm.masked.store.v{lanes}i32.p0",
                fnty=ir.FunctionType(ir.VoidType(), [kind, kind.as_pointer(), ir.IntType(32), mask]),
            )
            n = ir.Constant(_WORD, 0)
            for first in range(0, 64, lanes):

                def part(word, first=first):
                    return builder.trunc(builder.lshr(word, ir.Constant(_WORD, first)), ir.IntType(lanes))

                numbers = ir.Constant(kind, list(range(first, first + lanes)))
                for i in range(len(signature.args[2])):
                    plane = part(builder.extract_value(arguments[2], i))
                    numbers = builder.or_(numbers, _spread(builder, plane, lanes, 32, 64 << i))
                chosen = part(arguments[1])
                packed = builder.call(pack, [numbers, builder.bitcast(chosen, mask), ir.Constant(kind, ir.Undefined)])
                count = builder.zext(builder.ctpop(chosen), ir.IntType(32))
                one = ir.Constant(ir.IntType(32), 1)
                written = builder.trunc(builder.sub(builder.shl(one, count), one), ir.IntType(lanes))
                target = builder.bitcast(builder.gep(place, [n]), kind.as_pointer())
                builder.call(write, [packed, target, ir.Constant(ir.IntType(32), 4), builder.bitcast(written, mask)])
                n = builder.add(n, builder.zext(count, _WORD))
            return n

        return types.int64(out, types.uint64, planes), generate

    @overload(list_columns)
    def _list_columns(out, squares, planes):
        fits = out.dtype == types.int32 and out.layout == "C"
        checked = config.BOUNDSCHECK  # type: ignore[attr-defined]
        if fits and not checked and llvm.get_host_cpu_features().get("avx512f", False):
            return lambda out, squares, planes: _compress_columns(out, squares, planes)
        return _list_columns_loop
