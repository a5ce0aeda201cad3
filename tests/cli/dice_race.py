"""A game for the tests, in one file: throw a die with three faces, then step with one of two runners.

A throw of 3 lets the same player throw again. Who first brings both runners to square 6 wins. The state is small on
purpose, and there is chance at the very first position.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron.core.contract import CHANCE, OVER, rules_for
from forgeron.core.game import Game, Option
from forgeron.core.jit import compiled
from forgeron.core.position import Seat
from forgeron.core.rng import mix


class State(NamedTuple):
    """Each runner's square, the throw that waits to be used (0: throw first), who moves, and the goal."""

    a: np.int64
    b: np.int64
    c: np.int64
    d: np.int64
    thrown: np.int64
    mover: np.int64
    goal: np.int64


rule = rules_for(State)


@compiled
def home(state, player):
    if player == 0:
        return state.a >= state.goal and state.b >= state.goal
    return state.c >= state.goal and state.d >= state.goal


@rule
def turn(state):
    if home(state, 0) or home(state, 1):
        return OVER
    return CHANCE if state.thrown == 0 else state.mover


@rule
def moves(state, out):
    who = turn(state)
    if who == OVER:
        return 0
    n = 0
    if who == CHANCE:
        for face in range(3):
            out[face] = face
        return 3
    for runner in range(2):
        at = (state.a, state.b)[runner] if state.mover == 0 else (state.c, state.d)[runner]
        if at < state.goal:
            out[n] = runner
            n += 1
    return n


@rule
def play(state, move):
    a, b, c, d, thrown, mover, goal = state
    if thrown == 0:
        return State(a, b, c, d, np.int64(move + 1), mover, goal)
    if mover == 0 and move == 0:
        a += thrown
    elif mover == 0:
        b += thrown
    elif move == 0:
        c += thrown
    else:
        d += thrown
    return State(a, b, c, d, np.int64(0), mover if thrown == 3 else 1 - mover, goal)


@rule
def score(state):
    return np.int64(1) if home(state, 0) else np.int64(-1)


@rule
def key(state):
    word = np.uint64(0)
    for value in state:
        word = mix(word * np.uint64(31) + np.uint64(value) + np.uint64(1))
    return word


@rule
def chance(state, probs):
    for face in range(3):
        probs[face] = 1.0 / 3.0
    return 3


class DiceRace(Game):
    """Two runners each, one die."""

    name = "dice-race"
    title = "Dice Race"
    state_class = State
    max_moves = 3
    seats = ("red", "blue")
    move_help = "left or right"
    move_pattern = "one|two|three|left|right"
    options = {"goal": Option(6, range(2, 10), "the square to reach")}
    presets = {"short": {"goal": 2}}

    def start_state(self) -> State:
        zero = np.int64(0)
        return State(zero, zero, zero, zero, zero, zero, np.int64(self.chosen["goal"]))

    def format_move(self, state: Any, move: int) -> str:
        return ("one", "two", "three")[move] if state.thrown == 0 else ("left", "right")[move]

    def draw(self, state: Any, last_move: str | None = None) -> str:
        return f"red {state.a} {state.b}  blue {state.c} {state.d}  thrown {state.thrown}"

    def thrower(self, state: Any) -> Seat:
        return 1 if state.mover else 0

    def reason(self, state: Any, winner: int | None) -> str:
        return "both runners are home"
