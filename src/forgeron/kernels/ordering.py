"""What searches need to put moves in order. Moves and their ratings stand in two rows of an array of integers."""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import compiled

#: How many slots `slot_of` has.
SLOTS = 4096


@compiled
def slot_of(move):
    """A slot for what is learnt about a move, in a table of SLOTS: different moves seldom share one."""
    return np.int64((np.uint64(move) * np.uint64(0x9E37_79B9_7F4A_7C15)) >> np.uint64(52))


@compiled
def best_of(ratings, row, i, n):
    """Which of the moves i … n-1 is rated highest, the first of equal ones; the ratings begin at `row`."""
    best = i
    for j in range(i + 1, n):
        if ratings[row + j] > ratings[row + best]:
            best = j
    return best
