"""How lucky the throws of a game were, by the evaluation."""

from __future__ import annotations

import numpy as np

from forgeron.core.contract import CHANCE, OVER, chance, moves, play, turn
from forgeron.core.jit import compiled, kernel
from forgeron.kernels.greedy import win_probability


@compiled
def _prospect(state, evaluation, out):
    """The probability that player 0 wins: after the mover's best move where one is due, by the evaluation."""
    player = turn(state)
    if player == OVER or player == CHANCE:
        return win_probability(state, evaluation)
    best = -1.0
    for i in range(moves(state, out)):
        p = win_probability(play(state, out[i]), evaluation)
        best = max(best, p if player == 0 else 1.0 - p)
    return best if player == 0 else 1.0 - best


@kernel
def luck_of_line(state, line, first, evaluation, out, probs):
    """The sum, over the throws of `line` from ply `first` on, of player 0's prospect after the throw less its mean over
    all throws that could have come."""
    total = 0.0
    for ply in range(len(line)):
        move = line[ply]
        if ply >= first and turn(state) == CHANCE:
            mean, came = 0.0, 0.0
            for outcome in range(chance(state, probs)):
                if probs[outcome] > 0.0:
                    prospect = _prospect(play(state, np.int64(outcome)), evaluation, out)
                    mean += probs[outcome] * prospect
                    if outcome == move:
                        came = prospect
            total += came - mean
        state = play(state, move)
    return total
