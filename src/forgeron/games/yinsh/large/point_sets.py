"""Sets of points in three words each, and the state that is made of four such sets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE, ZERO, ctz, extract, nth_bit, popcount, without_lowest

from .board import (  # type: ignore[import-not-found]  # found through the package's __path__
    LINE_SHIFTS,
    LINE_WORDS,
    NEAR_WORDS,
    OFF_WORDS,
    RAY_WORDS,
)

Word = Any
"""a 64-bit number, np.uint64 in Python and a register in a kernel"""
Points = tuple[Word, Word, Word]
"""a set of points: its words, the lowest first"""

_LINE_LO, _LINE_MID, _LINE_HI = LINE_WORDS
_, _SHIFT_MID, _SHIFT_HI = LINE_SHIFTS
_NEAR_LO, _NEAR_MID, _NEAR_HI = NEAR_WORDS
_OFF_LO, _OFF_MID, _OFF_HI = OFF_WORDS
_RAY_LO, _RAY_MID, _RAY_HI = RAY_WORDS
_64 = np.uint64(64)
_128 = np.uint64(128)

NOTHING = (ZERO, ZERO, ZERO)


class LargeState(NamedTuple):
    """A position as the side to move sees it. Sets of points have three words; see `board` for the numbering."""

    rings_lo: np.uint64
    rings_mid: np.uint64
    rings_hi: np.uint64
    markers_lo: np.uint64
    markers_mid: np.uint64
    markers_hi: np.uint64
    their_rings_lo: np.uint64
    their_rings_mid: np.uint64
    their_rings_hi: np.uint64
    their_markers_lo: np.uint64
    their_markers_mid: np.uint64
    their_markers_hi: np.uint64
    stage: np.uint64
    """as in `state`"""
    options: np.uint64
    """as in `state`"""


State = LargeState


@compiled
def my_rings(state: LargeState) -> Points:
    return state.rings_lo, state.rings_mid, state.rings_hi


@compiled
def my_markers(state: LargeState) -> Points:
    return state.markers_lo, state.markers_mid, state.markers_hi


@compiled
def their_rings(state: LargeState) -> Points:
    return state.their_rings_lo, state.their_rings_mid, state.their_rings_hi


@compiled
def their_markers(state: LargeState) -> Points:
    return state.their_markers_lo, state.their_markers_mid, state.their_markers_hi


@compiled
def make_state(
    rings: Points, markers: Points, other_rings: Points, other_markers: Points, stage: Word, options: Word
) -> LargeState:
    return LargeState(
        rings[0],
        rings[1],
        rings[2],
        markers[0],
        markers[1],
        markers[2],
        other_rings[0],
        other_rings[1],
        other_rings[2],
        other_markers[0],
        other_markers[1],
        other_markers[2],
        stage,
        options,
    )


@compiled
def _fold(word: Word) -> Word:
    return word ^ (word >> np.uint64(31))


@compiled
def hash_sets(state: LargeState) -> Word:
    """A number in which the four sets are mixed, for `key` to mix on."""
    return (
        _fold(state.rings_lo) * np.uint64(0x9E37_79B9_7F4A_7C15)
        + _fold(state.rings_mid) * np.uint64(0xBF58_476D_1CE4_E5B9)
        + _fold(state.rings_hi) * np.uint64(0xD1B5_4A32_D192_ED03)
        + _fold(state.markers_lo) * np.uint64(0x8CB9_2BA7_2F3D_8DD7)
        + _fold(state.markers_mid) * np.uint64(0x94D0_49BB_1331_11EB)
        + _fold(state.markers_hi) * np.uint64(0xAAAA_AAAA_AAAA_AAAB)
        + _fold(state.their_rings_lo) * np.uint64(0xC2B2_AE3D_27D4_EB4F)
        + _fold(state.their_rings_mid) * np.uint64(0xE703_7ED1_A0B4_28DB)
        + _fold(state.their_rings_hi) * np.uint64(0x1656_67B1_9E37_79F9)
        + _fold(state.their_markers_lo) * np.uint64(0xFF51_AFD7_ED55_8CCD)
        + _fold(state.their_markers_mid) * np.uint64(0x8EBC_6AF0_9C88_C6E3)
        + _fold(state.their_markers_hi) * np.uint64(0xC4CE_B9FE_1A85_EC53)
    )


# --- sets -------------------------------------------------------------------------------------------------------------


@compiled
def union(a: Points, b: Points) -> Points:
    return a[0] | b[0], a[1] | b[1], a[2] | b[2]


@compiled
def intersection(a: Points, b: Points) -> Points:
    return a[0] & b[0], a[1] & b[1], a[2] & b[2]


@compiled
def difference(a: Points, b: Points) -> Points:
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2]


@compiled
def symmetric_difference(a: Points, b: Points) -> Points:
    return a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2]


@compiled
def complement(a: Points) -> Points:
    return ~a[0], ~a[1], ~a[2]


@compiled
def any_of(a: Points) -> Word:
    """0 for an empty set, else some other number."""
    return a[0] | a[1] | a[2]


@compiled
def size(a: Points) -> Word:
    return popcount(a[0]) + popcount(a[1]) + popcount(a[2])


@compiled
def single(point: Word) -> Points:
    """The set of one point."""
    if point < _64:
        return ONE << point, ZERO, ZERO
    return (ZERO, ONE << (point - _64), ZERO) if point < _128 else (ZERO, ZERO, ONE << (point - _128))


@compiled
def first_point(a: Points) -> Word:
    """The lowest point of a set that has one."""
    if a[0]:
        return ctz(a[0])
    return ctz(a[1]) + _64 if a[1] else ctz(a[2]) + _128


@compiled
def without_first(a: Points) -> Points:
    """A set that is not empty less its lowest point."""
    if a[0]:
        return without_lowest(a[0]), a[1], a[2]
    return (ZERO, without_lowest(a[1]), a[2]) if a[1] else (ZERO, ZERO, without_lowest(a[2]))


@compiled
def nth_point(a: Points, n: Word) -> Word:
    """The n-th point of a set, from 0."""
    low = popcount(a[0])
    if n < low:
        return ctz(nth_bit(a[0], n))
    n -= low
    mid = popcount(a[1])
    return ctz(nth_bit(a[1], n)) + _64 if n < mid else ctz(nth_bit(a[2], n - mid)) + _128


# --- tables -----------------------------------------------------------------------------------------------------------


@compiled
def near(point: Word) -> Points:
    """The points next to a point."""
    return _NEAR_LO[point], _NEAR_MID[point], _NEAR_HI[point]


@compiled
def off_board(board_size: Word) -> Points:
    """What the board of this size lacks of the largest one."""
    return _OFF_LO[board_size], _OFF_MID[board_size], _OFF_HI[board_size]


@compiled
def ray(i: Word) -> Points:
    """The points in one of the six ways from a point, at 6 × point + way."""
    return _RAY_LO[i], _RAY_MID[i], _RAY_HI[i]


@compiled
def read_line(line: Word, a: Points) -> Word:
    """The points of a set that lie on a line, as one small number (bit 1 is the first point)."""
    return (
        (extract(a[0], _LINE_LO[line]) << ONE)
        | (extract(a[1], _LINE_MID[line]) << _SHIFT_MID[line])
        | (extract(a[2], _LINE_HI[line]) << _SHIFT_HI[line])
    )
