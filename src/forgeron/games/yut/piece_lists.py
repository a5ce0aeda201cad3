"""A state as plain lists, and back: the stations of each side's pieces and the results in the queue."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence

import numpy as np

from forgeron import CHANCE, OVER, NotationError
from forgeron.games.yut.board import HOME, START, STATIONS, STEPS
from forgeron.games.yut.rules import MOST_OF_A_KIND, State, count_at, mover, pieces

MOST_PIECES = 4


def stations(state: State, seat: int) -> list[int]:
    """Where the pieces of a side stand, in ascending order: 0 at the start, 30 at home."""
    placed = [s for s in range(1, STATIONS) for _ in range(int(count_at(state, np.uint64(seat), np.uint64(s))))]
    return [START] * (int(pieces(state)) - len(placed)) + placed


def queue(state: State) -> list[int]:
    """The numbers of the results that wait to be used: do, gae, geol, yut, mo, then back-do."""
    return [result for result in range(6) for _ in range(int(state.info) >> (8 + 8 * result) & 255)]


def throwing(state: State) -> bool:
    """Whether the sticks are to be thrown now."""
    return int(state.info) & 3 == int(CHANCE)


def is_over(state: State) -> bool:
    return int(state.info) & 3 == int(OVER)


def whose_turn(state: State) -> int:
    """The seat whose turn it is, also while it throws; the winner when the game is over."""
    return int(mover(state))


def make_state(sides: Sequence[Sequence[int]], seat: int, results: Sequence[int], throw: bool) -> State:
    """The state of these lists; a position that cannot be raises a NotationError that says why.

    A queue that no throw could have brought (two do, say) is allowed: it is a fair question what to do with it.
    Stations may be numbers of NumPy, of any width.
    """
    sides = [[operator.index(station) for station in side] for side in sides]
    number = len(sides[0])
    if not 1 <= number <= MOST_PIECES or len(sides[1]) != number:
        raise NotationError(f"each side has the same number of pieces, 1 … 4, not {number} and {len(sides[1])}")
    for side in sides:
        for station in side:
            if not START <= station <= HOME:
                raise NotationError(f"stations are 0 … 30, not {station}")
    shared = {s for s in sides[0] if START < s < HOME} & set(sides[1])
    if shared:
        raise NotationError(f"both sides stand on station {min(shared)}; landing on enemies sends them back to 0")
    winners = [i for i in (0, 1) if all(station == HOME for station in sides[i])]
    _check_queue(winners, seat, results, throw)
    planes = [0, 0, 0]
    for i, side in enumerate(sides):
        for station, n in Counter(side).items():
            if station != START:
                for digit in range(3):
                    planes[digit] |= (n >> digit & 1) << (32 * i + station)
    who = int(OVER) if winners else int(CHANCE) if throw else seat
    info = who | seat << 2 | number << 3 | sum(1 << (8 + 8 * result) for result in results)
    return State(np.uint64(planes[0]), np.uint64(planes[1]), np.uint64(planes[2]), np.uint64(info))


def _check_queue(winners: list[int], seat: int, results: Sequence[int], throw: bool) -> None:
    if len(winners) == 2:
        raise NotationError("both sides are home; the first one there has won")
    if winners and (seat != winners[0] or results or throw):
        raise NotationError("a side is home and has won: it is its turn, with nothing to throw or to use")
    if not winners and not results and not throw:
        raise NotationError("the game goes on, so there is a throw to make or a result to use")
    for result, n in Counter(results).items():
        if n > MOST_OF_A_KIND:
            raise NotationError(f"{n} results of {STEPS[result]} are more than the {MOST_OF_A_KIND} that are kept")
