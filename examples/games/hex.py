"""Hex in one file: join your two sides of the board with a chain of stones. No draws, and no swap rule."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron import OVER, Game, NotationError, Option, compiled, on_stack, rules_for
from forgeron.bits import ONE, popcount
from forgeron.rng import mix

WIDEST = 11
CELLS = WIDEST * WIDEST
#: A board has two words: cells 0 … 63 and 64 … 120. Cell number 11 row + column, whatever the size of the board.
WORD = np.uint64(64)


class State(NamedTuple):
    """A position. Red joins row 1 and the last row, blue joins column a and the last column; red begins."""

    red_low: np.uint64
    red_high: np.uint64
    blue_low: np.uint64
    blue_high: np.uint64
    size: np.uint64
    won: np.uint64
    """1 when the side that moved last has joined its sides"""


rule = rules_for(State)


@compiled
def holds(low, high, cell):
    """Whether a cell is in the set."""
    bit = np.uint64(cell)
    return ((low >> bit) if bit < WORD else (high >> (bit - WORD))) & ONE != 0


@compiled
def stones(state):
    few = popcount(state.red_low) + popcount(state.red_high)
    return np.int64(few + popcount(state.blue_low) + popcount(state.blue_high))


@compiled
def joins(low, high, cell, size, across):
    """Whether the chain of the stone on `cell` touches both sides: first and last row, or column when `across`."""
    waiting = on_stack(121)
    waiting[0] = cell
    n = 1
    at_start = at_end = False
    # A stone is taken out of the set when it is put on the list, so that it is listed once.
    while n:
        n -= 1
        here = np.int64(waiting[n])
        column, row = here % WIDEST, here // WIDEST
        place = column if across else row
        at_start |= place == 0
        at_end |= place == size - 1
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
            x, y = column + dx, row + dy
            there = y * WIDEST + x
            if 0 <= x < size and 0 <= y < size and holds(low, high, there):
                bit = np.uint64(there)
                if bit < WORD:
                    low &= ~(ONE << bit)
                else:
                    high &= ~(ONE << (bit - WORD))
                waiting[n] = there
                n += 1
    return at_start and at_end


@rule
def turn(state):
    return OVER if state.won else stones(state) & 1


@rule
def moves(state, out):
    n = 0
    if state.won:
        return np.int64(0)
    low, high = state.red_low | state.blue_low, state.red_high | state.blue_high
    for row in range(np.int64(state.size)):
        for column in range(np.int64(state.size)):
            cell = row * WIDEST + column
            if not holds(low, high, cell):
                out[n] = cell
                n += 1
    return n


@rule
def play(state, move):
    red_low, red_high, blue_low, blue_high, size, _ = state
    bit = np.uint64(move)
    in_low, in_high = (ONE << bit, np.uint64(0)) if bit < WORD else (np.uint64(0), ONE << (bit - WORD))
    blue = stones(state) & 1 == 1
    if blue:
        blue_low, blue_high = blue_low | in_low, blue_high | in_high
        won = joins(blue_low & ~in_low, blue_high & ~in_high, np.int64(move), np.int64(size), True)
    else:
        red_low, red_high = red_low | in_low, red_high | in_high
        won = joins(red_low & ~in_low, red_high & ~in_high, np.int64(move), np.int64(size), False)
    return State(red_low, red_high, blue_low, blue_high, size, np.uint64(won))


@rule
def score(state):
    return np.int64(1) if stones(state) & 1 == 1 else np.int64(-1)


@rule
def key(state):
    red = mix(state.red_low + mix(state.red_high))
    return mix(red + mix(state.blue_low + mix(state.blue_high + mix(state.size * np.uint64(2) + state.won))))


@rule
def planes(state, seat):
    """Own stones, other stones, two words each; in the last one bit 0 when one is to move, bit 1 when one is blue."""
    who = np.uint64(seat)
    last = (ONE ^ who ^ np.uint64(stones(state) & 1)) | (who << ONE)
    if seat == 0:
        return state.red_low, state.red_high, state.blue_low, state.blue_high, last
    return state.blue_low, state.blue_high, state.red_low, state.red_high, last


class Hex(Game):
    """Join your two opposite sides of a board of hexagons."""

    name = "hex"
    title = "Hex"
    rules_card = (
        "Put a stone on any empty cell. Red wins with a chain of neighbouring stones from the first row to the last, "
        "blue from column a to the last column.",
        "Exactly one of them will succeed: there are no draws. Who begins has the better of it; there is no swap.",
    )
    state_class = State
    max_moves = CELLS
    action_count = CELLS
    seats = ("red", "blue")
    move_help = "as a cell, for example c4"
    move_pattern = r"[a-k]([1-9]|1[01])"
    options = {"size": Option(11, range(2, WIDEST + 1), "cells along a side")}

    def start_state(self) -> State:
        zero = np.uint64(0)
        return State(zero, zero, zero, zero, np.uint64(self.chosen["size"]), zero)

    def format_move(self, state: State, move: int) -> str:
        return f"{'abcdefghijk'[move % WIDEST]}{move // WIDEST + 1}"

    def parse_state(self, text: str) -> State:
        state: State = super().parse_state(text)
        red, blue = self._sides(state)
        cells = {row * WIDEST + column for row in range(self.size) for column in range(self.size)}
        if red & blue or state.size != self.size or state.won > 1 or not cells.issuperset(red | blue):
            raise NotationError(f"'{text}' is not a position of Hex of size {self.size}")
        return state

    @property
    def size(self) -> int:
        return int(self.chosen["size"])

    def reason(self, state: State, winner: int | None) -> str:
        return "sides joined"

    def draw(self, state: State, last_move: str | None = None) -> str:
        content = {cell["name"]: cell["content"] for cell in self.view(state)["cells"]}
        lines = []
        for row in range(1, self.size + 1):
            names = [f"{column}{row}" for column in "abcdefghijk"[: self.size]]
            marks = (f"[{content[name]}]" if name == last_move else f" {content[name]} " for name in names)
            lines.append(f"{' ' * row * 2}{row:2} {' '.join(marks)}")
        return "\n".join([f"     {'   '.join('abcdefghijk'[: self.size])}", *lines, " r red: rows   b blue: columns"])

    def view(self, state: State) -> dict[str, Any]:
        red, blue = self._sides(state)
        cells = []
        for cell in range(CELLS):
            column, row = cell % WIDEST, cell // WIDEST
            if column < self.size and row < self.size:
                content = "r" if cell in red else "b" if cell in blue else "."
                cells.append({"name": self.format_move(state, cell), "x": column + row, "y": row, "content": content})
        pieces = {"r": {"seat": 0, "name": "red stone"}, "b": {"seat": 1, "name": "blue stone"}}
        corners = [cells[i]["name"] for i in (0, self.size - 1, -self.size, -1)]
        edges = [[0, *corners[:2]], [0, *corners[2:]], [1, *corners[::2]], [1, *corners[1::2]]]
        return {"board": "hexagons", "cells": cells, "pieces": pieces, "edges": edges}

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        cell = self.format_move(state, move)
        return {"parts": [cell], "text": f"a stone on {cell}", "events": [{"do": "drop", "at": cell}]}

    def _sides(self, state: State) -> tuple[set[int], set[int]]:
        red, blue = int(state.red_low) | int(state.red_high) << 64, int(state.blue_low) | int(state.blue_high) << 64
        return {cell for cell in range(128) if red >> cell & 1}, {cell for cell in range(128) if blue >> cell & 1}
