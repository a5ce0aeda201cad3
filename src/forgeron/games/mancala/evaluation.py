"""The evaluation of coloured Mancala: features of both sides, each the first player's share less the second's.

The weights are fitted to results of games between searching players (see docs/games/mancala.md), apart for the two
ways of owning holes: with `halves` it matters how near to the opponent a seed lies, with `alternate` all holes are
alike.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.games.mancala import report_evaluation as report
from forgeron.games.mancala.packed_bytes import FROM_1, FROM_3, holes_from, seeds
from forgeron.games.mancala.rules import alternates, limit_of, mover, plies_left, rule, taken_by

#: What one unit of each feature adds to the log-odds. "Late" is times the share of all seeds that is captured, "per
#: seed left" divided by the seeds on the board. The last features count in the three or two own holes that come last in
#: the circle, and only with `halves`.
NAMES = (
    "captured",
    "captured late",
    "captured per seed left",
    "red",
    "blue",
    "transparent",
    "blue late",
    "blue per seed left",
    "small holes",  # one or two seeds: the next may make them a capture
    "empty holes",
    "red holes",  # holes with a red seed: so many moves
    "blue holes",
    "transparent holes",
    "few moves",  # at most six
    "nearly starved",  # at most two seeds in own holes
    "to move",
    "last three seeds",
    "last three empty",
    "last two blue",
)
#: Captured seeds and nothing else.
CAPTURED = np.array([0.1] + [0.0] * (len(NAMES) - 1))
_FEW_MOVES, _NEARLY_STARVED = 6, 2
#: A sense of the plies left, in a blockade: while hardly anything has been captured, in this last share of the plies
#: the seeds on the board count for less and less, as there is ever less time to capture them, and a lead for up to so
#: many times more. Without it nobody breaks up a blockade that is worth a little, and the limit makes a draw.
_FADING_SHARE, _BLOCKADE_SEEDS, _LAST_LEAD = 0.75, 8.0, 2.0
_LAST_2 = np.uint64(0xFFFF_0000_0000_0000)
_LAST_3 = np.uint64(0xFFFF_FF00_0000_0000)


@compiled
def _judge_side(red, blue, clear, weights, blue_weight):
    """What the seeds in the holes of one side are worth, wherever they lie."""
    totals = red + blue + clear
    filled, from_3 = holes_from(totals, FROM_1), holes_from(totals, FROM_3)
    reds, blues, clears = holes_from(red, FROM_1), holes_from(blue, FROM_1), holes_from(clear, FROM_1)
    value = weights[3] * seeds(red) + blue_weight * seeds(blue) + weights[5] * seeds(clear)
    value += weights[8] * (filled - from_3) - weights[9] * filled
    value += weights[10] * reds + weights[11] * blues + weights[12] * clears
    if reds + blues + 2 * clears <= _FEW_MOVES:
        value += weights[13]
    if seeds(totals) <= _NEARLY_STARVED:
        value += weights[14]
    return value


@compiled
def _judge_last_holes(red, blue, clear, weights):
    """What it is worth that seeds lie in the last holes of one side, from where reds soon leave it."""
    last = (red + blue + clear) & _LAST_3
    return weights[16] * seeds(last) - weights[17] * holes_from(last, FROM_1) + weights[18] * seeds(blue & _LAST_2)


@rule
def evaluate(state, weights):
    info = state.info
    if weights.size == report.SIZE:
        points = report.report_points(state, weights)
        return (points if weights[report.SIZE - 1] == 0.0 else -points) / report.SCALE
    first, second = taken_by(info, 0), taken_by(info, 1)
    late = (first + second) / 96.0
    per_seed_left = 1.0 / (96.5 - first - second)
    blue = weights[4] + weights[6] * late + weights[7] * per_seed_left
    board = (
        _judge_side(state.my_red, state.my_blue, state.my_clear, weights, blue)
        - _judge_side(state.their_red, state.their_blue, state.their_clear, weights, blue)
        + weights[15]
    )
    if not alternates(info):
        board += _judge_last_holes(state.my_red, state.my_blue, state.my_clear, weights)
        board -= _judge_last_holes(state.their_red, state.their_blue, state.their_clear, weights)
    lead = (first - second) * (weights[0] + weights[1] * late + weights[2] * per_seed_left)
    blockade = max(1.0 - (first + second) / _BLOCKADE_SEEDS, 0.0)
    fresh = 1.0 - blockade * max(1.0 - plies_left(info) / (_FADING_SHARE * limit_of(info)), 0.0)
    lead *= 1.0 + _LAST_LEAD * (1.0 - fresh)
    return lead + fresh * (board if mover(info) == 0 else -board)
