"""Turn starts of Yut Nori by number: indices into a table of exact values.

Pieces that are home never come back and do not matter, so a position is the places 0 … 29 of the pieces that both
sides still have to bring home, the player on turn first. A level is all positions with so many pieces of one side and
so many of the other; levels follow each other so that a turn leads to the same level or a lower one.
"""

from __future__ import annotations

from math import comb

import numpy as np

from forgeron import CHANCE, OVER, UNRANKED, compiled
from forgeron.bits import ONE, ctz, without_lowest
from forgeron.games.yut.board import HOME, MO, YUT
from forgeron.games.yut.piece_lists import MOST_PIECES
from forgeron.games.yut.rules import State, count_at, mover, pieces, rule, side

#: Pieces still to bring home, of one side and of the other, level by level.
LEVELS = tuple((more, fewer) for more in range(1, MOST_PIECES + 1) for fewer in range(1, more + 1))
_QUEUE = np.uint64(0xFFFF_FFFF_FFFF << 8)
_BOARD = np.uint64(sum(1 << station for station in range(1, HOME)))
#: At [i, p]: how many multisets of i places are before those whose greatest place is p.
_BEFORE = np.array([[comb(place + i - 1, i) if i else 0 for place in range(HOME + 1)] for i in range(MOST_PIECES + 1)])
#: How many ways so many pieces can stand.
_WAYS = np.array([comb(HOME + n - 1, n) for n in range(MOST_PIECES + 1)])

#: For the same yuts and mos: another throw, a move with nothing else in hand, with do, gae, geol, back-do.
_SLOTS = 6


def hands(most: int) -> int:
    """How many hands have at most so many yuts and mos."""
    return _SLOTS * (most + 1) * (most + 2) // 2


def _make_firsts() -> tuple[np.ndarray, dict[tuple[int, int], int]]:
    """The first index of each pair of numbers of pieces, and for each level how many indices it and those before it
    have."""
    firsts = np.zeros((MOST_PIECES + 1, MOST_PIECES + 1), dtype=np.int64)
    ends, upto = {}, 0
    for more, fewer in LEVELS:
        for mine, theirs in dict.fromkeys(((more, fewer), (fewer, more))):
            firsts[mine, theirs] = upto
            upto += int(_WAYS[mine] * _WAYS[theirs])
        ends[more, fewer] = upto
    return firsts, ends


_FIRSTS, ENDS = _make_firsts()


@compiled
def to_bring_home(state, seat):
    """How many pieces of a side are not home yet."""
    return np.int64(pieces(state)) - np.int64(count_at(state, seat, np.uint64(HOME)))


@compiled
def _side_rank(state, seat, number):
    """The number of the places of a side that has `number` pieces to bring home."""
    ones, twos, fours = side(state, seat)
    left = (ones | twos | fours) & _BOARD
    i = number
    places = left
    while places:
        i -= np.int64(count_at(state, seat, ctz(places)))
        places = without_lowest(places)
    total = np.int64(0)  # the pieces that wait come first and count 0
    while left:
        station = ctz(left)
        left = without_lowest(left)
        for _ in range(np.int64(count_at(state, seat, station))):
            i += 1
            total += _BEFORE[i, np.int64(station)]
    return total


@compiled
def _board_rank(state):
    """The index of the turn start with the same pieces in the same places."""
    me = mover(state)
    mine, theirs = to_bring_home(state, me), to_bring_home(state, ONE - me)
    within = _side_rank(state, me, mine) * _WAYS[theirs] + _side_rank(state, ONE - me, theirs)
    return _FIRSTS[mine, theirs] + within


@rule
def rank(state):
    if state.info & np.uint64(3) != np.uint64(CHANCE) or state.info & _QUEUE:
        return UNRANKED
    return _board_rank(state)


@rule
def turn_rank(state):
    """In hand are yuts and mos, and one other result at most: whoever gets another throw has used that one.

    Hands are numbered by their yuts and mos together, then by the yuts, then by what else there is.
    """
    yuts, mos, others, other = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for result in range(6):
        count = np.int64((state.info >> np.uint64(8 + 8 * result)) & np.uint64(255))
        if result == YUT:
            yuts = count
        elif result == MO:
            mos = count
        elif count:
            others += count
            other = np.int64(result + 1 if result < YUT else YUT + 1)
    slot = np.int64(0) if state.info & np.uint64(3) == np.uint64(CHANCE) else other + 1
    both = yuts + mos
    hand = _SLOTS * (both * (both + 1) // 2 + yuts) + slot
    return _board_rank(state), hand if others < 2 else UNRANKED


@compiled
def _place(ones, twos, fours, station):
    """One more piece on a station, in the three words of counts."""
    bit = ONE << station
    carry = ones & bit
    fours |= twos & carry
    twos ^= carry
    ones ^= bit
    return ones, twos, fours


@rule
def unrank(state, index):
    number = np.int64(pieces(state))
    mine = theirs = np.int64(0)
    for one in range(1, number + 1):
        for other in range(1, number + 1):
            first = _FIRSTS[one, other]
            if first <= index < first + _WAYS[one] * _WAYS[other]:
                mine, theirs = np.int64(one), np.int64(other)
    ones = twos = fours = occupied = np.uint64(0)
    possible = bool(mine > 0)
    within = index - _FIRSTS[mine, theirs]
    for seat in range(2):
        count = mine if seat == 0 else theirs
        left = within // _WAYS[theirs] if seat == 0 else within % _WAYS[theirs]
        shift = np.uint64(32 * seat)
        for i in range(number):
            place = np.int64(HOME)
            if i < count:
                place = np.int64(0)
                while place + 1 < HOME and _BEFORE[count - i, place + 1] <= left:
                    place += 1
                left -= _BEFORE[count - i, place]
            if place > 0:
                ones, twos, fours = _place(ones, twos, fours, np.uint64(place) + shift)
        here = ((ones | twos | fours) >> shift) & _BOARD
        if here & occupied:
            possible = False
        occupied = here
    turn = np.uint64(CHANCE) if possible else np.uint64(OVER)
    return State(ones, twos, fours, turn | (state.info & np.uint64(0b111000)))
