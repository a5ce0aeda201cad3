"""SWAR counting (SIMD within a register): a word is eight holes, one byte a hole, all bytes below 128."""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import popcount

_TOP = np.uint64(0x8080_8080_8080_8080)


def _distance(seeds: int) -> np.uint64:
    """What must be added to all bytes so that the top bit of those with so many seeds or more is set."""
    return np.uint64((128 - seeds) * 0x0101_0101_0101_0101)


FROM_1, FROM_3, FROM_4, FROM_9 = _distance(1), _distance(3), _distance(4), _distance(9)


@compiled
def seeds(word: np.uint64) -> np.int64:
    """The horizontal sum of the eight bytes; at most 255."""
    word += word >> np.uint64(32)
    word += word >> np.uint64(16)
    word += word >> np.uint64(8)
    return np.int64(word & np.uint64(255))


@compiled
def holes_from(word: np.uint64, distance: np.uint64) -> np.int64:
    """How many of the eight holes hold n seeds or more, where `distance` is FROM_n."""
    return np.int64(popcount((word + distance) & _TOP))
