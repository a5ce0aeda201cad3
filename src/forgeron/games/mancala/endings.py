"""Endings of coloured Mancala that are certain: the side to move wins with its next move, or cannot avoid that the
other side does.

No count of seeds alone decides a game before it is over: whoever is behind may still take everything by starving, and
who cannot be caught even then has 49. So the rule looks at moves, but only near the end, where a single capture can be
the last. What it finds is exact: a game that one move ends is won by playing it, whatever else could be played.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.bits import ctz, without_lowest
from forgeron.core.contract import UNKNOWN
from forgeron.core.jit import compiled
from forgeron.games.mancala.rules import State, is_over, legal, limit_of, mover, play, ply_of, rule, taken_by
from forgeron.games.mancala.words import FROM_1, holes_from

#: Moves are looked at when a capture of so many seeds would end the game, or the other side has so few filled holes.
#: Larger captures are possible, but too rare to be looked for in every position.
_CAPTURE, _FILLED = 5, 1


@compiled
def _near_end(info: np.uint64, seat: int, theirs: np.uint64) -> bool:
    """Whether the next move of a seat may win, with these seeds of the other side: a guess that costs little."""
    taken, lost = taken_by(info, seat), taken_by(info, 1 - seat)
    needed = min(49 - taken, max(87 - taken - lost, 1 + lost - taken))
    return bool(needed <= _CAPTURE or holes_from(theirs, FROM_1) <= _FILLED or ply_of(info) + 1 >= limit_of(info))


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


@rule
def solve(state):
    seat = mover(state.info)
    if not _near_end(state.info, seat, state.their_red + state.their_blue + state.their_clear):
        return UNKNOWN
    margin = win_at_once(state)
    if margin == 0:
        return UNKNOWN
    return margin if seat == 0 else -margin
