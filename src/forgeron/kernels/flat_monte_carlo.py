"""Flat Monte Carlo: playouts after each move of one position, no tree."""

from __future__ import annotations

import math

import numpy as np

from forgeron.core.contract import play, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.rng import split
from forgeron.kernels.playout import playout


@compiled
def next_move(n, done, visits, points, exploration):
    """Which move gets the next random game: the least tried (exploration < 0), or the highest UCB1 bound."""
    if done < n or exploration < 0.0:
        return done % n
    best, best_bound = 0, -1.0
    log_done = math.log(done)
    for i in range(n):
        bound = points[i] / visits[i] + exploration * math.sqrt(log_done / visits[i])
        if bound > best_bound:
            best, best_bound = i, bound
    return best


@kernel
def sample_moves(state, listed, n, visits, points, seed, games, exploration, out, probs):
    """Play `games` more random games, adding to `visits` and to the mover's `points` (1 a win, ½ a draw).

    The games of a move are numbered, so the result does not depend on how the work is cut into calls.
    """
    mover = turn(state)
    done = np.int64(0)
    for i in range(n):
        done += visits[i]
    for _ in range(games):
        i = next_move(n, done, visits, points, exploration)
        stream = split(split(seed, i), visits[i])
        result, _plies = playout(play(state, listed[i]), stream, out, probs, None)
        if mover == 1:
            result = -result
        visits[i] += 1
        points[i] += 1.0 if result > 0 else 0.0 if result < 0 else 0.5
        done += 1
    return done
