"""The rules of coloured Mancala by SWAR arithmetic: words of eight bytes, one byte a hole.

A state keeps the holes of the side to move apart from those of the other side. Byte i of a word is the i-th hole of
its owner, in the order of the circle: with `halves` the first player's are 1 … 8 and the second's 9 … 16, with
`alternate` 1, 3, … 15 and 2, 4, … 16. A hole never holds more than 32 seeds of a colour nor 96 in all, so that bytes
never overflow into each other and bit 7 is free for tests on all eight at once.

A move is one number, 8 × hole + kind: the hole is 0 … 7 among the mover's own, the kind RED, BLUE, CLEAR_RED or
CLEAR_BLUE (R, B, TR and TB in writing). So the legal moves of a state are one word with a bit for each.

Sowing adds a word from a table. A chain of captures is one count of leading zeros, in a word that is rotated so that
the hole of the last seed is on top.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron import OVER, compiled, rules_for
from forgeron.bits import ZERO, clz, ctz, nth_bit, popcount, without_lowest
from forgeron.games.mancala.sowing_tables import CHAINS, HANDS, SOWINGS
from forgeron.rng import below, mix

SEEDS = 96
MAX_MOVES = 32
#: Most plies a game can be allowed: the limit has ten bits.
MAX_PLIES = 1000


class State(NamedTuple):
    """A position: seeds by side and colour, eight holes to a word, and everything else in `info`."""

    my_red: np.uint64
    my_blue: np.uint64
    my_clear: np.uint64
    """transparent seeds in the holes of the side to move"""
    their_red: np.uint64
    their_blue: np.uint64
    their_clear: np.uint64
    info: np.uint64
    """clock, options, turn and captured seeds: see `pack_info`"""


# info, from bit 0: clock 12 · limit 10 · alternate 1 · forty 1 · turn 1 · both have forty 1 · from bit 32: captured
# by the first 8 · by the second 8 · by both 8. Clock and captures start at a value that makes the top bit of the
# field come up when the game is over, so that one AND tells.
_TICK = np.uint64(1)
_LIMIT = np.uint64(12)
ALTERNATE = np.uint64(22)
_FORTY = np.uint64(23)
TURN = np.uint64(24)
_TURN_BIT = np.uint64(1 << 24)
_BOTH_FORTY = np.uint64(1 << 25)
_TAKEN = np.uint64(32)
_TAKEN_BY_BOTH = np.uint64(48)
_CLOCK_END = 1 << 11
_TO_49 = 128 - 49
_TO_87 = 128 - 87  # fewer than 10 of 96 left
_OVER = np.uint64(1 << 11 | 1 << 25 | 1 << 39 | 1 << 47 | 1 << 55)

_1 = np.uint64(1)
_3 = np.uint64(3)
_4 = np.uint64(4)
_7 = np.uint64(7)
_8 = np.uint64(8)
_56 = np.uint64(56)
_63 = np.uint64(63)
_BYTE = np.uint64(255)
_ONES = np.uint64(0x0101_0101_0101_0101)
_TWOS = np.uint64(0x0202_0202_0202_0202)
_BELOW_TOP = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
_TOP = np.uint64(0x8080_8080_8080_8080)
_NOT_LOW = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
_GATHER = np.uint64(0x0102_0408_1020_4080)
_THEIRS = np.uint64(1)
_FOUR_TIMES = np.uint64(0x0001_0001_0001_0001)


def pack_info(turn: int, taken: tuple[int, int], ply: int, *, limit: int, alternate: bool, forty: bool) -> np.uint64:
    """The `info` word of a state."""
    info = (_CLOCK_END - limit + ply) | limit << 12 | alternate << 22 | forty << 23 | turn << 24
    info |= (forty and min(taken) >= 40) << 25
    return np.uint64(info | (taken[0] + _TO_49) << 32 | (taken[1] + _TO_49) << 40 | (sum(taken) + _TO_87) << 48)


@compiled
def is_over(info):
    """Whether the game has ended: not 0 when it has."""
    return info & _OVER


@compiled
def mover(info):
    """0 when the first player is to move, 1 when the second is; also when the game is over."""
    return np.int64((info >> TURN) & _1)


@compiled
def taken_by(info, seat):
    """The seeds that a seat has captured."""
    return np.int64((info >> (_TAKEN + _8 * np.uint64(seat))) & _BYTE) - np.int64(_TO_49)


@compiled
def taken_by_both(info):
    """The seeds that were captured."""
    return np.int64((info >> _TAKEN_BY_BOTH) & _BYTE) - np.int64(_TO_87)


@compiled
def limit_of(info):
    """The ply after which the game ends."""
    return np.int64((info >> _LIMIT) & np.uint64(1023))


@compiled
def ply_of(info):
    """How many plies were played."""
    return np.int64(info & np.uint64(4095)) - np.int64(_CLOCK_END) + limit_of(info)


@compiled
def plies_left(info):
    """How many plies the limit still allows."""
    return np.int64(_CLOCK_END) - np.int64(info & np.uint64(4095))


@compiled
def alternates(info):
    """1 when the owners of the holes alternate, 0 when each owns a half."""
    return (info >> ALTERNATE) & _1


@compiled
def _filled(word):
    """Bit 7 of every byte that is not zero; bytes are below 128."""
    return (word + _BELOW_TOP) & _TOP


@compiled
def sum_bytes(word):
    """The horizontal sum of the eight bytes by one multiplication; it must be below 256."""
    return (word * _ONES) >> _56


@compiled
def _safe(totals):
    """Bit 7 of every byte that is neither 2 nor 3."""
    return _filled((totals ^ _TWOS) & _NOT_LOW)


@compiled
def legal_kinds(red, blue, clear):
    """The set of legal moves of a side with these seeds: bit m stands for move m."""
    red, blue, clear = _filled(red), _filled(blue), _filled(clear)
    return (red >> _7) | (blue >> np.uint64(6)) | (clear >> np.uint64(5)) | (clear >> _4)


@compiled
def legal(state):
    """The set of legal moves, were the game not over: bit m stands for move m."""
    return legal_kinds(state.my_red, state.my_blue, state.my_clear)


rule = rules_for(State)


@rule
def turn(state):
    if is_over(state.info):
        return OVER
    return mover(state.info)


@rule
def moves(state, out):
    if is_over(state.info):
        return 0
    n = 0
    left = legal(state)
    while left:
        out[n] = np.int64(ctz(left))
        n += 1
        left = without_lowest(left)
    return n


@rule
def count(state):
    if is_over(state.info):
        return np.int64(0)
    return np.int64(popcount(legal(state)))


@rule
def random_move(state, bits):
    possible = legal(state)
    return np.int64(ctz(nth_bit(possible, below(bits, popcount(possible)))))


@compiled
def chain_length(my_totals, their_totals, alternate, seat, turned):
    """How many holes in a row hold 2 or 3 seeds, from that of the last seed backwards."""
    mine, theirs = _safe(my_totals), _safe(their_totals)
    if alternate:
        # Two holes a byte, in the order of the circle: four bits each.
        shift = seat << np.uint64(2)
        word = (mine >> (_4 - shift)) | (theirs >> shift)
        word = (word << turned) | (word >> ((np.uint64(64) - turned) & _63))
        return clz(word) >> np.uint64(2)
    # One bit a hole, gathered by magic multiplication; the circle four times over, so that a shift rotates it.
    word = (((mine >> _7) * _GATHER) >> _56) | ((((theirs >> _7) * _GATHER) >> _56) << _8)
    word = (word * _FOUR_TIMES) << turned
    return min(clz(word), np.uint64(16))


@compiled
def _credit(info, seat, captured):
    """The info word after a seat captured so many seeds."""
    info += (captured << (_TAKEN + (seat << _3))) + (captured << _TAKEN_BY_BOTH)
    if (info >> _FORTY) & _1 and taken_by(info, 0) >= 40 and taken_by(info, 1) >= 40:
        info |= _BOTH_FORTY
    return info


@rule
def play(state, move):
    info = state.info
    number = np.uint64(move)
    kind = number & _3
    place = number & _56
    blue = ZERO - (kind & _1)
    seat = (info >> TURN) & _1
    alternate = alternates(info)

    # 1. The hand: the transparents, if they are played, and then one colour.
    colour = (state.my_blue & blue) | (state.my_red & ~blue)
    hand = (colour >> place) & _BYTE
    clear_hand = ((state.my_clear >> place) & _BYTE) & (ZERO - (kind >> _1))
    row = (alternate + (alternate & seat)) * np.uint64(16) + ((kind & _1) << _3) + (place >> _3)
    after_clear = (row * np.uint64(HANDS) + clear_hand) << np.uint64(2)
    after_all = after_clear + (hand << np.uint64(2))

    # 2. Sowing: the colour gets what all the seeds make less what the transparents made.
    my_gain = SOWINGS[after_all] - SOWINGS[after_clear]
    their_gain = SOWINGS[after_all + _1] - SOWINGS[after_clear + _1]
    taken_out = hand << place
    my_red = state.my_red + my_gain - (taken_out & ~blue)
    my_blue = state.my_blue - (taken_out & blue)
    my_clear = state.my_clear + SOWINGS[after_clear] - (clear_hand << place)
    their_red = state.their_red + (their_gain & ~blue)
    their_blue = state.their_blue + (their_gain & blue)
    their_clear = state.their_clear + SOWINGS[after_clear + _1]

    # 3. Captures; most moves have none, which the hole of the last seed alone can tell.
    my_totals = (state.my_red + state.my_blue + state.my_clear) + SOWINGS[after_all] - ((hand + clear_hand) << place)
    their_totals = (state.their_red + state.their_blue + state.their_clear) + SOWINGS[after_all + _1]
    last = SOWINGS[after_all + np.uint64(2)]
    ended_in = their_totals if last & _THEIRS else my_totals
    if (ended_in >> (last & _56)) & np.uint64(0xFE) == np.uint64(2):
        length = chain_length(my_totals, their_totals, alternate, seat, (last >> _8) & _63)
        chain = SOWINGS[after_all + _3] + (length << _1)
        my_loss, their_loss = CHAINS[chain], CHAINS[chain + _1]
        info = _credit(info, seat, sum_bytes((my_totals & my_loss) + (their_totals & their_loss)))
        my_red &= ~my_loss
        my_blue &= ~my_loss
        my_clear &= ~my_loss
        my_totals &= ~my_loss
        their_red &= ~their_loss
        their_blue &= ~their_loss
        their_clear &= ~their_loss
        their_totals &= ~their_loss

    # 4. Starving, before every other end.
    if not their_totals:
        info = _credit(info, seat, sum_bytes(my_totals))
        my_red = my_blue = my_clear = ZERO

    info = (info ^ _TURN_BIT) + _TICK
    return State(their_red, their_blue, their_clear, my_red, my_blue, my_clear, info)


@rule
def score(state):
    return taken_by(state.info, 0) - taken_by(state.info, 1)


@compiled
def _stir(word, factor):
    word = (word ^ (word >> np.uint64(29))) * factor
    return word ^ (word >> np.uint64(32))


@rule
def key(state):
    word = _stir(state.my_red, np.uint64(0x9E37_79B9_7F4A_7C15))
    word += _stir(state.my_blue, np.uint64(0xD1B5_4A32_D192_ED03))
    word += _stir(state.my_clear, np.uint64(0xBF58_476D_1CE4_E5B9))
    word += _stir(state.their_red, np.uint64(0x94D0_49BB_1331_11EB))
    word += _stir(state.their_blue, np.uint64(0xC2B2_AE3D_27D4_EB4F))
    word += _stir(state.their_clear, np.uint64(0x1656_67B1_9E37_79F9))
    return mix(word ^ (state.info * np.uint64(0xFF51_AFD7_ED55_8CCD)))
