"""The captures that a side of coloured Mancala could make, without playing them."""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.bits import ZERO, ctz, without_lowest
from forgeron.games.mancala.rules import chain_length, legal_kinds, sum_bytes
from forgeron.games.mancala.sowing_tables import CHAINS, HANDS, SOWINGS

Colours = tuple[np.uint64, np.uint64, np.uint64]
"""the red, blue and transparent seeds of a side"""

_1, _2, _3, _8, _56 = (np.uint64(n) for n in (1, 2, 3, 8, 56))
_63 = np.uint64(63)
_BYTE = np.uint64(255)
#: In `_LAST_HOLES`: more than one seed falls into the last hole.
_AROUND = np.uint64(64)


def _make_last_holes() -> np.ndarray:
    """For each row of SOWINGS the side of the last hole (bit 0), its byte times 8, and `_AROUND` where it applies.

    A byte each: that stays in the fastest cache, and nearly all moves need nothing else.
    """
    rows = SOWINGS.reshape(-1, 4)
    found = np.zeros(len(rows), dtype=np.uint8)
    for i, (mine, theirs, last, _) in enumerate(rows.tolist()):
        place = last & 56
        sown = ((theirs if last & 1 else mine) >> place) & 255
        found[i] = (last & 1) | place | (64 if sown > 1 else 0)
    return found


_LAST_HOLES = _make_last_holes()


@compiled
def captures(mine: Colours, theirs: Colours, alternate: np.uint64, seat: np.uint64) -> tuple[np.int64, np.int64]:
    """How many moves of a side capture something, and how many seeds the best of them does, starving aside."""
    before_mine, before_theirs = mine[0] + mine[1] + mine[2], theirs[0] + theirs[1] + theirs[2]
    circle = (alternate + (alternate & seat)) * np.uint64(16)
    capturing = most = np.int64(0)
    left = legal_kinds(mine[0], mine[1], mine[2])
    while left:
        number = ctz(left)
        left = without_lowest(left)
        kind, place = number & _3, number & _56
        blue = ZERO - (kind & _1)
        hand = (((mine[1] & blue) | (mine[0] & ~blue)) >> place) & _BYTE
        hand += ((mine[2] >> place) & _BYTE) & (ZERO - (kind >> _1))
        row = (circle + ((kind & _1) << _3) + (place >> _3)) * np.uint64(HANDS) + hand
        # One seed makes two or three of one or two: without them nothing is captured.
        last = np.uint64(_LAST_HOLES[row])
        held = ((before_theirs if last & _1 else before_mine) >> (last & _56)) & _BYTE
        if last < _AROUND and (held - _1) > _1:
            continue
        taken = _taken(before_mine, before_theirs, row << _2, hand << place, alternate, seat)
        if taken:
            capturing += 1
            most = max(most, np.int64(taken))
    return capturing, most


@compiled
def _taken(
    before_mine: np.uint64,
    before_theirs: np.uint64,
    sown: np.uint64,
    lifted: np.uint64,
    alternate: np.uint64,
    seat: np.uint64,
) -> np.uint64:
    """The seeds that a move captures: that of a row of SOWINGS, after its seeds were lifted."""
    my_totals = before_mine + SOWINGS[sown] - lifted
    their_totals = before_theirs + SOWINGS[sown + _1]
    last = SOWINGS[sown + _2]
    ended_in = their_totals if last & _1 else my_totals
    if (ended_in >> (last & _56)) & np.uint64(0xFE) != _2:
        return ZERO
    length = chain_length(my_totals, their_totals, alternate, seat, (last >> _8) & _63)
    chain = SOWINGS[sown + _3] + (length << _1)
    return np.uint64(sum_bytes((my_totals & CHAINS[chain]) + (their_totals & CHAINS[chain + _1])))
