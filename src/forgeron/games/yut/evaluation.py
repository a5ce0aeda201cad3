"""A hand-made evaluation of Yut Nori: turns still needed, what is in hand, who can be hit and who can join.

The unit is the turn: what a piece alone is expected to need from a station to be home. The chances of a turn count the
throws after yut and mo and all orders of using them.
"""

from __future__ import annotations

import numpy as np

from forgeron import CHANCE, compiled
from forgeron.bits import ONE, ZERO, ctz, without_lowest
from forgeron.games.yut.board import HOME, MO, SHARES, START, STATIONS, STEPS, WHOLE, YUT, targets
from forgeron.games.yut.casts import CAST_CHANCES, CAST_MASKS, turns_home
from forgeron.games.yut.rules import count_at, groups, mover, pieces, results, rule

#: What is weighed. The turns still needed, each side's against the other's: by pieces at the start; by groups of 1, 2,
#: 3, 4 pieces on the board. Then for the player on turn: the turns' worth of what is in hand; the turns that the enemy
#: must expect to lose now, and the chance that he is hit at all; the turns that the enemy's next throw may cost, and
#: its chance to hit; the chance to join two groups now, and the enemy's next time.
PARTS = (
    "waiting", "single", "pair", "triple", "four",
    "in hand", "threat", "capture", "exposure", "captured", "join", "enemy joins",
)  # fmt: skip
#: Each part has a weight in log-odds, and a second one that is added in the measure in which the end is near.
NAMES = (*PARTS, *(f"{part}, late" for part in PARTS))


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
#: What each result is worth in turns: the steps it makes of the 21 of the outer way. A throw brings its repeats too.
_WORTH = np.array(STEPS) * (_TURNS[START] / 21)
_CHANCES = np.array(SHARES) / WHOLE
_THROW = float(np.dot(_CHANCES, _WORTH)) / (1 - _CHANCES[YUT] - _CHANCES[MO])

_8 = np.uint64(8)
_16 = np.uint64(16)
_255 = np.uint64(255)
_N = len(PARTS)
_ALL = np.uint64((1 << 24) - 1)
_BOARD = np.uint64(sum(1 << station for station in range(1, HOME)))


@compiled
def probability(casts):
    """The probability of a set of casts."""
    low, middle, high = casts & _255, (casts >> _8) & _255, casts >> _16
    return CAST_CHANCES[low] + CAST_CHANCES[np.uint64(256) + middle] + CAST_CHANCES[np.uint64(512) + high]


@compiled
def casts_onto(station, attackers, kinds, throwing):
    """The casts with which groups on the stations `attackers` get to `station`: all of them with a result in hand that
    does it (`kinds` as `results` gives them), none without a throw."""
    for result in range(6):
        if (kinds >> np.uint64(8 * result + 7)) & ONE and _SOURCES[np.int64(station) * 8 + result] & attackers:
            return _ALL
    casts = ZERO
    while throwing and attackers:
        casts |= CAST_MASKS[(station << np.uint64(5)) + ctz(attackers)]
        attackers = without_lowest(attackers)
    return casts


@compiled
def turns_left(state, seat):
    """The turns that a side needs when nothing happens to it: its groups one after the other."""
    left = groups(state, seat) & _BOARD
    waiting = np.int64(pieces(state)) - np.int64(count_at(state, seat, np.uint64(HOME)))
    total = 0.0
    while left:
        station = ctz(left)
        left = without_lowest(left)
        waiting -= np.int64(count_at(state, seat, station))
        total += _TURNS[np.int64(station)]
    return total + _TURNS[0] * waiting


@compiled
def need(state, seat, late, weights):
    """The weighted turns that a side still needs: groups move as one."""
    left = groups(state, seat) & _BOARD
    waiting = np.int64(pieces(state)) - np.int64(count_at(state, seat, np.uint64(HOME)))
    total = 0.0
    while left:
        station = ctz(left)
        left = without_lowest(left)
        size = np.int64(count_at(state, seat, station))
        waiting -= size
        total += (weights[size] + late * weights[_N + size]) * _TURNS[np.int64(station)]
    return total + (weights[0] + late * weights[_N]) * _TURNS[0] * waiting


@compiled
def exposure(state, seat, kinds, throwing):
    """The turns that a side must expect to lose when the other one has these results and perhaps a throw; and the
    probability that it is hit at all."""
    attackers = groups(state, ONE - seat)
    left = groups(state, seat) & _BOARD
    total, any_hit = 0.0, ZERO
    while left:
        station = ctz(left)
        left = without_lowest(left)
        casts = casts_onto(station, attackers, kinds, throwing)
        any_hit |= casts
        loss = _TURNS[0] * np.float64(count_at(state, seat, station)) - _TURNS[np.int64(station)]
        total += probability(casts) * loss
    return total, probability(any_hit)


@compiled
def joining(state, seat, kinds, throwing):
    """The probability that a side can join two of its groups."""
    own = groups(state, seat)
    left = own & _BOARD
    casts = ZERO
    while left:
        station = ctz(left)
        left = without_lowest(left)
        casts |= casts_onto(station, own & ~(ONE << station), kinds, throwing)
    return probability(casts)


@compiled
def in_hand(state):
    """What the player on turn has in hand, in turns."""
    total = 0.0
    for result in range(6):
        total += _WORTH[result] * np.float64((state.info >> np.uint64(8 + 8 * result)) & _255)
    return total + (_THROW if state.info & np.uint64(CHANCE) else 0.0)


@compiled
def lateness(state):
    """How near the end of the race is: 0.3 at the start with four pieces a side, 5 when each side needs one turn."""
    return 16.0 / (1.0 + turns_left(state, ZERO) + turns_left(state, ONE))


@rule
def evaluate(state, weights):
    seat = mover(state)
    other = ONE - seat
    throwing = (state.info & np.uint64(CHANCE)) != np.uint64(0)
    kinds = results(state)
    late = lateness(state)
    value = need(state, other, late, weights) - need(state, seat, late, weights)
    threat, capture = exposure(state, other, kinds, throwing)
    danger, captured = exposure(state, seat, ZERO, True)
    parts = (
        in_hand(state),
        threat,
        capture,
        -danger,
        -captured,
        joining(state, seat, kinds, throwing),
        -joining(state, other, ZERO, True),
    )
    for i in range(7):
        value += (weights[5 + i] + late * weights[_N + 5 + i]) * parts[i]
    return value if seat == np.uint64(0) else -value
