"""Sets of squares as 64-bit words.

Each function has a Python twin (the body written here) and, inside kernels, is one machine instruction. `extract` and
`deposit` (PEXT and PDEP) are instructions only where they are fast; elsewhere loops take their place.
"""

from __future__ import annotations

import os

import numpy as np

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


#: True when `extract` and `deposit` are fast single instructions inside kernels.
FAST_EXTRACT = False

if JIT:
    import llvmlite.binding as llvm
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

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
