"""Counting the tree of a game: the classic proof that move generation is right."""

from __future__ import annotations

from typing import NamedTuple

from forgeron.core.contract import OVER, mobility, moves, play, turn
from forgeron.core.jit import kernel


class Count(NamedTuple):
    """Leaves of the move tree at one depth."""

    leaves: int
    """sequences of exactly `depth` plies; games that end earlier are not counted"""
    ended: int
    """how many of those leaves are the end of the game"""


@kernel
def count_leaves(state, depth, out):
    """Play every sequence of `depth` plies to its last move; return leaves and how many of them are over."""
    row = out[depth]
    n = moves(state, row)
    leaves = 0
    ended = 0
    for i in range(n):
        child = play(state, row[i])
        if depth > 1:
            deeper, over = count_leaves(child, depth - 1, out)
            leaves += deeper
            ended += over
        else:
            leaves += 1
            ended += 1 if turn(child) == OVER else 0
    return leaves, ended


@kernel
def count_leaves_in_bulk(state, depth, out):
    """The number of leaves alone: the last move is counted, not played."""
    row = out[depth]
    if depth == 1:
        return mobility(state, row)
    n = moves(state, row)
    leaves = 0
    for i in range(n):
        leaves += count_leaves_in_bulk(play(state, row[i]), depth - 1, out)
    return leaves
