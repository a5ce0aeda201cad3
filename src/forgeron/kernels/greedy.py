"""One ply ahead by the evaluation."""

from __future__ import annotations

from forgeron.core.contract import OVER, moves, play, score, turn
from forgeron.core.jit import compiled, kernel
from forgeron.core.odds import probability_of
from forgeron.kernels.network import static_evaluation


@compiled
def win_probability(state, weights):
    """The probability that player 0 wins: certain when the game is over, else by the evaluation."""
    if turn(state) == OVER:
        result = score(state)
        return 1.0 if result > 0 else 0.0 if result < 0 else 0.5
    return probability_of(static_evaluation(state, weights))


@kernel
def rate_moves(state, weights, out, values):
    """Write the moves to `out` and the mover's win probability after each to `values`; return how many."""
    n = moves(state, out)
    first = turn(state) == 0
    for i in range(n):
        p = win_probability(play(state, out[i]), weights)
        values[i] = p if first else 1.0 - p
    return n
