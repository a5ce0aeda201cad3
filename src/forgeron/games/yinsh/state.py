"""The words of a YINSH state besides its sets of points: the stage of the turn and the options."""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ONE

from .point_sets import (
    Points,
    State,
    Word,
    make_state,
    my_markers,
    my_rings,
    off_board,
    their_markers,
    their_rings,
    union,
)

#: What the next ply is; a move carries the same number as its kind.
PLACE, MOVE, ROW, RING, PASS, ENDED = (np.uint64(i) for i in range(6))

#: The pool of the official rules.
POOL = np.uint64(51)


# The word `stage` of a state: bit 0 who is to move · 1–3 kind of the next ply · 4 the ring of this turn has been moved
# · 5 the other side has a row · 6–7 rows taken before the move (counted to 2, with `pending` stop only) · 8–15 rings
# removed by player 0 · 16–23 by player 1.
# The word `options`: bits 0–7 N · 8–15 M · 16–23 K · 24–31 L · 32 any part of a long run may be taken · 33 there are 51
# markers · 34 two rows taken before the move end the turn.

# The parts of `stage`.
TURN = np.uint64(1)
KIND = np.uint64(7 << 1)
MOVED = np.uint64(1 << 4)
THEY_HAVE_A_ROW = np.uint64(1 << 5)
TAKEN_ONE = np.uint64(1 << 6)
TAKEN_TWO = np.uint64(2 << 6)
REMOVED = np.uint64(0xFFFF00)
TO_PLACE, TO_MOVE, TO_ROW, TO_RING, TO_PASS, TO_NOTHING = (np.uint64(i << 1) for i in range(6))

_BYTE = np.uint64(0xFF)
_7 = np.uint64(7)
_8 = np.uint64(8)
_16 = np.uint64(16)


def pack_options(size: int, rings: int, length: int, goal: int, *, free: bool, pool: bool, stop: bool) -> np.uint64:
    """The word of the options: N, M, K, L and the three flags."""
    return np.uint64(size | rings << 8 | length << 16 | goal << 24 | free << 32 | pool << 33 | stop << 34)


@compiled
def size_of(options: Word) -> Word:
    return options & _BYTE


@compiled
def rings_of(options: Word) -> Word:
    return (options >> _8) & _BYTE


@compiled
def length_of(options: Word) -> Word:
    return (options >> _16) & _BYTE


@compiled
def goal_of(options: Word) -> Word:
    return (options >> np.uint64(24)) & _BYTE


@compiled
def may_take_any(options: Word) -> Word:
    return (options >> np.uint64(32)) & ONE


@compiled
def has_pool(options: Word) -> Word:
    return (options >> np.uint64(33)) & ONE


@compiled
def stops_after_two(options: Word) -> Word:
    return (options >> np.uint64(34)) & ONE


@compiled
def kind_of(state: State) -> Word:
    """The kind of the next ply."""
    return (state.stage >> ONE) & _7


@compiled
def removed(state: State, seat: Word) -> Word:
    """The rings that a seat has taken off."""
    return (state.stage >> (_8 + (_8 * seat))) & _BYTE


@compiled
def blocked(state: State) -> Points:
    """The points no ring can pass: rings, and what lies outside the board."""
    return union(union(my_rings(state), their_rings(state)), off_board(size_of(state.options)))


@compiled
def all_markers(state: State) -> Points:
    """The markers of both sides."""
    return union(my_markers(state), their_markers(state))


@compiled
def with_stage(state: State, stage: Word) -> State:
    """The same board at another stage."""
    return make_state(
        my_rings(state), my_markers(state), their_rings(state), their_markers(state), stage, state.options
    )
