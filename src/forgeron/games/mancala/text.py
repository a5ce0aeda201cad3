"""Coloured Mancala in writing: moves, positions, drawings.

A position is one token: holes 1 … 16 with their red, blue and transparent seeds (``-`` for an empty one), who is to
move (1 or 2), the seeds captured by the first and the second player, and the number of plies played:
``2r2b2t/2r2b2t/…/2r2b2t:1:0:0:0``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from forgeron import NotationError
from forgeron.games.mancala.rules import (
    ALTERNATE,
    SEEDS,
    TURN,
    State,
    is_over,
    limit_of,
    mover,
    pack_info,
    ply_of,
    taken_by,
)
from forgeron.games.mancala.sowing_tables import circle

KINDS = ("R", "B", "TR", "TB")
SEATS = ("first", "second")
#: Added to the number of a move from a hole that is not the mover's: such a move is never legal.
_NOT_OWN = 64
_MOVE = re.compile(r"([0-9]{1,2})([A-Z]+)", re.IGNORECASE)
_HOLE = re.compile(r"(?:[0-9]{1,2}[rbt])+", re.IGNORECASE)
_COLOURS = {"r": "red", "b": "blue", "t": "transparent"}
_MARKS = ("●", "○")

Hole = tuple[int, int, int]
"""red, blue and transparent seeds"""


def _places(state: State) -> tuple[tuple[int, int], ...]:
    info = int(state.info)  # NumPy's scalars would be most of the cost of reading or writing a move
    return circle(info >> int(ALTERNATE) & 1, info >> int(TURN) & 1)


def holes(state: State) -> list[Hole]:
    """The seeds of holes 1 … 16."""
    sides = (state[0:3], state[3:6])
    found = []
    for side, byte in _places(state):
        red, blue, clear = (int(word) >> 8 * byte & 255 for word in sides[side])
        found.append((red, blue, clear))
    return found


def owner(state: State, hole: int) -> int:
    """The seat that owns hole 1 … 16."""
    return _places(state)[hole - 1][0] ^ int(mover(state.info))


def points(state: State) -> tuple[int, int]:
    """The seeds captured by the first and the second player."""
    return int(taken_by(state.info, 0)), int(taken_by(state.info, 1))


def format_move(state: State, move: int) -> str:
    hole = _places(state).index((move // _NOT_OWN, move % _NOT_OWN // 8)) + 1
    return f"{hole}{KINDS[move % 8]}"


def parse_move(state: State, text: str) -> int:
    """Reads 3R, 5B, 14TR and 14TB, in capitals or not; the hole may be anybody's."""
    match = _MOVE.fullmatch(text)
    if not match:
        raise NotationError(
            f"'{text}' is not a move of Coloured Mancala; write a hole and R, B, TR or TB, for example 3R or 14TB"
        )
    hole, kind = int(match[1]), match[2].upper()
    if not 1 <= hole <= 16:
        raise NotationError(f"'{text}': there is no hole {hole}; holes are 1 … 16")
    if kind == "T":
        raise NotationError(
            f"'{text}' does not say how the transparent seeds are sown; write {hole}TR (as red) or {hole}TB (as blue)"
        )
    if kind not in KINDS:
        raise NotationError(f"'{text}' names no colour; after the hole comes R, B, TR or TB")
    side, byte = _places(state)[hole - 1]
    return _NOT_OWN * side + 8 * byte + KINDS.index(kind)


def why_illegal(state: State, move: int, legal: list[str]) -> str:
    """What is wrong with a move that `parse_move` read and the rules refuse."""
    token = format_move(state, move)
    hole = int(token.rstrip("RBT"))
    seat = int(mover(state.info))
    if move >= _NOT_OWN:
        own = [str(one) for one in range(1, 17) if owner(state, one) == seat]
        return f"hole {hole} is the opponent's; the {SEATS[seat]} player's are {', '.join(own)}"
    same_hole = [one for one in legal if one.rstrip("RBT") == str(hole)]
    shown = same_hole or legal
    listed = ", ".join(shown[:12]) + (", …" if len(shown) > 12 else "")
    lacking = _COLOURS[KINDS[move % 8][0].lower()]
    what = f"has no {lacking} seed" if same_hole else "is empty"
    return f"hole {hole} {what}; legal here: {listed}"


def format_state(state: State) -> str:
    board = "/".join(
        "".join(f"{n}{letter}" for n, letter in zip(seeds, _COLOURS, strict=True) if n) or "-" for seeds in holes(state)
    )
    first, second = points(state)
    return f"{board}:{int(mover(state.info)) + 1}:{first}:{second}:{int(ply_of(state.info))}"


def _parse_hole(text: str) -> Hole:
    """The seeds of one hole; ValueError says what is wrong with it."""
    if text == "-":
        return (0, 0, 0)
    if not _HOLE.fullmatch(text):
        raise ValueError(f"a hole is written like 2r2b2t, or - when it is empty, not '{text}'")
    counts: dict[str, int] = {}
    for n, letter in re.findall(r"([0-9]+)([rbt])", text.lower()):
        if letter in counts:
            raise ValueError(f"'{text}' names {_COLOURS[letter]} twice")
        counts[letter] = int(n)
    return (counts.get("r", 0), counts.get("b", 0), counts.get("t", 0))


def _check_seeds(board: list[Hole], taken: tuple[int, int]) -> None:
    """ValueError unless these can be the 96 seeds of a game."""
    for name, n in zip(_COLOURS.values(), map(sum, zip(*board, strict=True)), strict=True):
        if n > SEEDS // 3:
            raise ValueError(f"there are {n} {name} seeds; a game has {SEEDS // 3}")
    left = sum(map(sum, board))
    if left + sum(taken) != SEEDS:
        raise ValueError(f"{left} seeds on the board and {taken[0]} + {taken[1]} captured must make {SEEDS}")


def build_state(
    board: list[Hole], turn: int, taken: tuple[int, int], ply: int, *, limit: int, alternate: bool, forty: bool
) -> State:
    """The state with these seeds in holes 1 … 16."""
    words = [[0, 0, 0], [0, 0, 0]]
    for (side, byte), seeds in zip(circle(alternate, turn), board, strict=True):
        for colour, n in enumerate(seeds):
            words[side][colour] |= n << 8 * byte
    info = pack_info(turn, taken, ply, limit=limit, alternate=alternate, forty=forty)
    return State._make([*(np.uint64(word) for side in words for word in side), info])


def parse_state(text: str, *, limit: int, alternate: bool, forty: bool) -> State:
    """The state of a token under these options; the plies may be left out."""

    def refuse(why: str) -> NotationError:
        return NotationError(
            f"'{text}' is not a position of Coloured Mancala: {why} (a position is 16 holes joined by /, then "
            f":turn:captured by 1:captured by 2:plies)"
        )

    parts = text.split(":")
    if len(parts) not in (4, 5):
        raise refuse(f"it has {len(parts)} parts joined by ':', not 5")
    if parts[1] not in ("1", "2"):
        raise refuse(f"the turn is 1 or 2, not '{parts[1]}'")
    turn = int(parts[1]) - 1
    if not all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts[2:]):
        raise refuse("captured seeds and plies are numbers")
    taken = int(parts[2]), int(parts[3])
    ply = int(parts[4]) if len(parts) == 5 else turn
    if ply > limit:
        raise refuse(f"{ply} plies were played, but the game ends after {limit}")
    if ply % 2 != turn:
        raise refuse(f"after {ply} plies the {SEATS[ply % 2]} player is to move")
    written = parts[0].split("/")
    if len(written) != 16:
        raise refuse(f"it has {len(written)} holes, not 16")
    try:
        board = [_parse_hole(one) for one in written]
        _check_seeds(board, taken)
    except ValueError as error:
        raise refuse(str(error)) from None
    state = build_state(board, turn, taken, ply, limit=limit, alternate=alternate, forty=forty)
    if not is_over(state.info) and not state.my_red | state.my_blue | state.my_clear:
        raise refuse(f"the {SEATS[turn]} player is to move and has no seed: the move before ended the game")
    return state


def reason(state: State) -> str:
    """Why the game is over. A starved player leaves an empty board, because the other takes the rest."""
    first, second = points(state)
    if first + second == SEEDS:
        return "starving"
    if max(first, second) >= 49:
        return "49 seeds"
    if first + second > SEEDS - 10:
        return "fewer than 10 seeds left"
    if ply_of(state.info) >= limit_of(state.info):
        return "ply limit"
    return "both have 40 seeds"


def draw(state: State, last_move: str | None = None) -> str:
    """The circle in two rows, 1 … 8 above and 16 … 9 below: ● holes of the first player, ○ of the second, the hole of
    the last move in brackets."""
    seeds = holes(state)
    marked = int(last_move.rstrip("RBT")) if last_move else 0

    def heads(row: list[int]) -> str:
        cells = (f"[{hole}{_MARKS[owner(state, hole)]}]" if hole == marked else _head(state, hole) for hole in row)
        return (" " + "".join(f"{cell:>6}" for cell in cells)).rstrip()

    def counts(row: list[int]) -> list[str]:
        return [
            f" {letter.upper()}" + "".join(f"{seeds[hole - 1][colour] or '·':>4}  " for hole in row).rstrip()
            for colour, letter in enumerate(_COLOURS)
        ]

    def totals(row: list[int]) -> str:
        return " =" + "".join(f"{sum(seeds[hole - 1]) or '·':>4}  " for hole in row).rstrip()

    above, below = list(range(1, 9)), list(range(16, 8, -1))
    first, second = points(state)
    plies = f"ply {int(ply_of(state.info))} of {int(limit_of(state.info))}"
    whose = reason(state) if is_over(state.info) else f"{SEATS[int(mover(state.info))]} to move"
    lines = [heads(above), *counts(above), totals(above), "", totals(below), *counts(below), heads(below), ""]
    lines.append(f" ● first {first}   ○ second {second}   {plies}   {whose}")
    if last_move:
        lines.append(f" last move {last_move}")
    return "\n".join(lines)


def _head(state: State, hole: int) -> str:
    return f"{hole}{_MARKS[owner(state, hole)]} "


def compose(places: Mapping[str, str], turn: int) -> str:
    """The token of these holes, such as 2r2b2t; what is missing was captured by both sides in equal parts."""
    found = [places.get(str(hole), "-") or "-" for hole in range(1, 17)]
    missing = max(SEEDS - sum(int(count) for text in found for count in re.findall(r"[0-9]+", text)), 0)
    return f"{'/'.join(found)}:{turn + 1}:{(missing + 1) // 2}:{missing // 2}:0"
