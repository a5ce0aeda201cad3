"""Yolah in writing: moves, positions, drawings.

A position is one token: the ranks from 8 to 1 as in chess (b and w pieces, x holes, digits for runs of empty
squares), who is to move, and the points of black and white: ``w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from forgeron import NotationError
from forgeron.bits import popcount
from forgeron.games.yolah.rules import PASS, State, neighbours, targets

_MOVE = re.compile(r"([a-h][1-8])[:-]?([a-h][1-8])", re.IGNORECASE)
_GLYPHS = {"b": "●", "w": "○", "x": "░", ".": "·"}


def square_name(square: int) -> str:
    """a1 for 0 … h8 for 63."""
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


def square_number(name: str) -> int:
    return "abcdefgh".index(name[0].lower()) + 8 * (int(name[1]) - 1)


def format_move(move: int) -> str:
    """
    >>> format_move(35 | 49 << 6), format_move(0)
    ('d5:b7', 'a1:a1')
    """
    return f"{square_name(move & 63)}:{square_name(move >> 6)}"


def parse_move(text: str) -> int:
    """Reads d5:b7, and also d5b7, D5-B7 and pass."""
    if text.lower() == "pass":
        return PASS
    match = _MOVE.fullmatch(text)
    if not match:
        raise NotationError(
            f"'{text}' is not a Yolah move; write from:to with squares a1 … h8, for example d5:b7 (a pass is a1:a1)"
        )
    source, target = square_number(match[1]), square_number(match[2])
    if source == target and source != 0:
        raise NotationError(f"'{text}' moves nowhere: write from:to with two squares, or a1:a1 for a pass")
    return source | target << 6


def why_illegal(state: State, move: int, legal: list[str]) -> str:
    """What is wrong with a move that `parse_move` read and the rules refuse."""
    if legal == [format_move(PASS)]:
        return f"{_colour(state)} cannot move and must pass: a1:a1"
    if move == PASS:
        return f"{_colour(state)} can still move and may not pass; for example {legal[0]}"
    source = move & 63
    if not int(state.mine) >> source & 1:
        movers = sorted({token[:2] for token in legal})
        return f"no {_colour(state)} piece stands on {square_name(source)}; pieces that can move: {', '.join(movers)}"
    occupied = state.mine | state.theirs | state.holes
    free = int(targets(np.uint64(source), occupied))
    reach = [square_name(s) for s in range(64) if free >> s & 1]
    if not reach:
        return f"{square_name(source)} is blocked"
    return f"{square_name(source)} can go to {', '.join(reach)}"


def points(state: State) -> tuple[int, int]:
    """Black's and white's points."""
    total, lead = int(popcount(state.holes)), int(state.lead)
    mine, theirs = (total + lead) // 2, (total - lead) // 2
    return (mine, theirs) if state.turn == 0 else (theirs, mine)


def cells(state: State) -> list[str]:
    """The content of the 64 squares: b, w, x for a hole, . for empty."""
    mover, other = ("b", "w") if state.turn == 0 else ("w", "b")
    sets = ((mover, int(state.mine)), (other, int(state.theirs)), ("x", int(state.holes)))
    return [next((letter for letter, word in sets if word >> s & 1), ".") for s in range(64)]


def format_board(content: Sequence[str]) -> str:
    """The board part of a token from the content of the 64 squares."""
    ranks = ["".join(content[8 * rank : 8 * rank + 8]) for rank in reversed(range(8))]
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks))


def format_state(state: State) -> str:
    black, white = points(state)
    return f"{format_board(cells(state))}:{'bw'[state.turn]}:{black}:{white}"


def compose(places: Mapping[str, str], turn: int) -> str:
    """The token of these pieces (b, w) and holes (x), which both sides have earned in equal parts."""
    content = [places.get(f"{column}{row}", ".")[:1] for row in range(1, 9) for column in "abcdefgh"]
    points = content.count("x")
    return f"{format_board(content)}:{'bw'[turn]}:{(points + 1) // 2}:{points // 2}"


def parse_state(text: str) -> State:
    def refuse(why: str) -> NotationError:
        return NotationError(
            f"'{text}' is not a Yolah position: {why} (the first position is w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0)"
        )

    parts = text.split(":")
    if len(parts) != 4:
        raise refuse("it needs board:turn:black's points:white's points")
    board, mover, black_text, white_text = parts
    if mover not in ("b", "w"):
        raise refuse(f"the turn is b or w, not '{mover}'")
    if not all(re.fullmatch(r"[0-9]{1,2}", points_text) for points_text in (black_text, white_text)):
        raise refuse("points are numbers")
    ranks = [re.sub(r"[1-8]", lambda run: "." * int(run[0]), rank) for rank in board.split("/")]
    if len(ranks) != 8 or any(len(rank) != 8 for rank in ranks):
        raise refuse("the board is eight ranks of eight squares")
    content = "".join(reversed(ranks))
    strange = set(content) - set("bwx.")
    if strange:
        raise refuse(f"a square holds b, w or x, not '{min(strange)}'")
    if content.count("b") != 4 or content.count("w") != 4:
        raise refuse("each side has four pieces")
    black, white = int(black_text), int(white_text)
    if black + white != content.count("x"):
        raise refuse(f"there are {content.count('x')} holes but {black} + {white} points; every point left a hole")
    sets = {letter: np.uint64(sum(1 << s for s in range(64) if content[s] == letter)) for letter in "bwx"}
    if mover == "b":
        return State(sets["b"], sets["w"], sets["x"], np.int64(black - white), np.int64(0))
    return State(sets["w"], sets["b"], sets["x"], np.int64(white - black), np.int64(1))


def draw(state: State, last_move: str | None = None) -> str:
    """The board with coordinates: ● black, ○ white, ░ hole, · empty; the last move's squares in brackets."""
    content = cells(state)
    marked = {square_number(name) for name in last_move.split(":")} if last_move and last_move != "a1:a1" else set()
    lines = ["    a  b  c  d  e  f  g  h"]
    for rank in reversed(range(8)):
        row = ""
        for square in range(8 * rank, 8 * rank + 8):
            glyph = _GLYPHS[content[square]]
            row += f"[{glyph}]" if square in marked else f" {glyph} "
        lines.append(f" {rank + 1} {row} {rank + 1}")
    lines.append(lines[0])
    black, white = points(state)
    if not neighbours(state.mine | state.theirs) & ~(state.mine | state.theirs | state.holes):
        status = "neither side can move"
    else:
        status = f"{_colour(state)} to move"
    lines.append(f" ● black {black}   ○ white {white}   {status}")
    return "\n".join(lines)


def view(state: State) -> dict[str, Any]:
    """A board of 8 × 8 cells, a1 first."""
    return {
        "board": "grid",
        "columns": 8,
        "rows": 8,
        "cells": cells(state),
        "pieces": {
            "b": {"seat": 0, "name": "black piece"},
            "w": {"seat": 1, "name": "white piece"},
            "x": {"shape": "hole", "name": "hole"},
        },
        "asks": ["Choose a piece", "Choose where it goes"],
        "choices": {"pass": "Pass"},
        "unit": ["point", "points"],
    }


def view_move(move: int) -> dict[str, Any]:
    if move == PASS:
        return {"parts": ["pass"], "text": "passes, blocked"}
    source, target = square_name(move & 63), square_name(move >> 6)
    return {
        "parts": [source, target],
        "text": f"{source} to {target}",
        "events": [{"do": "slide", "path": [source, target]}],
    }


def _colour(state: State) -> str:
    return "black" if state.turn == 0 else "white"
