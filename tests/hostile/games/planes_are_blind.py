"""Take away: one to three stones a turn; who takes the last one wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron import OVER, Game, rules_for
from forgeron.rng import mix


class State(NamedTuple):
    left: np.int64
    """stones on the table"""
    mover: np.int64


rule = rules_for(State)


@rule
def turn(state):
    return state.mover if state.left > 0 else OVER


@rule
def moves(state, out):
    n = 0
    while n < 3 and n < state.left:
        out[n] = n
        n += 1
    return n


@rule
def play(state, move):
    return State(state.left - move - 1, 1 - state.mover)


@rule
def score(state):
    return np.int64(1) if state.mover == 1 else np.int64(-1)


@rule
def key(state):
    return mix(np.uint64(state.left * 2 + state.mover))


@rule
def planes(state, seat):  # <- here
    return (np.uint64(state.left // 2), np.uint64(state.mover == seat))


class TakeAway(Game):
    """one to three stones a turn; who takes the last one wins."""

    name = "take-away"
    title = "Take Away"
    state_class = State
    max_moves = 3
    move_pattern = "[1-3]"

    def start_state(self) -> State:
        return State(np.int64(10), np.int64(0))

    def format_move(self, state: State, move: int) -> str:
        return str(move + 1)
