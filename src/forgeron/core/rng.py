"""Random words without hidden state.

A stream is a 64-bit number; its n-th word is a pure function of the two (SplitMix64, Steele, Lea and Flood 2014). So
any word can be had at once and in any order: game 7 of seed 1 is the same game on one thread or on eight, compiled or
in plain Python.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import compiled

_GAMMA = np.uint64(0x9E37_79B9_7F4A_7C15)
_SPLIT = np.uint64(0xD1B5_4A32_D192_ED03)
_M1 = np.uint64(0xBF58_476D_1CE4_E5B9)
_M2 = np.uint64(0x94D0_49BB_1331_11EB)
_HALF = np.uint64(32)


@compiled
def mix(word):
    """A one-to-one scramble of 64-bit words: every input bit moves every output bit."""
    word = (word ^ (word >> np.uint64(30))) * _M1
    word = (word ^ (word >> np.uint64(27))) * _M2
    return word ^ (word >> np.uint64(31))


@compiled
def split(stream, index):
    """The stream number `index` below this one: independent of it and of its other children."""
    return mix(mix(stream) + (np.uint64(index) + np.uint64(1)) * _SPLIT)


@compiled
def word(stream, n):
    """The n-th random word of the stream, n = 1, 2, …"""
    return mix(stream + np.uint64(n) * _GAMMA)


@compiled
def below(bits, n):
    """A number from 0 to n-1 out of a random word; n < 2³², bias below n / 2³²."""
    return ((bits >> _HALF) * np.uint64(n)) >> _HALF


@compiled
def unit(bits):
    """A float in [0, 1) out of a random word."""
    return np.float64(bits >> np.uint64(11)) * (1.0 / 9007199254740992.0)
