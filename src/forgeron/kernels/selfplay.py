"""Whole games of alpha-beta against itself, in compiled code: what networks are trained on.

A game is a random opening, then for every position a search of a fixed number of nodes; now and then a random move
takes the place of the best one, so that the data also show what happens after mistakes. A game ends early when its
result is proven. Game number i of a seed is the same game whoever plays it.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.contract import OVER, UNKNOWN, pick, play, score, solve, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.rng import split, unit, word
from forgeron.kernels.alphabeta import PROVEN, WIN, search
from forgeron.kernels.alphabeta_workspace import (
    BEST_MOVE,
    MAX_PLY,
    NO_MOVE,
    NODES,
    ROOT_MOVE,
    STOP,
    forget_ordering,
    new_search,
)

#: What is known about a position of a game, as bits.
JUDGED, RANDOM, PROVED, LABELLED = 1, 2, 4, 8
"""It was searched; its move was drawn at random; the value is a proven result; there is no value, and the result of the
game is what it should be judged at."""

#: Half the width of the first window around the value of the depth before.
_WINDOW = 100


@compiled
def _deepen(state, nodes, generation, ws, table, weights):
    """The best move within so many nodes and its value, as iterative deepening finds them."""
    new_search(ws, generation, nodes)
    bound = np.int64(WIN + 1)
    move, value = np.int64(NO_MOVE), np.int64(0)
    for depth in range(1, MAX_PLY - 2):
        low, high = (-bound, bound) if depth < 4 else (value - _WINDOW, value + _WINDOW)
        ws[ROOT_MOVE] = move
        found = value
        while True:
            ws[BEST_MOVE] = NO_MOVE
            found = search(state, np.int64(depth), low, high, np.int64(0), np.int64(NO_MOVE), ws, table, weights)
            if ws[STOP] or low < found < high:
                break
            if found >= high:
                ws[ROOT_MOVE] = ws[BEST_MOVE]
            low, high = (-bound, high) if found <= low else (low, bound)
        if ws[BEST_MOVE] != NO_MOVE:
            move = ws[BEST_MOVE]
        if ws[STOP]:
            break
        value = found
        if abs(value) > PROVEN:
            break
    return move, value


@compiled
def _sign(number):
    return np.int64(number > 0) - np.int64(number < 0)


@kernel
def play_game(state, stream, opening_plies, random_share, nodes, ws, table, weights, out, line, values, flags):
    """Play a game and write it down ply by ply; return the plies, the result for player 0 (1, 0, -1) and the nodes.

    The arrays are as long as a game can be; what does not fit is not played, and the result is then 0. `out` has room
    for the moves of a position.
    """
    forget_ordering(ws)
    table[:] = 0  # what it knows of other games would change this one
    spent = np.int64(0)
    for ply in range(len(line)):
        who = turn(state)
        result = np.int64(UNKNOWN) if who == OVER else solve(state)
        if who == OVER or result != UNKNOWN:
            return ply, _sign(score(state) if who == OVER else result), spent
        bits = word(stream, ply + 1)
        line[ply], values[ply], flags[ply] = NO_MOVE, 0, 0
        if ply >= opening_plies:
            move, value = _deepen(state, nodes, ply, ws, table, weights)
            spent += ws[NODES]
            line[ply], values[ply], flags[ply] = move, value, JUDGED
            if abs(value) > PROVEN:
                flags[ply] |= PROVED
                return ply + 1, _sign(value) if who == 0 else -_sign(value), spent
        if ply < opening_plies or unit(bits) < random_share:
            line[ply] = pick(state, word(split(stream, 0), ply + 1), out)
            flags[ply] |= RANDOM
        state = play(state, line[ply])
    return np.int64(len(line)), np.int64(0), spent
