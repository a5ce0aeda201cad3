"""Bit tricks on single lines of the board: where a ring can go, and where rows are.

A line is read from the bitboard into one small number by PEXT or magic multiplication: bit 0 is just outside the board,
then one bit a point, then a bit outside again. Slides along it are carries and counts of leading zeros, without a loop.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE, ZERO, clz, ctz, popcount, without_lowest

from .board import COUNT, EVERY_LINE, LINE_ENDS, LINE_PLACE, LONGEST_RUN, WAY
from .point_sets import (
    Points,
    Word,
    any_of,
    complement,
    first_point,
    intersection,
    near,
    ray,
    read_line,
    union,
    without_first,
)

TWO = np.uint64(2)
THREE = np.uint64(3)
_6 = np.uint64(6)
_16 = np.uint64(16)
_32 = np.uint64(32)
_63 = np.uint64(63)
_64 = np.uint64(64)
_COUNT = np.uint64(COUNT)


@compiled
def reach_on_line(line: Word, blocked: Word, markers: Word) -> Word:
    """Where a ring can go along its line, both ways; `blocked` has the rings and the ends of the board.

    Upwards, the lowest obstacle ends the slide; adding it to the markers carries through their run to the first point
    behind it. A carry cannot go downwards: there the highest set bits are found by counting leading zeros.
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
def reach(point: Word, blocked: Points, markers: Points) -> Word:
    """Where a ring on the point can go: the places on its three lines, 16 bits each."""
    i = point * THREE
    j = i + ONE
    k = i + TWO
    blocked_i = read_line(i, blocked) | LINE_ENDS[i]
    blocked_j = read_line(j, blocked) | LINE_ENDS[j]
    blocked_k = read_line(k, blocked) | LINE_ENDS[k]
    return (
        reach_on_line(i, blocked_i, read_line(i, markers))
        | (reach_on_line(j, blocked_j, read_line(j, markers)) << _16)
        | (reach_on_line(k, blocked_k, read_line(k, markers)) << _32)
    )


@compiled
def count_reach(rings: Points, blocked: Points, markers: Points) -> Word:
    """How many moves these rings have together."""
    n = first = ZERO
    for word in rings:
        left = word
        while left:
            n += popcount(reach(first + ctz(left), blocked, markers))
            left = without_lowest(left)
        first += _64
    return n


@compiled
def can_move(rings: Points, blocked: Points, markers: Points) -> bool:
    """Whether one of these rings has a move. Nearly always one stands next to an empty point."""
    empty = complement(union(blocked, markers))
    left = rings
    while any_of(left):
        if any_of(intersection(near(first_point(left)), empty)):
            return True
        left = without_first(left)
    return bool(count_reach(rings, blocked, markers) > ZERO)


@compiled
def between(start: Word, end: Word) -> Points:
    """The points strictly between two points of one line."""
    there = ray(start * _6 + np.uint64(WAY[start * _COUNT + end]))
    return intersection(there, ray(end * _6 + np.uint64(WAY[end * _COUNT + start])))


@compiled
def longest_run(line: Word, points: Points) -> Word:
    """The longest unbroken run of a set on a line."""
    return np.uint64(LONGEST_RUN[read_line(line, points) >> ONE])


@compiled
def has_row(points: Points, length: Word) -> bool:
    """Whether a set has a row of this length anywhere."""
    longest = ZERO
    for line in EVERY_LINE:
        longest = max(longest, longest_run(line, points))
    return bool(longest >= length)


@compiled
def rows_on_line(line: Word, points: Points, length: Word, free: Word) -> Word:
    """The first places of the rows of exactly `length` that may be taken from a line.

    Of a longer run these are all its parts when `free` is not 0, else those at its two ends.
    """
    bits = read_line(line, points)
    rows = bits
    shift = ONE
    while shift < length:
        rows &= bits >> shift
        shift += ONE
    return rows if free else rows & ~((bits << ONE) & (bits >> length))
