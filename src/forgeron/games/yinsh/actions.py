"""YINSH's moves as the actions of reinforcement learning, numbered without the gaps of the rules' own numbers."""

from __future__ import annotations

import numpy as np

from .board import COUNT, NUMBERS, POINT_BITS, POINTS
from .rules import parts_of, rule
from .state import MOVE, PASS, PLACE, RING

_SECOND = np.uint64(POINT_BITS)


def _number_pairs() -> np.ndarray:
    """At first × 2^POINT_BITS + second: the number of two points that lie on a line, in this order."""
    numbers = np.zeros(1 << 2 * POINT_BITS, dtype=np.int64)
    n = 0
    for x, y in POINTS:
        for other_x, other_y in POINTS:
            dx, dy = other_x - x, other_y - y
            if (dx or dy) and (dx == 0 or dy == 0 or dx == dy):
                numbers[(NUMBERS[x, y] << POINT_BITS) + NUMBERS[other_x, other_y]] = n
                n += 1
    return numbers


_PAIRS = _number_pairs()
_ALL_PAIRS = int(_PAIRS.max()) + 1
# Place a ring on a point, remove it from there, move one along a line, take a row by its ends, pass.
_REMOVALS = COUNT
_MOVES = _REMOVALS + COUNT
_ROWS = _MOVES + _ALL_PAIRS
_PASS = _ROWS + _ALL_PAIRS
ACTIONS = _PASS + 1


@rule
def action(state, move):
    kind, first, second = parts_of(move)
    if kind == PASS:
        return np.int64(_PASS)
    if kind == PLACE:
        return np.int64(first)
    if kind == RING:
        return np.int64(_REMOVALS) + np.int64(first)
    pair = _PAIRS[(first << _SECOND) | second]
    return np.int64(_MOVES) + pair if kind == MOVE else np.int64(_ROWS) + pair
