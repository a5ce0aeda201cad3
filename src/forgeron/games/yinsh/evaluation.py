"""A hand-made evaluation of YINSH: each feature is white's share less black's."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from forgeron.core.bits import ONE, ZERO, popcount
from forgeron.core.jit import compiled
from forgeron.core.weights import read_weights
from forgeron.games.yinsh.board import EVERY_LINE
from forgeron.games.yinsh.lines import count_reach, read_line
from forgeron.games.yinsh.rules import rule
from forgeron.games.yinsh.state import RING, TURN, blocked, kind_of, removed

#: What one unit of each feature adds to the log-odds: a ring removed, a marker, two, three and four markers in line,
#: a move of a ring, being to move.
NAMES = ("rings", "markers", "twos", "threes", "fours", "mobility", "to move")
WEIGHTS = read_weights(files(__package__) / "weights.json", "yinsh", NAMES)


def _make_runs() -> np.ndarray:
    """For each way 12 points of a line can be taken: how many twos, threes and fours in line, 10 bits each."""
    runs = np.zeros(1 << 12, dtype=np.uint32)
    for bits in range(1 << 12):
        twos = bits & bits >> 1
        threes = twos & bits >> 2
        fours = threes & bits >> 3
        runs[bits] = twos.bit_count() | threes.bit_count() << 10 | fours.bit_count() << 20
    return runs


_RUNS = _make_runs()
_MASK = np.uint64(1023)
_10 = np.uint64(10)
_20 = np.uint64(20)


@compiled
def runs(lo, hi):
    """How many twos, threes and fours in line a set has on all lines of the board."""
    total = ZERO
    for line in EVERY_LINE:
        total += np.uint64(_RUNS[read_line(line, lo, hi) >> ONE])
    return np.int64(total & _MASK), np.int64((total >> _10) & _MASK), np.int64((total >> _20) & _MASK)


@rule
def evaluate(state, weights):
    blocked_lo, blocked_hi = blocked(state)
    markers_lo, markers_hi = state.markers_lo | state.their_markers_lo, state.markers_hi | state.their_markers_hi
    mine = np.int64(popcount(state.markers_lo) + popcount(state.markers_hi))
    theirs = np.int64(popcount(state.their_markers_lo) + popcount(state.their_markers_hi))
    my_twos, my_threes, my_fours = runs(state.markers_lo, state.markers_hi)
    their_twos, their_threes, their_fours = runs(state.their_markers_lo, state.their_markers_hi)
    my_moves = count_reach(state.rings_lo, state.rings_hi, blocked_lo, blocked_hi, markers_lo, markers_hi)
    their_moves = count_reach(
        state.their_rings_lo, state.their_rings_hi, blocked_lo, blocked_hi, markers_lo, markers_hi
    )
    seat = state.stage & TURN
    lead = np.int64(removed(state, seat)) - np.int64(removed(state, ONE - seat))
    if kind_of(state) == RING:
        lead += np.int64(1)  # the row is off the board already; its ring follows in the next ply
    value = (
        weights[0] * lead
        + weights[1] * (mine - theirs)
        + weights[2] * (my_twos - their_twos)
        + weights[3] * (my_threes - their_threes)
        + weights[4] * (my_fours - their_fours)
        + weights[5] * (np.int64(my_moves) - np.int64(their_moves))
        + weights[6]
    )
    return value if seat == ZERO else -value
