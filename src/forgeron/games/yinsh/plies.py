"""What each ply does to a YINSH state, and which ply comes next."""

from __future__ import annotations

import numpy as np

from forgeron.core.bits import ONE, ZERO, ctz, popcount, without_lowest
from forgeron.core.jit import compiled
from forgeron.games.yinsh.board import WAY
from forgeron.games.yinsh.lines import THREE, TWO, between, bit_hi, bit_lo, can_move, has_row, longest_run
from forgeron.games.yinsh.state import (
    KIND,
    MOVED,
    POOL,
    REMOVED,
    TAKEN_ONE,
    TAKEN_TWO,
    THEY_HAVE_A_ROW,
    TO_MOVE,
    TO_NOTHING,
    TO_PASS,
    TO_RING,
    TO_ROW,
    TURN,
    State,
    Word,
    blocked,
    goal_of,
    has_pool,
    length_of,
    removed,
    rings_of,
    stops_after_two,
    with_stage,
)

_8 = np.uint64(8)
_64 = np.uint64(64)
_121 = np.uint64(121)


@compiled
def before_move(state: State) -> State:
    """The state where the side to move is to move a ring: it does, or passes, or the game has ended."""
    stage = state.stage & (REMOVED | TURN)
    markers_lo = state.markers_lo | state.their_markers_lo
    markers_hi = state.markers_hi | state.their_markers_hi
    blocked_lo, blocked_hi = blocked(state)
    kind = TO_NOTHING
    if not (has_pool(state.options) and popcount(markers_lo) + popcount(markers_hi) >= POOL):
        if can_move(state.rings_lo, state.rings_hi, blocked_lo, blocked_hi, markers_lo, markers_hi):
            kind = TO_MOVE
        elif can_move(state.their_rings_lo, state.their_rings_hi, blocked_lo, blocked_hi, markers_lo, markers_hi):
            kind = TO_PASS
    return with_stage(state, stage | kind)


@compiled
def other_side(state: State, stage: Word) -> State:
    """The state as the other side sees it, at this stage."""
    return State(
        state.their_rings_lo,
        state.their_rings_hi,
        state.their_markers_lo,
        state.their_markers_hi,
        state.rings_lo,
        state.rings_hi,
        state.markers_lo,
        state.markers_hi,
        stage,
        state.options,
    )


@compiled
def end_turn(state: State) -> State:
    """The first state of the other side's turn: it removes rows that were made for it, or moves."""
    stage = (state.stage & (REMOVED | TURN)) ^ TURN
    if state.stage & THEY_HAVE_A_ROW:
        return other_side(state, stage | TO_ROW)
    return before_move(other_side(state, stage))


@compiled
def place(state: State, point: Word) -> State:
    placed = State(
        state.rings_lo | bit_lo(point),
        state.rings_hi | bit_hi(point),
        ZERO,
        ZERO,
        state.their_rings_lo,
        state.their_rings_hi,
        ZERO,
        ZERO,
        state.stage,
        state.options,
    )
    rings = popcount(placed.rings_lo | placed.their_rings_lo) + popcount(placed.rings_hi | placed.their_rings_hi)
    if rings == TWO * rings_of(state.options):
        return end_turn(placed)
    return other_side(placed, state.stage ^ TURN)


@compiled
def longest_across(points_lo: Word, points_hi: Word, axis: Word, lo: Word, hi: Word) -> Word:
    """The longest run of a set on the lines that cross this axis in these points."""
    one = axis + ONE if axis < TWO else ZERO
    two = one + ONE if one < TWO else ZERO
    longest = ZERO
    while points_lo | points_hi:
        line = (ctz(points_lo) if points_lo else ctz(points_hi) + _64) * THREE
        points_hi = points_hi if points_lo else without_lowest(points_hi)
        points_lo = without_lowest(points_lo) if points_lo else ZERO
        longest = max(longest, longest_run(line + one, lo, hi), longest_run(line + two, lo, hi))
    return longest


@compiled
def move_ring(state: State, start: Word, end: Word) -> State:
    between_lo, between_hi = between(start, end)
    flipped_lo = between_lo & (state.markers_lo | state.their_markers_lo)
    flipped_hi = between_hi & (state.markers_hi | state.their_markers_hi)
    start_lo, start_hi = bit_lo(start), bit_hi(start)
    moved = State(
        state.rings_lo ^ start_lo ^ bit_lo(end),
        state.rings_hi ^ start_hi ^ bit_hi(end),
        (state.markers_lo ^ flipped_lo) | start_lo,
        (state.markers_hi ^ flipped_hi) | start_hi,
        state.their_rings_lo,
        state.their_rings_hi,
        state.their_markers_lo ^ flipped_lo,
        state.their_markers_hi ^ flipped_hi,
        state.stage,
        state.options,
    )
    # A new row has a marker that is new or was turned, so only their lines are looked at.
    way = np.uint64(WAY[start * _121 + end])
    axis = way if way < THREE else way - THREE
    line = start * THREE + axis
    mine_lo, mine_hi = (flipped_lo & moved.markers_lo) | start_lo, (flipped_hi & moved.markers_hi) | start_hi
    theirs_lo, theirs_hi = flipped_lo & moved.their_markers_lo, flipped_hi & moved.their_markers_hi
    mine = max(
        longest_run(line, moved.markers_lo, moved.markers_hi),
        longest_across(mine_lo, mine_hi, axis, moved.markers_lo, moved.markers_hi),
    )
    theirs = max(
        longest_run(line, moved.their_markers_lo, moved.their_markers_hi),
        longest_across(theirs_lo, theirs_hi, axis, moved.their_markers_lo, moved.their_markers_hi),
    )
    length = length_of(state.options)
    stage = (state.stage & (REMOVED | TURN)) | MOVED
    if theirs >= length:
        stage |= THEY_HAVE_A_ROW
    if mine >= length:
        return with_stage(moved, stage | TO_ROW)
    return end_turn(with_stage(moved, stage))


@compiled
def take_row(state: State, start: Word, end: Word) -> State:
    between_lo, between_hi = between(start, end)
    stage = (state.stage & ~KIND) | TO_RING
    if stops_after_two(state.options) and not stage & (MOVED | TAKEN_TWO):
        stage += TAKEN_ONE
    return State(
        state.rings_lo,
        state.rings_hi,
        state.markers_lo & ~(between_lo | bit_lo(start) | bit_lo(end)),
        state.markers_hi & ~(between_hi | bit_hi(start) | bit_hi(end)),
        state.their_rings_lo,
        state.their_rings_hi,
        state.their_markers_lo,
        state.their_markers_hi,
        stage,
        state.options,
    )


@compiled
def take_ring(state: State, point: Word) -> State:
    seat = state.stage & TURN
    stage = (state.stage & ~KIND) + (ONE << (_8 + _8 * seat))
    taken = State(
        state.rings_lo & ~bit_lo(point),
        state.rings_hi & ~bit_hi(point),
        state.markers_lo,
        state.markers_hi,
        state.their_rings_lo,
        state.their_rings_hi,
        state.their_markers_lo,
        state.their_markers_hi,
        stage,
        state.options,
    )
    if removed(taken, seat) >= goal_of(state.options):
        return with_stage(taken, (stage & (REMOVED | TURN)) | TO_NOTHING)
    if has_row(state.markers_lo, state.markers_hi, length_of(state.options)):
        return with_stage(taken, stage | TO_ROW)
    if stage & (MOVED | TAKEN_TWO):
        return end_turn(taken)
    return before_move(taken)
