"""The YINSH board drawn as text, and as data for web pages."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .board import COUNT, NUMBERS, POINTS, WAY, course_names, standard_names, standard_numbers, walk
from .point_sets import State
from .position_text import stage_word
from .state import (
    ENDED,
    PASS,
    PLACE,
    RING,
    ROW,
    goal_of,
    kind_of,
    removed,
    rings_of,
    size_of,
)
from .text import colour, content, unpack_move

_GLYPHS = {"W": "W", "B": "B", "w": "○", "b": "●", ".": "·"}
_WANTED = ("to place a ring", "to move", "to take off a row", "to take off a ring", "must pass", "")
#: Boards up to this size have a row of slanted lines between those of points; larger ones would not fit 24 rows.
_ROOMY = 5
_SCREEN = 80


def draw(state: State, last_move: str | None = None) -> str:
    """The board with its lines and coordinates, 80 × 24 at most, the points of the last move or turn in brackets.

    A letter names the line beside it; a number the line that falls from it to the left. So F6 is where line F meets
    the line that falls from 6.
    """
    size = int(size_of(state.options))
    held = content(state)
    marked = {standard_numbers(size).get(name, -1) for name in re.findall(r"[A-O]\d+", last_move or "")}
    step = 2 if size <= _ROOMY else 1
    canvas: dict[tuple[int, int], str] = {}
    for number, letter in held.items():
        x, y = POINTS[number]
        row, column = 1 + (x + size) * step, _column(x, y)
        _draw_lines(canvas, held, number, row, column, step)
        if NUMBERS.get((x - 1, y)) not in held:
            canvas[row - 1, column + (2 if step == 1 else 1)] = f"{y + size + 1:<2}"
        if NUMBERS.get((x, y - 1)) not in held:
            canvas[row, column - (4 if step == 2 else 6)] = chr(65 + x + size)
        canvas[row, column] = _GLYPHS[letter]
    for point in marked & set(held):
        x, y = POINTS[point]
        canvas[1 + (x + size) * step, _column(x, y) - 1] = "["
        canvas[1 + (x + size) * step, _column(x, y) + 1] = "]"
    return "\n".join(_beside(_rows(canvas), _legend(state)))


def _column(x: int, y: int) -> int:
    """Where a point stands in its row: four places from point to point, half of that from line to line."""
    return 4 * y - 2 * x


def _draw_lines(
    canvas: dict[tuple[int, int], str], held: dict[int, str], number: int, row: int, column: int, step: int
) -> None:
    """The lines to the next point of the row and, where there is room, to the two points of the row below."""
    x, y = POINTS[number]
    if NUMBERS.get((x, y + 1)) in held:
        for place in (1, 2, 3):
            canvas[row, column + place] = "─"
    if step == 2 and NUMBERS.get((x + 1, y)) in held:
        canvas[row + 1, column - 1] = "╱"
    if step == 2 and NUMBERS.get((x + 1, y + 1)) in held:
        canvas[row + 1, column + 1] = "╲"


def _rows(canvas: dict[tuple[int, int], str]) -> list[str]:
    left = min(column for _, column in canvas) - 1
    lines = []
    for row in range(max(row for row, _ in canvas) + 1):
        line = ""
        for column, text in sorted((column, text) for (at, column), text in canvas.items() if at == row):
            line = line.ljust(column - left) + text
        lines.append(line.rstrip())
    return lines


def _beside(board: list[str], legend: list[str]) -> list[str]:
    """The legend at the right of the board, at its foot; below it where there is no room."""
    width = max(map(len, board)) + 2
    if width + max(map(len, legend)) > _SCREEN:
        return [*board, "", "    ".join("".join(legend[i : i + 2]) for i in (0, 2)), "".join(legend[4:])]
    first = len(board) - len(legend)
    return [(line.ljust(width) + legend[i - first]).rstrip() if i >= first else line for i, line in enumerate(board)]


def _legend(state: State) -> list[str]:
    goal = int(state.options >> np.uint64(24)) & 255
    white, black = (int(removed(state, np.uint64(seat))) for seat in (0, 1))
    kind = int(kind_of(state))
    status = ["the game is over" if kind == ENDED else f"{colour(state)} {_WANTED[kind]}"]
    if kind == 0:
        placed = sum(letter in "WB" for letter in content(state).values())
        status.append(f"  {placed} of {2 * int(rings_of(state.options))} are placed")
    return [
        "W white ring  ○ marker",
        f"  removed {white} of {goal}",
        "B black ring  ● marker",
        f"  removed {black} of {goal}",
        *status,
    ]


_ASKS: tuple[list[str], ...] = (
    ["Place a ring on an empty point"],
    ["Choose a ring", "Choose where it goes"],
    ["Choose the row to take off"],
    ["Choose the ring to take off"],
    [],
    [],
)


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
        "stage": stage_word(state),
        "goal": int(goal_of(state.options)),
        "rings": int(rings_of(state.options)),
        "pieces": {
            "W": {"seat": 0, "shape": "ring", "name": "white ring"},
            "B": {"seat": 1, "shape": "ring", "name": "black ring"},
            "w": {"seat": 0, "shape": "marker", "name": "white marker"},
            "b": {"seat": 1, "shape": "marker", "name": "black marker"},
        },
        "asks": _ASKS[int(kind_of(state))],
        "choices": {"pass": "Pass"},
        "unit": ["ring", "rings"],
    }


def view_move(state: State, move: int) -> dict[str, Any]:
    """The part of a row is the set of its markers: whoever points at one of them means it."""
    kind, first, second = unpack_move(move)
    names = standard_names(int(size_of(state.options)))
    if kind == PASS:
        return {"parts": ["pass"], "text": "passes, blocked"}
    a = names[first]
    if kind == PLACE:
        return {"parts": [a], "text": f"a ring on {a}", "events": [{"do": "drop", "at": a}]}
    if kind == RING:
        return {"parts": [a], "text": f"takes the ring off {a}", "events": [{"do": "take", "at": [a]}]}
    b = names[second]
    line = walk(first, int(WAY[COUNT * first + second]))
    inside = [names[n] for n in line[: line.index(second)]]
    if kind == ROW:
        row = [a, *inside, b]
        return {"parts": [row], "text": f"takes the row {a} to {b} off", "events": [{"do": "take", "at": row}]}
    held = content(state)
    flipped = [names[n] for n in line[: line.index(second)] if held[n] in "wb"]
    events: list[dict[str, Any]] = [{"do": "slide", "path": [a, b]}]
    text = f"ring {a} to {b}"
    if flipped:
        events.append({"do": "flip", "at": flipped})
        text += f", flips {len(flipped)} marker{'s' * (len(flipped) > 1)}"
    return {"parts": [a, b], "text": text, "events": events}
