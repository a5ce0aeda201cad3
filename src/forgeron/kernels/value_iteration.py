"""Exact values of a game with chance by value iteration: a table with the value of every turn start, computed from
itself again and again until nothing changes.

A turn is worth what its throws, each by its probability, and the best use of them are worth. What is known in the
middle of a turn, a board with results in hand, is kept: turns of different starts meet there. So a turn start costs as
many positions as there are hands, however many ways lead to each.

Throws may bring each other without end: an outcome that leads to a hand beyond a limit is left out, and the others are
scaled up. See `forgeron.learning.exact_values` for what that can change.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.arrays import borrowed
from forgeron.core.contract import CHANCE, OVER, chance, moves, play, player_on_turn, rank, turn, turn_rank, unrank
from forgeron.core.jit import kernel
from forgeron.kernels.turn_value import result_value, start_value

#: Plies of a turn, throws included; no turn within the limit of hands is longer.
MOST_PLIES = 64
#: What the memo has where nothing is known yet.
UNSEEN = np.float32(-1.0)


@kernel
def estimate(start, first, last, table, there, nothing, weights):
    """Fill the table from `first` up to `last` with the evaluation, and `there` with whether an index has a position;
    `nothing` is an empty table."""
    for index in range(first, last):
        state = unrank(start, np.int64(index))
        there[index] = turn(state) != OVER
        if there[index]:
            player = np.int64(player_on_turn(state, turn(state), np.int64(0)))
            table[index] = start_value(state, player, nothing, weights)


@kernel
def value_in_turn(state, player, place, hands, ply, memo_, lists_, odds_, table_):
    """The value for `player`, who is on turn, of a position that is not over; the memo keeps it at `place`.

    The memo has so many `hands` for each index of the table.
    """
    memo, lists, odds, table = borrowed(memo_), borrowed(lists_), borrowed(odds_), borrowed(table_)
    is_chance = turn(state) == CHANCE
    n = chance(state, odds[ply]) if is_chance else moves(state, lists[ply])
    best, total, weight = 0.0, 0.0, 0.0
    for i in range(n):
        child = play(state, np.int64(i) if is_chance else lists[ply, i])
        child_turn = turn(child)
        if child_turn == OVER:
            value = result_value(child, player)
        elif player_on_turn(child, child_turn, player) != player:
            value = 1.0 - np.float64(table[rank(child)])
        else:
            index, hand = turn_rank(child)
            if hand >= hands or ply + 1 >= MOST_PLIES:
                continue
            there = index * hands + hand
            value = np.float64(memo[there])
            if value < 0.0:
                value = value_in_turn(child, player, there, hands, ply + 1, memo, lists, odds, table)
        if is_chance:
            total += odds[ply, i] * value
            weight += odds[ply, i]
        elif value > best:
            best = value
    if is_chance:
        best = total / weight if weight > 0.0 else 0.5
    memo[place] = best
    return best


@kernel
def turn_start_values(start, first, last, hands, memo, lists, odds, table, there, values):
    """Write the values of the turns that begin at the indices from `first` up to `last`; the table stays as it is.

    The memo belongs to this table and this number of hands, and is `UNSEEN` at first.
    """
    for index in range(first, last):
        if there[index]:
            state = unrank(start, np.int64(index))
            player = np.int64(player_on_turn(state, turn(state), np.int64(0)))
            place = np.int64(index * hands)
            values[index] = value_in_turn(state, player, place, hands, np.int64(0), memo, lists, odds, table)
