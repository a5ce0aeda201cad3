"""The evaluation of the AI Game 2025 Report, in its own points, from the side of the player who makes the search.

It is not symmetric: a hole of one's own and the same hole of the opponent count differently, and every ply costs a
point. So the player for whom it was made is part of its numbers.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled, shipped_weights
from forgeron.games.mancala.packed_bytes import FROM_1, FROM_3, FROM_9, holes_from
from forgeron.games.mancala.rules import State, is_over, mover, ply_of, taken_by

#: What each number is given for. A small hole holds one or two seeds, a big one more than eight, a filled one any.
NAMES = (
    "captured",
    "ply",
    "own small hole",
    "own big hole",
    "own filled hole",
    "own filled holes: 0",
    "own filled holes: 1",
    "own filled holes: 2",
    "other small hole",
    "other empty hole",
    "other filled hole",
    "other filled holes: 0",
    "other filled holes: 1",
    "won",
)
#: How many numbers the evaluation has: these, and the seat of the player who makes the search.
SIZE = len(NAMES) + 1
#: Points for one unit of log-odds.
SCALE = 1000.0


def report_weights(root: int) -> np.ndarray:
    """The numbers for a search that the player `root` makes."""
    return np.append(shipped_weights(__package__, "report.json", "mancala", NAMES), float(root))


@compiled
def report_points(state: State, points: np.ndarray) -> float:
    """The points of a position for the player whose seat ends `points`."""
    info = state.info
    root = np.int64(points[SIZE - 1])
    lead = taken_by(info, root) - taken_by(info, 1 - root)
    ply = points[1] * ply_of(info)
    if is_over(info):
        return 0.0 if lead == 0 else points[13] + ply if lead > 0 else -points[13] - ply
    mine = state.my_red + state.my_blue + state.my_clear
    theirs = state.their_red + state.their_blue + state.their_clear
    own, other = (mine, theirs) if mover(info) == root else (theirs, mine)
    own_filled, other_filled = holes_from(own, FROM_1), holes_from(other, FROM_1)
    value = points[0] * lead + ply
    value += points[2] * (own_filled - holes_from(own, FROM_3)) + points[3] * holes_from(own, FROM_9)
    value += points[8] * (other_filled - holes_from(other, FROM_3)) + points[9] * (8 - other_filled)
    value += points[4] * own_filled + points[10] * other_filled
    if own_filled <= 2:
        value += points[5 + own_filled]
    if other_filled <= 1:
        value += points[11 + other_filled]
    return float(value)
