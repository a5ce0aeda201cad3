"""The YINSH board for eyes and for pages."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from forgeron.games.yinsh.board import POINTS, course_names, standard_names, standard_numbers
from forgeron.games.yinsh.positions import columns_of, stage_word
from forgeron.games.yinsh.state import ENDED, TURN, State, kind_of, removed, rings_of, size_of
from forgeron.games.yinsh.text import COLOURS, colour, content

_GLYPHS = {"W": "W", "B": "B", "w": "○", "b": "●", ".": "·"}
_WANTED = ("to place a ring", "to move", "to take off a row", "to take off a ring", "must pass", "")
_WIDTH = 4


def draw(state: State, last_move: str | None = None) -> str:
    """The board with coordinates, the points of the last move in brackets.

    Columns stand upright under their letters; a number names the points of the line that falls from it to the right.
    """
    size = int(size_of(state.options))
    held = content(state)
    marked = {standard_numbers(size).get(name) for name in re.findall(r"[A-M]\d+", last_move or "")}
    canvas: dict[tuple[int, int], str] = {}
    for number, letter in held.items():
        x, y = POINTS[number]
        glyph = _GLYPHS[letter]
        canvas[x - 2 * y, x] = f"[{glyph}]" if number in marked else f" {glyph} "
        if (x - 1, y) not in {POINTS[n] for n in held}:
            canvas[x - 2 * y - 1, x - 1] = f"{y + size + 1:>2} "
    for column in columns_of(size):
        x, y = POINTS[column[0]]
        canvas[x - 2 * y + 1, x] = f" {chr(65 + x + size)} "
    rows = range(min(row for row, _ in canvas), max(row for row, _ in canvas) + 1)
    lines = ["".join(canvas.get((row, x), "   ").ljust(_WIDTH) for x in range(-size - 1, size + 1)) for row in rows]
    return "\n".join([*(line.rstrip() for line in lines), "", *_legend(state)])


def _legend(state: State) -> list[str]:
    goal = int(state.options >> np.uint64(24)) & 255
    white, black = (int(removed(state, np.uint64(seat))) for seat in (0, 1))
    kind = int(kind_of(state))
    status = "the game is over" if kind == ENDED else f"{colour(state)} {_WANTED[kind]}"
    if kind == 0:
        placed = sum(letter in "WB" for letter in content(state).values())
        status += f" ({placed} of {2 * int(rings_of(state.options))} placed)"
    return [
        f" W white ring  ○ its markers    removed {white} of {goal}",
        f" B black ring  ● its markers    removed {black} of {goal}",
        f" {status}",
    ]


def view(state: State) -> dict[str, Any]:
    """The board as JSON-ready data: every point with its names, axial coordinates and content."""
    size = int(size_of(state.options))
    held, standard, course = content(state), standard_names(size), course_names(size)
    return {
        "board": "hexagon",
        "size": size,
        "points": [
            {"name": standard[n], "course": course[n], "x": POINTS[n][0], "y": POINTS[n][1], "content": held[n]}
            for n in standard
        ],
        "turn": None if kind_of(state) == ENDED else int(state.stage & TURN),
        "stage": stage_word(state),
        "scores": [int(removed(state, np.uint64(seat))) for seat in (0, 1)],
        "seats": list(COLOURS),
    }
