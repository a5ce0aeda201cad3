"""Breakthrough on 8 × 8, in one file: two rows of runners each; the first to reach the other side's home row wins."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron import OVER, Game, NotationError, compiled, rules_for
from forgeron.bits import ONE, ZERO, ctz, popcount, without_lowest
from forgeron.rng import mix

#: Everything but the column at the left, and at the right: for steps sideways.
NOT_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
FIRST_ROW = np.uint64(0xFF)
LAST_ROW = np.uint64(0xFF00_0000_0000_0000)
NAMES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
#: The three ways forward, towards the left, straight on and towards the right, as white moves; black's are opposite.
LEFT, AHEAD, RIGHT = range(3)


class State(NamedTuple):
    """A position. Bit i is square i: a1 = 0, b1 = 1 … h8 = 63. White begins on rows 1 and 2, and moves up."""

    white: np.uint64
    black: np.uint64
    black_moves: np.uint64
    """1 when black is to move"""


rule = rules_for(State)


@compiled
def runners(state, way):
    """The pieces of the side to move that may go this way: ahead to an empty square, aslant also to take one."""
    mine, theirs = (state.black, state.white) if state.black_moves else (state.white, state.black)
    free = ~(mine | theirs) if way == AHEAD else ~mine
    if way == LEFT:
        mine &= NOT_A
    elif way == RIGHT:
        mine &= NOT_H
    if state.black_moves:
        return mine & (free << np.uint64(9 - way))
    return mine & (free >> np.uint64(7 + way))


@compiled
def over(state):
    home = (state.white & LAST_ROW) | (state.black & FIRST_ROW)
    return home != ZERO or state.white == ZERO or state.black == ZERO


@rule
def turn(state):
    return OVER if over(state) else np.int64(state.black_moves)


@rule
def moves(state, out):
    if over(state):
        return np.int64(0)
    n = 0
    for way in (LEFT, AHEAD, RIGHT):
        left = runners(state, way)
        while left:
            out[n] = np.int64(ctz(left)) * 3 + way
            left = without_lowest(left)
            n += 1
    return n


@compiled
def target(move, black_moves):
    """The square that a move leads to."""
    way = move % 3
    return move // 3 - (9 - way) if black_moves else move // 3 + 7 + way


@rule
def play(state, move):
    start = ONE << np.uint64(move // 3)
    end = ONE << np.uint64(target(move, state.black_moves))
    if state.black_moves:
        return State(state.white & ~end, (state.black ^ start) | end, ZERO)
    return State((state.white ^ start) | end, state.black & ~end, ONE)


@rule
def score(state):
    return np.int64(1) if (state.white & LAST_ROW) != ZERO or state.black == ZERO else np.int64(-1)


@rule
def key(state):
    return mix(state.white + mix(state.black + mix(state.black_moves)))


@rule
def planes(state, seat):
    """Own pieces, other pieces; in the last word bit 0 when one is to move, bit 1 when one is black."""
    who = np.uint64(seat)
    last = (ONE ^ who ^ state.black_moves) | (who << ONE)
    if seat == 0:
        return state.white, state.black, last
    return state.black, state.white, last


@rule
def evaluate(state, weights):
    pieces = float(popcount(state.white)) - float(popcount(state.black))
    value = weights[0] * pieces + weights[1] * (1.0 if state.black_moves == ZERO else -1.0)
    row = FIRST_ROW
    for distance in range(1, 8):  # how far the runners have come, from white's side, then from black's
        row <<= np.uint64(8)
        there = float(popcount(state.white & row)) * distance - float(popcount(state.black & row)) * (7 - distance)
        value += weights[2] * there
    return value


class Breakthrough(Game):
    """Run to the other side's home row; capture aslant."""

    name = "breakthrough"
    title = "Breakthrough"
    rules_card = (
        "A piece moves one square forward, straight or aslant, to an empty square; aslant it may also take a piece.",
        "The first to reach the other side's home row, or to take every piece, wins.",
    )
    state_class = State
    max_moves = 48
    action_count = 64 * 3
    seats = ("white", "black")
    move_help = "as two squares, a2a3"
    move_pattern = "[a-h][1-8][a-h][1-8]"
    weight_names = ("pieces", "to move", "progress")

    def start_state(self) -> State:
        return State(np.uint64(0xFFFF), np.uint64(0xFFFF_0000_0000_0000), np.uint64(0))

    def weights(self) -> np.ndarray:
        return np.array([0.6, 0.2, 0.05])

    def format_move(self, state: State, move: int) -> str:
        return NAMES[move // 3] + NAMES[target(move, state.black_moves)]

    def parse_state(self, text: str) -> State:
        state: State = super().parse_state(text)
        if int(state.white) & int(state.black) or state.black_moves > 1:
            raise NotationError(f"'{text}' is not a position of Breakthrough: two pieces on a square, or no such turn")
        return state

    def reason(self, state: State, winner: int | None) -> str:
        return "home row reached" if int(state.white) and int(state.black) else "every piece taken"

    def draw(self, state: State, last_move: str | None = None) -> str:
        cells = self.view(state)["cells"]
        lines = []
        for row in reversed(range(8)):
            marks = ({"w": "○", "b": "●"}.get(cell, "·") for cell in cells[8 * row : 8 * row + 8])
            lines.append(f"{row + 1}  {'  '.join(marks)}")
        return "\n".join([*lines, "   a  b  c  d  e  f  g  h", f"   ○ white   ● black   last move {last_move or '–'}"])

    def view(self, state: State) -> dict[str, Any]:
        white, black = int(state.white), int(state.black)
        cells = ["w" if white >> i & 1 else "b" if black >> i & 1 else "." for i in range(64)]
        pieces = {"w": {"seat": 0, "name": "white piece"}, "b": {"seat": 1, "name": "black piece"}}
        return {"board": "grid", "columns": 8, "rows": 8, "cells": cells, "pieces": pieces}

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        start, end = NAMES[move // 3], NAMES[target(move, state.black_moves)]
        events: list[dict[str, Any]] = [{"do": "slide", "path": [start, end]}]
        if int(state.white | state.black) >> NAMES.index(end) & 1:
            events.insert(0, {"do": "take", "at": [end]})
        return {"parts": [start, end], "text": f"{start} to {end}", "events": events}
