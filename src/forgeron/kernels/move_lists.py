"""Lists of moves with their ratings, in the workspace of a search.

`ws` is the workspace, an array of integers; `lists` says where in it the lists of a ply begin: `lists.moves` and
`lists.ratings`.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import inlined

#: The size of a table indexed by `move_hash`.
MOVE_HASHES = 4096


@inlined
def move_hash(move):
    """A number from 0 to MOVE_HASHES - 1 for a move, to index what is learnt about it: moves seldom share one."""
    return np.int64((np.uint64(move) * np.uint64(0x9E37_79B9_7F4A_7C15)) >> np.uint64(52))


@inlined
def move_at(ws, lists, i):
    return ws[lists.moves + i]


@inlined
def rating_at(ws, lists, i):
    return ws[lists.ratings + i]


@inlined
def set_rating(ws, lists, i, rating):
    ws[lists.ratings + i] = rating


@inlined
def best_rated(ws, lists, i, n):
    """Which of the moves i … n-1 has the highest rating, the first of equal ones."""
    best = i
    for j in range(i + 1, n):
        if rating_at(ws, lists, j) > rating_at(ws, lists, best):
            best = j
    return best


@inlined
def swap_moves(ws, lists, i, j):
    """Exchange two moves together with their ratings."""
    for row in (lists.moves, lists.ratings):
        ws[row + i], ws[row + j] = ws[row + j], ws[row + i]


@inlined
def move_forward(ws, lists, j, i):
    """Take the j-th move with its rating to index i, before those that stand there; they keep their order."""
    for row in (lists.moves, lists.ratings):
        chosen = ws[row + j]
        for k in range(j, i, -1):
            ws[row + k] = ws[row + k - 1]
        ws[row + i] = chosen
