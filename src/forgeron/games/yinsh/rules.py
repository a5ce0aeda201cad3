"""The rules of YINSH as Forgeron's kernels call them.

A turn has several parts, and each is a ply of the same player: remove a row, remove a ring for it, move a ring. A move
is one number, first point + 128 × second point + 16384 × kind; its kind is the one the state's stage asks for.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.bits import ONE, ZERO, ctz, nth_bit, popcount, without_lowest
from forgeron.core.contract import OVER, rules_for
from forgeron.core.jit import compiled
from forgeron.core.rng import below, mix
from forgeron.games.yinsh.board import EVERY_LINE, LINE_POINT
from forgeron.games.yinsh.lines import THREE, count_reach, reach, rows_on_line
from forgeron.games.yinsh.plies import end_turn, move_ring, place, take_ring, take_row
from forgeron.games.yinsh.state import (
    ENDED,
    MOVE,
    PASS,
    PLACE,
    RING,
    ROW,
    TURN,
    State,
    blocked,
    goal_of,
    kind_of,
    length_of,
    may_take_any,
    removed,
)

#: Room for the moves of one position: from each of six sides at most one ring gets to an empty point.
MAX_MOVES = 6 * 121

#: What one step of the ranking is worth in a score; differences of markers stay below half of it.
STEP = np.int64(256)

_4 = np.uint64(4)
_7 = np.uint64(7)
_14 = np.uint64(14)
_15 = np.uint64(15)
_64 = np.uint64(64)
_127 = np.uint64(127)
_GAMMA = np.uint64(0x9E37_79B9_7F4A_7C15)


rule = rules_for(State)


@rule
def turn(state):
    return OVER if kind_of(state) == ENDED else np.int64(state.stage & TURN)


@rule
def play(state, move):
    kind = np.uint64(move) >> _14
    first = np.uint64(move) & _127
    second = (np.uint64(move) >> _7) & _127
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
def make_move(kind, first, second):
    """The number of a move."""
    return np.int64(first | (second << _7) | (kind << _14))


@compiled
def _empty(state):
    blocked_lo, blocked_hi = blocked(state)
    lo = ~(blocked_lo | state.markers_lo | state.their_markers_lo)
    return lo, ~(blocked_hi | state.markers_hi | state.their_markers_hi)


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
def _list_points(kind, lo, hi, out):
    n = 0
    while lo:
        out[n] = make_move(kind, ctz(lo), ZERO)
        lo = without_lowest(lo)
        n += 1
    while hi:
        out[n] = make_move(kind, ctz(hi) + _64, ZERO)
        hi = without_lowest(hi)
        n += 1
    return n


@compiled
def _list_rows(state, out):
    length = length_of(state.options)
    n = 0
    for line in EVERY_LINE:
        rows = rows_on_line(line, state.markers_lo, state.markers_hi, length, may_take_any(state.options))
        while rows:
            out[n] = _row(line, ctz(rows), length)
            rows = without_lowest(rows)
            n += 1
    return n


@compiled
def _list_moves(state, out):
    blocked_lo, blocked_hi = blocked(state)
    markers_lo, markers_hi = state.markers_lo | state.their_markers_lo, state.markers_hi | state.their_markers_hi
    lo, hi = state.rings_lo, state.rings_hi
    n = 0
    while lo | hi:
        if lo:
            point = ctz(lo)
            lo = without_lowest(lo)
        else:
            point = ctz(hi) + _64
            hi = without_lowest(hi)
        places = reach(point, blocked_lo, blocked_hi, markers_lo, markers_hi)
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
        lo, hi = _empty(state)
        return _list_points(PLACE, lo, hi, out)
    if kind == RING:
        return _list_points(RING, state.rings_lo, state.rings_hi, out)
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
        n += popcount(rows_on_line(line, state.markers_lo, state.markers_hi, length, may_take_any(state.options)))
    return n


@rule
def count(state):
    kind = kind_of(state)
    if kind == MOVE:
        blocked_lo, blocked_hi = blocked(state)
        markers_lo, markers_hi = state.markers_lo | state.their_markers_lo, state.markers_hi | state.their_markers_hi
        return np.int64(count_reach(state.rings_lo, state.rings_hi, blocked_lo, blocked_hi, markers_lo, markers_hi))
    if kind == PLACE:
        lo, hi = _empty(state)
        return np.int64(popcount(lo) + popcount(hi))
    if kind == RING:
        return np.int64(popcount(state.rings_lo) + popcount(state.rings_hi))
    if kind == ROW:
        return np.int64(_count_rows(state))
    return np.int64(1) if kind == PASS else np.int64(0)


@compiled
def _random_point(kind, lo, hi, bits):
    n = popcount(lo)
    chosen = below(bits, n + popcount(hi))
    if chosen < n:
        return make_move(kind, ctz(nth_bit(lo, chosen)), ZERO)
    return make_move(kind, ctz(nth_bit(hi, chosen - n)) + _64, ZERO)


@compiled
def _random_row(state, bits):
    length = length_of(state.options)
    left = below(bits, _count_rows(state))
    for line in EVERY_LINE:
        rows = rows_on_line(line, state.markers_lo, state.markers_hi, length, may_take_any(state.options))
        if left < popcount(rows):
            return _row(line, ctz(nth_bit(rows, left)), length)
        left -= popcount(rows)
    return np.int64(0)


@compiled
def _random_ring_move(state, bits):
    """One pass over the rings: each takes the choice over with the probability of its share of the moves so far."""
    blocked_lo, blocked_hi = blocked(state)
    markers_lo, markers_hi = state.markers_lo | state.their_markers_lo, state.markers_hi | state.their_markers_hi
    lo, hi = state.rings_lo, state.rings_hi
    n = chosen_point = chosen_places = chosen = ZERO
    while lo | hi:
        if lo:
            point = ctz(lo)
            lo = without_lowest(lo)
        else:
            point = ctz(hi) + _64
            hi = without_lowest(hi)
        places = reach(point, blocked_lo, blocked_hi, markers_lo, markers_hi)
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
        lo, hi = _empty(state)
        return _random_point(PLACE, lo, hi, bits)
    if kind == RING:
        return _random_point(RING, state.rings_lo, state.rings_hi, bits)
    if kind == ROW:
        return _random_row(state, bits)
    return make_move(PASS, ZERO, ZERO)


@rule
def score(state):
    """0 for a draw, else the winner's steps of the ranking times `STEP`, plus the winner's lead in markers."""
    goal = np.int64(goal_of(state.options))
    first, second = np.int64(removed(state, ZERO)), np.int64(removed(state, ONE))
    markers = np.int64(popcount(state.markers_lo) + popcount(state.markers_hi))
    theirs = np.int64(popcount(state.their_markers_lo) + popcount(state.their_markers_hi))
    lead = markers - theirs if state.stage & TURN == ZERO else theirs - markers
    if first == second:
        return np.int64(0)
    steps = abs(first - second)
    if max(first, second) == goal:
        steps += goal - np.int64(1)
    return steps * STEP + lead if first > second else lead - steps * STEP


@compiled
def _fold(word):
    return word ^ (word >> np.uint64(31))


@rule
def key(state):
    sets = (
        _fold(state.rings_lo) * np.uint64(0x9E37_79B9_7F4A_7C15)
        + _fold(state.rings_hi) * np.uint64(0xD1B5_4A32_D192_ED03)
        + _fold(state.markers_lo) * np.uint64(0x8CB9_2BA7_2F3D_8DD7)
        + _fold(state.markers_hi) * np.uint64(0xAAAA_AAAA_AAAA_AAAB)
        + _fold(state.their_rings_lo) * np.uint64(0xC2B2_AE3D_27D4_EB4F)
        + _fold(state.their_rings_hi) * np.uint64(0x1656_67B1_9E37_79F9)
        + _fold(state.their_markers_lo) * np.uint64(0xFF51_AFD7_ED55_8CCD)
        + _fold(state.their_markers_hi) * np.uint64(0xC4CE_B9FE_1A85_EC53)
    )
    return mix(sets ^ mix(state.stage + (state.options << np.uint64(24))))
