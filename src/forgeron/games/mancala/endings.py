"""Endings of coloured Mancala that are certain: the side to move wins with its next move, or cannot avoid that the
other side does.

No count of seeds alone decides a game before it is over: whoever is behind may still take everything by starving, and
who cannot be caught even then has 49. So the rule looks at moves, but only near the end, where a single capture can be
the last. What it finds is exact: a game that one move ends is won by playing it, whatever else could be played.
"""

from __future__ import annotations

import numpy as np

from forgeron import UNKNOWN, compiled
from forgeron.bits import ctz, without_lowest
from forgeron.games.mancala.packed_bytes import FROM_1, holes_from
from forgeron.games.mancala.rules import (
    SEEDS,
    State,
    is_over,
    legal,
    mover,
    play,
    rule,
    taken_by,
    taken_by_both,
)

#: Moves are looked at when a capture of so many seeds would end the game, or the other side has so few filled holes.
#: Larger captures are possible, but too rare to be looked for in every position.
_CAPTURE, _FILLED = 5, 1
#: With fewer captured seeds no moves are looked at: the end is hardly ever near, and this is asked in every position.
_EARLY = 50


@compiled
def _near_end(state: State, seat: int) -> bool:
    """Whether a seat may win with one move: a guess that costs little."""
    taken, lost = taken_by(state.info, seat), taken_by(state.info, 1 - seat)
    if min(49 - taken, max(87 - taken - lost, 1 + lost - taken)) <= _CAPTURE:
        return True
    if seat == mover(state.info):
        totals = state.their_red + state.their_blue + state.their_clear
    else:
        totals = state.my_red + state.my_blue + state.my_clear
    return bool(holes_from(totals, FROM_1) <= _FILLED)


@compiled
def win_at_once(state: State) -> np.int64:
    """By how much the side to move wins with a move that ends the game; 0 when it has none such."""
    seat = mover(state.info)
    left = legal(state)
    while left:
        after = play(state, np.int64(ctz(left))).info
        if is_over(after):
            lead = taken_by(after, seat) - taken_by(after, 1 - seat)
            if lead > 0:
                return np.int64(lead)
        left = without_lowest(left)
    return np.int64(0)


@compiled
def loss_at_once(state: State) -> np.int64:
    """By how much the other side wins whatever the side to move plays, with its next move or before; 0 when it may not.

    The side to move must have no win at once.
    """
    seat = mover(state.info)
    least = np.int64(SEEDS)
    left = legal(state)
    while left:
        child = play(state, np.int64(ctz(left)))
        if is_over(child.info):
            margin = taken_by(child.info, 1 - seat) - taken_by(child.info, seat)
        elif _near_end(child, 1 - seat):
            margin = win_at_once(child)
        else:
            return np.int64(0)
        if margin <= 0:
            return np.int64(0)
        least = min(least, margin)
        left = without_lowest(left)
    return least


@rule
def solve(state):
    if taken_by_both(state.info) < _EARLY:
        return UNKNOWN
    seat = mover(state.info)
    margin = np.int64(0)
    if _near_end(state, seat):
        margin = win_at_once(state)
    if margin == 0 and _near_end(state, 1 - seat):
        margin = -loss_at_once(state)
    if margin == 0:
        return UNKNOWN
    return margin if seat == 0 else -margin
