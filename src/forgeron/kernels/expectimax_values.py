"""Values of an expectimax search: the win probability of a player as an integer, 0 … `SCALE`."""

from __future__ import annotations

import numpy as np

from forgeron.core.contract import OVER, UNKNOWN, rank, score, solve
from forgeron.core.jit import inlined
from forgeron.core.odds import probability_of
from forgeron.core.table_file import WHOLE
from forgeron.kernels.expectimax_workspace import MAX_PLY, NO_VALUE
from forgeron.kernels.network import static_evaluation

#: The value of a certain win; the loser's is 0.
SCALE = 8_000_000
#: Evaluations keep this distance from certainty, and only values that are nearer to it decay.
MARGIN = 1_000


@inlined
def terminal_value(state, state_turn, player):
    """The value for `player` where the game is over or its result is known; else NO_VALUE."""
    result = score(state) if state_turn == OVER else solve(state)
    if result == UNKNOWN:
        return np.int64(NO_VALUE)
    return np.int64(SCALE // 2 if result == 0 else SCALE if (result > 0) == (player == 0) else 0)


@inlined
def exact_value(state, exact):
    """The value for the player on turn where the table of exact values has one, short of certainty; else NO_VALUE."""
    index = rank(state)
    if index >= len(exact):
        return np.int64(NO_VALUE)
    value = np.int64(exact[index]) * SCALE // WHOLE
    return min(max(value, np.int64(MAX_PLY + 1)), np.int64(SCALE - MAX_PLY - 1))


@inlined
def static_value(state, player, weights):
    """The evaluation as a value for `player`."""
    probability = probability_of(static_evaluation(state, weights))
    value = np.int64(np.rint(min(max(SCALE * probability, float(MARGIN)), float(SCALE - MARGIN))))
    return value if player == 0 else SCALE - value


@inlined
def decayed(value):
    """What is nearly certain loses a trifle with each move: so the faster win is better, and the slower loss."""
    return value - 1 if value > SCALE - MARGIN else value + 1 if value < MARGIN else value
