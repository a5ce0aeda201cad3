"""The rules of Yolah on bitboards.

A move is one number, from-square + 64 × to-square; the pass is 0 (written a1:a1). A side that is blocked stays
blocked, because a square never becomes free again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from forgeron import OVER, compiled, rules_for
from forgeron.bits import FAST_EXTRACT, ONE, ZERO, clz, ctz, extract, lowest, nth_bit, popcount, without_lowest
from forgeron.rng import below, mix

PASS = 0
#: Room for the moves of one position; 76 is the most that has been seen.
MAX_MOVES = 128


class State(NamedTuple):
    """A position. Bit i of a word is square i: a1 = 0, b1 = 1, … h8 = 63."""

    mine: np.uint64
    """pieces of the side to move"""
    theirs: np.uint64
    """pieces of the other side"""
    holes: np.uint64
    """squares that were left; there are as many as points were made"""
    lead: np.int64
    """points of the side to move less points of the other side"""
    turn: np.int64
    """0 when black is to move, 1 when white is"""


def _squares(*names: str) -> np.uint64:
    return np.uint64(sum(1 << ("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)) for name in names))


START = State(
    _squares("a1", "h8", "d5", "e4"), _squares("a8", "h1", "d4", "e5"), np.uint64(0), np.int64(0), np.int64(0)
)

_NOT_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
_NOT_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
_8 = np.uint64(8)
_6 = np.uint64(6)
_63 = np.uint64(63)

# The eight rays of a square, those towards higher squares first, at 8 × square + direction.
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1))


def _walk(square: int, dx: int, dy: int) -> list[int]:
    """The squares of the board from `square`, itself not included, in one direction."""
    x, y = square % 8 + dx, square // 8 + dy
    found = []
    while 0 <= x < 8 and 0 <= y < 8:
        found.append(x + 8 * y)
        x, y = x + dx, y + dy
    return found


def _make_rays() -> np.ndarray:
    return np.array(
        [sum(1 << s for s in _walk(square, dx, dy)) for square in range(64) for dx, dy in _DIRECTIONS], dtype=np.uint64
    )


def _make_lines() -> tuple[np.ndarray, np.ndarray]:
    """Attack tables for PEXT: the relevant blockers of each of the four lines of each square, and the attacked squares
    for every occupancy of them (64 entries a line, indexed by `extract` of the blockers).

    The last square of a ray is no relevant blocker: whether it is occupied makes no difference to the ray, and the
    caller takes occupied squares out of the result.
    """
    masks = np.zeros(64 * 4, dtype=np.uint64)
    slides = np.zeros(64 * 4 * 64, dtype=np.uint64)
    for square in range(64):
        for line in range(4):
            rays = [_walk(square, *_DIRECTIONS[line]), _walk(square, *_DIRECTIONS[line + 4])]
            blockers = sorted(s for ray in rays for s in ray[:-1])
            masks[4 * square + line] = sum(1 << s for s in blockers)
            for index in range(1 << len(blockers)):
                occupied = {s for i, s in enumerate(blockers) if index >> i & 1}
                reached = 0
                for ray in rays:
                    for s in ray:
                        reached |= 1 << s
                        if s in occupied:
                            break
                slides[64 * (4 * square + line) + index] = reached
    return masks, slides


_RAYS = _make_rays()
if FAST_EXTRACT:
    _BLOCKERS, _SLIDES = _make_lines()


@compiled
def _up(ray, occupied):
    """A ray towards higher squares, up to its first blocker."""
    blockers = ray & occupied
    return ray & (blockers ^ (blockers - ONE))


@compiled
def _down(ray, occupied):
    """A ray towards lower squares, down to its first blocker; a1 stands for none."""
    blockers = (ray & occupied) | ONE
    return ray & ~((ONE << (_63 - clz(blockers))) - ONE)


@compiled
def slides_by_rays(square, occupied):
    """What a queen on `square` attacks, the first blocker of each ray included, by classical ray attacks."""
    i = square * _8
    up = _up(_RAYS[i], occupied) | _up(_RAYS[i + np.uint64(1)], occupied)
    up |= _up(_RAYS[i + np.uint64(2)], occupied) | _up(_RAYS[i + np.uint64(3)], occupied)
    down = _down(_RAYS[i + np.uint64(4)], occupied) | _down(_RAYS[i + np.uint64(5)], occupied)
    down |= _down(_RAYS[i + np.uint64(6)], occupied) | _down(_RAYS[i + np.uint64(7)], occupied)
    return up | down


@compiled
def slides_by_pext(square, occupied):
    """The same by four look-ups in PEXT bitboards: half the work where the processor has a fast PEXT."""
    i = square << np.uint64(2)
    j = square << _8
    return (
        _SLIDES[j + extract(occupied, _BLOCKERS[i])]
        | _SLIDES[j + np.uint64(64) + extract(occupied, _BLOCKERS[i + np.uint64(1)])]
        | _SLIDES[j + np.uint64(128) + extract(occupied, _BLOCKERS[i + np.uint64(2)])]
        | _SLIDES[j + np.uint64(192) + extract(occupied, _BLOCKERS[i + np.uint64(3)])]
    )


_slides = slides_by_pext if FAST_EXTRACT else slides_by_rays


@compiled
def targets(square, occupied):
    """The empty squares a piece on `square` can move to."""
    return _slides(square, occupied) & ~occupied


@compiled
def neighbours(squares):
    """The squares of the set and all squares next to one of them."""
    row = squares | ((squares & _NOT_H) << ONE) | ((squares & _NOT_A) >> ONE)
    return row | (row << _8) | (row >> _8)


rule = rules_for(State)


@rule
def turn(state):
    occupied = state.mine | state.theirs | state.holes
    if neighbours(state.mine | state.theirs) & ~occupied:
        return state.turn
    return OVER


@rule
def moves(state, out):
    occupied = state.mine | state.theirs | state.holes
    n = 0
    pieces = state.mine
    while pieces:
        source = ctz(pieces)
        pieces = without_lowest(pieces)
        free = targets(source, occupied)
        while free:
            out[n] = np.int64(source | (ctz(free) << _6))
            n += 1
            free = without_lowest(free)
    if n == 0 and neighbours(state.theirs) & ~occupied:
        out[0] = PASS
        return 1
    return n


@compiled
def mobility(pieces, occupied):
    """How many moves these pieces have together."""
    n = ZERO
    while pieces:
        n += popcount(targets(ctz(pieces), occupied))
        pieces = without_lowest(pieces)
    return np.int64(n)


@rule
def count(state):
    occupied = state.mine | state.theirs | state.holes
    n = mobility(state.mine, occupied)
    if n == 0 and neighbours(state.theirs) & ~occupied:
        return np.int64(1)
    return n


@rule
def play(state, move):
    if move == PASS:
        return State(state.theirs, state.mine, state.holes, -state.lead, np.int64(1) - state.turn)
    source = ONE << (np.uint64(move) & _63)
    target = ONE << (np.uint64(move) >> _6)
    return State(
        state.theirs,
        state.mine ^ source ^ target,
        state.holes | source,
        -(state.lead + np.int64(1)),
        np.int64(1) - state.turn,
    )


@rule
def score(state):
    return state.lead if state.turn == 0 else -state.lead


@rule
def key(state):
    word = mix(state.mine) + np.uint64(3) * mix(state.theirs ^ np.uint64(0x9E37_79B9_7F4A_7C15))
    return mix(word ^ (state.holes * np.uint64(0xD1B5_4A32_D192_ED03)) ^ (np.uint64(state.lead * 2 + state.turn) << _8))


@rule
def random_move(state, bits):
    """Count the moves of each piece, draw one of them, and find its square: no move list, no unpredictable branch."""
    occupied = state.mine | state.theirs | state.holes
    first = state.mine
    second = without_lowest(first)
    third = without_lowest(second)
    fourth = without_lowest(third)
    free_1 = targets(ctz(first), occupied)
    free_2 = targets(ctz(second), occupied)
    free_3 = targets(ctz(third), occupied)
    free_4 = targets(ctz(fourth), occupied)
    upto_1 = popcount(free_1)
    upto_2 = upto_1 + popcount(free_2)
    upto_3 = upto_2 + popcount(free_3)
    n = upto_3 + popcount(free_4)
    if n == ZERO:
        return np.int64(PASS)
    chosen = below(bits, n)
    pieces, free, before = first, free_1, ZERO
    if chosen >= upto_1:
        pieces, free, before = second, free_2, upto_1
    if chosen >= upto_2:
        pieces, free, before = third, free_3, upto_2
    if chosen >= upto_3:
        pieces, free, before = fourth, free_4, upto_3
    return np.int64(ctz(lowest(pieces)) | (ctz(nth_bit(free, chosen - before)) << _6))
