"""Dice race: throw, then walk; who is first on square 6 wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron import CHANCE, OVER, Game, rules_for
from forgeron.rng import mix


class State(NamedTuple):
    first: np.int64
    second: np.int64
    mover: np.int64
    thrown: np.int64
    """0: the dice are to be thrown"""


rule = rules_for(State)


@rule
def turn(state):
    if state.first >= 6 or state.second >= 6:
        return OVER
    return state.mover if state.thrown else CHANCE


@rule
def moves(state, out):
    if turn(state) == OVER:
        return 0
    if state.thrown:
        out[0] = 0
        return 1
    for face in range(3):
        out[face] = face
    return 3


@rule
def play(state, move):
    if state.thrown == 0:
        return State(state.first, state.second, state.mover, move + 1)
    if state.mover == 0:
        return State(state.first + state.thrown, state.second, np.int64(1), np.int64(0))
    return State(state.first, state.second + state.thrown, np.int64(0), np.int64(0))


@rule
def score(state):
    return np.int64(1) if state.first >= 6 else np.int64(-1)


@rule
def key(state):
    return mix(np.uint64(((state.first * 16 + state.second) * 2 + state.mover) * 4 + state.thrown))


@rule
def chance(state, probs):
    for face in range(3):
        probs[face] = 1.0 / 3.0
    return 3


class DiceRace(Game):
    """Throw, then walk."""

    name = "dice-race"
    title = "Dice Race"
    state_class = State
    max_moves = 3

    def start_state(self) -> State:
        return State(np.int64(0), np.int64(0), np.int64(0), np.int64(0))

    def thrower(self, state: State) -> int:  # <- here
        return int(state.mover) + 1
