"""A hand-made evaluation of coloured Mancala: eight features, each the first player's share less the second's."""

from __future__ import annotations

from importlib.resources import files

from forgeron.core.weights import read_weights
from forgeron.games.mancala import report
from forgeron.games.mancala.rules import mover, rule, taken_by
from forgeron.games.mancala.words import FROM_1, FROM_3, holes_from, seeds

#: What one unit of each feature adds to the log-odds: captured seeds; the same times the share of all seeds that is
#: captured (a lead counts more late); red, blue and transparent seeds in own holes; own holes with one or two seeds;
#: own empty holes; being to move. Blue seeds count most, because who plays them gives them to the other side.
NAMES = ("captured", "captured late", "red", "blue", "transparent", "small holes", "empty holes", "to move")
WEIGHTS = read_weights(files(__package__) / "weights.json", "mancala", NAMES)


@rule
def evaluate(state, weights):
    info = state.info
    if weights.size == report.SIZE:
        points = report.report_points(state, weights)
        return (points if weights[report.SIZE - 1] == 0.0 else -points) / report.SCALE
    mine = state.my_red + state.my_blue + state.my_clear
    theirs = state.their_red + state.their_blue + state.their_clear
    first, second = taken_by(info, 0), taken_by(info, 1)
    filled = holes_from(mine, FROM_1) - holes_from(theirs, FROM_1)
    from_3 = holes_from(mine, FROM_3) - holes_from(theirs, FROM_3)
    board = (
        weights[2] * (seeds(state.my_red) - seeds(state.their_red))
        + weights[3] * (seeds(state.my_blue) - seeds(state.their_blue))
        + weights[4] * (seeds(state.my_clear) - seeds(state.their_clear))
        + weights[5] * (filled - from_3)
        - weights[6] * filled
        + weights[7]
    )
    lead = (first - second) * (weights[0] + weights[1] * (first + second) / 96.0)
    return lead + (board if mover(info) == 0 else -board)
