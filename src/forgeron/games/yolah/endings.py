"""Endings of Yolah that need no search of both sides: what is left is how long each side can walk.

A square that was left never comes back, so empty squares that only one side can walk to are that side's for ever.
When no empty square is within reach of both sides, they cannot disturb each other any more, and each makes as many
moves as its longest walks have: the score is settled. It is often settled earlier, because a side that certainly makes
more moves on squares of its own than the other one could make at best has won.
"""

from __future__ import annotations

import numpy as np

from forgeron import UNKNOWN, compiled, kernel
from forgeron.bits import ZERO, ctz, lowest, popcount, without_lowest
from forgeron.games.yolah.flood_fill import flood
from forgeron.games.yolah.rules import neighbours, rule, targets

#: Fewer holes than this have never settled a game.
FEWEST_HOLES = 20
#: How many positions one side's longest walks may cost.
BUDGET = 400


@compiled
def _first_group(pieces, empty):
    """Some empty squares and all pieces that can walk there, with all the squares those can walk to."""
    group = ZERO
    region = flood(lowest(neighbours(pieces) & empty), empty)
    while True:
        joined = neighbours(region) & pieces
        if joined == group:
            return group, region
        group = joined
        region = flood(neighbours(group) & empty, empty)


@compiled
def most_moves(pieces, empty):
    """No walk can be longer: each move takes a square, and each piece can walk into one region only."""
    free = np.int64(popcount(pieces))
    left = neighbours(pieces) & empty
    total, smallest = np.int64(0), np.int64(64)
    while left:
        region = flood(lowest(left), empty)
        left &= ~region
        size = np.int64(popcount(region))
        total += size
        smallest = min(smallest, size)
        free -= np.int64(1)
    # With more regions than pieces at least one stays empty.
    return total - smallest if free < 0 else total


@kernel
def longest_walk(pieces, empty, floor, left):
    """How many moves these pieces can make together on these squares, undisturbed; and what is left of the budget.

    The number is right when something is left of the budget and it is greater than `floor`; else it is the length of
    some walk, or less.
    """
    if not neighbours(pieces) & empty:
        return np.int64(0), left
    left -= np.int64(1)
    if left <= 0:
        return np.int64(0), left

    # 1. Pieces that cannot meet walk independently: first all but one group.
    group, region = _first_group(pieces, empty)
    others = pieces & ~group
    before = np.int64(0)
    if neighbours(others) & empty & ~region:
        before, left = longest_walk(others, empty & ~region, np.int64(-1), left)

    # 2. The moves of the group, those that put no square out of reach first, into narrow places before open ones.
    bound = most_moves(group, region)
    best = np.int64(0)
    if before + bound <= floor:
        return before, left
    for lossless in (True, False):
        for room in range(9):
            movers = group
            while movers:
                source = lowest(movers)
                movers = without_lowest(movers)
                free = targets(ctz(source), ~region)
                while free:
                    target = lowest(free)
                    free = without_lowest(free)
                    rest = region & ~target
                    if np.int64(popcount(neighbours(target) & rest)) != room:
                        continue
                    moved = group ^ source ^ target
                    reach = most_moves(moved, rest)
                    if (reach == bound - 1) != lossless or 1 + reach <= max(best, floor - before):
                        continue
                    walk, left = longest_walk(moved, rest, max(best, floor - before) - 1, left)
                    best = max(best, 1 + walk)
                    if best == bound or left <= 0:
                        return before + best, left
    return before + best, left


@compiled
def walk_limits(pieces, empty):
    """The fewest and the most moves that the longest walks on these squares can have: equal, or the budget ran out."""
    found, left = longest_walk(pieces, empty, np.int64(-1), np.int64(BUDGET))
    return found, found if left > 0 else most_moves(pieces, empty)


@kernel
def settle_apart(mine, theirs, reach_mine, reach_theirs, lead):
    """The final lead of the first side when the sides cannot meet any more; UNKNOWN when that is too much work.

    Within the budget it is exact; beyond it, a lead that the winner reaches at least.
    """
    least_mine, most_mine = walk_limits(mine, reach_mine)
    least_theirs, most_theirs = walk_limits(theirs, reach_theirs)
    low, high = lead + least_mine - most_theirs, lead + most_mine - least_theirs
    if low > 0 or low == high:
        return low
    return high if high < 0 else np.int64(UNKNOWN)


@kernel
def settle_early(pieces, own, lead, others):
    """The lead that a side reaches at least, by walking on squares of its own while the other side takes all the others
    within its reach; UNKNOWN when that is not a win.

    Whatever either side does then, the winner finds the same promise again: its walk goes on, and every move of the
    other side takes a square.
    """
    least, _ = walk_limits(pieces, own)
    return lead + least - others if lead + least > others else np.int64(UNKNOWN)


@compiled
def _settle(state):
    """The final lead of the side to move, or UNKNOWN."""
    if popcount(state.holes) < np.uint64(FEWEST_HOLES):
        return np.int64(UNKNOWN)
    mine, theirs = state.mine, state.theirs
    empty = ~(mine | theirs | state.holes)
    reach_mine = flood(neighbours(mine) & empty, empty)
    reach_theirs = flood(neighbours(theirs) & empty, empty)
    shared = reach_mine & reach_theirs
    if not shared:
        return settle_apart(mine, theirs, reach_mine, reach_theirs, state.lead)
    # Could one side's own squares be enough?
    size_mine, size_theirs = np.int64(popcount(reach_mine)), np.int64(popcount(reach_theirs))
    own_mine, own_theirs = reach_mine & ~shared, reach_theirs & ~shared
    if state.lead + np.int64(popcount(own_mine)) > size_theirs:
        return settle_early(mine, own_mine, state.lead, size_theirs)
    if np.int64(popcount(own_theirs)) - state.lead > size_mine:
        lost = settle_early(theirs, own_theirs, -state.lead, size_mine)
        return lost if lost == UNKNOWN else -lost
    return np.int64(UNKNOWN)


@rule
def solve(state):
    result = _settle(state)
    return result if state.turn == 0 or result == UNKNOWN else -result
