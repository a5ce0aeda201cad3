"""Yut Nori for a page: the stations, the pieces, the results in hand, and each move with its way."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from forgeron.games.yut.board import BACK_DO, GRID, HOME, LINES, NAMES, START, STEPS, route, targets
from forgeron.games.yut.piece_lists import is_over, queue, stations, throwing, whose_turn
from forgeron.games.yut.rules import WAY_B, State, count_at

#: The stations of an outer side are evenly spaced: the drawing for a terminal leaves its middle column empty.
_EVEN = {0: 0.0, 1: 1.2, 2: 2.4, 4: 3.6, 5: 4.8, 6: 6.0}


def view(state: State) -> dict[str, Any]:
    """Everything a page needs: places of the stations, groups, what waits and what is home, and what is in hand."""
    sides = [Counter(stations(state, seat)) for seat in (0, 1)]
    hand = queue(state)
    return {
        "board": "yut",
        "places": [
            [station, _EVEN[x] if y in (0, 6) else float(x), _EVEN[y] if x in (0, 6) else float(y)]
            for y, row in enumerate(GRID)
            for x, station in enumerate(row)
            if station
        ],
        "lines": [[str(station) for station in line] for line in LINES],
        "start": "0",
        "finish": str(HOME),
        "groups": [
            [seat, station, sides[seat][station]]
            for seat in (0, 1)
            for station in range(1, HOME)
            if sides[seat][station]
        ],
        "waiting": [side[START] for side in sides],
        "home": [side[HOME] for side in sides],
        "queue": [STEPS[result] for result in hand],
        "queue_names": [NAMES[result] for result in hand],
        "throwing": throwing(state),
        "over": is_over(state),
        "asks": ["Choose a throw to use", "Choose a piece", "Choose where it goes"],
        "choices": {f"r{STEPS[result]}": f"{NAMES[result]}, {_steps(result)}" for result in hand}
        | {"pass": "Back-do changes nothing"},
        "unit": ["piece home", "pieces home"],
        "throw": "Throw the sticks",
    }


def view_move(state: State, move: int) -> dict[str, Any]:
    """The parts of a move are the result, the station of the group, and where it goes; or that nothing moves."""
    if move < 32:
        thrown = {"do": "throw", "steps": STEPS[move], "name": NAMES[move]}
        return {"parts": [f"t{STEPS[move]}"], "text": f"throws {NAMES[move]}, {_steps(move)}", "events": [thrown]}
    station, result = move & 31, (move >> 5 & 7) - 1
    target = targets(station, result)[move // WAY_B]
    text = f"{NAMES[result]}: " + (f"{station or 'a new piece'} to {target}" if target != HOME else f"{station} home")
    if target == START:
        return {"parts": ["pass"], "text": "back-do changes nothing: no piece is on the board", "events": []}
    way = [target] if result == BACK_DO else route(station, STEPS[result])
    events: list[dict[str, Any]] = [{"do": "slide", "path": [str(one) for one in (station, *way)]}]
    other = np.uint64(1 - whose_turn(state))
    caught = int(count_at(state, other, np.uint64(target))) if target != HOME else 0
    if caught:
        events.append({"do": "take", "at": [str(target)]})
        text += f", sends {caught} piece{'s' * (caught > 1)} back to the start"
    return {"parts": [f"r{STEPS[result]}", str(station), str(target)], "text": text, "events": events}


def _steps(result: int) -> str:
    if result == BACK_DO:
        return "one step back"
    return "1 step" if STEPS[result] == 1 else f"{STEPS[result]} steps"
