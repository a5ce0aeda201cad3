"""Sets of points in two words each, and the state that is made of four such sets.

`large/point_sets.py` has the same for three words. No other module of the rules knows how many words there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron import compiled
from forgeron.bits import FAST_EXTRACT, ONE, ZERO, ctz, extract, nth_bit, popcount, without_lowest

from .board import LINE_SHIFTS, LINE_WORDS, NEAR_WORDS, OFF_WORDS, RAY_WORDS
from .magics import read_line_by_magics

Word = Any
"""a 64-bit number, np.uint64 in Python and a register in a kernel"""
Points = tuple[Word, Word]
"""a set of points: its words, the lowest first"""

_LINE_LO, _LINE_HI = LINE_WORDS
_LINE_SHIFT = LINE_SHIFTS[1].copy()
_NEAR_LO, _NEAR_HI = NEAR_WORDS
_OFF_LO, _OFF_HI = OFF_WORDS
_RAY_LO, _RAY_HI = RAY_WORDS
_64 = np.uint64(64)

NOTHING = (ZERO, ZERO)


class State(NamedTuple):
    """A position as the side to move sees it. Sets of points are pairs of words; see `board` for the numbering."""

    rings_lo: np.uint64
    rings_hi: np.uint64
    markers_lo: np.uint64
    markers_hi: np.uint64
    their_rings_lo: np.uint64
    their_rings_hi: np.uint64
    their_markers_lo: np.uint64
    their_markers_hi: np.uint64
    stage: np.uint64
    """as in `state`"""
    options: np.uint64
    """as in `state`"""


@compiled
def my_rings(state: State) -> Points:
    return state.rings_lo, state.rings_hi


@compiled
def my_markers(state: State) -> Points:
    return state.markers_lo, state.markers_hi


@compiled
def their_rings(state: State) -> Points:
    return state.their_rings_lo, state.their_rings_hi


@compiled
def their_markers(state: State) -> Points:
    return state.their_markers_lo, state.their_markers_hi


@compiled
def make_state(
    rings: Points, markers: Points, other_rings: Points, other_markers: Points, stage: Word, options: Word
) -> State:
    return State(
        rings[0],
        rings[1],
        markers[0],
        markers[1],
        other_rings[0],
        other_rings[1],
        other_markers[0],
        other_markers[1],
        stage,
        options,
    )


@compiled
def _fold(word: Word) -> Word:
    return word ^ (word >> np.uint64(31))


@compiled
def hash_sets(state: State) -> Word:
    """A number in which the four sets are mixed, for `key` to mix on."""
    return (
        _fold(state.rings_lo) * np.uint64(0x9E37_79B9_7F4A_7C15)
        + _fold(state.rings_hi) * np.uint64(0xD1B5_4A32_D192_ED03)
        + _fold(state.markers_lo) * np.uint64(0x8CB9_2BA7_2F3D_8DD7)
        + _fold(state.markers_hi) * np.uint64(0xAAAA_AAAA_AAAA_AAAB)
        + _fold(state.their_rings_lo) * np.uint64(0xC2B2_AE3D_27D4_EB4F)
        + _fold(state.their_rings_hi) * np.uint64(0x1656_67B1_9E37_79F9)
        + _fold(state.their_markers_lo) * np.uint64(0xFF51_AFD7_ED55_8CCD)
        + _fold(state.their_markers_hi) * np.uint64(0xC4CE_B9FE_1A85_EC53)
    )


# --- sets -------------------------------------------------------------------------------------------------------------


@compiled
def union(a: Points, b: Points) -> Points:
    return a[0] | b[0], a[1] | b[1]


@compiled
def intersection(a: Points, b: Points) -> Points:
    return a[0] & b[0], a[1] & b[1]


@compiled
def difference(a: Points, b: Points) -> Points:
    return a[0] & ~b[0], a[1] & ~b[1]


@compiled
def symmetric_difference(a: Points, b: Points) -> Points:
    return a[0] ^ b[0], a[1] ^ b[1]


@compiled
def complement(a: Points) -> Points:
    return ~a[0], ~a[1]


@compiled
def any_of(a: Points) -> Word:
    """0 for an empty set, else some other number."""
    return a[0] | a[1]


@compiled
def size(a: Points) -> Word:
    return popcount(a[0]) + popcount(a[1])


@compiled
def single(point: Word) -> Points:
    """The set of one point."""
    return ONE << point if point < _64 else ZERO, ONE << (point - _64) if point >= _64 else ZERO


@compiled
def first_point(a: Points) -> Word:
    """The lowest point of a set that has one."""
    return ctz(a[0]) if a[0] else ctz(a[1]) + _64


@compiled
def without_first(a: Points) -> Points:
    """A set that is not empty less its lowest point."""
    return (without_lowest(a[0]), a[1]) if a[0] else (ZERO, without_lowest(a[1]))


@compiled
def nth_point(a: Points, n: Word) -> Word:
    """The n-th point of a set, from 0."""
    low = popcount(a[0])
    return ctz(nth_bit(a[0], n)) if n < low else ctz(nth_bit(a[1], n - low)) + _64


# --- tables -----------------------------------------------------------------------------------------------------------


@compiled
def near(point: Word) -> Points:
    """The points next to a point."""
    return _NEAR_LO[point], _NEAR_HI[point]


@compiled
def off_board(board_size: Word) -> Points:
    """What the board of this size lacks of the largest one."""
    return _OFF_LO[board_size], _OFF_HI[board_size]


@compiled
def ray(i: Word) -> Points:
    """The points in one of the six ways from a point, at 6 × point + way."""
    return _RAY_LO[i], _RAY_HI[i]


@compiled
def read_line_by_pext(line: Word, a: Points) -> Word:
    """The points of a set that lie on a line, as one small number (bit 1 is the first point)."""
    return (extract(a[0], _LINE_LO[line]) << ONE) | (extract(a[1], _LINE_HI[line]) << _LINE_SHIFT[line])


read_line = read_line_by_pext if FAST_EXTRACT else read_line_by_magics
