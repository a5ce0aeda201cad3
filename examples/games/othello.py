"""Othello (Reversi) in one file: discs between two of yours change sides, and who has more at the end wins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron import OVER, Game, NotationError, compiled, rules_for
from forgeron.bits import ONE, ZERO, ctz, nth_bit, popcount, without_lowest
from forgeron.rng import below, mix

PASS = np.int64(64)
#: Squares that are on no edge at the left or right: lines that go sideways must not run from one row into the next.
INNER = np.uint64(0x7E7E_7E7E_7E7E_7E7E)
CORNERS = np.uint64(0x8100_0000_0000_0081)
#: Who takes these often gives the corner away.
BESIDE_CORNERS = np.uint64(0x42C3_0000_0000_C342)
NAMES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]


class State(NamedTuple):
    """A position. Bit i is square i: a1 = 0, b1 = 1 … h8 = 63, with a1 at the top left as the game is printed."""

    mine: np.uint64
    """discs of the side to move"""
    theirs: np.uint64
    white: np.uint64
    """1 when white is to move"""


rule = rules_for(State)


@compiled
def run(start, over, step, up):
    """The squares of `over` in an unbroken line from a square of `start`, and where the lines end."""
    found = ZERO
    front = start
    for _ in range(6):
        front = ((front << step) if up else (front >> step)) & over
        found |= front
    return found, (found << step) if up else (found >> step)


@compiled
def targets(mine, theirs):
    """The empty squares on which a disc of `mine` would turn others over."""
    found = ZERO
    for step in (1, 7, 8, 9):
        over = theirs if step == 8 else theirs & INNER
        found |= run(mine, over, np.uint64(step), True)[1] | run(mine, over, np.uint64(step), False)[1]
    return found & ~(mine | theirs)


@compiled
def turned(mine, theirs, disc):
    """The discs that change sides when `disc` is put down."""
    found = ZERO
    for step in (1, 7, 8, 9):
        over = theirs if step == 8 else theirs & INNER
        for up in (True, False):
            line, end = run(disc, over, np.uint64(step), up)
            if end & mine:
                found |= line
    return found


@rule
def turn(state):
    if targets(state.mine, state.theirs) or targets(state.theirs, state.mine):
        return np.int64(state.white)
    return OVER


@rule
def moves(state, out):
    left = targets(state.mine, state.theirs)
    if not left:
        out[0] = PASS
        return np.int64(1) if targets(state.theirs, state.mine) else np.int64(0)
    n = 0
    while left:
        out[n] = np.int64(ctz(left))
        left = without_lowest(left)
        n += 1
    return n


@rule
def play(state, move):
    if move == PASS:
        return State(state.theirs, state.mine, ONE ^ state.white)
    disc = ONE << np.uint64(move)
    over = turned(state.mine, state.theirs, disc)
    return State(state.theirs & ~over, state.mine | disc | over, ONE ^ state.white)


@compiled
def more(mine, theirs):
    """How many members more the first set has."""
    return np.int64(popcount(mine)) - np.int64(popcount(theirs))


@rule
def score(state):
    lead = more(state.mine, state.theirs)
    return -lead if state.white else lead


@rule
def key(state):
    return mix(state.mine + mix(state.theirs + mix(state.white)))


@rule
def random_move(state, bits):
    found = targets(state.mine, state.theirs)
    return np.int64(ctz(nth_bit(found, below(bits, popcount(found))))) if found else PASS


@rule
def planes(state, seat):
    """Own discs, other discs; in the last word bit 0 when one is to move."""
    if seat == np.int64(state.white):
        return state.mine, state.theirs, ONE
    return state.theirs, state.mine, ZERO


@rule
def evaluate(state, weights):
    mine, theirs = state.mine, state.theirs
    value = weights[0] * more(targets(mine, theirs), targets(theirs, mine)) + weights[1] * more(mine, theirs)
    value += weights[2] * more(mine & CORNERS, theirs & CORNERS)
    value += weights[3] * more(mine & BESIDE_CORNERS, theirs & BESIDE_CORNERS)
    return -value if state.white else value


class Othello(Game):
    """Outflank the other side's discs to turn them over; more discs at the end win."""

    name = "othello"
    title = "Othello"
    rules_card = (
        "Put a disc on an empty square so that a straight line of the other side's discs lies between it and another "
        "disc of yours: all of them turn over, in every direction.",
        "Who cannot do so passes. When neither side can, more discs win.",
    )
    state_class = State
    max_moves = 60
    action_count = 65
    seats = ("black", "white")
    move_help = "as a square, d3, or pass"
    move_pattern = "[a-h][1-8]|pass"
    weight_names = ("mobility", "discs", "corners", "beside corners")

    def start_state(self) -> State:
        return State(np.uint64(1 << 28 | 1 << 35), np.uint64(1 << 27 | 1 << 36), np.uint64(0))

    def weights(self) -> np.ndarray:
        return np.array([0.1, 0.02, 1.0, -0.3])

    def format_move(self, state: State, move: int) -> str:
        return "pass" if move == PASS else NAMES[move]

    def parse_state(self, text: str) -> State:
        state: State = super().parse_state(text)
        if state.mine & state.theirs or state.white > 1:
            raise NotationError(f"'{text}' is not a position of Othello: two discs on one square, or no such turn")
        return state

    def scores(self, state: State) -> tuple[int, int]:
        black, white = self._sides(state)
        return black.bit_count(), white.bit_count()

    def draw(self, state: State, last_move: str | None = None) -> str:
        black, white = self._sides(state)
        marks = ["●" if black >> i & 1 else "○" if white >> i & 1 else "·" for i in range(64)]
        cells = [f"[{mark}]" if name == last_move else f" {mark} " for name, mark in zip(NAMES, marks, strict=True)]
        rows = [f"{row + 1} {''.join(cells[8 * row : 8 * row + 8])}".rstrip() for row in range(8)]
        return "\n".join(["   a  b  c  d  e  f  g  h", *rows, "  ● black   ○ white"])

    def view(self, state: State) -> dict[str, Any]:
        black, white = self._sides(state)
        order = [i ^ 56 for i in range(64)]  # row 8 is at the bottom
        board = {"columns": 8, "rows": 8, "names": [NAMES[i] for i in order]}
        cells = ["b" if black >> i & 1 else "w" if white >> i & 1 else "." for i in order]
        pieces = {"b": {"seat": 0, "name": "black disc"}, "w": {"seat": 1, "name": "white disc"}}
        return {"board": "grid", **board, "cells": cells, "pieces": pieces, "unit": ["disc", "discs"]}

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        if move == PASS:
            return {"text": "pass"}
        over = int(turned(state.mine, state.theirs, np.uint64(1 << move)))
        flips = [NAMES[i] for i in range(64) if over >> i & 1]
        name, events = NAMES[move], [{"do": "drop", "at": NAMES[move]}, {"do": "flip", "at": flips}]
        return {"parts": [name], "text": f"a disc on {name}", "events": events}

    def _sides(self, state: State) -> tuple[int, int]:
        return (int(state.theirs), int(state.mine)) if state.white else (int(state.mine), int(state.theirs))
