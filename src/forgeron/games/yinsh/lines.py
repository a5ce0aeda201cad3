"""Lines of the board as small numbers: where a ring can go, and where rows are.

A line is read into one number: bit 0 is just outside the board, then one bit a point, then a bit outside again. Ways
along it are then counting zeros and carrying ones, with no loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from forgeron.core.bits import FAST_EXTRACT, ONE, ZERO, clz, ctz, extract, popcount, without_lowest
from forgeron.core.jit import compiled
from forgeron.games.yinsh.board import (
    EVERY_LINE,
    LINE_ENDS,
    LINE_HI,
    LINE_LO,
    LINE_PLACE,
    LINE_SHIFT,
    LONGEST_RUN,
    NEAR_HI,
    NEAR_LO,
    RAY_HI,
    RAY_LO,
    WAY,
)
from forgeron.games.yinsh.products import read_line_by_products

Word = Any
"""a 64-bit number, np.uint64 in Python and a register in a kernel"""

TWO = np.uint64(2)
THREE = np.uint64(3)
_6 = np.uint64(6)
_16 = np.uint64(16)
_32 = np.uint64(32)
_63 = np.uint64(63)
_64 = np.uint64(64)
_121 = np.uint64(121)


@compiled
def bit_lo(point: Word) -> Word:
    """The low word of the set of one point."""
    return ONE << point if point < _64 else ZERO


@compiled
def bit_hi(point: Word) -> Word:
    """The high word of the set of one point."""
    return ONE << (point - _64) if point >= _64 else ZERO


@compiled
def read_line_by_extracts(line: Word, lo: Word, hi: Word) -> Word:
    """The part of a set that lies on a line, as one number (bit 1 is the first point)."""
    return (extract(lo, LINE_LO[line]) << ONE) | (extract(hi, LINE_HI[line]) << LINE_SHIFT[line])


read_line = read_line_by_extracts if FAST_EXTRACT else read_line_by_products


@compiled
def reach_on_line(line: Word, blocked: Word, markers: Word) -> Word:
    """Where a ring can go along its line, both ways; `blocked` has the rings and the ends of the board.

    Upwards: the lowest thing in the way ends the slide, and adding it to the markers carries through their run to the
    first point behind it. Downwards there is no such carry, and highest bits are looked for instead.
    """
    here = ONE << LINE_PLACE[line]
    below = here - ONE
    not_above = here | below
    things = blocked | markers
    above = things & ~not_above
    first = above & (~above + ONE)
    upwards = ((first - ONE) & ~not_above) | ((markers + first) & ~markers)
    stop = (TWO << (_63 - clz(things & below))) - ONE
    landing = ONE << (_63 - clz(stop & ~markers))
    return (upwards | (below & ~stop) | landing) & ~blocked


@compiled
def reach(point: Word, blocked_lo: Word, blocked_hi: Word, markers_lo: Word, markers_hi: Word) -> Word:
    """Where a ring on the point can go: the places on its three lines, 16 bits each."""
    i = point * THREE
    j = i + ONE
    k = i + TWO
    blocked_i = read_line(i, blocked_lo, blocked_hi) | LINE_ENDS[i]
    blocked_j = read_line(j, blocked_lo, blocked_hi) | LINE_ENDS[j]
    blocked_k = read_line(k, blocked_lo, blocked_hi) | LINE_ENDS[k]
    return (
        reach_on_line(i, blocked_i, read_line(i, markers_lo, markers_hi))
        | (reach_on_line(j, blocked_j, read_line(j, markers_lo, markers_hi)) << _16)
        | (reach_on_line(k, blocked_k, read_line(k, markers_lo, markers_hi)) << _32)
    )


@compiled
def count_reach(
    rings_lo: Word, rings_hi: Word, blocked_lo: Word, blocked_hi: Word, markers_lo: Word, markers_hi: Word
) -> Word:
    """How many moves these rings have together."""
    n = ZERO
    while rings_lo:
        n += popcount(reach(ctz(rings_lo), blocked_lo, blocked_hi, markers_lo, markers_hi))
        rings_lo = without_lowest(rings_lo)
    while rings_hi:
        n += popcount(reach(ctz(rings_hi) + _64, blocked_lo, blocked_hi, markers_lo, markers_hi))
        rings_hi = without_lowest(rings_hi)
    return n


@compiled
def can_move(
    rings_lo: Word, rings_hi: Word, blocked_lo: Word, blocked_hi: Word, markers_lo: Word, markers_hi: Word
) -> bool:
    """Whether one of these rings has a move. Nearly always one stands next to an empty point."""
    empty_lo, empty_hi = ~(blocked_lo | markers_lo), ~(blocked_hi | markers_hi)
    lo, hi = rings_lo, rings_hi
    while lo | hi:
        point = ctz(lo) if lo else ctz(hi) + _64
        if (NEAR_LO[point] & empty_lo) | (NEAR_HI[point] & empty_hi):
            return True
        if lo:
            lo = without_lowest(lo)
        else:
            hi = without_lowest(hi)
    return bool(count_reach(rings_lo, rings_hi, blocked_lo, blocked_hi, markers_lo, markers_hi) > ZERO)


@compiled
def between(start: Word, end: Word) -> tuple[Word, Word]:
    """The points strictly between two points of one line."""
    i = start * _6 + np.uint64(WAY[start * _121 + end])
    j = end * _6 + np.uint64(WAY[end * _121 + start])
    return RAY_LO[i] & RAY_LO[j], RAY_HI[i] & RAY_HI[j]


@compiled
def longest_run(line: Word, lo: Word, hi: Word) -> Word:
    """The longest unbroken run of a set on a line."""
    return np.uint64(LONGEST_RUN[read_line(line, lo, hi) >> ONE])


@compiled
def has_row(lo: Word, hi: Word, length: Word) -> bool:
    """Whether a set has a row of this length anywhere."""
    longest = ZERO
    for line in EVERY_LINE:
        longest = max(longest, longest_run(line, lo, hi))
    return bool(longest >= length)


@compiled
def rows_on_line(line: Word, lo: Word, hi: Word, length: Word, free: Word) -> Word:
    """The first places of the rows of exactly `length` that may be taken from a line.

    Of a longer run these are all its parts when `free` is not 0, else those at its two ends.
    """
    bits = read_line(line, lo, hi)
    rows = bits
    shift = ONE
    while shift < length:
        rows &= bits >> shift
        shift += ONE
    return rows if free else rows & ~((bits << ONE) & (bits >> length))
