"""What a network sees of coloured Mancala: every hole by its seeds, neighbouring holes, captures at hand, and balances.

The circle is seen from the seat: its own holes and those of the other side that follow each of them, so that the
features mean the same to both players. Seven kinds, each in its own range of numbers:

* every hole by its side, its place and its red, blue and transparent seeds;
* every pair of neighbours of the circle by how many seeds they hold;
* the lead in captured seeds by how many are left on the board;
* red, blue and transparent seeds of each side;
* the moves of each side;
* the filled and the small holes of each side;
* for each side how many of its moves capture, and the largest capture, were it to move.
"""

from __future__ import annotations

import numpy as np

from forgeron import compiled
from forgeron.games.mancala.captures import captures
from forgeron.games.mancala.packed_bytes import FROM_1, FROM_3, holes_from, seeds
from forgeron.games.mancala.rules import State, alternates, mover, ply_of, rule, taken_by

#: Stages of the game, by seeds on the board: twelve seeds a stage.
PHASES = 8
_SEEDS_A_PHASE = 12

# Seeds of a colour from which on all counts are the same.
_MOST_RED, _MOST_BLUE, _MOST_CLEAR, _MOST_TOTAL = 5, 5, 3, 7
_KINDS = (_MOST_RED + 1) * (_MOST_BLUE + 1) * (_MOST_CLEAR + 1)
_MOST_LEAD, _LEFTS = 24, 13
_MOST_SEEDS, _MOST_MOVES = 32, 32
_MOST_CAPTURING, _MOST_CAPTURED = 7, 15

# Where each kind of feature begins.
_PAIRS = 16 * _KINDS
_LEADS = _PAIRS + 16 * (_MOST_TOTAL + 1) ** 2
_COLOURS = _LEADS + _LEFTS * (2 * _MOST_LEAD + 1)
_MOVES = _COLOURS + 2 * 3 * (_MOST_SEEDS + 1)
_FILLED = _MOVES + 2 * (_MOST_MOVES + 1)
_CAPTURES = _FILLED + 2 * 9 * 9
COUNT = _CAPTURES + 2 * (_MOST_CAPTURING + 1) * (_MOST_CAPTURED + 1)
MOST = 16 + 16 + 1 + 6 + 2 + 2 + 2

_BYTE, _8, _16, _32, _56 = (np.uint64(n) for n in (255, 8, 16, 32, 56))
_ONES, _TOP = np.uint64(0x0101_0101_0101_0101), np.uint64(0x8080_8080_8080_8080)


@compiled
def _clamped(word, most):
    """Eight counts below 128, each at most `most`."""
    over = ((word + (np.uint64(127) - most) * _ONES) & _TOP) >> np.uint64(7)
    mask = over * _BYTE
    return (word & ~mask) | (most * over)


@compiled
def _turned(word):
    """The holes of one side with each at the place before."""
    return (word >> _8) | (word << _56)


@compiled
def _list_bytes(out, first, size, kinds):
    """List eight features: the i-th is first + i × size + byte i of `kinds`."""
    for i in range(8):
        out[i] = first + i * size + np.int64(kinds & _BYTE)
        kinds >>= _8


@compiled
def _list_holes(out, side, red, blue, clear):
    """List the eight holes of a side, a feature each."""
    kinds = _clamped(red, np.uint64(_MOST_RED)) * np.uint64((_MOST_BLUE + 1) * (_MOST_CLEAR + 1))
    kinds += _clamped(blue, np.uint64(_MOST_BLUE)) * np.uint64(_MOST_CLEAR + 1)
    kinds += _clamped(clear, np.uint64(_MOST_CLEAR))
    _list_bytes(out, side * 8 * _KINDS, _KINDS, kinds)


@compiled
def _list_pairs(out, mine, theirs, alternate):
    """List the sixteen pairs of neighbours, a feature each: own holes first."""
    mine, theirs = _clamped(mine, np.uint64(_MOST_TOTAL)), _clamped(theirs, np.uint64(_MOST_TOTAL))
    if alternate:
        after_mine, after_theirs = theirs, _turned(mine)
    else:
        after_mine, after_theirs = (mine >> _8) | (theirs << _56), (theirs >> _8) | (mine << _56)
    size = (_MOST_TOTAL + 1) ** 2
    _list_bytes(out, _PAIRS, size, mine * np.uint64(_MOST_TOTAL + 1) + after_mine)
    _list_bytes(out[8:], _PAIRS + 8 * size, size, theirs * np.uint64(_MOST_TOTAL + 1) + after_theirs)


@compiled
def _list_side(out, side, red, blue, clear):
    """List what the holes of a side hold together, five features."""
    first = _COLOURS + side * 3 * (_MOST_SEEDS + 1)
    out[0] = first + min(seeds(red), _MOST_SEEDS)
    out[1] = first + (_MOST_SEEDS + 1) + min(seeds(blue), _MOST_SEEDS)
    out[2] = first + 2 * (_MOST_SEEDS + 1) + min(seeds(clear), _MOST_SEEDS)
    count = holes_from(red, FROM_1) + holes_from(blue, FROM_1) + 2 * holes_from(clear, FROM_1)
    out[3] = _MOVES + side * (_MOST_MOVES + 1) + min(count, _MOST_MOVES)
    totals = red + blue + clear
    filled = holes_from(totals, FROM_1)
    out[4] = _FILLED + (side * 9 + filled) * 9 + filled - holes_from(totals, FROM_3)


@compiled
def _list_captures(out, side, found):
    """List the captures that a side could make, a feature."""
    capturing, captured = found
    kinds = min(capturing, _MOST_CAPTURING) * (_MOST_CAPTURED + 1) + min(captured, _MOST_CAPTURED)
    out[0] = _CAPTURES + side * (_MOST_CAPTURING + 1) * (_MOST_CAPTURED + 1) + kinds


@rule
def features(state, seat, out):
    mine = (state.my_red, state.my_blue, state.my_clear)
    theirs = (state.their_red, state.their_blue, state.their_clear)
    if mover(state.info) != seat:
        mine, theirs = theirs, mine
    alternate = alternates(state.info)
    taken, lost = taken_by(state.info, seat), taken_by(state.info, 1 - seat)
    _list_captures(out, np.int64(0), captures(mine, theirs, alternate, np.uint64(seat)))
    _list_captures(out[1:], np.int64(1), captures(theirs, mine, alternate, np.uint64(1 - seat)))
    lead = min(max(taken - lost, -_MOST_LEAD), _MOST_LEAD) + _MOST_LEAD
    out[2] = _LEADS + ((96 - taken - lost) >> 3) * (2 * _MOST_LEAD + 1) + lead
    if alternate and seat:  # their hole that follows the first own one comes first
        theirs = (_turned(theirs[0]), _turned(theirs[1]), _turned(theirs[2]))
    _list_side(out[3:], np.int64(0), mine[0], mine[1], mine[2])
    _list_side(out[8:], np.int64(1), theirs[0], theirs[1], theirs[2])
    _list_holes(out[13:], np.int64(0), mine[0], mine[1], mine[2])
    _list_holes(out[21:], np.int64(1), theirs[0], theirs[1], theirs[2])
    _list_pairs(out[29:], mine[0] + mine[1] + mine[2], theirs[0] + theirs[1] + theirs[2], alternate)
    return np.int64(MOST)


@rule
def phase(state):
    left = np.int64(96) - taken_by(state.info, 0) - taken_by(state.info, 1)
    return min(left // _SEEDS_A_PHASE, np.int64(PHASES - 1))


@rule
def image(state, symmetry):
    """With alternate owners the circle turned by two holes, so many times; with halves the state as it is."""
    if symmetry == 0 or not alternates(state.info):
        return state
    up, down = _8 * np.uint64(symmetry), np.uint64(64) - _8 * np.uint64(symmetry)
    return State(
        (state.my_red << up) | (state.my_red >> down),
        (state.my_blue << up) | (state.my_blue >> down),
        (state.my_clear << up) | (state.my_clear >> down),
        (state.their_red << up) | (state.their_red >> down),
        (state.their_blue << up) | (state.their_blue >> down),
        (state.their_clear << up) | (state.their_clear >> down),
        state.info,
    )


@rule
def planes(state, seat):
    """Own red, blue and transparent seeds, then the other side's: a byte a hole, its count in binary.

    The last word has the seeds that one has captured (bits 0-15), those that the other has (16-31), the plies played
    (32-62), and bit 63 when one is to move.
    """
    mine = (state.my_red, state.my_blue, state.my_clear)
    theirs = (state.their_red, state.their_blue, state.their_clear)
    moves = mover(state.info) == seat
    if not moves:
        mine, theirs = theirs, mine
    taken = np.uint64(taken_by(state.info, seat)) | (np.uint64(taken_by(state.info, 1 - seat)) << _16)
    rest = taken | (np.uint64(ply_of(state.info)) << _32) | (np.uint64(moves) << np.uint64(63))
    return (*mine, *theirs, rest)
