"""The memory of one thread of the alpha-beta search: a single array of integers, its workspace.

One array, because every array that a recursive function is passed costs time. It holds, one after the other: settings
and results, the moves excluded at the root, two killer moves for each ply, the history and countermove tables of both
players, the margins of ProbCut, and for each ply the list of moves with their ratings and the moves deferred. Nothing
else knows this layout: kernels use the functions below, callers the fields that have a name without an underscore.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

import numpy as np

from forgeron.core.jit import compiled, inlined
from forgeron.core.kernel_clock import MONOTONIC
from forgeron.core.search_errors import SearchErrors, nearest_error
from forgeron.kernels.move_lists import MOVE_HASHES
from forgeron.kernels.search_flags import SearchFlag, combined
from forgeron.kernels.transposition_table import GENERATIONS

MAX_PLY = 200
MAX_EXCLUDED = 20
#: ProbCut trusts a search that is at most so many plies shallower; deeper nodes have the margins of MOST_MARGIN_DEPTH,
#: or of the depth before it, whichever is as odd or even.
MOST_SHALLOWER, MOST_MARGIN_DEPTH = 3, 12
#: Not a move; and a number of nodes, or a moment, that no search reaches.
NO_MOVE, NEVER = -1, 1 << 62


class Enhancement(SearchFlag):
    """What is added to plain minimax. All but LMR and PROBCUT leave the value of a depth exactly what plain minimax
    finds."""

    ALPHA_BETA = enum.auto()
    DEEPENING = enum.auto()
    """iterative deepening, which is up to the caller"""
    TABLE = enum.auto()
    """the transposition table"""
    KILLERS = enum.auto()
    """killer moves"""
    HISTORY = enum.auto()
    """history heuristic and countermoves"""
    PVS = enum.auto()
    """principal variation search: null windows after the first move"""
    LMR = enum.auto()
    """late move reductions"""
    PROBCUT = enum.auto()
    """nodes left out whose value is very probably outside the window, where margins are known"""
    ABDADA = enum.auto()
    """other threads search the same position: defer the moves that they are searching"""


#: Every enhancement of a search by one thread.
EVERYTHING = combined(flag for flag in Enhancement if flag is not Enhancement.ABDADA)

# --- layout -----------------------------------------------------------------------------------------------------------

# Settings and results. DEADLINE is a moment of CLOCK, one of `kernel_clock`: the kernel stops itself. ROOT_MOVE is what
# the root tries first, or NO_MOVE. WIDTH is the room for the moves of a position. EXCLUDED counts the excluded moves.
(
    STOP,
    NODES,
    NODE_LIMIT,
    DEADLINE,
    CLOCK,
    ENHANCEMENTS,
    GENERATION,
    WIDTH,
    ROOT_MOVE,
    BEST_MOVE,
    BEST_VALUE,
    EXCLUDED,
    _EXCLUDED_MOVES,
) = range(13)
_KILLERS = _EXCLUDED_MOVES + MAX_EXCLUDED
_HISTORY = _KILLERS + 2 * MAX_PLY
_COUNTERMOVES = _HISTORY + 2 * MOVE_HASHES
_HIGH_MARGINS = _COUNTERMOVES + 2 * MOVE_HASHES
_MARGINS = (MOST_MARGIN_DEPTH + 1) * (MOST_SHALLOWER + 1)
_LOW_MARGINS = _HIGH_MARGINS + _MARGINS
_PLIES = _LOW_MARGINS + _MARGINS


class Lists(NamedTuple):
    """Where the lists of one ply begin."""

    moves: int
    ratings: int
    deferred: int
    """indices of moves in `moves`"""


_LISTS_OF_A_PLY = len(Lists._fields)


# --- what callers need ------------------------------------------------------------------------------------------------


def make_workspace(width: int) -> np.ndarray:
    """An empty workspace for a game whose positions have at most `width` moves."""
    workspace = np.zeros(_PLIES + MAX_PLY * _LISTS_OF_A_PLY * width, dtype=np.int64)
    workspace[WIDTH] = width
    workspace[ENHANCEMENTS] = EVERYTHING
    workspace[DEADLINE] = workspace[NODE_LIMIT] = NEVER
    workspace[CLOCK] = MONOTONIC
    workspace[ROOT_MOVE] = NO_MOVE
    workspace[_HIGH_MARGINS:_PLIES] = NEVER
    forget_ordering(workspace)
    return workspace


def set_margins(workspace: np.ndarray, errors: SearchErrors, confidence: float) -> None:
    """Let ProbCut trust shallower searches: each as far as its error, its spread taken `confidence` times, allows.

    Beyond the depths whose errors are known, those of the last known ones are taken.
    """
    for depth in range(1, MOST_MARGIN_DEPTH + 1):
        for shallower in range(max(depth - MOST_SHALLOWER, 0), depth):
            error = nearest_error(errors, depth, shallower)
            if error is not None:
                slot, margin = margin_slot(depth, shallower), confidence * error.spread
                workspace[_HIGH_MARGINS + slot] = round(margin - error.mean)
                workspace[_LOW_MARGINS + slot] = round(margin + error.mean)


@compiled
def new_search(workspace, generation, node_limit=NEVER):
    """Get ready for another search: killers are forgotten, the history fades."""
    workspace[STOP] = workspace[NODES] = 0
    workspace[NODE_LIMIT] = node_limit
    workspace[DEADLINE] = NEVER
    workspace[GENERATION] = generation % GENERATIONS
    workspace[BEST_MOVE] = workspace[ROOT_MOVE] = NO_MOVE
    workspace[_KILLERS:_HISTORY] = NO_MOVE
    workspace[_HISTORY:_COUNTERMOVES] //= 8
    workspace[EXCLUDED] = 0


@compiled
def forget_ordering(workspace):
    """Clear what earlier searches taught about the order of moves."""
    workspace[_KILLERS:_HISTORY] = NO_MOVE
    workspace[_HISTORY:_COUNTERMOVES] = 0
    workspace[_COUNTERMOVES:_HIGH_MARGINS] = NO_MOVE


def exclude_moves(workspace: np.ndarray, excluded: tuple[int, ...]) -> None:
    """Leave these moves out at the root: so the second best is found."""
    workspace[EXCLUDED] = min(len(excluded), MAX_EXCLUDED)
    workspace[_EXCLUDED_MOVES : _EXCLUDED_MOVES + int(workspace[EXCLUDED])] = excluded[:MAX_EXCLUDED]


# --- what kernels need; `ws` is a workspace ---------------------------------------------------------------------------


@inlined
def lists_of(ws, ply):
    """The lists of this ply."""
    width = ws[WIDTH]
    first = _PLIES + _LISTS_OF_A_PLY * width * ply
    return Lists(first, first + width, first + 2 * width)


@inlined
def deferred_at(ws, lists, j):
    """The index of the j-th move that was deferred."""
    return ws[lists.deferred + j]


@inlined
def set_deferred(ws, lists, j, i):
    ws[lists.deferred + j] = i


@inlined
def is_excluded(ws, move):
    return (ws[_EXCLUDED_MOVES : _EXCLUDED_MOVES + ws[EXCLUDED]] == move).any()


@inlined
def killers_at(ws, ply):
    """The two killer moves of this ply, the latest first."""
    return ws[_KILLERS + 2 * ply], ws[_KILLERS + 2 * ply + 1]


@inlined
def add_killer(ws, ply, move):
    latest = _KILLERS + 2 * ply
    if ws[latest] != move:
        ws[latest + 1] = ws[latest]
        ws[latest] = move


@inlined
def history_slot(player, hashed_move):
    """Where the history of a player's move is kept; `hashed_move` is its `move_hash`."""
    return _HISTORY + hashed_move + player * MOVE_HASHES


@inlined
def countermove_slot(player, hashed_move):
    """Where the answer to a player's move is kept that refuted it last."""
    return _COUNTERMOVES + hashed_move + player * MOVE_HASHES


@inlined
def margin_slot(depth, shallower):
    """Where the margins of a search of this depth are kept, for one that is shallower by up to MOST_SHALLOWER plies."""
    gap = depth - shallower
    if depth > MOST_MARGIN_DEPTH:
        depth = np.int64(MOST_MARGIN_DEPTH) - ((depth - MOST_MARGIN_DEPTH) & 1)
    return depth * (MOST_SHALLOWER + 1) + gap


@inlined
def high_margin_at(ws, slot):
    """By how much a shallower value must exceed beta; NEVER where it says nothing."""
    return ws[_HIGH_MARGINS + slot]


@inlined
def low_margin_at(ws, slot):
    """By how much a shallower value must be below alpha."""
    return ws[_LOW_MARGINS + slot]
