"""Pig in one file: throw a die as often as you dare; a one costs you what this turn has brought. 100 points win."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron import CHANCE, OVER, Game, NotationError, Option, Seat, rules_for
from forgeron.rng import mix

HOLD, THROW = 0, 1
FACES = 6
_8, _16 = np.uint64(8), np.uint64(16)


class State(NamedTuple):
    """A position; the points of a turn are the player's own only when it holds."""

    first: np.int64
    """points of the first player"""
    second: np.int64
    pot: np.int64
    """points of this turn so far"""
    mover: np.int64
    throwing: np.int64
    """1 when the die is to be thrown now"""
    goal: np.int64


rule = rules_for(State)


@rule
def turn(state):
    if max(state.first, state.second) >= state.goal:
        return OVER
    return CHANCE if state.throwing else state.mover


@rule
def moves(state, out):
    who = turn(state)
    if who == OVER:
        return np.int64(0)
    n = FACES if who == CHANCE else 2
    for move in range(n):
        out[move] = move
    return np.int64(n)


@rule
def chance(state, probs):
    for face in range(FACES):
        probs[face] = 1.0 / FACES
    return np.int64(FACES)


@rule
def play(state, move):
    first, second, pot, mover, throwing, goal = state
    if not throwing and move == THROW:
        return State(first, second, pot, mover, np.int64(1), goal)
    if throwing and move > 0:
        pot = pot + np.int64(move) + 1
        mine = first if mover == 0 else second
        if mine + pot < goal:
            return State(first, second, pot, mover, np.int64(0), goal)
    if throwing and move == 0:
        pot = np.int64(0)  # a one
    # The turn ends: what it brought is the player's, and the other one throws.
    if mover == 0:
        return State(first + pot, second, np.int64(0), np.int64(1), np.int64(1), goal)
    return State(first, second + pot, np.int64(0), np.int64(0), np.int64(1), goal)


@rule
def score(state):
    return state.first - state.second


@rule
def key(state):
    points = np.uint64(state.first) | (np.uint64(state.second) << _8) | (np.uint64(state.pot) << _16)
    rest = np.uint64(state.mover) | (np.uint64(state.throwing) << np.uint64(1)) | (np.uint64(state.goal) << _8)
    return mix(points + mix(rest))


@rule
def planes(state, seat):
    """One word: own points in bits 0-7, the other's in 8-15, the pot in 16-23, bit 24 when one is to move."""
    mine, theirs = (state.first, state.second) if seat == 0 else (state.second, state.first)
    word = np.uint64(mine) | (np.uint64(theirs) << _8) | (np.uint64(state.pot) << _16)
    return (word | (np.uint64(seat == state.mover) << np.uint64(24)),)


@rule
def evaluate(state, weights):
    pot = state.pot if state.mover == 0 else -state.pot
    ahead = float(state.first - state.second) + weights[1] * float(pot)
    # A lead is worth more when little is left to go.
    left = float(state.goal - max(state.first, state.second))
    return weights[0] * ahead / (left + 10.0) + (weights[2] if state.mover == 0 else -weights[2])


class Pig(Game):
    """Throw and throw again, or hold: a one takes away what this turn has brought."""

    name = "pig"
    title = "Pig"
    rules_card = (
        "A turn: throw the die as often as you like. What it shows is added up; hold, and it is yours.",
        "A one ends the turn and brings nothing. Who first has 100 points wins.",
    )
    state_class = State
    max_moves = FACES
    action_count = 2
    move_help = "hold or throw"
    move_pattern = "hold|throw|[1-6]"
    options = {"goal": Option(100, range(10, 201), "points that win")}
    weight_names = ("lead", "pot", "to move")

    def start_state(self) -> State:
        zero = np.int64(0)
        return State(zero, zero, zero, zero, np.int64(1), np.int64(self.chosen["goal"]))

    def weights(self) -> np.ndarray:
        return np.array([1.0, 0.5, 0.15])

    def thrower(self, state: State) -> Seat:
        return 1 if state.mover else 0

    def scores(self, state: State) -> tuple[int, int]:
        return int(state.first), int(state.second)

    def format_move(self, state: State, move: int) -> str:
        return str(move + 1) if state.throwing else ("hold", "throw")[move]

    def parse_state(self, text: str) -> State:
        state: State = super().parse_state(text)
        points = state.first, state.second
        sound = min(*points, state.pot) >= 0 and max(points) <= state.goal + FACES and state.pot <= state.goal
        binary = {int(state.mover), int(state.throwing)} <= {0, 1} and bool(state.throwing or state.pot)
        if not sound or not binary or state.goal != self.chosen["goal"]:
            raise NotationError(f"'{text}' is not a position of Pig to {self.chosen['goal']}")
        return state

    def reason(self, state: State, winner: Seat | None) -> str:
        return "goal reached"

    def draw(self, state: State, last_move: str | None = None) -> str:
        who = self.seats[state.mover]
        last = f", last {last_move}" if last_move else ""
        return f"first {state.first}   second {state.second}   {who} has {state.pot} in the pot{last}"

    def view(self, state: State) -> dict[str, Any]:
        goal, points = int(state.goal), self.scores(state)
        rows = goal // 10 + 1
        cells = ["." if n <= goal else "-" for n in range(10 * rows)]
        for seat in (0, 1):
            cells[min(points[seat], goal)] = "both" if points[0] == points[1] else str(seat)
        if state.pot:
            cells[min(points[state.mover] + int(state.pot), goal)] = "pot"
        pieces = {
            **{str(seat): {"seat": seat, "name": f"the {self.seats[seat]} player"} for seat in (0, 1)},
            "both": {"seat": 0, "name": "both players", "text": "2"},
            "pot": {"seat": int(state.mover), "name": "where holding leads", "shape": "ring"},
            "-": {"name": "beyond the goal", "shape": "hole"},
        }
        names = [str(n) for n in range(10 * rows)]
        view = {"board": "grid", "columns": 10, "rows": rows, "cells": cells, "names": names, "pieces": pieces}
        return {**view, "unit": ["point", "points"]}

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        if state.throwing:
            return {"text": f"throws {move + 1}", "events": [{"do": "throw", "steps": move + 1, "name": str(move + 1)}]}
        return {"text": "hold" if move == HOLD else "throw again"}
