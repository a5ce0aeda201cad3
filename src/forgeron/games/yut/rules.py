"""The rules of Yut Nori on bit-sliced counters.

How many pieces of each side stand on each station is kept in three words, one for each binary digit of the count: bit
s of a word is station s for the first side, bit 32 + s for the second. Pieces that wait at the start (station 0) are
not stored: they are those that are missing. Pieces of a side cannot be told apart; a captured group is cleared.

A throw is one of the moves 0 … 5 (the number of its result). A player's move is its station + 32 × (result + 1), and
256 more for the second way back from a fork.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron import CHANCE, OVER, compiled, rules_for
from forgeron.bits import ONE, ZERO, ctz, nth_bit, popcount, without_lowest
from forgeron.games.yut.board import BACK_DO, FORKS, HOME, MO, SHARES, WHOLE, YUT, targets
from forgeron.rng import below, mix

#: Room for the moves of one position: four groups, six results, and a second way back for three of the groups.
MAX_MOVES = 32
#: How many results of one kind the queue holds; one more would be lost, but nobody throws 255 yuts in a row.
MOST_OF_A_KIND = 255
WAY_B = 256


class State(NamedTuple):
    """A position. The count of a side on a station is ones + 2 × twos + 4 × fours."""

    ones: np.uint64
    twos: np.uint64
    fours: np.uint64
    info: np.uint64
    """bits 0-1 what `turn` answers, bit 2 whose turn it is, bits 3-5 pieces of a side, from bit 8 a byte for each of
    the six results: how often it is in the queue"""


def start_state(pieces: int) -> State:
    """All pieces wait, the first player throws."""
    return State(np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(int(CHANCE) | pieces << 3))


_3 = np.uint64(3)
_5 = np.uint64(5)
_7 = np.uint64(7)
_8 = np.uint64(8)
_31 = np.uint64(31)
_32 = np.uint64(32)
_LOW = np.uint64(0xFFFF_FFFF)
_WHO = np.uint64(3)
_CHANCE = np.uint64(CHANCE)
_OVER = np.uint64(OVER)
_MOVER = np.uint64(4)
_HOME = np.uint64(HOME)
_HOME_BIT = np.uint64(1 << HOME)
_BOARD = np.uint64(sum(1 << station for station in range(1, HOME)))
_FORKS = np.uint64(sum(1 << station for station in FORKS))
_YUT = np.uint64(YUT)
_MO = np.uint64(MO)
_BACK_DO = np.uint64(BACK_DO)
_EMPTY_BACK_DO = np.int64(32 * (BACK_DO + 1))
_QUEUE = np.uint64(0xFFFF_FFFF_FFFF << 8)
_SEVENS = np.uint64(0x7F7F_7F7F_7F7F)
_EIGHTS = np.uint64(0x8080_8080_8080)
_FORWARD = np.uint64(0x80_8080_8080)
_BACKWARD = np.uint64(0x8000_0000_0000)


def _make_targets() -> np.ndarray:
    """For each move the bit of the station that it reaches; nothing for the back-do of no piece."""
    table = np.zeros(512, dtype=np.uint64)
    for station in range(HOME):
        for result in range(6):
            for way, target in enumerate(targets(station, result)):
                if target:
                    table[station | result + 1 << 5 | way << 8] = 1 << target
    return table


_TARGETS = _make_targets()
#: 1 / n in 65536ths, rounded up: exact division of small numbers without dividing.
_INVERSE = np.array([0, 65536, 32768, 21846, 16384], dtype=np.uint64)
_CHANCES = np.array(SHARES) / WHOLE


@compiled
def side(state, seat):
    """The three words of one side's counts, station s at bit s; seat is 0 or 1 as np.uint64."""
    shift = seat << _5
    return (state.ones >> shift) & _LOW, (state.twos >> shift) & _LOW, (state.fours >> shift) & _LOW


@compiled
def mover(state):
    """Whose turn it is, also while the sticks are to be thrown: 0 or 1 as np.uint64."""
    return (state.info >> np.uint64(2)) & ONE


@compiled
def pieces(state):
    """How many pieces each side has."""
    return (state.info >> _3) & _7


@compiled
def groups(state, seat):
    """The stations from which a side can move a group forward; bit 0 when a piece waits at the start."""
    ones, twos, fours = side(state, seat)
    placed = popcount(ones) + (popcount(twos) << ONE) + (popcount(fours) << np.uint64(2))
    return ((ones | twos | fours) & _BOARD) | np.uint64(placed < pieces(state))


@compiled
def count_at(state, seat, station):
    """How many pieces of a side stand on a station 1 … 30."""
    ones, twos, fours = side(state, seat)
    return ((ones >> station) & ONE) | (((twos >> station) & ONE) << ONE) | (((fours >> station) & ONE) << np.uint64(2))


@compiled
def results(state):
    """The kinds of results in the queue: bit 8 × kind + 7."""
    queue = state.info >> _8
    return (((queue & _SEVENS) + _SEVENS) | queue) & _EIGHTS


rule = rules_for(State)


@rule
def turn(state):
    return np.int64(state.info & _WHO)


@rule
def chance(state, probs):
    for outcome in range(6):
        probs[outcome] = _CHANCES[outcome]
    return np.int64(6)


@rule
def moves(state, out):
    who = state.info & _WHO
    if who >= _CHANCE:
        n = 6 if who == _CHANCE else 0
        for outcome in range(n):
            out[outcome] = outcome
        return np.int64(n)
    own = groups(state, who)
    n = 0
    kinds = results(state) & _FORWARD
    while kinds:
        base = ((ctz(kinds) >> _3) + ONE) << _5
        kinds = without_lowest(kinds)
        left = own
        while left:
            out[n] = np.int64(base | ctz(left))
            n += 1
            left = without_lowest(left)
    if results(state) & _BACKWARD:
        left = own & _BOARD
        if not left:
            out[n] = _EMPTY_BACK_DO
            n += 1
        while left:
            station = ctz(left)
            out[n] = _EMPTY_BACK_DO + np.int64(station)
            n += 1
            if (_FORKS >> station) & ONE:
                out[n] = _EMPTY_BACK_DO + np.int64(station) + WAY_B
                n += 1
            left = without_lowest(left)
    return np.int64(n)


@rule
def count(state):
    who = state.info & _WHO
    if who >= _CHANCE:
        return np.int64(6) if who == _CHANCE else np.int64(0)
    own = groups(state, who)
    kinds = results(state)
    n = popcount(kinds & _FORWARD) * popcount(own)
    if kinds & _BACKWARD:
        own &= _BOARD
        n += popcount(own) + popcount(own & _FORKS) if own else ONE
    return np.int64(n)


@rule
def random_move(state, bits):
    """Number the moves forward by result and group, those back by station and way, and find the chosen one directly."""
    own = groups(state, state.info & _WHO)
    kinds = results(state)
    n_groups = popcount(own)
    n = popcount(kinds & _FORWARD) * n_groups
    if kinds & _BACKWARD:
        on_board = own & _BOARD
        if not on_board:
            n_back, chosen = ONE, below(bits, n + ONE)
        else:
            n_back = popcount(on_board)
            chosen = below(bits, n + n_back + popcount(on_board & _FORKS))
        if chosen >= n:
            chosen -= n
            if not on_board:
                return _EMPTY_BACK_DO
            if chosen < n_back:
                return _EMPTY_BACK_DO + np.int64(ctz(nth_bit(on_board, chosen)))
            return _EMPTY_BACK_DO + np.int64(ctz(nth_bit(on_board & _FORKS, chosen - n_back))) + np.int64(WAY_B)
    else:
        chosen = below(bits, n)
    nth = (chosen * _INVERSE[n_groups]) >> np.uint64(16)
    kind = ctz(nth_bit(kinds, nth)) >> _3
    station = ctz(nth_bit(own, chosen - nth * n_groups))
    return np.int64(((kind + ONE) << _5) | station)


@compiled
def _after_throw(state, result):
    """One more result in the queue; only after yut and mo are the sticks thrown again."""
    place = _8 + (result << _3)
    info = state.info
    if (info >> place) & np.uint64(MOST_OF_A_KIND) != np.uint64(MOST_OF_A_KIND):
        info += ONE << place
    if result != _YUT and result != _MO:
        info = (info & ~_WHO) | mover(state)
    return State(state.ones, state.twos, state.fours, info)


@rule
def play(state, move):
    move = np.uint64(move)
    info = state.info
    if info & _CHANCE:
        return _after_throw(state, move)
    seat = info & ONE
    shift = seat << _5
    source = move & _31
    result = ((move >> _5) & _7) - ONE
    reached = _TARGETS[move]
    # 1. Take the group off its station (one piece where it comes from the start), and enemies off the one it reaches.
    place = source + shift
    enemy = (reached & _BOARD) << (_32 - shift)
    captured = (state.ones | state.twos | state.fours) & enemy
    keep = ~((ONE << place) | enemy)
    into = reached << shift
    more_ones = (ZERO - (((state.ones >> place) & ONE) | np.uint64(source == ZERO))) & into
    more_twos = (ZERO - ((state.twos >> place) & ONE)) & into
    more_fours = (ZERO - ((state.fours >> place) & ONE)) & into
    # 2. Add its count to what stands there already: a bit-sliced addition with carries.
    ones, twos, fours = state.ones & keep, state.twos & keep, state.fours & keep
    carry = ones & more_ones
    fours |= more_fours | (twos & more_twos) | ((twos | more_twos) & carry)
    twos ^= more_twos ^ carry
    ones ^= more_ones
    # 3. The result is used up: win, throw for a capture, go on, or hand over.
    info -= ONE << (_8 + (result << _3))
    if reached == _HOME_BIT:
        place = _HOME + shift
        at_home = (
            ((ones >> place) & ONE) + (((twos >> place) & ONE) << ONE) + (((fours >> place) & ONE) << np.uint64(2))
        )
        if at_home == pieces(state):
            return State(ones, twos, fours, (info & ~_QUEUE) | _OVER)
    if captured and result != _YUT and result != _MO:
        info = (info & ~_WHO) | _CHANCE
    elif not info & _QUEUE:
        info = ((info & ~_WHO) | _CHANCE) ^ _MOVER
    return State(ones, twos, fours, info)


@rule
def score(state):
    """The pieces that the loser has not brought home, as a gain of the winner."""
    lost = np.int64(pieces(state)) - np.int64(count_at(state, ONE - mover(state), _HOME))
    return lost if mover(state) == ZERO else -lost


@rule
def key(state):
    word = mix(state.ones) + np.uint64(3) * mix(state.twos ^ np.uint64(0x9E37_79B9_7F4A_7C15))
    return mix(word ^ (state.fours * np.uint64(0xD1B5_4A32_D192_ED03)) ^ mix(state.info))
