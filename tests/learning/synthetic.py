"""Games with evaluations that cannot be fitted; each is written as a user's file."""

from __future__ import annotations

#: A race of a few plies: whoever is ahead at the end wins. Its evaluation and names are filled in.
RACE = """
from __future__ import annotations
from typing import NamedTuple
import numpy as np
from forgeron import OVER, Game, rules_for
from forgeron.core.rng import mix

class State(NamedTuple):
    ply: np.int64
    lead: np.int64

rule = rules_for(State)

@rule
def turn(state):
    return OVER if state.ply == 12 else state.ply & np.int64(1)

@rule
def moves(state, out):
    if state.ply == 12:
        return 0
    for i in range(4):
        out[i] = i
    return 4

@rule
def play(state, move):
    step = (np.int64(move) * np.int64(7) + state.ply * np.int64(5) + np.int64(11)) % np.int64(6)
    return State(state.ply + np.int64(1), state.lead + (step if state.ply & np.int64(1) == 0 else -step))

@rule
def score(state):
    return state.lead if state.ply == 12 else np.int64(0)

@rule
def key(state):
    return mix(np.uint64(state.ply) * np.uint64(1000) + np.uint64(state.lead + np.int64(500)))
EVALUATION

class Race(Game):
    name = "race-NAME"
    title = "Race"
    state_class = State
    max_moves = 4
    weight_names = WEIGHT_NAMES

    def start_state(self):
        return State(np.int64(0), np.int64(0))

    def weights(self):
        return np.array([0.1, 0.2])
"""


def race(name: str, value: str | None, names: tuple[str, ...] = ("lead", "late")) -> str:
    """The source of a race whose evaluation is `value`, an expression of state and weights."""
    rule = "" if value is None else f"\n@rule\ndef evaluate(state, weights):\n    return {value}\n"
    return RACE.replace("EVALUATION", rule).replace("WEIGHT_NAMES", repr(names)).replace("NAME", name)
