"""A hand-made evaluation of Yut Nori: turns still needed, what is in hand, and who can be hit.

The unit of everything is the turn: what a piece alone is expected to need from a station to be home.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from forgeron.core.bits import ONE, ctz, without_lowest
from forgeron.core.contract import CHANCE
from forgeron.core.jit import compiled
from forgeron.core.weights import read_weights
from forgeron.games.yut.board import HOME, MO, SHARES, START, STATIONS, STEPS, WHOLE, YUT, targets
from forgeron.games.yut.rules import count_at, groups, mover, pieces, results, rule

#: What one turn adds to the log-odds when it is needed by: a piece at the start; a group of 1, 2, 3, 4 pieces on the
#: board. Then: a turn's worth of results in hand; the loss that the player on turn threatens now; the loss that the
#: other one will threaten with the next throw.
NAMES = ("waiting", "single", "pair", "triple", "four", "in hand", "threat", "exposure")
WEIGHTS = read_weights(files(__package__) / "weights.json", "yut", NAMES)


def turns_home(sweeps: int = 60) -> np.ndarray:
    """The expected number of turns of a piece alone from each station, the throws after yut and mo being part of the
    turn; where two ways lead back it takes the shorter one."""
    turns = np.zeros(STATIONS)
    for _ in range(sweeps):
        for station in reversed(range(HOME)):
            expected = 1.0
            for result in range(6):
                ahead = min(turns[target] for target in targets(station, result))
                same_turn = 1.0 if result in (YUT, MO) and ahead else 0.0
                expected += SHARES[result] / WHOLE * (ahead - same_turn)
            turns[station] = expected
    return turns


def _make_sources() -> np.ndarray:
    """At 8 × station + result: the stations from which a group hits it with that result."""
    sources = np.zeros(8 * STATIONS, dtype=np.uint64)
    for source in range(HOME):
        for result in range(6):
            for target in targets(source, result):
                if START < target < HOME:
                    sources[8 * target + result] |= np.uint64(1 << source)
    return sources


_TURNS = turns_home()
_SOURCES = _make_sources()
_CHANCES = np.array(SHARES) / WHOLE
#: What each result is worth in turns: the steps it makes of the 21 of the outer way. A throw brings its repeats too.
_WORTH = np.array(STEPS) * (_TURNS[START] / 21)
_THROW = float(np.dot(_CHANCES, _WORTH)) / (1 - _CHANCES[YUT] - _CHANCES[MO])

_255 = np.uint64(255)
_BOARD = np.uint64(sum(1 << station for station in range(1, HOME)))


@compiled
def danger(station, attackers, kinds, throwing):
    """The probability that groups on the stations `attackers` hit `station`: certain with a result in hand (`kinds` as
    `results` gives them), else with the next throw if they have one."""
    total = 0.0
    for result in range(6):
        if _SOURCES[np.int64(station) * 8 + result] & attackers:
            if (kinds >> np.uint64(8 * result + 7)) & ONE:
                return 1.0
            if throwing:
                total += _CHANCES[result]
    return total


@compiled
def need(state, seat, weights):
    """The weighted turns that a side still needs: groups move as one."""
    left = groups(state, seat) & _BOARD
    waiting = np.int64(pieces(state)) - np.int64(count_at(state, seat, np.uint64(HOME)))
    total = 0.0
    while left:
        station = ctz(left)
        left = without_lowest(left)
        size = np.int64(count_at(state, seat, station))
        waiting -= size
        total += weights[size] * _TURNS[np.int64(station)]
    return total + weights[0] * _TURNS[0] * waiting


@compiled
def exposure(state, seat, kinds, throwing):
    """The turns that a side must expect to lose when the other one has these results and perhaps a throw."""
    attackers = groups(state, ONE - seat)
    left = groups(state, seat) & _BOARD
    total = 0.0
    while left:
        station = ctz(left)
        left = without_lowest(left)
        loss = _TURNS[0] * np.float64(count_at(state, seat, station)) - _TURNS[np.int64(station)]
        total += danger(station, attackers, kinds, throwing) * loss
    return total


@compiled
def in_hand(state):
    """What the player on turn has in hand, in turns."""
    total = 0.0
    for result in range(6):
        total += _WORTH[result] * np.float64((state.info >> np.uint64(8 + 8 * result)) & _255)
    return total + (_THROW if state.info & np.uint64(CHANCE) else 0.0)


@rule
def evaluate(state, weights):
    seat = mover(state)
    other = ONE - seat
    throwing = (state.info & np.uint64(CHANCE)) != np.uint64(0)
    value = (
        need(state, other, weights)
        - need(state, seat, weights)
        + weights[5] * in_hand(state)
        + weights[6] * exposure(state, other, results(state), throwing)
        - weights[7] * exposure(state, seat, np.uint64(0), True)
    )
    return value if seat == np.uint64(0) else -value
