"""Yut Nori as bits, and as what its network sees.

Pieces that are home do not matter any more, so the features know only those that are still to be brought home: one
network serves games with any number of pieces.
"""

from __future__ import annotations

import numpy as np

from forgeron import CHANCE, compiled
from forgeron.bits import ONE, ctz, without_lowest
from forgeron.games.yut.board import HOME
from forgeron.games.yut.piece_lists import MOST_PIECES
from forgeron.games.yut.ranks import to_bring_home
from forgeron.games.yut.rules import count_at, groups, mover, rule

_32 = np.uint64(32)
_WHO, _MOVER = np.uint64(3), np.uint64(4)
_255 = np.uint64(255)

#: Where the features of each kind begin. How many pieces of a side stand on each place, the start included; a place of
#: one's own and one of the enemy's, each with a single piece or more; two places of a side; how often each result is
#: in hand; what comes next, where it is not the first throw of one's own turn.
_MINE = 0
_THEIRS = _MINE + MOST_PIECES * HOME
_FACING = _THEIRS + MOST_PIECES * HOME
_MY_PAIRS = _FACING + 4 * HOME * HOME
_THEIR_PAIRS = _MY_PAIRS + HOME * (HOME - 1) // 2
_IN_HAND = _THEIR_PAIRS + HOME * (HOME - 1) // 2
_MOST_IN_HAND = 3
_ANOTHER_THROW = _IN_HAND + 6 * _MOST_IN_HAND
_TO_MOVE = _ANOTHER_THROW + 1
_WAITS = _TO_MOVE + 1
FEATURE_COUNT = _WAITS + 1
#: Four places and six pairs of them a side, sixteen pairs of both, six results, two of what comes next.
MAX_FEATURES = 2 * (4 + 6) + 16 + 6 + 2
#: How many pieces the player on turn still has to bring home, and the other one.
PHASES = MOST_PIECES * MOST_PIECES


@rule
def planes(state, seat):
    """The binary digits of the counts by station, a word a digit: one's own at bit s, the other side's at bit 32 + s.

    The last word is that of the rules (what comes next, the pieces of a side, the queue), with 0 in bits 0-1 when one
    is to move, 1 when the other is, and bit 2 set when it is one's own turn.
    """
    here = np.uint64(seat)
    turned = here * _32
    mine = np.uint64(mover(state) == here)
    comes = state.info & _WHO
    comes = comes ^ here if comes < np.uint64(2) else comes
    info = (state.info & ~(_MOVER | _WHO)) | (mine << np.uint64(2)) | comes
    return (
        (state.ones >> turned) | (state.ones << turned) if turned else state.ones,
        (state.twos >> turned) | (state.twos << turned) if turned else state.twos,
        (state.fours >> turned) | (state.fours << turned) if turned else state.fours,
        info,
    )


@rule
def phase(state):
    me = mover(state)
    mine, theirs = to_bring_home(state, me), to_bring_home(state, ONE - me)
    return (mine - np.int64(mine > 0)) * MOST_PIECES + theirs - np.int64(theirs > 0)


@compiled
def _list_places(state, seat, first, first_pair, out, n):
    """Write the places of a side with their counts, and all pairs of them; the new number of features."""
    left = groups(state, seat)
    waiting = to_bring_home(state, seat)
    others = left & ~ONE
    while others:
        waiting -= np.int64(count_at(state, seat, ctz(others)))
        others = without_lowest(others)
    while left:
        station = ctz(left)
        left = without_lowest(left)
        place = np.int64(station)
        count = np.int64(count_at(state, seat, station)) if place else waiting
        out[n] = first + MOST_PIECES * place + count - 1
        n += 1
        others = left
        while others:
            higher = np.int64(ctz(others))
            others = without_lowest(others)
            out[n] = first_pair + higher * (higher - 1) // 2 + place
            n += 1
    return n


@compiled
def _stacked(state, seat, station):
    """1 where more than one piece of a side stands on a station of the board, else 0."""
    return np.int64(station != np.uint64(0) and count_at(state, seat, station) > ONE)


@compiled
def _list_facing(state, me, out, n):
    """Write all pairs of a place of one's own and one of the enemy's; the new number of features."""
    other = ONE - me
    left = groups(state, me)
    while left:
        station = ctz(left)
        left = without_lowest(left)
        base = _FACING + 4 * HOME * np.int64(station) + 2 * _stacked(state, me, station)
        enemies = groups(state, other)
        while enemies:
            enemy = ctz(enemies)
            enemies = without_lowest(enemies)
            out[n] = base + 4 * np.int64(enemy) + _stacked(state, other, enemy)
            n += 1
    return n


@rule
def features(state, seat, out):
    me = np.uint64(seat)
    n = _list_places(state, me, _MINE, _MY_PAIRS, out, 0)
    n = _list_places(state, ONE - me, _THEIRS, _THEIR_PAIRS, out, n)
    n = _list_facing(state, me, out, n)
    held = False
    for result in range(6):
        count = np.int64((state.info >> np.uint64(8 + 8 * result)) & _255)
        if count:
            held = True
            out[n] = _IN_HAND + _MOST_IN_HAND * result + (count if count < _MOST_IN_HAND else _MOST_IN_HAND) - 1
            n += 1
    if state.info & _WHO != np.uint64(CHANCE):
        out[n] = _TO_MOVE
        n += 1
    elif held:
        out[n] = _ANOTHER_THROW
        n += 1
    if mover(state) != me:
        out[n] = _WAITS
        n += 1
    return n
