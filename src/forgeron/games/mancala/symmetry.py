"""Turning the circle of alternate owners: each player's eight holes move on by the same number of steps."""

from __future__ import annotations

import numpy as np

from forgeron.games.mancala.rules import State


def _turn_word(word: np.uint64, steps: int) -> np.uint64:
    value = int(word)
    return np.uint64((value << 8 * steps | value >> 8 * (8 - steps)) & 0xFFFF_FFFF_FFFF_FFFF)


def turn_state(state: State, steps: int) -> State:
    """The position with the seeds of hole h in hole h + 2 × steps."""
    return State._make([*(_turn_word(word, steps) for word in state[:6]), state.info])


def turn_move(move: int, steps: int) -> int:
    """The move that does there what `move` does here."""
    return (move + 8 * steps) % 64
