"""A hand-made evaluation of Yolah: four features, each black's share less white's."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from forgeron.core.bits import popcount
from forgeron.core.jit import compiled
from forgeron.core.weights import read_weights
from forgeron.games.yolah.rules import mobility, neighbours, rule

#: What one unit of each feature adds to the log-odds: lead, mobility, freedom, territory, being to move.
NAMES = ("lead", "mobility", "freedom", "territory", "to move")
WEIGHTS = read_weights(files(__package__) / "weights.json", "yolah", NAMES)


@compiled
def territory(mine, theirs, empty):
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
    return np.int64(popcount(claimed_mine)) - np.int64(popcount(claimed_theirs))


@rule
def evaluate(state, weights):
    occupied = state.mine | state.theirs | state.holes
    empty = ~occupied
    freedom = np.int64(popcount(neighbours(state.mine) & empty)) - np.int64(popcount(neighbours(state.theirs) & empty))
    value = (
        weights[0] * state.lead
        + weights[1] * (mobility(state.mine, occupied) - mobility(state.theirs, occupied))
        + weights[2] * freedom
        + weights[3] * territory(state.mine, state.theirs, empty)
        + weights[4]
    )
    return value if state.turn == 0 else -value
