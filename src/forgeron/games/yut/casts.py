"""What one turn of Yut Nori can bring: the casts, their probabilities, and where they lead a single group.

A cast is all that a turn throws without captures: yut and mo until another result comes. Those of up to three throws
are numbered, 24 in all; the rest, four turns in a thousand, are left out and the others scaled up. A set of casts is a
word, cast i at bit i.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from forgeron.games.yut.board import BACK_DO, DO, GAE, GEOL, HOME, MO, SHARES, START, STATIONS, WHOLE, YUT, targets

_MORE = ((), (YUT,), (MO,), (YUT, YUT), (YUT, MO), (MO, MO))
#: The results of each cast.
CASTS = tuple((*more, last) for more in _MORE for last in (DO, GAE, GEOL, BACK_DO))


def _probability(cast: tuple[int, ...]) -> float:
    orders = len(set(permutations(cast[:-1])))
    return float(orders * np.prod([SHARES[result] / WHOLE for result in cast]))


def _make_chances() -> np.ndarray:
    """At 256 × k + b: the probability of the casts whose bits 8 × k … 8 × k + 7 are those of the byte b."""
    shares = np.array([_probability(cast) for cast in CASTS])
    shares /= shares.sum()
    chances = np.zeros(3 * 256)
    for k in range(3):
        for byte in range(256):
            chances[256 * k + byte] = sum(shares[8 * k + bit] for bit in range(8) if byte >> bit & 1)
    return chances


def reached(station: int, cast: tuple[int, ...]) -> set[int]:
    """Where a group on `station` may land with some of the results of a cast, in any order."""
    found: set[int] = set()
    for order in set(permutations(cast)):
        ends = {station}
        for result in order:
            ends = {target for end in ends if end != HOME for target in targets(end, result)}
            found |= ends
    return found


def _make_masks() -> np.ndarray:
    """At 32 × target + source: the casts with which a group gets from source to target, stations of the board."""
    masks = np.zeros(32 * STATIONS, dtype=np.uint64)
    for number, cast in enumerate(CASTS):
        for source in range(HOME):
            for target in reached(source, cast) - {START, HOME}:
                masks[32 * target + source] |= np.uint64(1 << number)
    return masks


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


CAST_CHANCES = _make_chances()
CAST_MASKS = _make_masks()
