"""The rules of YINSH as Forgeron's kernels call them.

A turn has several parts, and each is a ply of the same player: remove a row, remove a ring for it, move a ring. A move
is one number: its first point in the lowest bits, above it the second point, and then its kind, which is the one the
state's stage asks for.
"""

from __future__ import annotations

import numpy as np

from forgeron import OVER, UNKNOWN, compiled, rules_for
from forgeron.bits import ONE, ZERO, ctz, nth_bit, popcount, without_lowest
from forgeron.rng import below, mix

from .board import COUNT, EVERY_LINE, LINE_POINT, POINT_BITS
from .line_bits import THREE, count_reach, reach, rows_on_line
from .plies import end_turn, move_ring, place, take_ring, take_row
from .point_sets import (
    State,
    any_of,
    complement,
    first_point,
    hash_sets,
    my_markers,
    my_rings,
    nth_point,
    size,
    their_markers,
    union,
    without_first,
)
from .state import (
    ENDED,
    MOVE,
    PASS,
    PLACE,
    RING,
    ROW,
    TURN,
    all_markers,
    blocked,
    goal_of,
    kind_of,
    length_of,
    may_take_any,
    removed,
)

#: Room for the moves of one position: from each of six sides at most one ring gets to an empty point.
MAX_MOVES = 6 * COUNT

#: What one step of the ranking is worth in a score; differences of markers stay below half of it.
STEP = np.int64(2 << POINT_BITS)

_4 = np.uint64(4)
_15 = np.uint64(15)
#: Where a move has its second point and its kind, and the bits of one point.
_SECOND = np.uint64(POINT_BITS)
_KIND = np.uint64(2 * POINT_BITS)
_POINT = np.uint64((1 << POINT_BITS) - 1)
_GAMMA = np.uint64(0x9E37_79B9_7F4A_7C15)


rule = rules_for(State)


@compiled
def make_move(kind, first, second):
    """The number of a move."""
    return np.int64(first | (second << _SECOND) | (kind << _KIND))


@compiled
def parts_of(move):
    """The kind of a move and its two points."""
    number = np.uint64(move)
    return number >> _KIND, number & _POINT, (number >> _SECOND) & _POINT


@rule
def turn(state):
    return OVER if kind_of(state) == ENDED else np.int64(state.stage & TURN)


@rule
def play(state, move):
    kind, first, second = parts_of(move)
    if kind == MOVE:
        return move_ring(state, first, second)
    if kind == PLACE:
        return place(state, first)
    if kind == ROW:
        return take_row(state, first, second)
    if kind == RING:
        return take_ring(state, first)
    return end_turn(state)


@compiled
def _empty(state):
    return complement(union(blocked(state), all_markers(state)))


@compiled
def _target(point, place):
    """The point at a place that `reach` found: 16 × axis + place on the line."""
    line = point * THREE + (place >> _4)
    return np.uint64(LINE_POINT[(line << _4) | (place & _15)])


@compiled
def _row(line, start, length):
    """The move that takes the row beginning at a place of a line."""
    i = (line << _4) + start
    return make_move(ROW, np.uint64(LINE_POINT[i]), np.uint64(LINE_POINT[i + length - ONE]))


@compiled
def _list_points(kind, points, out):
    n = 0
    while any_of(points):
        out[n] = make_move(kind, first_point(points), ZERO)
        points = without_first(points)
        n += 1
    return n


@compiled
def _list_rows(state, out):
    length = length_of(state.options)
    n = 0
    for line in EVERY_LINE:
        rows = rows_on_line(line, my_markers(state), length, may_take_any(state.options))
        while rows:
            out[n] = _row(line, ctz(rows), length)
            rows = without_lowest(rows)
            n += 1
    return n


@compiled
def _list_moves(state, out):
    obstacles, markers, rings = blocked(state), all_markers(state), my_rings(state)
    n = 0
    while any_of(rings):
        point = first_point(rings)
        rings = without_first(rings)
        places = reach(point, obstacles, markers)
        while places:
            out[n] = make_move(MOVE, point, _target(point, ctz(places)))
            places = without_lowest(places)
            n += 1
    return n


@rule
def moves(state, out):
    kind = kind_of(state)
    if kind == MOVE:
        return _list_moves(state, out)
    if kind == PLACE:
        return _list_points(PLACE, _empty(state), out)
    if kind == RING:
        return _list_points(RING, my_rings(state), out)
    if kind == ROW:
        return _list_rows(state, out)
    if kind == PASS:
        out[0] = make_move(PASS, ZERO, ZERO)
        return 1
    return 0


@compiled
def _count_rows(state):
    length = length_of(state.options)
    n = ZERO
    for line in EVERY_LINE:
        n += popcount(rows_on_line(line, my_markers(state), length, may_take_any(state.options)))
    return n


@rule
def count(state):
    kind = kind_of(state)
    if kind == MOVE:
        return np.int64(count_reach(my_rings(state), blocked(state), all_markers(state)))
    if kind == PLACE:
        return np.int64(size(_empty(state)))
    if kind == RING:
        return np.int64(size(my_rings(state)))
    if kind == ROW:
        return np.int64(_count_rows(state))
    return np.int64(1) if kind == PASS else np.int64(0)


@compiled
def _random_point(kind, points, bits):
    return make_move(kind, nth_point(points, below(bits, size(points))), ZERO)


@compiled
def _random_row(state, bits):
    length = length_of(state.options)
    left = below(bits, _count_rows(state))
    for line in EVERY_LINE:
        rows = rows_on_line(line, my_markers(state), length, may_take_any(state.options))
        if left < popcount(rows):
            return _row(line, ctz(nth_bit(rows, left)), length)
        left -= popcount(rows)
    return np.int64(0)


@compiled
def _random_ring_move(state, bits):
    """Reservoir sampling over the rings: each replaces the choice with its share of the moves so far."""
    obstacles, markers, rings = blocked(state), all_markers(state), my_rings(state)
    n = chosen_point = chosen_places = chosen = ZERO
    while any_of(rings):
        point = first_point(rings)
        rings = without_first(rings)
        places = reach(point, obstacles, markers)
        share = popcount(places)
        n += share
        bits += _GAMMA
        drawn = below(mix(bits), n)
        if drawn < share:
            chosen_point, chosen_places, chosen = point, places, drawn
    return make_move(MOVE, chosen_point, _target(chosen_point, ctz(nth_bit(chosen_places, chosen))))


@rule
def random_move(state, bits):
    kind = kind_of(state)
    if kind == MOVE:
        return _random_ring_move(state, bits)
    if kind == PLACE:
        return _random_point(PLACE, _empty(state), bits)
    if kind == RING:
        return _random_point(RING, my_rings(state), bits)
    if kind == ROW:
        return _random_row(state, bits)
    return make_move(PASS, ZERO, ZERO)


@rule
def score(state):
    """0 for a draw, else the winner's steps of the ranking times `STEP`, plus the winner's lead in markers."""
    goal = np.int64(goal_of(state.options))
    first, second = np.int64(removed(state, ZERO)), np.int64(removed(state, ONE))
    markers, theirs = np.int64(size(my_markers(state))), np.int64(size(their_markers(state)))
    lead = markers - theirs if state.stage & TURN == ZERO else theirs - markers
    if first == second:
        return np.int64(0)
    steps = abs(first - second)
    if max(first, second) == goal:
        steps += goal - np.int64(1)
    return steps * STEP + lead if first > second else lead - steps * STEP


@rule
def solve(state):
    """The score of a game that is over, so that a search ranks proven results by it: a better class, then fewer plies.

    Without this every win would be as good as any other, and 3-1 as good as 3-0.
    """
    return score(state) if kind_of(state) == ENDED else np.int64(UNKNOWN)


@rule
def key(state):
    return mix(hash_sets(state) ^ mix(state.stage + (state.options << np.uint64(24))))
