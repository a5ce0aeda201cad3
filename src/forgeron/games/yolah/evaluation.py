"""The evaluation of Yolah: each feature is the mover's share less the other side's, weighed by the phase of the game.

A feature has three weights: for a board without holes, for one with 28, and for one with 56, which leave no square
empty; between them the weight changes in proportion to the holes. The first features are cheap: weights for these alone
make a quick evaluation.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ctz as number_of
from forgeron.bits import lowest, popcount, without_lowest
from forgeron.games.yolah.flood_fill import flood, slide
from forgeron.games.yolah.rules import neighbours, rule, targets

#: What is counted at once; the rest needs the slides and regions of the board.
CHEAP = ("to move", "lead", "freedom")
FEATURES = (
    *CHEAP,
    "mobility",
    "blocked",
    "reachability",
    "influence by moves",
    "influence by steps",
    "exclusive",
    "connectivity",
)
PHASES = ("early", "middle", "late")
NAMES = tuple(f"{feature}, {phase}" for feature in FEATURES for phase in PHASES)
#: Lead, free squares and the move, nothing else: as material is in chess.
MATERIAL = np.array([0.3, 0.3, 0.0, 0.25, 0.5, 0.8, 0.1, 0.15, 0.2])

_QUICK = len(PHASES) * len(CHEAP)
_MIDDLE = 28


@compiled
def difference(mine, theirs):
    """How many more squares the first set has."""
    return np.float64(np.int64(popcount(mine)) - np.int64(popcount(theirs)))


@compiled
def survey(pieces, occupied):
    """The number of moves of these pieces, how many pieces have none, and the squares they can move to."""
    n, blocked, reached = np.int64(0), np.int64(0), np.uint64(0)
    while pieces:
        free = targets(number_of(pieces), occupied)
        pieces = without_lowest(pieces)
        n += np.int64(popcount(free))
        blocked += np.int64(free == np.uint64(0))
        reached |= free
    return n, blocked, reached


@compiled
def influence(mine, theirs, empty):
    """Squares that the first side reaches in fewer one-square steps, less those of the other side."""
    claimed_mine, claimed_theirs = mine, theirs
    free = empty
    while True:
        near_mine = neighbours(claimed_mine) & free
        near_theirs = neighbours(claimed_theirs) & free
        if not near_mine | near_theirs:
            break
        free &= ~(near_mine | near_theirs)
        both = near_mine & near_theirs
        claimed_mine |= near_mine & ~both
        claimed_theirs |= near_theirs & ~both
    return difference(claimed_mine, claimed_theirs)


@compiled
def connection(mine, theirs, empty):
    """Squares that only the first side can ever reach, less those of the other side; and the same for all squares, each
    counted for every piece that can reach it."""
    exclusive, connected = np.int64(0), np.int64(0)
    left = neighbours(mine | theirs) & empty
    while left:
        region = flood(lowest(left), empty)
        left &= ~region
        around = neighbours(region)
        size = np.int64(popcount(region))
        n_mine, n_theirs = np.int64(popcount(around & mine)), np.int64(popcount(around & theirs))
        connected += size * (n_mine - n_theirs)
        if n_theirs == 0:
            exclusive += size
        elif n_mine == 0:
            exclusive -= size
    return np.float64(exclusive), np.float64(connected)


@compiled
def weigh(weights, i, share, feature):
    """A feature times its weight: the i-th of all weights, and for the given share the one of the next phase."""
    return feature * (weights[i] + share * (weights[i + 1] - weights[i]))


@rule
def evaluate(state, weights):
    mine, theirs = state.mine, state.theirs
    occupied = mine | theirs | state.holes
    empty = ~occupied
    holes = np.int64(popcount(state.holes))
    i = np.int64(holes >= _MIDDLE)
    share = np.float64(holes - i * _MIDDLE) * (1.0 / _MIDDLE)
    value = weigh(weights, i, share, 1.0)
    value += weigh(weights, i + 3, share, np.float64(state.lead))
    value += weigh(weights, i + 6, share, difference(neighbours(mine) & empty, neighbours(theirs) & empty))
    if weights.size > _QUICK:
        moves_mine, blocked_mine, once_mine = survey(mine, occupied)
        moves_theirs, blocked_theirs, once_theirs = survey(theirs, occupied)
        value += weigh(weights, i + 9, share, np.float64(moves_mine - moves_theirs))
        value += weigh(weights, i + 12, share, np.float64(blocked_mine - blocked_theirs))

        twice_mine, twice_theirs = slide(once_mine, empty), slide(once_theirs, empty)
        nearer_mine = (once_mine | (twice_mine & ~twice_theirs)) & ~once_theirs
        nearer_theirs = (once_theirs | (twice_theirs & ~twice_mine)) & ~once_mine
        value += weigh(weights, i + 15, share, difference(twice_mine, twice_theirs))
        value += weigh(weights, i + 18, share, difference(nearer_mine, nearer_theirs))
        value += weigh(weights, i + 21, share, influence(mine, theirs, empty))

        exclusive, connected = connection(mine, theirs, empty)
        value += weigh(weights, i + 24, share, exclusive)
        value += weigh(weights, i + 27, share, connected)
    return value if state.turn == 0 else -value
