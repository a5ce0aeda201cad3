"""Connect Four, written as anybody would add a game: docs/add-a-game.md builds this file step by step."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from forgeron import OVER, Game, compiled, rules_for
from forgeron.bits import ONE, ZERO, ctz, nth_bit, popcount, without_lowest
from forgeron.rng import below, mix

COLUMNS = 7
ROWS = 6
# A column takes HEIGHT bits, its lowest cell first; the one above the top cell stays empty, so that no line of four
# runs out of one column into the next.
HEIGHT = np.uint64(ROWS + 1)
BOTTOM = np.uint64(sum(1 << column * (ROWS + 1) for column in range(COLUMNS)))
TOP = BOTTOM << np.uint64(ROWS - 1)
BOARD = BOTTOM * np.uint64((1 << ROWS) - 1)


class State(NamedTuple):
    """A position; who is to move follows from the number of discs."""

    mine: np.uint64
    """discs of the side to move"""
    theirs: np.uint64
    """discs of the other side, which moved last"""


rule = rules_for(State)


@compiled
def fours(cells, step):
    """The cells of the set at which a line of four begins, its cells `step` bits apart."""
    pairs = cells & (cells >> step)
    return pairs & (pairs >> (step + step))


@compiled
def has_four(cells):
    """Whether the set holds a line of four: upwards, sideways or along a diagonal."""
    level = fours(cells, ONE) | fours(cells, HEIGHT)
    return (level | fours(cells, HEIGHT - ONE) | fours(cells, HEIGHT + ONE)) != 0


@compiled
def open_tops(state):
    """The top cells of the columns in which a disc may be dropped: none when somebody has won."""
    if has_four(state.theirs):
        return ZERO
    return TOP & ~(state.mine | state.theirs)


@compiled
def mover(state):
    return np.int64(popcount(state.mine | state.theirs) & ONE)


@rule
def turn(state):
    return mover(state) if open_tops(state) else OVER


@rule
def moves(state, out):
    n = 0
    tops = open_tops(state)
    while tops:
        out[n] = np.int64(ctz(tops) // HEIGHT)
        tops = without_lowest(tops)
        n += 1
    return n


@rule
def play(state, move):
    filled = state.mine | state.theirs
    # One added to a column carries up to its lowest empty cell.
    disc = (filled + (ONE << (np.uint64(move) * HEIGHT))) & ~filled
    return State(state.theirs, state.mine | disc)


@rule
def score(state):
    if not has_four(state.theirs):
        return np.int64(0)
    return np.int64(1) if mover(state) == 1 else np.int64(-1)


@rule
def key(state):
    return mix(state.mine + mix(state.theirs))


@rule
def count(state):
    return np.int64(popcount(open_tops(state)))


@rule
def random_move(state, bits):
    # Asked only while the game goes on, so nobody has won and the search for a line of four can be spared.
    tops = TOP & ~(state.mine | state.theirs)
    return np.int64(ctz(nth_bit(tops, below(bits, popcount(tops)))) // HEIGHT)


@compiled
def possible(cells):
    """How many lines of four the set of cells has room for."""
    level = popcount(fours(cells, ONE)) + popcount(fours(cells, HEIGHT))
    return np.int64(level + popcount(fours(cells, HEIGHT - ONE)) + popcount(fours(cells, HEIGHT + ONE)))


@rule
def evaluate(state, weights):
    value = weights[0] * (possible(BOARD & ~state.theirs) - possible(BOARD & ~state.mine)) + weights[1]
    return value if mover(state) == 0 else -value


@rule
def planes(state, seat):
    if seat == mover(state):
        return state.mine, state.theirs, ONE
    return state.theirs, state.mine, ZERO


class ConnectFour(Game):
    """Four in a row wins; discs fall to the lowest empty cell of their column."""

    name = "connect-four"
    title = "Connect Four"
    state_class = State
    max_moves = COLUMNS
    seats = ("yellow", "red")
    move_help = f"as the number of a column, 1 … {COLUMNS}"
    move_pattern = f"[1-{COLUMNS}]"

    def start_state(self) -> State:
        return State(np.uint64(0), np.uint64(0))

    def format_move(self, state: State, move: int) -> str:
        return str(move + 1)

    def draw(self, state: State, last_move: str | None = None) -> str:
        yellow, red = (state.mine, state.theirs) if mover(state) == 0 else (state.theirs, state.mine)
        names = [str(column + 1) for column in range(COLUMNS)]
        lines = ["".join(f"[{name}]" if name == last_move else f" {name} " for name in names)]
        for row in reversed(range(ROWS)):
            cells = [1 << column * (ROWS + 1) + row for column in range(COLUMNS)]
            lines.append("".join(" ● " if int(yellow) & c else " ○ " if int(red) & c else " · " for c in cells))
        return "\n".join([*(line.rstrip() for line in lines), " ● yellow   ○ red"])

    def view(self, state: State) -> dict[str, Any]:
        yellow, red = (state.mine, state.theirs) if mover(state) == 0 else (state.theirs, state.mine)
        bits = [1 << column * (ROWS + 1) + row for row in range(ROWS) for column in range(COLUMNS)]
        cells = ["y" if int(yellow) & bit else "r" if int(red) & bit else "." for bit in bits]
        pieces = {"y": {"seat": 0, "name": "yellow disc"}, "r": {"seat": 1, "name": "red disc"}}
        return {"board": "grid", "columns": COLUMNS, "rows": ROWS, "cells": cells, "pieces": pieces}

    def view_move(self, state: State, move: int) -> dict[str, Any]:
        column = int(state.mine | state.theirs) >> move * (ROWS + 1) & (1 << ROWS) - 1
        cell = f"{'abcdefg'[move]}{column.bit_count() + 1}"
        return {"parts": [cell], "text": f"a disc in column {move + 1}", "events": [{"do": "drop", "at": cell}]}

    weight_names = ("lines", "to move")

    def weights(self) -> np.ndarray:
        return np.array([0.07, 0.18])

    action_count = COLUMNS
    max_features = COLUMNS * ROWS + 1
