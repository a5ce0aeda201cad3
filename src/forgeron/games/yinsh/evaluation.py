"""The evaluation of YINSH: each feature is white's share less black's.

A row in the making is looked for in windows: K points in line. What is still missing in a window is what counts: a
point under an own ring becomes a marker when that ring moves away, a marker of the other side is turned by a jump.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.bits import ONE, ZERO, clz, ctz, popcount, without_lowest
from forgeron.core.jit import compiled
from forgeron.games.yinsh.board import COUNT, EVERY_LINE, LARGEST, LINE_POINT, SIZES, line, longest_line, points_of
from forgeron.games.yinsh.lines import TWO, bit_hi, bit_lo, count_reach, read_line
from forgeron.games.yinsh.rules import rule
from forgeron.games.yinsh.state import (
    PLACE,
    RING,
    ROW,
    THEY_HAVE_A_ROW,
    TURN,
    blocked,
    goal_of,
    kind_of,
    length_of,
    removed,
    size_of,
)

#: What the weights weigh: rings removed, a row that is complete but not taken yet being one; lacking one ring only to
#: win; markers; markers that no jump can turn over; windows that lack two markers, and one; those that lack one where
#: an own ring stands, or a marker of the other side; moves of the rings, and the same while rings are being placed;
#: being to move; being to move with a ring that completes a row.
NAMES = (
    "rings",
    "last ring",
    "markers",
    "safe markers",
    "two short",
    "one short",
    "ring in the gap",
    "enemy in the gap",
    "mobility",
    "mobility placing",
    "to move",
    "row at hand",
)

_LONGEST = longest_line(LARGEST)
_STARTS = np.uint64(0x3FF)
_4 = np.uint64(4)
_10 = np.uint64(10)
_LONG = np.uint64(_LONGEST)
_15 = np.uint64(15)
_16 = np.uint64(16)
_20 = np.uint64(20)
_32 = np.uint64(32)
_48 = np.uint64(48)
_63 = np.uint64(63)
_FFFF = np.uint64(0xFFFF)
_LINES = np.uint64(3 * COUNT)


def _make_windows() -> np.ndarray:
    """At 2¹² × K + the markers of a line: the windows of K points that have K - 2, K - 1 and K, as sets of their first
    places, 10 bits each."""
    windows = np.zeros((_LONGEST + 1) << _LONGEST, dtype=np.uint32)
    bits = np.arange(1 << _LONGEST)
    for length in range(2, _LONGEST + 1):
        for start in range(min(_LONGEST - length + 1, 10)):
            inside = (bits >> start) & ((1 << length) - 1)
            lacking = length - np.array([int(part).bit_count() for part in inside])
            for lacks in range(3):
                found = (lacking == lacks).astype(np.uint32) << np.uint32(start + 20 - 10 * lacks)
                windows[length << _LONGEST : (length + 1) << _LONGEST] |= found
    return windows


def _make_room() -> np.ndarray:
    """At (16 × N + K) × lines + line: the first places of the windows that lie on the board."""
    room = np.zeros((16 * (LARGEST + 1), 3 * COUNT), dtype=np.uint16)
    for size in SIZES:
        points = set(points_of(size))
        for i in EVERY_LINE:
            on_board = [point in points for point in line(int(i) // 3, int(i) % 3)]
            for length in range(2, _LONGEST + 1):
                starts = range(min(len(on_board) - length + 1, 10))
                room[16 * size + length, i] = sum(all(on_board[s : s + length]) << s for s in starts)
    return room.ravel()


def _make_edges() -> np.ndarray:
    """At lines × N + line: the places of the first and the last point of a line on the board, 4 bits each."""
    edges = np.zeros((LARGEST + 1, 3 * COUNT), dtype=np.uint8)
    for size in SIZES:
        points = set(points_of(size))
        for i in EVERY_LINE:
            places = [1 + at for at, point in enumerate(line(int(i) // 3, int(i) % 3)) if point in points]
            edges[size, i] = (places[0] | places[-1] << 4) if places else 0
    return edges.ravel()


_WINDOWS = _make_windows()
_ROOM = _make_room()
_EDGES = _make_edges()


@compiled
def rows_in_making(windows, ready, mixed):
    """Of windows as `_WINDOWS` gives them for own markers, for own markers and rings, and for markers of both sides:
    those two short and one short, and of the latter those with an own ring or an enemy in the gap, 16 bits each."""
    one_short = (windows >> _10) & _STARTS
    return (
        popcount(windows & _STARTS)
        | (popcount(one_short) << _16)
        | (popcount(one_short & (ready >> _20)) << _32)
        | (popcount(one_short & (mixed >> _20)) << _48)
    )


@compiled
def held(edges, markers):
    """The markers of a line that no jump along it can turn: those in unbroken runs from the edges of the board."""
    low = markers & ~(markers + (ONE << (edges & _15)))  # adding at the edge carries through the run there
    gap = _63 - clz(~markers & ((TWO << (edges >> _4)) - ONE))
    return low | ((markers >> gap) << gap)


@compiled
def survey_lines(state):
    """The rows in the making of both sides, packed, and the markers that no jump can turn over."""
    length, size = length_of(state.options), size_of(state.options)
    table, room, edge = length << _LONG, (size * _16 + length) * _LINES, size * _LINES
    mine = theirs = ZERO
    one_lo = one_hi = two_lo = two_hi = safe_lo = safe_hi = ZERO
    for way in EVERY_LINE:
        my_markers = read_line(way, state.markers_lo, state.markers_hi)
        their_markers = read_line(way, state.their_markers_lo, state.their_markers_hi)
        markers = my_markers | their_markers
        if markers == ZERO:
            continue
        fits = np.uint64(_ROOM[room + way])
        fits |= (fits << _10) | (fits << _20)
        both = np.uint64(_WINDOWS[table + (markers >> ONE)])
        found = np.uint64(_WINDOWS[table + (my_markers >> ONE)]) & fits
        if found:
            rings = read_line(way, state.rings_lo, state.rings_hi)
            mine += rows_in_making(found, np.uint64(_WINDOWS[table + ((my_markers | rings) >> ONE)]), both)
        found = np.uint64(_WINDOWS[table + (their_markers >> ONE)]) & fits
        if found:
            rings = read_line(way, state.their_rings_lo, state.their_rings_hi)
            theirs += rows_in_making(found, np.uint64(_WINDOWS[table + ((their_markers | rings) >> ONE)]), both)
        # A marker is safe when it is held on all three of its lines.
        fast = held(np.uint64(_EDGES[edge + way]), markers)
        while fast:
            point = np.uint64(LINE_POINT[_16 * way + ctz(fast)])
            fast = without_lowest(fast)
            lo, hi = bit_lo(point), bit_hi(point)
            safe_lo, safe_hi = safe_lo | (two_lo & lo), safe_hi | (two_hi & hi)
            two_lo, two_hi = two_lo | (one_lo & lo), two_hi | (one_hi & hi)
            one_lo, one_hi = one_lo | lo, one_hi | hi
    return mine, theirs, safe_lo, safe_hi


@compiled
def part(packed, shift):
    """One of the four numbers that `rows_in_making` packs."""
    return np.int64((packed >> shift) & _FFFF)


@rule
def evaluate(state, weights):
    seat = state.stage & TURN
    kind = kind_of(state)
    mine, theirs, safe_lo, safe_hi = survey_lines(state)
    markers = np.int64(popcount(state.markers_lo) + popcount(state.markers_hi)) - np.int64(
        popcount(state.their_markers_lo) + popcount(state.their_markers_hi)
    )
    safe = np.int64(popcount(state.markers_lo & safe_lo) + popcount(state.markers_hi & safe_hi)) - np.int64(
        popcount(state.their_markers_lo & safe_lo) + popcount(state.their_markers_hi & safe_hi)
    )
    blocked_lo, blocked_hi = blocked(state)
    all_lo, all_hi = state.markers_lo | state.their_markers_lo, state.markers_hi | state.their_markers_hi
    moves = np.int64(count_reach(state.rings_lo, state.rings_hi, blocked_lo, blocked_hi, all_lo, all_hi)) - np.int64(
        count_reach(state.their_rings_lo, state.their_rings_hi, blocked_lo, blocked_hi, all_lo, all_hi)
    )
    # A row that is complete brings its ring within the turn, or at the beginning of the next.
    my_rings = np.int64(removed(state, seat)) + np.int64((kind == ROW) | (kind == RING))
    their_rings = np.int64(removed(state, ONE - seat)) + np.int64((state.stage & THEY_HAVE_A_ROW) != ZERO)
    near = np.int64(goal_of(state.options)) - 1
    value = (
        weights[0] * (my_rings - their_rings)
        + weights[1] * (np.int64(my_rings >= near) - np.int64(their_rings >= near))
        + weights[2] * markers
        + weights[3] * safe
        + weights[4] * (part(mine, ZERO) - part(theirs, ZERO))
        + weights[5] * (part(mine, _16) - part(theirs, _16))
        + weights[6] * (part(mine, _32) - part(theirs, _32))
        + weights[7] * (part(mine, _48) - part(theirs, _48))
        + (weights[9] if kind == PLACE else weights[8]) * moves
        + weights[10]
        + (weights[11] if part(mine, _32) else 0.0)
    )
    return value if seat == ZERO else -value
