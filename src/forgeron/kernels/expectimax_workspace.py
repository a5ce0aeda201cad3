"""The memory of an expectimax search: one array of integers and one of real numbers, its workspace.

The integers hold settings and results, the values of the moves at the root, and for each ply the list of moves with
their ratings. The real numbers hold, for each ply, the probabilities of the outcomes of a chance node and bounds of
their values. Nothing else knows this layout.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

import numpy as np

from forgeron.core.jit import inlined
from forgeron.kernels.search_flags import SearchFlag, combined
from forgeron.kernels.transposition_table import GENERATIONS

MAX_PLY = 200
#: Not a move, and not a value.
NO_MOVE = NO_VALUE = -1


class Pruning(SearchFlag):
    """What makes the search visit fewer nodes. None of it changes a value; STAR2 is of no use without STAR1."""

    ALPHA_BETA = enum.auto()
    STAR1 = enum.auto()
    """at a chance node, windows for the outcomes from the bounds of the others (Ballard 1983)"""
    STAR2 = enum.auto()
    """before that, a probe of one move for each outcome"""
    TABLE = enum.auto()
    """the transposition table"""


EVERYTHING = combined(Pruning)

# --- layout -----------------------------------------------------------------------------------------------------------

# Settings and results. WIDTH is the room for the moves of a position, MAX_THROWS how many throws of one turn are
# searched, MULTI_PV how many lines are wanted, ROOT_VALUES how many moves at the root have a value by now,
# ESTIMATED_TURNS how many turn starts at the horizon were evaluated, and not known exactly.
(
    STOP,
    NODES,
    NODE_LIMIT,
    PRUNING,
    GENERATION,
    WIDTH,
    MAX_THROWS,
    MULTI_PV,
    ROOT_VALUES,
    BEST_MOVE,
    BEST_VALUE,
    ESTIMATED_TURNS,
    _ROOT,
) = range(13)


class Lists(NamedTuple):
    """Where the lists of one ply begin."""

    moves: int
    ratings: int


class Outcomes(NamedTuple):
    """Where the numbers of a chance node begin, among the real numbers: one of each kind for each outcome."""

    probabilities: int
    lower: int
    upper: int


_LISTS_OF_A_PLY = len(Lists._fields)
_OUTCOME_NUMBERS = len(Outcomes._fields)

# --- what callers need ------------------------------------------------------------------------------------------------


def make_workspace(width: int, max_throws: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """An empty workspace, integers and real numbers, for a game whose positions have at most `width` moves.

    Throws of one turn may bring each other without end: the first `max_throws`, at least one, are searched; what would
    come after them is evaluated.
    """
    integers = np.zeros(_ROOT + _LISTS_OF_A_PLY * width * (MAX_PLY + 1), dtype=np.int64)
    integers[WIDTH], integers[MAX_THROWS], integers[PRUNING], integers[MULTI_PV] = width, max_throws, EVERYTHING, 1
    new_search(integers, 0)
    return integers, np.zeros(_OUTCOME_NUMBERS * width * MAX_PLY)


def new_search(integers: np.ndarray, generation: int, node_limit: int = 1 << 62) -> None:
    """Get ready for another search."""
    integers[STOP] = integers[NODES] = 0
    integers[NODE_LIMIT] = node_limit
    integers[GENERATION] = generation % GENERATIONS
    integers[BEST_MOVE] = NO_MOVE
    new_depth(integers)


def new_depth(integers: np.ndarray) -> None:
    """Get ready to search the same root at another depth; the best move so far is tried first there."""
    integers[ROOT_VALUES] = integers[ESTIMATED_TURNS] = 0
    integers[BEST_VALUE] = NO_VALUE


def root_values(integers: np.ndarray) -> list[tuple[int, int]]:
    """The moves at the root that have a value by now, each with its value, in the order in which they were tried."""
    first, width, n = _ROOT, int(integers[WIDTH]), int(integers[ROOT_VALUES])
    listed, values = integers[first : first + n], integers[first + width : first + width + n]
    return list(zip(listed.tolist(), values.tolist(), strict=True))


# --- what kernels need; `ws` are the integers, `reals` the real numbers -----------------------------------------------


@inlined
def lists_of(ws, ply):
    """The lists of this ply."""
    width = ws[WIDTH]
    first = _ROOT + _LISTS_OF_A_PLY * width * (ply + 1)
    return Lists(first, first + width)


@inlined
def outcomes_of(ws, ply):
    """The outcomes of the chance node of this ply."""
    width = ws[WIDTH]
    first = _OUTCOME_NUMBERS * width * ply
    return Outcomes(first, first + width, first + 2 * width)


@inlined
def probability_at(reals, outcomes, i):
    return reals[outcomes.probabilities + i]


@inlined
def lower_at(reals, outcomes, i):
    """The value of the i-th outcome is at least this."""
    return reals[outcomes.lower + i]


@inlined
def upper_at(reals, outcomes, i):
    """The value of the i-th outcome is at most this."""
    return reals[outcomes.upper + i]


@inlined
def set_bounds(reals, outcomes, i, lower, upper):
    reals[outcomes.lower + i], reals[outcomes.upper + i] = lower, upper


@inlined
def record_root_value(ws, move, value):
    """Write down the value of a move at the root; return what another move must beat to be among the lines wanted."""
    width, n = ws[WIDTH], ws[ROOT_VALUES]
    values = _ROOT + width
    ws[_ROOT + n], ws[values + n] = move, value
    ws[ROOT_VALUES] = n + 1
    if value > ws[BEST_VALUE]:
        ws[BEST_MOVE], ws[BEST_VALUE] = move, value
    if n + 1 < ws[MULTI_PV]:
        return np.int64(NO_VALUE)
    lowest = np.int64(NO_VALUE)
    for i in range(n + 1):
        value = ws[values + i]
        better = 0
        for j in range(n + 1):
            better += ws[values + j] > value
        if better < ws[MULTI_PV] and (lowest == NO_VALUE or value < lowest):
            lowest = value
    return lowest
