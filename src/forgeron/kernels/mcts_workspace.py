"""The memory of one thread of a Monte Carlo tree search, its workspace: `ws`, an array of integers.

It holds which slots of the tree the thread may use, the path of the simulation under way, and which moves each player
has made in it (for RAVE). Nothing else knows this layout.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import inlined
from forgeron.kernels.move_lists import MOVE_HASHES, move_hash

MAX_DEPTH = 250

# FULL says that there was no room for more nodes; SIMULATIONS counts those made, DEEPEST is the longest path of them.
NEXT_SLOT, END_SLOT, FULL, SIMULATIONS, DEEPEST, _PATH = range(6)
_PLAYED = _PATH + MAX_DEPTH
_SIZE = _PLAYED + 2 * MOVE_HASHES


def make_workspace() -> tuple[np.ndarray, np.ndarray]:
    """The workspace of a thread, and its array of guaranteed values (see `forgeron.kernels.mcts.back_up`)."""
    return np.zeros(_SIZE, dtype=np.int64), np.zeros(MAX_DEPTH)


def assign_slots(workspace: np.ndarray, first: int, end: int) -> None:
    """Let the thread make new nodes in the slots first … end - 1."""
    workspace[NEXT_SLOT], workspace[END_SLOT], workspace[FULL] = first, end, 0


@inlined
def node_at(ws, depth):
    """The node of the path at this depth; the root has depth 0."""
    return ws[_PATH + depth]


@inlined
def set_node(ws, depth, node):
    ws[_PATH + depth] = node


@inlined
def take_slots(ws, n):
    """The first of n slots side by side; 0 when there is no room for them."""
    first = ws[NEXT_SLOT]
    if first + n > ws[END_SLOT]:
        ws[FULL] = 1
        return np.int64(0)
    ws[NEXT_SLOT] = first + n
    return first


@inlined
def _played_slot(player, move):
    return _PLAYED + move_hash(move) + player * MOVE_HASHES


@inlined
def record_played(ws, player, move):
    """The player made this move in the present simulation."""
    ws[_played_slot(player, move)] = (ws[SIMULATIONS] << 24) | move


@inlined
def was_played(ws, player, move):
    """Whether the player made this move in the present simulation, below the node that asks."""
    return ws[_played_slot(player, move)] == (ws[SIMULATIONS] << 24) | move
