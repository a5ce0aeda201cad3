"""How two programs of a course judge moves in Yut Nori, rebuilt from their description: a yardstick for other players.

Both count the turns that each piece still needs, a stack's pieces for less, own against enemy. `example` looks at the
position after one move. `report` (final report of team 202411, CoE202, KAIST) has a bonus and a penalty more, and
searches further: `report_search`.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled, kernel
from forgeron.bits import ONE, ctz, without_lowest
from forgeron.contract import moves, play
from forgeron.games.yut.board import GAE, GEOL, HOME, MO, SHARES, START, STATIONS, WHOLE, YUT, targets
from forgeron.games.yut.rules import count_at, mover, pieces


def turns_to_go(throws: int, sweeps: int) -> np.ndarray:
    """The expected number of turns of a piece alone, of whose throws in a turn the first `throws` are counted.

    Where two ways lead back it takes the second. So many `sweeps` are made, from 0 for all stations.
    """
    steps = [
        [targets(station, result)[-1] if station < HOME else HOME for station in range(STATIONS)] for result in range(6)
    ]
    turns = np.zeros(STATIONS)
    for _ in range(sweeps):
        done = again = 1.0 + turns
        for _ in range(throws):
            after = [again if result in (YUT, MO) else done for result in range(6)]
            again = np.sum([SHARES[result] / WHOLE * after[result][steps[result]] for result in range(6)], axis=0)
        turns = again.copy()
        turns[HOME] = 0.0
    return turns


def _make_dangers() -> np.ndarray:
    """For each station the set of stations two or three behind it. The report's list leaves out, for 29, the two that
    come through the middle."""
    dangers = np.zeros(STATIONS, dtype=np.uint64)
    for source in range(HOME):
        for result in (GAE, GEOL):
            target = targets(source, result)[0]
            if target != HOME and not (target == 29 and source in (15, 23)):
                dangers[target] |= np.uint64(1 << source)
    return dangers


#: What each piece of a stack of 0 … 4 counts, of its turns.
_MULTIPLIERS = np.array([0.0, 1.0, 0.7, 0.4, 0.3])
_EXAMPLE_TURNS = turns_to_go(throws=20, sweeps=100)
_REPORT_TURNS = turns_to_go(throws=2, sweeps=10)
_DANGERS = _make_dangers()
_DANGER_COUNTS = np.array([bin(int(sources)).count("1") for sources in _DANGERS])
_CAPTURE = 1.0


@compiled
def at(state, seat, station):
    """How many pieces of a side are on a station 0 … 30."""
    if station != START:
        return np.int64(count_at(state, seat, np.uint64(station)))
    placed = np.int64(0)
    for other in range(1, STATIONS):
        placed += np.int64(count_at(state, seat, np.uint64(other)))
    return np.int64(pieces(state)) - placed


@compiled
def to_go(state, seat, turns):
    """The turns of a side's pieces, stacks for less."""
    total = turns[START] * at(state, seat, START)
    for station in range(1, HOME):
        n = at(state, seat, station)
        total += turns[station] * n * _MULTIPLIERS[n]
    return total


@compiled
def habits(state, seat, capture_bonus, landing_penalty):
    """The report's bonus for standing where an enemy stands (which leaves the start and home), less its penalty for
    each enemy two or three behind, the higher the more stations are."""
    other = ONE - seat
    total = 0.0
    for station in (START, HOME):
        if at(state, other, station):
            total += capture_bonus * at(state, seat, station)
    for station in range(1, HOME):
        n = at(state, seat, station)
        sources = _DANGERS[station]
        while n and sources:
            enemies = at(state, other, np.int64(ctz(sources)))
            total -= landing_penalty * _DANGER_COUNTS[station] * n * enemies
            sources = without_lowest(sources)
    return total


@compiled
def report_judgement(state, seat, capture_bonus, landing_penalty):
    other = ONE - seat
    lead = to_go(state, other, _REPORT_TURNS) - to_go(state, seat, _REPORT_TURNS)
    mine = habits(state, seat, capture_bonus, landing_penalty)
    return lead + mine - habits(state, other, capture_bonus, landing_penalty)


@kernel
def rate_as_example(state, out, values):
    """Write the moves to `out` and what the example player thinks of each to `values`; return how many."""
    seat = mover(state)
    other = ONE - seat
    waiting = at(state, other, START)
    n = moves(state, out)
    for i in range(n):
        child = play(state, out[i])
        values[i] = to_go(child, other, _EXAMPLE_TURNS) - to_go(child, seat, _EXAMPLE_TURNS)
        if at(child, other, START) > waiting:
            values[i] += _CAPTURE
    return n
