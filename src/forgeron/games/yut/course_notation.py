"""The course's way of speaking: pieces with an index, and actions (piece index, result, shortcut).

Our states cannot tell the pieces of a side apart, theirs can: so a program that speaks with a course player keeps the
two tuples of stations and moves them along with `after`.
"""

from __future__ import annotations

from collections.abc import Sequence

from forgeron import NotationError
from forgeron.games.yut.board import BACK_DO, FORKS, HOME, START, STEPS, targets
from forgeron.games.yut.piece_lists import make_state, queue, stations, whose_turn
from forgeron.games.yut.rules import WAY_B, State

#: Index of a piece, result (1 … 5 or -1), and at a fork whether back-do takes way b.
Action = tuple[int, int, bool]
Stations = tuple[int, ...]


def to_course(state: State) -> tuple[Stations, Stations, list[int]]:
    """The mover's stations, the other's, and the results in hand, all new objects of plain integers."""
    seat = whose_turn(state)
    return tuple(stations(state, seat)), tuple(stations(state, 1 - seat)), [STEPS[result] for result in queue(state)]


def from_course(mine: Sequence[int], theirs: Sequence[int], results: Sequence[int], seat: int = 0) -> State:
    """The state in which `seat` is to use these results; without results it is to throw."""
    sides = (mine, theirs) if seat == 0 else (theirs, mine)
    return make_state(sides, seat, [_number(result) for result in results], len(results) == 0)


def move_of(mine: Sequence[int], action: Action) -> int:
    """The number of our move for an action of the player whose pieces stand on `mine`; it need not be legal."""
    index, steps, shortcut = action
    if not 0 <= index < len(mine):
        raise NotationError(f"there is no piece {index}; pieces are 0 … {len(mine) - 1}")
    station, result = int(mine[index]), _number(steps)
    way = WAY_B if shortcut and result == BACK_DO and station in FORKS else 0
    return station | result + 1 << 5 | way


def action_of(mine: Sequence[int], move: int) -> Action:
    """The action for our move, with the first piece that stands on its station.

    >>> action_of((0, 12, 12, 30), 12 | 3 << 5)
    (1, 3, False)
    """
    station, result = move & 31, (move >> 5 & 7) - 1
    if station not in mine:
        raise NotationError(f"no piece stands on station {station}; pieces stand on {', '.join(map(str, mine))}")
    return list(mine).index(station), STEPS[result], bool(move & WAY_B)


def after(mine: Sequence[int], theirs: Sequence[int], action: Action) -> tuple[Stations, Stations, int]:
    """Both tuples after a legal action, and how many pieces it caught.

    >>> after((0, 12, 12, 30), (23, 23, 0, 1), (2, 2, False))
    ((0, 23, 23, 30), (0, 0, 0, 1), 2)
    """
    index = action[0]
    move = move_of(mine, action)
    station, result = move & 31, (move >> 5 & 7) - 1
    target = targets(station, result)[move // WAY_B]
    moved = tuple(target if i == index or (s == station and s != START) else int(s) for i, s in enumerate(mine))
    caught = sum(1 for s in theirs if s == target and START < target < HOME)
    return moved, tuple(START if s == target and START < target < HOME else int(s) for s in theirs), caught


def _number(steps: int) -> int:
    if steps not in STEPS:
        raise NotationError(f"a result is 1, 2, 3, 4, 5 or -1, not {steps}")
    return STEPS.index(steps)
