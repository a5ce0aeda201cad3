"""Counting in a word of eight holes, one byte a hole, all bytes below 128."""

from __future__ import annotations

import numpy as np

from forgeron.core.bits import popcount
from forgeron.core.jit import compiled

_TOP = np.uint64(0x8080_8080_8080_8080)


def _distance(seeds: int) -> np.uint64:
    """Eight bytes that bring up the top bit of a byte when added to so many seeds or more."""
    return np.uint64((128 - seeds) * 0x0101_0101_0101_0101)


FROM_1, FROM_3, FROM_4, FROM_9 = _distance(1), _distance(3), _distance(4), _distance(9)


@compiled
def seeds(word: np.uint64) -> np.int64:
    """All seeds of the eight holes; at most 255."""
    word += word >> np.uint64(32)
    word += word >> np.uint64(16)
    word += word >> np.uint64(8)
    return np.int64(word & np.uint64(255))


@compiled
def holes_from(word: np.uint64, distance: np.uint64) -> np.int64:
    """How many of the eight holes hold n seeds or more, where `distance` is FROM_n."""
    return np.int64(popcount((word + distance) & _TOP))
