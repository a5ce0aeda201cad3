"""The evaluation of YINSH: each feature is white's share less black's.

A row in the making is looked for in windows: K points in line. What is still missing in a window is what counts: a
point under an own ring becomes a marker when that ring moves away, a marker of the other side is turned by a jump.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE, ZERO, clz, ctz, popcount, without_lowest

from .board import COUNT, EVERY_LINE, LINE_POINT, SIZES, line, longest_line, points_of
from .line_bits import TWO, count_reach
from .point_sets import (
    NOTHING,
    intersection,
    my_markers,
    my_rings,
    read_line,
    single,
    size,
    their_markers,
    their_rings,
    union,
)
from .rules import rule
from .size import LARGEST
from .state import (
    PLACE,
    RING,
    ROW,
    THEY_HAVE_A_ROW,
    TURN,
    all_markers,
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
LONGEST = np.uint64(_LONGEST)
_15 = np.uint64(15)
_16 = np.uint64(16)
_20 = np.uint64(20)
_32 = np.uint64(32)
_48 = np.uint64(48)
_63 = np.uint64(63)
_FFFF = np.uint64(0xFFFF)
_LINES = np.uint64(3 * COUNT)


def _make_windows() -> np.ndarray:
    """At K × 2^(points of the longest line) + the markers of a line: the windows of K points that have K - 2, K - 1 and
    K, as sets of their first places, 10 bits each (a line has more windows than that only for K < 5)."""
    windows = np.zeros((_LONGEST + 1) << _LONGEST, dtype=np.uint32)
    bits = np.arange(1 << _LONGEST)
    counts = np.array([int(number).bit_count() for number in bits])
    for length in range(2, _LONGEST + 1):
        for start in range(min(_LONGEST - length + 1, 10)):
            inside = (bits >> start) & ((1 << length) - 1)
            lacking = length - counts[inside]
            for lacks in range(3):
                found = (lacking == lacks).astype(np.uint32) << np.uint32(start + 20 - 10 * lacks)
                windows[length << _LONGEST : (length + 1) << _LONGEST] |= found
    return windows


def _make_room() -> np.ndarray:
    """At (16 × N + K) × lines + line: the first places of the windows that lie on the board."""
    room = np.zeros((16 * (LARGEST + 1), 3 * COUNT), dtype=np.uint16)
    for n in SIZES:
        points = set(points_of(n))
        for i in EVERY_LINE:
            on_board = [point in points for point in line(int(i) // 3, int(i) % 3)]
            for length in range(2, _LONGEST + 1):
                starts = range(min(len(on_board) - length + 1, 10))
                room[16 * n + length, i] = sum(all(on_board[s : s + length]) << s for s in starts)
    return room.ravel()


def _make_edges() -> np.ndarray:
    """At lines × N + line: the places of the first and the last point of a line on the board, 4 bits each."""
    edges = np.zeros((LARGEST + 1, 3 * COUNT), dtype=np.uint8)
    for n in SIZES:
        points = set(points_of(n))
        for i in EVERY_LINE:
            places = [1 + at for at, point in enumerate(line(int(i) // 3, int(i) % 3)) if point in points]
            edges[n, i] = (places[0] | places[-1] << 4) if places else 0
    return edges.ravel()


WINDOWS = _make_windows()
ROOM = _make_room()
EDGES = _make_edges()


@compiled
def rows_in_making(windows, ready, mixed):
    """Of windows as `WINDOWS` gives them for own markers, for own markers and rings, and for markers of both sides:
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
def add_held(way, fast, held_on):
    """The sets of markers that are held on one, two and three of their lines, after one more line.

    A marker is safe when it is held on all three.
    """
    one, two, safe = held_on
    while fast:
        marker = single(np.uint64(LINE_POINT[_16 * way + ctz(fast)]))
        fast = without_lowest(fast)
        safe = union(safe, intersection(two, marker))
        two = union(two, intersection(one, marker))
        one = union(one, marker)
    return one, two, safe


@compiled
def survey_lines(state):
    """The rows in the making of both sides, packed, and the markers that no jump can turn over."""
    length, board_size = length_of(state.options), size_of(state.options)
    table, room, edge = length << LONGEST, (board_size * _16 + length) * _LINES, board_size * _LINES
    mine = theirs = ZERO
    fast = (NOTHING, NOTHING, NOTHING)
    for way in EVERY_LINE:
        own = read_line(way, my_markers(state))
        other = read_line(way, their_markers(state))
        markers = own | other
        if markers == ZERO:
            continue
        fits = np.uint64(ROOM[room + way])
        fits |= (fits << _10) | (fits << _20)
        both = np.uint64(WINDOWS[table + (markers >> ONE)])
        found = np.uint64(WINDOWS[table + (own >> ONE)]) & fits
        if found:
            rings = read_line(way, my_rings(state))
            mine += rows_in_making(found, np.uint64(WINDOWS[table + ((own | rings) >> ONE)]), both)
        found = np.uint64(WINDOWS[table + (other >> ONE)]) & fits
        if found:
            rings = read_line(way, their_rings(state))
            theirs += rows_in_making(found, np.uint64(WINDOWS[table + ((other | rings) >> ONE)]), both)
        fast = add_held(way, held(np.uint64(EDGES[edge + way]), markers), fast)
    return mine, theirs, fast[2]


@compiled
def part(packed, shift):
    """One of the four numbers that `rows_in_making` packs."""
    return np.int64((packed >> shift) & _FFFF)


@rule
def evaluate(state, weights):
    seat = state.stage & TURN
    kind = kind_of(state)
    mine, theirs, safe_points = survey_lines(state)
    own, other = my_markers(state), their_markers(state)
    markers = np.int64(size(own)) - np.int64(size(other))
    safe = np.int64(size(intersection(own, safe_points))) - np.int64(size(intersection(other, safe_points)))
    obstacles, everything = blocked(state), all_markers(state)
    moves = np.int64(count_reach(my_rings(state), obstacles, everything)) - np.int64(
        count_reach(their_rings(state), obstacles, everything)
    )
    # A row that is complete brings its ring within the turn, or at the beginning of the next.
    my_score = np.int64(removed(state, seat)) + np.int64((kind == ROW) | (kind == RING))
    their_score = np.int64(removed(state, ONE - seat)) + np.int64((state.stage & THEY_HAVE_A_ROW) != ZERO)
    near = np.int64(goal_of(state.options)) - 1
    value = (
        weights[0] * (my_score - their_score)
        + weights[1] * (np.int64(my_score >= near) - np.int64(their_score >= near))
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
