"""The order of moves in an alpha-beta search: the table move, killer moves, then by history and countermoves.

`ws` is the workspace of a thread, `lists` are those of the ply, `node` is the `Node` of `forgeron.kernels.alphabeta`.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import inlined
from forgeron.kernels.alphabeta_workspace import (
    NO_MOVE,
    Enhancement,
    add_killer,
    countermove_slot,
    history_slot,
    killers_at,
)
from forgeron.kernels.move_lists import best_rated, move_at, move_hash, set_rating, swap_moves

# Ratings, best first. A history is less than the bonus of a countermove, which is less than a killer move.
TABLE_MOVE_RATING = 1 << 40
KILLER_RATING = 1 << 38
COUNTERMOVE_BONUS = 1 << 20
_MAX_HISTORY = 1 << 19


@inlined
def rate_moves(ws, lists, n, node, table_move):
    """Rate each of the n listed moves: the higher, the earlier it is tried."""
    first_killer, second_killer = killers_at(ws, node.ply)
    countermove = np.int64(NO_MOVE)
    if node.previous != NO_MOVE:
        countermove = ws[countermove_slot(1 - node.mover, move_hash(node.previous))]
    for i in range(n):
        move = move_at(ws, lists, i)
        rating = np.int64(0)
        if move == table_move:
            rating = np.int64(TABLE_MOVE_RATING)
        elif node.enhancements & Enhancement.KILLERS and (move == first_killer or move == second_killer):
            rating = np.int64(KILLER_RATING + (move == first_killer))
        elif node.enhancements & Enhancement.HISTORY:
            rating = ws[history_slot(node.mover, move_hash(move))] + (COUNTERMOVE_BONUS if move == countermove else 0)
        set_rating(ws, lists, i, rating)


@inlined
def bring_best_forward(ws, lists, i, n):
    """Swap the best rated of the moves i … n-1 to index i: one step of a selection sort."""
    best = best_rated(ws, lists, i, n)
    if best != i:
        swap_moves(ws, lists, i, best)


@inlined
def record_cutoff(ws, lists, i, node):
    """The i-th move caused a beta cutoff: try it earlier next time, and those tried in vain before it later."""
    move = move_at(ws, lists, i)
    add_killer(ws, node.ply, move)
    bonus = node.depth * node.depth
    slot = history_slot(node.mover, move_hash(move))
    ws[slot] = min(ws[slot] + bonus, _MAX_HISTORY)
    for j in range(i):
        slot = history_slot(node.mover, move_hash(move_at(ws, lists, j)))
        ws[slot] = max(ws[slot] - bonus, -_MAX_HISTORY)
    if node.previous != NO_MOVE:
        ws[countermove_slot(1 - node.mover, move_hash(node.previous))] = move
