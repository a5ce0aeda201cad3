"""How good a result is: the classes of the assignment and the grades of the course's server."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from forgeron.games.yinsh.point_sets import State
from forgeron.games.yinsh.state import TURN, goal_of, removed
from forgeron.games.yinsh.text import sets_by_colour


class Result(IntEnum):
    """The classes of results, the worst first."""

    LOSS = -2
    STALEMATE_LOSS = -1
    DRAW = 0
    STALEMATE_WIN = 1
    WIN = 2


class Ranking(NamedTuple):
    """A result as one seat sees it; a greater one is better.

    >>> Ranking(Result.WIN, 3, -10) > Ranking(Result.WIN, 2, 20) > Ranking(Result.STALEMATE_WIN, 2, 30)
    True
    """

    result: Result
    rings: int
    """within the class: the lead in removed rings, or in a draw the rings each side removed"""
    markers: int
    """own markers on the board less those of the other side"""


def rank(state: State, seat: int) -> Ranking:
    """The result of a finished game for one seat; of an unfinished one, what it would be if it stopped here."""
    own, other = (int(removed(state, np.uint64(s))) for s in (seat, 1 - seat))
    sets = sets_by_colour(state)
    white = sets["w"].bit_count() - sets["b"].bit_count()
    lead = own - other
    markers = white if seat == 0 else -white
    if max(own, other) == goal_of(state.options):
        result = Result.WIN if lead > 0 else Result.LOSS
    else:
        result = Result.STALEMATE_WIN if lead > 0 else Result.STALEMATE_LOSS if lead < 0 else Result.DRAW
    return Ranking(result, lead or own, markers)


def rank_forfeit(state: State, seat: int, loser: int) -> Ranking:
    """The result for a seat of a game that `loser` lost by a fault: as if its opponent had all the rings it needs."""
    lacking = int(goal_of(state.options)) - int(removed(state, np.uint64(loser)))
    markers = rank(state, seat).markers
    return Ranking(Result.LOSS, -lacking, markers) if seat == loser else Ranking(Result.WIN, lacking, markers)


def grade(state: State, seat: int) -> float:
    """The course's score: 10 for 3-0 down to 0 for 0-3, and a thousandth for each own marker on the board.

    With another L than 3 the steps are the same and there are more or fewer of them, from 0 to 4 L - 2.
    """
    return grade_of(state, seat, rank(state, seat))


def grade_of(state: State, seat: int, ranking: Ranking) -> float:
    """The same for a result that is known."""
    goal = int(goal_of(state.options))
    result, rings, _ = ranking
    steps = 0
    if result is not Result.DRAW:
        steps = abs(rings) + (goal - 1 if abs(result) == Result.WIN else 0)
    markers = sets_by_colour(state)["wb"[seat]].bit_count()
    return 2 * goal - 1 + (steps if result > 0 else -steps) + markers / 1000


def ended_by(state: State) -> str:
    """Why a finished game is over: `win` by enough rings, `stalemate` with more rings, `draw` with as many."""
    result = rank(state, int(state.stage & TURN)).result
    return "draw" if result is Result.DRAW else "win" if abs(result) == Result.WIN else "stalemate"
