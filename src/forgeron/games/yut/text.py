"""Yut Nori in writing: moves, positions, drawings.

A move is ``s12:3`` (the group on station 12 uses geol), ``s0:2`` (a new piece), ``s15:-1a`` or ``s15:-1b`` (back-do
where two ways lead back); a throw is ``t3``. A position is one token: the stations of red's pieces and of blue's,
whose turn it is, and what is in hand: results to use, and ``t`` when a throw is due: ``0,0,12,12/0,5,5,30:r:4,t``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from forgeron import NotationError
from forgeron.games.yut.board import BACK_DO, FORKS, GRID, HOME, NAMES, START, STATIONS, STEPS, back, targets
from forgeron.games.yut.piece_lists import is_over, make_state, queue, stations, throwing, whose_turn
from forgeron.games.yut.rules import WAY_B, State, groups

SEATS = ("red", "blue")
MOVE_HELP = "station:result, for example s12:3 or s0:2; back-do is s4:-1, or s15:-1a / s15:-1b at a fork; a throw is t3"

_RESULTS = {str(steps): result for result, steps in enumerate(STEPS)} | {name: i for i, name in enumerate(NAMES)}
_THROW = re.compile(r"t(-?[0-9]+|[a-z-]+)")
_MOVE = re.compile(r"s([0-9]{1,2}):(-?[0-9]+|do|gae|geol|yut|mo|back-do)([ab]?)")


def format_move(move: int) -> str:
    """
    >>> format_move(2), format_move(12 | 3 << 5), format_move(15 | 6 << 5), format_move(15 | 6 << 5 | 256)
    ('t3', 's12:3', 's15:-1a', 's15:-1b')
    """
    if move < 32:
        return f"t{STEPS[move]}"
    station, result = move & 31, (move >> 5 & 7) - 1
    way = ("b" if move & WAY_B else "a") if result == BACK_DO and station in FORKS else ""
    return f"s{station}:{STEPS[result]}{way}"


def parse_move(text: str) -> int:
    """Reads the tokens of `format_move`, with capitals and with names of results too: S12:geol."""

    def refuse(why: str) -> NotationError:
        return NotationError(f"'{text}' is not a Yut Nori move: {why}")

    token = text.lower()
    match = _THROW.fullmatch(token)
    if match:
        if match[1] not in _RESULTS:
            raise refuse("a throw is t1, t2, t3, t4, t5 or t-1")
        return _RESULTS[match[1]]
    match = _MOVE.fullmatch(token)
    if not match:
        raise refuse(f"a move is written {MOVE_HELP}")
    station = int(match[1])
    if station >= STATIONS:
        raise refuse(f"stations are 0 … 30, not {station}")
    if match[2] not in _RESULTS:
        raise refuse("a result is 1, 2, 3, 4, 5 or -1")
    result, way = _RESULTS[match[2]], match[3]
    fork = result == BACK_DO and station in FORKS
    if fork and not way:
        ways = back(station)
        raise refuse(f"two ways lead back from {station}: add a for {ways[0]} or b for {ways[1]}")
    if way and not fork:
        raise refuse(f"a and b are for back-do from {', '.join(map(str, FORKS))}, where two ways lead back")
    return station | result + 1 << 5 | (WAY_B if way == "b" else 0)


def parse_turn(text: str) -> list[int]:
    """One move, or several with spaces between."""
    return [parse_move(token) for token in text.split()] or [parse_move(text)]


def named(result: int) -> str:
    """
    >>> named(0), named(5)
    ('do (1)', 'back-do (-1)')
    """
    return f"{NAMES[result]} ({STEPS[result]})"


def in_hand(state: State) -> str:
    """The results to use, by name: ``2 × yut (4), gae (2)``."""
    counted = Counter(queue(state))
    return ", ".join(f"{n} × {named(result)}" if n > 1 else named(result) for result, n in counted.items())


def why_illegal(state: State, move: int, legal: list[str]) -> str:
    """What is wrong with a move that `parse_move` read and the rules refuse."""
    colour = SEATS[whose_turn(state)]
    if throwing(state):
        return f"{colour} must throw first: {', '.join(legal)}"
    if move < 32:
        return f"there is nothing to throw now; {colour} has to use {in_hand(state)}"
    station, result = move & 31, (move >> 5 & 7) - 1
    if station == HOME:
        return "pieces that are home (30) stay there"
    own = int(groups(state, np.uint64(whose_turn(state))))
    here = ", ".join(str(s) for s in range(HOME) if own >> s & 1)
    if not own >> station & 1:
        place = f"stands on station {station}" if station else "waits at the start (0)"
        return f"no piece of yours {place}; yours that can move: {here}"
    if result not in queue(state):
        return f"you have no {named(result)} to use; your throws: {in_hand(state)}"
    if station == START and result == BACK_DO:
        return f"back-do must be used by a piece on the board: {', '.join(t for t in legal if t.endswith(_BACK_ENDS))}"
    return f"legal here: {', '.join(legal)}"


_BACK_ENDS = (":-1", ":-1a", ":-1b")


def format_state(state: State) -> str:
    sides = "/".join(",".join(map(str, stations(state, seat))) for seat in (0, 1))
    hand = [str(STEPS[result]) for result in queue(state)] + ["t"] * throwing(state)
    return f"{sides}:{SEATS[whose_turn(state)][0]}:{','.join(hand) or '-'}"


def parse_state(text: str, pieces: int) -> State:
    """The state of a token; pieces and results may come in any order."""
    waiting = ",".join("0" * pieces)

    def refuse(why: str) -> NotationError:
        first = f"{waiting}/{waiting}:r:t"
        return NotationError(f"'{text}' is not a Yut Nori position: {why} (the first position is {first})")

    parts = text.split(":")
    if len(parts) != 3:
        raise refuse("it needs red's stations/blue's stations:turn:in hand")
    board, turn, hand = parts
    sides = [side.split(",") for side in board.split("/")]
    if len(sides) != 2 or any(len(side) != pieces for side in sides):
        raise refuse(f"each side has {pieces} station{'s' * (pieces > 1)}, with commas between")
    if not all(re.fullmatch(r"[0-9]{1,2}", station) for side in sides for station in side):
        raise refuse("stations are numbers 0 … 30")
    if turn not in ("r", "b"):
        raise refuse(f"the turn is r or b, not '{turn}'")
    tokens = [] if hand == "-" else hand.split(",")
    strange = [token for token in tokens if token != "t" and token not in _RESULTS]
    if strange or tokens.count("t") > 1:
        raise refuse("in hand are results 1 … 5 and -1 with commas between, and one t when a throw is due, or -")
    try:
        return make_state(
            [[int(station) for station in side] for side in sides],
            "rb".index(turn),
            [_RESULTS[token] for token in tokens if token != "t"],
            "t" in tokens,
        )
    except NotationError as error:
        raise refuse(str(error)) from None


def draw(state: State, last_move: str | None = None) -> str:
    """The board: each station's number, R or B with the size of the group on it; the last move in brackets."""
    sides = [Counter(stations(state, seat)) for seat in (0, 1)]
    marked = _stations_of(last_move)
    lines = []
    for row in GRID:
        line = ""
        for station in row:
            group = "".join(f":{'RB'[seat]}{sides[seat][station]}" for seat in (0, 1) if sides[seat][station])
            cell = f"{station}{group}" if station else ""
            line += (f"[{cell}]" if station and station in marked else f" {cell} ").ljust(8)
        lines.append(line.rstrip())
    for seat in (0, 1):
        lines.append(
            f" {'RB'[seat]} = {SEATS[seat]:<4}  at the start: {sides[seat][START]}   home: {sides[seat][HOME]}"
        )
    lines.append(f" {_status(state)}")
    return "\n".join(lines)


def _stations_of(move: str | None) -> set[int]:
    """The stations that the moves of a turn leave and reach; none for a throw."""
    found: set[int] = set()
    for token in (move or "").split():
        if not token.startswith("t"):
            number = parse_move(token)
            station, result = number & 31, (number >> 5 & 7) - 1
            found |= {station, targets(station, result)[number // WAY_B]}
    return found


def _status(state: State) -> str:
    colour = SEATS[whose_turn(state)]
    if is_over(state):
        return f"{colour} is home and wins"
    held = in_hand(state)
    if throwing(state):
        return f"{colour} throws" + (f", and has {held} to use" if held else "")
    return f"{colour} to move, with {held} to use"


def compose(pieces: int, places: Mapping[str, str], turn: int) -> str:
    """The token of these pieces (r, b; several on a station: rr), about to throw; the others are at the start."""
    sides = []
    for letter in "rb":
        found = [station for station, content in places.items() for one in content if one == letter]
        sides.append(",".join(["0"] * max(pieces - len(found), 0) + found))
    return f"{'/'.join(sides)}:{'rb'[turn]}:t"
