"""What each ply does to a YINSH state, and which ply comes next."""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE, ZERO

from .board import COUNT, WAY
from .line_bits import THREE, TWO, between, can_move, has_row, longest_run
from .point_sets import (
    NOTHING,
    Points,
    State,
    Word,
    any_of,
    difference,
    first_point,
    intersection,
    make_state,
    my_markers,
    my_rings,
    single,
    size,
    symmetric_difference,
    their_markers,
    their_rings,
    union,
    without_first,
)
from .state import (
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
    all_markers,
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
_COUNT = np.uint64(COUNT)


@compiled
def before_move(state: State) -> State:
    """The state where the side to move is to move a ring: it does, or passes, or the game has ended."""
    stage = state.stage & (REMOVED | TURN)
    markers = all_markers(state)
    obstacles = blocked(state)
    kind = TO_NOTHING
    if not (has_pool(state.options) and size(markers) >= POOL):
        if can_move(my_rings(state), obstacles, markers):
            kind = TO_MOVE
        elif can_move(their_rings(state), obstacles, markers):
            kind = TO_PASS
    return with_stage(state, stage | kind)


@compiled
def other_side(state: State, stage: Word) -> State:
    """The state as the other side sees it, at this stage."""
    return make_state(
        their_rings(state), their_markers(state), my_rings(state), my_markers(state), stage, state.options
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
    rings = union(my_rings(state), single(point))
    placed = make_state(rings, NOTHING, their_rings(state), NOTHING, state.stage, state.options)
    if size(union(rings, their_rings(state))) == TWO * rings_of(state.options):
        return end_turn(placed)
    return other_side(placed, state.stage ^ TURN)


@compiled
def longest_across(points: Points, axis: Word, markers: Points) -> Word:
    """The longest run of markers on the lines that cross this axis in these points."""
    one = axis + ONE if axis < TWO else ZERO
    two = one + ONE if one < TWO else ZERO
    longest = ZERO
    while any_of(points):
        line = first_point(points) * THREE
        points = without_first(points)
        longest = max(longest, longest_run(line + one, markers), longest_run(line + two, markers))
    return longest


@compiled
def move_ring(state: State, start: Word, end: Word) -> State:
    left = single(start)
    flipped = intersection(between(start, end), all_markers(state))
    rings = symmetric_difference(symmetric_difference(my_rings(state), left), single(end))
    markers = union(symmetric_difference(my_markers(state), flipped), left)
    other_markers = symmetric_difference(their_markers(state), flipped)
    moved = make_state(rings, markers, their_rings(state), other_markers, state.stage, state.options)
    # A new row has a marker that is new or was turned, so only their lines are looked at.
    way = np.uint64(WAY[start * _COUNT + end])
    axis = way if way < THREE else way - THREE
    line = start * THREE + axis
    new = union(intersection(flipped, markers), left)
    mine = max(longest_run(line, markers), longest_across(new, axis, markers))
    other_new = intersection(flipped, other_markers)
    theirs = max(longest_run(line, other_markers), longest_across(other_new, axis, other_markers))
    length = length_of(state.options)
    stage = (state.stage & (REMOVED | TURN)) | MOVED
    if theirs >= length:
        stage |= THEY_HAVE_A_ROW
    if mine >= length:
        return with_stage(moved, stage | TO_ROW)
    return end_turn(with_stage(moved, stage))


@compiled
def take_row(state: State, start: Word, end: Word) -> State:
    row = union(between(start, end), union(single(start), single(end)))
    stage = (state.stage & ~KIND) | TO_RING
    if stops_after_two(state.options) and not stage & (MOVED | TAKEN_TWO):
        stage += TAKEN_ONE
    markers = difference(my_markers(state), row)
    return make_state(my_rings(state), markers, their_rings(state), their_markers(state), stage, state.options)


@compiled
def take_ring(state: State, point: Word) -> State:
    seat = state.stage & TURN
    stage = (state.stage & ~KIND) + (ONE << (_8 + _8 * seat))
    rings, markers = difference(my_rings(state), single(point)), my_markers(state)
    taken = make_state(rings, markers, their_rings(state), their_markers(state), stage, state.options)
    if removed(taken, seat) >= goal_of(state.options):
        return with_stage(taken, (stage & (REMOVED | TURN)) | TO_NOTHING)
    if has_row(markers, length_of(state.options)):
        return with_stage(taken, stage | TO_ROW)
    if stage & (MOVED | TAKEN_TWO):
        return end_turn(taken)
    return before_move(taken)
