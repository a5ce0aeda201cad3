"""The features of a linear evaluation, in every position of a game."""

from __future__ import annotations

from forgeron.core.contract import UNKNOWN, evaluate, play, solve
from forgeron.core.jit import kernel


@kernel
def evaluate_line(state, line, weights, values, solved):
    """Evaluate every position before a move of `line` by every row of `weights`.

    values[ply, i] is the evaluation by row i, so that the rows of a unit matrix give the features of a linear
    evaluation; solved[ply] says whether the game itself knows how the position must end.
    """
    for ply in range(len(line)):
        for i in range(len(weights)):
            values[ply, i] = evaluate(state, weights[i])
        solved[ply] = solve(state) != UNKNOWN
        state = play(state, line[ply])
